package common

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// cluster is what the scheduler knows of one.
type cluster struct {
	nodes   []*corev1.Node
	classes classes
	slices  []*resourceapi.ResourceSlice
	claims  map[string]*resourceapi.ResourceClaim // by namespace/name
	order   []string                              // of the claims, as they were told
	rules   []taintRule
	pods    map[string]*corev1.Pod // by namespace/name
}

// taintRule is a DeviceTaintRule, whose type not every release has in v1.
type taintRule struct {
	Spec struct {
		DeviceSelector *struct {
			Driver *string `json:"driver"`
			Pool   *string `json:"pool"`
			Device *string `json:"device"`
		} `json:"deviceSelector"`
		Taint resourceapi.DeviceTaint `json:"taint"`
	} `json:"spec"`
}

// classes is a lister of DeviceClasses.
type classes map[string]*resourceapi.DeviceClass

func (c classes) List() (out []*resourceapi.DeviceClass, err error) {
	for _, class := range c {
		out = append(out, class)
	}
	return out, nil
}

func (c classes) Get(name string) (*resourceapi.DeviceClass, error) {
	if class, found := c[name]; found {
		return class, nil
	}
	return nil, fmt.Errorf("deviceclass.resource.k8s.io %q not found", name)
}

func newCluster(objects []json.RawMessage) (*cluster, error) {
	c := &cluster{
		classes: classes{},
		claims:  map[string]*resourceapi.ResourceClaim{},
		pods:    map[string]*corev1.Pod{},
	}
	for i, object := range objects {
		if err := c.add(object); err != nil {
			return nil, fmt.Errorf("object %d: %w", i, err)
		}
	}
	return c, nil
}

func (c *cluster) add(object []byte) error {
	var kind metav1.TypeMeta
	if err := json.Unmarshal(object, &kind); err != nil {
		return err
	}
	switch kind.Kind {
	case "Node":
		node, err := decoded[corev1.Node](object)
		c.nodes = append(c.nodes, node)
		return err
	case "DeviceClass":
		class, err := decoded[resourceapi.DeviceClass](object)
		c.classes[class.Name] = class
		return err
	case "ResourceSlice":
		slice, err := decoded[resourceapi.ResourceSlice](object)
		c.slices = append(c.slices, slice)
		return err
	case "ResourceClaim":
		claim, err := decoded[resourceapi.ResourceClaim](object)
		name := claim.Namespace + "/" + claim.Name
		c.claims[name] = claim
		c.order = append(c.order, name)
		return err
	case "DeviceTaintRule":
		rule, err := decoded[taintRule](object)
		c.rules = append(c.rules, *rule)
		return err
	case "Pod":
		pod, err := decoded[corev1.Pod](object)
		c.pods[pod.Namespace+"/"+pod.Name] = pod
		return err
	}
	return fmt.Errorf("unexpected kind %q", kind.Kind)
}

func decoded[T any](object []byte) (*T, error) {
	out := new(T)
	return out, json.Unmarshal(object, out)
}

// shuffledPools are the slices with their pools in any order: upstream takes pools as they come out of a map, which with
// few entries is their order here, from any of them on. Each second time it is that of ours, by driver and name, so that
// a few runs meet it. The slices of a pool stay as they are.
func (c *cluster) shuffledPools(random *rand.Rand) []*resourceapi.ResourceSlice {
	type pool struct{ driver, name string }
	rank := map[pool]int{}
	poolOf := func(slice *resourceapi.ResourceSlice) pool { return pool{slice.Spec.Driver, slice.Spec.Pool.Name} }
	for _, slice := range c.slices {
		if _, found := rank[poolOf(slice)]; !found {
			rank[poolOf(slice)] = random.Int()
		}
	}
	out := slices.Clone(c.slices)
	if random.IntN(2) == 0 {
		slices.SortStableFunc(out, func(a, b *resourceapi.ResourceSlice) int {
			return cmp.Or(cmp.Compare(a.Spec.Driver, b.Spec.Driver), cmp.Compare(a.Spec.Pool.Name, b.Spec.Pool.Name))
		})
		return out
	}
	slices.SortStableFunc(out, func(a, b *resourceapi.ResourceSlice) int { return cmp.Compare(rank[poolOf(a)], rank[poolOf(b)]) })
	return out
}

// claimsOf returns the claims of a pod that are not allocated, in the pod's order.
func (c *cluster) claimsOf(pod string) (out []*resourceapi.ResourceClaim, err error) {
	p, found := c.pods[pod]
	if !found {
		return nil, fmt.Errorf("no pod %s", pod)
	}
	namespace, _, _ := strings.Cut(pod, "/")
	for _, reference := range p.Spec.ResourceClaims {
		if reference.ResourceClaimName == nil {
			return nil, fmt.Errorf("claim %s of pod %s has no name", reference.Name, pod)
		}
		claim, found := c.claims[namespace+"/"+*reference.ResourceClaimName]
		if !found {
			return nil, fmt.Errorf("no claim %s", *reference.ResourceClaimName)
		}
		if claim.Status.Allocation == nil {
			out = append(out, claim)
		}
	}
	return out, nil
}

// taint adds the taints of rules to devices, as the tracker of ResourceSlices does (package resourceslice/tracker,
// Tracker.applyPatches).
func (c *cluster) taint() {
	for _, rule := range c.rules {
		selector := rule.Spec.DeviceSelector
		if selector == nil {
			continue
		}
		for _, slice := range c.slices {
			if !selected(selector.Driver, slice.Spec.Driver) || !selected(selector.Pool, slice.Spec.Pool.Name) {
				continue
			}
			for i := range slice.Spec.Devices {
				device := &slice.Spec.Devices[i]
				if selected(selector.Device, device.Name) {
					device.Taints = append(device.Taints, rule.Spec.Taint)
				}
			}
		}
	}
}

func selected(wanted *string, name string) bool { return wanted == nil || *wanted == name }

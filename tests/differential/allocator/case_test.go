// Package allocator compares the command's simulation of the scheduler's DRA allocator with upstream's own, of four
// releases, on generated clusters. This file is about what a case is made of.
package allocator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// testCase is a cluster and a pod in it, as all programs are told it on a line.
type testCase struct {
	ID      int               `json:"id"`
	Version string            `json:"version"`
	Gates   string            `json:"gates"` // those that are not as the release has them
	Objects []json.RawMessage `json:"objects"`
	Pod     string            `json:"pod"`
	Runs    int               `json:"runs,omitempty"` // how often upstream tries; 0: as it sees fit
	Help    bool              `json:"help,omitempty"` // conflicts and advice, too, of ours
}

const podName = "default/p"

// release is one that has an oracle, with the gates that may be turned and are on by default, or off.
type release struct {
	minor   int
	version string
	oracle  string // folder in oracle
	on, off []string
}

var releases = []*release{
	// Without DRAConsumableCapacity: see leftOut.
	{34, "v1.34.13", "v134", []string{"DRAAdminAccess", "DRAPrioritizedList", "DRAResourceClaimDeviceStatus"},
		[]string{"DRADeviceBindingConditions", "DRADeviceTaints", "DRAPartitionableDevices"}},
	{35, "v1.35.10", "v135", []string{"DRAAdminAccess", "DRAPrioritizedList"},
		[]string{"DRAConsumableCapacity", "DRADeviceBindingConditions", "DRADeviceTaints", "DRAPartitionableDevices"}},
	{36, "v1.36.6", "v136", []string{"DRAConsumableCapacity", "DRADeviceBindingConditions", "DRADeviceTaints", "DRAPartitionableDevices", "DRAPrioritizedList"},
		[]string{"DRADeviceTaintRules", "DRAListTypeAttributes"}},
	{37, "v1.37.1", "v137", []string{"DRAConsumableCapacity", "DRADeviceBindingConditions", "DRADeviceTaintRules", "DRADeviceTaints", "DRAPartitionableDevices"},
		[]string{"DRADerivedAttributes", "DRADeviceCompatibilityGroups", "DRAFractionalCapacityRange", "DRAListTypeAttributes", "DRAOptionalNodeOperations"}},
}

// needs has the gates without which another cannot be on.
var needs = map[string]string{
	"DRADeviceTaintRules":          "DRADeviceTaints",
	"DRAFractionalCapacityRange":   "DRAConsumableCapacity",
	"DRADeviceCompatibilityGroups": "DRAPartitionableDevices",
	"DRADeviceBindingConditions":   "DRAResourceClaimDeviceStatus",
}

func releaseOf(version string) *release {
	for _, r := range releases {
		if r.version == version {
			return r
		}
	}
	return nil
}

// gates says of each gate that may be turned whether it is on.
func (r *release) gates(text string) map[string]bool {
	out := map[string]bool{"DRAAdminAccess": true, "DRAPrioritizedList": true, "DRAResourceClaimDeviceStatus": true}
	for _, name := range r.on {
		out[name] = true
	}
	for entry := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(entry, "=")
		out[name] = value == "true"
	}
	return out
}

// gatesText says which gates are not as the release has them.
func (r *release) gatesText(on map[string]bool) string {
	var out []string
	for _, name := range r.on {
		if !on[name] {
			out = append(out, name+"=false")
		}
	}
	for _, name := range r.off {
		if on[name] {
			out = append(out, name+"=true")
		}
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

// cluster has the objects of a case by kind.
type cluster struct {
	nodes   []*corev1.Node
	classes []*resourceapi.DeviceClass
	slices  []*resourceapi.ResourceSlice
	rules   []*resourceapi.DeviceTaintRule
	claims  []*resourceapi.ResourceClaim // the pod's are pending, all others are allocated
	others  []*corev1.Pod                // who may have reserved them
	pod     *corev1.Pod

	hidesGroups bool // slices with compatibility groups, as the gate is off
}

func (c *cluster) encode() (out []json.RawMessage) {
	add := func(kind, apiVersion string, to *metav1.TypeMeta, object any) {
		*to = metav1.TypeMeta{Kind: kind, APIVersion: apiVersion}
		text, err := json.Marshal(object)
		if err != nil {
			panic(err) // these types can be written
		}
		out = append(out, text)
	}
	const group = "resource.k8s.io/v1"
	for _, o := range c.nodes {
		add("Node", "v1", &o.TypeMeta, o)
	}
	for _, o := range c.classes {
		add("DeviceClass", group, &o.TypeMeta, o)
	}
	for _, o := range c.slices {
		add("ResourceSlice", group, &o.TypeMeta, o)
	}
	for _, o := range c.rules {
		add("DeviceTaintRule", group, &o.TypeMeta, o)
	}
	for _, o := range c.claims {
		add("ResourceClaim", group, &o.TypeMeta, o)
	}
	for _, o := range append(slices.Clone(c.others), c.pod) {
		add("Pod", "v1", &o.TypeMeta, o)
	}
	return out
}

func decode(objects []json.RawMessage) (*cluster, error) {
	c := &cluster{}
	for _, object := range objects {
		var kind metav1.TypeMeta
		if err := json.Unmarshal(object, &kind); err != nil {
			return nil, err
		}
		var err error
		switch kind.Kind {
		case "Node":
			err = decodeTo(&c.nodes, object)
		case "DeviceClass":
			err = decodeTo(&c.classes, object)
		case "ResourceSlice":
			err = decodeTo(&c.slices, object)
		case "DeviceTaintRule":
			err = decodeTo(&c.rules, object)
		case "ResourceClaim":
			err = decodeTo(&c.claims, object)
		case "Pod":
			err = decodeTo(&c.others, object)
		default:
			err = fmt.Errorf("unexpected kind %q", kind.Kind)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(c.others) == 0 {
		return nil, fmt.Errorf("a case needs a pod")
	}
	c.pod, c.others = c.others[len(c.others)-1], c.others[:len(c.others)-1]
	return c, nil
}

func decodeTo[T any](list *[]*T, object []byte) error {
	one := new(T)
	*list = append(*list, one)
	return json.Unmarshal(object, one)
}

// claimsOfPod are the claims to allocate, in the pod's order.
func (c *cluster) claimsOfPod() (out []*resourceapi.ResourceClaim) {
	for _, reference := range c.pod.Spec.ResourceClaims {
		for _, claim := range c.claims {
			if claim.Name == *reference.ResourceClaimName && claim.Status.Allocation == nil {
				out = append(out, claim)
			}
		}
	}
	return out
}

// requests calls back for what may be allocated for a request: the request itself or its alternatives, all as
// subrequests. The name is as in the results of an allocation.
func eachRequest(claim *resourceapi.ResourceClaim, visit func(name string, request *resourceapi.DeviceSubRequest, adminAccess bool)) {
	for i := range claim.Spec.Devices.Requests {
		request := &claim.Spec.Devices.Requests[i]
		if e := request.Exactly; e != nil {
			visit(request.Name, &resourceapi.DeviceSubRequest{
				Name: request.Name, DeviceClassName: e.DeviceClassName, Selectors: e.Selectors, AllocationMode: e.AllocationMode, Count: e.Count,
				Tolerations: e.Tolerations, Capacity: e.Capacity, DerivedAttributes: e.DerivedAttributes,
			}, e.AdminAccess != nil && *e.AdminAccess)
		}
		for j := range request.FirstAvailable {
			visit(request.Name+"/"+request.FirstAvailable[j].Name, &request.FirstAvailable[j], false)
		}
	}
}

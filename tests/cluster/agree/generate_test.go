// This file is about inventing pools, claims and taint rules. What is invented depends on the seed alone.

package agree_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/ptr"

	"kubectl-dra/tests/cluster/scene"
)

const (
	seedEnv   = "KUBECTL_DRA_SEED"
	namespace = "generated"

	// keepFinalizer is nobody's, so that what has it stays when it is deleted.
	keepFinalizer = "example.com/keep"
)

// newRandom returns a generator that depends on the seed: $KUBECTL_DRA_SEED, else the commit, so that
// each commit tries something else, and the same again when it is tested again.
func newRandom(t *testing.T) *rand.Rand {
	t.Helper()
	seed := os.Getenv(seedEnv)
	if seed == "" {
		commit, err := exec.Command("git", "rev-parse", "HEAD").Output()
		if err != nil {
			t.Fatalf("%s is not set, and there is no commit to take instead: %v", seedEnv, err)
		}
		seed = strings.TrimSpace(string(commit))
	}
	t.Logf("%s=%s", seedEnv, seed)
	hash := fnv.New64a()
	fmt.Fprint(hash, seed)
	return rand.New(rand.NewPCG(hash.Sum64(), 0))
}

// chance is true so many times of a hundred.
func chance(r *rand.Rand, percent int) bool { return r.IntN(100) < percent }

// oneOf returns any of the values.
func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// builder collects the objects of a scene.
type builder struct {
	t *testing.T
	r *rand.Rand
	scene.Scene
}

// add takes an object of a type of k8s.io/api.
func (b *builder) add(object runtime.Object) {
	b.t.Helper()
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if err != nil {
		b.t.Fatal(err)
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		b.t.Fatal(err)
	}
	added := &unstructured.Unstructured{Object: fields}
	added.SetGroupVersionKind(kinds[0])
	b.Objects = append(b.Objects, added)
}

// addNamespace adds the namespace of all that is generated, in which admin access is allowed.
func (b *builder) addNamespace() {
	b.add(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: namespace, Labels: map[string]string{"resource.kubernetes.io/admin-access": "true"}}})
}

// where is how slices say where their devices can be used.
type where struct {
	node      string
	label     map[string]string
	all       bool
	perDevice bool
}

// pool is what a driver publishes under one name, and how it is wrong.
type pool struct {
	driver, name string
	where        where
	generation   int64
	devices      [][]resourceapi.Device   // by slice
	counters     []resourceapi.CounterSet // in a slice of their own, if there are any
	expected     int                      // slices; 0 for as many as there are
	suffix       string                   // of the names of slices
}

// addPool adds the slices of a pool.
func (b *builder) addPool(p pool) {
	sets := p.devices
	if len(p.counters) > 0 {
		sets = append([][]resourceapi.Device{nil}, sets...)
	}
	expected := p.expected
	if expected == 0 {
		expected = len(sets)
	}
	for i, devices := range sets {
		slice := &resourceapi.ResourceSlice{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s.%s.g%d-%d%s", p.driver, strings.ReplaceAll(p.name, "/", "."), p.generation, i, p.suffix)},
			Spec: resourceapi.ResourceSliceSpec{
				Driver:  p.driver,
				Pool:    resourceapi.ResourcePool{Name: p.name, Generation: p.generation, ResourceSliceCount: int64(expected)},
				Devices: devices,
			},
		}
		if i == 0 && len(p.counters) > 0 {
			slice.Spec.SharedCounters = p.counters
		}
		p.where.setSlice(&slice.Spec)
		b.add(slice)
	}
}

func (w where) setSlice(spec *resourceapi.ResourceSliceSpec) {
	switch {
	case w.perDevice:
		spec.PerDeviceNodeSelection = ptr.To(true)
		for i := range spec.Devices {
			w.setDevice(&spec.Devices[i], i)
		}
	case w.all:
		spec.AllNodes = ptr.To(true)
	case w.node != "":
		spec.NodeName = &w.node
	default:
		spec.NodeSelector = selectLabels(w.label)
	}
}

// setDevice spreads devices over all the ways in which one can say where it is.
func (w where) setDevice(device *resourceapi.Device, i int) {
	switch {
	case i%3 == 0 && w.node != "":
		device.NodeName = &w.node
	case i%3 == 1 && w.all:
		device.AllNodes = ptr.To(true)
	default:
		device.NodeSelector = selectLabels(w.label)
	}
}

// selectLabels selects the nodes that have the labels.
func selectLabels(labels map[string]string) *corev1.NodeSelector {
	term := corev1.NodeSelectorTerm{}
	for key, value := range labels {
		term.MatchExpressions = append(term.MatchExpressions,
			corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{value}})
	}
	return &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}
}

// newDevice invents a device.
func (b *builder) newDevice(name string) resourceapi.Device {
	device := resourceapi.Device{Name: name, Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
		"kind":  {StringValue: ptr.To(oneOf(b.r, "a", "b"))},
		"index": {IntValue: ptr.To(b.r.Int64N(1000))},
	}}
	if chance(b.r, 20) {
		device.Attributes["good"] = resourceapi.DeviceAttribute{BoolValue: ptr.To(chance(b.r, 50))}
		device.Attributes["firmware"] = resourceapi.DeviceAttribute{VersionValue: ptr.To("1.2.3-rc.1")}
	}
	if chance(b.r, 40) {
		device.Capacity = map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{
			"memory": {Value: resource.MustParse(oneOf(b.r, "40Gi", "1024Ki", "1500m"))}}
	}
	if chance(b.r, 25) {
		device.AllowMultipleAllocations = ptr.To(true)
	}
	for range b.r.IntN(8) / 6 {
		device.Taints = append(device.Taints, b.newTaint())
	}
	return device
}

// newTaint invents a taint with any effect.
func (b *builder) newTaint() resourceapi.DeviceTaint {
	return resourceapi.DeviceTaint{
		Key:   oneOf(b.r, "example.com/broken", "example.com/hot"),
		Value: oneOf(b.r, "", "yes"),
		Effect: oneOf(b.r, resourceapi.DeviceTaintEffectNone, resourceapi.DeviceTaintEffectNoSchedule,
			resourceapi.DeviceTaintEffectNoExecute),
	}
}

// newClaim returns a claim with the requests, to be added.
func newClaim(name string, requests ...resourceapi.DeviceRequest) *resourceapi.ResourceClaim {
	return &resourceapi.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec:       resourceapi.ResourceClaimSpec{Devices: resourceapi.DeviceClaim{Requests: requests}},
	}
}

// exactly returns a request for so many devices of a class.
func exactly(name, class string, count int64) resourceapi.DeviceRequest {
	return resourceapi.DeviceRequest{Name: name, Exactly: &resourceapi.ExactDeviceRequest{
		DeviceClassName: class, AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: count}}
}

// allocate makes a claim hold a device, for its first request.
func allocate(claim *resourceapi.ResourceClaim, driver, pool, device string) *resourceapi.DeviceRequestAllocationResult {
	if claim.Status.Allocation == nil {
		claim.Status.Allocation = &resourceapi.AllocationResult{}
	}
	results := &claim.Status.Allocation.Devices.Results
	*results = append(*results, resourceapi.DeviceRequestAllocationResult{
		Request: claim.Spec.Devices.Requests[0].Name, Driver: driver, Pool: pool, Device: device})
	return &(*results)[len(*results)-1]
}

// share makes a result one share of a device that has several.
func (b *builder) share(result *resourceapi.DeviceRequestAllocationResult, capacity map[resourceapi.QualifiedName]resourceapi.DeviceCapacity) {
	result.ShareID = ptr.To(types.UID(fmt.Sprintf("%08x-0000-4000-8000-%012x", b.r.Uint32(), b.r.Uint32())))
	for name, whole := range capacity {
		part := whole.Value.DeepCopy()
		if chance(b.r, 70) {
			part = resource.MustParse("512Ki")
		}
		result.ConsumedCapacity = map[resourceapi.QualifiedName]resource.Quantity{name: part}
	}
}

// markDeleted makes the server keep a claim in the state of being deleted.
func markDeleted(claim *resourceapi.ResourceClaim) {
	claim.Finalizers = []string{keepFinalizer}
	claim.DeletionTimestamp = ptr.To(metav1.Now())
}

// oneQuantity is an amount of a counter.
var oneQuantity = resource.MustParse("1")

// This file is about inventing small clusters for one pending pod each. All of them stand in one
// cluster, and a label keeps them apart: pods and slices reach only the nodes of their own case.

package agree_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

// caseLabel tells of nodes which case they belong to.
const caseLabel = "example.com/case"

// specials are what is wrong with a pod's claims before any node is looked at, or where they already are.
// Most cases have nothing of it.
var specials = []string{"claim missing", "", "", "template missing", "", "", "class missing", "", "", "claim being deleted", "", "",
	"gate", "", "", "allocated and reserved", "", "", "allocated elsewhere", "", "", "claim of another pod", "", "", "too many devices", "",
	"", "claim not created yet", "", "", notReserved, "", ""}

// notReserved is special in that the scheduler takes the claim back and allocates it anew.
const notReserved = "allocated elsewhere, not reserved"

// testCase is one pod and what was invented for it.
type testCase struct {
	*builder
	number  int
	label   map[string]string
	drivers []string
	nodes   []string
	pod     *corev1.Pod
	special string
}

// addCase invents a case.
func (b *builder) addCase(number int) *testCase {
	c := &testCase{builder: b, number: number, label: map[string]string{caseLabel: fmt.Sprint(number)},
		special: specials[number%len(specials)]}
	for i := range 1 + b.r.IntN(2) {
		driver := fmt.Sprintf("case-%d-%d.example.com", number, i)
		c.drivers = append(c.drivers, driver)
		class := &resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: driver}}
		class.Spec.Selectors = []resourceapi.DeviceSelector{selectBy(fmt.Sprintf("device.driver == %q", driver))}
		b.add(class)
	}
	for i := range 1 + b.r.IntN(2) {
		c.addNode(fmt.Sprintf("case-%d-node-%d", number, i))
	}
	if chance(b.r, 25) {
		c.addFabric()
	}
	for range b.r.IntN(2) {
		driver := oneOf(b.r, c.drivers...)
		b.add(&resourceapi.DeviceTaintRule{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("case-%d", number)},
			Spec: resourceapi.DeviceTaintRuleSpec{Taint: b.newTaint(), DeviceSelector: &resourceapi.DeviceTaintSelector{
				Driver: &driver, Device: oneOf(b.r, nil, ptr.To("dev-0-0"))}}})
	}
	c.addPod()
	return c
}

// selectBy is a selector with a CEL expression.
func selectBy(expression string) resourceapi.DeviceSelector {
	return resourceapi.DeviceSelector{CEL: &resourceapi.CELDeviceSelector{Expression: expression}}
}

// addNode adds a node, and most often a pool of each driver on it.
func (c *testCase) addNode(name string) {
	c.nodes = append(c.nodes, name)
	node := newNode(name)
	node.Labels = c.label
	c.add(node)
	for _, driver := range c.drivers {
		if !chance(c.r, 85) {
			continue
		}
		p := pool{driver: driver, name: name, generation: 2, where: where{node: name}}
		for s := range 1 + c.r.IntN(2) {
			var devices []resourceapi.Device
			for d := range 1 + c.r.IntN(3) {
				devices = append(devices, c.newDevice(fmt.Sprintf("dev-%d-%d", s, d)))
			}
			p.devices = append(p.devices, devices)
		}
		if chance(c.r, 30) {
			old := pool{driver: driver, name: name, generation: 1, where: p.where, expected: 1 + c.r.IntN(2)}
			old.devices = [][]resourceapi.Device{{c.newDevice("stale-0"), c.newDevice("stale-1")}}
			c.addPool(old)
		}
		c.spoil(&p, oneOf(c.r, "none", "none", "none", "none", "none", "none", "none", "none", "missing slice", "too many slices", "name twice", "unknown counter"))
		c.addPool(p)
		if chance(c.r, 40) {
			c.addHolders(fmt.Sprintf("%s-%s", name, driver[:len(driver)-len(".example.com")]), driver, p)
		}
	}
}

// newNode returns a node with room for pods.
func newNode(name string) *corev1.Node {
	room := corev1.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("8Gi"), "pods": resource.MustParse("100")}
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.NodeStatus{Capacity: room, Allocatable: room}}
}

// addFabric adds a pool that all nodes of the case reach, or some of its devices each.
func (c *testCase) addFabric() {
	p := pool{driver: c.drivers[0], name: fmt.Sprintf("fabric/%d", c.number), generation: 1,
		devices: [][]resourceapi.Device{{c.newDevice("dev-0-0"), c.newDevice("dev-0-1")}, {c.newDevice("dev-1-0")}}}
	p.where = oneOf(c.r, where{label: c.label}, where{perDevice: true, node: c.nodes[0], label: c.label})
	if p.where.perDevice {
		p.devices = append(p.devices, []resourceapi.Device{c.newDevice("dev-2-0")})
	}
	c.spoil(&p, oneOf(c.r, "none", "none", "none", "missing slice"))
	c.addPool(p)
}

// addPod adds the pending pod and its claims.
func (c *testCase) addPod() {
	name := fmt.Sprintf("pod-%d", c.number)
	c.pod = newPod(name)
	c.pod.Spec.NodeSelector = c.label
	claims := 1 + c.r.IntN(5)/3
	if c.special == notReserved {
		claims = 1
	}
	for i := range claims {
		claim := newClaim(fmt.Sprintf("%s-claim-%d", name, i))
		for j := range 1 + c.r.IntN(5)/3 {
			claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, c.newRequest(fmt.Sprintf("req-%d", j)))
		}
		if chance(c.r, 15) {
			claim.Spec.Devices.Constraints = []resourceapi.DeviceConstraint{{MatchAttribute: ptr.To(resourceapi.FullyQualifiedName(c.drivers[0] + "/kind"))}}
		}
		c.pod.Spec.ResourceClaims = append(c.pod.Spec.ResourceClaims, corev1.PodResourceClaim{Name: fmt.Sprintf("claim-%d", i), ResourceClaimName: &claim.Name})
		if i == 0 && !c.makeSpecial(claim) {
			continue
		}
		c.add(claim)
	}
	c.add(c.pod)
}

// newPod returns a pod of the generated namespace. Nobody pulls its image.
func newPod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "example.com/none"}}}}
}

// newRequest invents a request.
func (c *testCase) newRequest(name string) resourceapi.DeviceRequest {
	if chance(c.r, 25) {
		request := resourceapi.DeviceRequest{Name: name}
		for i := range 2 + c.r.IntN(2) {
			some := *c.newDemand(false)
			request.FirstAvailable = append(request.FirstAvailable, resourceapi.DeviceSubRequest{Name: fmt.Sprintf("sub-%d", i),
				DeviceClassName: some.DeviceClassName, AllocationMode: some.AllocationMode, Count: some.Count,
				Selectors: some.Selectors, Tolerations: some.Tolerations, Capacity: some.Capacity})
		}
		return request
	}
	return resourceapi.DeviceRequest{Name: name, Exactly: c.newDemand(true)}
}

// newDemand invents what is asked for, with the ways of admin access if it may.
func (c *testCase) newDemand(mayBeAdmin bool) *resourceapi.ExactDeviceRequest {
	demand := &resourceapi.ExactDeviceRequest{DeviceClassName: oneOf(c.r, c.drivers...),
		AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1 + c.r.Int64N(4)*c.r.Int64N(2)/2}
	if chance(c.r, 20) {
		demand.AllocationMode, demand.Count = resourceapi.DeviceAllocationModeAll, 0
	}
	for range c.r.IntN(6) / 4 {
		demand.Selectors = append(demand.Selectors, selectBy(c.newSelector(demand.DeviceClassName)))
	}
	if chance(c.r, 35) {
		demand.Tolerations = []resourceapi.DeviceToleration{oneOf(c.r,
			resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpExists},
			resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpExists, Key: "example.com/hot"},
			resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpEqual, Key: "example.com/broken", Value: "yes"},
			resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpExists, Effect: resourceapi.DeviceTaintEffectNoSchedule})}
	}
	if chance(c.r, 10) {
		demand.Capacity = &resourceapi.CapacityRequirements{Requests: map[resourceapi.QualifiedName]resource.Quantity{"memory": resource.MustParse("1Ki")}}
	}
	if mayBeAdmin && chance(c.r, 10) {
		demand.AdminAccess = ptr.To(true)
	}
	return demand
}

// newSelector invents an expression about devices of a driver. Some fail for devices that lack what they
// ask for.
func (c *testCase) newSelector(driver string) string {
	attributes, capacity := fmt.Sprintf("device.attributes[%q]", driver), fmt.Sprintf("device.capacity[%q]", driver)
	kind := oneOf(c.r, "a", "b")
	return oneOf(c.r,
		fmt.Sprintf("%s.kind == %q", attributes, kind),
		fmt.Sprintf("%s.kind == %q", attributes, kind),
		fmt.Sprintf("%s.kind in [%q, \"c\"] || device.allowMultipleAllocations", attributes, kind),
		fmt.Sprintf("%s.index < %d", attributes, 100*c.r.IntN(10)),
		fmt.Sprintf("%s.?good.orValue(%t)", attributes, chance(c.r, 50)),
		fmt.Sprintf("%s.good", attributes),
		fmt.Sprintf("\"firmware\" in %s && %s.firmware.isGreaterThan(semver(\"1.2.0\"))", attributes, attributes),
		fmt.Sprintf("%s.memory.compareTo(quantity(\"1Gi\")) >= 0", capacity),
		fmt.Sprintf("%s.exists(name, name == \"memory\" && %s[name].isLessThan(quantity(\"2Mi\")))", capacity, capacity),
	)
}

// makeSpecial does to the pod's first claim what makes the case special, and tells whether the claim is
// to exist.
func (c *testCase) makeSpecial(claim *resourceapi.ResourceClaim) bool {
	reference := &c.pod.Spec.ResourceClaims[0]
	switch c.special {
	case "claim missing":
		return false
	case "template missing", "claim not created yet":
		reference.ResourceClaimName, reference.ResourceClaimTemplateName = nil, ptr.To(c.pod.Name)
		if c.special == "claim not created yet" {
			c.add(&resourceapi.ResourceClaimTemplate{ObjectMeta: metav1.ObjectMeta{Name: c.pod.Name, Namespace: namespace},
				Spec: resourceapi.ResourceClaimTemplateSpec{Spec: claim.Spec}})
		}
		return false
	case "class missing":
		claim.Spec.Devices.Requests[0] = exactly("req-0", "no-such-class", 1)
		claim.Spec.Devices.Constraints = nil
	case "claim being deleted":
		markDeleted(claim)
	case "gate":
		c.pod.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/wait"}}
	case "too many devices":
		claim.Spec.Devices.Requests = []resourceapi.DeviceRequest{exactly("req-0", c.drivers[0], 20), exactly("req-1", c.drivers[0], 13)}
	case "claim of another pod":
		reference.ResourceClaimName, reference.ResourceClaimTemplateName = nil, ptr.To(c.pod.Name)
		claim.Annotations = map[string]string{"resource.kubernetes.io/pod-claim-name": reference.Name}
		c.pod.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: reference.Name, ResourceClaimName: &claim.Name}}
	case "allocated and reserved", "allocated elsewhere", notReserved:
		c.allocateAlready(claim)
	}
	return true
}

// allocateAlready binds a claim to one node of the case, or to a node of none. Another pod that runs has
// reserved it, so that the scheduler cannot take it away; or nobody has, and then there is a device for
// it on a node of the case.
func (c *testCase) allocateAlready(claim *resourceapi.ResourceClaim) {
	node := c.nodes[0]
	if c.special != "allocated and reserved" {
		node = fmt.Sprintf("case-%d-elsewhere", c.number)
		c.add(newNode(node))
	}
	user := newPod(c.pod.Name + "-other")
	user.UID = types.UID(fmt.Sprintf("the other pod of case %d", c.number)) // which loading replaces
	user.Spec.NodeName = node
	c.add(user)
	claim.Spec.Devices.Requests = []resourceapi.DeviceRequest{exactly("req-0", c.drivers[0], 1)}
	claim.Spec.Devices.Constraints = nil
	claim.Finalizers = []string{resourceapi.Finalizer}
	allocate(claim, c.drivers[0], "another-pool", "dev")
	claim.Status.Allocation.NodeSelector = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}}}
	if c.special == notReserved {
		c.addPool(pool{driver: c.drivers[0], name: "spare", generation: 1, where: where{node: c.nodes[0]},
			devices: [][]resourceapi.Device{{{Name: "spare"}}}})
		return
	}
	claim.Status.ReservedFor = []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: user.Name, UID: user.UID}}
}

// This file is about inventing small clusters for one pending pod each. All of them stand in one
// cluster, and a label keeps them apart: pods and slices reach only the nodes of their own case. Nor does
// a case share drivers, classes, rules or claims with another, so pods that are scheduled at the same time
// do not take anything from each other.

package agree_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

const (
	caseLabel = "example.com/case" // tells of nodes which case they belong to
	zoneLabel = "example.com/zone"
)

// testCase is one pod and what was invented for it.
type testCase struct {
	*builder
	number  int
	label   map[string]string
	drivers []string
	nodes   []string
	pod     *corev1.Pod
	special string
	stress  feature
	turn    int // of the cases that stress the same
	reached map[feature]bool
	from    int // of the scene's objects, the first that is the case's
	to      int // the first that is not
}

// addCase invents a case. One in three is special, the others have something in turn that they stress.
func (b *builder) addCase(number int) *testCase {
	c := &testCase{builder: b, number: number, label: map[string]string{caseLabel: fmt.Sprint(number)},
		special: specials[number%len(specials)], reached: map[feature]bool{}, from: len(b.Objects)}
	defer func() { c.to = len(b.Objects) }()
	if c.special == "" {
		c.stress, c.turn = stressed[number*2/3%len(stressed)], number*2/3/len(stressed)
	}
	if staged[c.stress] != nil {
		c.stage()
		return c
	}
	c.addDrivers(1 + b.r.IntN(2))
	for i := range 1 + b.r.IntN(3) {
		c.addNode(fmt.Sprintf("case-%d-node-%d", number, i))
	}
	if c.draw(nodeSelectorSlice, 12) {
		c.addFabric(where{label: c.label})
	} else if c.draw(perDeviceSelection, 12) {
		c.addFabric(where{perDevice: true, node: c.nodes[0], label: c.label})
	}
	if c.draw(ruledTaint, 15) {
		b.add(&resourceapi.DeviceTaintRule{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("case-%d", number)},
			Spec: resourceapi.DeviceTaintRuleSpec{Taint: b.newTaint(), DeviceSelector: &resourceapi.DeviceTaintSelector{
				Driver: ptr.To(oneOf(b.r, c.drivers...)), Device: oneOf(b.r, nil, ptr.To("dev-0-0"))}}})
	}
	c.addPod()
	return c
}

// addStaged invents a case that is built around one thing.
func (b *builder) addStaged(number int, stress feature, turn int) *testCase {
	c := &testCase{builder: b, number: number, label: map[string]string{caseLabel: fmt.Sprint(number)}, stress: stress, turn: turn,
		reached: map[feature]bool{}, from: len(b.Objects)}
	c.stage()
	c.to = len(b.Objects)
	return c
}

// stage builds the case around what it stresses.
func (c *testCase) stage() {
	c.addDrivers(1)
	c.addPlainNode("a")
	c.reach(c.stress)
	staged[c.stress](c)
}

// addDrivers adds so many drivers, with a class for the devices of each.
func (c *testCase) addDrivers(number int) {
	for i := range number {
		driver := fmt.Sprintf("case-%d-%d.example.com", c.number, i)
		c.drivers = append(c.drivers, driver)
		class := &resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: driver}}
		class.Spec.Selectors = []resourceapi.DeviceSelector{selectBy(fmt.Sprintf("device.driver == %q", driver))}
		c.add(class)
	}
}

// selectBy is a selector with a CEL expression.
func selectBy(expression string) resourceapi.DeviceSelector {
	return resourceapi.DeviceSelector{CEL: &resourceapi.CELDeviceSelector{Expression: expression}}
}

// newNode returns a node with room for pods.
func newNode(name string) *corev1.Node {
	room := corev1.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("8Gi"), "pods": resource.MustParse("100")}
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.NodeStatus{Capacity: room, Allocatable: room}}
}

// addPlainNode adds a node of the case without devices.
func (c *testCase) addPlainNode(zone string) *corev1.Node {
	node := newNode(fmt.Sprintf("case-%d-node-%d", c.number, len(c.nodes)))
	node.Labels = map[string]string{caseLabel: fmt.Sprint(c.number), zoneLabel: zone}
	c.nodes = append(c.nodes, node.Name)
	c.add(node)
	return node
}

// addNode adds a node, perhaps one that takes no pods, and most often a pool of each driver on it.
func (c *testCase) addNode(name string) {
	c.nodes = append(c.nodes, name)
	node := newNode(name)
	node.Labels = map[string]string{caseLabel: fmt.Sprint(c.number), zoneLabel: oneOf(c.r, "a", "a", "b")}
	if c.draw(nodeTaint, 8) || c.stresses(nodeToleration) {
		node.Spec.Taints = []corev1.Taint{{Key: oneOf(c.r, "example.com/reserved", "example.com/drained"), Value: oneOf(c.r, "", "yes"),
			Effect: oneOf(c.r, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule)}}
	}
	node.Spec.Unschedulable = c.draw(cordonedNode, 6)
	if c.draw(podCount, 3) {
		node.Status.Allocatable = node.Status.Allocatable.DeepCopy()
		node.Status.Allocatable["pods"] = resource.MustParse("0")
	}
	c.add(node)
	c.addResident(name)
	for _, driver := range c.drivers {
		if chance(c.r, 90) {
			c.addPoolOn(name, driver)
		}
	}
}

// addResident adds a pod that already runs on the node and has taken something that pods may want.
func (c *testCase) addResident(node string) {
	resident := newPod(node + "-resident")
	resident.Spec.NodeName = node
	main := &resident.Spec.Containers[0]
	if c.draw(nodeResources, 10) {
		main.Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("5500m"), "memory": resource.MustParse("1Gi")}
	}
	if c.draw(hostPort, 8) {
		main.Ports = []corev1.ContainerPort{c.newPort()}
	}
	if main.Resources.Requests != nil || main.Ports != nil {
		c.add(resident)
	}
}

// newPort is one of a few ports of the host.
func (c *testCase) newPort() corev1.ContainerPort {
	if c.stresses(hostPort) {
		return corev1.ContainerPort{ContainerPort: 8080, HostPort: 8080, HostIP: oneOf(c.r, "", "10.0.0.1")}
	}
	port := oneOf(c.r, int32(8080), 8080, 8443)
	return corev1.ContainerPort{ContainerPort: port, HostPort: port, HostIP: oneOf(c.r, "", "", "10.0.0.1", "10.0.0.2"),
		Protocol: oneOf(c.r, corev1.ProtocolTCP, corev1.ProtocolTCP, corev1.ProtocolUDP)}
}

// addPoolOn adds the pool of a driver on a node, which may be wrong, and what others hold of it.
func (c *testCase) addPoolOn(node, driver string) {
	p := pool{driver: driver, name: node, generation: 2, where: where{node: node}}
	for s := range 1 + c.r.IntN(2) {
		var devices []resourceapi.Device
		for d := range 1 + c.r.IntN(3) {
			devices = append(devices, c.newDevice(fmt.Sprintf("dev-%d-%d", s, d)))
		}
		p.devices = append(p.devices, devices)
	}
	if c.draw(olderGeneration, 10) {
		old := pool{driver: driver, name: node, generation: 1, where: p.where, expected: 1 + c.r.IntN(2)}
		old.devices = [][]resourceapi.Device{{c.newDevice("stale-0"), c.newDevice("stale-1")}}
		c.addPool(old)
	}
	if c.draw(newerElsewhere, 3) {
		// On a node that no pod of a case may use.
		c.addPool(pool{driver: driver, name: node, generation: 3, where: where{node: node + "-moved"},
			devices: [][]resourceapi.Device{{c.newDevice("dev-0-0")}}})
		c.spoil(&p, oneOf(c.r, "none", "missing slice"))
	} else if c.draw(counters, 15) {
		c.addCounters(&p)
	} else if c.draw(incompletePool, 5) {
		c.spoil(&p, oneOf(c.r, "missing slice", "too many slices"))
	} else if c.draw(invalidPool, 5) {
		c.spoil(&p, oneOf(c.r, "name twice", "unknown counter", "unknown counter set", "counter set twice"))
	}
	c.addPool(p)
	if c.stresses(heldDevices) || c.stresses(heldShares) || chance(c.r, 25) {
		c.reach(heldDevices)
		for _, device := range p.devices[0] {
			if device.AllowMultipleAllocations != nil {
				c.reach(heldShares)
			}
		}
		c.addHolders(fmt.Sprintf("%s-%s", node, driver[:len(driver)-len(".example.com")]), driver, p)
	}
}

// addCounters lets most devices take some of what is not enough for all of them.
func (c *testCase) addCounters(p *pool) {
	amount := func(of int64) resourceapi.Counter {
		return resourceapi.Counter{Value: *resource.NewQuantity(of, resource.DecimalSI)}
	}
	p.counters = []resourceapi.CounterSet{
		{Name: "first", Counters: map[string]resourceapi.Counter{"memory": amount(1 + c.r.Int64N(4)), "cores": amount(2)}},
		{Name: "second", Counters: map[string]resourceapi.Counter{"memory": amount(2)}}}
	for _, devices := range p.devices {
		for i := range devices {
			if chance(c.r, 80) {
				devices[i].ConsumesCounters = append(devices[i].ConsumesCounters, resourceapi.DeviceCounterConsumption{CounterSet: "first",
					Counters: map[string]resourceapi.Counter{oneOf(c.r, "memory", "memory", "cores"): amount(1 + c.r.Int64N(2))}})
			}
			if chance(c.r, 20) {
				devices[i].ConsumesCounters = append(devices[i].ConsumesCounters, resourceapi.DeviceCounterConsumption{CounterSet: "second",
					Counters: map[string]resourceapi.Counter{"memory": amount(1 + c.r.Int64N(2))}})
			}
		}
	}
}

// newDevice invents a device with all that devices of cases may have.
func (c *testCase) newDevice(name string) resourceapi.Device {
	device := c.builder.newDevice(name)
	if c.stresses(shareable) || c.stresses(requestPolicy) || c.stresses(heldShares) || c.stresses(capacityRequest) && chance(c.r, 50) {
		device.AllowMultipleAllocations = ptr.To(true)
		device.Capacity = map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{"memory": {Value: resource.MustParse("4Gi")}}
	}
	if c.stresses(deviceTaint) || c.stresses(deviceToleration) {
		device.Taints = []resourceapi.DeviceTaint{c.newTaint()}
	}
	if len(device.Taints) > 0 {
		c.reach(deviceTaint)
	}
	if device.AllowMultipleAllocations != nil {
		c.reach(shareable)
		if memory, has := device.Capacity["memory"]; has && c.draw(requestPolicy, 25) {
			memory = resourceapi.DeviceCapacity{Value: resource.MustParse("4Gi"), RequestPolicy: c.newPolicy()}
			device.Capacity["memory"] = memory
		}
	}
	if c.draw(bindingConditions, 2) {
		device.BindingConditions, device.BindingFailureConditions = []string{"example.com/attached"}, []string{"example.com/failed"}
		device.BindsToNode = oneOf(c.r, nil, ptr.To(true))
	}
	return device
}

// newPolicy says which shares of 4Gi there may be.
func (b *builder) newPolicy() *resourceapi.CapacityRequestPolicy {
	some := func(text string) *resource.Quantity { return ptr.To(resource.MustParse(text)) }
	policy := &resourceapi.CapacityRequestPolicy{Default: some("1Gi")}
	switch b.r.IntN(4) {
	case 0:
		policy.ValidValues = []resource.Quantity{*some("1Gi"), *some("2Gi")}
	case 1:
		policy.ValidRange = &resourceapi.CapacityRequestPolicyRange{Min: some("1Gi"), Max: some("3Gi"), Step: some("1Gi")}
	case 2:
		policy.ValidRange = &resourceapi.CapacityRequestPolicyRange{Min: some("512Mi")}
	}
	return policy
}

// addFabric adds a pool that all nodes of the case reach, or some of its devices each.
func (c *testCase) addFabric(place where) {
	p := pool{driver: c.drivers[0], name: fmt.Sprintf("fabric/%d", c.number), generation: 1, where: place,
		devices: [][]resourceapi.Device{{c.newDevice("dev-0-0"), c.newDevice("dev-0-1")}, {c.newDevice("dev-1-0")}}}
	if place.perDevice {
		p.devices = append(p.devices, []resourceapi.Device{c.newDevice("dev-2-0")})
	}
	if c.draw(counters, 20) {
		c.addCounters(&p)
	} else if c.draw(incompletePool, 10) {
		c.spoil(&p, "missing slice")
	}
	c.addPool(p)
}

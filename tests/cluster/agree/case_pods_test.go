// This file is about inventing the pods of cases: what they ask for, and what is special about some.

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

// specials are what is wrong with a pod's claims before any node is looked at, or where they already are.
// Most cases have nothing of it.
var specials = []string{"claim missing", "", "", "template missing", "", "", "class missing", "", "", "claim being deleted", "", "",
	"gate", "", "", "allocated and reserved", "", "", "allocated elsewhere", "", "", "claim of another pod", "", "", "too many devices", "",
	"", notCreated, "", "", notReserved, "", "", inVain, "", "",
	notCreated, "", ""}

const (
	notReserved = "allocated elsewhere, not reserved" // the scheduler takes the claim back and allocates it anew
	inVain      = "allocated elsewhere, in vain"      // it takes the claim back, and then there is nothing for it
	notCreated  = "claim not created yet"             // a controller does that
)

// addPod adds the pending pod and its claims.
func (c *testCase) addPod() {
	name := fmt.Sprintf("pod-%d", c.number)
	c.pod = newPod(name)
	c.pod.Spec.NodeSelector = map[string]string{caseLabel: fmt.Sprint(c.number)}
	c.choosePlace()
	claims := 1
	if c.special != notReserved && c.special != inVain && c.draw(severalClaims, 25) {
		claims += 1 + c.r.IntN(2)
	}
	for i := range claims {
		claim := newClaim(fmt.Sprintf("%s-claim-%d", name, i))
		requests := 1
		if c.stresses(partialConstraint) || c.draw(severalRequests, 25) {
			requests += 1 + c.r.IntN(2)
		}
		for j := range requests {
			claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, c.newRequest(fmt.Sprintf("req-%d", j)))
		}
		claim.Spec.Devices.Constraints = c.newConstraints(claim.Spec.Devices.Requests)
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

// choosePlace says what the pod wants of its node, besides devices.
func (c *testCase) choosePlace() {
	spec := &c.pod.Spec
	if c.draw(podNodeSelector, 8) {
		spec.NodeSelector[zoneLabel] = "a"
	}
	if c.draw(nodeAffinity, 8) {
		spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{oneOf(c.r,
				corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: zoneLabel, Operator: corev1.NodeSelectorOpNotIn, Values: []string{"b"}}}},
				corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: caseLabel, Operator: corev1.NodeSelectorOpGt, Values: []string{"50"}}}},
				corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: c.nodes[:1]}}})}}}}
	}
	if c.draw(nodeToleration, 8) {
		spec.Tolerations = []corev1.Toleration{oneOf(c.r, corev1.Toleration{Operator: corev1.TolerationOpExists},
			corev1.Toleration{Key: "example.com/reserved", Operator: corev1.TolerationOpExists},
			corev1.Toleration{Key: "example.com/drained", Value: "yes", Effect: corev1.TaintEffectNoSchedule},
			corev1.Toleration{Key: "node.kubernetes.io/unschedulable", Operator: corev1.TolerationOpExists})}
	}
	main := &spec.Containers[0]
	if c.draw(nodeResources, 15) {
		main.Resources.Requests = oneOf(c.r, corev1.ResourceList{"cpu": resource.MustParse("2500m")},
			corev1.ResourceList{"cpu": resource.MustParse("2501m")}, corev1.ResourceList{"memory": resource.MustParse("8Gi")})
	}
	if c.draw(hostPort, 15) {
		main.Ports = []corev1.ContainerPort{c.newPort()}
	}
	if c.draw(notSimulated, 0) {
		spec.Volumes = disk(c.number)
	}
}

// newConstraints invents what devices of a claim have to have in common, or must not.
func (c *testCase) newConstraints(requests []resourceapi.DeviceRequest) []resourceapi.DeviceConstraint {
	var constraints []resourceapi.DeviceConstraint
	attribute := func() *resourceapi.FullyQualifiedName {
		return ptr.To(resourceapi.FullyQualifiedName(c.drivers[0] + "/" + oneOf(c.r, "kind", "kind", "kind", "index", "firmware")))
	}
	partial := c.stresses(partialConstraint)
	if c.draw(matchAttribute, 12) || partial {
		constraints = append(constraints, resourceapi.DeviceConstraint{MatchAttribute: attribute()})
	}
	if c.draw(distinctAttribute, 8) {
		constraints = append(constraints, resourceapi.DeviceConstraint{DistinctAttribute: attribute()})
	}
	for i := range constraints {
		if !partial && !chance(c.r, 30) {
			continue
		}
		request := oneOf(c.r, requests...)
		constraints[i].Requests = []string{request.Name}
		if len(request.FirstAvailable) > 0 && chance(c.r, 50) {
			constraints[i].Requests = []string{request.Name + "/" + oneOf(c.r, request.FirstAvailable...).Name}
		}
		if len(requests) > 1 {
			c.reach(partialConstraint)
		}
	}
	return constraints
}

// newRequest invents a request.
func (c *testCase) newRequest(name string) resourceapi.DeviceRequest {
	if c.draw(alternatives, 25) {
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
		AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1}
	if c.draw(severalDevices, 20) {
		demand.Count = 2 + c.r.Int64N(2)
	}
	if c.draw(allDevices, 12) {
		demand.AllocationMode, demand.Count = resourceapi.DeviceAllocationModeAll, 0
	}
	if c.draw(selector, 25) {
		demand.Selectors = append(demand.Selectors, selectBy(c.newSelector(demand.DeviceClassName)))
	}
	if c.draw(deviceToleration, 35) {
		demand.Tolerations = []resourceapi.DeviceToleration{oneOf(c.r,
			resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpExists},
			resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpExists, Key: "example.com/hot"},
			resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpEqual, Key: "example.com/broken", Value: "yes"},
			resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpExists, Effect: resourceapi.DeviceTaintEffectNoSchedule})}
	}
	if c.draw(capacityRequest, 10) || c.stresses(requestPolicy) && chance(c.r, 70) {
		amount := resource.MustParse(oneOf(c.r, "1Ki", "512Mi", "1500Mi", "2Gi", "2500Mi", "3Gi", "100Gi"))
		demand.Capacity = &resourceapi.CapacityRequirements{Requests: map[resourceapi.QualifiedName]resource.Quantity{"memory": amount}}
	}
	if mayBeAdmin && c.draw(adminAccess, 10) {
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
	case "template missing", notCreated:
		reference.ResourceClaimName, reference.ResourceClaimTemplateName = nil, ptr.To(c.pod.Name)
		if c.special == notCreated {
			if chance(c.r, 60) { // one that can be met, as far as it alone goes
				claim.Spec.Devices.Requests, claim.Spec.Devices.Constraints = []resourceapi.DeviceRequest{exactly("req-0", c.drivers[0], 1)}, nil
				c.addPool(pool{driver: c.drivers[0], name: "spare", generation: 1, where: where{node: c.nodes[0]},
					devices: [][]resourceapi.Device{{{Name: "spare"}}}})
			}
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
		claim.Spec.Devices.Constraints = nil
	case "claim of another pod":
		reference.ResourceClaimName, reference.ResourceClaimTemplateName = nil, ptr.To(c.pod.Name)
		claim.Annotations = map[string]string{"resource.kubernetes.io/pod-claim-name": reference.Name}
		c.pod.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: reference.Name, ResourceClaimName: &claim.Name}}
	case "allocated and reserved", "allocated elsewhere", notReserved, inVain:
		c.allocateAlready(claim)
	}
	return true
}

// allocateAlready binds a claim to one node of the case, or to a node of none. Another pod that runs has
// reserved it, so that the scheduler cannot take it away; or nobody has, and then there is a device for
// it on a node of the case, or none anywhere.
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
	// Without the time, which a scheduler that knows binding conditions always writes, it would not let in another pod.
	claim.Status.Allocation.AllocationTimestamp = ptr.To(metav1.Now())
	claim.Status.Allocation.NodeSelector = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}}}
	if c.special == inVain {
		claim.Spec.Devices.Requests[0].Exactly.Selectors = []resourceapi.DeviceSelector{selectBy(`device.driver == "none.example.com"`)}
		return
	}
	if c.special == notReserved {
		c.addPool(pool{driver: c.drivers[0], name: "spare", generation: 1, where: where{node: c.nodes[0]},
			devices: [][]resourceapi.Device{{{Name: "spare"}}}})
		return
	}
	claim.Status.ReservedFor = []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: user.Name, UID: user.UID}}
}

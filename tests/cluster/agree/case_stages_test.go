// This file is about cases in which chance alone would seldom bring together what has to meet: each is
// built around one thing, and only details of it are invented.

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

// staged builds such cases, on one node that is there already.
var staged = map[feature]func(c *testCase){
	laterRequest:   func(c *testCase) { c.stageGivingUp(false) },
	laterClaim:     func(c *testCase) { c.stageGivingUp(true) },
	otherDevices:   (*testCase).stageOtherDevices,
	partitions:     (*testCase).stagePartitions,
	sharesLeft:     (*testCase).stageShares,
	failsElsewhere: (*testCase).stageFailsElsewhere,
	failsByPods:    (*testCase).stageFailsByPods,
	failsUnseen:    (*testCase).stageFailsUnseen,
	failsLater:     (*testCase).stageFailsLater,
	lastPools:      (*testCase).stageLastPools,
	otherFilters:   (*testCase).stageOtherFilters,
	adminBeside:    (*testCase).stageAdmin,

	extendedNamed:    (*testCase).stageExtendedNamed,
	extendedOwnName:  (*testCase).stageExtendedOwnName,
	extendedStarting: (*testCase).stageExtendedStarting,
	extendedByPlugin: (*testCase).stageExtendedByPlugin,
	extendedBeside:   (*testCase).stageExtendedBeside,
}

// ofKind is a device with an attribute that selectors ask for.
func ofKind(name, kind string) resourceapi.Device {
	return resourceapi.Device{Name: name, Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{"kind": {StringValue: &kind}}}
}

// devicesOfKinds are so many devices of each kind, shuffled.
func (c *testCase) devicesOfKinds(kinds ...string) []resourceapi.Device {
	c.r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	var devices []resourceapi.Device
	for i, kind := range kinds {
		devices = append(devices, ofKind(fmt.Sprintf("dev-%d", i), kind))
	}
	return devices
}

// addDevices adds a pool on a node of the case.
func (c *testCase) addDevices(node string, devices ...resourceapi.Device) {
	c.addPool(pool{driver: c.drivers[0], name: node, generation: 1, where: where{node: node}, devices: [][]resourceapi.Device{devices}})
}

// wanting is a request for devices of a kind.
func (c *testCase) wanting(name, kind string, count int64) resourceapi.DeviceRequest {
	request := exactly(name, c.drivers[0], count)
	request.Exactly.Selectors = []resourceapi.DeviceSelector{selectBy(fmt.Sprintf("device.attributes[%q].kind == %q", c.drivers[0], kind))}
	return request
}

// wantingFirst is a request for devices of one of the kinds, the first that can be had.
func (c *testCase) wantingFirst(name string, count int64, kinds ...string) resourceapi.DeviceRequest {
	request := resourceapi.DeviceRequest{Name: name}
	for i, kind := range kinds {
		request.FirstAvailable = append(request.FirstAvailable, resourceapi.DeviceSubRequest{Name: fmt.Sprintf("sub-%d", i),
			DeviceClassName: c.drivers[0], AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: count,
			Selectors: c.wanting(name, kind, 1).Exactly.Selectors})
	}
	return request
}

// addPodFor adds the pending pod, with claims that have these requests.
func (c *testCase) addPodFor(claims ...[]resourceapi.DeviceRequest) []*resourceapi.ResourceClaim {
	c.pod = newPod(fmt.Sprintf("pod-%d", c.number))
	c.pod.Spec.NodeSelector = map[string]string{caseLabel: fmt.Sprint(c.number)}
	var added []*resourceapi.ResourceClaim
	for i, requests := range claims {
		claim := newClaim(fmt.Sprintf("%s-claim-%d", c.pod.Name, i), requests...)
		c.pod.Spec.ResourceClaims = append(c.pod.Spec.ResourceClaims, corev1.PodResourceClaim{Name: fmt.Sprintf("claim-%d", i), ResourceClaimName: &claim.Name})
		added = append(added, claim)
	}
	return added
}

// finish takes the pod and its claims as they are now.
func (c *testCase) finish(claims []*resourceapi.ResourceClaim) {
	for _, claim := range claims {
		c.add(claim)
	}
	c.add(c.pod)
}

// stageGivingUp has a request whose first alternative takes what a later request needs.
func (c *testCase) stageGivingUp(laterClaim bool) {
	number := 1 + c.r.IntN(2)
	kinds := []string{"c"}
	for range number {
		kinds = append(kinds, "a", "b")
	}
	if chance(c.r, 15) {
		kinds = kinds[:len(kinds)-1] // and then nothing fits
	}
	c.addDevices(c.nodes[0], c.devicesOfKinds(kinds...)...)
	first := []resourceapi.DeviceRequest{c.wantingFirst("req-0", int64(number), "a", oneOf(c.r, "d", "b"), "b")}
	second := []resourceapi.DeviceRequest{c.wanting("req-1", "a", int64(number))}
	if laterClaim {
		c.finish(c.addPodFor(first, second))
	} else {
		c.finish(c.addPodFor(append(first, second...)))
	}
}

// stageOtherDevices has a constraint for which devices that were taken first have to be put back.
func (c *testCase) stageOtherDevices() {
	c.addDevices(c.nodes[0], c.devicesOfKinds("a", "a", "b", "b", "b", "c")...)
	claims := c.addPodFor([]resourceapi.DeviceRequest{exactly("req-0", c.drivers[0], 1), exactly("req-1", c.drivers[0], 2), exactly("req-2", c.drivers[0], 1)})
	kind := ptr.To(resourceapi.FullyQualifiedName(c.drivers[0] + "/kind"))
	claims[0].Spec.Devices.Constraints = oneOf(c.r,
		[]resourceapi.DeviceConstraint{{MatchAttribute: kind, Requests: []string{"req-0", "req-1"}}},
		[]resourceapi.DeviceConstraint{{MatchAttribute: kind, Requests: []string{"req-1"}}, {DistinctAttribute: kind, Requests: []string{"req-0", "req-2"}}},
		[]resourceapi.DeviceConstraint{{MatchAttribute: kind, Requests: []string{"req-1", "req-2"}}, {DistinctAttribute: kind, Requests: []string{"req-0", "req-2"}}},
		[]resourceapi.DeviceConstraint{{DistinctAttribute: kind}})
	c.finish(claims)
}

// stagePartitions has devices that are parts of one, of which another claim may hold some.
func (c *testCase) stagePartitions() {
	amount := func(of int64) map[string]resourceapi.Counter {
		return map[string]resourceapi.Counter{"memory": {Value: *resource.NewQuantity(of, resource.BinarySI)}}
	}
	var devices []resourceapi.Device
	for _, part := range []struct {
		name, kind string
		of         int64
	}{{"whole", "whole", 4}, {"half-0", "half", 2}, {"half-1", "half", 2}, {"quarter-0", "quarter", 1}, {"quarter-1", "quarter", 1}, {"quarter-2", "quarter", 1}} {
		device := ofKind(part.name, part.kind)
		device.ConsumesCounters = []resourceapi.DeviceCounterConsumption{{CounterSet: "chip", Counters: amount(part.of)}}
		devices = append(devices, device)
	}
	c.addPool(pool{driver: c.drivers[0], name: c.nodes[0], generation: 1, where: where{node: c.nodes[0]},
		devices: [][]resourceapi.Device{devices}, counters: []resourceapi.CounterSet{{Name: "chip", Counters: amount(4)}}})
	if held := oneOf(c.r, "", "half-1", "quarter-0"); held != "" {
		holder := newClaim(fmt.Sprintf("case-%d-holder", c.number), exactly("req", c.drivers[0], 1))
		allocate(holder, c.drivers[0], c.nodes[0], held)
		c.add(holder)
	}
	c.finish(c.addPodFor([]resourceapi.DeviceRequest{c.wantingFirst("req-0", 1, "whole", "half", "quarter"),
		c.wantingFirst("req-1", oneOf(c.r, int64(1), 2), "half", "quarter")}))
}

// stageShares has devices of which others hold shares.
func (c *testCase) stageShares() {
	var devices []resourceapi.Device
	for i := range 2 {
		device := ofKind(fmt.Sprintf("dev-%d", i), "a")
		device.AllowMultipleAllocations = ptr.To(true)
		device.Capacity = map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{
			"memory": {Value: resource.MustParse("4Gi"), RequestPolicy: oneOf(c.r, nil, c.newPolicy())}}
		devices = append(devices, device)
		holder := newClaim(fmt.Sprintf("case-%d-holder-%d", c.number, i), exactly("req", c.drivers[0], 1))
		result := allocate(holder, c.drivers[0], c.nodes[0], device.Name)
		result.ShareID = ptr.To(types.UID(fmt.Sprintf("%08x-0000-4000-8000-%012x", c.r.Uint32(), i)))
		result.ConsumedCapacity = map[resourceapi.QualifiedName]resource.Quantity{"memory": resource.MustParse(oneOf(c.r, "1Gi", "2Gi", "2500Mi", "4Gi"))}
		c.add(holder)
	}
	c.addDevices(c.nodes[0], devices...)
	var requests []resourceapi.DeviceRequest
	for i := range 1 + c.r.IntN(3) {
		request := exactly(fmt.Sprintf("req-%d", i), c.drivers[0], 1)
		if chance(c.r, 80) {
			request.Exactly.Capacity = &resourceapi.CapacityRequirements{Requests: map[resourceapi.QualifiedName]resource.Quantity{
				"memory": resource.MustParse(oneOf(c.r, "256Mi", "1Gi", "1025Mi", "2Gi"))}}
		}
		requests = append(requests, request)
	}
	c.finish(c.addPodFor(requests))
}

// stageFailsElsewhere has a node on which a selector fails, and to which the scheduler does not come.
func (c *testCase) stageFailsElsewhere() {
	other := newNode(fmt.Sprintf("case-%d-node-1", c.number))
	other.Labels = map[string]string{caseLabel: fmt.Sprint(c.number), zoneLabel: "b"}
	c.nodes = append(c.nodes, other.Name)
	c.addDevices(c.nodes[0], ofKind("dev-0", "a"))
	c.addDevices(other.Name, resourceapi.Device{Name: "dev-0"})
	claims := c.addPodFor([]resourceapi.DeviceRequest{c.wanting("req-0", "a", 1)})
	switch c.r.IntN(4) {
	case 0:
		other.Spec.Unschedulable = true
	case 1:
		other.Spec.Taints = []corev1.Taint{{Key: "example.com/reserved", Effect: corev1.TaintEffectNoSchedule}}
	case 2:
		c.pod.Spec.NodeSelector[zoneLabel] = "a"
	case 3:
		delete(other.Status.Allocatable, "cpu")
		c.pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("100m")}
	}
	c.add(other)
	c.finish(claims)
}

// stageFailsByPods is the same, but the filter is one that looks at other pods: the pod may not stand beside its like.
func (c *testCase) stageFailsByPods() {
	resident, claims := c.addServedBeside()
	resident.Labels, c.pod.Labels = c.label, c.label
	like := &metav1.LabelSelector{MatchLabels: c.label}
	if chance(c.r, 50) {
		c.pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: zoneLabel,
			WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: like}}
	} else {
		c.pod.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: zoneLabel, LabelSelector: like}}}}
	}
	c.finish(claims)
}

// stageFailsUnseen is the same, but the filter is one that is not simulated: the resident has the pod's disk.
func (c *testCase) stageFailsUnseen() {
	resident, claims := c.addServedBeside()
	resident.Spec.Volumes, c.pod.Spec.Volumes = disk(c.number), disk(c.number)
	c.finish(claims)
}

// addServedBeside has a node on which a selector fails, with a pod on it, and a node that serves the waiting pod.
func (c *testCase) addServedBeside() (*corev1.Pod, []*resourceapi.ResourceClaim) {
	other := c.addPlainNode("b")
	c.addDevices(c.nodes[0], ofKind("dev-0", "a"))
	c.addDevices(other.Name, resourceapi.Device{Name: "dev-0"})
	resident := newPod(other.Name + "-resident")
	resident.Spec.NodeName = other.Name
	c.add(resident)
	return resident, c.addPodFor([]resourceapi.DeviceRequest{c.wanting("req-0", "a", 1)})
}

// disk is a volume that two pods of a node cannot share.
func disk(number int) []corev1.Volume {
	return []corev1.Volume{{Name: "disk", VolumeSource: corev1.VolumeSource{ISCSI: &corev1.ISCSIVolumeSource{
		TargetPortal: "192.0.2.1:3260", IQN: fmt.Sprintf("iqn.2026-11.com.example:disk-%d", number)}}}}
}

// stageFailsLater has a device for which a selector fails, after or before the one that is wanted.
func (c *testCase) stageFailsLater() {
	devices := []resourceapi.Device{ofKind("dev-0", "a"), {Name: "dev-1"}}
	if chance(c.r, 30) {
		devices[0], devices[1] = devices[1], devices[0]
	}
	c.addDevices(c.nodes[0], devices...)
	request := c.wanting("req-0", "a", 1)
	if chance(c.r, 30) {
		request.Exactly.AllocationMode, request.Exactly.Count = resourceapi.DeviceAllocationModeAll, 0
	}
	c.finish(c.addPodFor([]resourceapi.DeviceRequest{request}))
}

// stageLastPools has a pool that would come first by its name, but for the conditions of a device.
func (c *testCase) stageLastPools() {
	waits := ofKind("dev-0", "a")
	waits.BindingConditions, waits.BindingFailureConditions = []string{"example.com/attached"}, []string{"example.com/failed"}
	for i, devices := range [][]resourceapi.Device{{ofKind("dev-1", "b"), waits}, {ofKind("dev-0", "a")}} {
		c.addPool(pool{driver: c.drivers[0], name: fmt.Sprintf("pool-%d", i), generation: 1, where: where{node: c.nodes[0]},
			devices: [][]resourceapi.Device{devices}})
	}
	// The first such case needs the device with conditions, the next does not.
	c.finish(c.addPodFor([]resourceapi.DeviceRequest{exactly("req-0", c.drivers[0], int64(3-c.turn%3))}))
}

// stageOtherFilters has nodes with devices that the pod could have, each of which one other filter rejects.
func (c *testCase) stageOtherFilters() {
	c.addDevices(c.nodes[0], ofKind("dev-0", "a"))
	for i := range 5 {
		node := newNode(fmt.Sprintf("case-%d-node-%d", c.number, i+1))
		node.Labels = map[string]string{caseLabel: fmt.Sprint(c.number), zoneLabel: "a"}
		resident := newPod(node.Name + "-resident")
		resident.Spec.NodeName = node.Name
		switch i {
		case 0:
			node.Spec.Unschedulable = true
		case 1:
			node.Spec.Taints = []corev1.Taint{{Key: "example.com/reserved", Effect: oneOf(c.r, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute)}}
		case 2:
			node.Labels[zoneLabel] = "b"
		case 3:
			resident.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse(oneOf(c.r, "6", "7"))}
		case 4:
			resident.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 8080, HostIP: oneOf(c.r, "", "10.0.0.1")}}
		}
		c.nodes = append(c.nodes, node.Name)
		c.add(node)
		c.add(resident)
		c.addDevices(node.Name, ofKind("dev-0", "a"))
	}
	claims := c.addPodFor([]resourceapi.DeviceRequest{c.wanting("req-0", "a", 1)})
	c.pod.Spec.NodeSelector[zoneLabel] = "a"
	main := &c.pod.Spec.Containers[0]
	main.Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("2001m")}
	main.Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 8080}}
	c.finish(claims)
}

// stageAdmin has a device that another claim holds, and the pod may look at.
func (c *testCase) stageAdmin() {
	c.addDevices(c.nodes[0], c.devicesOfKinds("a", "b", "b")...)
	holder := newClaim(fmt.Sprintf("case-%d-holder", c.number), exactly("req", c.drivers[0], 1))
	allocate(holder, c.drivers[0], c.nodes[0], "dev-0")
	c.add(holder)
	looks := exactly("req-0", c.drivers[0], 1+c.r.Int64N(2))
	looks.Exactly.AdminAccess = ptr.To(true)
	if chance(c.r, 30) {
		looks.Exactly.AllocationMode, looks.Exactly.Count = resourceapi.DeviceAllocationModeAll, 0
	}
	first, second := []resourceapi.DeviceRequest{looks}, []resourceapi.DeviceRequest{exactly("req-1", c.drivers[0], 1)}
	switch c.turn % 3 {
	case 0:
		c.finish(c.addPodFor(first))
	case 1:
		c.finish(c.addPodFor(second, first))
	case 2:
		c.finish(c.addPodFor(append(first, second...)))
	}
}

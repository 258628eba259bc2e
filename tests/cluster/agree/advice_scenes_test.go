// This file is about inventing scenes in which a pod fits nowhere, each made for a kind of advice.

package agree_test

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"kubectl-dra/tests/changes"
)

// adviceStages make scenes; each kind of advice has one at least.
var adviceStages = []struct {
	wants string // the kind that must be among what is advised; "": any
	stage func(s *adviceScene)
}{
	{"setCount", (*adviceScene).stageCount},
	{"dropSelector", (*adviceScene).stageSelector},
	{"dropSelector span", (*adviceScene).stageCondition},
	{"editSelector", (*adviceScene).stageThreshold},
	{"tolerate", (*adviceScene).stageDeviceTaint},
	{"tolerate node", (*adviceScene).stageNodeTaint},
	{"dropConstraint", (*adviceScene).stageConstraint},
	{"relaxConstraint", (*adviceScene).stageNearRoots},
	{"splitRequests", (*adviceScene).stagePairs},
	{"useAlternative", (*adviceScene).stageAlternatives},
	{"selectNodes", (*adviceScene).stageSelectedNodes},
	{"selectNodes affinity", (*adviceScene).stageAffinity},
	{"release", (*adviceScene).stageHolders},
	{"release", (*adviceScene).stageSharedClaims},
	{"addNode", (*adviceScene).stageFullNodes},
	{"wait", (*adviceScene).stageIncomplete},
	{"", (*adviceScene).stageTwoObstacles},
}

// adviceScene is a pod with its nodes, drivers and classes: nothing of another scene has to do with it. Another with
// the same numbers differs in names alone, which all begin with a prefix of the same length.
type adviceScene struct {
	changes.Objects
	r              *rand.Rand
	number         int
	prefix, driver string
	wants          string
	spared         string // the pod that must not have to go
}

// adviceLabel tells of nodes which scene they belong to.
const adviceLabel = "example.com/advice"

// Priorities of pods that hold devices, by their classes.
var advicePriorities = map[string]int32{"advice-low": 10, "advice-high": 1000}

func newAdviceScene(number int, seed uint64, variant int) *adviceScene {
	s := &adviceScene{number: number, r: rand.New(rand.NewPCG(seed, uint64(number))), prefix: fmt.Sprintf("a%03dv%03d", number, variant)}
	s.driver = s.prefix + ".example.com"
	s.Classes = []*resourceapi.DeviceClass{{ObjectMeta: metav1.ObjectMeta{Name: s.prefix},
		Spec: resourceapi.DeviceClassSpec{Selectors: []resourceapi.DeviceSelector{selectBy(fmt.Sprintf("device.driver == %q", s.driver))}}}}
	s.Pod = newPod(s.prefix)
	s.Pod.Spec.NodeSelector = map[string]string{adviceLabel: s.prefix}
	stage := adviceStages[number%len(adviceStages)]
	s.wants = stage.wants
	stage.stage(s)
	return s
}

// addNodes adds nodes, each with so many devices.
func (s *adviceScene) addNodes(nodes, devices int, change func(i int, device *resourceapi.Device)) {
	for range nodes {
		node := newNode(fmt.Sprintf("%s-n%d", s.prefix, len(s.Nodes)))
		node.Labels = map[string]string{adviceLabel: s.prefix, corev1.LabelHostname: node.Name}
		s.Nodes = append(s.Nodes, node)
		slice := &resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: node.Name},
			Spec: resourceapi.ResourceSliceSpec{Driver: s.driver, NodeName: &node.Name,
				Pool: resourceapi.ResourcePool{Name: node.Name, Generation: 1, ResourceSliceCount: 1}}}
		for i := range devices {
			device := resourceapi.Device{Name: fmt.Sprintf("dev-%d", i),
				Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
					"kind": {StringValue: ptr.To("a")}, "index": {IntValue: ptr.To(int64(i))}, "numa": {IntValue: ptr.To(int64(i % 2))}},
				Capacity: map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{
					"memory": {Value: resource.MustParse(fmt.Sprintf("%dGi", 10*(1+i)))}}}
			if change != nil {
				change(i, &device)
			}
			slice.Spec.Devices = append(slice.Spec.Devices, device)
		}
		s.Slices = append(s.Slices, slice)
	}
}

// ask lets the pod ask for devices by a claim.
func (s *adviceScene) ask(requests ...resourceapi.DeviceRequest) *resourceapi.ResourceClaim {
	claim := newClaim(fmt.Sprintf("%s-c%d", s.prefix, len(s.Pod.Spec.ResourceClaims)), requests...)
	s.Claims = append(s.Claims, claim)
	s.Pod.Spec.ResourceClaims = append(s.Pod.Spec.ResourceClaims, corev1.PodResourceClaim{Name: claim.Name, ResourceClaimName: &claim.Name})
	return claim
}

// askFor lets it ask for so many, by selectors.
func (s *adviceScene) askFor(count int, expressions ...string) *resourceapi.ResourceClaim {
	request := exactly("req", s.prefix, int64(count))
	for _, expression := range expressions {
		request.Exactly.Selectors = append(request.Exactly.Selectors, selectBy(expression))
	}
	return s.ask(request)
}

func (s *adviceScene) attribute(name string) string {
	return fmt.Sprintf("device.attributes[%q].%s", s.driver, name)
}
func (s *adviceScene) memory() string { return fmt.Sprintf("device.capacity[%q].memory", s.driver) }

// hold lets pods hold devices of a node by one claim; none: nobody has reserved it.
func (s *adviceScene) hold(node int, pods []*corev1.Pod, devices ...int) {
	claim := newClaim(fmt.Sprintf("%s-held%d", s.prefix, len(s.Claims)), exactly("r", s.prefix, int64(len(devices))))
	name := s.Nodes[node].Name
	for _, device := range devices {
		allocate(claim, s.driver, name, fmt.Sprintf("dev-%d", device))
	}
	claim.Finalizers = []string{resourceapi.Finalizer}
	claim.Status.Allocation.AllocationTimestamp = ptr.To(metav1.Now())
	for _, pod := range pods {
		claim.Status.ReservedFor = append(claim.Status.ReservedFor,
			resourceapi.ResourceClaimConsumerReference{Resource: "pods", Name: pod.Name, UID: pod.UID})
		pod.Spec.ResourceClaims = append(pod.Spec.ResourceClaims, corev1.PodResourceClaim{Name: claim.Name, ResourceClaimName: &claim.Name})
	}
	if len(pods) == 1 && chance(s.r, 50) { // made from a template, so that it goes with the pod
		claim.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: pods[0].Name, UID: pods[0].UID, Controller: ptr.To(true)}}
	}
	s.Claims = append(s.Claims, claim)
}

// run adds a pod that runs on a node.
func (s *adviceScene) run(node int, priorityClass string) *corev1.Pod {
	pod := newPod(fmt.Sprintf("%s-user%d", s.prefix, len(s.Pods)))
	pod.UID = types.UID(pod.Name) // which loading replaces
	pod.Spec.NodeName = s.Nodes[node].Name
	pod.Spec.PriorityClassName = priorityClass
	s.Pods = append(s.Pods, pod)
	return pod
}

func (s *adviceScene) someNodes() int { return 1 + s.r.IntN(2) }

func (s *adviceScene) stageCount() {
	devices := 1 + s.r.IntN(4)
	s.addNodes(s.someNodes(), devices, nil)
	s.askFor(devices + 1 + s.r.IntN(3))
}

func (s *adviceScene) stageSelector() {
	s.addNodes(s.someNodes(), 1+s.r.IntN(3), nil)
	s.askFor(1, oneOf(s.r, s.attribute("kind")+` == "z"`, s.attribute("kind")+`.startsWith("z")`, s.attribute("index")+" < 0"))
}

func (s *adviceScene) stageCondition() {
	s.addNodes(s.someNodes(), 1+s.r.IntN(3), nil)
	conditions := []string{s.attribute("kind") + ` == "a"`, fmt.Sprintf(`%s.compareTo(quantity("%dGi")) >= 0`, s.memory(), 50+s.r.IntN(100))}
	s.r.Shuffle(2, func(i, j int) { conditions[i], conditions[j] = conditions[j], conditions[i] })
	s.askFor(1, conditions[0]+" && "+conditions[1])
}

func (s *adviceScene) stageThreshold() {
	devices := 1 + s.r.IntN(3)
	s.addNodes(s.someNodes(), devices, nil)
	s.askFor(1, fmt.Sprintf(`%s.compareTo(quantity("%dGi")) >= 0`, s.memory(), 10*devices+1+s.r.IntN(50)))
}

func (s *adviceScene) stageDeviceTaint() {
	taint := resourceapi.DeviceTaint{Key: oneOf(s.r, "example.com/hot", "example.com/reserved"), Value: oneOf(s.r, "", "yes"),
		Effect: oneOf(s.r, resourceapi.DeviceTaintEffectNoSchedule, resourceapi.DeviceTaintEffectNoExecute)}
	both := chance(s.r, 30) // of two requests, of which each has to tolerate it
	devices := 1 + s.r.IntN(2)
	if both {
		devices = 2
	}
	s.addNodes(s.someNodes(), devices, func(_ int, device *resourceapi.Device) { device.Taints = []resourceapi.DeviceTaint{taint} })
	if both {
		s.ask(exactly("req", s.prefix, 1), exactly("more", s.prefix, 1))
		return
	}
	s.askFor(devices)
}

func (s *adviceScene) stageNodeTaint() {
	s.addNodes(s.someNodes(), 1+s.r.IntN(2), nil)
	for _, node := range s.Nodes {
		node.Spec.Taints = []corev1.Taint{{Key: "example.com/reserved", Value: oneOf(s.r, "", "yes"),
			Effect: oneOf(s.r, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute)}}
	}
	s.askFor(1)
}

// stageConstraint has two devices on a node, which a constraint does not let go together.
func (s *adviceScene) stageConstraint() {
	distinct := chance(s.r, 40)
	s.addNodes(s.someNodes(), 2, func(_ int, device *resourceapi.Device) {
		if distinct {
			device.Attributes["numa"] = resourceapi.DeviceAttribute{IntValue: ptr.To(int64(1))}
		}
	})
	name := resourceapi.FullyQualifiedName(s.driver + "/numa")
	constraint := resourceapi.DeviceConstraint{MatchAttribute: &name}
	if distinct {
		constraint = resourceapi.DeviceConstraint{DistinctAttribute: &name}
	}
	s.askFor(2).Spec.Devices.Constraints = []resourceapi.DeviceConstraint{constraint}
}

// alignedBy lets a claim ask for one root for its requests.
func (s *adviceScene) alignedBy(claim *resourceapi.ResourceClaim, requests ...string) {
	root := resourceapi.FullyQualifiedName(s.driver + "/pcieRoot")
	claim.Spec.Devices.Constraints = []resourceapi.DeviceConstraint{{MatchAttribute: &root, Requests: requests}}
}

func (s *adviceScene) onRoot(device *resourceapi.Device, root, numa int) {
	device.Attributes["pcieRoot"] = resourceapi.DeviceAttribute{StringValue: ptr.To(fmt.Sprintf("pci0000:%02d", root))}
	device.Attributes["numa"] = resourceapi.DeviceAttribute{IntValue: ptr.To(int64(numa))}
}

// stageNearRoots has each device on a root of its own, and two on each NUMA node.
func (s *adviceScene) stageNearRoots() {
	s.addNodes(s.someNodes(), 4, func(i int, device *resourceapi.Device) { s.onRoot(device, i, i/2) })
	if chance(s.r, 50) {
		s.alignedBy(s.askFor(2))
		return
	}
	s.alignedBy(s.ask(exactly("one", s.prefix, 1), exactly("other", s.prefix, 1)), "one", "other")
}

// stagePairs has two or three roots with two devices each, of two kinds, and wants all of them on one root.
func (s *adviceScene) stagePairs() {
	roots := 2 + s.r.IntN(2)
	s.addNodes(s.someNodes(), 2*roots, func(i int, device *resourceapi.Device) {
		s.onRoot(device, i/2, i/2)
		device.Attributes["kind"] = resourceapi.DeviceAttribute{StringValue: ptr.To([]string{"card", "port"}[i%2])}
	})
	if chance(s.r, 50) { // the parts of an odd number are unequal
		s.alignedBy(s.askFor(2*roots - s.r.IntN(2)))
		return
	}
	var requests []resourceapi.DeviceRequest
	for _, kind := range []string{"card", "port"} {
		request := exactly(kind, s.prefix, int64(roots))
		request.Exactly.Selectors = []resourceapi.DeviceSelector{selectBy(fmt.Sprintf("%s == %q", s.attribute("kind"), kind))}
		requests = append(requests, request)
	}
	claim := s.ask(requests...)
	s.alignedBy(claim, oneOf(s.r, nil, []string{"card", "port"})...)
	if chance(s.r, 50) { // another one, of one of the requests alone
		index := resourceapi.FullyQualifiedName(s.driver + "/index")
		claim.Spec.Devices.Constraints = append(claim.Spec.Devices.Constraints,
			resourceapi.DeviceConstraint{DistinctAttribute: &index, Requests: []string{"card"}})
	}
}

// stageLabels has nodes with devices that have one value of a label, and one without devices that has another.
func (s *adviceScene) stageLabels() (key, wanted string) {
	key, wanted = oneOf(s.r, "zone", "example.com/card"), "a"
	s.addNodes(s.someNodes(), 1+s.r.IntN(2), nil)
	there := oneOf(s.r, "b", "b", "")
	for _, node := range s.Nodes {
		if there != "" {
			node.Labels[key] = there
		}
	}
	s.addNodes(1, 0, nil)
	s.Nodes[len(s.Nodes)-1].Labels[key] = wanted
	s.askFor(1)
	return key, wanted
}

func (s *adviceScene) stageSelectedNodes() {
	key, wanted := s.stageLabels()
	s.Pod.Spec.NodeSelector[key] = wanted
}

func (s *adviceScene) stageAffinity() {
	key, wanted := s.stageLabels()
	conditions := []corev1.NodeSelectorRequirement{{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{wanted}}}
	if chance(s.r, 50) {
		conditions = append(conditions, corev1.NodeSelectorRequirement{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpExists})
	}
	s.Pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: conditions}}}}}
}

// stageAlternatives has a first alternative whose selector fails for some device.
func (s *adviceScene) stageAlternatives() {
	s.addNodes(s.someNodes(), 1+s.r.IntN(3), nil)
	first := resourceapi.DeviceSubRequest{Name: "first", DeviceClassName: s.prefix, AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1}
	second := first
	second.Name = "second"
	first.Selectors = []resourceapi.DeviceSelector{selectBy(fmt.Sprintf("%s > %d", s.attribute("size"), s.r.IntN(5)))}
	s.ask(resourceapi.DeviceRequest{Name: "req", FirstAvailable: []resourceapi.DeviceSubRequest{first, second}})
}

// stageHolders has pods of different priorities on all devices.
func (s *adviceScene) stageHolders() {
	devices := 1 + s.r.IntN(3)
	s.addNodes(1, devices, nil)
	wanted := 1 + s.r.IntN(devices)
	for i := range devices {
		priority := oneOf(s.r, "", "advice-low")
		if i == 0 && wanted < devices {
			priority = "advice-high"
		}
		pod := s.run(0, priority)
		s.hold(0, []*corev1.Pod{pod}, i)
		if i == 0 && wanted < devices {
			s.spared = pod.Namespace + "/" + pod.Name
		}
	}
	s.askFor(wanted)
}

// stageSharedClaims has claims that several pods share, that nobody has reserved, or that have several devices.
func (s *adviceScene) stageSharedClaims() {
	s.addNodes(1, 4, nil)
	s.hold(0, []*corev1.Pod{s.run(0, ""), s.run(0, "advice-low")}, 0)
	s.hold(0, nil, 1)
	user := s.run(0, oneOf(s.r, "", "advice-high"))
	if chance(s.r, 50) {
		s.hold(0, []*corev1.Pod{user}, 2, 3)
	} else {
		s.hold(0, []*corev1.Pod{user}, 2)
		s.hold(0, []*corev1.Pod{user}, 3)
	}
	s.askFor(1 + s.r.IntN(4))
}

// stageFullNodes has nodes without room for one more pod: for its devices, or for what else it takes.
func (s *adviceScene) stageFullNodes() {
	nodes, cpu := s.someNodes(), chance(s.r, 50)
	s.addNodes(nodes, 1, nil)
	for i := range nodes {
		pod := s.run(i, "")
		if cpu {
			pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("2")}
		} else {
			s.hold(i, []*corev1.Pod{pod}, 0)
		}
	}
	if cpu {
		s.Pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("7")}
	}
	s.askFor(1)
}

func (s *adviceScene) stageIncomplete() {
	s.addNodes(s.someNodes(), 1+s.r.IntN(2), nil)
	for _, slice := range s.Slices {
		slice.Spec.Pool.ResourceSliceCount = int64(2 + s.r.IntN(2))
	}
	s.askFor(1)
}

// stageTwoObstacles has devices of which more are wanted than there are, and that are tainted as well.
func (s *adviceScene) stageTwoObstacles() {
	devices := 1 + s.r.IntN(3)
	s.addNodes(s.someNodes(), devices, func(_ int, device *resourceapi.Device) {
		device.Taints = []resourceapi.DeviceTaint{{Key: "example.com/hot", Effect: resourceapi.DeviceTaintEffectNoSchedule}}
	})
	s.askFor(devices + 1)
}

// This file is about cases whose pods ask for extended resources, which device classes serve: by the names
// that classes give, and by those made of their own; for containers of every kind; and on nodes of which some
// have the resource themselves, by a device plugin.

package agree_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// addServingClass adds a class for all devices of the case, which serves this resource.
func (c *testCase) addServingClass(name, resource, kind string) {
	class := &resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: name}}
	class.Spec.ExtendedResourceName = &resource
	class.Spec.Selectors = []resourceapi.DeviceSelector{selectBy(fmt.Sprintf("device.attributes[%q].kind == %q", c.drivers[0], kind))}
	c.add(class)
}

// asking are the resources of a container that asks for so many of each; for none of those of zero.
func asking(amounts map[string]int64) corev1.ResourceRequirements {
	limits := corev1.ResourceList{}
	for name, amount := range amounts {
		if amount > 0 {
			limits[corev1.ResourceName(name)] = *resource.NewQuantity(amount, resource.DecimalSI)
		}
	}
	return corev1.ResourceRequirements{Limits: limits}
}

// addContainer adds a container to the pod: "main", "init" or "sidecar".
func (c *testCase) addContainer(what string, amounts map[string]int64) {
	spec := &c.pod.Spec
	container := corev1.Container{Name: fmt.Sprintf("%s-%d", what, len(spec.InitContainers)+len(spec.Containers)), Image: "example.com/none",
		Resources: asking(amounts)}
	switch what {
	case "main":
		spec.Containers = append(spec.Containers, container)
		return
	case "sidecar":
		container.RestartPolicy = ptr.To(corev1.ContainerRestartPolicyAlways)
	}
	spec.InitContainers = append(spec.InitContainers, container)
}

// addNodeWith adds a node with devices of these kinds, of which it has so many by a plugin, too; none if that is
// negative.
func (c *testCase) addNodeWith(resourceName string, amount int64, kinds ...string) string {
	node := newNode(fmt.Sprintf("case-%d-node-%d", c.number, len(c.nodes)))
	node.Labels = map[string]string{caseLabel: fmt.Sprint(c.number)}
	if amount >= 0 {
		node.Status.Allocatable = node.Status.Allocatable.DeepCopy()
		node.Status.Allocatable[corev1.ResourceName(resourceName)] = *resource.NewQuantity(amount, resource.DecimalSI)
		node.Status.Capacity = node.Status.Allocatable
	}
	c.nodes = append(c.nodes, node.Name)
	c.add(node)
	if len(kinds) > 0 {
		c.addDevices(node.Name, c.devicesOfKinds(kinds...)...)
	}
	return node.Name
}

// extendedName is a resource of the case.
func (c *testCase) extendedName(what string) string {
	return fmt.Sprintf("example.com/case-%d-%s", c.number, what)
}

// stageExtendedNamed has classes that name resources; in some cases two that name the same.
func (c *testCase) stageExtendedNamed() {
	first, second := c.extendedName("a"), c.extendedName("b")
	c.addDevices(c.nodes[0], c.devicesOfKinds("a", "a", "b", "b", "b")...)
	c.addServingClass(fmt.Sprintf("case-%d-a", c.number), first, "a")
	c.addServingClass(fmt.Sprintf("case-%d-b", c.number), second, "b")
	if c.turn%2 == 1 {
		c.addServingClass(fmt.Sprintf("case-%d-%s", c.number, oneOf(c.r, "0", "c")), first, "b")
	}
	c.addPodFor()
	c.pod.Spec.Containers[0].Resources = asking(map[string]int64{first: 1 + c.r.Int64N(3), second: c.r.Int64N(3), "cpu": 1})
	c.addContainer("main", map[string]int64{second: c.r.Int64N(2), first: c.r.Int64N(2)})
	c.finish(nil)
}

// stageExtendedOwnName asks by the name of a class; in some cases also by one that no class has.
func (c *testCase) stageExtendedOwnName() {
	c.addDevices(c.nodes[0], c.devicesOfKinds("a", "a", "b")...)
	c.addPodFor()
	name := resourceapi.ResourceDeviceClassPrefix + c.drivers[0]
	amounts := map[string]int64{name: 1}
	if chance(c.r, 20) {
		amounts[name+".none"] = 1
	}
	for range c.r.IntN(3) * 5 { // from the eleventh on, names of requests are not in the order of containers
		c.addContainer("main", map[string]int64{"cpu": 1 - c.r.Int64N(2)})
	}
	c.addContainer("main", amounts)
	c.pod.Spec.Containers[len(c.pod.Spec.Containers)/2].Resources = asking(map[string]int64{name: 1 + c.r.Int64N(2)})
	c.finish(nil)
}

// stageExtendedStarting has init containers, which use what later containers will have.
func (c *testCase) stageExtendedStarting() {
	kinds := []string{"a", "a", "a"}
	for range c.r.IntN(5) {
		kinds = append(kinds, "a")
	}
	c.addDevices(c.nodes[0], c.devicesOfKinds(kinds...)...)
	name := c.extendedName("a")
	c.addServingClass(fmt.Sprintf("case-%d-a", c.number), name, "a")
	c.addPodFor()
	for range 2 + c.r.IntN(3) {
		c.addContainer(oneOf(c.r, "init", "init", "sidecar"), map[string]int64{name: c.r.Int64N(5), "cpu": c.r.Int64N(2)})
	}
	c.pod.Spec.Containers[0].Resources = asking(map[string]int64{name: c.r.Int64N(3)})
	c.addContainer("main", map[string]int64{name: 1, "memory": 1024 * c.r.Int64N(2)})
	c.finish(nil)
}

// stageExtendedByPlugin has nodes with an amount of the resource, with none, and without it.
func (c *testCase) stageExtendedByPlugin() {
	first, second := c.extendedName("a"), c.extendedName("b")
	c.addServingClass(fmt.Sprintf("case-%d-a", c.number), first, "a")
	c.addDevices(c.nodes[0], c.devicesOfKinds(oneOf(c.r, []string{"a"}, []string{"b"})...)...)
	zero := c.addNodeWith(first, 0, oneOf(c.r, []string{"a", "a"}, nil)...)
	amount := 1 + c.r.Int64N(3)
	if c.turn%4 == 3 { // where the pod can go nowhere else
		amount = 3
	}
	full := c.addNodeWith(first, amount, oneOf(c.r, []string{"a", "a"}, nil)...)
	if c.turn%3 == 1 {
		resident := newPod(full + "-resident")
		resident.Spec.NodeName = full
		resident.Spec.Containers[0].Resources = asking(map[string]int64{first: 1})
		c.add(resident)
	}
	c.addPodFor()
	amounts := map[string]int64{first: 1 + c.r.Int64N(2)}
	if c.turn%3 == 2 { // what no class serves, and a node has, or not
		amounts[second] = 1
		for _, amount := range []int64{0, 1} {
			c.addNodeWith(second, amount, "a", "a")
		}
	}
	c.pod.Spec.Containers[0].Resources = asking(amounts)
	if c.turn%4 == 3 || chance(c.r, 30) {
		operator, node := corev1.NodeSelectorOpNotIn, oneOf(c.r, zero, full)
		if c.turn%4 == 3 {
			operator, node = corev1.NodeSelectorOpIn, full
		}
		c.pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
				{Key: "metadata.name", Operator: operator, Values: []string{node}}}}}}}}
	}
	c.finish(nil)
}

// stageExtendedBeside has a claim beside, for devices that serve the resources, too.
func (c *testCase) stageExtendedBeside() {
	first, second := c.extendedName("a"), c.extendedName("b")
	c.addServingClass(fmt.Sprintf("case-%d-a", c.number), first, "a")
	c.addServingClass(fmt.Sprintf("case-%d-b", c.number), second, "b")
	c.addDevices(c.nodes[0], c.devicesOfKinds("a", "a", "b", "b")...)
	c.addNodeWith(oneOf(c.r, first, second), 2, "a", "a", "b")
	claims := c.addPodFor([]resourceapi.DeviceRequest{exactly("req-0", c.drivers[0], 1+c.r.Int64N(2))})
	c.pod.Spec.Containers[0].Resources = asking(map[string]int64{first: 1 + c.r.Int64N(2), second: c.r.Int64N(2)})
	c.finish(claims)
}

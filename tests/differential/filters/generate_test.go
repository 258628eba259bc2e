// This file is about generating nodes and pods, out of few words so that they meet.

package filters

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

type random struct{ *rand.Rand }

func newRandom(seed string) *random {
	hash := fnv.New64a()
	hash.Write([]byte(seed))
	return &random{rand.New(rand.NewPCG(hash.Sum64(), 1))}
}

func (r *random) chance(percent int) bool { return r.IntN(100) < percent }

func pick[T any](r *random, from ...T) T { return from[r.IntN(len(from))] }

// some is a list of up to most of what one makes, mostly a short one.
func some[T any](r *random, most int, one func() T) []T {
	var list []T
	for len(list) < most && r.chance(45) {
		list = append(list, one())
	}
	return list
}

func (r *random) key() string   { return pick(r, "a", "b", "example.com/c") }
func (r *random) value() string { return pick(r, "", "x", "y", "5") }

func (r *random) scene() scene {
	s := scene{node: r.node(), pod: r.pod("p", "")}
	for i := range r.IntN(4) {
		s.others = append(s.others, r.pod(fmt.Sprint("o", i), "n1"))
	}
	if r.chance(3) {
		s.pod.Spec.NodeName = "n2"
	}
	return s
}

func (r *random) labels() map[string]string {
	labels := map[string]string{}
	for range r.IntN(4) {
		labels[r.key()] = r.value()
	}
	return labels
}

func (r *random) effect() corev1.TaintEffect {
	return pick(r, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule)
}

func (r *random) node() *corev1.Node {
	node := &corev1.Node{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: r.labels()},
	}
	node.Spec.Unschedulable = r.chance(10)
	node.Spec.Taints = some(r, 3, func() corev1.Taint {
		return corev1.Taint{Key: r.key(), Value: r.value(), Effect: r.effect()}
	})
	node.Status.Allocatable = corev1.ResourceList{
		"pods":              resource.MustParse(pick(r, "2", "3", "110", "110", "110")),
		"cpu":               resource.MustParse(pick(r, "4", "3500m", "8", "64")),
		"memory":            resource.MustParse(pick(r, "4Gi", "8G", "64Gi")),
		"ephemeral-storage": resource.MustParse("10Gi"),
	}
	if r.chance(70) {
		node.Status.Allocatable["example.com/gpu"] = resource.MustParse(pick(r, "0", "2", "4", "8"))
		node.Status.Allocatable["hugepages-2Mi"] = resource.MustParse("8Mi")
	}
	return node
}

func (r *random) resources() corev1.ResourceList {
	list := corev1.ResourceList{}
	if r.chance(60) {
		list["cpu"] = resource.MustParse(pick(r, "0", "1", "500m", "1500m", "100u", "3", "1.0005"))
	}
	if r.chance(50) {
		list["memory"] = resource.MustParse(pick(r, "1Gi", "1G", "500m", "3Gi", "128Mi"))
	}
	if r.chance(20) {
		list["example.com/gpu"] = resource.MustParse(pick(r, "0", "1", "2", "3"))
	}
	if r.chance(10) {
		list["hugepages-2Mi"] = resource.MustParse(pick(r, "2Mi", "6Mi"))
	}
	if r.chance(10) {
		list["ephemeral-storage"] = resource.MustParse(pick(r, "1Gi", "6Gi"))
	}
	if r.chance(5) {
		list["storage"] = resource.MustParse("1Gi")
	}
	return list
}

func (r *random) port() corev1.ContainerPort {
	return corev1.ContainerPort{
		HostPort:      pick(r, int32(0), 80, 81, 82),
		ContainerPort: pick(r, int32(80), 8080, 9090),
		HostIP:        pick(r, "", "", "10.0.0.1", "10.0.0.2", "0.0.0.0"),
		Protocol:      pick(r, corev1.Protocol(""), corev1.ProtocolTCP, corev1.ProtocolUDP),
	}
}

func (r *random) container(name string) corev1.Container {
	c := corev1.Container{Name: name, Ports: some(r, 2, r.port)}
	c.Resources.Requests = r.resources()
	if r.chance(20) {
		c.Resources.Limits = r.resources()
	}
	return c
}

func (r *random) toleration() corev1.Toleration {
	t := corev1.Toleration{
		Key:      pick(r, "", r.key(), r.key(), corev1.TaintNodeUnschedulable),
		Operator: pick(r, corev1.TolerationOperator(""), corev1.TolerationOpEqual, corev1.TolerationOpExists),
		Value:    r.value(),
	}
	if r.chance(60) {
		t.Effect = r.effect()
	}
	return t
}

func (r *random) requirement() corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{
		Key: r.key(),
		Operator: pick(r, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists,
			corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt, "Like"),
		Values: some(r, 2, func() string { return pick(r, "x", "y", "3", "7") }),
	}
}

func (r *random) term() corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{
		MatchExpressions: some(r, 2, r.requirement),
		MatchFields: some(r, 1, func() corev1.NodeSelectorRequirement {
			return corev1.NodeSelectorRequirement{
				Key:      pick(r, "metadata.name", "metadata.name", "metadata.name", "spec.x"),
				Operator: pick(r, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists),
				Values:   some(r, 2, func() string { return pick(r, "n1", "n2") }),
			}
		}),
	}
}

func (r *random) pod(name, node string) *corev1.Pod {
	pod := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
	}
	spec := &pod.Spec
	spec.NodeName = node
	spec.HostNetwork = r.chance(10)
	for i := range 1 + r.IntN(2) {
		spec.Containers = append(spec.Containers, r.container(fmt.Sprint("c", i)))
	}
	for i := range r.IntN(3) {
		c := r.container(fmt.Sprint("i", i))
		if r.chance(50) {
			c.RestartPolicy = ptr.To(corev1.ContainerRestartPolicyAlways)
		}
		spec.InitContainers = append(spec.InitContainers, c)
	}
	if r.chance(10) {
		spec.Overhead = r.resources()
	}
	if r.chance(15) {
		spec.Resources = &corev1.ResourceRequirements{Requests: r.resources()}
	}
	spec.Tolerations = some(r, 4, r.toleration)
	if r.chance(10) {
		spec.NodeSelector = r.labels()
	}
	if r.chance(25) {
		terms := some(r, 3, r.term)
		spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
		}}
	}
	if node != "" {
		r.status(pod)
	}
	return pod
}

// status is what a kubelet says of a pod on its node, in the middle of a resize or not.
func (r *random) status(pod *corev1.Pod) {
	status := &pod.Status
	status.Phase = pick(r, corev1.PodRunning, corev1.PodRunning, corev1.PodPending, corev1.PodSucceeded, corev1.PodFailed)
	of := func(c corev1.Container) corev1.ContainerStatus {
		told := corev1.ContainerStatus{Name: c.Name}
		if r.chance(50) {
			told.AllocatedResources = pick(r, c.Resources.Requests, c.Resources.Requests, r.resources())
		}
		if r.chance(50) {
			told.Resources = &corev1.ResourceRequirements{
				Requests: pick(r, c.Resources.Requests, c.Resources.Requests, r.resources()),
			}
		}
		return told
	}
	for _, c := range pod.Spec.Containers {
		if r.chance(80) {
			status.ContainerStatuses = append(status.ContainerStatuses, of(c))
		}
	}
	for _, c := range pod.Spec.InitContainers {
		if r.chance(80) {
			status.InitContainerStatuses = append(status.InitContainerStatuses, of(c))
		}
	}
	if r.chance(15) {
		status.AllocatedResources = r.resources()
		status.Resources = &corev1.ResourceRequirements{Requests: r.resources()}
	}
	if r.chance(20) {
		status.Conditions = []corev1.PodCondition{{
			Type:   corev1.PodResizePending,
			Status: corev1.ConditionTrue,
			Reason: pick(r, corev1.PodReasonInfeasible, corev1.PodReasonDeferred),
		}}
	}
}

// This file is about generating clusters whose pods matter to each other: few labels, domains and namespaces, so that they
// meet.

package filters

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

func (r *random) cluster() clusterScene {
	s := clusterScene{}
	for _, name := range []string{"default", "ml", "ops"} {
		namespace := &corev1.Namespace{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"}, ObjectMeta: metav1.ObjectMeta{Name: name}}
		if r.chance(70) {
			namespace.Labels = map[string]string{"team": pick(r, "a", "b")}
		}
		s.namespaces = append(s.namespaces, namespace)
	}
	for i := range 1 + r.IntN(6) {
		s.nodes = append(s.nodes, r.clusterNode(fmt.Sprint("n", i)))
	}
	s.pods = append(s.pods, r.clusterPod("p", "default", ""))
	for i := range r.IntN(16) {
		node := pick(r, s.nodes...).Name
		if r.chance(5) {
			node = pick(r, "", "gone")
		}
		s.pods = append(s.pods, r.clusterPod(fmt.Sprint("o", i), pick(r, "default", "default", "default", "ml", "ops"), node))
	}
	return s
}

// topology is a key of which nodes have values.
func (r *random) topology() string { return pick(r, "kubernetes.io/hostname", "zone", "zone", "rack") }

func (r *random) clusterNode(name string) *corev1.Node {
	node := &corev1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}, ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
	if r.chance(93) {
		node.Labels["kubernetes.io/hostname"] = name
	}
	if r.chance(93) {
		node.Labels["zone"] = pick(r, "", "a", "b", "c")
	}
	if r.chance(90) {
		node.Labels["rack"] = pick(r, "1", "2")
	}
	if r.chance(20) {
		node.Spec.Taints = []corev1.Taint{{Key: "busy", Effect: r.effect()}}
	}
	return node
}

func (r *random) clusterLabels() map[string]string {
	labels := map[string]string{}
	for _, key := range []string{"app", "job", "rev"} {
		if r.chance(75) {
			labels[key] = pick(r, "x", "y")
		}
	}
	return labels
}

func (r *random) clusterPod(name, namespace, node string) *corev1.Pod {
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: r.clusterLabels()}}
	pod.Spec.NodeName = node
	pod.Spec.Containers = []corev1.Container{{Name: "c", Image: "none"}}
	asks := name == "p"
	if asks && r.chance(60) || r.chance(30) {
		affinity := &corev1.Affinity{}
		if r.chance(50) {
			affinity.PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: some(r, 2, r.affinityTerm)}
		}
		if r.chance(60) {
			affinity.PodAntiAffinity = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: some(r, 3, r.affinityTerm)}
		}
		pod.Spec.Affinity = affinity
	}
	if asks && r.chance(60) {
		pod.Spec.TopologySpreadConstraints = append(some(r, 2, r.spreadConstraint), r.spreadConstraint())
		pod.Spec.Tolerations = some(r, 1, func() corev1.Toleration {
			return corev1.Toleration{Key: "busy", Operator: corev1.TolerationOpExists}
		})
		if r.chance(30) {
			pod.Spec.NodeSelector = map[string]string{"rack": pick(r, "1", "2")}
		}
	}
	if r.chance(15) {
		pod.Status.Phase = pick(r, corev1.PodSucceeded, corev1.PodFailed, corev1.PodPending)
	}
	if !asks && r.chance(15) {
		pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1_700_000_000, 0)}
	}
	if asks {
		pod.Status.Phase = corev1.PodPending
	}
	return pod
}

// podSelector may be none. It has other keys than matchLabelKeys, as the API server demands.
func (r *random) podSelector(keys ...string) *metav1.LabelSelector {
	if r.chance(4) {
		return nil
	}
	selector := &metav1.LabelSelector{}
	if r.chance(60) {
		selector.MatchLabels = map[string]string{pick(r, keys...): pick(r, "x", "y")}
	}
	if r.chance(40) {
		condition := metav1.LabelSelectorRequirement{Key: pick(r, keys...), Operator: pick(r, metav1.LabelSelectorOpIn,
			metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}
		if condition.Operator == metav1.LabelSelectorOpIn || condition.Operator == metav1.LabelSelectorOpNotIn {
			condition.Values = append([]string{"x"}, some(r, 1, func() string { return "y" })...)
		}
		selector.MatchExpressions = []metav1.LabelSelectorRequirement{condition}
	}
	return selector
}

func (r *random) affinityTerm() corev1.PodAffinityTerm {
	term := corev1.PodAffinityTerm{TopologyKey: r.topology(), LabelSelector: r.podSelector("app")}
	term.Namespaces = some(r, 2, func() string { return pick(r, "default", "ml", "ops") })
	if r.chance(35) {
		term.NamespaceSelector = &metav1.LabelSelector{}
		if r.chance(60) {
			term.NamespaceSelector = r.podSelector("team")
		}
		if term.NamespaceSelector != nil && len(term.NamespaceSelector.MatchLabels) > 0 {
			term.NamespaceSelector.MatchLabels = map[string]string{"team": pick(r, "a", "b")}
		}
	}
	if term.LabelSelector != nil && r.chance(15) {
		term.MatchLabelKeys = []string{"job"}
	}
	if term.LabelSelector != nil && r.chance(15) {
		term.MismatchLabelKeys = []string{"rev"}
	}
	return term
}

func (r *random) spreadConstraint() corev1.TopologySpreadConstraint {
	constraint := corev1.TopologySpreadConstraint{
		MaxSkew:           pick(r, int32(1), 1, 2),
		TopologyKey:       r.topology(),
		WhenUnsatisfiable: pick(r, corev1.DoNotSchedule, corev1.DoNotSchedule, corev1.DoNotSchedule, corev1.ScheduleAnyway),
		LabelSelector:     r.podSelector("app"),
	}
	if r.chance(20) {
		constraint.MinDomains = ptr.To(pick(r, int32(1), 2, 3))
	}
	policy := func() *corev1.NodeInclusionPolicy {
		return pick(r, nil, nil, ptr.To(corev1.NodeInclusionPolicyHonor), ptr.To(corev1.NodeInclusionPolicyIgnore))
	}
	constraint.NodeAffinityPolicy, constraint.NodeTaintsPolicy = policy(), policy()
	if constraint.LabelSelector != nil && r.chance(20) {
		constraint.MatchLabelKeys = []string{"job"}
	}
	return constraint
}

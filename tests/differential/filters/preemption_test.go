// This file is about preemption: the scheduler's own plugin of each release deletes pods for the pod, with all filters that
// pods on nodes matter to, and the plugin says which. Where there is a node for the pod, also with the pods that are nominated
// for it, the plugin says that.

package filters

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"kubectl-dra/tests/program"
	"kubectl-dra/tests/soak"
)

// preemptions is how many clusters each release is asked about.
const preemptions = 1_000

// preemptionScene is a cluster whose pods have priorities.
type preemptionScene struct {
	clusterScene
	budgets []*policyv1.PodDisruptionBudget
}

func (r *random) preemption() preemptionScene {
	s := preemptionScene{clusterScene: r.cluster()}
	crowded := r.chance(70)
	for i, node := range s.nodes {
		node.Labels["kubernetes.io/hostname"] = node.Name
		node.Spec.Taints = nil
		if r.chance(10) {
			node.Spec.Taints = []corev1.Taint{{Key: "busy", Effect: corev1.TaintEffectNoSchedule}}
		}
		if r.chance(15) {
			node.Labels["devices"] = "none"
		}
		node.Status.Allocatable = corev1.ResourceList{
			"cpu":  resource.MustParse(pick(r, "2", "4", "4", "8")),
			"pods": resource.MustParse(pick(r, "3", "6", "110")),
		}
		for j := range r.IntN(5) {
			if crowded {
				s.pods = append(s.pods, r.clusterPod(fmt.Sprintf("x%d%d", i, j), "default", node.Name))
			}
		}
	}
	taken := map[string]bool{}
	for i, pod := range s.pods {
		r.rank(pod, i)
		// A node has one pod with a port, as upstream takes it for free once one of several is gone.
		if at := pod.Spec.NodeName; len(pod.Spec.Containers[0].Ports) > 0 {
			if taken[at] && at != "" {
				pod.Spec.Containers[0].Ports = nil
			}
			taken[at] = true
		}
	}
	asking := s.pods[0]
	asking.Spec.Priority = ptr.To(pick(r, int32(5), 10, 100))
	if r.chance(5) {
		asking.Spec.PreemptionPolicy = ptr.To(corev1.PreemptNever)
	}
	if r.chance(60) { // Affinity and spread are looked at alone, too.
		asking.Spec.Affinity, asking.Spec.TopologySpreadConstraints = nil, nil
	}
	// Upstream does not count pods that are being deleted for topology spread, but takes them off where it removes them.
	if len(asking.Spec.TopologySpreadConstraints) > 0 {
		for _, pod := range s.pods {
			pod.DeletionTimestamp = nil
		}
	}
	// An empty selector counts no pods upstream, and yet those that it adds and removes.
	for i := range asking.Spec.TopologySpreadConstraints {
		if one := asking.Spec.TopologySpreadConstraints[i].LabelSelector; one != nil && len(one.MatchLabels)+len(one.MatchExpressions) == 0 {
			one.MatchLabels = map[string]string{"app": "y"}
		}
	}
	if r.chance(10) {
		asking.Status.NominatedNodeName = pick(r, s.nodes...).Name
	}
	for _, namespace := range []string{"default", "ml"} {
		for _, app := range some(r, 2, func() string { return pick(r, "x", "y") }) {
			s.budgets = append(s.budgets, r.budget(namespace, app, s.pods))
		}
	}
	s.budgets = slices.CompactFunc(s.budgets, func(a, b *policyv1.PodDisruptionBudget) bool { return a.Name == b.Name })
	slices.SortFunc(s.pods[1:], func(a, b *corev1.Pod) int {
		return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
	})
	return s
}

// rank gives the pod a priority, an age and requests.
func (r *random) rank(pod *corev1.Pod, i int) {
	pod.UID = types.UID(fmt.Sprint("uid-", i))
	pod.Spec.Priority = pick(r, nil, ptr.To(int32(-5)), ptr.To(int32(0)), ptr.To(int32(1)), ptr.To(int32(5)), ptr.To(int32(50)))
	pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse(pick(r, "250m", "1", "1500m", "2", "3"))}
	if r.chance(15) {
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, ContainerPort: 80, Protocol: corev1.ProtocolTCP}}
	}
	pod.Status.StartTime = &metav1.Time{Time: time.Unix(1_700_000_000+int64(r.IntN(4)), 0)}
	if pod.DeletionTimestamp != nil && r.chance(60) {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue,
			Reason: pick(r, corev1.PodReasonPreemptionByScheduler, "EvictionByEvictionAPI")}}
	}
	if pod.Spec.NodeName == "" && pod.Name != "p" && r.chance(80) {
		pod.Status.NominatedNodeName = "n0"
		pod.Status.Phase = corev1.PodPending
	}
}

// budget is one for pods of an app; no pod has two, as their order would count.
func (r *random) budget(namespace, app string, pods []*corev1.Pod) *policyv1.PodDisruptionBudget {
	budget := &policyv1.PodDisruptionBudget{TypeMeta: metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"},
		ObjectMeta: metav1.ObjectMeta{Name: "of-" + app, Namespace: namespace}}
	budget.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
	if r.chance(5) {
		budget.Spec.Selector = pick(r, nil, &metav1.LabelSelector{})
	}
	budget.Status.DisruptionsAllowed = pick(r, int32(0), 0, 1, 2)
	if r.chance(20) {
		budget.Status.DisruptedPods = map[string]metav1.Time{pick(r, pods...).Name: {Time: time.Unix(1_700_000_000, 0)}}
	}
	return budget
}

func (s preemptionScene) line(t *testing.T) string {
	t.Helper()
	list := struct {
		APIVersion, Kind string
		Items            []any
	}{}
	base := s.clusterScene.line(t, func(pod *corev1.Pod) *corev1.Pod { return created(t, pod) })
	if err := json.Unmarshal([]byte(base), &list); err != nil {
		t.Fatal(err)
	}
	for _, budget := range s.budgets {
		list.Items = append(list.Items, budget)
	}
	line, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": list.Items})
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// living are these pods without those that are being deleted, which some releases do not delete again.
func (s preemptionScene) living(names []string) string {
	ending := map[string]bool{}
	for _, pod := range s.pods {
		ending[pod.Namespace+"/"+pod.Name] = pod.DeletionTimestamp != nil
	}
	return strings.Join(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return ending[name] }), ",")
}

// agree is whether upstream's choice is among ours: of equal nodes it takes any.
func (s preemptionScene) agree(ours, node string, deleted []string) bool {
	if ours == "" || node == "" {
		return ours == node
	}
	return slices.ContainsFunc(strings.Split(ours, ";"), func(one string) bool {
		name, victims, _ := strings.Cut(one, " ")
		return name == node && s.living(strings.Split(victims, ",")) == s.living(deleted)
	})
}

func TestPreemption(t *testing.T) {
	eachRelease(t, releases, comparePreemption)
}

func comparePreemption(t *testing.T, release string) {
	ours := program.RunOurs(t, answererEnv, "answer_filters", "preemption", versionOf(release))
	theirs := program.Run(t, buildOracle(t, release), "preemption")
	r := newRandom(os.Getenv(seedEnv) + release)
	reached := map[string]int{}
	differences := 0
	count := preemptions * soak.Times()
	for range count {
		scene := r.preemption()
		line := scene.line(t)
		answer, err := theirs.Ask(line)
		if err != nil {
			t.Fatalf("no answer to %s: %v", line, err)
		}
		var want struct {
			Node    string
			Deleted []string
			Fits    []string
		}
		if err := json.Unmarshal([]byte(answer), &want); err != nil {
			t.Fatal(err)
		}
		said, err := ours.Ask(line)
		if err != nil {
			t.Fatalf("no answer to %s: %v", line, err)
		}
		if len(want.Fits) > 0 {
			reached["fits"]++
			if wanted := "fits " + strings.Join(want.Fits, ","); said != wanted {
				if differences++; differences <= shownDifferences {
					t.Errorf("%s\n  ours      %q\n  upstream  %q", line, said, wanted)
				}
			}
			continue
		}
		switch {
		case want.Node == "":
			reached["none"]++
		case len(want.Deleted) > 1:
			reached["several"]++
		default:
			reached["one"]++
		}
		if scene.agree(said, want.Node, want.Deleted) {
			continue
		}
		if differences++; differences <= shownDifferences {
			t.Errorf("%s\n  ours      %q\n  upstream  %q %v", line, said, want.Node, want.Deleted)
		}
	}
	t.Logf("%d clusters, %d differences: %v", count, differences, reached)
	for _, outcome := range []string{"none", "one", "several", "fits"} {
		if float64(reached[outcome]) < leastShare*float64(count) {
			t.Errorf("the outcome %q was reached only %d times in %d", outcome, reached[outcome], count)
		}
	}
}

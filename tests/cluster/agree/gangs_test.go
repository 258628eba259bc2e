// This file is about pods of pod groups: whether the scheduler binds as many of a gang's pods at once as it needs.

package agree_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"kubectl-dra/tests/cluster/harness"
)

const gangs = 36 // in one plane, each with nodes of its own

// gangReport is what `explain -o json` adds for a pod of a gang.
type gangReport struct {
	explanation
	Gang *struct {
		Name, Verdict              string
		MinCount, WithNode, Placed int
		Pods                       []struct {
			Name, Verdict string
			Nodes         []string
		}
	}
}

// gangScene makes nodes with some GPUs, a pod group that mostly is a gang, and up to five pods of it of up to two
// kinds. Some groups lack their object, some a pod. A label keeps the pods on their nodes. The first is too large for its only
// node, whatever the seed.
func gangScene(t *testing.T, c *cluster, r *rand.Rand, number int) (namespace string, pods []string) {
	t.Helper()
	namespace = fmt.Sprintf("gang-%d", number)
	c.planNamespace(t, namespace)
	nodes, gpus, count, kinds, name := 1+r.IntN(3), 4, 1+r.IntN(5), 1+r.IntN(2), "g"
	group := &schedulingv1beta1.PodGroup{ObjectMeta: metav1.ObjectMeta{Name: name}}
	tooLarge := number == 0
	if tooLarge {
		nodes, gpus, count, kinds = 1, 1, 5, 1
	}
	planNodes(t, c, r, namespace, nodes, gpus)
	if tooLarge {
		group.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: int32(count)}
	} else if r.IntN(8) == 0 {
		group.Spec.SchedulingPolicy.Basic = &schedulingv1beta1.BasicSchedulingPolicy{}
	} else {
		group.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: int32(1 + (count+r.IntN(count+1))/2)}
	}
	if tooLarge || r.IntN(10) > 0 {
		if _, err := c.client.SchedulingV1beta1().PodGroups(namespace).Create(t.Context(), group, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range count {
		pod := fmt.Sprint("pod-", i)
		pods = append(pods, pod)
		c.planPod(t, namespace, pod, 1+r.IntN(kinds), func(_ *resourceapi.ResourceClaim, pod *corev1.Pod) {
			pod.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &name}
		})
	}
	return namespace, pods
}

// allTried adds a pod that the scheduler takes behind all others, and waits until it has a node.
func (c *cluster) allTried(t *testing.T) {
	t.Helper()
	last := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "last"}, Value: -1000}
	if _, err := c.client.SchedulingV1().PriorityClasses().Create(t.Context(), last, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	pod := newPod("last")
	pod.Namespace = "default"
	pod.Spec.PriorityClassName = last.Name
	if _, err := c.client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func(ctx context.Context) error { return c.hasNode(ctx, "default", "last") })
}

// hasNode is an error as long as the pod has no node.
func (c *cluster) hasNode(ctx context.Context, namespace, name string) error {
	pod, err := c.client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
	if err == nil && pod.Spec.NodeName == "" {
		err = fmt.Errorf("%s/%s has no node: %v", namespace, name, scheduled(pod))
	}
	return err
}

// TestGangsAreBoundTogether asks about pods of many groups, starts the scheduler, and compares: a pod that was to fit
// has one of the nodes that were named for it, and one that was not to has none.
func TestGangsAreBoundTogether(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	c := newCluster(t, harness.Options{Serve: harness.All, FeatureGates: map[string]bool{"GenericWorkload": true}})
	planClasses(t, c)
	state := readGoldenScene(t, "gangs.yaml")
	if loaded := c.load(t, state); len(loaded.Skipped) > 0 {
		t.Fatalf("not served: %v", loaded.Skipped)
	}
	type asked struct {
		namespace, pod string
		said           gangReport
	}
	var all []asked
	groups := map[string][]string{}
	for _, object := range state.Objects {
		if object.GetKind() == "Pod" {
			groups["default"] = append(groups["default"], object.GetName())
		}
	}
	for number := range gangs {
		namespace, pods := gangScene(t, c, r, number)
		groups[namespace] = pods
	}
	c.record(t)
	for namespace, pods := range groups {
		for i, pod := range pods {
			if namespace != "default" && i > 0 && i+1 < len(pods) {
				continue // of a generated group the first and the last tell enough
			}
			one := asked{namespace: namespace, pod: pod}
			if i == 0 {
				c.report(t, &one.said, []int{0, 2, 3}, "explain", "pod", pod, "-n", namespace)
			} else {
				decode(t, c.plugin(t, "explain", "pod", pod, "-n", namespace, "-o", "json").stdout, &one.said)
			}
			all = append(all, one)
		}
	}
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		if one.said.Verdict == "Fits" && one.said.Gang != nil {
			harness.Eventually(t, func(ctx context.Context) error {
				if err := c.hasNode(ctx, one.namespace, one.pod); err != nil {
					return fmt.Errorf("%w; said was: %s", err, one.said.Summary)
				}
				return nil
			})
		}
	}
	c.allTried(t)
	counts := map[string]int{}
	for _, one := range all {
		pod, err := c.client.CoreV1().Pods(one.namespace).Get(t.Context(), one.pod, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		bound := pod.Spec.NodeName != ""
		what := one.said.Verdict
		if what == "Fits" && one.said.Gang == nil {
			continue // of a basic group: it fits if it is the first
		}
		if codes := codes(one.said.Blockers); len(codes) > 0 {
			what += " " + codes[0]
		}
		counts[fmt.Sprint(what, " ", bound)]++
		if one.said.Verdict != "Undetermined" && bound != (one.said.Verdict == "Fits") {
			t.Errorf("%s/%s has the node %q, and said was: %s", one.namespace, one.pod, pod.Spec.NodeName, one.said.Summary)
		}
		if !bound || one.said.Gang == nil {
			continue
		}
		for _, member := range one.said.Gang.Pods {
			if member.Name == one.pod && member.Verdict == "Fits" && !slices.Contains(member.Nodes, pod.Spec.NodeName) {
				t.Errorf("%s/%s has the node %s, said was one of %v", one.namespace, one.pod, pod.Spec.NodeName, member.Nodes)
			}
		}
	}
	t.Logf("%v", counts)
	for what, least := range map[string]int{"Fits true": 8, "Blocked GangDoesNotFit false": 4, "Blocked GangIncomplete false": 1, "Blocked PodGroupMissing false": 1} {
		if counts[what] < least {
			t.Errorf("only %d pods are %s: this test says little: %v", counts[what], what, counts)
		}
	}
	if open := counts["Undetermined true"] + counts["Undetermined false"]; 2*open > len(all) {
		t.Errorf("%d of %d pods are undetermined: %v", open, len(all), counts)
	}
}

// mixedScene makes nodes with some GPUs, and gangs and single pods that wait for them in turn, each with a priority of its own. The
// first has a gang that is too large in front of a pod, whatever the seed.
func mixedScene(t *testing.T, c *cluster, r *rand.Rand, number int) {
	t.Helper()
	namespace := fmt.Sprintf("mixed-%d", number)
	c.planNamespace(t, namespace)
	planNodes(t, c, r, namespace, 1+r.IntN(3), 4)
	wait := func(name, priority string, gpus int, group *corev1.PodSchedulingGroup) {
		c.planPod(t, namespace, name, gpus, func(_ *resourceapi.ResourceClaim, pod *corev1.Pod) {
			pod.Spec.PriorityClassName, pod.Spec.SchedulingGroup = priority, group
		})
	}
	for i := range 2 + r.IntN(3) {
		priority := fmt.Sprint("plan-", i)
		tooLarge := number == 0 && i == 0
		if !tooLarge && r.IntN(2) == 0 {
			wait(fmt.Sprint("single-", i), priority, 1+r.IntN(2), nil)
			continue
		}
		name, count := fmt.Sprint("gang-", i), 1+r.IntN(4)
		if tooLarge {
			count = 13 // a node has at most four GPUs
		}
		group := &schedulingv1beta1.PodGroup{ObjectMeta: metav1.ObjectMeta{Name: name}}
		group.Spec.PriorityClassName = priority
		group.Spec.PreemptionPolicy = ptr.To(schedulingv1beta1.PreemptNever)
		group.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: int32(count - r.IntN(count)/2)}
		if tooLarge {
			group.Spec.SchedulingPolicy.Gang.MinCount = int32(count)
		}
		if _, err := c.client.SchedulingV1beta1().PodGroups(namespace).Create(t.Context(), group, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		gpus := 1 + r.IntN(2)
		for pod := range count {
			wait(fmt.Sprintf("gang-%d-%02d", i, pod), priority, gpus, &corev1.PodSchedulingGroup{PodGroupName: &name})
		}
	}
}

// TestPlansOfGangs has gangs and single pods planned together, starts the scheduler, and compares: a gang that is not bound leaves its
// room to those behind it.
func TestPlansOfGangs(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	c := newCluster(t, harness.Options{Serve: harness.All, FeatureGates: map[string]bool{"GenericWorkload": true, "PodGroupPreemptionPolicy": true}})
	planClasses(t, c)
	for number := range gangs {
		mixedScene(t, c, r, number)
	}
	var plan struct{ Items []planned }
	if got := c.report(t, &plan, []int{0, 2, 3}, "plan", "-A"); got.stderr != "" {
		t.Errorf("something is wrong with what was read: %s", got.stderr)
	}
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.allTried(t)
	counts := map[string]int{}
	for _, one := range plan.Items {
		pod, err := c.client.CoreV1().Pods(one.Subject.Namespace).Get(t.Context(), one.Subject.Name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if one.Verdict == "Fits" {
			pod = c.judged(t, one.Subject.Namespace, one.Subject.Name)
		}
		bound := pod.Spec.NodeName != ""
		what := fmt.Sprint(one.Verdict, " ", bound)
		if pod.Spec.SchedulingGroup != nil {
			what = "of a gang " + what
		}
		counts[what]++
		switch {
		case one.Verdict == "Fits" && !bound || one.Verdict == "DoesNotFit" && bound:
			t.Errorf("%s/%s: planned is %s (%s), and it has the node %q: %v", one.Subject.Namespace, one.Subject.Name, one.Verdict, one.Cause, pod.Spec.NodeName, scheduled(pod))
		case bound && !slices.Contains(one.Nodes, pod.Spec.NodeName):
			t.Errorf("%s/%s has the node %s, planned is one of %v", one.Subject.Namespace, one.Subject.Name, pod.Spec.NodeName, one.Nodes)
		case one.Verdict == "Undetermined":
			t.Errorf("%s/%s: planned is %s: %s", one.Subject.Namespace, one.Subject.Name, one.Verdict, one.Cause)
		}
	}
	t.Logf("%v", counts)
	for what, least := range map[string]int{"of a gang Fits true": 8, "of a gang DoesNotFit false": 13, "Fits true": 4} {
		if counts[what] < least {
			t.Errorf("only %d pods are %s: this test says little: %v", counts[what], what, counts)
		}
	}
}

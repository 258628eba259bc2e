// This file is about the pods of pods-pending.yaml on a live plane: the plugin has to name the cause
// that the file gives each of them, most of which the scheduler does not tell.

package agree_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
)

// reason is why something does not work, in an explanation.
type reason struct {
	Code, Claim, Message string
	Devices              int64
}

// nodeReport is what an explanation says of a node.
type nodeReport struct {
	Name          string
	Fits          *bool // nil where it is not known
	Aborts        bool
	Hypothetical  bool
	Reasons       []reason
	OtherReasons  []reason // of other filters than that for devices
	Allocation    []allocated
	NodeSelectors []claimNodes
}

// claimNodes are the nodes on which a claim can be used once it is allocated; nil for all.
type claimNodes struct {
	Claim        string
	NodeSelector *corev1.NodeSelector
}

// allocated is what the scheduler would write into a claim.
type allocated struct {
	Claim, Request, Driver, Pool, Device string
	ShareID, AdminAccess                 bool
	ConsumedCapacity                     map[string]string
}

// passes tells whether the scheduler comes to ask about devices there.
func (n nodeReport) passes() bool { return len(n.OtherReasons) == 0 }

// open tells whether the pod can go there.
func (n nodeReport) open() bool { return n.Fits != nil && *n.Fits && n.passes() }

// ruledOut tells whether the node certainly cannot be used.
func (n nodeReport) ruledOut() bool { return n.Fits != nil && !*n.Fits }

// explanation is `explain -o json`.
type explanation struct {
	Kind, Verdict, Summary string
	Server                 struct {
		Version  string
		Assumed  bool
		Gates    map[string]bool
		Features []string
	}
	When         string // "never", "notNow" or "notHere"
	WhyNever     string // "noNodeFits", "wouldNotStart" or "heldByOwn"
	Scheduler    *struct{ Message, Reason string }
	Blockers     []reason
	NotSimulated []string
	Claims       []claimReport
	Nodes        []nodeReport
	After        []failure
}

// claimReport is a claim of the pod.
type claimReport struct{ Namespace, Name, PodClaim, State string }

// codes returns the codes of reasons, each once, sorted.
func codes(reasons []reason) []string {
	var all []string
	for _, r := range reasons {
		all = append(all, r.Code)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// verdictExits are the exit codes of verdicts.
var verdictExits = map[string]int{"Fits": 0, "Scheduled": 0, "Blocked": 2, "DoesNotFit": 2, "Undetermined": 3}

// explain asks about a pod. The exit code must be that of the verdict; of what is scheduled and fails afterwards, that
// of a failure.
func (c *cluster) explain(t *testing.T, namespace, pod string, more ...string) explanation {
	t.Helper()
	var e explanation
	got := c.report(t, &e, []int{0, 2, 3}, append([]string{"explain", "pod", pod, "-n", namespace}, more...)...)
	fails := e.Verdict == "Scheduled" && len(e.After) > 0 && got.exit == 2
	if want, known := verdictExits[e.Verdict]; !known || got.exit != want && !fails {
		t.Errorf("%s: exit %d with verdict %q", pod, got.exit, e.Verdict)
	}
	return e
}

// scheduled returns the condition that the scheduler writes, or nil.
func scheduled(pod *corev1.Pod) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == corev1.PodScheduled {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

// judged waits until the scheduler has said something about the pod.
func (c *cluster) judged(t *testing.T, namespace, name string) *corev1.Pod {
	t.Helper()
	var pod *corev1.Pod
	harness.Eventually(t, func(ctx context.Context) error {
		var err error
		pod, err = c.client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
		if err == nil && scheduled(pod) == nil {
			err = fmt.Errorf("the scheduler has not said anything about %s", name)
		}
		return err
	})
	return pod
}

func TestPendingPods(t *testing.T) {
	t.Parallel()
	state := readFixture(t, "pods-pending.yaml")
	var pending []string
	for _, object := range state.Objects {
		spec, _ := object.Object["spec"].(map[string]any)
		if object.GetKind() == "Pod" && spec["nodeName"] == nil {
			pending = append(pending, object.GetName())
			delete(object.Object["status"].(map[string]any), "conditions") // the scheduler shall say it itself
		}
	}
	c := newCluster(t, harness.Options{})
	c.load(t, without(state, "Event"))
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	silent := []string{"p02", "p03", "p09"} // the scheduler never says a word about these
	pods := c.client.CoreV1().Pods("pending")
	harness.Eventually(t, func(ctx context.Context) error {
		for _, name := range pending {
			pod, err := pods.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			if (scheduled(pod) == nil) != slices.Contains(silent, name[:3]) {
				return fmt.Errorf("%s has the conditions %v", name, pod.Status.Conditions)
			}
		}
		events, err := c.client.CoreV1().Events("pending").List(ctx, metav1.ListOptions{FieldSelector: "reason=FailedResourceClaimCreation"})
		if err == nil && len(events.Items) == 0 {
			err = fmt.Errorf("the claim controller has not complained about p03")
		}
		return err
	})
	c.record(t)
	for _, test := range []struct {
		pod, verdict string
		blockers     []string
	}{
		{"p01", "DoesNotFit", nil},
		{"p02", "Blocked", []string{"ClaimMissing"}},
		{"p03", "Blocked", []string{"ClaimCreationFailed", "ClaimNotCreated", "TemplateMissing"}},
		{"p04", "Blocked", []string{"ClassMissing"}},
		{"p05", "DoesNotFit", nil}, // the scheduler gives up on it,
		{"p06", "DoesNotFit", nil},
		{"p07", "DoesNotFit", nil},
		{"p08", "Blocked", []string{"SchedulingGated"}},
		{"p09", "Blocked", []string{"ClaimDeleting"}},
	} {
		i := slices.IndexFunc(pending, func(name string) bool { return strings.HasPrefix(name, test.pod) })
		name := pending[i]
		t.Run(name, func(t *testing.T) {
			pod, err := pods.Get(t.Context(), name, metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := c.explain(t, "pending", name)
			if got.Verdict != test.verdict || !slices.Equal(codes(got.Blockers), test.blockers) {
				t.Errorf("want %s %v\ngot  %s %v: %s", test.verdict, test.blockers, got.Verdict, codes(got.Blockers), got.Summary)
			}
			condition := scheduled(pod)
			if (condition == nil) != (got.Scheduler == nil) || condition != nil &&
				(got.Scheduler.Message != condition.Message || got.Scheduler.Reason != condition.Reason) {
				t.Errorf("the scheduler says %+v, the plugin quotes it with %+v", condition, got.Scheduler)
			}
			gives := condition != nil && condition.Reason == corev1.PodReasonSchedulerError
			if o := (opinion{got}); o.aborts() != gives {
				t.Errorf("the scheduler gives up: %t, and should: %t: %s", gives, o.aborts(), got.Summary)
			}
			compareElsewhere(t, c, pod, got)
		})
	}
}

// TestSelectorMistakes shows that the server takes the selectors of the golden scene, and that the scheduler
// says of each that it fails, or that nothing matches, as the plugin does.
func TestSelectorMistakes(t *testing.T) {
	t.Parallel()
	state := readGoldenScene(t, "selector-mistakes.yaml")
	c := newCluster(t, harness.Options{})
	c.load(t, state)
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, code := range map[string]string{"m1-case": "NoMatch", "m2-bound": "NoMatch", "m3-capacity": "SelectorError",
		"m4-string": "SelectorError", "m5-guard": "SelectorError", "m6-version": "SelectorError", "m7-domain": "SelectorError"} {
		condition := scheduled(c.judged(t, "default", name))
		c.record(t)
		got := c.explain(t, "default", name)
		wantReason := corev1.PodReasonUnschedulable
		if code == "SelectorError" {
			wantReason = corev1.PodReasonSchedulerError
		}
		if condition.Reason != wantReason || got.Verdict != "DoesNotFit" || got.Nodes[0].Reasons[0].Code != code {
			t.Errorf("%s: the scheduler says %s: %s\nthe plugin says %s %v: %s", name, condition.Reason, condition.Message,
				got.Verdict, got.Nodes[0].Reasons, got.Summary)
		}
	}
}

// compareElsewhere demands ClaimElsewhere of exactly the nodes that the allocation of a claim of the pod
// excludes. A claim of the fixture is allocated for a node by name, or not at all.
func compareElsewhere(t *testing.T, c *cluster, pod *corev1.Pod, got explanation) {
	t.Helper()
	excluded := map[string]bool{}
	for _, node := range got.Nodes {
		for _, reference := range pod.Spec.ResourceClaims {
			if reference.ResourceClaimName == nil {
				continue
			}
			claim, err := c.client.ResourceV1().ResourceClaims(pod.Namespace).Get(t.Context(), *reference.ResourceClaimName, metav1.GetOptions{})
			if err != nil || claim.Status.Allocation == nil || claim.Status.Allocation.NodeSelector == nil {
				continue
			}
			field := claim.Status.Allocation.NodeSelector.NodeSelectorTerms[0].MatchFields[0]
			excluded[node.Name] = excluded[node.Name] || !slices.Contains(field.Values, node.Name)
		}
		if says := slices.Contains(codes(node.Reasons), "ClaimElsewhere"); says != excluded[node.Name] || says && !node.ruledOut() {
			t.Errorf("node %s: excluded by a claim: %t, and the reasons are %v", node.Name, excluded[node.Name], codes(node.Reasons))
		}
	}
	if len(got.Nodes) != 3 {
		t.Errorf("%d nodes instead of 3", len(got.Nodes))
	}
	if strings.HasPrefix(pod.Name, "p07") && len(excluded) != 3 {
		t.Errorf("the claim of %s excludes %v", pod.Name, excluded)
	}
}

// TestPodsBeingDeleted: the scheduler turns away a pod that is being deleted, and the plugin says that nobody tries it;
// one that runs keeps its device.
func TestPodsBeingDeleted(t *testing.T) {
	t.Parallel()
	state := readGoldenScene(t, "going.yaml")
	c := newCluster(t, harness.Options{})
	c.load(t, state)
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func(ctx context.Context) error {
		events, err := c.client.CoreV1().Events("ml").List(ctx, metav1.ListOptions{FieldSelector: "reason=FailedScheduling"})
		if err != nil {
			return err
		}
		for _, event := range events.Items {
			if event.InvolvedObject.Name == "next" && event.Message == "skip schedule deleting pod: ml/next" {
				return nil
			}
		}
		return fmt.Errorf("the scheduler has not turned it away: %v", events.Items)
	})
	c.record(t)
	for _, want := range []struct {
		pod, verdict string
		blockers     []string
	}{{"next", "Blocked", []string{"PodDeleting"}}, {"last", "Scheduled", nil}} {
		if got := c.explain(t, "ml", want.pod); got.Verdict != want.verdict || !slices.Equal(codes(got.Blockers), want.blockers) {
			t.Errorf("%s: want %+v\ngot %s %v: %s", want.pod, want, got.Verdict, codes(got.Blockers), got.Summary)
		}
	}
}

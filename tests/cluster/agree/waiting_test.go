// This file is about the pods and claims that wait in the other fixtures, on a live plane: the scheduler has to
// turn them away as the file says, and the plugin to say of the live plane what it says of the file, which is
// what the goldens show.

package agree_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

// waiter is a pod that the scheduler shall turn away, and what is explained in its place.
type waiter struct {
	namespace, pod string
	subject        []string // "pod", NAME or "claim", NAME
	says           string   // the scheduler, in the fixture, where it has tried to release claims; empty for other pods
}

func TestWaitingPods(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"claims.yaml", "device-taints.yaml", "gke-tpu-v5p-2x2x4-degraded.yaml", "gke-tpu-v6e-8.yaml",
		"gpu-a100-fungibility.yaml", "gpu-mig-partitionable.yaml", "nic-gpu-cpu-alignment.yaml"} {
		t.Run(name, func(t *testing.T) {
			state := without(readFixture(t, name), "Event")
			waiters := waitersOf(t, state)
			if len(waiters) == 0 {
				t.Fatal("nothing waits here")
			}
			c := newCluster(t, harness.Options{})
			c.load(t, state)
			if err := c.GoLive(t.Context()); err != nil {
				t.Fatal(err)
			}
			possible := map[string]bool{} // that the pod gets devices once nobody else has any
			for _, one := range waiters {
				possible[one.pod] = c.compareWaiter(t, name, one)
			}
			for _, one := range waiters {
				compareAlone(t, state, one, possible[one.pod])
			}
		})
	}
}

// waitersOf returns the pods without a node, of which it removes what the scheduler said, and a new pod for each
// claim that nobody is to have.
func waitersOf(t *testing.T, state *scene.Scene) []waiter {
	t.Helper()
	var all []waiter
	used := map[string]bool{}
	for _, object := range state.Objects {
		if object.GetKind() != "Pod" {
			continue
		}
		statuses, _, _ := unstructured.NestedSlice(object.Object, "status", "resourceClaimStatuses")
		claims, _, _ := unstructured.NestedSlice(object.Object, "spec", "resourceClaims")
		for _, reference := range append(statuses, claims...) {
			name, _ := reference.(map[string]any)["resourceClaimName"].(string)
			used[object.GetNamespace()+"/"+name] = true
		}
		if node, _, _ := unstructured.NestedString(object.Object, "spec", "nodeName"); node != "" {
			continue
		}
		all = append(all, waiter{object.GetNamespace(), object.GetName(), []string{"pod", object.GetName()}, takeCondition(t, object)})
	}
	for _, object := range slices.Clone(state.Objects) {
		allocation, _, _ := unstructured.NestedMap(object.Object, "status", "allocation")
		if object.GetKind() != "ResourceClaim" || allocation != nil || used[object.GetNamespace()+"/"+object.GetName()] {
			continue
		}
		pod := podFor(object)
		state.Objects = append(state.Objects, pod)
		all = append(all, waiter{pod.GetNamespace(), pod.GetName(), []string{"claim", object.GetName()}, ""})
	}
	return all
}

// takeCondition removes what the scheduler said of a pod, and returns it.
func takeCondition(t *testing.T, pod *unstructured.Unstructured) string {
	t.Helper()
	conditions, _, _ := unstructured.NestedSlice(pod.Object, "status", "conditions")
	unstructured.RemoveNestedField(pod.Object, "status", "conditions")
	for _, condition := range conditions {
		if c := condition.(map[string]any); c["type"] == "PodScheduled" {
			return fmt.Sprint(c["message"])
		}
	}
	t.Errorf("the scheduler says nothing of %s", pod.GetName())
	return ""
}

// podFor returns a pod that wants a claim and goes to any node.
func podFor(claim *unstructured.Unstructured) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "for-" + claim.GetName(), "namespace": claim.GetNamespace(), "uid": "for-" + claim.GetName()},
		"spec": map[string]any{
			"containers":     []any{map[string]any{"name": "main", "image": "none.invalid/none"}},
			"tolerations":    []any{map[string]any{"operator": "Exists"}},
			"resourceClaims": []any{map[string]any{"name": "one", "resourceClaimName": claim.GetName()}},
		},
	}}
}

// compareAlone demands that the pod gets a node in a cluster where it is alone exactly if the plugin says that it
// could.
func compareAlone(t *testing.T, state *scene.Scene, one waiter, possible bool) {
	t.Helper()
	alone := &scene.Scene{Objects: slices.DeleteFunc(slices.Clone(state.Objects), func(object *unstructured.Unstructured) bool {
		allocation, _, _ := unstructured.NestedMap(object.Object, "status", "allocation")
		return object.GetKind() == "Pod" && object.GetName() != one.pod || allocation != nil
	})}
	c := newCluster(t, harness.Options{})
	c.load(t, alone)
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func(ctx context.Context) error {
		pod, err := c.client.CoreV1().Pods(one.namespace).Get(ctx, one.pod, metav1.GetOptions{})
		if err != nil {
			return err
		}
		condition := scheduled(pod)
		if condition == nil || (condition.Status == corev1.ConditionTrue) != possible {
			return fmt.Errorf("%s could have a node: %t, and the scheduler says: %+v", one.pod, possible, condition)
		}
		return nil
	})
}

// asIfUsed is a summary without that no pod uses the claim: on the plane one does.
func asIfUsed(summary string) string {
	return strings.ToLower(strings.Replace(timeless(summary), " No pod uses it, so nothing allocates it. If one did:", "", 1))
}

// compareWaiter waits until the scheduler has turned the pod away, and compares its words and the plugin's. It
// returns whether the pod would get devices if nobody else had any.
func (c *cluster) compareWaiter(t *testing.T, fixture string, one waiter) bool {
	t.Helper()
	condition := scheduled(c.judged(t, one.namespace, one.pod))
	if condition.Status != corev1.ConditionFalse || condition.Reason != corev1.PodReasonUnschedulable {
		t.Errorf("the scheduler says about %s: %+v", one.pod, condition)
	}
	if says := strings.Replace(one.says, " still not schedulable,", "", 1); says != "" && condition.Message != says {
		t.Errorf("the scheduler says\n%s\nand in the fixture\n%s", condition.Message, one.says)
	}
	c.record(t) // the claim controller may still be at work
	live, file := explainFile(t, c.recorded, one), explainFile(t, recordedFixture(t, fixture), one)
	if live.Verdict != "DoesNotFit" && live.Verdict != "Blocked" || live.Verdict != file.Verdict || strings.ToLower(timeless(live.Summary)) != asIfUsed(file.Summary) {
		t.Errorf("the plane gives %s: %s\nthe file gives %s: %s", live.Verdict, live.Summary, file.Verdict, file.Summary)
	}
	if want, got := nodeWords(file), nodeWords(live); want != got {
		t.Errorf("the nodes of the file and those of the plane:\n%s", difference(want, got))
	}
	if live.When != file.When || (live.When == "") != (live.Verdict == "Blocked") {
		t.Errorf("the plane says %q, the file %q", live.When, file.When)
	}
	// What the scheduler would do once nobody else has any: it knows neither of a pod's start nor of who waits for whom.
	return live.When == "notNow" || live.WhyNever == "wouldNotStart" || live.WhyNever == "heldByOwn"
}

// explainFile asks about what waits in a snapshot.
func explainFile(t *testing.T, path string, one waiter) (e explanation) {
	t.Helper()
	args := append([]string{"explain"}, one.subject...)
	args = append(args, "-n", one.namespace, "-o", "json", "--snapshot", path)
	decode(t, offline(t, args...).stdout, &e)
	return e
}

// nodeWords is all that an explanation has against nodes, a line for each reason.
func nodeWords(e explanation) string {
	var all string
	for _, node := range e.Nodes {
		for _, r := range append(slices.Clone(node.Reasons), node.OtherReasons...) {
			all += fmt.Sprintf("%s %s %s %d: %s\n", node.Name, r.Code, r.Claim, r.Devices, r.Message)
		}
	}
	return all
}

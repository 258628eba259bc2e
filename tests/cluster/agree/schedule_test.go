// This file is about what the scheduler does with pods of which the plugin said before what it cannot do.

package agree_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-dra/tests/cluster/harness"
)

// cases is how many pods wait at once.
const cases = 66

// opinion is what the plugin said of a pod while nothing moved.
type opinion struct {
	all explanation // of the whole cluster
	own explanation // of the cluster as if only the pod's nodes were there
}

// neverScheduled tells whether the plugin rules out that the pod runs as long as nobody changes anything.
// A claim that only has to be created from its template is no such reason: the claim controller does it.
func (o opinion) neverScheduled() bool {
	switch o.own.Verdict {
	case "DoesNotFit":
		return true
	case "Blocked":
		return !slices.Equal(codes(o.own.Blockers), []string{"ClaimNotCreated"})
	}
	return false
}

func TestSchedulerAgrees(t *testing.T) {
	t.Parallel()
	b := &builder{t: t, r: newRandom(t)}
	b.addNamespace()
	var all []*testCase
	for number := range cases {
		all = append(all, b.addCase(number))
	}
	c := newCluster(t, harness.Options{})
	c.load(t, &b.Scene)
	opinions := map[string]opinion{}
	for _, one := range all {
		opinions[one.pod.Name] = c.opinion(t, one)
	}
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func(ctx context.Context) error { return c.decided(ctx, opinions) })
	c.passSentinel(t)

	counts := map[string]int{}
	for _, one := range all {
		pod, err := c.client.CoreV1().Pods(namespace).Get(t.Context(), one.pod.Name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := opinions[pod.Name]
		outcome := "not scheduled"
		if pod.Spec.NodeName != "" {
			outcome = "scheduled"
		}
		counts[o.own.Verdict+" and "+outcome]++
		if outcome == "scheduled" {
			checkScheduled(t, pod, one, o)
		}
		if o.givesUp() {
			counts["given up"]++
			checkGivenUp(t, pod, one, o)
		}
	}
	t.Logf("%s", words(counts))
	for _, wanted := range []string{"Undetermined and scheduled", "Undetermined and not scheduled", "DoesNotFit and not scheduled", "Blocked and not scheduled", "given up"} {
		if counts[wanted] < 3 {
			t.Errorf("only %d pods are %s: this test says little", counts[wanted], wanted)
		}
	}
}

// checkScheduled demands that the plugin had not ruled out what happened.
func checkScheduled(t *testing.T, pod *corev1.Pod, one *testCase, o opinion) {
	t.Helper()
	if o.neverScheduled() {
		t.Errorf("%s (%s) runs on %s, and the plugin said: %s", pod.Name, one.special, pod.Spec.NodeName, o.own.Summary)
	}
	for _, e := range []explanation{o.all, o.own} {
		i := slices.IndexFunc(e.Nodes, func(node nodeReport) bool { return node.Name == pod.Spec.NodeName })
		if i < 0 {
			t.Errorf("%s runs on %s, which the plugin did not know", pod.Name, pod.Spec.NodeName)
		} else if e.Nodes[i].ruledOut() {
			t.Errorf("%s (%s) runs on %s, and the plugin had ruled the node out: %+v", pod.Name, one.special, pod.Spec.NodeName, e.Nodes[i].Reasons)
		}
	}
}

// givesUp tells whether the plugin says that the scheduler comes to something that ends its attempt for the
// whole pod.
func (o opinion) givesUp() bool {
	return o.own.Verdict == "DoesNotFit" && slices.ContainsFunc(o.own.Nodes, func(node nodeReport) bool { return node.Aborts })
}

// checkGivenUp demands that the scheduler did.
func checkGivenUp(t *testing.T, pod *corev1.Pod, one *testCase, o opinion) {
	t.Helper()
	if condition := scheduled(pod); condition == nil || condition.Reason != corev1.PodReasonSchedulerError {
		t.Errorf("%s (%s): the scheduler says %+v, and the plugin said: %s", pod.Name, one.special, condition, o.own.Summary)
	}
}

// opinion asks about the pod in the whole cluster, and in a snapshot that has only the pod's nodes: by
// the plugin's lights it might fit on nodes which its nodeSelector excludes.
func (c *cluster) opinion(t *testing.T, one *testCase) opinion {
	t.Helper()
	var o opinion
	o.all = c.explain(t, namespace, one.pod.Name)
	args := []string{"explain", "pod", one.pod.Name, "-n", namespace, "-o", "json", "--snapshot", c.withNodesOf(t, one)}
	decode(t, run(t, program(t, pluginEnv), "", args...).stdout, &o.own)
	if o.own.Kind != "Explanation" || len(o.own.Nodes) != len(one.nodes) && o.own.Verdict != "Scheduled" {
		t.Errorf("%s: %s of %d nodes instead of %d", one.pod.Name, o.own.Kind, len(o.own.Nodes), len(one.nodes))
	}
	return o
}

// withNodesOf writes the last snapshot without the nodes of other cases.
func (c *cluster) withNodesOf(t *testing.T, one *testCase) string {
	t.Helper()
	text, err := os.ReadFile(c.recorded)
	if err != nil {
		t.Fatal(err)
	}
	snapshot := map[string]any{}
	decode(t, string(text), &snapshot)
	snapshot["items"] = slices.DeleteFunc(snapshot["items"].([]any), func(item any) bool {
		object := unstructured.Unstructured{Object: item.(map[string]any)}
		return object.GetKind() == "Node" && !slices.Contains(one.nodes, object.GetName())
	})
	path := filepath.Join(t.TempDir(), "snapshot.json")
	if text, err = json.Marshal(snapshot); err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// decided complains about pods that the scheduler has not decided on. It says nothing of those that it
// does not even queue, so these must be what the plugin calls blocked.
func (c *cluster) decided(ctx context.Context, opinions map[string]opinion) error {
	pods, err := c.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, pod := range pods.Items {
		o, waits := opinions[pod.Name]
		if waits && scheduled(&pod) == nil && !o.neverScheduled() {
			return fmt.Errorf("the scheduler has not decided on %s: %s", pod.Name, strings.Join(codes(o.own.Blockers), " "))
		}
	}
	return nil
}

// passSentinel adds a pod to which nothing stands in the way, and waits until it has a node: then the
// scheduler has looked at all that waited before.
func (c *cluster) passSentinel(t *testing.T) {
	t.Helper()
	pods := c.client.CoreV1().Pods(namespace)
	for _, name := range []string{"sentinel-1", "sentinel-2"} {
		if _, err := pods.Create(t.Context(), newPod(name), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		harness.Eventually(t, func(ctx context.Context) error {
			pod, err := pods.Get(ctx, name, metav1.GetOptions{})
			if err == nil && pod.Spec.NodeName == "" {
				err = fmt.Errorf("%s has no node: %v", name, pod.Status.Conditions)
			}
			return err
		})
	}
}

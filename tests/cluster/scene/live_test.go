// This test lets the real scheduler and controllers say what pods-pending.yaml quotes them with.

package scene_test

import (
	"context"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

// verdict is what the condition PodScheduled of a pod says; empty if it has none.
type verdict struct{ status, reason, message string }

func TestPendingPodsOnALivePlane(t *testing.T) {
	t.Parallel()
	state, err := scene.Read(fixture("pods-pending.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want, noClaim := takeAnswers(t, state)

	plane := harness.ForTest(t, harness.Options{})
	config, err := plane.RESTConfig(harness.Admin)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := state.Load(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := plane.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}

	harness.Eventually(t, func(ctx context.Context) error { return compareVerdicts(ctx, client, want) })
	harness.Eventually(t, func(ctx context.Context) error { return findEvent(ctx, client, noClaim) })
	// The scheduler had turned away the pods without verdict before GoLive returned; had it changed its
	// mind since, it would show now.
	if err := compareVerdicts(t.Context(), client, want); err != nil {
		t.Error(err)
	}
}

// takeAnswers removes from the scene what the scheduler and the claim controller said, and returns the
// verdict on every pod that has no node, and the claim controller's event.
func takeAnswers(t *testing.T, state *scene.Scene) (map[string]verdict, *unstructured.Unstructured) {
	t.Helper()
	verdicts := map[string]verdict{}
	var event *unstructured.Unstructured
	kept := state.Objects[:0]
	for _, object := range state.Objects {
		if object.GetKind() == "Event" {
			if reason, _, _ := unstructured.NestedString(object.Object, "reason"); reason == "FailedResourceClaimCreation" {
				event = object
			}
			continue
		}
		kept = append(kept, object)
		if node, _, _ := unstructured.NestedString(object.Object, "spec", "nodeName"); object.GetKind() != "Pod" || node != "" {
			continue
		}
		conditions, _, err := unstructured.NestedSlice(object.Object, "status", "conditions")
		if err != nil {
			t.Fatal(err)
		}
		verdicts[object.GetName()] = verdict{}
		for _, condition := range conditions {
			if c := condition.(map[string]any); c["type"] == "PodScheduled" {
				verdicts[object.GetName()] = verdict{c["status"].(string), c["reason"].(string), c["message"].(string)}
			}
		}
		unstructured.RemoveNestedField(object.Object, "status", "conditions")
	}
	state.Objects = kept
	if len(verdicts) != 9 || event == nil {
		t.Fatalf("the fixture has %d pending pods and the event %v", len(verdicts), event)
	}
	return verdicts, event
}

func compareVerdicts(ctx context.Context, client kubernetes.Interface, want map[string]verdict) error {
	pods, err := client.CoreV1().Pods("pending").List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName="})
	if err != nil {
		return err
	}
	if len(pods.Items) != len(want) {
		return fmt.Errorf("%d pods without a node instead of %d", len(pods.Items), len(want))
	}
	for _, pod := range pods.Items {
		var got verdict
		for _, c := range pod.Status.Conditions {
			if c.Type == "PodScheduled" {
				got = verdict{string(c.Status), c.Reason, c.Message}
			}
		}
		if got != want[pod.Name] {
			return fmt.Errorf("%s:\nwant %+v\ngot  %+v", pod.Name, want[pod.Name], got)
		}
	}
	return nil
}

func findEvent(ctx context.Context, client kubernetes.Interface, want *unstructured.Unstructured) error {
	about, _, _ := unstructured.NestedString(want.Object, "involvedObject", "name")
	reason, _, _ := unstructured.NestedString(want.Object, "reason")
	message, _, _ := unstructured.NestedString(want.Object, "message")
	events, err := client.CoreV1().Events("pending").List(ctx, metav1.ListOptions{
		FieldSelector: "involvedObject.name=" + about + ",reason=" + reason,
	})
	if err != nil {
		return err
	}
	var messages []string
	for _, event := range events.Items {
		if event.Message == message {
			return nil
		}
		messages = append(messages, event.Message)
	}
	return fmt.Errorf("no event about %s says\n%s\nbut %q", about, message, messages)
}

// This file is about devices that nothing works with: what `top --idle` says of pods that a real scheduler has placed, as
// the states change that a kubelet would report.

package agree_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
)

// idleReport is `top --idle -o json`.
type idleReport struct {
	LookedAt int
	Items    []struct {
		Namespace, Kind, Name string
		Devices, DeviceHours  float64
		Drivers               map[string]float64
		Bound                 string
		Claims                []struct{ Claim, Why, Bound string }
	}
}

// idle is "Pod/a CrashLoop atLeast" of each workload that holds idle devices.
func (c *cluster) idle(t *testing.T) map[string]string {
	t.Helper()
	got := c.plugin(t, "top", "workloads", "--idle", "-n", "idle", "-o", "json")
	if got.exit != 0 {
		t.Fatalf("%+v", got)
	}
	var report idleReport
	decode(t, got.stdout, &report)
	found := map[string]string{}
	for _, item := range report.Items {
		found[item.Kind+"/"+item.Name] = fmt.Sprint(item.Claims[0].Why, " ", item.Bound, " ", item.Devices)
	}
	return found
}

// TestIdleDevices lets the scheduler place three pods, and reports states as a kubelet does.
func TestIdleDevices(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	c := newCluster(t, harness.Options{})
	planClasses(t, c)
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := `
apiVersion: v1
kind: Namespace
metadata: {name: idle}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpu, namespace: idle}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: plan}}]}}}
---`
	names := []string{"crashes", "works", "starts"}
	for _, name := range names {
		text += fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: idle}
spec:
  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]
---`, name)
	}
	planNodes(t, c, r, "idle", 3, 4) // one GPU each at least
	c.apply(t, text)
	pods := map[string]*corev1.Pod{}
	for _, name := range names {
		pods[name] = c.judged(t, "idle", name)
		if pods[name].Spec.NodeName == "" {
			t.Fatalf("%s waits: %v", name, scheduled(pods[name]))
		}
	}
	set := func(name string, ready corev1.ConditionStatus, state, last corev1.ContainerState) {
		t.Helper()
		pod := pods[name]
		since := metav1.NewTime(time.Now().Add(-time.Minute))
		pod.Status.Phase = corev1.PodRunning
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: ready, LastTransitionTime: since})
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", Image: "i", Ready: ready == corev1.ConditionTrue, State: state, LastTerminationState: last, RestartCount: 3}}
		if _, err := c.client.CoreV1().Pods("idle").UpdateStatus(t.Context(), pod, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	set("works", corev1.ConditionTrue, corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}, corev1.ContainerState{})
	set("crashes", corev1.ConditionFalse, corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
		corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, FinishedAt: metav1.Now()}})
	got := c.idle(t)
	want := map[string]string{"Pod/crashes": "CrashLoop atLeast 1", "Pod/starts": "NotStarted exactly 1"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// This file is about pods that use the claims of their pod group.

package agree_test

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
)

// TestPodGroupClaims loads the golden scene and lets the scheduler decide: two pods of a group get the device
// that was foreseen for the group's claim, once for both, and the group's reservation; that of the other group
// gets none.
func TestPodGroupClaims(t *testing.T) {
	t.Parallel()
	state := readGoldenScene(t, "pod-groups.yaml")
	c := newCluster(t, harness.Options{Serve: harness.All, FeatureGates: map[string]bool{"GenericWorkload": true, "DRAWorkloadResourceClaims": true}})
	if loaded := c.load(t, state); len(loaded.Skipped) > 0 {
		t.Fatalf("not served: %v", loaded.Skipped)
	}
	said := map[string]explanation{}
	for name, verdict := range map[string]string{"g1": "Fits", "g2": "Blocked", "h1": "DoesNotFit"} {
		said[name] = c.explain(t, "default", name, "--feature-gates=DRAWorkloadResourceClaims=true")
		if said[name].Verdict != verdict {
			t.Errorf("%s: %s", name, said[name].Summary)
		}
	}
	if g1 := said["g1"]; len(g1.Nodes) != 1 || !g1.Nodes[0].open() || len(g1.NotSimulated) != 0 {
		t.Fatalf("%+v", g1)
	}
	foreseen := said["g1"].Nodes[0].Allocation
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	pods := map[string]*corev1.Pod{}
	harness.Eventually(t, func(ctx context.Context) error {
		for name := range said {
			pod, err := c.client.CoreV1().Pods("default").Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			if pods[name] = pod; scheduled(pod) == nil || (name != "h1") != (pod.Spec.NodeName != "") {
				return fmt.Errorf("%s is on %q: %v", name, pod.Spec.NodeName, scheduled(pod))
			}
		}
		return nil
	})
	claim, err := c.client.ResourceV1().ResourceClaims("default").Get(t.Context(), "g-gpu-x7k2p", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if results := claim.Status.Allocation.Devices.Results; len(results) != 1 || len(foreseen) != 1 || results[0].Device != foreseen[0].Device {
		t.Errorf("the devices are %+v, and should be %+v", results, foreseen)
	}
	if by := claim.Status.ReservedFor; len(by) != 1 || by[0].Resource != "podgroups" || by[0].Name != "g" {
		t.Errorf("reserved for %+v", by)
	}
	c.record(t)
	for _, name := range []string{"g1", "g2"} {
		if e := c.explain(t, "default", name); e.Verdict != "Scheduled" {
			t.Errorf("%s: %s", name, e.Summary)
		}
		for _, status := range pods[name].Status.ResourceClaimStatuses {
			if *status.ResourceClaimName != claim.Name {
				t.Errorf("%s uses %s", name, *status.ResourceClaimName)
			}
		}
	}
}

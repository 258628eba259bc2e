// This file is about what is said to be left: the largest request of `top` fits and one more does not, and partitions
// that `topology` calls placeable are given by the scheduler, those without room are not.

package agree_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"kubectl-dra/tests/cluster/harness"
)

// podAsking is a pod with a claim for so many devices of a class, and for those only that a selector is true of.
func podAsking(name, class, selector string, count int64) string {
	selectors := ""
	if selector != "" {
		selectors = fmt.Sprintf(", selectors: [{cel: {expression: %q}}]", selector)
	}
	return fmt.Sprintf(`
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %[1]s, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: %[2]s, allocationMode: ExactCount, count: %[4]d%[3]s}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: %[1]s, namespace: default}
spec:
  tolerations: [{operator: Exists}]
  resourceClaims: [{name: c, resourceClaimName: %[1]s}]
  containers: [{name: main, image: busybox, resources: {claims: [{name: c}]}}]
`, name, class, selectors, count)
}

// whoIsBound waits until the scheduler has said something about each of the pods, and tells which are bound.
func (c *cluster) whoIsBound(t *testing.T, names []string) map[string]bool {
	t.Helper()
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	bound := map[string]bool{}
	for _, name := range names {
		bound[name] = scheduled(c.judged(t, "default", name)).Status == corev1.ConditionTrue
	}
	return bound
}

func TestTopLargestRequest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fixture string
		classes []string // of which no two share a device
	}{
		{"nic-gpu-cpu-alignment.yaml", []string{"gpu.nvidia.com", "dranet-rdma", "dra.cpu"}},
		{"gpu-mig-partitionable.yaml", []string{"mig.nvidia.com"}},
		{"gke-tpu-v6e-4x8-subslices.yaml", []string{"tpu.google.com"}},
	} {
		t.Run(test.fixture, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, harness.Options{})
			state := without(without(readFixture(t, test.fixture), "Event"), "Pod")
			c.load(t, state)
			var top struct {
				Items []struct {
					Name           string
					LargestRequest struct {
						Devices int64
						Known   bool
						Nodes   []string
					}
				}
			}
			c.report(t, &top, nil, "top", "classes")
			var names []string
			var text strings.Builder
			for _, item := range top.Items {
				for i, class := range test.classes {
					if item.Name != class {
						continue
					}
					if !item.LargestRequest.Known || item.LargestRequest.Devices == 0 || len(item.LargestRequest.Nodes) == 0 {
						t.Fatalf("%+v", item)
					}
					fits, more := fmt.Sprintf("fits-%d", i), fmt.Sprintf("more-%d", i)
					names = append(names, fits, more)
					text.WriteString(podAsking(fits, class, "", item.LargestRequest.Devices))
					text.WriteString(podAsking(more, class, "", item.LargestRequest.Devices+1))
				}
			}
			if len(names) != 2*len(test.classes) {
				t.Fatalf("%v of %+v", names, top)
			}
			c.apply(t, text.String())
			for name, bound := range c.whoIsBound(t, names) {
				if bound != strings.HasPrefix(name, "fits") {
					t.Errorf("%s: bound: %v", name, bound)
				}
			}
		})
	}
}

func TestBoardsPlaceable(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.load(t, without(without(readFixture(t, "gpu-mig-partitionable.yaml"), "Event"), "Pod"))
	var report struct {
		Boards []struct {
			Pool     string
			Profiles []struct {
				Name      string
				Placeable int
				At        []int
			}
		}
	}
	c.report(t, &report, nil, "topology")
	var names []string
	var text strings.Builder
	want := map[string]bool{}
	ask := func(name, profile string, bound bool) {
		names, want[name] = append(names, name), bound
		selector := fmt.Sprintf("device.attributes[%[1]q].profile == %[2]q", "gpu.nvidia.com", profile)
		text.WriteString(podAsking(name, "mig.nvidia.com", selector, 1))
	}
	for _, board := range report.Boards {
		if !strings.Contains(board.Pool, "h100") {
			continue
		}
		for _, profile := range board.Profiles {
			name := strings.ReplaceAll(profile.Name, ".", "-")
			if profile.Placeable > 0 && len(profile.At) != profile.Placeable {
				t.Errorf("%+v", profile)
			}
			if profile.Placeable == 0 && strings.Contains(profile.Name, ".") {
				ask("none-"+name, profile.Name, false)
			}
			// The slots of one slice each do not overlap.
			for i := 0; profile.Name == "1g.10gb" && i < profile.Placeable; i++ {
				ask(fmt.Sprintf("one-%d", i), profile.Name, true)
			}
		}
	}
	if len(names) < 5 {
		t.Fatalf("%v of %+v", names, report)
	}
	c.apply(t, text.String())
	for name, bound := range c.whoIsBound(t, names) {
		if bound != want[name] {
			t.Errorf("%s: bound: %v", name, bound)
		}
	}
}

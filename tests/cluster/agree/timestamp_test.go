// This file is about claims that were allocated before the scheduler wrote when: with binding conditions it wants
// to add the time as it reserves the claim for a pod, and the server takes no change of an allocation.

package agree_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
)

// nodeWithDevices returns the node n1, a class, and a slice of the driver CLASS.example.com there.
func nodeWithDevices(class, devices string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {pods: "10", cpu: "4", memory: 8Gi}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: %[1]s}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: n1-%[1]s}
spec:
  driver: %[1]s.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices: [%[2]s]
`, class, devices)
}

// timestampPod returns a claim of that name, its device of the same name, and a pod for it.
func timestampPod(name, more string) string {
	return fmt.Sprintf(`---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %[1]s, namespace: default, uid: c-%[1]s}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
status:
  allocation:
    devices: {results: [{request: gpu, driver: gpu.example.com, pool: n1, device: %[1]s}]}
    nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}
    %[2]s
---
apiVersion: v1
kind: Pod
metadata: {name: %[1]s, namespace: default, uid: %[1]s}
spec:
  containers: [{name: main, image: none.invalid/none}]
  resourceClaims: [{name: gpu, resourceClaimName: %[1]s}]
`, name, more)
}

func TestAllocationTimestamps(t *testing.T) {
	t.Parallel()
	// Each claim is allocated: once with its time, once without, and once without but reserved for the pod already.
	text := nodeWithDevices("gpu", "{name: with-time}, {name: without-time}, {name: reserved}") + timestampPod("with-time", `allocationTimestamp: "2026-11-20T09:00:00Z"`) +
		timestampPod("without-time", "") +
		strings.Replace(timestampPod("reserved", ""), "status:\n", "status:\n  reservedFor: [{resource: pods, name: reserved, uid: reserved}]\n", 1)
	for name, test := range map[string]struct {
		gates map[string]bool
		fails []string // pods that are not bound, although a node fits
	}{
		"by default":                 {nil, []string{"without-time"}},
		"without binding conditions": {map[string]bool{"DRADeviceBindingConditions": false}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, harness.Options{FeatureGates: test.gates})
			c.load(t, sceneOf(t, text))
			for _, pod := range []string{"with-time", "without-time", "reserved"} {
				want, codeWanted := "Fits", ""
				if len(test.fails) > 0 && pod == test.fails[0] {
					want, codeWanted = "DoesNotFit", "BindingFailed"
				}
				said := c.explain(t, "default", pod)
				if said.Verdict != want || codeWanted != "" && (!said.Nodes[0].Aborts || said.Nodes[0].Reasons[0].Code != codeWanted) {
					t.Errorf("%s: %s %+v", pod, said.Summary, said.Nodes)
				}
			}
			if err := c.GoLive(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, pod := range []string{"with-time", "without-time", "reserved"} {
				c.expectBound(t, pod, len(test.fails) == 0 || pod != test.fails[0])
			}
		})
	}
}

// expectBound waits until the pod has a node, or until the scheduler says that the server refuses to bind it.
func (c *cluster) expectBound(t *testing.T, name string, bound bool) {
	t.Helper()
	harness.Eventually(t, func(ctx context.Context) error {
		pod, err := c.client.CoreV1().Pods("default").Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		condition := scheduled(pod)
		if condition == nil || bound != (condition.Status == corev1.ConditionTrue) {
			return fmt.Errorf("%s: bound shall be %t, and the scheduler says %+v", name, bound, condition)
		}
		refused := condition.Reason == corev1.PodReasonSchedulerError && strings.Contains(condition.Message, "add reservation to claim") &&
			strings.Contains(condition.Message, "status.allocation: Invalid value")
		if !bound && !refused {
			return fmt.Errorf("%s: %+v", name, condition)
		}
		return nil
	})
}

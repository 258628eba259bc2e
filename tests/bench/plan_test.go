// This file is about the plan for many waiting pods in a large cluster.

package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// waits is a pod without a node, with the claim of its name.
func waits(name string) *corev1.Pod {
	return &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metaOf("default", name, "kubectl", "{}"),
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c"}}, ResourceClaims: []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &name}}}}
}

// roomy is a fleet with room for pods on each node.
func roomy(nodes int) *fleet {
	f := newFleet(nodes)
	for _, node := range f.nodes {
		node.Status.Allocatable = corev1.ResourceList{"cpu": resource.MustParse("96"), "memory": resource.MustParse("1Ti"), "pods": resource.MustParse("110")}
	}
	return f
}

// withPods writes the fleet and the pods into one file.
func withPods(t *testing.T, f *fleet, pods []*corev1.Pod) string {
	t.Helper()
	folder, _ := f.write(t)
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": pods})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "all.pods"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return joined(t, folder)
}

// asking times commands about a file, with JSON as their answer.
func asking(t *testing.T, file string) func(args ...string) func() time.Duration {
	ours := program(t, "KUBECTL_DRA_RELEASE")
	return func(args ...string) func() time.Duration {
		return func() time.Duration {
			return command(t, nil, ours, append(args, "-A", "--exit-zero", "-o", "json", "--snapshot", file)...)
		}
	}
}

// TestPlansTwoHundredPods has 200 pods of 20 kinds in the queue, on 5,000 nodes. The plan looks at all nodes once for each kind, and
// explains few of them, so it takes a fraction of what the causes of all take.
func TestPlansTwoHundredPods(t *testing.T) {
	const (
		pods  = 200
		kinds = 20
	)
	f := newFleet(5000)
	var waiting []*corev1.Pod
	for i := range pods {
		name := fmt.Sprintf("waits-%03d", i)
		kind := i % kinds
		f.wanted = append(f.wanted, claimOf(name, nil, exactly("gpu", int64(1+kind%10),
			selecting(fmt.Sprintf(`device.attributes["gpu.example.com"].numa < %d`, 2+kind/10))...)))
		waiting = append(waiting, waits(name))
	}
	ask := asking(t, withPods(t, f, waiting))
	hold(t, "a plan for 200 pods on 5,000 nodes against explain", 3, 0.3, inTurn(ask("plan"), ask("explain", "--pending")))
}

// TestExplainsAHundredCauses has 200 pods that wait for 100 causes, on 5,000 nodes. What a node says about one cause is forgotten
// before the next one is printed, so that memory does not grow with the causes, and time grows with them alone.
func TestExplainsAHundredCauses(t *testing.T) {
	const (
		pods  = 200
		kinds = 100
	)
	fleetWith := func(pods int) string {
		f := roomy(5000)
		var waiting []*corev1.Pod
		for i := range pods {
			name := fmt.Sprintf("waits-%03d", i)
			kind := i % kinds
			f.wanted = append(f.wanted, claimOf(name, nil, exactly("gpu", int64(9+kind%13),
				selecting(fmt.Sprintf(`device.attributes["gpu.example.com"].index >= %d`, kind/13))...)))
			waiting = append(waiting, waits(name))
		}
		return withPods(t, f, waiting)
	}
	many, few := fleetWith(pods), fleetWith(5)
	ours := program(t, "KUBECTL_DRA_RELEASE")
	memory(t, 700, nil, ours, "explain", "--pending", "-A", "--exit-zero", "-o", "json", "--snapshot", many)
	holdWarm(t, "100 causes on 5,000 nodes against 5", 1, 20, inTurn(asking(t, many)("explain", "--pending"), asking(t, few)("explain", "--pending")))
}

// TestPlansADrain drains one of 5,000 nodes, which has two pods.
func TestPlansADrain(t *testing.T) {
	f := roomy(5000)
	var pods []*corev1.Pod
	for device := range 2 {
		claim := f.held[device]
		pod := waits(claim.Name)
		pod.OwnerReferences[0].Kind = "ReplicaSet"
		pod.Spec.NodeName = f.nodes[0].Name
		claim.Status.ReservedFor[0].UID = pod.UID
		pods = append(pods, pod)
	}
	ask := asking(t, withPods(t, f, pods))
	hold(t, "a drain of one of 5,000 nodes against a plan", 3, 2, inTurn(ask("plan", "--drain", f.nodes[0].Name), ask("plan")))
}

// TestReschedulesEveryPod asks of each of 10,000 pods on 5,000 nodes where it could go, with one node gone. One node is looked at for
// nearly all of them, so that it takes a few times what reading the cluster takes, which is nearly all that there is to do where none waits.
func TestReschedulesEveryPod(t *testing.T) {
	f := roomy(5000)
	var pods []*corev1.Pod
	for i, claim := range f.held {
		pod := waits(claim.Name)
		pod.OwnerReferences[0].Kind = "ReplicaSet"
		pod.Spec.NodeName = f.nodes[i/2].Name
		claim.Status.ReservedFor[0].UID = pod.UID
		pods = append(pods, pod)
	}
	ask := asking(t, withPods(t, f, pods))
	hold(t, "all of 10,000 pods rescheduled against explain --pending", 3, 10, inTurn(ask("explain", "--as-if-pending", "--all", "--remove-node", f.nodes[0].Name), ask("explain", "--pending")))
}

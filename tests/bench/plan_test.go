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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
		waiting = append(waiting, &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metaOf("default", name, "kubectl", "{}"),
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c"}}, ResourceClaims: []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &name}}}})
	}
	folder, _ := f.write(t)
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": waiting})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "waiting.pods"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	file, ours := joined(t, folder), program(t, "KUBECTL_DRA_RELEASE")
	ask := func(args ...string) func() time.Duration {
		return func() time.Duration {
			return command(t, nil, ours, append(args, "-A", "--exit-zero", "-o", "json", "--snapshot", file)...)
		}
	}
	hold(t, "a plan for 200 pods on 5,000 nodes against explain", 3, 0.3, inTurn(ask("plan"), ask("explain", "--pending")))
}

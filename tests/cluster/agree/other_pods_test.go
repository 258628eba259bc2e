// This file is about pods of which other pods decide where they can go: affinity, anti-affinity of both sides, and spreading.

package agree_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"kubectl-dra/tests/cluster/harness"
)

// decided is what is true of a waiting pod of a golden scene: the nodes that are open to it, or what the scheduler says where
// there is none.
type decided struct {
	nodes string
	says  string
	code  string
}

// otherPods are the waiting pods of the golden scene.
var otherPods = map[string]decided{
	"near-cache": {nodes: "gpu-a1 gpu-a2"},
	"near-none":  {says: "didn't match pod affinity rules", code: "PodAffinity"},
	"first":      {nodes: "gpu-a1 gpu-a2 gpu-b1 gpu-c1"},
	"apart":      {nodes: "gpu-a2"},
	"alone":      {says: "didn't match pod anti-affinity rules", code: "PodAntiAffinity"},
	"batch":      {says: "didn't satisfy existing pods anti-affinity rules", code: "PodRepelled"},
	"web-3":      {nodes: "gpu-c1"},
	"web-4":      {says: "didn't match pod topology spread constraints", code: "TopologySpread"},
}

// explainAll compares the explanations of waiting pods with what is true of them.
func (c *cluster) explainAll(t *testing.T, pods map[string]decided) map[string]explanation {
	t.Helper()
	said := map[string]explanation{}
	for name, want := range pods {
		said[name] = c.explain(t, "default", name)
		var open, against []string
		for _, node := range said[name].Nodes {
			if node.open() {
				open = append(open, node.Name)
			}
			against = append(against, codes(node.OtherReasons)...)
		}
		if got := strings.Join(open, " "); got != want.nodes {
			t.Errorf("%s: open are %q, and should be %q: %s", name, got, want.nodes, said[name].Summary)
		}
		if want.code != "" && !strings.Contains(strings.Join(against, " "), want.code) {
			t.Errorf("%s: %v is without %s", name, against, want.code)
		}
		if len(said[name].NotSimulated) > 0 {
			t.Errorf("%s: %v is not simulated", name, said[name].NotSimulated)
		}
	}
	return said
}

// TestOtherPodsDecide loads the golden scene, explains its waiting pods, and lets the scheduler decide.
func TestOtherPodsDecide(t *testing.T) {
	t.Parallel()
	state := readGoldenScene(t, "other-pods.yaml")
	c := newCluster(t, harness.Options{})
	c.load(t, state)
	said := c.explainAll(t, otherPods)
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range otherPods {
		pod := c.judged(t, "default", name)
		condition := scheduled(pod)
		if (want.nodes != "") != (condition.Status == corev1.ConditionTrue) {
			t.Errorf("%s: the plugin says %s, the scheduler %s: %s", name, said[name].Summary, condition.Reason, condition.Message)
		}
		if !strings.Contains(" "+want.nodes+" ", " "+pod.Spec.NodeName+" ") && pod.Spec.NodeName != "" {
			t.Errorf("%s is on %s, and the plugin says %q", name, pod.Spec.NodeName, want.nodes)
		}
		if !strings.Contains(condition.Message, want.says) {
			t.Errorf("%s: the scheduler says %q, and should %q", name, condition.Message, want.says)
		}
	}
}

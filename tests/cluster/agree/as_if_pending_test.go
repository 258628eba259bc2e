// This file is about pods that run, as if they still waited: what the plugin says of them with --as-if-pending is
// what becomes of them on a live plane where they really wait, and what the goldens show.

package agree_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

func TestAsIfPending(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fixture, namespace string
		pods               []string
	}{
		{"gke-tpu-v5p-2x2x4.yaml", "training", []string{"maxtext-slice-0-0-8f2c"}},
		{"gke-tpu-v6e-4x8-subslices.yaml", "research", []string{"rank-a", "batch-0"}},
	} {
		t.Run(test.fixture, func(t *testing.T) {
			for _, pod := range test.pods {
				comparePretended(t, test.fixture, test.namespace, pod)
			}
		})
	}
}

// comparePretended takes the pod's node and devices away from it, and compares.
func comparePretended(t *testing.T, fixture, namespace, pod string) {
	t.Helper()
	path := recordedFixture(t, fixture)
	one := waiter{namespace, pod, []string{"pod", pod, "--as-if-pending"}, ""}
	running := newCluster(t, harness.Options{})
	running.load(t, readFixture(t, fixture))
	file, pretended := explainFile(t, path, one), running.explain(t, namespace, pod, "--as-if-pending")
	if timeless(file.Summary) != timeless(pretended.Summary) || nodeWords(file) != nodeWords(pretended) {
		t.Errorf("%s: the plane gives %s\nthe file gives %s", pod, pretended.Summary, file.Summary)
	}
	running.compareWithAll(t, namespace, pod, pretended)
	state := without(readFixture(t, fixture), "Event")
	release(state, namespace, pod)
	c := newCluster(t, harness.Options{})
	c.load(t, state)
	waiting := c.explain(t, namespace, pod)
	if waiting.Verdict != pretended.Verdict || fit(waiting.Summary) != fit(pretended.Summary) || nodeWords(waiting) != nodeWords(pretended) {
		t.Errorf("%s really waits: %s\nas if it waited: %s", pod, waiting.Summary, pretended.Summary)
	}
	c.compareGiven(t, namespace, map[string]explanation{pod: waiting})
}

// compareWithAll demands that the answer about all pods with devices says the same of this one.
func (c *cluster) compareWithAll(t *testing.T, namespace, pod string, pretended explanation) {
	t.Helper()
	var all struct {
		Items []struct {
			Subject struct{ Name string }
			Node    string
			Next    string
		}
	}
	result := c.plugin(t, "explain", "--as-if-pending", "--all", "-n", namespace, "-o", "json")
	if err := json.Unmarshal([]byte(result.stdout), &all); err != nil {
		t.Fatalf("%v: %s", err, summary(result))
	}
	for _, one := range all.Items {
		if one.Subject.Name != pod {
			continue
		}
		onOwn := slices.ContainsFunc(pretended.Nodes, func(node nodeReport) bool { return node.Name == one.Node && node.open() })
		want := map[bool]string{true: "Same", false: "Other"}[onOwn]
		if pretended.Verdict != "Fits" {
			want = "None"
		}
		if one.Next != want {
			t.Errorf("%s: all together say %s, by itself it is %s: %s", pod, one.Next, want, pretended.Summary)
		}
		return
	}
	t.Errorf("%s is not among the pods that have devices", pod)
}

// fit is where a pod fits, or why it does not, in the words for a pod that waits and for one that is supposed to.
func fit(summary string) string {
	_, where, found := strings.Cut(strings.ToLower(summary), "fit")
	if !found {
		_, where, _ = strings.Cut(summary, ". ")
	}
	return strings.TrimLeft(where, "s: ")
}

// release takes the pod's node away, and its claims' devices.
func release(state *scene.Scene, namespace, name string) {
	pod := state.Find("Pod", namespace, name)
	unstructured.RemoveNestedField(pod.Object, "spec", "nodeName")
	statuses, _, _ := unstructured.NestedSlice(pod.Object, "status", "resourceClaimStatuses")
	pod.Object["status"] = map[string]any{"phase": "Pending", "resourceClaimStatuses": statuses}
	for _, status := range statuses {
		claim := state.Find("ResourceClaim", namespace, fmt.Sprint(status.(map[string]any)["resourceClaimName"]))
		delete(claim.Object, "status")
	}
}

// compareGiven starts the scheduler, which has to do with the pods what the plugin said.
func (c *cluster) compareGiven(t *testing.T, namespace string, said map[string]explanation) {
	t.Helper()
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, one := range said {
		c.compareGivenTo(t, namespace, name, one)
	}
}

// compareGivenTo demands that the pod is on a node where it fits, with the devices foreseen there, or is turned
// away.
func (c *cluster) compareGivenTo(t *testing.T, namespace, name string, said explanation) {
	t.Helper()
	pod := c.judged(t, namespace, name)
	if bound := pod.Spec.NodeName != ""; bound != (said.Verdict == "Fits") {
		t.Fatalf("the plugin says %s, the scheduler %+v", said.Summary, scheduled(pod))
	} else if !bound {
		return
	}
	i := slices.IndexFunc(said.Nodes, func(node nodeReport) bool { return node.Name == pod.Spec.NodeName && node.open() })
	if i < 0 {
		t.Fatalf("it is on %s, and the plugin says %s", pod.Spec.NodeName, said.Summary)
	}
	var given []allocated
	for _, report := range said.Claims {
		claim, err := c.client.ResourceV1().ResourceClaims(namespace).Get(t.Context(), report.Name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range claim.Status.Allocation.Devices.Results {
			given = append(given, allocated{Claim: namespace + "/" + report.Name, Request: result.Request, Driver: result.Driver, Pool: result.Pool, Device: result.Device})
		}
		compareSelected(t, said.Nodes[i], decision{nodes: []claimNodes{{namespace + "/" + report.Name, claim.Status.Allocation.NodeSelector}}})
	}
	if !slices.EqualFunc(said.Nodes[i].Allocation, given, allocated.same) {
		t.Errorf("it has %+v, and should have %+v", given, said.Nodes[i].Allocation)
	}
}

// TestTPU7x is about the fixture that has no pod: the golden scene adds two.
func TestTPU7x(t *testing.T) {
	t.Parallel()
	more := goldenScenePath("tpu7x-pod.yaml")
	c := newCluster(t, harness.Options{})
	c.load(t, readScene(t, fixturePath("gke-tpu7x-node.yaml"), more))
	said := map[string]explanation{}
	for name, verdict := range map[string]string{"all-chips": "Fits", "five-chips": "DoesNotFit"} {
		if said[name] = c.explain(t, "default", name); said[name].Verdict != verdict {
			t.Errorf("%s: %s", name, said[name].Summary)
		}
	}
	c.compareGiven(t, "default", said)
}

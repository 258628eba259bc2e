// This file is about fragmentation: the pods that explain says could move are moved, and the scheduler then places the pod
// that waits.

package agree_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
)

// moved is what `explain -o json` says of moves.
type moved struct {
	Verdict string
	Moves   *struct {
		Node     string
		Commands []string
		Pods     []struct {
			Pod, MadeBy string
			To          []string
		}
	}
}

const movedClusters = 20

// moveScene makes StatefulSets of one pod, with so many GPUs each.
func moveScene(t *testing.T, c *cluster, namespace string, sets []int) {
	t.Helper()
	text := ""
	for i, count := range sets {
		text += fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: set-%[2]d, namespace: %[1]s}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: plan, count: %[3]d}}]}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: set-%[2]d, namespace: %[1]s}
spec:
  replicas: 1
  serviceName: x
  selector: {matchLabels: {app: set-%[2]d}}
  template:
    metadata: {labels: {app: set-%[2]d}}
    spec:
      priorityClassName: plan-%[2]d
      nodeSelector: {plan: %[1]s}
      containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
      resourceClaims: [{name: gpu, resourceClaimTemplateName: set-%[2]d}]
---`, namespace, i, count)
	}
	c.apply(t, text)
}

// waitsFor adds the pod that is to wait, for so many GPUs of one node.
func (c *cluster) waitsFor(t *testing.T, namespace string, count int64) {
	t.Helper()
	c.apply(t, fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: large, namespace: %[1]s}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: plan, count: %[2]d}}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: large, namespace: %[1]s}
spec:
  nodeSelector: {plan: %[1]s}
  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: large}]
`, namespace, count))
}

// makeMoves runs the commands of the moves. There is no kubelet to end containers, so the pods are not given any time. The last
// command is due once the pods run elsewhere.
func (c *cluster) makeMoves(t *testing.T, one moved) {
	t.Helper()
	before, err := c.uids(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	runCommand := func(command string) {
		t.Helper()
		words := strings.Fields(command)[1:]
		if words[0] == "delete" {
			words = append(words, "--grace-period=0", "--force")
		}
		c.mustKubectl(t, words...)
	}
	last := len(one.Moves.Commands) - 1
	for _, command := range one.Moves.Commands[:last] {
		runCommand(command)
	}
	for _, pod := range one.Moves.Pods {
		namespace, name, _ := strings.Cut(pod.Pod, "/")
		harness.Eventually(t, func(ctx context.Context) error {
			now, err := c.client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
			switch {
			case err != nil:
				return err
			case now.UID == before[pod.Pod] || now.Spec.NodeName == "":
				return fmt.Errorf("%s has not moved: %v", pod.Pod, scheduled(now))
			case !slices.Contains(pod.To, now.Spec.NodeName):
				t.Errorf("%s moved to %s, not to one of %v", pod.Pod, now.Spec.NodeName, pod.To)
			}
			return nil
		})
	}
	runCommand(one.Moves.Commands[last])
}

// makeFragmented gives the first of two nodes a second GPU, and leaves only it to pods, so that a pod with one GPU is in the way
// of one that needs two, whatever the seed.
func (c *cluster) makeFragmented(t *testing.T, namespace string) {
	t.Helper()
	published := c.client.ResourceV1().ResourceSlices()
	first, err := published.Get(t.Context(), namespace+"-node-0", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	first.Spec.Devices = append(first.Spec.Devices, resourceapi.Device{Name: "gpu-1", Attributes: first.Spec.Devices[0].Attributes})
	if _, err := published.Update(t.Context(), first, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	c.mustKubectl(t, "cordon", namespace+"-node-1")
}

// giveBack lets pods onto a node that was cordoned, and waits until its taint is gone.
func (c *cluster) giveBack(t *testing.T, name string) {
	t.Helper()
	c.mustKubectl(t, "uncordon", name)
	harness.Eventually(t, func(ctx context.Context) error {
		node, err := c.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
		if err == nil && len(node.Spec.Taints) > 0 {
			err = fmt.Errorf("node %s still has %v", name, node.Spec.Taints)
		}
		return err
	})
}

func (c *cluster) mustKubectl(t *testing.T, args ...string) {
	t.Helper()
	if got := c.kubectl(t, args...); got.exit != 0 {
		t.Fatalf("%v: %+v", args, got)
	}
}

// whereAll says where each pod of the namespace is.
func (c *cluster) whereAll(ctx context.Context, namespace string) string {
	pods, err := c.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err.Error()
	}
	var words []string
	for _, pod := range pods.Items {
		words = append(words, fmt.Sprintf("%s on %q", pod.Name, pod.Spec.NodeName))
	}
	return strings.Join(words, ", ")
}

// TestMovesMakeRoom carries out the moves of several small clusters: each pod goes where it is said, and the one that waits is
// bound to the node.
func TestMovesMakeRoom(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	c := newCluster(t, harness.Options{})
	planClasses(t, c)
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for number := range movedClusters {
		namespace := fmt.Sprintf("move-%d", number)
		if _, err := c.client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if number == 0 {
			planNodes(t, c, r, namespace, 2, 1)
			c.makeFragmented(t, namespace)
		} else {
			planNodes(t, c, r, namespace, 2+r.IntN(2), 4)
		}
		published, err := c.client.ResourceV1().ResourceSlices().List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for _, slice := range published.Items {
			if strings.HasPrefix(slice.Name, namespace) {
				most = max(most, len(slice.Spec.Devices))
			}
		}
		sets := make([]int, 1+r.IntN(3))
		for i := range sets {
			sets[i] = 1 + r.IntN(2)
		}
		if number == 0 {
			sets = []int{1}
		}
		moveScene(t, c, namespace, sets)
		for i := range sets {
			c.judged(t, namespace, fmt.Sprintf("set-%d-0", i))
		}
		if number == 0 {
			c.giveBack(t, namespace+"-node-1")
		}
		c.waitsFor(t, namespace, int64(most))
		if pod := c.judged(t, namespace, "large"); pod.Spec.NodeName != "" {
			counts["fits"]++
			continue
		}
		var one moved
		c.report(t, &one, []int{2}, "explain", "pod", "large", "-n", namespace)
		if one.Moves == nil {
			counts["stays"]++
			continue
		}
		counts[fmt.Sprint("moves ", len(one.Moves.Pods))]++
		c.makeMoves(t, one)
		harness.Eventually(t, func(ctx context.Context) error {
			pod, err := c.client.CoreV1().Pods(namespace).Get(ctx, "large", metav1.GetOptions{})
			if err == nil && pod.Spec.NodeName != one.Moves.Node {
				err = fmt.Errorf("%s/large, for %d GPUs, is on %q after %+v; now %s: %v", namespace, most, pod.Spec.NodeName, one.Moves, c.whereAll(ctx, namespace), scheduled(pod))
			}
			return err
		})
	}
	t.Logf("%v", counts)
	if counts["moves 1"]+counts["moves 2"]+counts["moves 3"] == 0 {
		t.Errorf("nothing moves: this test says little: %v", counts)
	}
}

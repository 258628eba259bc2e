// This file is about more nodes that a plan proposes: nodes like those that are there are made, and the scheduler places
// the pods that were named.

package agree_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
)

// moreNodes is the part of a plan that is about them.
type moreNodes struct {
	Like  string
	Count int
	Pods  []string
}

// addNodesLike makes so many nodes with the labels, the room and the devices of one.
func (c *cluster) addNodesLike(t *testing.T, name string, count int) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	like, err := c.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	must(err)
	published, err := c.client.ResourceV1().ResourceSlices().Get(ctx, name, metav1.GetOptions{})
	must(err)
	for i := range count {
		more := fmt.Sprintf("%s-more-%d", name, i)
		c.addReadyNode(t, more, like.Labels, corev1.NodeStatus{Capacity: like.Status.Capacity, Allocatable: like.Status.Allocatable, Conditions: like.Status.Conditions})
		slice := &resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: more}, Spec: *published.Spec.DeepCopy()}
		slice.Spec.NodeName, slice.Spec.Pool.Name = &more, more
		_, err = c.client.ResourceV1().ResourceSlices().Create(ctx, slice, metav1.CreateOptions{})
		must(err)
	}
}

// TestMoreNodesPlacePods asks for a plan of each of some small clusters, lets the scheduler place what it can, makes the nodes
// that are proposed of one kind, and waits until all pods that were named have a node. The scheduler is started again, as a
// plan has each pod tried in the order of the queue, and a running one lets those wait that it tried a moment ago.
func TestMoreNodesPlacePods(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	c := newCluster(t, harness.Options{})
	planClasses(t, c)
	for number := range plannedClusters {
		planScene(t, c, r, number)
	}
	chosen := map[string]moreNodes{}
	for number := range plannedClusters {
		namespace := fmt.Sprint("plan-", number)
		var plan struct{ MoreNodes []moreNodes }
		c.report(t, &plan, []int{0, 2, 3}, "plan", "-n", namespace)
		if len(plan.MoreNodes) > 0 {
			chosen[namespace] = plan.MoreNodes[r.IntN(len(plan.MoreNodes))]
		}
	}
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for namespace := range chosen {
		for i := range plannedPods {
			c.judged(t, namespace, fmt.Sprint("pod-", i))
		}
	}
	nodes, pods := 0, 0
	add := func() error {
		for _, more := range chosen {
			c.addNodesLike(t, more.Like, more.Count)
			nodes += more.Count
		}
		return nil
	}
	if err := c.RestartScheduler(t.Context(), add); err != nil {
		t.Fatal(err)
	}
	for _, more := range chosen {
		pods += len(more.Pods)
		for _, pod := range more.Pods {
			namespace, name, _ := strings.Cut(pod, "/")
			harness.Eventually(t, func(ctx context.Context) error { return c.hasNode(ctx, namespace, name) })
		}
	}
	t.Logf("%d nodes in %d clusters placed %d pods", nodes, len(chosen), pods)
	if len(chosen) < 3 {
		t.Errorf("more nodes were proposed in %d clusters only: this test says little", len(chosen))
	}
}

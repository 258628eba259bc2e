// This file is about nodes that are drained: where the plugin says that their pods go, and where the scheduler then puts
// what the controllers create again.

package agree_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-dra/tests/cluster/harness"
)

const (
	drainedClusters = 20
	drainedSets     = 4 // of each, with one pod
)

// drainPlan is `plan --drain -o json`.
type drainPlan struct {
	Summary string
	Drain   struct {
		Nodes []string
		Pods  []struct {
			Pod, Node, Fate string
			Loses           []string
		}
	}
	Items []struct {
		planned
		DrainedFrom string
	}
}

// drainScene makes three or four nodes; StatefulSets of one pod each, of different priorities, with one or two GPUs; a
// pod without a controller, and one of a DaemonSet on each node.
func drainScene(t *testing.T, c *cluster, r *rand.Rand, namespace string) {
	t.Helper()
	if _, err := c.client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	planNodes(t, c, r, namespace, 3+r.IntN(2), 4)
	var text string
	for count := range 3 {
		text += fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpus-%[2]d, namespace: %[1]s}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: plan, count: %[2]d}}]}}}
---`, namespace, count+1)
	}
	for i := range drainedSets {
		text += fmt.Sprintf(`
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
      containers: [{name: c, image: i, resources: {requests: {cpu: "1"}, claims: [{name: gpu}]}}]
      resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus-%[3]d}]
---`, namespace, i, 1+r.IntN(2))
	}
	text += fmt.Sprintf(`
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: each, namespace: %[1]s}
spec:
  selector: {matchLabels: {app: each}}
  template:
    metadata: {labels: {app: each}}
    spec:
      nodeSelector: {plan: %[1]s}
      containers: [{name: c, image: i}]
---
apiVersion: v1
kind: Pod
metadata: {name: bare, namespace: %[1]s}
spec:
  priorityClassName: plan-0
  nodeSelector: {plan: %[1]s}
  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus-1}]
---`, namespace)
	c.apply(t, text)
}

// settled waits until the scheduler has tried all that waits: a pod behind them has its turn last.
func (c *cluster) settled(t *testing.T, name string) {
	t.Helper()
	last := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}}}
	if _, err := c.client.CoreV1().Pods("default").Create(t.Context(), last, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	c.judged(t, "default", name)
}

// uids are those of all pods, by namespace/name.
func (c *cluster) uids(ctx context.Context) (map[string]types.UID, error) {
	pods, err := c.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	all := map[string]types.UID{}
	for _, pod := range pods.Items {
		all[pod.Namespace+"/"+pod.Name] = pod.UID
		for _, claim := range pod.Spec.ResourceClaims {
			made := slices.ContainsFunc(pod.Status.ResourceClaimStatuses, func(s corev1.PodResourceClaimStatus) bool { return s.Name == claim.Name })
			if !made {
				return nil, fmt.Errorf("%s/%s has no claim yet", pod.Namespace, pod.Name)
			}
		}
	}
	return all, nil
}

// drain runs kubectl's drain, and waits until the controllers have created pods and claims again. There is no kubelet to end
// containers, so the pods are not given any time.
func (c *cluster) drain(t *testing.T, plan drainPlan) error {
	t.Helper()
	before, err := c.uids(t.Context())
	if err != nil {
		return err
	}
	args := append([]string{"drain", "--ignore-daemonsets", "--force", "--grace-period=0", "--timeout=60s"}, plan.Drain.Nodes...)
	if got := c.kubectl(t, args...); got.exit != 0 {
		return fmt.Errorf("kubectl drain: %+v", got)
	}
	harness.Eventually(t, func(ctx context.Context) error {
		now, err := c.uids(ctx)
		if err != nil {
			return err
		}
		for _, one := range plan.Drain.Pods {
			uid, there := now[one.Pod]
			switch same := uid == before[one.Pod]; {
			case one.Fate == "Recreated" && (!there || same),
				one.Fate == "NotRecreated" && there,
				one.Fate == "OfDaemonSet" && !same:
				return fmt.Errorf("%s, which is to be %s, is there: %v, the same: %v", one.Pod, one.Fate, there, same)
			}
		}
		return nil
	})
	return nil
}

// gotDevices are the devices of a pod's claims, as driver/pool/device.
func (c *cluster) gotDevices(t *testing.T, pod *corev1.Pod) (devices []string) {
	t.Helper()
	for _, status := range pod.Status.ResourceClaimStatuses {
		var claim *resourceapi.ResourceClaim
		claim, err := c.client.ResourceV1().ResourceClaims(pod.Namespace).Get(t.Context(), *status.ResourceClaimName, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if claim.Status.Allocation == nil {
			continue
		}
		for _, result := range claim.Status.Allocation.Devices.Results {
			devices = append(devices, fmt.Sprintf("%s/%s/%s", result.Driver, result.Pool, result.Device))
		}
	}
	slices.Sort(devices)
	return devices
}

// TestDrainIsWhatTheSchedulerDoes drains a node of each of several small clusters: what the plugin says of it before, and what
// the real drain, controllers and scheduler then do. The scheduler is stopped until all pods are there again, because pods
// that come one after another are tried in that order.
func TestDrainIsWhatTheSchedulerDoes(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	c := newCluster(t, harness.Options{})
	planClasses(t, c)
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	args := []string{"plan", "-A"}
	for number := range drainedClusters {
		namespace := fmt.Sprintf("drain-%d", number)
		drainScene(t, c, r, namespace)
		args = append(args, "--drain", namespace+"-node-0")
	}
	for number := range drainedClusters {
		for i := range drainedSets {
			c.judged(t, fmt.Sprintf("drain-%d", number), fmt.Sprintf("set-%d-0", i))
		}
	}
	c.settled(t, "before")
	var plan drainPlan
	c.report(t, &plan, []int{0, 2, 3}, args...)
	t.Log(plan.Summary)
	for _, one := range plan.Drain.Pods {
		if one.Fate == "OfDaemonSet" && len(one.Loses) > 0 {
			t.Errorf("%s loses %v", one.Pod, one.Loses)
		}
	}
	if err := c.RestartScheduler(t.Context(), func() error { return c.drain(t, plan) }); err != nil {
		t.Fatal(err)
	}
	c.settled(t, "after")
	counts := map[string]int{}
	for _, one := range plan.Items {
		pod := c.judged(t, one.Subject.Namespace, one.Subject.Name)
		bound := pod.Spec.NodeName != ""
		what := "waits"
		if one.DrainedFrom != "" {
			what = "drained"
		}
		counts[fmt.Sprint(what, " ", one.Verdict, " ", bound)]++
		switch {
		case one.Verdict == "Fits" && !bound || one.Verdict == "DoesNotFit" && bound:
			t.Errorf("%s/%s: planned is %s (%s), and it has the node %q: %v", one.Subject.Namespace, one.Subject.Name, one.Verdict, one.Cause, pod.Spec.NodeName, scheduled(pod))
		case bound && !slices.Contains(one.Nodes, pod.Spec.NodeName):
			t.Errorf("%s/%s has the node %s, planned is one of %v", one.Subject.Namespace, one.Subject.Name, pod.Spec.NodeName, one.Nodes)
		}
		if len(one.Devices) == 0 {
			continue
		}
		var want []string
		for _, device := range one.Devices {
			want = append(want, device.Device)
		}
		slices.Sort(want)
		if got := c.gotDevices(t, pod); !slices.Equal(got, want) {
			t.Errorf("%s/%s has %v, planned are %v", one.Subject.Namespace, one.Subject.Name, got, want)
		}
	}
	t.Logf("%v", counts)
	for what, least := range map[string]int{"drained Fits true": 2, "drained DoesNotFit false": 2} {
		if counts[what] < least {
			t.Errorf("only %d pods are %s: this test says little: %v", counts[what], what, counts)
		}
	}
}

// This file is about many pods that wait at once: what the plugin plans for them while nothing moves, and what the
// scheduler then does, which takes them by priority.

package agree_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
)

const (
	plannedClusters = 12 // in one plane, each with nodes of its own
	plannedPods     = 9  // of each
)

// planned is a pod of `plan -o json`.
type planned struct {
	Subject        struct{ Namespace, Name string }
	Verdict, Cause string
	Nodes          []string
	Devices        []struct{ Claim, Request, Device string }
}

// planClasses makes the class of the GPUs, and a priority for each pod of a cluster, the higher the lower its number.
func planClasses(t *testing.T, c *cluster) {
	t.Helper()
	class := &resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "plan"}, Spec: resourceapi.DeviceClassSpec{
		Selectors: []resourceapi.DeviceSelector{{CEL: &resourceapi.CELDeviceSelector{Expression: `device.driver == "plan.example.com"`}}}}}
	if _, err := c.client.ResourceV1().DeviceClasses().Create(t.Context(), class, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	never := corev1.PreemptNever // a pod that is preempted would not be where it was
	for i := range plannedPods {
		priority := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("plan-", i)}, Value: int32(1000 - i), PreemptionPolicy: &never}
		if _, err := c.client.SchedulingV1().PriorityClasses().Create(t.Context(), priority, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// planNodes makes nodes with up to so many GPUs and some cpu each, which have the namespace as a label.
func planNodes(t *testing.T, c *cluster, r *rand.Rand, namespace string, count, most int) {
	t.Helper()
	for i := range count {
		name := fmt.Sprintf("%s-node-%d", namespace, i)
		room := corev1.ResourceList{"cpu": *resource.NewQuantity(2+r.Int64N(8), resource.DecimalSI), "memory": resource.MustParse("64Gi"), "pods": resource.MustParse("110")}
		c.addReadyNode(t, name, map[string]string{"plan": namespace, "half": fmt.Sprint(i % 2)},
			corev1.NodeStatus{Capacity: room, Allocatable: room, Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}})
		slice := &resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: resourceapi.ResourceSliceSpec{Driver: "plan.example.com", NodeName: &name, Pool: resourceapi.ResourcePool{Name: name, Generation: 1, ResourceSliceCount: 1}}}
		for d := range 1 + r.IntN(most) {
			numa := int64(d / 2)
			slice.Spec.Devices = append(slice.Spec.Devices, resourceapi.Device{Name: fmt.Sprint("gpu-", d),
				Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{"numa": {IntValue: &numa}}})
		}
		if _, err := c.client.ResourceV1().ResourceSlices().Create(t.Context(), slice, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// addReadyNode makes a node without taints: the server gives a new one that of a node that is not ready.
func (c *cluster) addReadyNode(t *testing.T, name string, labels map[string]string, status corev1.NodeStatus) {
	t.Helper()
	nodes := c.client.CoreV1().Nodes()
	node, err := nodes.Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}, metav1.CreateOptions{})
	if err == nil {
		node.Status = status
		node, err = nodes.UpdateStatus(t.Context(), node, metav1.UpdateOptions{})
	}
	if err == nil {
		node.Spec.Taints = nil
		_, err = nodes.Update(t.Context(), node, metav1.UpdateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// planNamespace makes a namespace.
func (c *cluster) planNamespace(t *testing.T, name string) {
	t.Helper()
	if _, err := c.client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// planPod makes a pod that asks for so many GPUs on the namespace's nodes, by a claim of its name, both with what `change` adds.
func (c *cluster) planPod(t *testing.T, namespace, name string, gpus int, change func(*resourceapi.ResourceClaim, *corev1.Pod)) {
	t.Helper()
	claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: resourceapi.ResourceClaimSpec{Devices: resourceapi.DeviceClaim{Requests: []resourceapi.DeviceRequest{{Name: "gpu",
			Exactly: &resourceapi.ExactDeviceRequest{DeviceClassName: "plan", AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: int64(gpus)}}}}}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{
		NodeSelector:   map[string]string{"plan": namespace},
		ResourceClaims: []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &name}},
		Containers: []corev1.Container{{Name: "c", Image: "i", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{"cpu": resource.MustParse("1")}, Claims: []corev1.ResourceClaim{{Name: "gpu"}}}}}}}
	change(claim, pod)
	_, err := c.client.ResourceV1().ResourceClaims(namespace).Create(t.Context(), claim, metav1.CreateOptions{})
	if err == nil {
		_, err = c.client.CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// planScene makes a small cluster of nodes with some GPUs and cpu, and pods, the later the less important. In every second
// cluster these are alike, in the others of up to three kinds. A label keeps its pods on its nodes. In every sixth cluster a
// node has one GPU, so that most of its pods get none, whatever the seed.
func planScene(t *testing.T, c *cluster, r *rand.Rand, number int) {
	t.Helper()
	namespace := fmt.Sprintf("plan-%d", number)
	c.planNamespace(t, namespace)
	most := 4
	if number%6 == 0 {
		most = 1
	}
	planNodes(t, c, r, namespace, 2+r.IntN(3), most)
	kinds, anywhere := 1, number%2 == 0
	if !anywhere {
		kinds += r.IntN(3)
	}
	for i := range plannedPods {
		kind := r.IntN(kinds)
		c.planPod(t, namespace, fmt.Sprint("pod-", i), 1+kind, func(claim *resourceapi.ResourceClaim, pod *corev1.Pod) {
			if kind == 1 {
				same := resourceapi.FullyQualifiedName("plan.example.com/numa")
				claim.Spec.Devices.Constraints = []resourceapi.DeviceConstraint{{MatchAttribute: &same}}
			}
			pod.Spec.PriorityClassName = fmt.Sprint("plan-", i)
			if !anywhere && r.IntN(4) == 0 {
				pod.Spec.NodeSelector["half"] = fmt.Sprint(r.IntN(2))
			}
		})
	}
}

// TestPlanIsWhatTheSchedulerDoes has waiting pods of a dozen small clusters planned together, starts the scheduler, and
// compares: a pod that was to get a node has one of those that were named, with the devices that were named, and one
// that was to get none has none.
func TestPlanIsWhatTheSchedulerDoes(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	c := newCluster(t, harness.Options{})
	planClasses(t, c)
	for number := range plannedClusters {
		planScene(t, c, r, number)
	}
	var plan struct{ Items []planned }
	c.report(t, &plan, []int{0, 2, 3}, "plan", "-A")
	if len(plan.Items) != plannedClusters*plannedPods {
		t.Fatalf("%d pods are planned", len(plan.Items))
	}
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, one := range plan.Items {
		pod := c.judged(t, one.Subject.Namespace, one.Subject.Name)
		bound := pod.Spec.NodeName != ""
		counts[fmt.Sprint(one.Verdict, " ", bound)]++
		switch {
		case one.Verdict == "Fits" && !bound || one.Verdict == "DoesNotFit" && bound:
			t.Errorf("%s/%s: planned is %s (%s), and it has the node %q: %v", one.Subject.Namespace, one.Subject.Name, one.Verdict, one.Cause, pod.Spec.NodeName, scheduled(pod))
		case bound && !slices.Contains(one.Nodes, pod.Spec.NodeName):
			t.Errorf("%s/%s has the node %s, planned is one of %v", one.Subject.Namespace, one.Subject.Name, pod.Spec.NodeName, one.Nodes)
		case one.Verdict != "Fits" && one.Verdict != "DoesNotFit" && one.Verdict != "Depends":
			t.Errorf("%s/%s: planned is %s: %s", one.Subject.Namespace, one.Subject.Name, one.Verdict, one.Cause)
		}
		if len(one.Devices) > 0 {
			c.comparePlannedDevices(t, one)
		}
	}
	t.Logf("%v", counts)
	counts["Depends"] = counts["Depends true"] + counts["Depends false"]
	for what, least := range map[string]int{"Fits true": 20, "DoesNotFit false": 10, "Depends": 1} {
		if counts[what] < least {
			t.Errorf("only %d pods are %s: this test says little: %v", counts[what], what, counts)
		}
	}
}

// comparePlannedDevices wants a pod's claim to have the devices that were named.
func (c *cluster) comparePlannedDevices(t *testing.T, one planned) {
	t.Helper()
	claim, err := c.client.ResourceV1().ResourceClaims(one.Subject.Namespace).Get(context.Background(), one.Subject.Name, metav1.GetOptions{})
	if err != nil || claim.Status.Allocation == nil {
		t.Errorf("%s/%s has no devices: %v", one.Subject.Namespace, one.Subject.Name, err)
		return
	}
	var want, got []string
	for _, device := range one.Devices {
		want = append(want, device.Device)
	}
	for _, result := range claim.Status.Allocation.Devices.Results {
		got = append(got, fmt.Sprintf("%s/%s/%s", result.Driver, result.Pool, result.Device))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("%s/%s has %v, planned are %v", one.Subject.Namespace, one.Subject.Name, got, want)
	}
}

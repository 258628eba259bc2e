// This file is about the questions that need more than one kind of objects.

package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const (
	claimsPerNode = 2 // one of them is allocated, and a pod has it
	namespace     = "default"
	waiting       = "waits-for-nine-devices"
)

// answersAsFastAsTheWire wants what a question costs to be little more than the transfer of what it reads: 1.3 times at most is
// the aim, and 0.9 to 1.2 were measured. The bar is where neighbours alone do not lift a ratio.
func answersAsFastAsTheWire(t *testing.T, r *reader) {
	fillNodes(t, r)
	for _, args := range [][]string{{"explain", "pod", waiting, "-n", namespace}, {"overview"}, {"doctor"}} {
		urls := r.asked(t, args)
		hold(t, args[0]+fmt.Sprintf(" against curl, %d requests", len(urls)), 5, 1.4, inTurn(r.answer(t, args), r.curlAll(t, urls)))
	}
}

// answer times a question. That something is found is no failure.
func (r *reader) answer(t *testing.T, args []string) func() time.Duration {
	return func() time.Duration {
		return average(1, func() {
			command := exec.Command(r.ours, args...)
			command.Env = append(os.Environ(), "KUBECONFIG="+r.kubeconfig)
			if err := command.Run(); command.ProcessState.ExitCode() > 3 || command.ProcessState.ExitCode() == 1 {
				t.Fatalf("%q: %v", args, err)
			}
		})
	}
}

var request = regexp.MustCompile(`GET (https://\S+)`)

// asked are the URLs that the question reads, in their order.
func (r *reader) asked(t *testing.T, args []string) []string {
	t.Helper()
	command := exec.Command(r.ours, append([]string{"-v=6"}, args...)...)
	command.Env = append(os.Environ(), "KUBECONFIG="+r.kubeconfig)
	log, _ := command.CombinedOutput()
	var urls []string
	for _, match := range request.FindAllSubmatch(log, -1) {
		urls = append(urls, string(match[1]))
	}
	if len(urls) < 10 {
		t.Fatalf("%q asks for %q only:\n%s", args, urls, log)
	}
	return urls
}

// curlAll reads the same: the pages of a list one after another, as each names the next, and several lists at once. Of the
// metrics kubectl-dra reads the start alone, and curl nothing.
func (r *reader) curlAll(t *testing.T, urls []string) func() time.Duration {
	const connections = 6
	var order []string
	lists := map[string][]string{}
	for _, url := range urls {
		list, _, _ := strings.Cut(url, "?")
		if strings.HasSuffix(list, "/metrics") {
			continue
		}
		if lists[list] == nil {
			order = append(order, list)
		}
		lists[list] = append(lists[list], "-o", "/dev/null", url)
	}
	common := []string{"-sS", "--noproxy", "*", "--cacert", r.plane.CAFile, "-H", "Authorization: Bearer " + r.plane.AdminToken,
		"-H", "Accept: " + asProtobuf + "," + asJSON}
	return func() time.Duration {
		return average(1, func() {
			var group errgroup.Group
			group.SetLimit(connections)
			for _, list := range order {
				group.Go(func() error { return exec.Command("curl", slices.Concat(common, lists[list])...).Run() })
			}
			if err := group.Wait(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// fillNodes adds to the slices their nodes, a class, claims, pods that have the half of them, and one pod that waits.
func fillNodes(t *testing.T, r *reader) {
	t.Helper()
	client := r.client(t)
	class := &resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu"}, Spec: resourceapi.DeviceClassSpec{
		Selectors: selecting(`device.driver == "gpu.nvidia.com"`)}}
	if _, err := client.ResourceV1().DeviceClasses().Create(t.Context(), class, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	inParallel(t, nodes, func(ctx context.Context, i int) error { return fillNode(ctx, client, i) })
	wanted := gpuClaim(waiting, devicesPerNode+1)
	if _, err := client.ResourceV1().ResourceClaims(namespace).Create(t.Context(), wanted, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().Pods(namespace).Create(t.Context(), gpuPod(waiting, "", waiting), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func fillNode(ctx context.Context, client kubernetes.Interface, i int) error {
	name := nodeName(i)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name}}}
	created, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	many := corev1.ResourceList{"cpu": resource.MustParse("96"), "memory": resource.MustParse("1Ti"), "pods": resource.MustParse("110")}
	created.Status = corev1.NodeStatus{Capacity: many, Allocatable: many, Conditions: []corev1.NodeCondition{{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now()}}}
	if _, err := client.CoreV1().Nodes().UpdateStatus(ctx, created, metav1.UpdateOptions{}); err != nil {
		return err
	}
	for c := range claimsPerNode {
		if err := fillClaim(ctx, client, i, c); err != nil {
			return err
		}
	}
	return nil
}

func fillClaim(ctx context.Context, client kubernetes.Interface, i, c int) error {
	name := fmt.Sprintf("train-%05d-%d", i, c)
	claims := client.ResourceV1().ResourceClaims(namespace)
	claim, err := claims.Create(ctx, gpuClaim(name, 1), metav1.CreateOptions{})
	if err != nil || c > 0 {
		return err
	}
	pod, err := client.CoreV1().Pods(namespace).Create(ctx, gpuPod(name, nodeName(i), name), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	claim.Status = resourceapi.ResourceClaimStatus{
		ReservedFor: []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: pod.Name, UID: pod.UID}},
		Allocation:  allocationOf("gpu.nvidia.com", nodeName(i), "gpu-0"),
	}
	if _, err = claims.UpdateStatus(ctx, claim, metav1.UpdateOptions{}); err != nil {
		return err
	}
	return startPod(ctx, client, pod)
}

func startPod(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod) error {
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}, {Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Ready: true, Image: "example.com/train", ImageID: "sha256:1", ContainerID: "containerd://1",
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}}}
	_, err := client.CoreV1().Pods(namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return err
}

func gpuClaim(name string, count int64) *resourceapi.ResourceClaim {
	return &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}, Spec: resourceapi.ResourceClaimSpec{
		Devices: resourceapi.DeviceClaim{Requests: []resourceapi.DeviceRequest{exactly("gpu", count)}}}}
}

func gpuPod(name, node, claim string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}, Spec: corev1.PodSpec{
		NodeName: node, ResourceClaims: []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &claim}},
		Containers: []corev1.Container{{Name: "main", Image: "example.com/train", Resources: corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpu"}}}}}}}
}

// This file is about pods that were scheduled and do not run. The control plane is real; the test plays kubelet and
// drivers by writing what they would write, or lets the real scheduler wait for it.

package agree_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

// failure is what keeps a pod from running after scheduling, in an explanation.
type failure struct {
	Code, Claim, Message, Fails, Driver, Node, Certainty, Remedy, Command string
	Facts                                                                 []struct{ About, Text, Time string }
}

// afterReport is the part of an explanation that is about what fails after scheduling.
type afterReport struct {
	Verdict, Summary string
	Blockers         []blocker
	After            []failure
}

// blocker is what stops a pod before any node is looked at, and who refused what it needs.
type blocker struct {
	Code, Message string
	Refusal       *struct{ By, Name, Said, Requested, Used, Limited string }
}

// codes returns the codes of what fails, the decisive one first.
func (r afterReport) codes() []string {
	var all []string
	for _, one := range r.After {
		all = append(all, one.Code)
	}
	return all
}

// sceneOf reads a scene that is written in the test.
func sceneOf(t *testing.T, text string) *scene.Scene {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return readScene(t, path)
}

// after asks for what fails, and demands an exit code.
func (c *cluster) after(t *testing.T, exit int, subject ...string) afterReport {
	t.Helper()
	var report afterReport
	got := c.report(t, &report, []int{0, 2, 3}, append([]string{"explain"}, subject...)...)
	if got.exit != exit {
		t.Errorf("%v: exit %d instead of %d: %s", subject, got.exit, exit, report.Summary)
	}
	for _, one := range report.After {
		if one.Message == "" || one.Fails == "" || one.Remedy == "" || len(one.Facts) == 0 {
			t.Errorf("%v: %+v", subject, one)
		}
	}
	return report
}

func TestAfterScheduling(t *testing.T) {
	t.Parallel()
	state := readGoldenScene(t, "after-scheduling.yaml")
	c := newCluster(t, harness.Options{})
	c.load(t, state)
	for _, want := range []struct {
		pod, verdict, code, fails string
		exit                      int
		says                      string // in the summary
	}{
		{"not-registered", "Scheduled", "DriverNotRegistered", "prepare", 2, "gpu.example.com is not registered"},
		{"refused", "Scheduled", "PrepareFailed", "prepare", 2, "unknown field"},
		{"older-pod", "Scheduled", "NotReserved", "prepare", 2, "older pod of the same name"},
		{"by-hand", "Scheduled", "NotReserved", "prepare", 2, "not reserved"},
		{"gone", "Scheduled", "DeviceGone", "prepare", 2, "gpu-9"},
		{"tpu-half", "Scheduled", "PartialHost", "prepare", 2, "4 of the 8 chips"},
		// The times of its allocation are those of the scene, long ago.
		{"attaching", "Fits", "BindingLate", "bind", 2, "fabric.example.com/attached"},
		{"not-attached", "Fits", "BindingLate", "bind", 2, "no port is free"},
		{"ill", "Scheduled", "DeviceUnhealthy", "run", 0, "unhealthy"},
		{"rebooted", "Scheduled", "PrepareFailed", "start", 2, "does not find what was prepared for it any more"},
		{"not-ready", "Scheduled", "PrepareFailed", "prepare", 2, "SetupFailed: no firmware"},
		{"tainted", "Scheduled", "DeviceUnhealthy", "run", 0, "example.com/maintenance=planned:NoExecute"},
		{"rejected", "Scheduled", "PodFailed", "start", 2, "he kubelet refused the pod"},
		{"tpu-waits", "Fits", "PartialHost", "prepare", 0, "4 of the 8 chips"},
		{"runs", "Scheduled", "", "", 0, "on node-1 with gpu-5"},
	} {
		report := c.after(t, want.exit, "pod", want.pod, "-n", "ml")
		if report.Verdict != want.verdict || !strings.Contains(report.Summary, want.says) {
			t.Errorf("%s: %s: %s", want.pod, report.Verdict, report.Summary)
		}
		if want.code == "" {
			if len(report.After) != 0 {
				t.Errorf("%s: %+v", want.pod, report.After)
			}
			continue
		}
		if !slices.Equal(report.codes(), []string{want.code}) || report.After[0].Fails != want.fails {
			t.Errorf("%s: %+v", want.pod, report.After)
		}
	}
	for claim, code := range map[string]string{"not-registered": "DriverNotRegistered", "gone": "DeviceGone", "tpu-half": "PartialHost",
		"attaching": "BindingLate"} {
		if report := c.after(t, 2, "claim", claim, "-n", "ml"); !slices.Equal(report.codes(), []string{code}) {
			t.Errorf("claim %s: %+v", claim, report)
		}
	}
	if report := c.after(t, 0, "claim", "runs", "-n", "ml"); len(report.After) != 0 {
		t.Errorf("%+v", report.After)
	}
	c.makesAgain(t, "gone")
}

// makesAgain runs the command that deletes a pod without controller, and then what its sentence says.
func (c *cluster) makesAgain(t *testing.T, pod string) {
	t.Helper()
	c.endPodsLikeKubelets(t, "ml")
	found := c.after(t, 2, "pod", pod, "-n", "ml").After[0]
	create := fmt.Sprintf("kubectl create -f %s.json", pod)
	if !strings.Contains(found.Remedy, create) {
		t.Fatal(found.Remedy)
	}
	c.shell(t, fmt.Sprintf("cd %s && %s && %s", t.TempDir(), found.Command, create))
	made, err := c.client.CoreV1().Pods("ml").Get(t.Context(), pod, metav1.GetOptions{})
	if err != nil || made.Spec.NodeName != "" || made.DeletionTimestamp != nil {
		t.Errorf("%+v: %v", made, err)
	}
}

// fabric is a node with devices that the scheduler waits for, and a pod and a claim for each of the names.
func fabric(pods ...string) string {
	var devices []string
	for i := range pods {
		devices = append(devices,
			fmt.Sprintf("{name: link-%d, bindingConditions: [attached], bindingFailureConditions: [failed]}", i))
	}
	text := nodeWithDevices("fabric", strings.Join(devices, ", "))
	for _, pod := range pods {
		text += fmt.Sprintf(`---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %[1]s, namespace: default}
spec: {devices: {requests: [{name: link, exactly: {deviceClassName: fabric}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: %[1]s, namespace: default}
spec:
  containers: [{name: main, image: none.invalid/none}]
  resourceClaims: [{name: link, resourceClaimName: %[1]s}]
`, pod)
	}
	return text
}

// setCondition writes what the driver says of the only device of a claim, once the scheduler has reserved it.
func (c *cluster) setCondition(t *testing.T, claim, condition string) {
	t.Helper()
	claims := c.client.ResourceV1().ResourceClaims("default")
	harness.Eventually(t, func(ctx context.Context) error {
		found, err := claims.Get(ctx, claim, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if len(found.Status.ReservedFor) == 0 {
			return errors.New("not reserved yet")
		}
		result := found.Status.Allocation.Devices.Results[0]
		found.Status.Devices = []resourceapi.AllocatedDeviceStatus{{Driver: result.Driver, Pool: result.Pool, Device: result.Device,
			Conditions: []metav1.Condition{{Type: condition, Status: metav1.ConditionTrue, Reason: "Cabling", Message: "port 7",
				LastTransitionTime: metav1.Now()}}}}
		_, err = claims.UpdateStatus(ctx, found, metav1.UpdateOptions{})
		return err
	})
}

// The real scheduler waits for conditions of a device, and the test sets them.
func TestBindingConditions(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.load(t, sceneOf(t, fabric("patient")))
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func(ctx context.Context) error {
		claim, err := c.client.ResourceV1().ResourceClaims("default").Get(ctx, "patient", metav1.GetOptions{})
		if err == nil && len(claim.Status.ReservedFor) == 0 {
			err = errors.New("not reserved yet")
		}
		return err
	})
	c.record(t)
	report := c.after(t, 0, "pod", "patient")
	if !slices.Equal(report.codes(), []string{"BindingPending"}) || !strings.Contains(report.Summary, "waits for driver fabric.example.com to set attached") {
		t.Errorf("%+v", report)
	}
	c.setCondition(t, "patient", "attached")
	c.expectBound(t, "patient", true)
	c.record(t)
	if report = c.after(t, 0, "pod", "patient"); report.Verdict != "Scheduled" || len(report.After) != 0 {
		t.Errorf("%+v", report)
	}
}

// A pod that got its node without the scheduler, and a claim that is reserved for an older pod of its name: the
// real controller puts the one right that it can.
func TestReservationsOfOlderPods(t *testing.T) {
	t.Parallel()
	state := readGoldenScene(t, "after-scheduling.yaml")
	c := newCluster(t, harness.Options{})
	c.load(t, without(state, "Event"))
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, pod := range []string{"older-pod", "by-hand"} {
		harness.Eventually(t, func(ctx context.Context) error {
			claim, err := c.client.ResourceV1().ResourceClaims("ml").Get(ctx, pod, metav1.GetOptions{})
			if err != nil {
				return err
			}
			found, err := c.client.CoreV1().Pods("ml").Get(ctx, pod, metav1.GetOptions{})
			if err != nil {
				return err
			}
			if len(claim.Status.ReservedFor) != 1 || claim.Status.ReservedFor[0].UID != found.UID {
				return fmt.Errorf("%s is reserved for %v", pod, claim.Status.ReservedFor)
			}
			return nil
		})
	}
	c.record(t)
	for _, pod := range []string{"older-pod", "by-hand"} {
		if report := c.after(t, 0, "pod", pod, "-n", "ml"); len(report.After) != 0 {
			t.Errorf("%s: %+v", pod, report.After)
		}
	}
}

// A real quota stops the real claim controller, and lets it go on when it is raised.
func TestClaimsOverQuota(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.load(t, sceneOf(t, `
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one-gpu, namespace: ml}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
`))
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	const counted = "count/resourceclaims.resource.k8s.io"
	hard := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{counted: resource.MustParse(amount)}
	}
	quotas := c.client.CoreV1().ResourceQuotas("ml")
	quota, err := quotas.Create(t.Context(), &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "tight"},
		Spec: corev1.ResourceQuotaSpec{Hard: hard("0")}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func(ctx context.Context) error {
		quota, err = quotas.Get(ctx, quota.Name, metav1.GetOptions{})
		if err == nil && len(quota.Status.Used) == 0 {
			err = errors.New("nobody has counted yet")
		}
		return err
	})
	pod := newPod("over-quota")
	pod.Namespace = "ml"
	template := "one-gpu"
	pod.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "dev", ResourceClaimTemplateName: &template}}
	if _, err := c.client.CoreV1().Pods("ml").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func(ctx context.Context) error {
		events, err := c.client.CoreV1().Events("ml").List(ctx, metav1.ListOptions{FieldSelector: "reason=FailedResourceClaimCreation"})
		if err == nil && len(events.Items) == 0 {
			err = errors.New("the claim controller has said nothing yet")
		}
		return err
	})
	c.record(t)
	report := c.after(t, 2, "pod", "over-quota", "-n", "ml")
	at := slices.IndexFunc(report.Blockers, func(one blocker) bool { return one.Code == "ClaimCreationFailed" })
	if report.Verdict != "Blocked" || at < 0 || report.Blockers[at].Refusal == nil {
		t.Fatalf("%+v", report)
	}
	refusal := *report.Blockers[at].Refusal
	if refusal.By != "quota" || refusal.Name != "tight" || refusal.Requested != counted+"=1" || refusal.Limited != counted+"=0" ||
		!strings.Contains(report.Summary, "resource quota tight is exhausted") {
		t.Errorf("%s: %+v", report.Summary, refusal)
	}
	quota.Spec.Hard = hard("5")
	if _, err := quotas.Update(t.Context(), quota, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func(ctx context.Context) error {
		pod, err := c.client.CoreV1().Pods("ml").Get(ctx, "over-quota", metav1.GetOptions{})
		if err == nil && len(pod.Status.ResourceClaimStatuses) == 0 {
			err = errors.New("no claim yet")
		}
		return err
	})
	c.judged(t, "ml", "over-quota")
	c.record(t)
	if report = c.after(t, 2, "pod", "over-quota", "-n", "ml"); report.Verdict == "Blocked" {
		t.Errorf("%+v", report)
	}
}

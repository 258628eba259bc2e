// This file is about what changes on a live plane between two snapshots: diff has to name it, and the change that it
// says decided about a waiting pod has to be the one after which the real scheduler gave it a node.

package agree_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
)

// diffReport is `diff -o json`.
type diffReport struct {
	Summary string
	Changes []objectChange
	Devices []struct {
		ID, Fate      string
		Before, After *struct {
			State        string
			Claims, Pods []string
		}
	}
	Verdicts []struct {
		Subject       struct{ Kind, Namespace, Name string }
		Before, After struct {
			Exists                 bool
			Verdict, Code, Summary string
		}
		Decisive []objectChange
		Bounded  bool
	}
}

type objectChange struct{ Kind, Namespace, Name, Fate, Message string }

// names are those of changes, with what became of them.
func names(changes []objectChange) (all []string) {
	for _, one := range changes {
		all = append(all, fmt.Sprintf("%s %s %s", one.Kind, one.Name, one.Fate))
	}
	return all
}

// keep takes a snapshot that stays.
func (c *cluster) keep(t *testing.T, name string) string {
	t.Helper()
	c.record(t)
	text, err := os.ReadFile(c.recorded)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name+".json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// since asks what has changed since a snapshot: of the live plane, of its last snapshot, and of that as a second file.
func (c *cluster) since(t *testing.T, before string) (d diffReport) {
	t.Helper()
	got := c.report(t, &d, nil, "diff", before)
	files := offline(t, "diff", before, c.recorded, "-o", "json")
	if files.stdout != got.stdout || files.exit != 0 {
		t.Errorf("two files and the plane differ:\n%s%s", difference(got.stdout, files.stdout), files.stderr)
	}
	return d
}

// waitsOrRuns waits until the scheduler has decided about the pod: the node that it gave it, or none.
func (c *cluster) waitsOrRuns(t *testing.T, pod string, runs bool) {
	t.Helper()
	harness.Eventually(t, func(ctx context.Context) error {
		got, err := c.client.CoreV1().Pods("default").Get(ctx, pod, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if scheduled(got) == nil || (got.Spec.NodeName != "") != runs {
			return fmt.Errorf("%s is on %q: %+v", pod, got.Spec.NodeName, scheduled(got))
		}
		return nil
	})
}

const diffPod = `
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %[1]s, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: well}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: %[1]s, namespace: default}
spec:
  containers: [{name: c, image: none.invalid/none}]
  resourceClaims: [{name: r, resourceClaimName: %[1]s}]
---`

func TestDiff(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	cluster := gpuClass("well") + plainNode("n1", "", "v1.37.1") + onNode(sliceOf("well", "well", "n1", 1, 1, "a"), "n1") +
		strings.Replace(holderOf("holder", "well", "n1", "a", ""), ", finalizers: [resource.kubernetes.io/delete-protection]", "", 1)
	for i := range 20 {
		cluster += plainNode(fmt.Sprintf("other-%d", i), "", "v1.37.1")
	}
	c.loadText(t, cluster+fmt.Sprintf(diffPod, "waits"))
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.waitsOrRuns(t, "waits", false)
	before := c.keep(t, "before")
	if d := c.since(t, before); d.Summary != "Nothing changed." {
		t.Errorf("nothing was done: %+v", d)
	}

	const heartbeat = `{"status": {"conditions": [{"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-11-20T10:00:00Z"}]}}`
	for _, args := range [][]string{{"delete", "resourceclaim", "holder"}, {"delete", "node", "other-3"}, {"label", "node", "other-4", "a=b"},
		{"patch", "node", "other-6", "--subresource=status", "-p", heartbeat}} {
		if got := c.kubectl(t, args...); got.exit != 0 {
			t.Fatal(got.stderr)
		}
	}
	c.waitsOrRuns(t, "waits", true)
	freed := c.keep(t, "freed")
	d := c.since(t, before)
	want := []string{"ResourceClaim holder removed", "ResourceClaim waits changed", "Node other-3 removed", "Node other-4 changed", "Pod waits changed"}
	if got := names(d.Changes); !slices.Equal(got, want) {
		t.Errorf("changed %q, and diff says %q", want, got)
	}
	if len(d.Verdicts) != 1 || !slices.Equal(names(d.Verdicts[0].Decisive), want[:1]) || d.Verdicts[0].Bounded ||
		d.Verdicts[0].Before.Code != "DeviceInUse" || d.Verdicts[0].After.Verdict != "Scheduled" {
		t.Errorf("the deletion of a claim let the pod be scheduled, and diff says %+v", d.Verdicts)
	}
	if len(d.Devices) != 1 || d.Devices[0].Fate != "changedHands" || d.Devices[0].Before.Claims[0] != "default/holder" ||
		d.Devices[0].After.Claims[0] != "default/waits" || d.Devices[0].After.Pods[0] != "default/waits" {
		t.Errorf("the device passed from one claim to the other, and diff says %+v", d.Devices)
	}

	c.loadText(t, fmt.Sprintf(diffPod, "late")+onNode(sliceOf("more", "well", "other-5", 1, 1, "b"), "other-5")+`
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: watch}
spec: {deviceSelector: {pool: other-5}, taint: {key: example.com/watch, effect: NoSchedule}}
`)
	c.waitsOrRuns(t, "late", false)
	tainted := c.keep(t, "tainted")
	d = c.since(t, freed)
	if len(d.Verdicts) != 1 || d.Verdicts[0].Before.Exists || d.Verdicts[0].After.Verdict != "DoesNotFit" {
		t.Errorf("a pod came and waits, and diff says %+v", d.Verdicts)
	}
	if len(d.Devices) != 1 || d.Devices[0].Fate != "came" || d.Devices[0].After.State != "tainted" {
		t.Errorf("a tainted device came, and diff says %+v", d.Devices)
	}

	if got := c.kubectl(t, "delete", "devicetaintrule", "watch"); got.exit != 0 {
		t.Fatal(got.stderr)
	}
	c.waitsOrRuns(t, "late", true)
	c.record(t)
	d = c.since(t, tainted)
	if len(d.Verdicts) != 1 || !slices.Equal(names(d.Verdicts[0].Decisive), []string{"DeviceTaintRule watch removed"}) {
		t.Errorf("the end of a taint let the pod be scheduled, and diff says %+v", d.Verdicts)
	}
}

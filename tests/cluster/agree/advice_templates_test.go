// This file is about pods that select no node which there is, and that a workload made: the API server accepts the edits
// of pod templates which are printed as commands or told in words, and refuses what they are not.

package agree_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-dra/tests/cluster/harness"
)

const templateCluster = `apiVersion: v1
kind: Node
metadata: {name: node-1, labels: {pool: a}}
status: {capacity: {cpu: "32", memory: 64Gi, pods: "110"}, allocatable: {cpu: "32", memory: 64Gi, pods: "110"}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
spec: {selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-1-gpu}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}, {name: gpu-1}, {name: gpu-2}, {name: gpu-3}]
`

const podTemplate = `{metadata: {labels: {app: %[1]s}}, spec: {%[2]s nodeSelector: {pool: b}, containers: [{name: x, image: app}]}}`

const ownedPod = `---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %[1]s, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: %[1]s-0, namespace: default, ownerReferences: [{apiVersion: %[2]s, kind: %[3]s, name: %[1]s, uid: u-%[1]s, controller: true}]}
spec:
  nodeSelector: {pool: b}
  resourceClaims: [{name: gpu, resourceClaimName: %[1]s}]
  containers: [{name: x, image: app, resources: {claims: [{name: gpu}]}}]
`

// templateOwner is a workload with one pod that waits.
type templateOwner struct {
	name, version, kind string
	spec                string // what comes before the template
	how                 string // what its advice says; empty: commands are printed
}

var templateOwners = []templateOwner{
	{name: "set", version: "apps/v1", kind: "ReplicaSet", spec: "replicas: 1, selector: {matchLabels: {app: set}}, "},
	{name: "stateful", version: "apps/v1", kind: "StatefulSet",
		spec: "replicas: 1, serviceName: s, selector: {matchLabels: {app: stateful}}, "},
	{name: "work", version: "batch/v1", kind: "Job", how: "The pod template of Job work can be edited only while it is suspended, " +
		"which deletes its pods: suspend it, change the template, then resume it."},
}

func (o templateOwner) yaml() string {
	restart := ""
	if o.kind == "Job" {
		restart = "restartPolicy: Never,"
	}
	return fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: default, uid: u-%s}\nspec: {%stemplate: %s}\n",
		o.version, o.kind, o.name, o.name, o.spec, fmt.Sprintf(podTemplate, o.name, restart)) +
		fmt.Sprintf(ownedPod, o.name, o.version, o.kind)
}

func TestAdviceOnPodTemplates(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	text := templateCluster
	for _, owner := range templateOwners {
		text += owner.yaml()
	}
	path := filepath.Join(t.TempDir(), "owners.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c.load(t, readScene(t, path))
	for _, owner := range templateOwners {
		got := c.plugin(t, "explain", "pod", owner.name+"-0", "-n", "default", "-o", "json")
		var report struct {
			Advice []struct {
				How      string
				Commands []string
			}
		}
		decode(t, got.stdout, &report)
		if got.exit != verdictExits["DoesNotFit"] || len(report.Advice) == 0 {
			t.Fatalf("%s: %+v", owner.kind, got)
		}
		advice := report.Advice[0]
		if owner.how != "" {
			if advice.How != owner.how || len(advice.Commands) != 0 {
				t.Errorf("%s: %+v", owner.kind, advice)
			}
			continue
		}
		if len(advice.Commands) != 2 || !strings.HasPrefix(advice.Commands[1], "kubectl delete pod ") {
			t.Fatalf("%s: %+v", owner.kind, advice)
		}
		c.shell(t, strings.Join(advice.Commands, "\n"))
	}
	c.editsJob(t, "work")
}

// editsJob does what is said of a Job, and what is not.
func (c *cluster) editsJob(t *testing.T, name string) {
	t.Helper()
	jobs := c.client.BatchV1().Jobs("default")
	edit := func(kind types.PatchType, patch string) error {
		_, err := jobs.Patch(t.Context(), name, kind, []byte(patch), metav1.PatchOptions{})
		return err
	}
	const selection = `[{"op":"replace","path":"/spec/template/spec/nodeSelector/pool","value":"a"}]`
	if err := edit(types.JSONPatchType, selection); err == nil {
		t.Error("the template of a Job that is not suspended was changed")
	}
	if err := edit(types.MergePatchType, `{"spec":{"suspend":true}}`); err != nil {
		t.Fatal(err)
	}
	if err := edit(types.JSONPatchType, selection); err != nil {
		t.Error(err)
	}
	if err := edit(types.MergePatchType, `{"spec":{"suspend":false}}`); err != nil {
		t.Error(err)
	}
}

// This file is about workloads that add-ons define: the plugin lists and decodes them where a cluster has them.
// What their controllers do is no matter: the definitions here only keep what is written.

package agree_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/harness"
)

// definition lets the server store objects of a kind with any fields, in namespaces or in none.
func definition(group, version, kind, scope string) string {
	singular := strings.ToLower(kind)
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[5]s.%[1]s, annotations: {api-approved.kubernetes.io: "unapproved, a test"}}
spec:
  group: %[1]s
  names: {kind: %[4]s, listKind: %[4]sList, plural: %[5]s, singular: %[3]s}
  scope: %[6]s
  versions:
  - {name: %[2]s, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---`, group, version, singular, kind, strings.Replace(singular+"s", "sss", "sses", 1), scope)
}

const namespaced = "Namespaced"

func TestAddOns(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.loadText(t, gpuClass("g")+gpuNode("n1", "g", "16", 3)+fmt.Sprintf(gpuTemplate, "one", "g", 1)+fmt.Sprintf(gpuTemplate, "four", "g", 4))
	c.apply(t, definition("jobset.x-k8s.io", "v1alpha2", "JobSet", namespaced)+
		definition("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet", namespaced)+
		definition("ray.io", "v1alpha1", "RayCluster", namespaced))
	pod := func(claimTemplate string) string {
		return strings.ReplaceAll(podOf("x", claimTemplate, "100m"), "restartPolicy: RESTART, ", "")
	}
	objects := fmt.Sprintf(`
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: slice, namespace: default}
spec: {replicatedJobs: [{name: driver, template: {spec: {template: %[1]s}}}, {name: hosts, template: {spec: {parallelism: 4, completions: 4, template: %[1]s}}}]}
---
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: groups, namespace: default}
spec: {replicas: 1, leaderWorkerTemplate: {size: 3, workerTemplate: %[1]s}}
---
apiVersion: ray.io/v1alpha1
kind: RayCluster
metadata: {name: ray, namespace: default}
spec: {headGroupSpec: {template: %[1]s}, workerGroupSpecs: [{groupName: gpus, replicas: 2, template: %[2]s}]}
`, pod("one"), pod("four"))
	harness.Eventually(t, func(context.Context) error {
		for _, kind := range []string{"jobsets", "leaderworkersets", "rayclusters"} {
			if got := c.kubectl(t, "get", kind); got.exit != 0 {
				return fmt.Errorf("%s: %s", kind, got.stderr)
			}
		}
		return nil
	})
	c.apply(t, objects)
	c.record(t)
	for _, test := range []struct {
		kind, name, verdict string
		templates           string // NAME wanted/together fit
	}{
		{"jobset", "slice", "DoesNotFit", "driver 1/0 3, hosts 4/4 3"},
		{"lws", "groups", "Fits", " 3/3 3"},
		{"raycluster", "ray", "DoesNotFit", "head 1/0 3, gpus 2/0 0"},
	} {
		w := c.explainWorkload(t, "default", test.kind, test.name)
		if w.Replicas != nil {
			w.Templates = append(w.Templates, *w.Replicas)
		}
		var templates []string
		for _, one := range w.Templates {
			fit := -1
			if one.Fit != nil {
				fit = *one.Fit
			}
			templates = append(templates, fmt.Sprintf("%s %d/%d %d", one.Template, one.Wanted, one.Together, fit))
		}
		if got := strings.Join(templates, ", "); w.Verdict != test.verdict || got != test.templates || !w.Pods.FromTemplate {
			t.Errorf("%s: %s, %q: %s", test.kind, w.Verdict, got, w.Summary)
		}
	}
}

// TestComputeClass: what new nodes are is a matter of priorities where a cluster has them.
func TestComputeClass(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.loadText(t, gpuClass("g")+strings.Replace(gpuNode("n1", "g", "16", 3), "for: g", "cloud.google.com/compute-class: gpus, cloud.google.com/gke-nodepool: a", 1)+
		`
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: g}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: large, namespace: default}
spec: {nodeName: n1, containers: [{name: c, image: i, resources: {requests: {cpu: 16}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: waits, namespace: default}
spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}, claims: [{name: gpu}]}}], resourceClaims: [{name: gpu, resourceClaimName: one}]}
`)
	said := func() string {
		c.record(t)
		return c.ask(t, "explain", "pod", "waits", "-n", "default", "-o", "wide").stdout
	}
	const alone = "add a node like n1 (node pool a)"
	if text := said(); !strings.Contains(text, alone) {
		t.Errorf("no %q in\n%s", alone, text)
	}
	c.apply(t, definition("cloud.google.com", "v1", "ComputeClass", "Cluster"))
	harness.Eventually(t, func(context.Context) error {
		if got := c.kubectl(t, "get", "computeclasses"); got.exit != 0 {
			return fmt.Errorf("%s", got.stderr)
		}
		return nil
	})
	c.apply(t, `
apiVersion: cloud.google.com/v1
kind: ComputeClass
metadata: {name: gpus}
spec: {priorities: [{machineFamily: n2}, {nodepools: [a]}]}
`)
	const ranked = "add a node like n1 (node pool a, priority 2 of 2 in ComputeClass gpus)"
	if text := said(); !strings.Contains(text, ranked) {
		t.Errorf("no %q in\n%s", ranked, text)
	}
}

// This file is about what makes pods: that the plugin finds the pods which the real controllers have made, that
// as many more fit as the scheduler then places, and that what is planned is told as what exists.

package agree_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-dra/tests/cluster/harness"
)

// workloadReport is `explain KIND NAME -o json`.
type workloadReport struct {
	Kind, Verdict, Summary string
	Pods                   struct {
		Total, Running, Waiting int
		FromTemplate            bool
	}
	Causes []struct {
		Count       int
		Pods        []string
		Explanation explanation
	}
	Replicas  *roomReport
	Templates []roomReport
}

// roomReport is how many more pods of a template fit.
type roomReport struct {
	Template         string
	Wanted, Together int
	Fit              *int
	AtLeast          bool
	UnknownBecause   string
	Nodes            []struct {
		Name string
		Pods int
	}
}

// explainWorkload asks about a workload. The exit code must be that of the verdict, and the counts must add up.
func (c *cluster) explainWorkload(t *testing.T, namespace string, words ...string) workloadReport {
	t.Helper()
	var w workloadReport
	got := c.report(t, &w, []int{0, 2, 3}, append(append([]string{"explain"}, words...), "-n", namespace)...)
	if w.Kind != "WorkloadExplanation" || got.exit != verdictExits[w.Verdict] {
		t.Errorf("%v: %s with verdict %q and exit %d", words, w.Kind, w.Verdict, got.exit)
	}
	folded := 0
	for _, cause := range w.Causes {
		folded += cause.Count
		if len(cause.Pods) != cause.Count {
			t.Errorf("%v: %d pods of %v", words, cause.Count, cause.Pods)
		}
	}
	if !w.Pods.FromTemplate && (folded != w.Pods.Waiting || w.Pods.Running+w.Pods.Waiting != w.Pods.Total) {
		t.Errorf("%v: %+v, of which %d have a cause", words, w.Pods, folded)
	}
	return w
}

// apply gives YAML to the server, as a user would.
func (c *cluster) apply(t *testing.T, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "apply.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := c.kubectl(t, "apply", "--validate=false", "-f", file); got.exit != 0 {
		t.Fatalf("%+v\n%s", got, text)
	}
}

// loadText brings the plane into the state of a scene that is written here.
func (c *cluster) loadText(t *testing.T, text string) {
	t.Helper()
	c.load(t, sceneOf(t, text))
}

// placed waits until the scheduler has said something about so many pods with the label, and returns how many are
// on each node; those without one under "".
func (c *cluster) placed(t *testing.T, namespace, app string, pods int) map[string]int {
	t.Helper()
	var on map[string]int
	harness.Eventually(t, func(ctx context.Context) error {
		list, err := c.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=" + app})
		if err != nil {
			return err
		}
		on = map[string]int{}
		for _, pod := range list.Items {
			if scheduled(&pod) == nil {
				return fmt.Errorf("nothing is said about %s", pod.Name)
			}
			on[pod.Spec.NodeName]++
		}
		if len(list.Items) != pods {
			return fmt.Errorf("%d of %d pods", len(list.Items), pods)
		}
		return nil
	})
	return on
}

const gpuTemplate = `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: %[1]s, namespace: default}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %[2]s, count: %[3]d}}]}}}
---`

// gpuClass has all devices of a driver.
func gpuClass(name string) string {
	return fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: %[1]s}
spec: {selectors: [{cel: {expression: "device.driver == '%[1]s.example.com'"}}]}
---`, name)
}

// gpuNode has so many devices of a driver.
func gpuNode(name, driver, cpu string, devices int) string {
	var names []string
	for i := range devices {
		names = append(names, fmt.Sprintf("{name: gpu-%d}", i))
	}
	return fmt.Sprintf(`
apiVersion: v1
kind: Node
metadata: {name: %[1]s, labels: {kubernetes.io/hostname: %[1]s, for: %[2]s}}
status: {allocatable: {cpu: "%[3]s", memory: 64Gi, pods: "110"}, capacity: {cpu: "%[3]s", memory: 64Gi, pods: "110"}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: %[1]s-gpus}
spec:
  driver: %[2]s.example.com
  nodeName: %[1]s
  pool: {name: %[1]s, generation: 1, resourceSliceCount: 1}
  devices: [%[4]s]
---`, name, driver, cpu, strings.Join(names, ", "))
}

// podOf is a pod template with a claim of a template.
func podOf(app, claimTemplate, cpu string) string {
	return fmt.Sprintf(`{metadata: {labels: {app: %s}}, spec: {restartPolicy: RESTART, containers: [{name: c, image: i, resources: `+
		`{requests: {cpu: %s}, claims: [{name: gpu}]}}], resourceClaims: [{name: gpu, resourceClaimTemplateName: %s}]}}`, app, cpu, claimTemplate)
}

// workload is one of a kind; fields are those of its spec beside the template.
func workload(kind, api, name, fields, claimTemplate, cpu string) string {
	restart, selector := "Always", fmt.Sprintf("selector: {matchLabels: {app: %s}}, ", name)
	if kind == "Job" {
		restart, selector = "Never", ""
	}
	pod := strings.ReplaceAll(podOf(name, claimTemplate, cpu), "RESTART", restart)
	return fmt.Sprintf("\napiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: default}\nspec: {%s%s, template: %s}\n---", api, kind, name, selector, fields, pod)
}

// TestWorkloads lets the real controllers make pods, some of which wait.
func TestWorkloads(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.loadText(t, gpuClass("web")+gpuNode("w1", "web", "16", 2)+gpuClass("big")+gpuNode("b1", "big", "16", 2)+
		fmt.Sprintf(gpuTemplate, "one", "web", 1)+fmt.Sprintf(gpuTemplate, "three", "big", 3)+fmt.Sprintf(gpuTemplate, "two", "big", 2))
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.apply(t, workload("Deployment", "apps/v1", "web", "replicas: 5", "one", "100m")+
		workload("StatefulSet", "apps/v1", "big", "replicas: 3, serviceName: x, podManagementPolicy: Parallel", "three", "100m")+
		workload("Job", "batch/v1", "hosts", "parallelism: 4, completions: 4, completionMode: Indexed", "three", "100m")+
		workload("DaemonSet", "apps/v1", "each", "updateStrategy: {type: RollingUpdate}", "three", "100m"))
	web := c.placed(t, "default", "web", 5)
	for app, pods := range map[string]int{"big": 3, "hosts": 4, "each": 2} {
		if on := c.placed(t, "default", app, pods); on[""] != pods {
			t.Errorf("%s: %v", app, on)
		}
	}
	c.record(t)
	for _, test := range []struct {
		words            []string
		verdict          string
		running, waiting int
		summary          string
	}{
		{[]string{"deployment", "web"}, "DoesNotFit", 2, 3, "3 of 5 pods wait: "},
		{[]string{"sts/big"}, "DoesNotFit", 0, 3, "3 of 3 pods wait: "},
		{[]string{"jobs.batch", "hosts"}, "DoesNotFit", 0, 4, "4 of 4 pods wait: "},
		{[]string{"ds", "each"}, "DoesNotFit", 0, 2, "2 of 2 pods wait"},
	} {
		w := c.explainWorkload(t, "default", test.words...)
		if w.Verdict != test.verdict || w.Pods.Running != test.running || w.Pods.Waiting != test.waiting || !strings.Contains(w.Summary, test.summary) {
			t.Errorf("%v: %s: %+v: %s", test.words, w.Verdict, w.Pods, w.Summary)
		}
		for _, cause := range w.Causes {
			for _, pod := range cause.Pods {
				if alone := c.explain(t, "default", strings.TrimPrefix(pod, "default/")); alone.Verdict != cause.Explanation.Verdict {
					t.Errorf("%s: %s, and among the others %s", pod, alone.Verdict, cause.Explanation.Verdict)
				}
			}
		}
	}
	if web[""] != 3 {
		t.Errorf("the scheduler has put web on %v", web)
	}
	c.comparePending(t, 12)
	c.explainsAfterwards(t)
}

// comparePending demands that every pod that waits is in exactly one cause.
func (c *cluster) comparePending(t *testing.T, pods int) {
	t.Helper()
	var list struct {
		Waiting int
		Items   []struct {
			Count   int
			Pods    []string
			Verdict string
		}
	}
	if got := c.report(t, &list, []int{2}, "explain", "--pending", "-A"); got.exit != 2 {
		t.Errorf("exit %d", got.exit)
	}
	seen := map[string]bool{}
	for _, item := range list.Items {
		for _, pod := range item.Pods {
			if seen[pod] {
				t.Errorf("%s has two causes", pod)
			}
			seen[pod] = true
		}
	}
	if list.Waiting != pods || len(seen) != pods {
		t.Errorf("%d wait, of which %d have a cause, and should be %d", list.Waiting, len(seen), pods)
	}
}

// explainsAfterwards is about a workload whose kind the server does not have, one that a user may not read, and one
// that is not there.
func (c *cluster) explainsAfterwards(t *testing.T) {
	t.Helper()
	fails(t, c.plugin(t, "explain", "jobset", "x"), `the server doesn't have a resource type "jobsets"`)
	fails(t, c.plugin(t, "explain", "deployment", "nosuch"), `deployments.apps "nosuch" not found`)
	c.grant(t, "carol", "resourceclaims", "pods", "resourceslices", "deviceclasses", "nodes", "events", "resourceclaimtemplates", "devicetaintrules")
	fails(t, c.as(t, "carol").plugin(t, "explain", "sts", "big"), `statefulsets.apps "big" is forbidden`)
	fails(t, c.as(t, "carol").plugin(t, "explain", "deployment", "web"), "replicasets.apps is forbidden")
}

// roomCases is how many clusters are invented, beside one another.
const roomCases = 8

// TestReplicasThatFit asks how many more pods of a deployment fit, and scales it up to far more.
func TestReplicasThatFit(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	c := newCluster(t, harness.Options{})
	var text, deployments strings.Builder
	wanted := map[string]int{}
	for i := range roomCases {
		name := fmt.Sprintf("case-%d", i)
		text.WriteString(gpuClass(name))
		for n := range 1 + r.IntN(3) {
			text.WriteString(gpuNode(fmt.Sprintf("%s-%c", name, 'a'+n), name, fmt.Sprint(1+r.IntN(4)), r.IntN(6)))
		}
		fmt.Fprintf(&text, gpuTemplate, name, name, 1+r.IntN(2))
		wanted[name] = r.IntN(3)
		deployments.WriteString(workload("Deployment", "apps/v1", name, fmt.Sprintf("replicas: %d", wanted[name]), name, cpuOf(r)))
	}
	c.loadText(t, text.String())
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.apply(t, deployments.String())
	before := map[string]map[string]int{}
	for name, replicas := range wanted {
		before[name] = c.placed(t, "default", name, replicas)
	}
	c.record(t)
	said := map[string]workloadReport{}
	for name := range wanted {
		said[name] = c.explainWorkload(t, "default", "deployment", name)
	}
	const far = 20
	for name := range wanted {
		patch := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, far)
		if _, err := c.client.AppsV1().Deployments("default").Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for name := range wanted {
		compareRoom(t, name, said[name], before[name], c.placed(t, "default", name, far))
	}
}

// cpuOf is what a pod asks of its node beside devices.
func cpuOf(r *rand.Rand) string { return []string{"100m", "500m", "900m", "1500m"}[r.IntN(4)] }

// compareRoom demands that as many pods are placed as were said to fit, on the nodes that were named.
func compareRoom(t *testing.T, name string, said workloadReport, before, after map[string]int) {
	t.Helper()
	if said.Replicas == nil || said.Replicas.Fit == nil || said.Replicas.AtLeast {
		t.Errorf("%s: %+v", name, said.Replicas)
		return
	}
	foreseen, placed := map[string]int{}, map[string]int{}
	for _, node := range said.Replicas.Nodes {
		foreseen[node.Name] = node.Pods
	}
	total := 0
	for node, pods := range after {
		if more := pods - before[node]; node != "" && more > 0 {
			placed[node] = more
			total += more
		}
	}
	if total != *said.Replicas.Fit || !maps.Equal(foreseen, placed) {
		t.Errorf("%s: %d fit, said the plugin, on %v; the scheduler has placed %d: %v", name, *said.Replicas.Fit, foreseen, total, placed)
	}
}

// TestPlanned compares what is said of a file with what is said, and happens, once it is applied.
func TestPlanned(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.loadText(t, gpuClass("g")+gpuNode("n1", "g", "16", 2)+gpuNode("n2", "g", "1", 4)+fmt.Sprintf(gpuTemplate, "there", "g", 1))
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, text, verdict string }{
		{"fits", fmt.Sprintf(gpuTemplate, "new", "g", 2) + plannedPod("fits", "new", "2"), "Fits"},
		{"there", plannedPod("there", "there", "100m"), "Fits"},
		{"too-many", fmt.Sprintf(gpuTemplate, "many", "g", 5) + plannedPod("too-many", "many", "100m"), "DoesNotFit"},
		{"no-room", fmt.Sprintf(gpuTemplate, "four", "g", 4) + plannedPod("no-room", "four", "2"), "DoesNotFit"},
		{"no-class", fmt.Sprintf(gpuTemplate, "classless", "nosuch", 1) + plannedPod("no-class", "classless", "100m"), "Blocked"},
		{"nothing-of", plannedPod("nothing-of", "nosuch", "100m"), "Blocked"},
	} {
		t.Run(test.name, func(t *testing.T) { c.comparePlanned(t, test.name, test.text, test.verdict) })
	}
}

func plannedPod(name, claimTemplate, cpu string) string {
	return fmt.Sprintf("\napiVersion: v1\nkind: Pod\nmetadata: {name: %[1]s, namespace: default, labels: {app: %[1]s}}\nspec: {containers: [{name: c, image: i, resources: "+
		"{requests: {cpu: %[3]s}, claims: [{name: gpu}]}}], resourceClaims: [{name: gpu, resourceClaimTemplateName: %[2]s}]}\n---", name, claimTemplate, cpu)
}

// allFree waits until nobody holds a device: the pod is gone before its claim.
func (c *cluster) allFree(t *testing.T) {
	t.Helper()
	harness.Eventually(t, func(ctx context.Context) error {
		claims, err := c.client.ResourceV1().ResourceClaims("default").List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, claim := range claims.Items {
			if claim.Status.Allocation != nil {
				return fmt.Errorf("claim %s still holds devices", claim.Name)
			}
		}
		return nil
	})
}

// comparePlanned asks about a file with a pod, applies it, and takes it away again.
func (c *cluster) comparePlanned(t *testing.T, name, text, verdict string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "planned.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var planned explanation
	decode(t, c.plugin(t, "explain", "-f", file, "-o", "json").stdout, &planned)
	if planned.Verdict != verdict {
		t.Errorf("planned: %s", planned.Summary)
	}
	c.apply(t, text)
	defer func() {
		if got := c.kubectl(t, "delete", "--wait=true", "--grace-period=0", "--force", "-f", file); got.exit != 0 {
			t.Errorf("%+v", got)
		}
		c.allFree(t)
	}()
	var pod *corev1.Pod
	harness.Eventually(t, func(ctx context.Context) error {
		var err error
		if pod, err = c.client.CoreV1().Pods("default").Get(ctx, name, metav1.GetOptions{}); err != nil {
			return err
		}
		if scheduled(pod) == nil && name != "nothing-of" { // which has no claim that the scheduler would wait for
			return fmt.Errorf("nothing is said about %s", name)
		}
		return nil
	})
	if bound := pod.Spec.NodeName != ""; bound != (verdict == "Fits") {
		t.Errorf("it is on %q: %+v", pod.Spec.NodeName, scheduled(pod))
	} else if bound {
		open := slices.ContainsFunc(planned.Nodes, func(node nodeReport) bool { return node.Name == pod.Spec.NodeName && node.open() })
		if !open {
			t.Errorf("it is on %s: %s", pod.Spec.NodeName, planned.Summary)
		}
		return
	}
	var real explanation
	decode(t, c.plugin(t, "explain", "pod", name, "-o", "json").stdout, &real)
	for i := range real.Nodes {
		if want, got := codes(real.Nodes[i].Reasons), codes(planned.Nodes[i].Reasons); !slices.Equal(want, got) {
			t.Errorf("node %s: %v, and planned %v", real.Nodes[i].Name, want, got)
		}
	}
	if real.Verdict != planned.Verdict || causeIn(real.Summary, ". ") != causeIn(planned.Summary, ": ") {
		t.Errorf("it exists: %s\nplanned:   %s", real.Summary, planned.Summary)
	}
}

// causeIn is what stands behind the first separator of a headline: behind the phase of a pod that exists, behind the
// verdict on one that does not.
func causeIn(headline, separator string) string {
	_, cause, _ := strings.Cut(headline, separator)
	return strings.ToLower(cause)
}

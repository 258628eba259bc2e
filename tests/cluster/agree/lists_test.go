// This file is about lists of API objects: the plugin prints what kubectl prints, and more columns.

package agree_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// resources are the words of kubectl for what the plugin lists, by the plugin's.
var resources = map[string]string{
	"claims": "resourceclaims", "classes": "deviceclasses", "nodes": "nodes", "pods": "pods",
	"slices": "resourceslices", "taintrules": "devicetaintrules", "templates": "resourceclaimtemplates",
}

// wholeLists are the lists of which the plugin leaves out nothing, where every version of the API has them.
var wholeLists = [][]string{{"claims", "-A"}, {"classes"}, {"nodes"}, {"slices"}, {"templates", "-A"}}

// compareNothing is about a cluster that has nothing to list.
func compareNothing(t *testing.T, c *cluster) {
	c.record(t)
	for _, args := range [][]string{
		{"claims"}, {"claims", "-A"}, {"claims", "-n", "elsewhere"}, {"claims", "-A", "-l", "a=b"},
		{"slices"}, {"pods"}, {"pods", "-A"}, {"pods", "-n", "elsewhere"}, {"templates"}, {"taintrules"},
		{"claims", "--field-selector", "metadata.name!=x"}, {"slices", "--field-selector", "spec.driver=x"},
		{"claims", "--ignore-not-found"}, {"claims", "x", "--ignore-not-found"}, {"slices", "--sort-by", ".spec.driver"},
	} {
		sameOutcome(t, c, args...)
		sameOutcome(t, c, append(args, "-o", "json")...)
		sameOutcome(t, c, append(args, "--no-headers")...)
	}
	same(t, c, []string{"get", "claims,slices"}, []string{"get", "resourceclaims,resourceslices"})
	same(t, c, []string{"get", "claims,templates"}, []string{"get", "resourceclaims,resourceclaimtemplates"})
}

// sameOutcome demands that both programs print the same to both streams, and end the same way.
func sameOutcome(t *testing.T, c *cluster, args ...string) {
	t.Helper()
	same(t, c, args, append([]string{"get", resources[args[0]]}, args[1:]...))
}

// same is sameOutcome for words that differ.
func same(t *testing.T, c *cluster, ours, theirs []string) {
	t.Helper()
	if got, want := c.ask(t, ours...), c.kubectl(t, theirs...); got != want {
		t.Errorf("%s\nwant %+v\ngot  %+v", strings.Join(ours, " "), want, got)
	}
}

// compareTables compares the columns that both programs have.
func compareTables(t *testing.T, c *cluster) {
	sameColumns(t, c, []string{"claims", "-A"}, "NAMESPACE", "NAME", "STATE", "AGE")
	sameColumns(t, c, []string{"slices"}, "NAME", "DRIVER", "POOL", "NODE", "AGE")
	sameColumns(t, c, []string{"slices", "--sort-by", ".metadata.uid"}, "NAME", "DRIVER", "POOL", "AGE")
	sameColumns(t, c, []string{"claims", "-A", "--show-labels", "-L", "app,resource.kubernetes.io/pod-claim-name"},
		"NAMESPACE", "NAME", "APP", "POD-CLAIM-NAME", "LABELS")
	sameColumns(t, c, []string{"claims", "-A", "--show-kind"}, "NAMESPACE", "NAME")
	sameColumns(t, c, []string{"classes"}, "NAME", "AGE")
	sameColumns(t, c, []string{"templates", "-A"}, "NAMESPACE", "NAME", "AGE")
	for _, namespace := range namespaces(t, c) {
		sameColumns(t, c, []string{"claims", "-n", namespace}, "NAME", "STATE", "AGE")
	}
}

// sameColumns compares tables row by row. Time passes between the programs: kubectl's age must lie between
// those of the plugin before and after it.
func sameColumns(t *testing.T, c *cluster, args []string, columns ...string) {
	t.Helper()
	ours := parseTable(t, c.ask(t, args...).stdout)
	theirs := parseTable(t, c.kubectl(t, append([]string{"get", resources[args[0]]}, args[1:]...)...).stdout)
	later := parseTable(t, c.plugin(t, args...).stdout)
	for i, row := range ours {
		row["STATE"], _, _ = strings.Cut(row["STATE"], " (") // why it is pending is the plugin's own
		if i >= len(theirs) || i >= len(later) {
			break
		}
		if theirs[i]["NODE"] == "" {
			row["NODE"] = "" // where kubectl knows no node, the plugin says which ones
		}
		if age := theirs[i]["AGE"]; seconds(row["AGE"]) <= seconds(age) && seconds(age) <= seconds(later[i]["AGE"]) {
			row["AGE"] = age
		}
	}
	want, got := pick(theirs, columns...), pick(ours, columns...)
	if !slices.Equal(want, got) {
		t.Errorf("%s:\n%s", strings.Join(args, " "), difference(strings.Join(want, "\n"), strings.Join(got, "\n")))
	}
}

// compareObjects compares API objects as JSON, byte for byte.
func compareObjects(t *testing.T, c *cluster) {
	for _, list := range wholeLists {
		sameBytes(t, c, list...)
	}
	if c.kubectl(t, "get", resources["taintrules"]).exit == 0 {
		sameBytes(t, c, "taintrules")
	}
	for _, namespace := range namespaces(t, c) {
		sameBytes(t, c, "claims", "-n", namespace)
		sameBytes(t, c, "pods", "-n", namespace, podNames(t, c, namespace)[0])
	}
	all := c.kubectl(t, "get", "pods", "-A", "-o", "json").stdout
	if again := podList(t, all, func(map[string]any) bool { return true }); again != all {
		t.Fatalf("this test does not write JSON as kubectl does:\n%s", difference(all, again))
	}
	want := podList(t, all, usesClaims)
	if got := c.ask(t, "pods", "-A", "-o", "json").stdout; got != want {
		t.Errorf("pods with claims:\n%s", difference(want, got))
	}
}

// compareFormats prints lists in kubectl's other formats. The scenes take turns with them.
func compareFormats(t *testing.T, c *cluster, turn int) {
	formats := [][]string{
		{"-o", "yaml"},
		{"-o", "name"},
		{"-o", `jsonpath={range .items[*]}{.metadata.name}{"\n"}{end}`},
		{"-o", "custom-columns=NAME:.metadata.name,KIND:.kind,SPEC:.spec"},
		{"-o", "yaml", "--sort-by", ".metadata.uid"},
		{"-o", "json", "--chunk-size", "1"},
		{"-o", "name", "--sort-by", "{.metadata.name}"},
		{"-o", "jsonpath-as-json={.items[*].metadata.labels}"},
	}
	for i, list := range wholeLists {
		for _, further := range []int{0, 3} {
			args := append(slices.Clone(list), formats[(turn+i+further)%len(formats)]...)
			got := c.ask(t, args...)
			want := c.kubectl(t, append([]string{"get", resources[args[0]]}, args[1:]...)...)
			if got.stdout != want.stdout || got.exit != want.exit {
				t.Errorf("%s:\n%s%s", strings.Join(args, " "), difference(want.stdout, got.stdout), got.stderr)
			}
		}
	}
	for _, format := range []string{"name", "yaml"} {
		same(t, c, []string{"get", "claims,slices", "-A", "-o", format},
			[]string{"get", "resourceclaims,resourceslices", "-A", "-o", format})
	}
}

// sameBytes compares lists or objects as JSON.
func sameBytes(t *testing.T, c *cluster, args ...string) {
	t.Helper()
	args = append(args, "-o", "json")
	got := c.ask(t, args...)
	want := c.kubectl(t, append([]string{"get", resources[args[0]]}, args[1:]...)...)
	if got.stdout != want.stdout || got.exit != want.exit {
		t.Errorf("%s:\n%s%s", strings.Join(args, " "), difference(want.stdout, got.stdout), got.stderr)
	}
}

// podList writes a list as kubectl does, with the pods that are kept.
func podList(t *testing.T, list string, keep func(pod map[string]any) bool) string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(list))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		t.Fatal(err)
	}
	kept := []any{}
	for _, pod := range object["items"].([]any) {
		if keep(pod.(map[string]any)) {
			kept = append(kept, pod)
		}
	}
	object["items"] = kept
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "    ")
	if err := encoder.Encode(object); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// usesClaims tells which pods the plugin lists.
func usesClaims(pod map[string]any) bool {
	claims, _, _ := unstructured.NestedSlice(pod, "spec", "resourceClaims")
	extended, _, _ := unstructured.NestedMap(pod, "status", "extendedResourceClaimStatus")
	return len(claims) > 0 || extended != nil
}

// compareSelectors selects by a label that claims and slices have. The scenes take turns with the ways to
// do that.
func compareSelectors(t *testing.T, c *cluster, turn int) {
	for _, args := range [][]string{{"claims", "-A"}, {"slices"}} {
		kind := resources[args[0]]
		list := map[string]any{}
		decode(t, c.kubectl(t, append([]string{"get", kind, "-o", "json"}, args[1:]...)...).stdout, &list)
		key, value := aLabel(list)
		selectors := []string{
			key + "=" + value, key + "!=" + value, key, "!" + key, key + "==" + value + ",other!=x",
			key + " in (" + value + ",x)", key + " notin (" + value + ")", key + " notin (x), " + key,
		}
		for i := range 3 {
			sameBytes(t, c, append(slices.Clone(args), "-l", selectors[(turn*3+i)%len(selectors)])...)
		}
	}
	compareFieldSelectors(t, c)
}

// compareFieldSelectors selects by fields, also by some that there are not.
func compareFieldSelectors(t *testing.T, c *cluster) {
	for _, args := range [][]string{
		{"claims", "-A", "--field-selector", "metadata.namespace!=default,metadata.name!=x"},
		{"nodes", "--field-selector", "spec.unschedulable=false"},
		{"nodes", "--field-selector", "spec.unschedulable!=false"},
		{"slices", "--field-selector", "spec.driver=gpu.nvidia.com"},
		{"slices", "--field-selector", "spec.nodeName="},
		{"slices", "--field-selector", "spec.nodeName!=,spec.pool.name!=x"},
	} {
		sameBytes(t, c, args...)
	}
	for _, args := range [][]string{
		{"claims", "--field-selector", "spec.x=y"}, {"slices", "--field-selector", "spec.x=y"},
		{"nodes", "--field-selector", "spec.x=y"},
	} {
		sameFailure(t, c, args...)
	}
}

// aLabel returns a label of some object of the list.
func aLabel(list map[string]any) (string, string) {
	for _, item := range list["items"].([]any) {
		labels := (&unstructured.Unstructured{Object: item.(map[string]any)}).GetLabels()
		if len(labels) > 0 {
			key := slices.Min(slices.Collect(maps.Keys(labels)))
			return key, labels[key]
		}
	}
	return "app", "none-has-it"
}

// compareNames asks for objects by name, also for some that do not exist.
func compareNames(t *testing.T, c *cluster) {
	for _, row := range parseTable(t, c.kubectl(t, "get", "resourceclaims", "-A").stdout) {
		sameBytes(t, c, "claims", row["NAME"], "-n", row["NAMESPACE"])
	}
	for _, row := range parseTable(t, c.kubectl(t, "get", "resourceslices").stdout) {
		sameBytes(t, c, "slices", row["NAME"])
	}
	for _, namespace := range namespaces(t, c) {
		names := append(podNames(t, c, namespace), "")[:2]
		sameBytes(t, c, slices.DeleteFunc([]string{"pods", "-n", namespace, names[1], names[0]},
			func(word string) bool { return word == "" })...)
		sameFailure(t, c, "claims", "no-such-claim", "-n", namespace)
		sameFailure(t, c, "pods", "no-such-pod", "-n", namespace)
	}
	sameFailure(t, c, "slices", "no-such-slice")
	sameFailure(t, c, "claims", "no-such-claim", "-l", "a=b")
	sameFailure(t, c, "claims", "no-such-claim", "-A")
	sameFailure(t, c, "slices", "..")
	sameFailure(t, c, "slices", "a%b")
	sameFailure(t, c, "claims", "-n", "a/b")
	sameFailure(t, c, "slices", "-o", "name", "--sort-by", ".spec.nothing")
}

// sameFailure demands that both programs print nothing but an error, and in the end the same words.
func sameFailure(t *testing.T, c *cluster, args ...string) {
	t.Helper()
	got := c.ask(t, args...)
	want := c.kubectl(t, append([]string{"get", resources[args[0]]}, args[1:]...)...)
	words := strings.TrimSpace(want.stderr)
	if at := strings.LastIndex(words, "\": "); at >= 0 { // a server's words about a selector
		words = words[at+len("\": "):]
	} else {
		_, words, _ = strings.Cut(words, ": ")
	}
	first, _, _ := strings.Cut(got.stderr, "\n")
	if got.exit != 1 || want.exit != 1 || got.stdout != "" || !strings.HasSuffix(first, ": "+words) {
		t.Errorf("%s\nwant %+v\ngot  %+v", strings.Join(args, " "), want, got)
	}
}

// namespaces returns those that have pods.
func namespaces(t *testing.T, c *cluster) []string {
	t.Helper()
	var names []string
	for _, row := range parseTable(t, c.kubectl(t, "get", "pods", "-A").stdout) {
		names = append(names, row["NAMESPACE"])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// podNames returns the pods of a namespace.
func podNames(t *testing.T, c *cluster, namespace string) []string {
	t.Helper()
	return pick(parseTable(t, c.kubectl(t, "get", "pods", "-n", namespace).stdout), "NAME")
}

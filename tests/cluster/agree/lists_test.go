// This file is about lists of API objects: the plugin prints what kubectl prints, and more columns.

package agree_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// resources are the words of kubectl for what the plugin lists, by the plugin's.
var resources = map[string]string{"claims": "resourceclaims", "slices": "resourceslices", "pods": "pods"}

// ageAttempts is how often tables are printed again because a second passed between the two programs.
const ageAttempts = 10

// compareNothing is about a cluster that has nothing to list.
func compareNothing(t *testing.T, c *cluster) {
	c.record(t)
	for _, args := range [][]string{
		{"claims"}, {"claims", "-A"}, {"claims", "-n", "elsewhere"}, {"claims", "-A", "-l", "a=b"},
		{"slices"}, {"pods"}, {"pods", "-A"}, {"pods", "-n", "elsewhere"},
	} {
		sameOutcome(t, c, args...)
		sameOutcome(t, c, append(args, "-o", "json")...)
		sameOutcome(t, c, append(args, "--no-headers")...)
	}
}

// sameOutcome demands that both programs print the same to both streams, and end the same way.
func sameOutcome(t *testing.T, c *cluster, args ...string) {
	t.Helper()
	got := c.ask(t, args...)
	want := c.kubectl(t, append([]string{"get", resources[args[0]]}, args[1:]...)...)
	if got != want {
		t.Errorf("%s\nwant %+v\ngot  %+v", strings.Join(args, " "), want, got)
	}
}

// compareTables compares the columns that both programs have.
func compareTables(t *testing.T, c *cluster) {
	sameColumns(t, c, []string{"claims", "-A"}, "NAMESPACE", "NAME", "STATE", "AGE")
	sameColumns(t, c, []string{"slices"}, "NAME", "DRIVER", "POOL", "NODE", "AGE")
	for _, namespace := range namespaces(t, c) {
		sameColumns(t, c, []string{"claims", "-n", namespace}, "NAME", "STATE", "AGE")
	}
}

// sameColumns compares tables row by row.
func sameColumns(t *testing.T, c *cluster, args []string, columns ...string) {
	t.Helper()
	var want, got []string
	for range ageAttempts {
		ours := parseTable(t, c.ask(t, args...).stdout)
		theirs := parseTable(t, c.kubectl(t, append([]string{"get", resources[args[0]]}, args[1:]...)...).stdout)
		for i, row := range ours {
			row["STATE"], _, _ = strings.Cut(row["STATE"], " (") // why it is pending is the plugin's own
			if i < len(theirs) && theirs[i]["NODE"] == "" {
				row["NODE"] = "" // where kubectl knows no node, the plugin says which ones
			}
		}
		want, got = pick(theirs, columns...), pick(ours, columns...)
		if slices.Equal(want, got) {
			return
		}
	}
	t.Errorf("%s:\n%s", strings.Join(args, " "), difference(strings.Join(want, "\n"), strings.Join(got, "\n")))
}

// compareObjects compares API objects as JSON, byte for byte.
func compareObjects(t *testing.T, c *cluster) {
	sameBytes(t, c, "claims", "-A")
	sameBytes(t, c, "slices")
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
}

// aLabel returns a label of some object of the list.
func aLabel(list map[string]any) (string, string) {
	for _, item := range list["items"].([]any) {
		labels := (&unstructured.Unstructured{Object: item.(map[string]any)}).GetLabels()
		for key, value := range labels {
			return key, value
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
}

// sameFailure demands the same words from both programs, after what they begin errors with.
func sameFailure(t *testing.T, c *cluster, args ...string) {
	t.Helper()
	got := c.ask(t, args...)
	want := c.kubectl(t, append([]string{"get", resources[args[0]]}, args[1:]...)...)
	_, words, _ := strings.Cut(strings.TrimSpace(want.stderr), ": ")
	first, _, _ := strings.Cut(got.stderr, "\n")
	if got.exit != 1 || want.exit != 1 || got.stdout != "" || first != "error: "+words {
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

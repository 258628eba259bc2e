// This file is about descriptions and the overview: a plane and its snapshot give the same, and nothing is
// left out that belongs to what is described.

package agree_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

// described is one thing that can be described: the words after `describe`, and what must be said of it.
type described struct {
	words []string
	says  []string
}

// describable are the nouns, each with how to find what a scene has of it.
var describable = map[string]func(t *testing.T, state *scene.Scene) []described{
	"claim":     describeKind("ResourceClaim", func(t *testing.T, o *unstructured.Unstructured) []string { return claimWords(t, o) }),
	"template":  describeKind("ResourceClaimTemplate", nil),
	"class":     describeKind("DeviceClass", nil),
	"taintrule": describeKind("DeviceTaintRule", nil),
	"node":      describeKind("Node", nil),
	"pod": describeKind("Pod", func(_ *testing.T, o *unstructured.Unstructured) []string {
		return fieldsOf(o, "spec", "resourceClaims", "name")
	}),
	"slice": describeKind("ResourceSlice", func(t *testing.T, o *unstructured.Unstructured) []string {
		slice := typed[resourceapi.ResourceSlice](t, o)
		return []string{slice.Spec.Driver, slice.Spec.Pool.Name}
	}),
	"pool":   describePools,
	"device": describeDevices,
}

// describeKind finds the objects of a kind. The function adds to their names what must be said.
func describeKind(kind string, says func(*testing.T, *unstructured.Unstructured) []string) func(*testing.T, *scene.Scene) []described {
	return func(t *testing.T, state *scene.Scene) []described {
		var found []described
		for _, object := range state.Objects {
			if object.GetKind() != kind {
				continue
			}
			one := described{words: []string{object.GetName()}, says: []string{object.GetName()}}
			if namespace := object.GetNamespace(); namespace != "" {
				one.words = append(one.words, "-n", namespace)
			}
			if says != nil {
				one.says = append(one.says, says(t, object)...)
			}
			found = append(found, one)
		}
		return found
	}
}

// claimWords are the devices that a claim has, and who uses it.
func claimWords(t *testing.T, object *unstructured.Unstructured) []string {
	claim := typed[resourceapi.ResourceClaim](t, object)
	var says []string
	for _, request := range claim.Spec.Devices.Requests {
		says = append(says, request.Name)
	}
	for _, user := range claim.Status.ReservedFor {
		says = append(says, user.Name)
	}
	if claim.Status.Allocation != nil {
		for _, result := range claim.Status.Allocation.Devices.Results {
			says = append(says, result.Device, result.Pool)
		}
	}
	return says
}

// describePools finds the pools of all slices.
func describePools(t *testing.T, state *scene.Scene) []described {
	var found []described
	for _, slice := range published(t, state) {
		id := slice.Spec.Driver + "/" + slice.Spec.Pool.Name
		if !slices.ContainsFunc(found, func(other described) bool { return other.words[0] == id }) {
			found = append(found, described{[]string{id}, []string{slice.Spec.Driver, slice.Spec.Pool.Name, slice.Name}})
		}
	}
	return found
}

// describeDevices finds the first device of each slice that counts.
func describeDevices(t *testing.T, state *scene.Scene) []described {
	newest := map[poolKey]int64{}
	for _, slice := range published(t, state) {
		key := poolKey{slice.Spec.Driver, slice.Spec.Pool.Name}
		newest[key] = max(newest[key], slice.Spec.Pool.Generation)
	}
	var found []described
	for _, slice := range published(t, state) {
		pool := slice.Spec.Pool
		if pool.Generation < newest[poolKey{slice.Spec.Driver, pool.Name}] || len(slice.Spec.Devices) == 0 {
			continue
		}
		device := slice.Spec.Devices[0]
		one := described{[]string{slice.Spec.Driver + "/" + pool.Name + "/" + device.Name}, []string{device.Name, pool.Name, slice.Name}}
		for name := range device.Capacity {
			one.says = append(one.says, string(name))
		}
		for _, taint := range device.Taints {
			one.says = append(one.says, taint.Key)
		}
		found = append(found, one)
	}
	return found
}

// published are the slices of a scene.
func published(t *testing.T, state *scene.Scene) []*resourceapi.ResourceSlice {
	t.Helper()
	var found []*resourceapi.ResourceSlice
	for _, object := range state.Objects {
		if object.GetKind() == "ResourceSlice" {
			found = append(found, typed[resourceapi.ResourceSlice](t, object))
		}
	}
	return found
}

// typed turns an object of the newest version into its type.
func typed[T any](t *testing.T, object *unstructured.Unstructured) *T {
	t.Helper()
	into := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, into); err != nil {
		t.Fatal(err)
	}
	return into
}

// fieldsOf are the values of a field of all items of a list.
func fieldsOf(object *unstructured.Unstructured, path ...string) []string {
	var values []string
	items, _, _ := unstructured.NestedSlice(object.Object, path[:len(path)-1]...)
	for _, item := range items {
		if value, _, _ := unstructured.NestedString(item.(map[string]any), path[len(path)-1]); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// textsOf are the keys and the texts of a report.
func textsOf(value any) (texts []string) {
	switch value := value.(type) {
	case string:
		return []string{value}
	case []any:
		for _, item := range value {
			texts = append(texts, textsOf(item)...)
		}
	case map[string]any:
		for key, member := range value {
			texts = append(append(texts, key), textsOf(member)...)
		}
	}
	return texts
}

// compareDescriptions describes everything in a scene, and gives the overview.
func compareDescriptions(t *testing.T, c *cluster, state *scene.Scene) {
	for noun, find := range describable {
		t.Run("describe "+noun, func(t *testing.T) {
			t.Parallel()
			for _, one := range find(t, state) {
				args := append([]string{"describe", noun}, one.words...)
				text := c.askText(t, args...)
				report, _ := c.askReport(t, args...)
				values := strings.Join(textsOf(report), "\n")
				for _, word := range one.says {
					if !strings.Contains(text, word) {
						t.Errorf("%s does not say %q:\n%s", strings.Join(args, " "), word, text)
					}
					if !strings.Contains(values, word) {
						t.Errorf("%s -o json does not say %q:\n%s", strings.Join(args, " "), word, values)
					}
				}
			}
		})
	}
	t.Run("overview", func(t *testing.T) {
		t.Parallel()
		recent := *c
		c := &recent
		// What is a problem depends on how long ago something was deleted, and it may become one between the two; what
		// fits a screen depends on how long the name of a snapshot is.
		harness.Eventually(t, func(context.Context) error {
			c.record(t)
			_, err := c.sameText(t, "overview", "-o", "wide")
			return err
		})
		text := c.plugin(t).stdout
		for _, slice := range published(t, state) {
			if !strings.Contains(text, slice.Spec.Driver) {
				t.Errorf("the overview does not say %q:\n%s", slice.Spec.Driver, text)
			}
		}
		c.askReport(t, "overview")
	})
}

// times matches ages and durations in texts, the title above ages, and the blanks around them, which depend on
// how long they are.
var times = regexp.MustCompile(`\s*\b(\d+(ms|[smhdy]))+\b\s*|\s*\d{4}-\d\d-\d\dT[0-9:.Z]+\s*| *\bAGE\b *`)

// withoutTimes removes them.
func withoutTimes(text string) string { return times.ReplaceAllString(text, " ") }

// location matches what names the server or the file: a line, and a flag of the commands that go on.
var location = regexp.MustCompile(`(?m)^(CONTEXT|SERVER|SNAPSHOT|Context|Server|Snapshot|Cluster).*\n|\s--snapshot\s\S+`)

// askText asks the plane and its snapshot for text, which must be the same but for times.
func (c *cluster) askText(t *testing.T, args ...string) string {
	t.Helper()
	text, err := c.sameText(t, args...)
	if err != nil {
		t.Error(err)
	}
	return text
}

// sameText is askText for what may differ the first time: how it does is an error.
func (c *cluster) sameText(t *testing.T, args ...string) (string, error) {
	t.Helper()
	live := c.plugin(t, args...)
	replayed := offline(t, append(slices.Clone(args), "--snapshot", c.full)...)
	plain := func(text string) string { return withoutTimes(location.ReplaceAllString(text, "")) }
	if want, got := plain(live.stdout), plain(replayed.stdout); want != got || live.exit != 0 || replayed.exit != 0 {
		return "", fmt.Errorf("%s: the plane and its snapshot differ (exit %d and %d):\n%s%s%s", strings.Join(args, " "),
			live.exit, replayed.exit, difference(want, got), live.stderr, replayed.stderr)
	}
	return live.stdout, nil
}

// askReport asks for a report as JSON, which a user who sees everything gets whole.
func (c *cluster) askReport(t *testing.T, args ...string) (report map[string]any, exit int) {
	t.Helper()
	got := c.plugin(t, append(args, "-o", "json")...)
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil {
		t.Fatalf("%v: %v in %s", args, err, summary(got))
	}
	return report, got.exit
}

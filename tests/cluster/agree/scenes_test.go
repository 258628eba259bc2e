// This file is about the fixtures on planes that serve different versions of the API: what kubectl
// says of them, and that every version gives the same reports.

package agree_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

// taintRule is the one kind that v1beta1 lacks.
const taintRule = "DeviceTaintRule"

// reports are what commands printed, by command. Ages and uids are not in them, as these differ from
// plane to plane.
type reports map[string]string

func TestScenes(t *testing.T) {
	t.Parallel()
	want, wantWithoutRules := map[string]reports{}, map[string]reports{}
	t.Run("v1", func(t *testing.T) {
		c := newCluster(t, harness.Options{})
		t.Run("nothing at all", func(t *testing.T) { compareNothing(t, c) })
		for i, name := range scene.Good {
			state := readFixture(t, name)
			t.Run(name, func(t *testing.T) {
				with(t, c, state, func() {
					compareTables(t, c)
					compareObjects(t, c)
					compareFormats(t, c, i)
					compareSelectors(t, c, i)
					compareNames(t, c)
					want[name] = c.reports(t)
				})
				// v1beta1 has no taint rules: there the scene is what v1 shows without them, so nothing is
				// compared that follows from rules.
				wantWithoutRules[name] = want[name]
				if rest := without(state, taintRule); len(rest.Objects) < len(state.Objects) {
					with(t, c, rest, func() { wantWithoutRules[name] = c.reports(t) })
				}
			})
		}
	})
	if t.Failed() {
		return // there is nothing to compare with
	}
	for serve, want := range map[harness.Serve]map[string]reports{harness.V1beta2: want, harness.V1beta1: wantWithoutRules} {
		t.Run(string(serve), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, harness.Options{Serve: serve})
			for _, name := range scene.Good {
				t.Run(name, func(t *testing.T) {
					with(t, c, readFixture(t, name), func() {
						compareObjects(t, c)
						compareReports(t, want[name], c.reports(t))
					})
				})
			}
		})
	}
}

// with loads a scene, for as long as the function takes.
func with(t *testing.T, c *cluster, state *scene.Scene, use func()) {
	t.Helper()
	loaded := c.load(t, state)
	for _, object := range loaded.Skipped {
		if kind := object.GetKind(); !strings.HasPrefix(kind, "Compute") && kind != taintRule {
			t.Errorf("%s %s is not served", kind, object.GetName())
		}
	}
	use()
	if err := loaded.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// reports runs every command whose answer does not depend on the version of the API.
func (c *cluster) reports(t *testing.T) reports {
	t.Helper()
	all := reports{}
	for _, args := range [][]string{
		{"devices", "-o", "json"}, {"devices", "-o", "wide"}, {"pools", "-o", "json"}, {"pools"},
		{"claims", "-A"}, {"claims", "-A", "-o", "wide"}, {"pods", "-A"}, {"slices"}, {"classes"}, {"nodes"},
		{"templates", "-A"}, {"drivers"}, {"drivers", "-o", "json"},
	} {
		got := c.ask(t, args...)
		if got.exit != 0 {
			t.Errorf("%v: %+v", args, got)
		}
		all[strings.Join(args, " ")] = withoutAges(got.stdout)
	}
	for _, args := range c.subjects(t) {
		got := c.ask(t, append(args, "-o", "json")...)
		if got.exit != 0 && got.exit != 2 && got.exit != 3 {
			t.Errorf("%v: %+v", args, got)
		}
		all[strings.Join(args, " ")] = fmt.Sprintf("exit %d\n%s", got.exit, got.stdout)
	}
	return all
}

// subjects returns an explain command for every pod and claim.
func (c *cluster) subjects(t *testing.T) [][]string {
	t.Helper()
	var commands [][]string
	pods, err := c.client.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pod := range pods.Items {
		commands = append(commands, []string{"explain", "pod", pod.Name, "-n", pod.Namespace})
	}
	for _, row := range parseTable(t, c.kubectl(t, "get", "resourceclaims", "-A").stdout) {
		commands = append(commands, []string{"explain", "claim", row["NAME"], "-n", row["NAMESPACE"]})
	}
	return commands
}

func compareReports(t *testing.T, want, got reports) {
	t.Helper()
	for _, command := range slices.Sorted(maps.Keys(want)) {
		if want, got := folded(want[command]), folded(got[command]); want != got {
			t.Errorf("%s is not what it is with v1:\n%s", command, difference(want, got))
		}
	}
	if len(got) != len(want) || len(want) < 8 {
		t.Errorf("%d reports with v1, %d now", len(want), len(got))
	}
}

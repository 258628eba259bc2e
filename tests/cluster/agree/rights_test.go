// This file is about users who see only a part of the cluster: what cannot be read is said, and nothing is
// concluded from it; and the role that the plugin proposes lets a user see all.

package agree_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

func TestRights(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	state := readFixture(t, "pods-pending.yaml")
	c.load(t, state)
	c.grant(t, "bob", "resourceclaims")
	c.grant(t, "carol", "resourceclaims", "pods")
	t.Run("claims", func(t *testing.T) { seesClaims(t, c, c.as(t, "bob"), state) })
	t.Run("claims and pods", func(t *testing.T) { seesPods(t, c, c.as(t, "carol"), state) })
	t.Run("single claims", func(t *testing.T) { seesSingleClaims(t, c, c.as(t, "alice"), state) })
	t.Run("everything", func(t *testing.T) { seesEverything(t, c, c.as(t, "alice"), state) })
	t.Run("watches", func(t *testing.T) { watchesAsAllowed(t, c.as(t, "alice"), c.as(t, "bob")) })
}

// watchesAsAllowed is about a user with the role that the plugin proposes, and one who may list claims and not watch them.
func watchesAsAllowed(t *testing.T, alice, bob *cluster) {
	for _, args := range [][]string{{"claims", "-A", "-w"}, {"nodes", "-w"}, {"classes", "-w"}} {
		w := alice.watch(t, pluginEnv, args...)
		w.shows(t, "\n")
		if _, stderr := w.output(); stderr != "" {
			t.Errorf("%q: %s", args, stderr)
		}
	}
	got := bob.plugin(t, "claims", "-A", "-w", "--no-headers")
	if got.exit != 1 || !strings.Contains(got.stderr, `cannot watch resource "resourceclaims"`) {
		t.Errorf("a watch that is forbidden: %+v", got)
	}
}

// named are the objects of a kind, as arguments.
func named(state *scene.Scene, kind string) [][]string {
	var all [][]string
	for _, object := range state.Objects {
		if object.GetKind() == kind {
			all = append(all, []string{object.GetName(), "-n", object.GetNamespace()})
		}
	}
	return all
}

// seesClaims is about a user who may list claims only.
func seesClaims(t *testing.T, c, bob *cluster, state *scene.Scene) {
	for _, claim := range named(state, "ResourceClaim") {
		got := bob.plugin(t, append([]string{"describe", "claim"}, claim...)...)
		if got.exit != 0 || !strings.Contains(got.stdout, claim[0]) || !strings.Contains(got.stdout+got.stderr, "cannot be read") {
			t.Errorf("describe claim %s: %+v", claim[0], got)
		}
		callsNothingFree(t, got.stdout)
		report, exit := bob.askReport(t, append([]string{"explain", "claim"}, claim...)...)
		admin, _ := c.askReport(t, append([]string{"explain", "claim"}, claim...)...)
		provesLess(t, admin, report, exit)
	}
	overview, _ := bob.askReport(t, "overview")
	misses(t, overview, "ResourceSlice", "Pod", "Node", "DeviceClass")
	text := bob.plugin(t)
	callsNothingFree(t, text.stdout)
	if text.exit != 0 || !strings.Contains(text.stdout+text.stderr, "cannot be read") {
		t.Errorf("overview: %+v", text)
	}
	for _, command := range []string{"devices", "pools", "drivers"} {
		fails(t, bob.plugin(t, command), "resourceslices.resource.k8s.io is forbidden")
	}
	fails(t, bob.plugin(t, append([]string{"explain", "pod"}, named(state, "Pod")[0]...)...), "pods is forbidden")
}

// seesPods is about a user who may list pods and claims: why a pod waits can be proven only where that
// follows from them.
func seesPods(t *testing.T, c, carol *cluster, state *scene.Scene) {
	undetermined := 0
	for _, pod := range named(state, "Pod") {
		report, exit := carol.askReport(t, append([]string{"explain", "pod"}, pod...)...)
		admin, _ := c.askReport(t, append([]string{"explain", "pod"}, pod...)...)
		provesLess(t, admin, report, exit)
		if report["verdict"] == "Undetermined" {
			undetermined++
			if !strings.Contains(fmt.Sprint(report), "NotVisible") {
				t.Errorf("pod %s: nothing says NotVisible: %v", pod[0], report)
			}
		}
		got := carol.plugin(t, append([]string{"describe", "pod"}, pod...)...)
		if got.exit != 0 || !strings.Contains(got.stdout, pod[0]) {
			t.Errorf("describe pod %s: %+v", pod[0], got)
		}
		callsNothingFree(t, got.stdout)
	}
	if undetermined == 0 {
		t.Error("everything is proven without nodes and slices")
	}
}

// provesLess compares what a user gets who sees less with what one gets who sees all.
func provesLess(t *testing.T, admin, report map[string]any, exit int) {
	t.Helper()
	misses(t, report, "ResourceSlice", "Node")
	codes := map[any]int{"Scheduled": 0, "Blocked": 2, "Undetermined": 3}
	code, known := codes[report["verdict"]]
	if !known || exit != code || (report["verdict"] != "Undetermined" && report["verdict"] != admin["verdict"]) {
		t.Errorf("%v: verdict %v with exit %d, instead of %v", report["subject"], report["verdict"], exit, admin["verdict"])
	}
	callsFree(t, report)
}

// misses demands that a report says which kinds could not be read.
func misses(t *testing.T, report map[string]any, kinds ...string) {
	t.Helper()
	coverage, _ := report["coverage"].(map[string]any)
	missing, _ := coverage["missing"].([]any)
	for _, kind := range kinds {
		if !slices.ContainsFunc(missing, func(entry any) bool { return entry.(map[string]any)["kind"] == kind }) {
			t.Errorf("%v does not say that it misses %s: %v", report["kind"], kind, coverage)
		}
	}
}

// callsFree demands that no device in a report is free.
func callsFree(t *testing.T, value any) {
	t.Helper()
	switch value := value.(type) {
	case map[string]any:
		if count, ok := value["free"].(float64); ok && count > 0 || value["state"] == "free" {
			t.Errorf("is called free: %v", value)
		}
		for _, field := range value {
			callsFree(t, field)
		}
	case []any:
		for _, item := range value {
			callsFree(t, item)
		}
	}
}

// callsNothingFree demands the same of a text.
func callsNothingFree(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if i := slices.Index(words, "free"); i > 0 && strings.Trim(words[i-1], "0123456789") == "" && words[i-1] != "0" {
			t.Errorf("is called free: %s", line)
		}
	}
}

// seesSingleClaims is about a user who may get claims, but not list them.
func seesSingleClaims(t *testing.T, c, alice *cluster, state *scene.Scene) {
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "get-claims"}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{"resource.k8s.io"}, Resources: []string{"resourceclaims"}, Verbs: []string{"get"}}}}
	if _, err := c.client.RbacV1().ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	c.bind(t, "alice", role.Name)
	claim := append(named(state, "ResourceClaim")[0], "-o", "yaml")
	var want outcome
	harness.Eventually(t, func(context.Context) error {
		if want = alice.kubectl(t, append([]string{"get", "resourceclaims"}, claim...)...); want.exit != 0 {
			return fmt.Errorf("kubectl: %+v", want)
		}
		return nil
	})
	if got := alice.plugin(t, append([]string{"claims"}, claim...)...); got != want {
		t.Errorf("want %+v\ngot  %+v", want, got)
	}
	if got := alice.plugin(t, append([]string{"claims"}, claim[:3]...)...); got.exit != 0 || !strings.Contains(got.stdout, claim[0]) {
		t.Errorf("as a table: %+v", got)
	}
	fails(t, alice.plugin(t, "claims", "-A"), "resourceclaims.resource.k8s.io is forbidden")
}

// seesEverything gives a user the role that the plugin proposes.
func seesEverything(t *testing.T, c, alice *cluster, state *scene.Scene) {
	proposed := c.plugin(t, "rbac")
	if proposed.exit != 0 || c.plugin(t, "rbac", "-o", "json").exit != 0 {
		t.Fatalf("rbac: %+v", proposed)
	}
	var role rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict([]byte(proposed.stdout), &role); err != nil {
		t.Fatal(err)
	}
	for _, rule := range role.Rules {
		for _, verb := range rule.Verbs {
			if !slices.Contains([]string{"get", "list", "watch"}, verb) {
				t.Errorf("who only reads needs no %s", verb)
			}
		}
	}
	if applied := feed(t, proposed.stdout, program(t, kubectlEnv), c.kubeconfig, "apply", "-f", "-"); applied.exit != 0 {
		t.Fatalf("%+v", applied)
	}
	c.bind(t, "alice", role.Name)
	commands := [][]string{{"devices"}, {"pools"}, {"drivers"}, {"overview"}}
	commands = append(commands, append([]string{"explain", "pod"}, named(state, "Pod")[0]...), append([]string{"explain", "claim"}, named(state, "ResourceClaim")[0]...))
	harness.Eventually(t, func(context.Context) error {
		got := alice.plugin(t, "overview", "-o", "json")
		if strings.Contains(got.stdout, `"coverage"`) || got.exit != 0 {
			return fmt.Errorf("the overview still misses something: %s %s", got.stdout, got.stderr)
		}
		return nil
	})
	for _, command := range commands {
		report, exit := alice.askReport(t, command...)
		admin, want := c.askReport(t, command...)
		if _, missing := report["coverage"]; missing || exit != want || fmt.Sprint(report["items"]) != fmt.Sprint(admin["items"]) {
			t.Errorf("%v: exit %d instead of %d, coverage %v", command, exit, want, report["coverage"])
		}
	}
	for _, command := range [][]string{{"claims", "-A"}, {"nodes"}, {"classes"}, {"templates", "-A"}, {"taintrules"}, {"pods", "-A"}, {"slices"}} {
		want, got := c.plugin(t, command...), alice.plugin(t, command...)
		if want.exit != got.exit || got.stderr != want.stderr || withoutAges(got.stdout) != withoutAges(want.stdout) {
			t.Errorf("%v: want %+v\ngot  %+v", command, want, got)
		}
	}
}

// TestRightsInOneNamespace is about a user who sees devices and nodes, and the claims and pods of one namespace: of
// these everything is said, and of others nothing.
func TestRightsInOneNamespace(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	state := readFixture(t, "pods-pending.yaml")
	c.load(t, state)
	c.grant(t, "alice", "resourceslices", "deviceclasses", "devicetaintrules", "nodes")
	alice := c.as(t, "alice")
	c.grantIn(t, "alice", "pending")
	harness.Eventually(t, func(context.Context) error {
		if got := alice.plugin(t, "claims", "-n", "pending"); got.exit != 0 {
			return fmt.Errorf("%+v", got)
		}
		return nil
	})
	alice.record(t, "-n", "pending")
	for _, pod := range named(state, "Pod") {
		args := append([]string{"explain", "pod"}, pod...)
		report, _ := alice.askReport(t, args...)
		admin, _ := c.askReport(t, args...)
		if said, want := claimsTold(report), claimsTold(admin); said != want {
			t.Errorf("pod %s: its claims are\n%s, want\n%s", pod[0], said, want)
		}
		if report["verdict"] != "Undetermined" && report["verdict"] != admin["verdict"] {
			t.Errorf("pod %s: %v, want %v", pod[0], report["verdict"], admin["verdict"])
		}
		misses(t, report, "ResourceClaim")
		callsFree(t, report)
		alice.ask(t, args...)
	}
	for _, claim := range named(state, "ResourceClaim") {
		got := alice.plugin(t, append([]string{"describe", "claim"}, claim...)...)
		if got.exit != 0 || !strings.Contains(got.stderr, "resourceclaims cannot be read but in namespace pending (") {
			t.Errorf("describe claim %s: %+v", claim[0], got)
		}
		callsNothingFree(t, got.stdout)
	}
	for ns, want := range map[string]string{"default": "resourceclaims cannot be read in namespace default", "pending": `resourceclaim "nobody" not found`} {
		if got := alice.plugin(t, "topology", "claim", "nobody", "-n", ns); got.exit != 1 || !strings.Contains(got.stderr, want) {
			t.Errorf("topology of a claim in %s: %+v, want %s", ns, got, want)
		}
	}
	alice.seesItsOwn(t, c)
	alice.toldWithoutAsking(t)
}

// claimsTold is which claims a pod is said to have, in which states.
func claimsTold(report map[string]any) string {
	var told []string
	claims, _ := report["claims"].([]any)
	for _, one := range claims {
		claim := one.(map[string]any)
		told = append(told, fmt.Sprint(claim["namespace"], claim["name"], claim["podClaim"], claim["state"]))
	}
	return strings.Join(told, "\n")
}

// seesItsOwn compares what is said of the namespace itself.
func (c *cluster) seesItsOwn(t *testing.T, admin *cluster) {
	t.Helper()
	for _, one := range []struct {
		field string
		args  []string
	}{
		{"claims", []string{"overview", "-n", "pending"}},
		{"podsWaiting", []string{"overview", "-n", "pending"}},
		{"items", []string{"top", "namespaces", "-n", "pending"}},
		{"gone", []string{"topology", "claim", "p07-gpu", "-n", "pending"}},
	} {
		report, _ := c.askReport(t, one.args...)
		want, _ := admin.askReport(t, one.args...)
		if fmt.Sprint(report[one.field]) != fmt.Sprint(want[one.field]) {
			t.Errorf("%v: %s is\n%v, want\n%v", one.args, one.field, report[one.field], want[one.field])
		}
	}
}

// toldWithoutAsking is about the context's namespace, where no other's claims may be read: unless all are asked for, it is
// what the overview and doctor tell of.
func (c *cluster) toldWithoutAsking(t *testing.T) {
	t.Helper()
	if got := c.kubectl(t, "config", "set-context", "--current", "--namespace=pending"); got.exit != 0 {
		t.Fatalf("%+v", got)
	}
	for _, command := range []string{"overview", "doctor"} {
		asked, _ := c.askReport(t, command, "-n", "pending")
		got, _ := c.askReport(t, command)
		if got["namespace"] != "pending" || fmt.Sprint(got["claims"], lasting(got)) != fmt.Sprint(asked["claims"], lasting(asked)) {
			t.Errorf("%s reports %v:\n%v, want\n%v", command, got["namespace"], got, asked)
		}
		if all, _ := c.askReport(t, command, "-A"); all["namespace"] != nil || all["claims"] != nil {
			t.Errorf("%s -A reports %v: %v", command, all["namespace"], all["claims"])
		}
	}
}

// lasting are the codes and subjects of problems, but for those that come with time, and that a namespace which was asked
// for cannot be looked up.
func lasting(report map[string]any) (told []string) {
	problems, _ := report["problems"].([]any)
	for _, one := range problems {
		problem := one.(map[string]any)
		if subject, _ := problem["subject"].(map[string]any); problem["code"] != "ClaimDeleting" && subject["kind"] != "Namespace" {
			told = append(told, fmt.Sprint(problem["code"], problem["subject"], problem["subjects"]))
		}
	}
	return told
}

// This file is about several clusters at once: one behind a slow proxy, one without resource.k8s.io, and one that is
// down.

package agree_test

import (
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"kubectl-dra/tests/cluster/harness"
)

// pieceDelay is how long the slow proxy holds back each piece of an answer.
const pieceDelay = 20 * time.Millisecond

// slowProxy leads to a plane, and delays what it answers.
func slowProxy(t *testing.T, plane *harness.Plane) string {
	t.Helper()
	target := strings.TrimPrefix(plane.URL, "https://")
	return "https://" + listen(t, nil, func(client net.Conn) {
		server, err := net.Dial("tcp", target)
		if err != nil {
			return
		}
		defer server.Close()
		go func() {
			_, _ = io.Copy(server, client)
			server.Close()
		}()
		piece := make([]byte, 64<<10)
		for {
			n, err := server.Read(piece)
			if n > 0 {
				<-time.After(pieceDelay)
				if _, failed := client.Write(piece[:n]); failed != nil {
					return
				}
			}
			if err != nil {
				return
			}
		}
	})
}

// fleet is a kubeconfig with a context for each cluster.
type fleet struct {
	kubeconfig string
}

// answered is one item of a ContextList.
type answered struct {
	Context  string
	ExitCode int
	Report   json.RawMessage
	Errors   []struct{ Message string }
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	state := readFixture(t, "claims.yaml")
	state.Objects = slices.DeleteFunc(state.Objects, func(object *unstructured.Unstructured) bool {
		return strings.HasPrefix(object.GetName(), "c09-") // for how long it is being deleted differs between two questions
	})
	slow, old, down := newCluster(t, harness.Options{}), newCluster(t, harness.Options{Serve: harness.None}), newCluster(t, harness.Options{})
	if _, err := state.Load(t.Context(), slow.config); err != nil {
		t.Fatal(err)
	}
	all := api.NewConfig()
	for name, c := range map[string]*cluster{"slow": slow, "old": old, "down": down} {
		one, err := clientcmd.LoadFromFile(c.kubeconfig)
		if err != nil {
			t.Fatal(err)
		}
		current := one.Contexts[one.CurrentContext]
		all.Clusters[name], all.AuthInfos[name] = one.Clusters[current.Cluster], one.AuthInfos[current.AuthInfo]
		all.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name, Namespace: current.Namespace}
	}
	all.Clusters["slow"].Server = slowProxy(t, slow.Plane)
	all.CurrentContext = "slow"
	f := &fleet{filepath.Join(t.TempDir(), "fleet")}
	if err := clientcmd.WriteToFile(*all, f.kubeconfig); err != nil {
		t.Fatal(err)
	}
	if err := down.Stop(); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fleet) ask(t *testing.T, args ...string) outcome {
	t.Helper()
	return run(t, program(t, pluginEnv), f.kubeconfig, args...)
}

// alone asks one of them, with the program that is faster.
func (f *fleet) alone(t *testing.T, context string, args ...string) outcome {
	t.Helper()
	return run(t, program(t, releaseEnv), f.kubeconfig, append(slices.Clone(args), "--context", context)...)
}

// TestSeveralContexts holds each command that can ask several clusters to what it says of each alone.
func TestSeveralContexts(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	manifest := filepath.Join(t.TempDir(), "claim.yaml")
	if err := os.WriteFile(manifest, []byte(firstClaim(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"claims", "-A"}, {"devices"}, {"get", "classes,pods", "-A"}, {"top"}, {"overview"},
		{"doctor"}, {"explain", "--pending", "-A"}, {"explain", "-f", manifest}} {
		t.Run(strings.Join(command[:min(len(command), 2)], " "), func(t *testing.T) {
			f.compareReports(t, command)
			f.compareText(t, command)
		})
	}
	t.Run("sorted", f.compareSorted)
}

// firstClaim is a claim of the fixture, as JSON, under another name.
func firstClaim(t *testing.T) string {
	t.Helper()
	for _, object := range readFixture(t, "claims.yaml").Objects {
		if object.GetKind() != "ResourceClaim" {
			continue
		}
		claim := object.DeepCopy()
		claim.SetName("planned")
		delete(claim.Object, "status")
		text, err := claim.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	t.Fatal("the fixture has no claim")
	return ""
}

// contexts are those of a fleet, in the order in which they are asked for.
var contexts = []string{"down", "slow", "old"}

// compareReports asks for JSON: each context has the report and the exit code that it has alone.
func (f *fleet) compareReports(t *testing.T, command []string) {
	t.Helper()
	args := append(slices.Clone(command), "-o", "json")
	got := f.ask(t, append(args, "--contexts", strings.Join(contexts, ","))...)
	var list struct{ Items []answered }
	decode(t, got.stdout, &list)
	if got.exit != 1 || len(list.Items) != len(contexts) {
		t.Fatalf("%+v", got)
	}
	for i, item := range list.Items {
		if item.Context == "down" {
			if item.ExitCode != 1 || item.Report != nil || len(item.Errors) != 1 || !strings.Contains(got.stderr, "warning: context down: ") {
				t.Errorf("%+v\n%s", item, got.stderr)
			}
			continue
		}
		alone := f.alone(t, contexts[i], args...)
		failed := alone.exit == 1
		if item.Context != contexts[i] || item.ExitCode != alone.exit || failed != (len(item.Errors) > 0) {
			t.Errorf("%s, which alone exits with %d: %+v\n%s", contexts[i], alone.exit, item, alone.stderr)
		}
		if failed != strings.Contains(got.stderr, "warning: context "+contexts[i]+": ") {
			t.Errorf("%s: %s", contexts[i], got.stderr)
		}
		if failed || alone.stdout == "" {
			continue
		}
		if want, have := timeless(indented(t, []byte(alone.stdout))), timeless(indented(t, item.Report)); want != have {
			t.Errorf("%s:\n%s", contexts[i], difference(want, have))
		}
	}
}

// rowsOf are the lines of tables without ages, with one space between words.
func rowsOf(text string) []string {
	var rows []string
	for line := range strings.Lines(withoutAges(text)) {
		if words := strings.Fields(line); len(words) > 0 {
			rows = append(rows, strings.Join(words, " "))
		}
	}
	return rows
}

// compareSorted asks one cluster under two names: what both have stands together, in the order that it has alone.
func (f *fleet) compareSorted(t *testing.T) {
	all, err := clientcmd.LoadFromFile(f.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	all.Contexts["again"] = all.Contexts["slow"]
	twice := &fleet{filepath.Join(t.TempDir(), "twice")}
	if err := clientcmd.WriteToFile(*all, twice.kubeconfig); err != nil {
		t.Fatal(err)
	}
	args := []string{"claims", "-A", "--sort-by", ".metadata.name"}
	rows := rowsOf(f.alone(t, "slow", args...).stdout)
	want := []string{"CONTEXT " + rows[0]}
	name := func(i int) string { return strings.Fields(rows[i])[1] }
	for i := 1; i < len(rows); {
		same := i
		for same < len(rows) && name(same) == name(i) {
			same++
		}
		for _, context := range []string{"slow", "again"} {
			for _, row := range rows[i:same] {
				want = append(want, context+" "+row)
			}
		}
		i = same
	}
	got := twice.ask(t, append(args, "--contexts", "slow,again")...)
	have := rowsOf(got.stdout)
	if got.exit != 0 || len(want) < 10 || !slices.Equal(want, have) {
		t.Errorf("exit %d\n%s\nwanted:\n%s\n%s", got.exit, strings.Join(have, "\n"), strings.Join(want, "\n"), got.stderr)
	}
}

// indented is JSON in one form.
func indented(t *testing.T, text []byte) string {
	t.Helper()
	var value any
	decode(t, string(text), &value)
	out, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// compareText asks for text: rows have the name of the one cluster that has any in front, and reports stand below it.
func (f *fleet) compareText(t *testing.T, command []string) {
	t.Helper()
	got := f.ask(t, append(slices.Clone(command), "--all-contexts")...)
	alone := f.alone(t, "slow", command...)
	if got.exit != 1 || alone.exit == 1 || alone.stdout == "" {
		t.Fatalf("%+v, and alone %+v", got, alone)
	}
	switch command[0] {
	case "overview", "doctor", "explain":
		if !strings.Contains(timeless(got.stdout), "Context slow\n\n"+timeless(alone.stdout)) {
			t.Errorf("of all:\n%s\nalone:\n%s", got.stdout, alone.stdout)
		}
	default:
		var have []string
		for _, row := range rowsOf(got.stdout) {
			context, rest, _ := strings.Cut(row, " ")
			if context != "CONTEXT" && context != "slow" {
				t.Errorf("the row %q names no context", row)
			}
			have = append(have, rest)
		}
		want := rowsOf(alone.stdout)
		if !slices.Equal(want, have) {
			t.Errorf("of all:\n%s\nalone:\n%s", got.stdout, alone.stdout)
		}
	}
	if command[0] == "explain" && command[1] == "-f" && !strings.HasPrefix(got.stdout, "Fits in ") {
		t.Errorf("it does not say first where it fits:\n%s", got.stdout)
	}
}

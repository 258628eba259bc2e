// Package agree_test holds the plugin against upstream: what it prints, against kubectl and against
// what the API types say; what it concludes, against the scheduler and the controllers. Everything
// upstream does is done by the real programs of a control plane that the test starts.
//
// Whatever a test asks of a server it asks of a snapshot of that server too, and the answers must be
// the same. The server is asked with the sanitized build, the snapshot with the release that users have.
package agree_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
	"kubectl-dra/tests/schema"
)

// Environment variables with the paths of the programs under test.
const (
	pluginEnv  = "KUBECTL_DRA_BINARY"
	releaseEnv = "KUBECTL_DRA_RELEASE"
	kubectlEnv = "KUBECTL_DRA_KUBECTL"
	fieldsEnv  = "KUBECTL_DRA_FIELDS"
)

// program returns the path that an environment variable names.
func program(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		t.Fatalf("%s is not set: it must name the program to test", variable)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return path
}

// outcome is what a program printed and how it ended.
type outcome struct {
	stdout, stderr string
	exit           int
}

// run runs a program with nothing of this process's environment but a kubeconfig. What it prints is held to its schema
// if it is a report.
func run(t *testing.T, path, kubeconfig string, args ...string) outcome {
	t.Helper()
	return feed(t, "", path, kubeconfig, args...)
}

// feed is run with a text on standard input.
func feed(t *testing.T, stdin, path, kubeconfig string, args ...string) outcome {
	t.Helper()
	command := exec.CommandContext(t.Context(), path, args...)
	if stdin != "" {
		command.Stdin = strings.NewReader(stdin)
	}
	command.Env = []string{"KUBECONFIG=" + kubeconfig, "HOME=" + t.TempDir()}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s %v: %v", filepath.Base(path), args, err)
	}
	schema.ForTest(t).Check(t, strings.Join(args, " "), stdout.String())
	return outcome{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
}

// offline asks files with the plugin, and no server.
func offline(t *testing.T, args ...string) outcome {
	t.Helper()
	return run(t, program(t, releaseEnv), "/nonexistent/kubeconfig", args...)
}

// cluster is a control plane and everything that asks it.
type cluster struct {
	*harness.Plane
	config     *rest.Config
	client     kubernetes.Interface
	kubeconfig string
	snapshots
	flags []string // of the command that recorded them
}

// snapshots are the paths of two of one cluster.
type snapshots struct {
	recorded string
	full     string // the same with nothing left out
}

// newCluster starts a frozen plane for the test. How many there are at once is up to -parallel alone: to wait
// for another test's plane would take from that test's own cases the place in which they run.
func newCluster(t *testing.T, options harness.Options) *cluster {
	t.Helper()
	c := &cluster{Plane: harness.ForTest(t, options), kubeconfig: filepath.Join(t.TempDir(), "kubeconfig")}
	var err error
	if c.config, err = c.RESTConfig(harness.Admin); err != nil {
		t.Fatal(err)
	}
	if c.client, err = kubernetes.NewForConfig(c.config); err != nil {
		t.Fatal(err)
	}
	if err := c.Kubeconfig(c.kubeconfig, harness.Admin); err != nil {
		t.Fatal(err)
	}
	return c
}

// load brings the plane into the state of a scene, and records it.
func (c *cluster) load(t *testing.T, state *scene.Scene) *scene.Loaded {
	t.Helper()
	loaded, err := state.Load(t.Context(), c.config)
	if err != nil {
		t.Fatal(err)
	}
	c.record(t)
	return loaded
}

// record takes the snapshots that answers are compared with from now on.
func (c *cluster) record(t *testing.T, flags ...string) {
	t.Helper()
	c.flags = flags
	c.snapshots = c.take(t)
}

func (c *cluster) take(t *testing.T) snapshots {
	t.Helper()
	dir := t.TempDir()
	taken := snapshots{filepath.Join(dir, "snapshot.json"), filepath.Join(dir, "full.json")}
	for _, args := range [][]string{{"snapshot", taken.recorded}, {"snapshot", "--full", taken.full}} {
		if got := c.plugin(t, append(args, c.flags...)...); got.exit != 0 || got.stdout != "" {
			t.Fatalf("%v: %+v", args, got)
		}
	}
	return taken
}

// kubectl asks the plane with upstream's kubectl.
func (c *cluster) kubectl(t *testing.T, args ...string) outcome {
	t.Helper()
	return run(t, program(t, kubectlEnv), c.kubeconfig, args...)
}

// plugin asks the plane with the plugin, and nobody else.
func (c *cluster) plugin(t *testing.T, args ...string) outcome {
	t.Helper()
	return run(t, program(t, pluginEnv), c.kubeconfig, args...)
}

// ask asks the plane with the plugin, and the last snapshot as well. Standard output and exit code must
// be the same but for the ages in tables: the clock of a snapshot is the time when it was taken. A scheduler
// that failed tries again by itself, and counts that: of answers that differ both are asked for once more.
func (c *cluster) ask(t *testing.T, args ...string) outcome {
	t.Helper()
	const tries = 3
	taken := c.snapshots
	for try := 1; ; try++ {
		live, replayed := c.plugin(t, args...), replay(t, taken, args)
		// Commands to paste name the snapshot that they are about.
		want, got := withoutAges(live.stdout), withoutAges(strings.ReplaceAll(replayed.stdout, " --snapshot "+taken.recorded, ""))
		if want == got && live.exit == replayed.exit {
			return live
		}
		if try == tries {
			t.Errorf("%s: the plane and its snapshot differ (exit %d and %d):\n%s%s%s", strings.Join(args, " "),
				live.exit, replayed.exit, difference(want, got), live.stderr, replayed.stderr)
			return live
		}
		taken = c.take(t)
	}
}

// replay asks the snapshot that has what the answer needs.
func replay(t *testing.T, from snapshots, args []string) outcome {
	t.Helper()
	snapshot := from.recorded
	if printsObjects(args) {
		snapshot = from.full
	}
	end := len(args) // of the flags
	if at := slices.Index(args, "--"); at >= 0 {
		end = at
	}
	return offline(t, slices.Insert(slices.Clone(args), end, "--snapshot", snapshot)...)
}

// printsObjects tells whether a command prints API objects, of which a snapshot leaves parts out unless
// it is full.
func printsObjects(args []string) bool {
	output := slices.Index(args, "-o")
	return (args[0] == "get" || resources[args[0]] != "") && output >= 0 && args[output+1] != "wide"
}

// report asks for JSON and decodes it. The command must succeed, or end with one of the codes given.
func (c *cluster) report(t *testing.T, into any, codes []int, args ...string) outcome {
	t.Helper()
	got := c.ask(t, append(args, "-o", "json")...)
	if got.exit != 0 && !slices.Contains(codes, got.exit) {
		t.Fatalf("%v: %+v", args, got)
	}
	decode(t, got.stdout, into)
	return got
}

// decode reads JSON that must be right.
func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
}

// difference shows the first lines in which two texts differ.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		if line, other := at(a, i), at(b, i); line != other {
			from := max(0, i-2)
			return "want " + strings.Join(a[min(from, len(a)):min(i+4, len(a))], "\n     ") +
				"\ngot  " + strings.Join(b[min(from, len(b)):min(i+4, len(b))], "\n     ") + "\n"
		}
	}
	return ""
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

// fixturePath is the path of a scene of tests/fixtures.
func fixturePath(name string) string { return filepath.Join("..", "..", "fixtures", name) }

// recordedFixture is the path of the scene with what a recording says of itself: that the file has all there is, and
// the server's release.
func recordedFixture(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(fixturePath(name))
	if err != nil {
		t.Fatal(err)
	}
	const facts = "\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: kubectl-dra-snapshot, namespace: default}\n" +
		"data: {serverVersion: v1.37.1}\n"
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, append(text, facts...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// goldenScenePath is the path of a scene that goldens were made of.
func goldenScenePath(name string) string { return filepath.Join("..", "..", "golden", "scenes", name) }

func readFixture(t *testing.T, name string) *scene.Scene {
	t.Helper()
	return readScene(t, fixturePath(name))
}

func readGoldenScene(t *testing.T, name string) *scene.Scene {
	t.Helper()
	return readScene(t, goldenScenePath(name))
}

// readScene reads a scene that may be in several files.
func readScene(t *testing.T, paths ...string) *scene.Scene {
	t.Helper()
	state, err := scene.Read(paths...)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// without returns a scene that lacks the objects of one kind.
func without(state *scene.Scene, kind string) *scene.Scene {
	return &scene.Scene{Objects: slices.DeleteFunc(slices.Clone(state.Objects),
		func(object *unstructured.Unstructured) bool { return object.GetKind() == kind })}
}

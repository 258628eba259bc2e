// This file is about --watch: lists print what `kubectl get --watch` prints, also over a restart of the API server, and
// `explain --watch` each change of the answer once.

package agree_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kubectl-dra/tests/cluster/harness"
)

// watcher is a program that does not end by itself.
type watcher struct {
	*exec.Cmd
	args   []string
	mutex  sync.Mutex
	stdout bytes.Buffer
	stderr bytes.Buffer
	exited chan struct{}
}

// locked writes to a buffer that is read at the same time.
type locked struct {
	mutex *sync.Mutex
	to    io.Writer
}

func (l locked) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.to.Write(text)
}

func (c *cluster) watch(t *testing.T, variable string, args ...string) *watcher {
	t.Helper()
	return c.watchOn(t, nil, variable, args...)
}

// watchOn starts a program on a terminal, or without one.
func (c *cluster) watchOn(t *testing.T, terminal *os.File, variable string, args ...string) *watcher {
	t.Helper()
	w := &watcher{Cmd: exec.CommandContext(t.Context(), program(t, variable), args...), args: args, exited: make(chan struct{})}
	w.Env = []string{"KUBECONFIG=" + c.kubeconfig, "HOME=" + t.TempDir()}
	w.Stdout, w.Stderr = locked{&w.mutex, &w.stdout}, locked{&w.mutex, &w.stderr}
	if terminal != nil {
		w.Stdout = terminal
		w.Env = append(w.Env, "TERM=xterm", "NO_COLOR=1")
	}
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = w.Wait() // how it ended is in ProcessState
		close(w.exited)
	}()
	t.Cleanup(func() {
		_ = w.Process.Kill()
		<-w.exited
	})
	return w
}

func (w *watcher) output() (stdout, stderr string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.stdout.String(), w.stderr.String()
}

// shows waits until the program has printed a text.
func (w *watcher) shows(t *testing.T, text string) {
	t.Helper()
	harness.Eventually(t, func(context.Context) error {
		stdout, stderr := w.output()
		if strings.Contains(stdout, text) {
			return nil
		}
		return fmt.Errorf("%v: waiting for %q\nstdout: %s\nstderr: %s", w.args, text, stdout, stderr)
	})
}

var (
	claimsResource  = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"}
	classesResource = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "deviceclasses"}
	slicesResource  = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceslices"}
	podsResource    = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
)

// watchedKind is a kind whose objects the test changes, with the body of an object.
type watchedKind struct {
	resource   schema.GroupVersionResource
	kind       string
	word       string // of the plugin
	namespaced bool
	body       string // behind the metadata
}

var watchedKinds = []watchedKind{
	{claimsResource, "ResourceClaim", "claims", true, `"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"marker"}}]}}`},
	{classesResource, "DeviceClass", "classes", false, `"spec":{}`},
	{slicesResource, "ResourceSlice", "slices", false, `"spec":{"driver":"d.example.com","allNodes":true,"pool":{"name":"p","generation":1,"resourceSliceCount":9},"devices":[{"name":"a"}]}`},
	{podsResource, "Pod", "pods", true, `"spec":{"containers":[{"name":"c","image":"none.invalid/none"}],"resourceClaims":[{"name":"x","resourceClaimName":"none"}],"terminationGracePeriodSeconds":0}`},
}

// changed changes the objects of a kind.
type changed struct {
	watchedKind
	dynamic.ResourceInterface
}

func (c *cluster) changing(t *testing.T, kind watchedKind) changed {
	t.Helper()
	client, err := dynamic.NewForConfig(c.config)
	if err != nil {
		t.Fatal(err)
	}
	if kind.namespaced {
		return changed{kind, client.Resource(kind.resource).Namespace("default")}
	}
	return changed{kind, client.Resource(kind.resource)}
}

func (o changed) create(t *testing.T, name string) {
	t.Helper()
	var object map[string]any
	text := fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":%q,"labels":{"app":"w"}},%s}`,
		o.resource.GroupVersion().String(), o.kind, name, o.body)
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Create(t.Context(), &unstructured.Unstructured{Object: object}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func (o changed) label(t *testing.T, name, value string) {
	t.Helper()
	patch := fmt.Sprintf(`{"metadata":{"labels":{"app":%q}}}`, value)
	if _, err := o.Patch(t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}

func (o changed) delete(t *testing.T, name string) {
	t.Helper()
	if err := o.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

// change makes events of all types, the last one about the object `end`.
func (o changed) change(t *testing.T, round string) {
	t.Helper()
	a, b := "a-"+round, "a-much-longer-name-"+round
	o.create(t, a)
	o.label(t, a, "w2")
	o.create(t, b)
	o.label(t, "seed", "w-"+round)
	o.delete(t, a)
	o.label(t, b, "other")
	o.create(t, "end-"+round)
}

const linePath = `jsonpath={.metadata.name} {.metadata.resourceVersion} {.metadata.labels.app}{"\n"}`

func TestWatchedLists(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	for _, kind := range watchedKinds {
		t.Run(kind.word, func(t *testing.T) {
			o := c.changing(t, kind)
			o.create(t, "seed")
			type pair struct{ ours, theirs *watcher }
			var pairs []pair
			for _, flags := range [][]string{
				{"-w", "-o", "json"}, {"-w", "-o", "yaml"}, {"-w", "-o", "name"}, {"-w", "-o", linePath}, {"-w", "-o", "kyaml"},
				{"-w", "-o", "json", "--output-watch-events"}, {"-w", "-o", "yaml", "--output-watch-events"},
				{"-w", "-o", "name", "--output-watch-events"}, {"-w", "-o", "json", "--show-managed-fields"},
				{"-w", "-l", "app=w2", "-o", linePath}, {"-w", "-o", linePath, "--field-selector", "metadata.name!=seed"},
				{"-w", "seed", "-o", linePath}, {"--watch-only", "-o", linePath}, {"-w", "--output-watch-events", "-o", `go-template={{.type}} {{.object.metadata.name}}{{"\n"}}`},
				{"-w", "-o", "custom-columns=APP:.metadata.labels.app,NAME:.metadata.name,V:.metadata.resourceVersion"},
				{"-w", "-o", "custom-columns=T:.type,NAME:.object.metadata.name,V:.object.metadata.resourceVersion", "--output-watch-events"},
				{"-w", "--no-headers", "-o", "custom-columns=NAME:.metadata.name,APP:.metadata.labels.app"},
			} {
				pairs = append(pairs, pair{c.watch(t, pluginEnv, append([]string{kind.word}, flags...)...),
					c.watch(t, kubectlEnv, append([]string{"get", resources[kind.word]}, flags...)...)})
			}
			// A watch without a list says nothing of its beginning: the first round makes sure that all have begun.
			begin := 0
			harness.Eventually(t, func(context.Context) error {
				begin++
				o.label(t, "seed", fmt.Sprintf("begin-%d", begin))
				for _, p := range pairs {
					for _, w := range []*watcher{p.ours, p.theirs} {
						stdout, stderr := w.output()
						if stdout == "" && !slices.Contains(w.args, "app=w2") && !slices.Contains(w.args, "metadata.name!=seed") {
							return fmt.Errorf("%v has not begun: %s", w.args, stderr)
						}
					}
				}
				return nil
			})
			o.change(t, "one")
			for _, p := range pairs {
				harness.Eventually(t, func(context.Context) error { return sameWatch(p.ours, p.theirs) })
			}
		})
	}
}

// sameWatch compares what two programs have printed of the changes. They may have begun at different times.
func sameWatch(ours, theirs *watcher) error {
	got, stderr := ours.output()
	want, _ := theirs.output()
	if stderr != "" {
		return fmt.Errorf("%v: %s", ours.args, stderr)
	}
	first, last := "a-one", "end-one"
	switch {
	case slices.Contains(ours.args, "seed"):
		first, last = "w-one", "w-one"
	case slices.Contains(ours.args, "app=w2"):
		last = first
	}
	if !strings.Contains(want, last) {
		return fmt.Errorf("%v: kubectl has not come to %s", ours.args, last)
	}
	_, got, _ = strings.Cut(got, first)
	_, want, _ = strings.Cut(want, first)
	if got != want {
		return fmt.Errorf("%v:\n%s", ours.args, difference(want, got))
	}
	return nil
}

// Tables have columns that kubectl has not, so only the order of rows and their events are compared.
func TestWatchedTables(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	for _, kind := range watchedKinds {
		t.Run(kind.word, func(t *testing.T) {
			o := c.changing(t, kind)
			o.create(t, "seed")
			ours := c.watch(t, pluginEnv, kind.word, "-w", "--output-watch-events")
			theirs := c.watch(t, kubectlEnv, "get", resources[kind.word], "-w", "--output-watch-events")
			ours.shows(t, "seed")
			theirs.shows(t, "seed")
			o.change(t, "one")
			ours.shows(t, "end-one")
			theirs.shows(t, "end-one")
			rows := func(w *watcher) (rows []string) {
				stdout, _ := w.output()
				for line := range strings.Lines(stdout) {
					words := strings.Fields(line)
					// Slices say how many there should be in their pool: others that come change its rows, too.
					rows = append(rows, strings.Join(words[:2], " "))
				}
				return rows
			}
			got, want := rows(ours), rows(theirs)
			if kind.word == "slices" || kind.word == "classes" {
				got, want = slices.Compact(got), slices.Compact(want)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s", difference(strings.Join(want, "\n"), strings.Join(got, "\n")))
			}
		})
	}
}

// seen counts the versions of objects that events named.
func seen(t *testing.T, stdout string) (events []string) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(stdout))
	for {
		var event struct {
			Type   string
			Object struct{ Metadata metav1.ObjectMeta }
		}
		err := decoder.Decode(&event)
		if errors.Is(err, io.EOF) {
			return events
		}
		if err != nil {
			t.Fatal(err)
		}
		meta := event.Object.Metadata
		events = append(events, fmt.Sprintf("%s %s %s", event.Type, meta.Name, meta.Labels["app"]))
	}
}

// What happens while the server is away, or forgets, is printed once it is back: each object as it is then.
func TestWatchOverRestart(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	o := c.changing(t, watchedKinds[0])
	for _, name := range []string{"stays", "changes", "goes", "changes-back"} {
		o.create(t, name)
	}
	w := c.watch(t, pluginEnv, "claims", "-w", "-o", "json", "--output-watch-events")
	table := c.watch(t, pluginEnv, "claims", "-w")
	w.shows(t, "stays")
	table.shows(t, "stays")
	o.label(t, "changes", "first")
	w.shows(t, "first")
	// The program stands still while the past is forgotten, so it comes back with a version that is too old.
	if err := w.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	o.label(t, "changes", "second")
	o.label(t, "changes", "third")
	o.delete(t, "goes")
	o.create(t, "comes")
	o.create(t, "comes-and-goes")
	o.delete(t, "comes-and-goes")
	if err := c.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := c.RestartAPIServer(t.Context(), func() error { return w.Process.Signal(syscall.SIGCONT) })
	if err != nil {
		t.Fatal(err)
	}
	o.label(t, "stays", "at-last")
	w.shows(t, "at-last")
	table.shows(t, "comes")
	stdout, stderr := w.output()
	if stderr != "" {
		t.Errorf("standard error: %s", stderr)
	}
	events := seen(t, stdout)
	want := []string{
		"ADDED changes w", "ADDED changes-back w", "ADDED goes w", "ADDED stays w", "MODIFIED changes first",
	}
	if len(events) < len(want) || !slices.Equal(events[:len(want)], want) {
		t.Fatalf("the list: %q", events)
	}
	after := events[len(want):]
	// The program may have read what came before the restart, or only the difference.
	for _, once := range []string{"MODIFIED changes third", "DELETED goes w", "ADDED comes w", "MODIFIED stays at-last"} {
		if n := len(slices.DeleteFunc(slices.Clone(after), func(e string) bool { return e != once })); n != 1 {
			t.Errorf("%q was printed %d times in %q", once, n, after)
		}
	}
	if slices.ContainsFunc(after, func(e string) bool { return strings.Contains(e, "changes-back") }) {
		t.Errorf("changes-back did not change: %q", after)
	}
	// And it goes on.
	o.label(t, "comes", "later")
	w.shows(t, "later")
}

// What a report says is drawn in place on a terminal, and printed again elsewhere, after each change.
func TestReportWatch(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.load(t, sceneOf(t, nodeWithDevices("gpu", "{name: taken}")+`---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: waits, namespace: default, uid: waits}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: waits, namespace: default, uid: waits}
spec:
  schedulingGates: [{name: example.com/later}]
  containers: [{name: main, image: none.invalid/none}]
  resourceClaims: [{name: gpu, resourceClaimName: waits}]
`))
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	type watched struct {
		*watcher
		terminal bool
		inUse    *regexp.Regexp
	}
	var all []watched
	for report, inUse := range map[string]string{
		"overview": `gpu\.example\.com +1 +1 `, "top": `gpu\.example\.com +1 +1 `, "topology": `A +default/waits`,
	} {
		pattern := regexp.MustCompile(inUse)
		ours, theirs := openTerminal(t, 30, 100)
		w := c.watchOn(t, theirs, pluginEnv, report, "--watch")
		go func() { _, _ = io.Copy(locked{&w.mutex, &w.stdout}, ours) }() // until the terminal is closed
		all = append(all, watched{c.watch(t, pluginEnv, report, "-w"), false, pattern}, watched{w, true, pattern})
	}
	for _, w := range all {
		w.shows(t, "gpu")
	}
	const drawn = "\x1b[?7l\x1b[H"
	if _, err := c.client.CoreV1().Pods("default").Patch(t.Context(), "waits", types.JSONPatchType,
		[]byte(`[{"op":"remove","path":"/spec/schedulingGates"}]`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, w := range all {
		harness.Eventually(t, func(context.Context) error {
			stdout, stderr := w.output()
			states := betweenStates.Split(stdout, -1)
			if w.terminal {
				states = strings.Split(stdout, drawn)
			}
			if stderr == "" && len(states) > 1 && w.inUse.MatchString(states[len(states)-1]) {
				return nil
			}
			return fmt.Errorf("%v: waiting for a device in use\n%s\n%s", w.args, stdout, stderr)
		})
		if stdout, _ := w.output(); !w.terminal && strings.Contains(stdout, "\x1b") {
			t.Errorf("%v: control sequences in a pipe: %q", w.args, stdout)
		}
	}
	for _, w := range all {
		if err := w.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		<-w.exited
		if code := w.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%v: interrupted: exit %d", w.args, code)
		}
	}
}

var betweenStates = regexp.MustCompile(`\n\n\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n`)

func TestExplainWatch(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.load(t, sceneOf(t, nodeWithDevices("gpu", "{name: taken}")+`---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: held, namespace: default, uid: held}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: waits, namespace: default, uid: waits}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: waits, namespace: default, uid: waits}
spec:
  schedulingGates: [{name: example.com/later}]
  containers: [{name: main, image: none.invalid/none}]
  resourceClaims: [{name: gpu, resourceClaimName: waits}]
`))
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	explained := c.watch(t, pluginEnv, "explain", "pod", "waits", "-w")
	scheduled := c.watch(t, pluginEnv, "explain", "pod", "waits", "--wait-for=scheduled")
	allocated := c.watch(t, pluginEnv, "explain", "claim", "waits", "--wait-for=allocated", "--timeout=10m")
	devices := c.watch(t, pluginEnv, "devices", "-w")
	explained.shows(t, "waits")
	devices.shows(t, "taken")
	before, _ := explained.output()
	if _, err := c.client.CoreV1().Pods("default").Patch(t.Context(), "waits", types.JSONPatchType,
		[]byte(`[{"op":"remove","path":"/spec/schedulingGates"}]`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*watcher{scheduled, allocated} {
		<-w.exited
		if stdout, stderr := w.output(); w.ProcessState.ExitCode() != 0 || stderr != "" || !strings.Contains(stdout, "waits") {
			t.Errorf("%v: exit %d\n%s\n%s", w.args, w.ProcessState.ExitCode(), stdout, stderr)
		}
	}
	devices.shows(t, "in use")
	explained.shows(t, "is scheduled on node n1")
	after, stderr := explained.output()
	lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(after, before)), "\n")
	if stderr != "" || len(slices.Compact(slices.Clone(lines))) != len(lines) {
		t.Errorf("after the first answer:\n%s\n%s", strings.Join(lines, "\n"), stderr)
	}
	if err := c.RestartAPIServer(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := c.client.CoreV1().Pods("default").Delete(t.Context(), "waits", metav1.DeleteOptions{GracePeriodSeconds: new(int64)}); err != nil {
		t.Fatal(err)
	}
	explained.shows(t, `pods "waits" not found`)
	if err := explained.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-explained.exited
	if code := explained.ProcessState.ExitCode(); code != 130 {
		t.Errorf("interrupted: exit %d", code)
	}
	late := c.plugin(t, "explain", "claim", "held", "--wait-for=allocated", "--timeout=1s")
	if late.exit != 1 || !strings.Contains(late.stderr, "error: timed out after 1s waiting for: Claim default/held allocated") {
		t.Errorf("%+v", late)
	}
	if gone := c.plugin(t, "explain", "pod", "waits", "--wait-for=fits"); gone.exit != 1 || !strings.Contains(gone.stderr, "not found") {
		t.Errorf("%+v", gone)
	}
}

// This file is about the filters that look at pods on other nodes: the scheduler's own of each release answer for every
// node of a generated cluster, and so does the plugin.

package filters

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	defaults "k8s.io/kubernetes/pkg/apis/core/v1"
	podregistry "k8s.io/kubernetes/pkg/registry/core/pod"

	"kubectl-dra/tests/program"
	"kubectl-dra/tests/soak"
)

// casesOfEach is how many clusters each release is asked about.
const casesOfEach = 10_000

var releases = []string{"v134", "v135", "v136", "v137"}

// words are ours for upstream's messages.
var words = map[string]string{
	"node(s) didn't match pod affinity rules":                                       "PodAffinity",
	"node(s) didn't match pod anti-affinity rules":                                  "PodAntiAffinity",
	"node(s) didn't satisfy existing pods anti-affinity rules":                      "PodRepelled",
	"node(s) didn't match pod topology spread constraints":                          "TopologySpread",
	"node(s) didn't match pod topology spread constraints (missing required label)": "TopologySpreadLabel",
}

// versionOf is "v1.34.0" for "v134".
func versionOf(release string) string { return "v1." + strings.TrimPrefix(release, "v1") + ".0" }

// oracles is the directory of the programs of all releases, which several tests ask.
var oracles string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if oracles, err = os.MkdirTemp("", "oracles"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(oracles)
		return m.Run()
	}())
}

var builders = func() map[string]func() error {
	all := map[string]func() error{}
	for _, release := range releases {
		all[release] = sync.OnceValue(func() error {
			build := exec.Command("go", "build", "-ldflags", "-s -w", "-tags", release, "-o", filepath.Join(oracles, release), ".")
			build.Dir = filepath.Join("oracle", release)
			build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false")
			if out, err := build.CombinedOutput(); err != nil {
				return fmt.Errorf("go build in %s: %w\n%s", build.Dir, err, out)
			}
			return nil
		})
	}
	return all
}()

// buildOracle returns the path of the release's program.
func buildOracle(t *testing.T, release string) string {
	t.Helper()
	if err := builders[release](); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(oracles, release)
}

// eachRelease compares with all releases at once.
func eachRelease(t *testing.T, releases []string, compare func(*testing.T, string)) {
	t.Parallel()
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			compare(t, release)
		})
	}
}

// created is the pod as the API server stores it: with defaults, and with conditions for matchLabelKeys.
func created(t *testing.T, pod *corev1.Pod) *corev1.Pod {
	t.Helper()
	stored, internal := stored(t, pod), &core.Pod{}
	if err := defaults.Convert_v1_Pod_To_core_Pod(stored, internal, nil); err != nil {
		t.Fatal(err)
	}
	podregistry.Strategy.PrepareForCreate(t.Context(), internal)
	after := &corev1.Pod{}
	if err := defaults.Convert_core_Pod_To_v1_Pod(internal, after, nil); err != nil {
		t.Fatal(err)
	}
	stored.Spec = after.Spec
	return stored
}

// oracleWords are an oracle's answer in the form of ours: "n1 PodAffinity;n2 TopologySpread".
func oracleWords(t *testing.T, answer string) string {
	t.Helper()
	var said struct{ Spread, Affinity map[string]string }
	if err := json.Unmarshal([]byte(answer), &said); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, of := range []map[string]string{said.Spread, said.Affinity} {
		for node, message := range of {
			word, known := words[message]
			if !known {
				t.Fatalf("what is %q?", message)
			}
			all = append(all, node+" "+word)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ";")
}

func TestFiltersOfOtherPods(t *testing.T) {
	eachRelease(t, releases, compareRelease)
}

func compareRelease(t *testing.T, release string) {
	ours := program.RunOurs(t, answererEnv, "answer_filters", "nodes", versionOf(release))
	theirs := program.Run(t, buildOracle(t, release))
	r := newRandom(os.Getenv(seedEnv) + release)
	reached := map[string]int{}
	differences := 0
	count := casesOfEach * soak.Times()
	for range count {
		scene := r.cluster()
		// Ours also knows what the server makes of a pod that is not created yet.
		forOurs := scene.line(t, func(pod *corev1.Pod) *corev1.Pod { return pod })
		forTheirs := scene.line(t, func(pod *corev1.Pod) *corev1.Pod { return created(t, pod) })
		if r.chance(50) {
			forOurs = forTheirs
		}
		said, err := ours.Ask(forOurs)
		if err != nil {
			t.Fatalf("no answer to %s: %v", forOurs, err)
		}
		answer, err := theirs.Ask(forTheirs)
		if err != nil {
			t.Fatalf("no answer to %s: %v", forTheirs, err)
		}
		want := oracleWords(t, answer)
		seen := map[string]bool{}
		for _, one := range strings.Split(want, ";") {
			_, word, _ := strings.Cut(one, " ")
			seen[word] = true
		}
		for word := range seen {
			reached[word]++
		}
		if said == want {
			continue
		}
		if differences++; differences <= shownDifferences {
			t.Errorf("%s\n  ours      %q\n  upstream  %q", forOurs, said, want)
		}
	}
	t.Logf("%d clusters, %d differences: %v", count, differences, reached)
	for _, outcome := range append(slices.Collect(valuesOf(words)), "") {
		if float64(reached[outcome]) < leastShare*float64(count) {
			t.Errorf("the outcome %q was reached only %d times in %d", outcome, reached[outcome], count)
		}
	}
}

func valuesOf(of map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, value := range of {
			if !yield(value) {
				return
			}
		}
	}
}

// clusterScene is what one question about all nodes is about.
type clusterScene struct {
	nodes      []*corev1.Node
	namespaces []*corev1.Namespace
	pods       []*corev1.Pod // the first one looks for a node
}

func (s clusterScene) line(t *testing.T, made func(*corev1.Pod) *corev1.Pod) string {
	t.Helper()
	var items []any
	for _, node := range s.nodes {
		items = append(items, node)
	}
	for _, namespace := range s.namespaces {
		items = append(items, namespace)
	}
	for _, pod := range s.pods {
		items = append(items, made(pod))
	}
	line, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// Package filters compares what the plugin has against a node with the scheduler's own filters, on generated
// nodes and pods: taints, labels, names, ports of the host and requests, resizes included.
//
// What is generated depends on $KUBECTL_DRA_SEED alone; $KUBECTL_DRA_SOAK multiplies it.
package filters

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
	defaults "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/helper"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodename"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeports"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"

	"kubectl-dra/tests/program"
	"kubectl-dra/tests/soak"
)

const (
	answererEnv = "KUBECTL_DRA_ANSWER_FILTERS"
	seedEnv     = "KUBECTL_DRA_SEED"

	cases = 20_000

	// leastShare of the cases must reach each outcome, or the generator no longer tests it.
	leastShare = 0.02

	// shownDifferences is how many are printed; the rest is only counted.
	shownDifferences = 5
)

// outcomes are the words of answers that must all be reached, and "" is a node that nothing stands against.
var outcomes = []string{
	"", "NodeAffinity", "NodePorts", "NodeTainted", "NodeUnschedulable", "cpu", "example.com/gpu", "memory", "pods",
}

// scene is what one question is about.
type scene struct {
	node   *corev1.Node
	pod    *corev1.Pod
	others []*corev1.Pod
}

func (s scene) line(t *testing.T) string {
	t.Helper()
	items := []any{s.node, s.pod}
	for _, other := range s.others {
		items = append(items, other)
	}
	line, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// upstream is the answer of the scheduler. It sees pods as an API server stores them.
func (s scene) upstream(t *testing.T) string {
	pod := stored(t, s.pod)
	info := framework.NewNodeInfo()
	info.SetNode(s.node)
	for _, other := range s.others {
		if phase := other.Status.Phase; phase != corev1.PodSucceeded && phase != corev1.PodFailed {
			info.AddPod(stored(t, other))
		}
	}
	words := map[string]bool{}
	logger := klog.Background()
	cordon := corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
	words["NodeName"] = !nodename.Fits(pod, info)
	words["NodeUnschedulable"] = s.node.Spec.Unschedulable &&
		!corev1helpers.TolerationsTolerateTaint(logger, pod.Spec.Tolerations, &cordon, false)
	_, words["NodeTainted"] = corev1helpers.FindMatchingUntoleratedTaint(logger, s.node.Spec.Taints,
		pod.Spec.Tolerations, helper.DoNotScheduleTaintsFilterFunc(), false)
	matched, _ := nodeaffinity.GetRequiredNodeAffinity(pod).Match(s.node)
	words["NodeAffinity"] = !matched
	words["NodePorts"] = !nodeports.Fits(pod, info)
	options := noderesources.ResourceRequestsOptions{EnablePodLevelResources: true, EnableDRAExtendedResource: true}
	for _, short := range noderesources.Fits(pod, info, nil, options) {
		words[string(short.ResourceName)] = true
	}
	var said []string
	for word, says := range words {
		if says {
			said = append(said, word)
		}
	}
	slices.Sort(said)
	return strings.Join(said, " ")
}

// stored is the pod with the server's defaults, after a way through JSON, which drops empty maps.
func stored(t *testing.T, pod *corev1.Pod) *corev1.Pod {
	t.Helper()
	text, err := json.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	kept := &corev1.Pod{}
	if err := json.Unmarshal(text, kept); err != nil {
		t.Fatal(err)
	}
	defaults.SetDefaults_Pod(kept)
	return kept
}

func TestFilters(t *testing.T) {
	t.Parallel()
	count := cases
	count *= soak.Times()
	ours := program.RunOurs(t, answererEnv, "answer_filters")
	r := newRandom(os.Getenv(seedEnv))
	reached := map[string]int{}
	differences := 0
	for range count {
		s := r.scene()
		line := s.line(t)
		said, err := ours.Ask(line)
		if err != nil {
			t.Fatalf("no answer to %s: %v", line, err)
		}
		theirs := s.upstream(t)
		for _, word := range strings.Split(theirs, " ") {
			reached[word]++
		}
		if said == theirs {
			continue
		}
		if differences++; differences <= shownDifferences {
			t.Errorf("%s\n  ours      %q\n  upstream  %q", line, said, theirs)
		}
	}
	t.Logf("%d cases, %d differences: %v", count, differences, reached)
	for _, outcome := range outcomes {
		if float64(reached[outcome]) < leastShare*float64(count) {
			t.Errorf("the outcome %q was reached only %d times in %d", outcome, reached[outcome], count)
		}
	}
}

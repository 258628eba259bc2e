// Package common runs the scheduler's filters that look at pods on other nodes, of the release that it is linked with.
//
// Each line of input is a list of objects as JSON, as an API server stores them: nodes, namespaces, and pods, of which
// default/p looks for a node. It is answered by one line with the message of each filter for each node.
package common

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/interpodaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// Answer has the messages by node; a filter that passes a node, or does not run, has none.
type Answer struct {
	Spread   map[string]string
	Affinity map[string]string
}

type cluster struct {
	nodes      []*corev1.Node
	namespaces []*corev1.Namespace
	others     []*corev1.Pod
	pod        *corev1.Pod
}

func read(line []byte) (*cluster, error) {
	list := struct{ Items []json.RawMessage }{}
	if err := json.Unmarshal(line, &list); err != nil {
		return nil, err
	}
	found := &cluster{}
	for _, item := range list.Items {
		kind := struct{ Kind string }{}
		if err := json.Unmarshal(item, &kind); err != nil {
			return nil, err
		}
		var err error
		switch kind.Kind {
		case "Node":
			found.nodes, err = add(found.nodes, item)
		case "Namespace":
			found.namespaces, err = add(found.namespaces, item)
		case "Pod":
			found.others, err = add(found.others, item)
		}
		if err != nil {
			return nil, err
		}
	}
	return found, found.findPod()
}

func add[T any](list []*T, text []byte) ([]*T, error) {
	one := new(T)
	err := json.Unmarshal(text, one)
	return append(list, one), err
}

// findPod takes the pod, and those that no node has, from the others.
func (c *cluster) findPod() error {
	known := map[string]bool{}
	for _, node := range c.nodes {
		known[node.Name] = true
	}
	all := c.others
	c.others = nil
	for _, pod := range all {
		ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		if pod.Namespace == "default" && pod.Name == "p" {
			c.pod = pod
		} else if known[pod.Spec.NodeName] && !ended {
			c.others = append(c.others, pod)
		}
	}
	if c.pod == nil {
		return fmt.Errorf("pod default/p is missing")
	}
	return nil
}

// filter is a plugin after its PreFilter.
type filter interface {
	Filter(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, node fwk.NodeInfo) *fwk.Status
}

func (c *cluster) answer(client kubernetes.Interface) (*Answer, error) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	factory := informers.NewSharedInformerFactory(client, 0)
	for _, namespace := range c.namespaces {
		if err := factory.Core().V1().Namespaces().Informer().GetIndexer().Add(namespace); err != nil {
			return nil, err
		}
	}
	snapshot := cache.NewSnapshot(c.others, c.nodes)
	handle, err := frameworkruntime.NewFramework(ctx, nil, nil, frameworkruntime.WithSnapshotSharedLister(snapshot),
		frameworkruntime.WithInformerFactory(factory))
	if err != nil {
		return nil, err
	}
	nodes, err := snapshot.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	// What is on by default in every release.
	features := feature.Features{EnableNodeInclusionPolicyInPodTopologySpread: true, EnableMatchLabelKeysInPodTopologySpread: true}
	affinity, err := interpodaffinity.New(ctx, &config.InterPodAffinityArgs{HardPodAffinityWeight: 1}, handle, features)
	if err != nil {
		return nil, err
	}
	spread, err := podtopologyspread.New(ctx, &config.PodTopologySpreadArgs{DefaultingType: config.SystemDefaulting}, handle, features)
	if err != nil {
		return nil, err
	}
	said := &Answer{}
	state := framework.NewCycleState()
	_, status := affinity.(*interpodaffinity.InterPodAffinity).PreFilter(ctx, state, c.pod, nodes)
	if said.Affinity, err = c.ask(ctx, affinity.(filter), state, nodes, status); err != nil {
		return nil, err
	}
	_, status = spread.(*podtopologyspread.PodTopologySpread).PreFilter(ctx, state, c.pod, nodes)
	said.Spread, err = c.ask(ctx, spread.(filter), state, nodes, status)
	return said, err
}

func (c *cluster) ask(ctx context.Context, from filter, state fwk.CycleState, nodes []fwk.NodeInfo, before *fwk.Status) (map[string]string, error) {
	said := map[string]string{}
	if before.IsSkip() {
		return said, nil
	}
	if !before.IsSuccess() {
		return nil, before.AsError()
	}
	for _, node := range nodes {
		if status := from.Filter(ctx, state, c.pod, node); !status.IsSuccess() {
			said[node.Node().Name] = status.Message()
		}
	}
	return said, nil
}

// Main answers until the input ends. With the argument "volumes" it runs the filters for volumes, taints and declared
// features, and the lines also have what is about volumes. With "preemption" it lets the pod preempt others, and the lines
// also have budgets.
func Main(release Release) {
	metrics.Register()
	client, err := kubernetes.NewForConfig(&rest.Config{})
	if err != nil {
		fail(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		said, err := answer(lines.Bytes(), release, client)
		if err != nil {
			fail(err)
		}
		if err := out.Encode(said); err != nil {
			fail(err)
		}
	}
}

func answer(line []byte, release Release, client kubernetes.Interface) (any, error) {
	if len(os.Args) > 1 && os.Args[1] == "volumes" {
		return release.answerVolumes(line, client)
	}
	if len(os.Args) > 1 && os.Args[1] == "preemption" {
		return release.answerPreemption(line)
	}
	asked, err := read(line)
	if err != nil {
		return nil, err
	}
	return asked.answer(client)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

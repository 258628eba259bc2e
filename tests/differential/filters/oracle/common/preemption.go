package common

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultbinder"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/interpodaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeports"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// Preempted is the node that the pod is nominated for, and the pods that are deleted for it. Both are empty where no pod is
// preempted.
type Preempted struct {
	Node    string
	Deleted []string // as namespace/name, sorted
	Fits    []string // nodes that the filters let through, so that there is nothing to make room for
}

// devices stands for the plugin DynamicResources: its rejections are final, and no pod that goes frees a device.
type devices struct{}

const devicesName = "Devices"

func newDevices(context.Context, runtime.Object, handle) (plugin, error) { return devices{}, nil }

func (devices) Name() string { return devicesName }

func (devices) Filter(_ context.Context, _ fwk.CycleState, _ *corev1.Pod, node fwk.NodeInfo) *fwk.Status {
	if node.Node().Labels["devices"] == "none" {
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "cannot allocate all claims")
	}
	return nil
}

// server answers what the plugin asks of an API server, and keeps the names of the pods that it deletes.
type server struct {
	mutex   sync.Mutex
	deleted []string
}

func (s *server) RoundTrip(request *http.Request) (*http.Response, error) {
	parts := strings.Split(strings.TrimPrefix(request.URL.Path, "/api/v1/namespaces/"), "/")
	if request.Method == http.MethodDelete {
		s.mutex.Lock()
		s.deleted = append(s.deleted, parts[0]+"/"+parts[2])
		s.mutex.Unlock()
	}
	body := fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":%q,"name":%q}}`, parts[0], parts[2])
	header := http.Header{"Content-Type": []string{"application/json"}}
	return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(strings.NewReader(body)), Request: request}, nil
}

// nominator knows the pods that wait for pods to be preempted for them.
type nominator struct {
	podNominator
	pods []*corev1.Pod
}

func (n *nominator) NominatedPodsForNode(node string) []fwk.PodInfo {
	var found []fwk.PodInfo
	for _, pod := range n.pods {
		if pod.Status.NominatedNodeName == node {
			info, _ := framework.NewPodInfo(pod)
			found = append(found, info)
		}
	}
	return found
}

func readBudgets(line []byte) ([]*policyv1.PodDisruptionBudget, []*corev1.Pod, error) {
	list := struct{ Items []json.RawMessage }{}
	if err := json.Unmarshal(line, &list); err != nil {
		return nil, nil, err
	}
	var budgets []*policyv1.PodDisruptionBudget
	var pods []*corev1.Pod
	for _, item := range list.Items {
		kind := struct{ Kind string }{}
		if err := json.Unmarshal(item, &kind); err != nil {
			return nil, nil, err
		}
		var err error
		switch kind.Kind {
		case "PodDisruptionBudget":
			budgets, err = add(budgets, item)
		case "Pod":
			pods, err = add(pods, item)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return budgets, pods, nil
}

// registry has the plugins by their names, in the scheduler's order.
func (r Release) registry() (frameworkruntime.Registry, []string) {
	made := frameworkruntime.Registry{}
	var names []string
	keep := func(name string, factory frameworkruntime.PluginFactory) {
		made[name] = factory
		names = append(names, name)
	}
	features := r.Features
	features.EnableNodeInclusionPolicyInPodTopologySpread = true
	features.EnableMatchLabelKeysInPodTopologySpread = true
	features.EnablePodLevelResources = true
	keep(queuesort.Name, queuesort.New)
	keep(nodeunschedulable.Name, frameworkruntime.FactoryAdapter(features, nodeunschedulable.New))
	keep(tainttoleration.Name, frameworkruntime.FactoryAdapter(features, tainttoleration.New))
	keep(nodeaffinity.Name, frameworkruntime.FactoryAdapter(features, nodeaffinity.New))
	keep(nodeports.Name, frameworkruntime.FactoryAdapter(features, nodeports.New))
	keep(noderesources.Name, frameworkruntime.FactoryAdapter(features, noderesources.NewFit))
	keep(podtopologyspread.Name, frameworkruntime.FactoryAdapter(features, podtopologyspread.New))
	keep(interpodaffinity.Name, frameworkruntime.FactoryAdapter(features, interpodaffinity.New))
	keep(devicesName, newDevices)
	keep(defaultpreemption.Name, frameworkruntime.FactoryAdapter(features, defaultpreemption.New))
	keep(defaultbinder.Name, defaultbinder.New)
	return made, names
}

func profile(names []string) *config.KubeSchedulerProfile {
	made := &config.KubeSchedulerProfile{SchedulerName: corev1.DefaultSchedulerName, Plugins: &config.Plugins{}}
	for _, name := range names {
		made.Plugins.MultiPoint.Enabled = append(made.Plugins.MultiPoint.Enabled, config.Plugin{Name: name, Weight: 1})
	}
	for name, args := range map[string]runtime.Object{
		nodeaffinity.Name: &config.NodeAffinityArgs{},
		noderesources.Name: &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{
			Type: config.LeastAllocated, Resources: []config.ResourceSpec{{Name: "cpu", Weight: 1}}}},
		podtopologyspread.Name: &config.PodTopologySpreadArgs{DefaultingType: config.SystemDefaulting},
		interpodaffinity.Name:  &config.InterPodAffinityArgs{HardPodAffinityWeight: 1},
		defaultpreemption.Name: &config.DefaultPreemptionArgs{MinCandidateNodesPercentage: 10, MinCandidateNodesAbsolute: 100},
	} {
		made.PluginConfig = append(made.PluginConfig, config.PluginConfig{Name: name, Args: args})
	}
	return made
}

func (r Release) answerPreemption(line []byte) (*Preempted, error) {
	asked, err := read(line)
	if err != nil {
		return nil, err
	}
	budgets, pods, err := readBudgets(line)
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	api := &server{}
	client, err := kubernetes.NewForConfig(&rest.Config{Host: "http://server", Transport: api})
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	for _, err := range []error{
		fill(factory.Core().V1().Namespaces().Informer().GetIndexer(), asked.namespaces),
		fill(factory.Core().V1().Pods().Informer().GetIndexer(), pods),
		fill(factory.Policy().V1().PodDisruptionBudgets().Informer().GetIndexer(), budgets),
	} {
		if err != nil {
			return nil, err
		}
	}
	nominated := &nominator{}
	for _, pod := range pods {
		if pod.Spec.NodeName == "" && pod.Status.NominatedNodeName != "" && pod.Status.Phase == corev1.PodPending {
			nominated.pods = append(nominated.pods, pod)
		}
	}
	snapshot := schedulercache.NewSnapshot(asked.others, asked.nodes)
	registry, names := r.registry()
	options := []frameworkruntime.Option{frameworkruntime.WithSnapshotSharedLister(snapshot),
		frameworkruntime.WithInformerFactory(factory), frameworkruntime.WithClientSet(client),
		frameworkruntime.WithPodNominator(nominated), frameworkruntime.WithEventRecorder(events.NewFakeRecorder(1000)),
		frameworkruntime.WithWaitingPods(frameworkruntime.NewWaitingPodsMap())}
	if r.Snapshot != nil {
		options = append(options, r.Snapshot(snapshot)...)
	}
	scheduler, err := frameworkruntime.NewFramework(ctx, registry, profile(names), options...)
	if err != nil {
		return nil, err
	}
	nodes, err := snapshot.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	return preempt(ctx, scheduler, asked.pod, nodes, api)
}

// preempt runs the filters for all nodes, and then what follows where none is left.
func preempt(ctx context.Context, scheduler framework.Framework, pod *corev1.Pod, nodes []fwk.NodeInfo, api *server) (*Preempted, error) {
	state := framework.NewCycleState()
	only, status, _ := scheduler.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() {
		return &Preempted{}, nil
	}
	rejected := map[string]*fwk.Status{}
	var fits []string
	for _, node := range nodes {
		name := node.Node().Name
		if !only.AllNodes() && !only.NodeNames.Has(name) {
			continue
		}
		status := scheduler.RunFilterPluginsWithNominatedPods(ctx, state, pod, node)
		if status.IsSuccess() {
			fits = append(fits, name)
		}
		rejected[name] = status
	}
	if len(fits) > 0 {
		slices.Sort(fits)
		return &Preempted{Fits: fits}, nil
	}
	others := framework.NewNodeToStatus(rejected, fwk.NewStatus(fwk.UnschedulableAndUnresolvable))
	result, status := scheduler.RunPostFilterPlugins(ctx, state, pod, others)
	if status.Code() == fwk.Error {
		return nil, status.AsError()
	}
	if !status.IsSuccess() {
		return &Preempted{}, nil
	}
	slices.Sort(api.deleted)
	return &Preempted{Node: result.NominatedNodeName, Deleted: api.deleted}, nil
}

package common

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumerestrictions"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumezone"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// Release is what differs between releases: names of feature gates, and how plugins get at CSINodes.
type Release struct {
	Features feature.Features
	Options  func(factory informers.SharedInformerFactory) []frameworkruntime.Option
	// Snapshot has what else preemption reads, of releases where it does.
	Snapshot func(snapshot *schedulercache.Snapshot) []frameworkruntime.Option
	// DeclaredFeatures makes the plugin NodeDeclaredFeatures, of releases that have it.
	DeclaredFeatures func(ctx context.Context, handle framework.Framework, features feature.Features) (any, error)
}

// storage are the objects of a line that plugins of volumes read.
type storage struct {
	claims      []*corev1.PersistentVolumeClaim
	volumes     []*corev1.PersistentVolume
	classes     []*storagev1.StorageClass
	nodes       []*storagev1.CSINode
	drivers     []*storagev1.CSIDriver
	capacities  []*storagev1.CSIStorageCapacity
	attachments []*storagev1.VolumeAttachment
}

func readStorage(line []byte) (*storage, error) {
	list := struct{ Items []json.RawMessage }{}
	if err := json.Unmarshal(line, &list); err != nil {
		return nil, err
	}
	found := &storage{}
	for _, item := range list.Items {
		kind := struct{ Kind string }{}
		if err := json.Unmarshal(item, &kind); err != nil {
			return nil, err
		}
		var err error
		switch kind.Kind {
		case "PersistentVolumeClaim":
			found.claims, err = add(found.claims, item)
		case "PersistentVolume":
			found.volumes, err = add(found.volumes, item)
		case "StorageClass":
			found.classes, err = add(found.classes, item)
		case "CSINode":
			found.nodes, err = add(found.nodes, item)
		case "CSIDriver":
			found.drivers, err = add(found.drivers, item)
		case "CSIStorageCapacity":
			found.capacities, err = add(found.capacities, item)
		case "VolumeAttachment":
			found.attachments, err = add(found.attachments, item)
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (s *storage) fill(factory informers.SharedInformerFactory) error {
	core, storage := factory.Core().V1(), factory.Storage().V1()
	for _, err := range []error{
		fill(core.PersistentVolumeClaims().Informer().GetIndexer(), s.claims),
		fill(core.PersistentVolumes().Informer().GetIndexer(), s.volumes),
		fill(storage.StorageClasses().Informer().GetIndexer(), s.classes),
		fill(storage.CSINodes().Informer().GetIndexer(), s.nodes),
		fill(storage.CSIDrivers().Informer().GetIndexer(), s.drivers),
		fill(storage.CSIStorageCapacities().Informer().GetIndexer(), s.capacities),
		fill(storage.VolumeAttachments().Informer().GetIndexer(), s.attachments),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func fill[T any](indexer cache.Indexer, objects []T) error {
	for _, object := range objects {
		if err := indexer.Add(object); err != nil {
			return err
		}
	}
	return nil
}

// preFilter is a plugin with a step before it looks at nodes.
type preFilter interface {
	PreFilter(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, nodes []fwk.NodeInfo) (*preFilterResult, *fwk.Status)
}

// answerVolumes has each message of the filters for volumes, taints and declared features against each node: "n1: message".
func (r Release) answerVolumes(line []byte, client kubernetes.Interface) ([]string, error) {
	asked, err := read(line)
	if err != nil {
		return nil, err
	}
	stored, err := readStorage(line)
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	factory := informers.NewSharedInformerFactory(client, 0)
	snapshot := schedulercache.NewSnapshot(asked.others, asked.nodes)
	options := append(r.Options(factory), frameworkruntime.WithSnapshotSharedLister(snapshot),
		frameworkruntime.WithInformerFactory(factory), frameworkruntime.WithClientSet(client))
	handle, err := frameworkruntime.NewFramework(ctx, nil, nil, options...)
	if err != nil {
		return nil, err
	}
	nodes, err := snapshot.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	plugins, err := r.plugins(ctx, handle)
	if err != nil {
		return nil, err
	}
	if err := stored.fill(factory); err != nil {
		return nil, err
	}
	var said []string
	for _, together := range plugins {
		against, err := ask(ctx, together, asked, nodes)
		if err != nil {
			return nil, err
		}
		said = append(said, against...)
	}
	return said, nil
}

// ask runs plugins, of which one that refuses the pod before it looks at nodes keeps it from all of them.
func ask(ctx context.Context, plugins []any, asked *cluster, nodes []fwk.NodeInfo) ([]string, error) {
	state := framework.NewCycleState()
	var filters []filter
	for _, plugin := range plugins {
		if before, has := plugin.(preFilter); has {
			_, status := before.PreFilter(ctx, state, asked.pod, nodes)
			if status.IsSkip() {
				continue
			}
			if !status.IsSuccess() {
				return againstAll(asked.nodes, status.Message()), nil
			}
		}
		runs, can := plugin.(filter)
		if !can {
			return nil, fmt.Errorf("%T is not a filter", plugin)
		}
		filters = append(filters, runs)
	}
	var said []string
	for _, node := range nodes {
		for _, one := range filters {
			status := one.Filter(ctx, state, asked.pod, node)
			if status.IsSuccess() {
				continue
			}
			for _, message := range status.Reasons() {
				said = append(said, fmt.Sprintf("%s: %s", node.Node().Name, message))
			}
		}
	}
	return said, nil
}

func againstAll(nodes []*corev1.Node, message string) []string {
	var said []string
	for _, node := range nodes {
		said = append(said, fmt.Sprintf("%s: %s", node.Name, message))
	}
	return said
}

// plugins are those for volumes, in the scheduler's order, and others, one by one.
func (r Release) plugins(ctx context.Context, handle framework.Framework) ([][]any, error) {
	var failed []error
	keep := func(plugin any, err error) any {
		failed = append(failed, err)
		return plugin
	}
	taints, err := tainttoleration.New(ctx, nil, handle, r.Features)
	all := [][]any{{keep(taints, err)}}
	if r.DeclaredFeatures != nil {
		all = append(all, []any{keep(r.DeclaredFeatures(ctx, handle, r.Features))})
	}
	restrictions, err := volumerestrictions.New(ctx, nil, handle, r.Features)
	failed = append(failed, err)
	limits, err := nodevolumelimits.NewCSI(ctx, nil, handle, r.Features)
	failed = append(failed, err)
	binding, err := volumebinding.New(ctx, &config.VolumeBindingArgs{BindTimeoutSeconds: 600}, handle, r.Features)
	failed = append(failed, err)
	zones, err := volumezone.New(ctx, nil, handle, r.Features)
	failed = append(failed, err)
	return append(all, []any{restrictions, limits, binding, zones}), errors.Join(failed...)
}

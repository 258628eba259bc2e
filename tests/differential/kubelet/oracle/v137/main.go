// The kubelet of Kubernetes 1.37.
package main

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	drapb "k8s.io/kubelet/pkg/apis/dra/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/dra"
	"k8s.io/kubernetes/pkg/kubelet/events"
	"kubectl-dra/tests/differential/kubelet/oracle/common"
)

func main() {
	common.Main(common.Release{
		Version: "v1.37.1",
		Reason:  events.FailedPrepareDynamicResources,
		UID:     func(claim *drapb.Claim) string { return claim.Uid },
		New:     start,
		SkipPrepare: func(result *resourceapi.DeviceRequestAllocationResult) {
			result.SkipNodeOperations = []resourceapi.SkipNodeOperation{resourceapi.SkipNodeOperationNodePrepareResources}
		},
	})
}

func start(ctx context.Context, client kubernetes.Interface, folder string) (common.Kubelet, error) {
	manager, err := dra.NewManager(klog.FromContext(ctx), client, folder)
	if err != nil {
		return common.Kubelet{}, err
	}
	pods := func() []*corev1.Pod { return nil }
	node := func(context.Context) (*corev1.Node, error) { return nil, errors.New("not asked") }
	if err := manager.Start(ctx, pods, node, nil); err != nil {
		return common.Kubelet{}, err
	}
	plugins := manager.GetWatcherHandler()
	return common.Kubelet{
		Prepare:   manager.PrepareResources,
		Unprepare: manager.UnprepareResources,
		GetResources: func(pod *corev1.Pod, container *corev1.Container) error {
			_, err := manager.GetResources(pod, container)
			return err
		},
		Register: func(ctx context.Context, driver, socket string, services []string, timeout *time.Duration) error {
			return plugins.RegisterPlugin(ctx, driver, socket, services, timeout)
		},
		Deregister: func(ctx context.Context, driver, socket string) { plugins.DeRegisterPlugin(ctx, driver, socket) },
	}, nil
}

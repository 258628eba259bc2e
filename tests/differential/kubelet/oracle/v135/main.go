// The kubelet of Kubernetes 1.35.
package main

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	drapb "k8s.io/kubelet/pkg/apis/dra/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/dra"
	"k8s.io/kubernetes/pkg/kubelet/events"
	"kubectl-dra/tests/differential/kubelet/oracle/common"
)

func main() {
	common.Main(common.Release{
		Version: "v1.35.4",
		Reason:  events.FailedPrepareDynamicResources,
		UID:     func(claim *drapb.Claim) string { return claim.Uid },
		New:     start,
	})
}

func start(ctx context.Context, client kubernetes.Interface, folder string) (common.Kubelet, error) {
	manager, err := dra.NewManager(klog.FromContext(ctx), client, folder)
	if err != nil {
		return common.Kubelet{}, err
	}
	pods := func() []*corev1.Pod { return nil }
	node := func() (*corev1.Node, error) { return nil, errors.New("not asked") }
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
			return plugins.RegisterPlugin(driver, socket, services, timeout)
		},
		Deregister: func(ctx context.Context, driver, socket string) { plugins.DeRegisterPlugin(driver, socket) },
	}, nil
}

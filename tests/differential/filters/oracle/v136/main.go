// The scheduler's filters of Kubernetes 1.36.
package main

import (
	"context"

	"k8s.io/client-go/informers"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodedeclaredfeatures"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"kubectl-dra/tests/differential/filters/oracle/common"
)

func main() {
	common.Main(common.Release{
		Features: feature.Features{
			EnableVolumeAttributesClass:              true,
			EnableVolumeLimitScaling:                 true,
			EnableNodeDeclaredFeatures:               true,
			EnableTaintTolerationComparisonOperators: true,
		},
		Options: func(factory informers.SharedInformerFactory) []frameworkruntime.Option {
			nodes := factory.Storage().V1().CSINodes().Lister()
			return []frameworkruntime.Option{frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(nodes))}
		},
		Snapshot: func(*cache.Snapshot) []frameworkruntime.Option {
			return []frameworkruntime.Option{frameworkruntime.WithPodsInPreBind(frameworkruntime.NewPodsInPreBindMap())}
		},
		DeclaredFeatures: func(ctx context.Context, handle framework.Framework, features feature.Features) (any, error) {
			return nodedeclaredfeatures.New(ctx, nil, handle, features)
		},
	})
}

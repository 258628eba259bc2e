// The scheduler's filters of Kubernetes 1.35.
package main

import (
	"k8s.io/client-go/informers"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"kubectl-dra/tests/differential/filters/oracle/common"
)

func main() {
	common.Main(common.Release{
		Features: feature.Features{
			EnableVolumeAttributesClass:              true,
			EnableVolumeLimitScaling:                 true,
			EnableTaintTolerationComparisonOperators: true,
			EnableCSIMigrationPortworx:               true,
		},
		Options: func(factory informers.SharedInformerFactory) []frameworkruntime.Option {
			nodes := factory.Storage().V1().CSINodes().Lister()
			return []frameworkruntime.Option{frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(nodes))}
		},
	})
}

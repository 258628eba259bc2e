// The scheduler's filters of Kubernetes 1.34.
package main

import (
	"k8s.io/client-go/informers"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"kubectl-dra/tests/differential/filters/oracle/common"
)

func main() {
	common.Main(common.Release{
		Features: feature.Features{EnableVolumeAttributesClass: true, EnableCSIMigrationPortworx: true},
		Options:  func(informers.SharedInformerFactory) []frameworkruntime.Option { return nil },
	})
}

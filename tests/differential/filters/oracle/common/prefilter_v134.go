//go:build v134

package common

import "k8s.io/kubernetes/pkg/scheduler/framework"

// Later releases have them in k8s.io/kube-scheduler.
type (
	preFilterResult = framework.PreFilterResult
	handle          = framework.Handle
	plugin          = framework.Plugin
	podNominator    = framework.PodNominator
)

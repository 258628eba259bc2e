//go:build !v134

package common

import fwk "k8s.io/kube-scheduler/framework"

type (
	preFilterResult = fwk.PreFilterResult
	handle          = fwk.Handle
	plugin          = fwk.Plugin
	podNominator    = fwk.PodNominator
)

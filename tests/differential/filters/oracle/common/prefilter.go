//go:build !v134

package common

import fwk "k8s.io/kube-scheduler/framework"

type preFilterResult = fwk.PreFilterResult

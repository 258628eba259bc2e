module kubectl-dra/tests/differential/filters/oracle/common

go 1.25.0

require (
	k8s.io/api v0.34.13
	k8s.io/client-go v0.34.13
	k8s.io/kube-scheduler v0.34.13
	k8s.io/kubernetes v1.34.4
)

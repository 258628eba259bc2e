module kubectl-dra/tests/differential/kubelet/oracle/common

go 1.25.0

require (
	google.golang.org/grpc v1.72.1
	k8s.io/api v0.34.13
	k8s.io/apimachinery v0.34.13
	k8s.io/client-go v0.34.13
	k8s.io/kubelet v0.34.13
)

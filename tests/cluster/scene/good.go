// The fixtures that tests of all kinds load.

package scene

// Good are the fixtures that a server accepts: all but those with intended mistakes.
var Good = []string{
	"claims.yaml",
	"device-taints.yaml",
	"gke-tpu-v5p-2x2x4-degraded.yaml",
	"gke-tpu-v5p-2x2x4.yaml",
	"gke-tpu-v6e-4x8-subslices.yaml",
	"gke-tpu-v6e-8.yaml",
	"gke-tpu7x-node.yaml",
	"gpu-a100-fungibility.yaml",
	"gpu-mig-partitionable.yaml",
	"nic-gpu-cpu-alignment.yaml",
	"pods-pending.yaml",
}

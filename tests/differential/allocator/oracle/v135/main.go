// The oracle of Kubernetes 1.35.
package main

import (
	"errors"

	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	"kubectl-dra/tests/differential/allocator/oracle/common"
)

func main() {
	common.Main(common.Release{
		Version: "v1.35.10",
		Gates: map[string]bool{
			"DRAAdminAccess": true, "DRAConsumableCapacity": false, "DRADeviceBindingConditions": false, "DRADeviceTaintRules": false,
			"DRADeviceTaints": false, "DRAPartitionableDevices": false, "DRAPrioritizedList": true, "DRAResourceClaimDeviceStatus": true,
		},
		Features: func(on func(string) bool) structured.Features {
			return structured.Features{
				AdminAccess:            on("DRAAdminAccess"),
				ConsumableCapacity:     on("DRAConsumableCapacity"),
				DeviceBindingAndStatus: on("DRADeviceBindingConditions") && on("DRAResourceClaimDeviceStatus"),
				DeviceTaints:           on("DRADeviceTaints"),
				PartitionableDevices:   on("DRAPartitionableDevices"),
				PrioritizedList:        on("DRAPrioritizedList"),
			}
		},
		CEL: func(on func(string) bool) cel.Features {
			return cel.Features{EnableConsumableCapacity: on("DRAConsumableCapacity")}
		},
		IsLocal: func(err error) bool { return errors.Is(err, structured.ErrFailedAllocationOnNode) },
	})
}

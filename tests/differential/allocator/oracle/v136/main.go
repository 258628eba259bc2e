// The oracle of Kubernetes 1.36.
package main

import (
	"errors"

	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	"kubectl-dra/tests/differential/allocator/oracle/common"
)

func main() {
	common.Main(common.Release{
		Version: "v1.36.6",
		Gates: map[string]bool{
			"DRAAdminAccess": true, "DRAConsumableCapacity": true, "DRADeviceBindingConditions": true, "DRADeviceTaintRules": false,
			"DRADeviceTaints": true, "DRAListTypeAttributes": false, "DRAPartitionableDevices": true, "DRAPrioritizedList": true,
			"DRAResourceClaimDeviceStatus": true,
		},
		Features: func(on func(string) bool) structured.Features {
			return structured.Features{
				AdminAccess:            on("DRAAdminAccess"),
				ConsumableCapacity:     on("DRAConsumableCapacity"),
				DeviceBindingAndStatus: on("DRADeviceBindingConditions") && on("DRAResourceClaimDeviceStatus"),
				DeviceTaints:           on("DRADeviceTaints"),
				ListTypeAttributes:     on("DRAListTypeAttributes"),
				PartitionableDevices:   on("DRAPartitionableDevices"),
				PrioritizedList:        on("DRAPrioritizedList"),
			}
		},
		CEL: func(on func(string) bool) cel.Features {
			return cel.Features{EnableConsumableCapacity: on("DRAConsumableCapacity"), EnableListTypeAttributes: on("DRAListTypeAttributes")}
		},
		IsLocal: func(err error) bool { return errors.Is(err, structured.ErrFailedAllocationOnNode) },
		Ordered: true,
	})
}

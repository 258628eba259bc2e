// The oracle of Kubernetes 1.37.
package main

import (
	"errors"

	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	"kubectl-dra/tests/differential/allocator/oracle/common"
)

func main() {
	common.Main(common.Release{
		Version: "v1.37.1",
		// A plain control plane of 1.37 has DRAFractionalCapacityRange off: its default needs a higher minimum
		// compatibility version.
		Gates: map[string]bool{
			"DRAAdminAccess": true, "DRAConsumableCapacity": true, "DRADerivedAttributes": false, "DRADeviceBindingConditions": true,
			"DRADeviceCompatibilityGroups": false, "DRADeviceTaintRules": true, "DRADeviceTaints": true, "DRAFractionalCapacityRange": false,
			"DRAListTypeAttributes": false, "DRAOptionalNodeOperations": false, "DRAPartitionableDevices": true, "DRAPrioritizedList": true,
			"DRAResourceClaimDeviceStatus": true,
		},
		Features: func(on func(string) bool) structured.Features {
			return structured.Features{
				AdminAccess:             on("DRAAdminAccess"),
				CompatibilityGroups:     on("DRADeviceCompatibilityGroups"),
				ConsumableCapacity:      on("DRAConsumableCapacity"),
				DerivedAttributes:       on("DRADerivedAttributes"),
				DeviceBindingAndStatus:  on("DRADeviceBindingConditions") && on("DRAResourceClaimDeviceStatus"),
				DeviceTaints:            on("DRADeviceTaints"),
				FractionalCapacityRange: on("DRAFractionalCapacityRange"),
				ListTypeAttributes:      on("DRAListTypeAttributes"),
				OptionalNodeOperations:  on("DRAOptionalNodeOperations"),
				PartitionableDevices:    on("DRAPartitionableDevices"),
				PrioritizedList:         on("DRAPrioritizedList"),
			}
		},
		CEL: func(on func(string) bool) cel.Features {
			return cel.Features{EnableConsumableCapacity: on("DRAConsumableCapacity"), EnableListTypeAttributes: on("DRAListTypeAttributes")}
		},
		IsLocal: func(err error) bool { return errors.Is(err, structured.ErrFailedAllocationOnNode) },
		Ordered: true,
	})
}

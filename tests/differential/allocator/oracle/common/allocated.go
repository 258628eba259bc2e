package common

import (
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/structured"
)

// allocated is what all claims hold, as the scheduler gathers it (kubernetes, package dynamicresources,
// foreachAllocatedDevice and claimTracker.GatherAllocatedState).
func (c *cluster) allocated(consumableCapacity bool) structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, name := range c.order {
		if allocation := c.claims[name].Status.Allocation; allocation != nil {
			for i := range allocation.Devices.Results {
				hold(&state, &allocation.Devices.Results[i], consumableCapacity)
			}
		}
	}
	return state
}

func hold(state *structured.AllocatedState, result *resourceapi.DeviceRequestAllocationResult, consumableCapacity bool) {
	if result.AdminAccess != nil && *result.AdminAccess {
		return
	}
	id := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
	if !consumableCapacity || result.ShareID == nil {
		state.AllocatedDevices.Insert(id)
		return
	}
	state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, result.ShareID))
	if result.ConsumedCapacity != nil {
		state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, result.ConsumedCapacity))
	}
}

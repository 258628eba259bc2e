// This file is about what a case has: the rows of the statistics.

package allocator

import (
	"fmt"
	"slices"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/utils/ptr"
)

// featuresOf names what a case has that the allocator decides by. What needs a gate counts only with it.
func featuresOf(of *testCase) (map[string]bool, error) {
	c, err := decode(of.Objects)
	if err != nil {
		return nil, err
	}
	r := releaseOf(of.Version)
	f := finder{found: map[string]bool{fmt.Sprintf("1.%d", r.minor): true, "gates turned": of.Gates != ""}, on: r.gates(of.Gates)}
	f.found["several claims"] = len(c.claimsOfPod()) > 1
	f.found["taint rules"] = len(c.rules) > 0 && f.on["DRADeviceTaintRules"]
	for _, claim := range c.claims {
		if claim.Status.Allocation != nil {
			f.ofHolder(claim)
		} else {
			f.ofClaim(claim)
		}
	}
	for _, slice := range c.slices {
		f.ofSlice(slice)
	}
	f.ofPools(c.slices)
	return f.found, nil
}

type finder struct {
	found map[string]bool
	on    map[string]bool // gates
}

// gated notes a feature that has a gate: as such with it, and else as one of those that must have no effect.
func (f *finder) gated(name, gate string, has bool) {
	if has && f.on[gate] {
		f.found[name] = true
	} else if has {
		f.found["fields of gates that are off"] = true
	}
}

func (f *finder) ofHolder(claim *resourceapi.ResourceClaim) {
	f.found["holders"] = true
	for _, result := range claim.Status.Allocation.Devices.Results {
		f.gated("held shares", "DRAConsumableCapacity", result.ShareID != nil)
	}
}

func (f *finder) ofClaim(claim *resourceapi.ResourceClaim) {
	devices := &claim.Spec.Devices
	f.found["no requests"] = f.found["no requests"] || len(devices.Requests) == 0
	f.found["several requests"] = f.found["several requests"] || len(devices.Requests) > 1
	for _, constraint := range devices.Constraints {
		f.found["match"] = f.found["match"] || constraint.MatchAttribute != nil
		f.found["distinct"] = f.found["distinct"] || constraint.DistinctAttribute != nil
		f.found["constraint of some requests"] = f.found["constraint of some requests"] || len(constraint.Requests) > 0
	}
	for _, request := range devices.Requests {
		f.gated("firstAvailable", "DRAPrioritizedList", len(request.FirstAvailable) > 0)
	}
	eachRequest(claim, func(_ string, request *resourceapi.DeviceSubRequest, adminAccess bool) {
		f.found["all"] = f.found["all"] || request.AllocationMode == resourceapi.DeviceAllocationModeAll
		f.found["exact"] = f.found["exact"] || request.Count > 0
		f.found["several devices"] = f.found["several devices"] || request.Count > 1
		f.found["count over 32"] = f.found["count over 32"] || request.Count > 32
		f.found["selectors"] = f.found["selectors"] || len(request.Selectors) > 0
		f.gated("admin", "DRAAdminAccess", adminAccess)
		f.gated("tolerations", "DRADeviceTaints", len(request.Tolerations) > 0)
		f.gated("capacity requests", "DRAConsumableCapacity", request.Capacity != nil)
		f.gated("derived", "DRADerivedAttributes", len(request.DerivedAttributes) > 0)
	})
}

func (f *finder) ofSlice(slice *resourceapi.ResourceSlice) {
	f.found["node selector"] = f.found["node selector"] || slice.Spec.NodeSelector != nil
	f.found["node name"] = f.found["node name"] || slice.Spec.NodeName != nil
	f.found["all nodes"] = f.found["all nodes"] || slice.Spec.AllNodes != nil
	f.gated("per device", "DRAPartitionableDevices", slice.Spec.PerDeviceNodeSelection != nil)
	f.gated("skipped operations", "DRAOptionalNodeOperations", len(slice.Spec.SkipNodeOperations) > 0)
	for i := range slice.Spec.Devices {
		device := &slice.Spec.Devices[i]
		f.gated("taints", "DRADeviceTaints", len(device.Taints) > 0)
		f.gated("counters", "DRAPartitionableDevices", len(device.ConsumesCounters) > 0)
		f.gated("binding conditions", "DRADeviceBindingConditions", len(device.BindingConditions) > 0)
		f.gated("shares", "DRAConsumableCapacity", ptr.Deref(device.AllowMultipleAllocations, false))
		for _, consumes := range device.ConsumesCounters {
			f.gated("compatibility groups", "DRADeviceCompatibilityGroups", len(consumes.CompatibilityGroups) > 0)
		}
		for _, attribute := range device.Attributes {
			list := attribute.IntValues != nil || attribute.BoolValues != nil || attribute.StringValues != nil || attribute.VersionValues != nil
			f.gated("list attributes", "DRAListTypeAttributes", list)
		}
		for _, capacity := range device.Capacity {
			f.ofPolicy(capacity.RequestPolicy)
		}
	}
}

func (f *finder) ofPolicy(policy *resourceapi.CapacityRequestPolicy) {
	if policy == nil {
		return
	}
	f.gated("policy", "DRAConsumableCapacity", true)
	f.gated("policy of values", "DRAConsumableCapacity", len(policy.ValidValues) > 0)
	f.gated("policy of a range", "DRAConsumableCapacity", policy.ValidRange != nil)
	if policy.ValidRange != nil && policy.ValidRange.Step != nil && policy.ValidRange.Step.MilliValue()%1000 != 0 {
		f.gated("fractional policy", "DRAFractionalCapacityRange", true)
	}
}

// ofPools looks at slices by pool and generation.
func (f *finder) ofPools(all []*resourceapi.ResourceSlice) {
	for _, slice := range all {
		same := 0
		var names, sets, wanted []string
		for _, other := range all {
			if other.Spec.Driver != slice.Spec.Driver || other.Spec.Pool.Name != slice.Spec.Pool.Name {
				continue
			}
			if other.Spec.Pool.Generation != slice.Spec.Pool.Generation {
				f.found["generations"] = true
				continue
			}
			same++
			for _, device := range other.Spec.Devices {
				f.found["invalid"] = f.found["invalid"] || slices.Contains(names, device.Name)
				names = append(names, device.Name)
				for _, consumes := range device.ConsumesCounters {
					wanted = append(wanted, consumes.CounterSet)
				}
			}
			for _, set := range other.Spec.SharedCounters {
				sets = append(sets, set.Name)
			}
		}
		f.found["several slices"] = f.found["several slices"] || same > 1
		f.found["incomplete"] = f.found["incomplete"] || int64(same) != slice.Spec.Pool.ResourceSliceCount
		for _, set := range wanted {
			f.gated("invalid", "DRAPartitionableDevices", !slices.Contains(sets, set))
		}
	}
}

// This file is about what the API objects say of pools and devices, worked out a second time and from
// nothing but the types of k8s.io/api.

package agree_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// poolKey names a pool.
type poolKey struct{ driver, pool string }

// deviceKey names a device.
type deviceKey struct {
	poolKey
	device string
}

// holder is one result of one claim's allocation.
type holder struct {
	claim  *resourceapi.ResourceClaim
	result *resourceapi.DeviceRequestAllocationResult
}

// admin tells whether the holder only looks at the device.
func (h holder) admin() bool { return h.result.AdminAccess != nil && *h.result.AdminAccess }

// facts are everything in a cluster that decides about devices.
type facts struct {
	slices  map[poolKey][]resourceapi.ResourceSlice // of the newest generation, by name
	holders map[deviceKey][]holder                  // by namespace and name of the claim
	rules   []resourceapi.DeviceTaintRule           // by name
}

// readFacts reads them from the API server.
func readFacts(t *testing.T, c *cluster) *facts {
	t.Helper()
	all := metav1.ListOptions{}
	api := c.client.ResourceV1()
	published, err := api.ResourceSlices().List(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	claims, err := api.ResourceClaims("").List(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := api.DeviceTaintRules().List(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	return newFacts(published.Items, claims.Items, rules.Items)
}

// newFacts takes objects in the order in which a server lists them, of namespaces and names.
func newFacts(published []resourceapi.ResourceSlice, claims []resourceapi.ResourceClaim, rules []resourceapi.DeviceTaintRule) *facts {
	f := &facts{map[poolKey][]resourceapi.ResourceSlice{}, map[deviceKey][]holder{}, rules}
	for _, slice := range published {
		key := poolKey{slice.Spec.Driver, slice.Spec.Pool.Name}
		if known := f.slices[key]; len(known) > 0 {
			switch newest := known[0].Spec.Pool.Generation; {
			case slice.Spec.Pool.Generation < newest:
				continue
			case slice.Spec.Pool.Generation > newest:
				f.slices[key] = nil
			}
		}
		f.slices[key] = append(f.slices[key], slice)
	}
	for i := range claims {
		claim := &claims[i]
		if claim.Status.Allocation == nil {
			continue
		}
		for j := range claim.Status.Allocation.Devices.Results {
			result := &claim.Status.Allocation.Devices.Results[j]
			key := deviceKey{poolKey{result.Driver, result.Pool}, result.Device}
			f.holders[key] = append(f.holders[key], holder{claim, result})
		}
	}
	return f
}

// pools returns the pools in the order of drivers and names.
func (f *facts) pools() []poolKey {
	return slices.SortedFunc(maps.Keys(f.slices), func(a, b poolKey) int {
		return cmp.Or(cmp.Compare(a.driver, b.driver), cmp.Compare(a.pool, b.pool))
	})
}

// status says whether the slices of a pool can be used as they are.
func (f *facts) status(pool poolKey) string {
	published := f.slices[pool]
	if int64(len(published)) != published[0].Spec.Pool.ResourceSliceCount {
		return "Incomplete"
	}
	devices, sets := map[string]bool{}, map[string]map[string]resourceapi.Counter{}
	for _, slice := range published {
		for _, device := range slice.Spec.Devices {
			if devices[device.Name] {
				return "Invalid"
			}
			devices[device.Name] = true
		}
		for _, set := range slice.Spec.SharedCounters {
			if sets[set.Name] != nil {
				return "Invalid"
			}
			sets[set.Name] = set.Counters
		}
	}
	for _, slice := range published {
		for _, device := range slice.Spec.Devices {
			for _, consumption := range device.ConsumesCounters {
				for counter := range consumption.Counters {
					if _, known := sets[consumption.CounterSet][counter]; !known {
						return "Invalid"
					}
				}
			}
		}
	}
	return "Complete"
}

// taint is a taint that keeps claims away, and the rule that it comes from, if any.
type taint struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Effect string `json:"effect"`
	Rule   string `json:"rule"`
}

// taints returns those of a device: its own, then those of rules.
func (f *facts) taints(key deviceKey, device *resourceapi.Device) []taint {
	found := []taint{}
	add := func(t resourceapi.DeviceTaint, rule string) {
		if t.Effect == resourceapi.DeviceTaintEffectNoSchedule || t.Effect == resourceapi.DeviceTaintEffectNoExecute {
			found = append(found, taint{t.Key, t.Value, string(t.Effect), rule})
		}
	}
	for _, own := range device.Taints {
		add(own, "")
	}
	for _, rule := range f.rules {
		selector := rule.Spec.DeviceSelector
		if selector == nil ||
			selector.Driver != nil && *selector.Driver != key.driver ||
			selector.Pool != nil && *selector.Pool != key.pool ||
			selector.Device != nil && *selector.Device != key.device {
			continue
		}
		add(rule.Spec.Taint, rule.Name)
	}
	return found
}

// occupancy says how much of a device is held: free, shared or allocated.
func (f *facts) occupancy(key deviceKey, device *resourceapi.Device) string {
	used := map[resourceapi.QualifiedName]resource.Quantity{}
	occupancy := "free"
	for _, holder := range f.holders[key] {
		if holder.admin() {
			continue
		}
		if device.AllowMultipleAllocations == nil || !*device.AllowMultipleAllocations || holder.result.ShareID == nil {
			return "allocated"
		}
		occupancy = "shared"
		for name, quantity := range holder.result.ConsumedCapacity {
			sum := used[name]
			sum.Add(quantity)
			used[name] = sum
		}
	}
	if occupancy == "shared" {
		for name, capacity := range device.Capacity {
			if sum := used[name]; sum.Cmp(capacity.Value) >= 0 {
				return "allocated"
			}
		}
	}
	return occupancy
}

// state is the word for a device in reports.
func (f *facts) state(key deviceKey, device *resourceapi.Device) string {
	occupancy, complete, tainted := f.occupancy(key, device), f.status(key.poolKey) == "Complete", len(f.taints(key, device)) > 0
	switch {
	case occupancy == "shared" && (!complete || tainted):
		return "allocated" // no claim gets the rest
	case occupancy != "free":
		return occupancy
	case !complete:
		return "unusable"
	case f.blocked(key.poolKey, device):
		return "blocked"
	case tainted:
		return "tainted"
	}
	return occupancy
}

// blocked says whether devices in use have left too little of the counters that the device would take.
func (f *facts) blocked(pool poolKey, device *resourceapi.Device) bool {
	left := map[string]map[string]resource.Quantity{}
	for _, slice := range f.slices[pool] {
		for _, set := range slice.Spec.SharedCounters {
			left[set.Name] = map[string]resource.Quantity{}
			for name, counter := range set.Counters {
				left[set.Name][name] = counter.Value.DeepCopy()
			}
		}
	}
	for _, slice := range f.slices[pool] {
		for i := range slice.Spec.Devices {
			other := &slice.Spec.Devices[i]
			if f.occupancy(deviceKey{pool, other.Name}, other) == "free" {
				continue
			}
			for _, consumption := range other.ConsumesCounters {
				for name, counter := range consumption.Counters {
					rest := left[consumption.CounterSet][name]
					rest.Sub(counter.Value)
					left[consumption.CounterSet][name] = rest
				}
			}
		}
	}
	for _, consumption := range device.ConsumesCounters {
		for name, counter := range consumption.Counters {
			if rest := left[consumption.CounterSet][name]; rest.Cmp(counter.Value) < 0 {
				return true
			}
		}
	}
	return false
}

// publishes says whether a slice of the newest generation has the device.
func (f *facts) publishes(key deviceKey) bool {
	return slices.ContainsFunc(f.slices[key.poolKey], func(slice resourceapi.ResourceSlice) bool {
		return slices.ContainsFunc(slice.Spec.Devices, func(device resourceapi.Device) bool { return device.Name == key.device })
	})
}

// place says where a slice or device can be used; empty if a selector says it.
func place(node *string, all *bool, perDevice *bool) string {
	switch {
	case node != nil:
		return *node
	case all != nil && *all:
		return "<all>"
	case perDevice != nil && *perDevice:
		return "<per device>"
	}
	return ""
}

// placeOfSlice is place for a slice.
func placeOfSlice(slice *resourceapi.ResourceSlice) string {
	return place(slice.Spec.NodeName, slice.Spec.AllNodes, slice.Spec.PerDeviceNodeSelection)
}

// attributes returns values as JSON knows them.
func attributes(device *resourceapi.Device) map[string]any {
	values := map[string]any{}
	for name, attribute := range device.Attributes {
		switch {
		case attribute.IntValue != nil:
			values[string(name)] = float64(*attribute.IntValue)
		case attribute.BoolValue != nil:
			values[string(name)] = *attribute.BoolValue
		case attribute.StringValue != nil:
			values[string(name)] = *attribute.StringValue
		case attribute.VersionValue != nil:
			values[string(name)] = *attribute.VersionValue
		default:
			values[string(name)] = fmt.Sprintf("an attribute that this test does not know: %v", attribute)
		}
	}
	return values
}

// sameQuantities compares amounts, which may be written in several ways.
func sameQuantities(want map[resourceapi.QualifiedName]resourceapi.DeviceCapacity, got map[string]string) bool {
	for name, capacity := range want {
		amount, err := resource.ParseQuantity(got[string(name)])
		if err != nil || amount.Cmp(capacity.Value) != 0 {
			return false
		}
	}
	return len(want) == len(got)
}

// sameAmounts compares quantities by name.
func sameAmounts(a, b map[string]string) bool {
	return maps.EqualFunc(a, b, func(x, y string) bool {
		first, err := resource.ParseQuantity(x)
		second, otherErr := resource.ParseQuantity(y)
		return err == nil && otherErr == nil && first.Cmp(second) == 0
	})
}

// This file is about the devices and pools that the plugin reports, held against what the API objects
// say, against the slices as the scheduler patches them with taint rules, and against the controller
// that counts devices.

package agree_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
)

// deviceRow is an item of `devices -o json`.
type deviceRow struct {
	Driver, Pool, Device, Node, State, PoolStatus string
	Claims                                        []claimRow
	Taints                                        []taint
	Attributes                                    map[string]any
	Capacity                                      map[string]string
}

// claimRow is who holds a device.
type claimRow struct {
	Namespace, Name, Request string
	AdminAccess              bool
	ShareID                  string
	Pods                     []string
}

// poolRow is an item of `pools -o json`.
type poolRow struct {
	Driver, Pool, Node                                                       string
	Slices, SlicesExpected, Generation, Devices, Allocated, Blocked, Tainted int64
	Free                                                                     *int64
	Status, Problem                                                          string
}

// list is a report with items.
type list[T any] struct {
	APIVersion, Kind string
	Items            []T
	Coverage         json.RawMessage
}

// compareInventory compares every device and pool, and returns how many devices are in which state.
func compareInventory(t *testing.T, c *cluster) map[string]int {
	t.Helper()
	f := readFacts(t, c)
	var devices list[deviceRow]
	var pools list[poolRow]
	c.report(t, &devices, nil, "devices")
	c.report(t, &pools, nil, "pools")
	if devices.Kind != "DeviceList" || pools.Kind != "PoolList" || devices.Coverage != nil || pools.Coverage != nil {
		t.Errorf("reports are %s with coverage %s, %s with %s", devices.Kind, devices.Coverage, pools.Kind, pools.Coverage)
	}
	compareDevices(t, f, devices.Items)
	comparePools(t, f, devices.Items, pools.Items)
	states := map[string]int{}
	for _, device := range devices.Items {
		states[device.State]++
	}
	return states
}

// compareDevices expects the devices of each pool's newest generation, slice by slice.
func compareDevices(t *testing.T, f *facts, rows []deviceRow) {
	t.Helper()
	var got []deviceRow
	for _, row := range rows {
		if row.State != "missing" {
			got = append(got, row)
		} else if key := (deviceKey{poolKey{row.Driver, row.Pool}, row.Device}); f.publishes(key) {
			t.Errorf("%v is called missing, and a slice has it", key)
		}
	}
	n := 0
	for _, pool := range f.pools() {
		for i := range f.slices[pool] {
			slice := &f.slices[pool][i]
			for j := range slice.Spec.Devices {
				if n >= len(got) {
					t.Fatalf("there are only %d devices", n)
				}
				compareDevice(t, f, slice, &slice.Spec.Devices[j], got[n])
				n++
			}
		}
	}
	if n != len(got) {
		t.Errorf("%d devices instead of %d", len(got), n)
	}
}

func compareDevice(t *testing.T, f *facts, slice *resourceapi.ResourceSlice, device *resourceapi.Device, got deviceRow) {
	t.Helper()
	key := deviceKey{poolKey{slice.Spec.Driver, slice.Spec.Pool.Name}, device.Name}
	want := deviceRow{
		Driver: key.driver, Pool: key.pool, Device: key.device,
		Node:       placeOfSlice(slice),
		State:      f.state(key, device),
		PoolStatus: f.status(key.poolKey),
		Claims:     []claimRow{},
		Taints:     f.taints(key, device),
		Attributes: attributes(device),
		Capacity:   got.Capacity,
	}
	if want.Node == "<per device>" {
		want.Node = place(device.NodeName, device.AllNodes, nil)
	}
	if want.Node == "" {
		want.Node = got.Node // a selector, in words that are the plugin's own
	}
	for _, holder := range f.holders[key] {
		row := claimRow{holder.claim.Namespace, holder.claim.Name, holder.result.Request, holder.admin(), "", []string{}}
		if holder.result.ShareID != nil {
			row.ShareID = string(*holder.result.ShareID)
		}
		for _, consumer := range holder.claim.Status.ReservedFor {
			if consumer.APIGroup == "" && consumer.Resource == "pods" {
				row.Pods = append(row.Pods, holder.claim.Namespace+"/"+consumer.Name)
			}
		}
		want.Claims = append(want.Claims, row)
	}
	if !reflect.DeepEqual(want, got) || !sameQuantities(device.Capacity, got.Capacity) {
		t.Errorf("device %v:\nwant %+v\ngot  %+v", key, want, got)
	}
}

// comparePools expects sums over devices and slices.
func comparePools(t *testing.T, f *facts, devices []deviceRow, got []poolRow) {
	t.Helper()
	keys := f.pools()
	if len(keys) != len(got) {
		t.Fatalf("%d pools instead of %d", len(got), len(keys))
	}
	for i, key := range keys {
		published := f.slices[key]
		want := poolRow{
			Driver: key.driver, Pool: key.pool, Free: new(int64),
			Slices:         int64(len(published)),
			SlicesExpected: published[0].Spec.Pool.ResourceSliceCount,
			Generation:     published[0].Spec.Pool.Generation,
			Status:         f.status(key),
			Problem:        got[i].Problem,
			Node:           placeOfSlice(&published[0]),
		}
		for j := range published {
			slice := &published[j]
			if placeOfSlice(slice) != want.Node {
				want.Node = "<several>"
			}
			for k := range slice.Spec.Devices {
				device := &slice.Spec.Devices[k]
				id := deviceKey{key, device.Name}
				want.Devices++
				if f.occupancy(id, device) != "free" {
					want.Allocated++
				}
				switch f.state(id, device) {
				case "free":
					*want.Free++
				case "blocked":
					want.Blocked++
				case "tainted":
					want.Tainted++
				}
			}
		}
		if want.Node == "" {
			want.Node = got[i].Node // a selector, or several
		}
		if !reflect.DeepEqual(want, got[i]) {
			t.Errorf("pool %v:\nwant %+v free %d\ngot  %+v free %d", key, want, *want.Free, got[i], valueOf(got[i].Free))
		}
		if (got[i].Problem != "") != (want.Status == "Invalid") {
			t.Errorf("pool %v is %s because of %q", key, want.Status, got[i].Problem)
		}
	}
}

// valueOf is -1 for what is not there.
func valueOf(number *int64) int64 {
	if number == nil {
		return -1
	}
	return *number
}

// words shows counts by word.
func words(counts map[string]int) string {
	var text string
	for _, word := range slices.Sorted(maps.Keys(counts)) {
		text += fmt.Sprintf("%s %d  ", word, counts[word])
	}
	return text
}

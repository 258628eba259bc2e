// This file is about pools, holders and taint rules of every kind, all in one cluster.

package agree_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/api/resource/v1alpha3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/utils/ptr"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

// sets is how many drivers are invented, each with its own pools, claims and taint rules.
const sets = 72

// faults are the ways in which a pool is published, as many wrong ones as right ones.
var faults = []string{"none", "none", "none", "none", "missing slice", "too many slices", "name twice", "unknown counter set", "unknown counter", "counter set twice"}

func TestGeneratedInventory(t *testing.T) {
	t.Parallel()
	b := &builder{t: t, r: newRandom(t)}
	b.addNamespace()
	for i := range sets {
		b.addSet(i)
	}
	c := newCluster(t, harness.Options{Serve: harness.All, FeatureGates: map[string]bool{"DRAResourcePoolStatus": true}})
	t.Run("fixtures", func(t *testing.T) {
		for _, name := range scene.Good {
			t.Run(name, func(t *testing.T) {
				with(t, c, readFixture(t, name), func() {
					compareInventory(t, c)
					compareEvaluations(t, c.ask, readFacts(t, c), b.r, 10)
				})
			})
		}
	})
	c.load(t, &b.Scene)
	states := compareInventory(t, c)
	t.Logf("%s", words(states))
	for _, state := range []string{"free", "shared", "allocated", "tainted", "unusable"} {
		if states[state] < 5 {
			t.Errorf("only %d devices are %s", states[state], state)
		}
	}
	expectAllOutcomes(t, compareEvaluations(t, c.ask, readFacts(t, c), b.r, 60))
	compareTaints(t, c)
	t.Run("a rule for every device", func(t *testing.T) { compareWithRuleForAll(t, c) })
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.record(t)
	compareInventory(t, c)
	comparePoolStatus(t, c)
}

// addSet invents what belongs to one driver.
func (b *builder) addSet(i int) {
	driver := fmt.Sprintf("driver-%d.example.com", i)
	class := &resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: driver}}
	b.add(class)
	for n := range 1 + b.r.IntN(3) {
		name := oneOf(b.r, fmt.Sprintf("pool-%d", n), fmt.Sprintf("rack-%d/host-%d", i, n))
		p := pool{driver: driver, name: name, generation: 1 + b.r.Int64N(3), where: b.newPlace(i)}
		for s := range 1 + b.r.IntN(3) {
			var devices []resourceapi.Device
			for d := range 1 + b.r.IntN(4) {
				devices = append(devices, b.newDevice(fmt.Sprintf("dev-%d-%d", s, d)))
			}
			p.devices = append(p.devices, devices)
		}
		if chance(b.r, 40) {
			b.addPool(pool{driver: driver, name: name, generation: p.generation - 1, where: p.where,
				devices: [][]resourceapi.Device{{b.newDevice("stale"), b.newDevice("dev-0-0")}}, expected: 1 + b.r.IntN(2)})
		}
		b.spoil(&p, faults[(i+n)%len(faults)])
		b.addPool(p)
		b.addHolders(fmt.Sprintf("set-%d-%d", i, n), driver, p)
	}
	b.addRule(i, driver)
}

// newPlace invents where the devices of a pool are.
func (b *builder) newPlace(i int) where {
	node, label := fmt.Sprintf("node-%d", i), map[string]string{"set": fmt.Sprint(i)}
	return oneOf(b.r, where{node: node}, where{all: true}, where{label: label},
		where{perDevice: true, node: node, all: true, label: label})
}

// spoil makes something of a pool wrong, or lets it use counters as it should.
func (b *builder) spoil(p *pool, fault string) {
	slices := len(p.devices)
	consume := func(set, counter string) {
		device := &p.devices[slices-1][0]
		device.ConsumesCounters = []resourceapi.DeviceCounterConsumption{{CounterSet: set,
			Counters: map[string]resourceapi.Counter{counter: {Value: oneQuantity}}}}
	}
	set := resourceapi.CounterSet{Name: "set", Counters: map[string]resourceapi.Counter{"counter": {Value: oneQuantity}}}
	switch fault {
	case "none":
		if chance(b.r, 30) {
			p.counters = []resourceapi.CounterSet{set}
			consume("set", "counter")
		}
	case "missing slice":
		p.expected = slices + 1 + b.r.IntN(3)
	case "too many slices":
		p.devices = append(p.devices, []resourceapi.Device{b.newDevice("more")})
		p.expected = slices
	case "name twice":
		p.devices = append(p.devices, []resourceapi.Device{b.newDevice("dev-0-0")})
	case "unknown counter set":
		p.counters = []resourceapi.CounterSet{set}
		consume("other", "counter")
	case "unknown counter":
		p.counters = []resourceapi.CounterSet{set}
		consume("set", "other")
	case "counter set twice":
		// One in the slice for counters, one in a further slice for counters.
		p.counters = []resourceapi.CounterSet{set}
		p.expected = slices + 2
		b.addPool(pool{driver: p.driver, name: p.name, generation: p.generation, where: p.where, expected: slices + 2,
			counters: []resourceapi.CounterSet{set}, suffix: "again"})
	}
}

// addHolders invents claims that hold devices of a pool, also such that no slice has.
func (b *builder) addHolders(name, driver string, p pool) {
	claims := 0
	add := func(device string) *resourceapi.ResourceClaim {
		claim := newClaim(fmt.Sprintf("%s-%d", name, claims), exactly("req", driver, 1))
		claims++
		allocate(claim, driver, p.name, device)
		if chance(b.r, 15) {
			markDeleted(claim)
		}
		return claim
	}
	for _, devices := range p.devices {
		for _, device := range devices {
			switch what := b.r.IntN(10); {
			case device.AllowMultipleAllocations != nil && what < 7:
				for range 1 + b.r.IntN(3) {
					claim := add(device.Name)
					if chance(b.r, 85) {
						b.share(&claim.Status.Allocation.Devices.Results[0], device.Capacity)
					}
					b.add(claim)
				}
			case what < 2:
				b.add(add(device.Name))
			case what < 4: // one that only looks, and perhaps one that holds
				claim := add(device.Name)
				claim.Spec.Devices.Requests[0].Exactly.AdminAccess = ptr.To(true)
				claim.Status.Allocation.Devices.Results[0].AdminAccess = ptr.To(true)
				b.add(claim)
				if chance(b.r, 40) {
					b.add(add(device.Name))
				}
			}
		}
	}
	if chance(b.r, 30) {
		b.add(add("in-no-slice"))
	}
	if chance(b.r, 50) {
		b.add(newClaim(name+"-pending", exactly("req", driver, 1)))
	}
}

// addRule goes through all sets of fields that a rule's selector may have, with all effects.
func (b *builder) addRule(i int, driver string) {
	rule := &resourceapi.DeviceTaintRule{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("rule-%d", i)},
		Spec:       resourceapi.DeviceTaintRuleSpec{Taint: b.newTaint(), DeviceSelector: &resourceapi.DeviceTaintSelector{}},
	}
	effects := []resourceapi.DeviceTaintEffect{resourceapi.DeviceTaintEffectNone,
		resourceapi.DeviceTaintEffectNoSchedule, resourceapi.DeviceTaintEffectNoExecute}
	rule.Spec.Taint.Effect = effects[i%3]
	selector := rule.Spec.DeviceSelector
	switch fields := i / 3 % 9; {
	case fields == 8:
		rule.Spec.DeviceSelector = nil // selects nothing
	case fields == 0 && rule.Spec.Taint.Effect != resourceapi.DeviceTaintEffectNone:
		selector.Driver = &driver // one for all devices would hide everything else, and comes last
	default:
		if fields&1 != 0 {
			selector.Driver = &driver
		}
		if fields&2 != 0 {
			selector.Pool = ptr.To(oneOf(b.r, "pool-0", "pool-1", fmt.Sprintf("rack-%d/host-0", i)))
		}
		if fields&4 != 0 {
			selector.Device = ptr.To(oneOf(b.r, "dev-0-0", "dev-1-2", "dev-2-3"))
		}
		if fields == 2 { // a pool of that name at every driver would be too many
			selector.Pool = ptr.To(fmt.Sprintf("rack-%d/host-0", i))
		}
		if fields == 4 {
			selector.Device = ptr.To("dev-2-3")
		}
	}
	b.add(rule)
}

// compareWithRuleForAll adds a rule with an empty selector.
func compareWithRuleForAll(t *testing.T, c *cluster) {
	b := &builder{t: t}
	b.add(&resourceapi.DeviceTaintRule{ObjectMeta: metav1.ObjectMeta{Name: "all"}, Spec: resourceapi.DeviceTaintRuleSpec{
		DeviceSelector: &resourceapi.DeviceTaintSelector{},
		Taint:          resourceapi.DeviceTaint{Key: "example.com/all", Effect: resourceapi.DeviceTaintEffectNoSchedule}}})
	with(t, c, &scene.Scene{Objects: b.Objects}, func() {
		if states := compareInventory(t, c); states["free"] != 0 || states["shared"] != 0 {
			t.Errorf("every device is tainted, and yet: %s", words(states))
		}
		compareTaints(t, c)
	})
	c.record(t)
}

// compareTaints holds the taints that the plugin reports against those that upstream's tracker gives to
// the scheduler.
func compareTaints(t *testing.T, c *cluster) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	factory := informers.NewSharedInformerFactory(c.client, 0)
	resources := factory.Resource().V1()
	patched, err := tracker.StartTracker(ctx, tracker.Options{EnableDeviceTaintRules: true,
		SliceInformer: resources.ResourceSlices(), TaintInformer: resources.DeviceTaintRules()})
	if err != nil {
		t.Fatal(err)
	}
	defer patched.Stop()
	factory.Start(ctx.Done())
	want := map[deviceKey][]taint{}
	harness.Eventually(t, func(context.Context) error {
		if !patched.HasSynced() {
			return fmt.Errorf("the tracker has not seen all slices and rules")
		}
		return nil
	})
	published, err := patched.ListPatchedResourceSlices()
	if err != nil {
		t.Fatal(err)
	}
	stale := readFacts(t, c)
	for _, slice := range published {
		key := poolKey{slice.Spec.Driver, slice.Spec.Pool.Name}
		if slice.Spec.Pool.Generation != stale.slices[key][0].Spec.Pool.Generation {
			continue
		}
		for _, device := range slice.Spec.Devices {
			id := deviceKey{key, device.Name}
			for _, t := range device.Taints {
				if t.Effect == resourceapi.DeviceTaintEffectNoSchedule || t.Effect == resourceapi.DeviceTaintEffectNoExecute {
					want[id] = append(want[id], taint{t.Key, t.Value, string(t.Effect), ""})
				}
			}
		}
	}
	var devices list[deviceRow]
	c.report(t, &devices, nil, "devices")
	got := map[deviceKey][]taint{}
	for _, device := range devices.Items {
		id := deviceKey{poolKey{device.Driver, device.Pool}, device.Device}
		for _, t := range device.Taints {
			t.Rule = ""
			got[id] = append(got[id], t)
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d devices have taints instead of %d", len(got), len(want))
	}
	for id := range want {
		if !sameTaints(want[id], got[id]) {
			t.Errorf("%v:\nwant %v\ngot  %v", id, want[id], got[id])
		}
	}
}

// sameTaints compares without order: the tracker has no order of rules.
func sameTaints(a, b []taint) bool {
	count := func(all []taint, one taint) (n int) {
		for _, t := range all {
			if t == one {
				n++
			}
		}
		return n
	}
	return len(a) == len(b) && !slices.ContainsFunc(a, func(one taint) bool { return count(a, one) != count(b, one) })
}

// comparePoolStatus asks the controller for each complete pool: of others it says nothing, or counts
// what the scheduler ignores. It knows no shares: a shared device is allocated.
func comparePoolStatus(t *testing.T, c *cluster) {
	t.Helper()
	var pools list[poolRow]
	var devices list[deviceRow]
	c.report(t, &pools, nil, "pools")
	c.report(t, &devices, nil, "devices")
	absent := map[poolKey]int64{} // held devices that no slice has, which the controller counts
	f := readFacts(t, c)
	for key, holders := range f.holders {
		holds := slices.ContainsFunc(holders, func(h holder) bool { return !h.admin() })
		if holds && !f.publishes(key) {
			absent[key.poolKey]++
		}
	}
	complete := 0
	for _, status := range poolStatuses(t, c, pools.Items) {
		i := slices.IndexFunc(pools.Items, func(row poolRow) bool { return row.Driver == status.Driver && row.Pool == status.PoolName })
		if i < 0 {
			t.Errorf("pool %s of %s is not reported", status.PoolName, status.Driver)
			continue
		}
		row := pools.Items[i]
		complete++
		key := poolKey{row.Driver, row.Pool}
		if status.ValidationError != nil || int64(*status.TotalDevices) != row.Devices || status.Generation != row.Generation ||
			int64(*status.AllocatedDevices) != row.Allocated+absent[key] || int64(*status.ResourceSliceCount) != row.Slices {
			t.Errorf("pool %v: %+v, while the controller counts %d devices, %d allocated of which %d are in no slice (%s)", key, row,
				*status.TotalDevices, *status.AllocatedDevices, absent[key], ptr.Deref(status.ValidationError, ""))
		}
		var unavailable int64
		for _, device := range devices.Items {
			if device.Driver == row.Driver && device.Pool == row.Pool && len(device.Taints) > 0 {
				unavailable++
			}
		}
		if int64(*status.UnavailableDevices) != unavailable {
			t.Errorf("pool %v: %d devices with taints, while the controller counts %d", key, unavailable, *status.UnavailableDevices)
		}
		// The controller subtracts a device twice that is both allocated and tainted, and knows no counters.
		if available := int64(*status.AvailableDevices); available > *row.Free+row.Blocked {
			t.Errorf("pool %v: %d free, while the controller counts %d", key, *row.Free, available)
		}
	}
	if complete < sets/2 {
		t.Errorf("only %d complete pools were compared", complete)
	}
}

// poolStatuses lets the controller look at each complete pool. It never answers where one is incomplete.
func poolStatuses(t *testing.T, c *cluster, pools []poolRow) []v1alpha3.PoolStatus {
	t.Helper()
	requests := c.client.ResourceV1alpha3().ResourcePoolStatusRequests()
	for i, row := range pools {
		if row.Status != "Complete" {
			continue
		}
		request := &v1alpha3.ResourcePoolStatusRequest{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("pool-%d", i)},
			Spec: v1alpha3.ResourcePoolStatusRequestSpec{Driver: row.Driver, PoolName: &row.Pool}}
		if _, err := requests.Create(t.Context(), request, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	var statuses []v1alpha3.PoolStatus
	harness.Eventually(t, func(ctx context.Context) error {
		answered, err := requests.List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		statuses = nil
		for _, request := range answered.Items {
			if request.Status == nil || len(request.Status.Conditions) == 0 {
				return fmt.Errorf("the controller has not answered %s", request.Name)
			}
			statuses = append(statuses, request.Status.Pools...)
		}
		return nil
	})
	return statuses
}

// This file is about generated devices.

package allocator

import (
	"fmt"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"
)

type attributes = map[resourceapi.QualifiedName]resourceapi.DeviceAttribute

func (g *generator) device(p *pool) resourceapi.Device {
	d := resourceapi.Device{Name: fmt.Sprintf("d%d", p.devices), Attributes: attributes{}}
	p.devices++
	g.attribute(d.Attributes, p.driver, "model", resourceapi.DeviceAttribute{StringValue: ptr.To(pick(g.Rand, "a", "a", "b", "c"))})
	g.attribute(d.Attributes, p.driver, "numa", g.numa())
	g.attribute(d.Attributes, p.driver, "ready", resourceapi.DeviceAttribute{BoolValue: ptr.To(g.chance(0.6))})
	g.attribute(d.Attributes, p.driver, "version", resourceapi.DeviceAttribute{VersionValue: ptr.To(pick(g.Rand, "1.0.0", "1.0.0-rc.1", "2.1.0"))})
	if g.chance(0.6) {
		d.Attributes["dra.example.com/pcieRoot"] = resourceapi.DeviceAttribute{StringValue: ptr.To(pick(g.Rand, "r0", "r1"))}
	}
	// While the gate is off 1.36 fails at a list, as soon as it evaluates anything for the device. Its server would drop
	// the list then, but from objects that had one before.
	if g.has("lists", 0, 0.8) && (g.api("DRAListTypeAttributes", 36) || g.release.minor == 36 && g.chance(0.3)) {
		g.attribute(d.Attributes, p.driver, "links", g.links())
	}
	g.place(p, &d)
	g.addCapacity(p, &d)
	g.addCounters(p, &d)
	for range g.weighted(2, 4, 1) {
		if g.has("taints", 0.03, 0.5) && g.api("DRADeviceTaints", 34) {
			d.Taints = append(d.Taints, g.taint())
		}
	}
	if g.has("binding", 0.02, 0.4) && g.api("DRADeviceBindingConditions", 34) {
		d.BindingConditions = []string{"ready"}
		d.BindingFailureConditions = []string{"failed"}
		d.BindsToNode = ptr.To(g.chance(0.4))
	}
	return d
}

// attribute gives a device an attribute, mostly. Its name has the domain of the driver or none, never both: CEL takes
// either of the two then.
func (g *generator) attribute(to attributes, driver, name string, value resourceapi.DeviceAttribute) {
	if g.chance(0.13) {
		return
	}
	if g.chance(0.3) {
		name = driver + "/" + name
	}
	to[resourceapi.QualifiedName(name)] = value
}

func (g *generator) numa() resourceapi.DeviceAttribute {
	if g.chance(0.06) {
		return resourceapi.DeviceAttribute{StringValue: ptr.To(pick(g.Rand, "0", "1"))}
	}
	return resourceapi.DeviceAttribute{IntValue: ptr.To(int64(g.weighted(4, 4, 2)))}
}

func (g *generator) links() resourceapi.DeviceAttribute {
	switch g.weighted(4, 4, 1, 1, 3, 3) {
	case 0:
		return resourceapi.DeviceAttribute{StringValues: pick(g.Rand, []string{"x"}, []string{"x", "y"}, []string{"y", "z"}, []string{"z"})}
	case 1:
		return resourceapi.DeviceAttribute{IntValues: pick(g.Rand, []int64{1}, []int64{1, 2}, []int64{2, 3}, []int64{3})}
	case 2:
		return resourceapi.DeviceAttribute{BoolValues: pick(g.Rand, []bool{true}, []bool{true, false})}
	case 3:
		return resourceapi.DeviceAttribute{VersionValues: pick(g.Rand, []string{"1.0.0"}, []string{"1.0.0", "2.0.0"})}
	case 4:
		return resourceapi.DeviceAttribute{StringValue: ptr.To(pick(g.Rand, "x", "y"))}
	}
	return resourceapi.DeviceAttribute{IntValue: ptr.To(int64(1 + g.IntN(3)))}
}

// place says to which nodes a device of a pool belongs that leaves this to its devices.
func (g *generator) place(p *pool, d *resourceapi.Device) {
	if p.where != "perDevice" {
		return
	}
	switch g.weighted(5, 3, 3) {
	case 0:
		d.NodeName = ptr.To(g.node())
	case 1:
		d.AllNodes = ptr.To(true)
	case 2:
		d.NodeSelector = g.nodeSelector()
		if g.chance(0.3) { // a device may have more than one term, a slice may not
			d.NodeSelector.NodeSelectorTerms = append(d.NodeSelector.NodeSelectorTerms, g.nodeSelector().NodeSelectorTerms...)
		}
	}
}

func quantity(text string) resource.Quantity { return resource.MustParse(text) }

func (g *generator) addCapacity(p *pool, d *resourceapi.Device) {
	shared := p.shareable && g.chance(0.85)
	if shared {
		d.AllowMultipleAllocations = ptr.To(true)
	} else if p.shareable && g.chance(0.3) {
		d.AllowMultipleAllocations = ptr.To(false)
	}
	d.Capacity = map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{}
	add := func(name string, capacity resourceapi.DeviceCapacity, policies ...resourceapi.CapacityRequestPolicy) {
		if g.chance(0.2) {
			name = p.driver + "/" + name
		}
		if shared && g.chance(0.75) {
			policy := pick(g.Rand, policies...)
			capacity.RequestPolicy = policy.DeepCopy()
		}
		d.Capacity[resourceapi.QualifiedName(name)] = capacity
	}
	if shared && p.sets != nil && g.chance(0.4) {
		d.Capacity = nil // a share then consumes counters only
		return
	}
	if g.chance(0.85) {
		add("memory", resourceapi.DeviceCapacity{Value: quantity(pick(g.Rand, "10Gi", "10Gi", "40Gi", "10737418240"))}, memoryPolicies...)
	}
	if g.chance(0.4) || g.has("fractional", 0, 0.9) {
		policies := corePolicies
		if g.on["DRAFractionalCapacityRange"] && g.chance(0.85) {
			policies = fractionalPolicies
		}
		add("cores", resourceapi.DeviceCapacity{Value: quantity(pick(g.Rand, "4", "8"))}, policies...)
	}
	if len(d.Capacity) == 0 {
		d.Capacity = nil
	}
}

func values(fallback string, texts ...string) resourceapi.CapacityRequestPolicy {
	out := resourceapi.CapacityRequestPolicy{Default: ptr.To(quantity(fallback))}
	for _, text := range texts {
		out.ValidValues = append(out.ValidValues, quantity(text))
	}
	return out
}

// between is a policy of a range; "" for a limit that it does not have.
func between(fallback, least, most, step string) resourceapi.CapacityRequestPolicy {
	optional := func(text string) *resource.Quantity {
		if text == "" {
			return nil
		}
		return ptr.To(quantity(text))
	}
	return resourceapi.CapacityRequestPolicy{
		Default:    ptr.To(quantity(fallback)),
		ValidRange: &resourceapi.CapacityRequestPolicyRange{Min: optional(least), Max: optional(most), Step: optional(step)},
	}
}

var (
	memoryPolicies = []resourceapi.CapacityRequestPolicy{
		values("1Gi"), values("2Gi", "1Gi", "2Gi", "4Gi"), values("1Gi", "1Gi", "10Gi"), values("1073741824", "1Gi", "4Gi"),
		between("1Gi", "1Gi", "8Gi", "1Gi"), between("3Gi", "1Gi", "", "2Gi"), between("1Gi", "512Mi", "", ""),
		between("2147483648", "1Gi", "5Gi", "1073741824"), between("5Gi", "5Gi", "", "5Gi"),
	}
	corePolicies = []resourceapi.CapacityRequestPolicy{
		values("1"), values("2", "1", "2", "4"), between("1", "1", "4", "1"), between("2", "1", "3", ""), between("1", "1", "", "2"),
	}
	fractionalPolicies = []resourceapi.CapacityRequestPolicy{
		between("500m", "250m", "", "250m"), between("1", "500m", "2500m", "500m"), between("1500m", "1", "", "500m"), between("100m", "100m", "1", "1m"),
	}
)

func (g *generator) addCounters(p *pool, d *resourceapi.Device) {
	for _, set := range p.sets {
		if g.chance(0.2) {
			continue
		}
		consumes := resourceapi.DeviceCounterConsumption{CounterSet: set.Name, Counters: map[string]resourceapi.Counter{
			"memory": {Value: quantity(pick(g.Rand, "5Gi", "10Gi", "20Gi"))},
		}}
		if g.chance(0.7) {
			consumes.Counters["slices"] = resourceapi.Counter{Value: quantity(pick(g.Rand, "1", "1", "2", "3"))}
		}
		if g.has("compatibilityGroups", 0.01, 0.75) && g.api("DRADeviceCompatibilityGroups", 37) {
			consumes.CompatibilityGroups = pick(g.Rand, []string{"g1"}, []string{"g1", "g2"}, []string{"g2"}, []string{"g3", "g1"})
		}
		d.ConsumesCounters = append(d.ConsumesCounters, consumes)
	}
}

func (g *generator) taint() resourceapi.DeviceTaint {
	effects := []resourceapi.DeviceTaintEffect{resourceapi.DeviceTaintEffectNoSchedule, resourceapi.DeviceTaintEffectNoExecute}
	if g.release.minor >= 36 {
		effects = append(effects, resourceapi.DeviceTaintEffectNone)
	}
	return resourceapi.DeviceTaint{
		Key: pick(g.Rand, "example.com/broken", "example.com/reserved"), Value: pick(g.Rand, "", "v1", "v2"), Effect: pick(g.Rand, effects...), TimeAdded: &longAgo,
	}
}

// This file is about generated claims: those of the pod, and those that hold devices.

package allocator

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

var longAgo = metav1.Unix(1_750_000_000, 0)

func (g *generator) makeClaims() {
	g.pod = &corev1.Pod{ObjectMeta: meta("p")}
	g.pod.Spec.Containers = []corev1.Container{{Name: "main", Image: "registry.k8s.io/pause:3.10"}}
	count := 1
	if g.has("severalClaims", 0.2, 1) {
		count = 2 + g.weighted(3, 1)
	}
	for i := range count {
		claim := &resourceapi.ResourceClaim{ObjectMeta: meta(fmt.Sprintf("c%d", count-i))}
		requests := g.weighted(1, 24, 10, 3, 1)
		if i > 0 {
			requests = g.weighted(2, 24, 8, 1)
		}
		if g.themes["search"] {
			requests = 1 + g.weighted(1, 5, 5, 2)
		}
		for j := range requests {
			claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, g.request(fmt.Sprintf("r%d", j)))
		}
		g.addConstraints(claim)
		g.claims = append(g.claims, claim)
		g.pod.Spec.ResourceClaims = append(g.pod.Spec.ResourceClaims, corev1.PodResourceClaim{Name: fmt.Sprintf("of-pod%d", i), ResourceClaimName: &claim.Name})
	}
}

func (g *generator) request(name string) resourceapi.DeviceRequest {
	out := resourceapi.DeviceRequest{Name: name}
	if (g.has("firstAvailable", 0.1, 0.7) || g.has("many", 0, 0.65)) && (g.on["DRAPrioritizedList"] || g.chance(0.2)) {
		for i := range 2 + g.IntN(2) {
			out.FirstAvailable = append(out.FirstAvailable, g.alternative(fmt.Sprintf("s%d", i)))
		}
		return out
	}
	a := g.alternative("")
	out.Exactly = &resourceapi.ExactDeviceRequest{
		DeviceClassName: a.DeviceClassName, Selectors: a.Selectors, AllocationMode: a.AllocationMode, Count: a.Count, Tolerations: a.Tolerations, Capacity: a.Capacity,
	}
	if g.has("admin", 0.05, 0.55) && (g.on["DRAAdminAccess"] || g.chance(0.2)) {
		out.Exactly.AdminAccess = ptr.To(!g.on["DRAAdminAccess"] || g.chance(0.9))
	}
	return out
}

func (g *generator) alternative(name string) resourceapi.DeviceSubRequest {
	out := resourceapi.DeviceSubRequest{Name: name, DeviceClassName: pick(g.Rand, g.classes...).Name}
	if g.has("search", 0.35, 0.85) {
		out.DeviceClassName = g.classes[0].Name
	}
	for range g.weighted(6, 5, 1) {
		if !g.themes["search"] || g.chance(0.3) {
			out.Selectors = append(out.Selectors, g.selector())
		}
	}
	switch {
	case g.has("all", 0.05, 0.6):
		out.AllocationMode = resourceapi.DeviceAllocationModeAll
	default:
		out.AllocationMode = resourceapi.DeviceAllocationModeExactCount
		out.Count = int64(1 + g.weighted(14, 5, 2, 1))
		if g.themes["search"] {
			out.Count = int64(1 + g.weighted(7, 5, 1))
		}
		if g.has("many", 0.004, 0.35) {
			out.Count = pick(g.Rand, int64(16), 17, 31, 32, 33, 34, 1<<40)
		}
	}
	for range g.weighted(2, 2, 1) {
		if g.has("taints", 0.02, 0.4) || g.has("rules", 0, 0.25) {
			out.Tolerations = append(out.Tolerations, g.toleration())
		}
	}
	if (g.has("filter", 0.04, 0.6) || g.has("shares", 0, 0.6)) && g.api("DRAConsumableCapacity", 34) {
		out.Capacity = g.capacityRequest()
	}
	return out
}

func (g *generator) toleration() resourceapi.DeviceToleration {
	out := resourceapi.DeviceToleration{
		Key: pick(g.Rand, "", "example.com/broken", "example.com/reserved"), Operator: resourceapi.DeviceTolerationOpExists,
		Effect: pick(g.Rand, "", "", resourceapi.DeviceTaintEffectNoSchedule, resourceapi.DeviceTaintEffectNoExecute),
	}
	if g.chance(0.5) {
		out.Operator = resourceapi.DeviceTolerationOpEqual
		out.Key = pick(g.Rand, "example.com/broken", "example.com/reserved")
		out.Value = pick(g.Rand, "", "v1", "v2")
	}
	return out
}

func (g *generator) capacityRequest() *resourceapi.CapacityRequirements {
	out := &resourceapi.CapacityRequirements{}
	name := func(id string) resourceapi.QualifiedName {
		if g.chance(0.12) {
			id = pick(g.Rand, g.drivers...) + "/" + id
		}
		return resourceapi.QualifiedName(id)
	}
	add := func(id string, texts ...string) {
		if out.Requests == nil {
			out.Requests = map[resourceapi.QualifiedName]resourceQuantity{}
		}
		out.Requests[name(id)] = quantity(pick(g.Rand, texts...))
	}
	if g.chance(0.8) {
		add("memory", "1Gi", "1Gi", "3Gi", "1500Mi", "4Gi", "5Gi", "8Gi", "10Gi", "20Gi", "1", "0", "1073741824")
	}
	if g.chance(0.3) || g.has("fractional", 0, 0.6) {
		add("cores", "1", "2", "3", "500m", "1500m", "333m", "0.0005")
	}
	if g.chance(0.03) {
		add("memory", "9223372036854775807", "9223372036854775808", "10E")
	}
	if g.chance(0.03) {
		add("nothing", "1")
	}
	return out
}

// addConstraints gives a claim constraints, and derives attributes that they look up.
func (g *generator) addConstraints(claim *resourceapi.ResourceClaim) {
	requests := claim.Spec.Devices.Requests
	if len(requests) == 0 {
		return
	}
	kinds := []bool{g.has("match", 0.05, 0.8), g.has("distinct", 0.04, 0.8), g.has("lists", 0, 0.5), g.has("lists", 0, 0.4)}
	for i, wanted := range kinds {
		if !wanted {
			continue
		}
		name := g.attributeName()
		if i > 1 {
			name = resourceapi.FullyQualifiedName(g.someDriver() + "/links")
		}
		constraint := resourceapi.DeviceConstraint{MatchAttribute: &name}
		if i%2 == 1 {
			constraint = resourceapi.DeviceConstraint{DistinctAttribute: &name}
		}
		constraint.Requests = g.someRequests(claim)
		claim.Spec.Devices.Constraints = append(claim.Spec.Devices.Constraints, constraint)
	}
	if g.has("derived", 0.002, 0.85) && g.api("DRADerivedAttributes", 37) {
		g.derive(claim)
	}
}

// alignMore puts all devices in places, few in each, and lets the pod want as many as few places have.
func (g *generator) alignMore() {
	const root, numa = "dra.example.com/pcieRoot", "dra.example.com/numaNode"
	together := 1 + g.IntN(3) // on one root
	for _, slice := range g.slices {
		for i := range slice.Spec.Devices {
			at := slice.Spec.Devices[i].Attributes
			if at == nil {
				continue
			}
			at[root] = resourceapi.DeviceAttribute{StringValue: ptr.To(fmt.Sprintf("%s-%d", slice.Name, i/together))}
			at[numa] = resourceapi.DeviceAttribute{IntValue: ptr.To(int64(i / (2 * together)))}
		}
	}
	name := resourceapi.FullyQualifiedName(root)
	for _, claim := range g.claims {
		if claim.Status.Allocation != nil || len(claim.Spec.Devices.Requests) == 0 {
			continue
		}
		claim.Spec.Devices.Constraints = []resourceapi.DeviceConstraint{{MatchAttribute: &name}}
		for i := range claim.Spec.Devices.Requests {
			if exactly := claim.Spec.Devices.Requests[i].Exactly; exactly != nil {
				exactly.AllocationMode, exactly.Count, exactly.Selectors = resourceapi.DeviceAllocationModeExactCount, pick(g.Rand, int64(1), 2, 2, 2, 4), nil
			}
		}
		return
	}
}

func (g *generator) attributeName() resourceapi.FullyQualifiedName {
	if g.chance(0.25) {
		return "dra.example.com/pcieRoot"
	}
	return resourceapi.FullyQualifiedName(g.someDriver() + "/" + pick(g.Rand, "model", "numa", "numa", "ready", "version"))
}

// someDriver is one that has devices, mostly.
func (g *generator) someDriver() string {
	if len(g.places) == 0 || g.chance(0.1) {
		return pick(g.Rand, g.drivers...)
	}
	return pick(g.Rand, g.places...).driver
}

// someRequests names requests or alternatives of a claim; none for all.
func (g *generator) someRequests(claim *resourceapi.ResourceClaim) (out []string) {
	if g.chance(0.5) {
		return nil
	}
	for _, request := range claim.Spec.Devices.Requests {
		if g.chance(0.4) {
			continue
		}
		if len(request.FirstAvailable) > 0 && g.chance(0.6) {
			out = append(out, request.Name+"/"+pick(g.Rand, request.FirstAvailable...).Name)
			continue
		}
		out = append(out, request.Name)
	}
	return out
}

// derive derives an attribute for requests of a claim, with a constraint for it.
func (g *generator) derive(claim *resourceapi.ResourceClaim) {
	name := pick(g.Rand, "derived.example.com/group", resourceapi.FullyQualifiedName(g.drivers[0]+"/numa"))
	for i := range claim.Spec.Devices.Requests {
		if i > 0 && g.chance(0.4) {
			continue
		}
		request := &claim.Spec.Devices.Requests[i]
		if request.Exactly != nil {
			request.Exactly.DerivedAttributes = g.derived(name)
		}
		for j := range request.FirstAvailable {
			request.FirstAvailable[j].DerivedAttributes = g.derived(name)
		}
	}
	constraint := resourceapi.DeviceConstraint{MatchAttribute: &name}
	if g.chance(0.4) {
		constraint = resourceapi.DeviceConstraint{DistinctAttribute: &name}
	}
	claim.Spec.Devices.Constraints = append(claim.Spec.Devices.Constraints, constraint)
}

func (g *generator) derived(name resourceapi.FullyQualifiedName) []resourceapi.DeviceDerivedAttribute {
	return []resourceapi.DeviceDerivedAttribute{{Name: name, Expression: g.derivation()}}
}

// makeHolders makes claims that are allocated.
func (g *generator) makeHolders() {
	if len(g.places) == 0 {
		return
	}
	for i := range g.weighted(2, 3, 2, 1) {
		if !g.has("holders", 0.12, 0.95) && !g.has("shares", 0, 0.5) || g.themes["search"] && i > 0 {
			continue
		}
		claim := &resourceapi.ResourceClaim{ObjectMeta: meta(fmt.Sprintf("held%d", i))}
		claim.Spec.Devices.Requests = []resourceapi.DeviceRequest{{Name: "r", Exactly: &resourceapi.ExactDeviceRequest{
			DeviceClassName: g.classes[0].Name, AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: int64(1 + g.IntN(2)),
		}}}
		claim.Status.Allocation = &resourceapi.AllocationResult{}
		for j := range claim.Spec.Devices.Requests[0].Exactly.Count {
			claim.Status.Allocation.Devices.Results = append(claim.Status.Allocation.Devices.Results, g.held(i, int(j)))
		}
		if g.chance(0.06) {
			claim.Spec.Devices.Requests[0].Exactly.AdminAccess = ptr.To(true)
			for j := range claim.Status.Allocation.Devices.Results {
				claim.Status.Allocation.Devices.Results[j].AdminAccess = ptr.To(true)
			}
		}
		claim.Status.ReservedFor = []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: "other", UID: "00000000-0000-4000-8000-00000000beef"}}
		g.claims = append(g.claims, claim)
	}
}

func (g *generator) held(claim, index int) resourceapi.DeviceRequestAllocationResult {
	at := pick(g.Rand, g.places...)
	if len(at.device.ConsumesCounters) == 0 {
		at = pick(g.Rand, g.places...)
	}
	out := resourceapi.DeviceRequestAllocationResult{Request: "r", Driver: at.driver, Pool: at.pool, Device: at.device.Name}
	if g.chance(0.05) {
		out.Device = "gone"
	}
	if !ptr.Deref(at.device.AllowMultipleAllocations, false) || g.chance(0.07) {
		return out
	}
	share := types.UID(fmt.Sprintf("11111111-0000-4000-8000-%06x%06x", claim, index))
	out.ShareID = &share
	for _, name := range slices.Sorted(maps.Keys(at.device.Capacity)) {
		capacity := at.device.Capacity[name]
		consumed := capacity.Value
		if policy := capacity.RequestPolicy; policy != nil && policy.Default != nil {
			consumed = *policy.Default
		} else if g.chance(0.6) {
			consumed = quantity(map[bool]string{true: "4Gi", false: "1"}[capacity.Value.Value() > 1000])
		}
		if out.ConsumedCapacity == nil {
			out.ConsumedCapacity = map[resourceapi.QualifiedName]resourceQuantity{}
		}
		out.ConsumedCapacity[name] = consumed
	}
	return out
}

// This file is about generated pools, their slices and devices.

package allocator

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// poolNames sort differently by bytes, by numbers and by parts.
var poolNames = []string{"p10", "p2", "p", "p-1", "p.1", "p/1", "shared"}

// pool is one that is being made.
type pool struct {
	driver, name string
	where        string // nodeName, nodeSelector, allNodes or perDevice
	node         string // of nodeName
	generation   int64
	sets         []resourceapi.CounterSet
	shareable    bool
	devices      int // made so far
}

func (g *generator) makePools() {
	names := slices.Clone(poolNames)
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for i := range 1 + g.weighted(3, 4, 3) {
		name := names[i]
		if i > 0 && len(g.drivers) > 1 && g.chance(0.2) {
			name = names[i-1] // of another driver, maybe
		}
		p := &pool{driver: pick(g.Rand, g.drivers...), name: name, generation: int64(g.weighted(3, 2, 1))}
		if slices.ContainsFunc(g.slices, func(s *resourceapi.ResourceSlice) bool { return s.Spec.Driver == p.driver && s.Spec.Pool.Name == name }) {
			continue
		}
		switch {
		case g.themes["search"] && i == 0 && g.chance(0.85):
			p.where = "allNodes"
		case g.has("perDevice", 0.04, 0.7) && g.on["DRAPartitionableDevices"]:
			p.where = "perDevice"
		case g.has("nodeSelector", 0.12, 0.75):
			p.where = "nodeSelector"
		case g.has("search", 0.4, 0.8):
			p.where = "allNodes"
		default:
			p.where, p.node = "nodeName", g.node()
		}
		p.shareable = (g.has("shares", 0.06, 0.8) || g.has("fractional", 0, 0.8)) && g.api("DRAConsumableCapacity", 34)
		if g.has("counters", 0.05, 0.85) || g.has("compatibilityGroups", 0, 0.85) {
			p.sets = g.counterSets()
		}
		if !g.on["DRAPartitionableDevices"] && !g.chance(stale) {
			p.sets = nil
		}
		// Only one of a name in 1.35: see leftOut.
		if g.release.minor == 35 && slices.ContainsFunc(g.slices, func(s *resourceapi.ResourceSlice) bool { return s.Spec.Pool.Name == name }) {
			p.sets = nil
		}
		g.makeGenerations(p)
	}
	// Slices come in the order of their names, so that nothing depends on the order of a list that upstream has none for.
	slices.SortFunc(g.slices, func(a, b *resourceapi.ResourceSlice) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
}

// makeGenerations makes the slices of a pool, and those of another generation that are not gone or not all there yet.
func (g *generator) makeGenerations(p *pool) {
	g.makeSlices(p)
	if !g.has("generations", 0.03, 0.75) {
		return
	}
	other := *p
	if other.generation--; g.chance(0.4) || other.generation < 0 {
		other.generation = p.generation + 1
	}
	if g.chance(0.6) {
		other.where, other.node = "nodeName", g.node()
	}
	g.makeSlices(&other)
}

// makeSlices makes the slices of one generation.
func (g *generator) makeSlices(p *pool) {
	var made []*resourceapi.ResourceSlice
	many := g.has("many", 0, 0.25)
	for range 1 + g.weighted(6, 3, 1) {
		slice := g.slice(p)
		made = append(made, slice)
		count := g.weighted(1, 5, 8, 7, 4)
		if g.themes["search"] {
			count = 3 + g.weighted(3, 4, 2)
		}
		if many && len(made) == 1 {
			count = pick(g.Rand, 31, 32, 33, 34)
		}
		for range count {
			if g.crowded() && !many {
				break
			}
			slice.Spec.Devices = append(slice.Spec.Devices, g.device(p))
		}
		if g.has("skip", 0.005, 0.5) && g.api("DRAOptionalNodeOperations", 37) {
			slice.Spec.SkipNodeOperations = []resourceapi.SkipNodeOperation{"*"}
		}
	}
	made = g.addCounterSets(p, made)
	made = g.spoil(p, made)
	count := len(made)
	if g.has("incomplete", 0.03, 0.45) {
		if count += pick(g.Rand, -1, 1, 1, 2); count < 1 {
			count = 2
		}
	}
	for _, slice := range made {
		slice.Spec.Pool.ResourceSliceCount = int64(count)
		for i := range slice.Spec.Devices {
			g.places = append(g.places, place{p.driver, p.name, &slice.Spec.Devices[i]})
		}
	}
	g.slices = append(g.slices, made...)
}

// mostDevices is how many devices a cluster has, but for the theme "many". The theme "search" has so few that some
// combinations of them do not suffice, and all can be tried.
const (
	mostDevices = 14
	mostToTry   = 9
)

func (g *generator) crowded() bool {
	n := 0
	for _, slice := range g.slices {
		n += len(slice.Spec.Devices)
	}
	return n >= mostDevices || g.themes["search"] && n >= mostToTry
}

func (g *generator) slice(p *pool) *resourceapi.ResourceSlice {
	// The names say nothing of the order in which slices were made.
	g.named++
	slice := &resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("slice-%02x%02x", g.IntN(1<<8), g.named)}}
	slice.Spec.Driver = p.driver
	slice.Spec.Pool = resourceapi.ResourcePool{Name: p.name, Generation: p.generation}
	switch p.where {
	case "nodeName":
		node := p.node
		if g.chance(0.05) {
			node = pick(g.Rand, g.node(), "gone")
		}
		if p.sets != nil && g.chance(0.35) { // one node's devices take what another's share
			node = g.node()
		}
		slice.Spec.NodeName = &node
	case "nodeSelector":
		slice.Spec.NodeSelector = g.nodeSelector()
	case "allNodes":
		slice.Spec.AllNodes = ptr.To(true)
	case "perDevice":
		slice.Spec.PerDeviceNodeSelection = ptr.To(true)
	}
	return slice
}

func (g *generator) nodeSelector() *corev1.NodeSelector {
	var term corev1.NodeSelectorTerm
	for range 1 + g.weighted(4, 1) {
		term.MatchExpressions = append(term.MatchExpressions, pick(g.Rand,
			corev1.NodeSelectorRequirement{Key: "zone", Operator: corev1.NodeSelectorOpIn, Values: []string{pick(g.Rand, "a", "b")}},
			corev1.NodeSelectorRequirement{Key: "zone", Operator: corev1.NodeSelectorOpIn, Values: []string{"a", "b"}},
			corev1.NodeSelectorRequirement{Key: "zone", Operator: corev1.NodeSelectorOpNotIn, Values: []string{"b"}},
			corev1.NodeSelectorRequirement{Key: "gpu", Operator: corev1.NodeSelectorOpExists},
			corev1.NodeSelectorRequirement{Key: "gpu", Operator: corev1.NodeSelectorOpDoesNotExist},
			corev1.NodeSelectorRequirement{Key: "gen", Operator: corev1.NodeSelectorOpNotIn, Values: []string{"2"}},
			corev1.NodeSelectorRequirement{Key: "gen", Operator: corev1.NodeSelectorOpGt, Values: []string{"2"}},
			corev1.NodeSelectorRequirement{Key: "gen", Operator: corev1.NodeSelectorOpLt, Values: []string{"3"}},
		))
	}
	if g.chance(0.15) {
		term.MatchFields = []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{g.node()}}}
	}
	if g.chance(0.1) {
		term.MatchExpressions = nil
	}
	if len(term.MatchExpressions)+len(term.MatchFields) == 0 {
		term.MatchExpressions = []corev1.NodeSelectorRequirement{{Key: "zone", Operator: corev1.NodeSelectorOpExists}}
	}
	return &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}
}

func (g *generator) counterSets() (out []resourceapi.CounterSet) {
	for i := range 1 + g.weighted(4, 1) {
		out = append(out, resourceapi.CounterSet{Name: fmt.Sprintf("set%d", i), Counters: map[string]resourceapi.Counter{
			"memory": {Value: resource.MustParse(pick(g.Rand, "20Gi", "40Gi"))},
			"slices": {Value: resource.MustParse(pick(g.Rand, "2", "4", "7"))},
		}})
	}
	return out
}

// addCounterSets puts the counters of a pool where its release wants them.
func (g *generator) addCounterSets(p *pool, made []*resourceapi.ResourceSlice) []*resourceapi.ResourceSlice {
	if p.sets == nil {
		return made
	}
	if g.release.minor < 35 {
		for _, slice := range made {
			slice.Spec.SharedCounters = p.sets
		}
		return made
	}
	slice := g.slice(p)
	if p.where == "perDevice" { // has no devices to tell nodes
		slice.Spec.PerDeviceNodeSelection = nil
		slice.Spec.AllNodes = ptr.To(true)
	}
	slice.Spec.SharedCounters = p.sets
	if g.chance(0.15) { // elsewhere, but still of the pool
		slice.Spec.NodeName, slice.Spec.NodeSelector, slice.Spec.AllNodes = nil, g.nodeSelector(), nil
	}
	return append(made, slice)
}

// spoil makes a pool invalid: by counters that are not there, or by a name that two slices have.
func (g *generator) spoil(p *pool, made []*resourceapi.ResourceSlice) []*resourceapi.ResourceSlice {
	if !g.has("invalid", 0.07, 0.6) && !g.has("many", 0, 0.25) {
		return made
	}
	if p.sets != nil && g.release.minor >= 35 && g.chance(0.5) {
		set := &made[len(made)-1].Spec.SharedCounters[0]
		if g.chance(0.5) {
			set.Name = "other"
		} else {
			set.Counters = map[string]resourceapi.Counter{"memory": set.Counters["memory"]}
		}
		return made
	}
	for _, slice := range made {
		if len(slice.Spec.Devices) > 0 {
			twice := g.slice(p)
			twice.Spec.Devices = []resourceapi.Device{*slice.Spec.Devices[0].DeepCopy()}
			return append(made, twice)
		}
	}
	return made
}

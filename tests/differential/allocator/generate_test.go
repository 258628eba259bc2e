// This file is about making small clusters that lie at the borders of what the allocator decides.

package allocator

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// generator makes one case. Each has a few themes, of which there is much, and little of all else: so a case that has a
// feature has enough of it to decide what happens.
type generator struct {
	*rand.Rand
	*cluster
	release *release
	on      map[string]bool // gates
	themes  map[string]bool
	drivers []string
	places  []place
	named   int // slices
}

// place is where a device is.
type place struct {
	driver, pool string
	device       *resourceapi.Device
}

var themes = []string{
	"admin", "all", "binding", "compatibilityGroups", "counters", "derived", "distinct", "filter", "firstAvailable", "fractional", "generations",
	"holders", "incomplete", "invalid", "lists", "match", "many", "nodeSelector", "perDevice", "rules", "severalClaims", "shares", "skip",
	"taints", "unguarded",
}

// lateReasons are themes by which a device cannot be had for reasons that only the devices picked before it give. They
// make the theme "search", which has many devices that suit many requests, try combination after combination.
var lateReasons = []string{"counters", "distinct", "firstAvailable", "holders", "match", "severalClaims", "shares"}

// companions are themes that another often comes with, as only together they decide something.
var companions = map[string][]string{
	"compatibilityGroups": {"holders", "search", "severalClaims"},
	"counters":            {"holders", "search", "shares"},
	"many":                {"severalClaims"},
	"shares":              {"counters", "holders", "search"},
}

// gateOf has the gate without which a theme has no effect.
var gateOf = map[string]string{
	"binding": "DRADeviceBindingConditions", "compatibilityGroups": "DRADeviceCompatibilityGroups", "counters": "DRAPartitionableDevices",
	"derived": "DRADerivedAttributes", "filter": "DRAConsumableCapacity", "fractional": "DRAFractionalCapacityRange", "lists": "DRAListTypeAttributes",
	"perDevice": "DRAPartitionableDevices", "rules": "DRADeviceTaintRules", "shares": "DRAConsumableCapacity",
	"skip": "DRAOptionalNodeOperations", "taints": "DRADeviceTaints",
}

func generate(random *rand.Rand, id int) *testCase {
	return generateWith(random, id, func(*generator) {})
}

// generateUsed makes a case in which pods can run, and some are behind what is allocated. In some the pod wants devices
// near to each other.
func generateUsed(random *rand.Rand, id int) *testCase {
	return generateWith(random, id, func(g *generator) {
		g.letPodsRun()
		if g.chance(0.12) {
			g.alignMore()
		}
	})
}

func generateWith(random *rand.Rand, id int, change func(*generator)) *testCase {
	for {
		g := &generator{Rand: random, cluster: &cluster{}, themes: map[string]bool{}}
		g.release = releases[g.weighted(6, 8, 14, 72)]
		for range 1 + g.weighted(2, 4, 3) {
			g.themes[pick(g.Rand, themes...)] = true
		}
		if g.chance(0.35) {
			g.themes["search"] = true
			g.themes[pick(g.Rand, lateReasons...)] = true
			g.themes[pick(g.Rand, "match", "distinct", "counters")] = true
		}
		for _, theme := range themes {
			for _, other := range companions[theme] {
				if g.has(theme, 0, 0.3) {
					g.themes[other] = true
				}
			}
		}
		g.turnGates()
		g.makeNodes()
		g.makeDrivers()
		g.makePools()
		g.makeClasses()
		g.makeClaims()
		g.makeHolders()
		g.makeRules()
		change(g)
		if g.effort() <= mostEffort {
			return &testCase{ID: id, Version: g.release.version, Gates: g.release.gatesText(g.on), Objects: g.encode(), Pod: podName}
		}
	}
}

// has is true of every case with a theme as often as the second number says, of others as the first.
func (g *generator) has(theme string, otherwise, themed float64) bool {
	if g.themes[theme] {
		return g.Float64() < themed
	}
	return g.Float64() < otherwise
}

func (g *generator) chance(p float64) bool { return g.Float64() < p }

// weighted is an index, by the weights.
func (g *generator) weighted(weights ...int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := g.IntN(sum)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	panic("unreachable")
}

func pick[T any](random *rand.Rand, from ...T) T { return from[random.IntN(len(from))] }

// turnGates turns gates in a quarter of the cases. A theme of older releases and of alpha features mostly gets its gate.
func (g *generator) turnGates() {
	r := g.release
	g.on = r.gates("")
	for _, theme := range slices.Sorted(maps.Keys(gateOf)) {
		gate, likely := gateOf[theme], 0.8
		if theme == "lists" && r.minor == 36 { // which fails without
			likely = 0.5
		}
		if g.themes[theme] && !g.on[gate] && slices.Contains(r.off, gate) && g.chance(likely) {
			g.on[gate] = true
		}
	}
	if r.minor < 36 {
		for _, gate := range r.off {
			g.on[gate] = g.on[gate] || g.chance(0.4)
		}
	}
	if g.chance(0.15) {
		for _, gate := range r.on {
			if g.chance(0.25) {
				g.on[gate] = false
			}
		}
		for _, gate := range r.off {
			if g.chance(0.3) {
				g.on[gate] = true
			}
		}
		if g.chance(0.25) { // as little as upstream's implementation "stable" wants
			for _, gate := range slices.Concat(r.off, []string{"DRAConsumableCapacity", "DRADeviceBindingConditions"}) {
				g.on[gate] = false
			}
		}
	}
	if r.minor < 36 && g.chance(0.1) { // upstream's implementation "stable" wants none at all there
		for gate := range g.on {
			g.on[gate] = false
		}
	}
	for gate, needed := range needs {
		if g.on[gate] && !g.on[needed] {
			g.on[gate] = false
		}
	}
}

func (g *generator) makeNodes() {
	count := 1 + g.weighted(4, 4, 2, 1)
	if g.themes["search"] {
		count = 1 + g.weighted(3, 1)
	}
	for i := range count {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("n%d", i+1), Labels: map[string]string{
			"kubernetes.io/hostname": fmt.Sprintf("n%d", i+1), "zone": pick(g.Rand, "a", "a", "b"),
		}}}
		if g.chance(0.6) {
			node.Labels["gen"] = pick(g.Rand, "2", "3", "x")
		}
		if g.chance(0.4) {
			node.Labels["gpu"] = ""
		}
		if g.has("skip", 0.1, 0.7) {
			node.Status.DeclaredFeatures = []string{"DRAOptionalNodeOperations"}
		}
		if g.release.minor < 35 {
			node.Status.DeclaredFeatures = nil
		}
		g.nodes = append(g.nodes, node)
	}
}

func (g *generator) node() string { return pick(g.Rand, g.nodes...).Name }

func (g *generator) makeDrivers() {
	all := []string{"gpu.example.com", "nic.example.com", "a.example.com"}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	g.drivers = all[:1+g.weighted(6, 3, 1)]
	if g.themes["search"] {
		g.drivers = all[:1+g.weighted(6, 1)]
	}
}

// makeClasses makes classes whose selectors are mostly true, so that requests decide.
func (g *generator) makeClasses() {
	for i := range 1 + g.weighted(3, 4, 2) {
		class := &resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("class%d", i)}}
		if i > 0 {
			for range g.weighted(3, 4, 1) {
				class.Spec.Selectors = append(class.Spec.Selectors, g.selector())
			}
		}
		g.classes = append(g.classes, class)
	}
}

func (g *generator) makeRules() {
	for i := range g.weighted(1, 2, 1) {
		if g.release.minor < 36 || !g.has("rules", 0.03, 0.95) || len(g.places) == 0 {
			continue
		}
		at := pick(g.Rand, g.places...)
		rule := &resourceapi.DeviceTaintRule{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("rule%d", i)}}
		rule.Spec.Taint = g.taint()
		if g.chance(0.93) {
			rule.Spec.DeviceSelector = &resourceapi.DeviceTaintSelector{}
			if g.chance(0.6) {
				rule.Spec.DeviceSelector.Driver = &at.driver
			}
			if g.chance(0.6) {
				rule.Spec.DeviceSelector.Pool = &at.pool
			}
			if g.chance(0.5) {
				rule.Spec.DeviceSelector.Device = &at.device.Name
			}
		}
		g.rules = append(g.rules, rule)
	}
}

// mostEffort bounds how many combinations of devices a search may have to try.
const mostEffort = 60_000

// effort estimates how many combinations of devices there are for the pod's claims, if nothing rules any out.
func (g *generator) effort() float64 {
	product := 1.0
	for _, claim := range g.claimsOfPod() {
		alternatives := map[string]float64{}
		eachRequest(claim, func(name string, request *resourceapi.DeviceSubRequest, _ bool) {
			ways := 1.0
			if request.AllocationMode != resourceapi.DeviceAllocationModeAll {
				for i := range min(request.Count, 33) {
					orders := float64(i + 1)
					if g.release.minor < 36 { // tries them all
						orders = 1
					}
					ways *= max(1, float64(len(g.places)-int(i))/orders)
				}
			}
			main, _, _ := strings.Cut(name, "/")
			alternatives[main] += ways
		})
		for _, ways := range alternatives {
			product *= ways
		}
	}
	return product
}

// stale is how often there is something that the API server would not let in as its gates are now.
const stale = 0.03

// api says whether objects may have what a gate of the API server lets in: as the gate is, but for some that are older
// than its present state.
func (g *generator) api(gate string, since int) bool {
	return g.release.minor >= since && (g.on[gate] || g.chance(stale))
}

// meta is what the API server knows of an object in a namespace.
func meta(name string) metav1.ObjectMeta {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	uid := fmt.Sprintf("00000000-0000-4000-8000-%012x", hash.Sum64()>>16)
	return metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID(uid)}
}

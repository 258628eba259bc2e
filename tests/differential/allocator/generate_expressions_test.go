// This file is about generated expressions. They come from a small vocabulary, as CEL itself is compared elsewhere.

package allocator

import (
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

type resourceQuantity = resource.Quantity

// Selectors: $d is the attributes of a driver, $c its capacity, $n its name.
var (
	guarded = []string{
		`device.driver == "$n"`, `device.driver == "$n"`, `device.driver != "nic.example.com"`, `"model" in $d && $d.model == "a"`,
		`$d.?model.orValue("") == "a"`, `has($d.numa) && $d.numa == 0`, `has($d.numa) && $d.numa == 1`, `$d.?ready.orValue(false)`,
		`device.driver == "$n" && has($d.version) && $d.version.compareTo(semver("1.0.0")) >= 0`,
		`has($c.memory) && $c.memory.compareTo(quantity("20Gi")) >= 0`, `has($c.memory)`, `true`,
		`"dra.example.com" in device.attributes && device.attributes["dra.example.com"].pcieRoot == "r0"`,
	}
	unguarded = []string{
		`$d.model == "a"`, `$d.numa == 0`, `$d.ready`, `$d.version.isGreaterThan(semver("1.0.0"))`, `$c.memory.compareTo(quantity("10Gi")) >= 0`,
		`device.attributes["dra.example.com"].pcieRoot == "r0"`, `$c.memory.isGreaterThan(quantity("5Gi")) && $d.ready`,
	}
	ofLists = []string{`"x" in $d.links`, `$d.links.includes("x")`, `has($d.links) && $d.links.includes(1)`}
)

func (g *generator) selector() resourceapi.DeviceSelector {
	from := guarded
	switch {
	case g.has("unguarded", 0.03, 0.35):
		from = unguarded
	case g.on["DRAListTypeAttributes"] && g.has("lists", 0, 0.25):
		from = ofLists
	case g.on["DRAConsumableCapacity"] && g.has("shares", 0.01, 0.2):
		from = []string{`device.allowMultipleAllocations`, `!device.allowMultipleAllocations`}
	case g.chance(0.03):
		from = []string{`false`}
	case g.chance(0.004):
		from = []string{`device.later == "x"`, `device.driver == 1`}
	}
	return resourceapi.DeviceSelector{CEL: &resourceapi.CELDeviceSelector{Expression: g.about(pick(g.Rand, from...))}}
}

// derivation is an expression of a derived attribute.
func (g *generator) derivation() string {
	if g.chance(0.07) {
		return g.about(pick(g.Rand, `$d.model`, `$d.numa`, `$d.version`))
	}
	return g.about(pick(g.Rand, `device.driver`, `$d.?model.orValue("none")`, `$d.?numa.orValue(7)`, `$d.?ready.orValue(true)`, `has($d.numa) ? $d.numa : 0`,
		`has($c.memory) && $c.memory.compareTo(quantity("20Gi")) > 0`, `$d.?version.orValue(semver("9.0.0"))`))
}

// about writes an expression for a driver.
func (g *generator) about(expression string) string {
	driver := g.someDriver()
	return strings.NewReplacer("$d", `device.attributes["`+driver+`"]`, "$c", `device.capacity["`+driver+`"]`, "$n", driver).Replace(expression)
}

// This file is about inventing selectors that have to do with the devices there are.

package agree_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
)

// selectors invents expressions.
type selectors struct {
	*rand.Rand
	drivers    []string
	attributes []property
	capacities []property
}

// property is an attribute or capacity of some device.
type property struct {
	domain, id string
	value      string // as CEL writes it
	version    bool
}

// newSelectors takes names and values from the devices of a cluster.
func newSelectors(f *facts, r *rand.Rand) *selectors {
	g := &selectors{Rand: r, drivers: []string{"other.example.com"}}
	f.eachDevice(func(key deviceKey, device *resourceapi.Device) {
		g.drivers = append(g.drivers, key.driver)
		for _, name := range slices.Sorted(maps.Keys(device.Attributes)) {
			g.attributes = append(g.attributes, newProperty(key.driver, name, device.Attributes[name]))
		}
		for _, name := range slices.Sorted(maps.Keys(device.Capacity)) {
			amount := device.Capacity[name]
			added := newProperty(key.driver, name, resourceapi.DeviceAttribute{})
			added.value = fmt.Sprintf("quantity(%q)", amount.Value.String())
			g.capacities = append(g.capacities, added)
		}
	})
	nothing := property{domain: "other.example.com", id: "nothing", value: "1"}
	g.attributes = append(g.attributes, nothing)
	nothing.value = `quantity("1")`
	g.capacities = append(g.capacities, nothing)
	return g
}

func newProperty(driver string, name resourceapi.QualifiedName, attribute resourceapi.DeviceAttribute) property {
	p := property{domain: driver, id: string(name), value: `"list"`}
	if domain, id, found := strings.Cut(string(name), "/"); found {
		p.domain, p.id = domain, id
	}
	switch {
	case attribute.IntValue != nil:
		p.value = fmt.Sprint(*attribute.IntValue)
	case attribute.BoolValue != nil:
		p.value = fmt.Sprint(*attribute.BoolValue)
	case attribute.StringValue != nil:
		p.value = fmt.Sprintf("%q", *attribute.StringValue)
	case attribute.VersionValue != nil:
		p.value, p.version = fmt.Sprintf("semver(%q)", *attribute.VersionValue), true
	}
	return p
}

// wrong are expressions with something wrong at every stage, and such that one language alone takes.
func (g *selectors) wrong() []string {
	attribute := oneOf(g.Rand, g.attributes...)
	return []string{
		"device.", `device.driver == "a" and true`, "device.foo == 1 && bar", "1", `"a" + "b"`, `device.attributes`, `int("x") == 1 || true`,
		fmt.Sprintf("device.attributes[%q].%s", attribute.domain, attribute.id),
		fmt.Sprintf("device.attributes[%q].?%s.orValue([]).exists(x, x == 1)", attribute.domain, attribute.id),
		`device.attributes.all(d, device.attributes.all(e, device.attributes.all(f, (d + e + f).matches("x"))))`,
		`cel.bind(long, lists.range(900).map(x, "aaaaaaaaaaaaaaaaaaaa").join(""), long.contains(long))`,
		"-1 < 0 && device.allowMultipleAllocations",
	}
}

// several are so many different expressions.
func (g *selectors) several(number int) []string {
	var expressions []string
	for len(expressions) < number {
		expressions = append(expressions, g.expression(g.IntN(4)))
	}
	return expressions
}

// expression joins so many terms and one.
func (g *selectors) expression(joints int) string {
	text := g.term()
	for range joints {
		text += oneOf(g.Rand, " && ", " && ", " && ", " || ") + g.term()
	}
	return text
}

func (g *selectors) term() string {
	attribute, capacity := oneOf(g.Rand, g.attributes...), oneOf(g.Rand, g.capacities...)
	at := fmt.Sprintf("device.attributes[%q]", attribute.domain)
	of := fmt.Sprintf("device.capacity[%q]", capacity.domain)
	other := oneOf(g.Rand, g.attributes...).value
	terms := []string{
		fmt.Sprintf("device.driver == %q", oneOf(g.Rand, g.drivers...)),
		fmt.Sprintf("device.driver in [%q, %q]", oneOf(g.Rand, g.drivers...), oneOf(g.Rand, g.drivers...)),
		fmt.Sprintf("%s.%s == %s", at, attribute.id, attribute.value),
		fmt.Sprintf("%s.%s != %s", at, attribute.id, other),
		fmt.Sprintf("%s.?%s.orValue(%s) == %s", at, attribute.id, other, attribute.value),
		fmt.Sprintf("%q in %s", attribute.id, at),
		fmt.Sprintf("has(%s.%s)", at, attribute.id),
		fmt.Sprintf("has(%s.%s) && %s.%s == %s", at, attribute.id, at, attribute.id, attribute.value),
		fmt.Sprintf("%s.%s.compareTo(%s) >= 0", of, capacity.id, capacity.value),
		fmt.Sprintf("%s.%s.isGreaterThan(%s)", of, capacity.id, oneOf(g.Rand, g.capacities...).value),
		fmt.Sprintf("%q in %s && %s.%s == %s", capacity.id, of, of, capacity.id, capacity.value),
		fmt.Sprintf("%s.exists(id, id == %q)", at, attribute.id),
		fmt.Sprintf("size(%s) > %d", at, g.IntN(4)),
		fmt.Sprintf("cel.bind(a, %s, has(a.%s) && a.%s == %s)", at, attribute.id, attribute.id, attribute.value),
		"device.allowMultipleAllocations",
	}
	if attribute.version {
		terms = append(terms, fmt.Sprintf("%s.%s.compareTo(%s) >= 0", at, attribute.id, attribute.value),
			fmt.Sprintf("%s.%s.major() == 1", at, attribute.id))
	}
	term := oneOf(g.Rand, terms...)
	if chance(g.Rand, 15) {
		return "!(" + term + ")"
	}
	return term
}

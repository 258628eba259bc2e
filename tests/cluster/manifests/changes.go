// This file is about what can be changed at one place of a manifest, by the type of what stands there.

package manifests

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// change is one thing that is done at a site.
type change struct {
	name string
	do   func(s site)
}

// becomes replaces what is at the site.
func becomes(name string, value func(s site) *node) change {
	return change{name, func(s site) { s.put(value(s)) }}
}

// isNow replaces what is at the site by a value in JSON.
func isNow(json string) change {
	return becomes("is "+json, func(site) *node { return raw(json) })
}

// spells replaces a string by another.
func spells(name string, spell func(old string) string) change {
	return becomes(name, func(s site) *node { return text(spell(s.node.str())) })
}

// changesAt returns what can be done at a site.
func changesAt(s site) []change {
	changes := changesOfPlace(s)
	switch {
	case s.typ == quantityType:
		return append(changes, changesOfQuantity...)
	case s.typ == timeType:
		return append(changes, changesOfTime...)
	case s.typ == anyType || s.typ == fieldsType:
		return append(changes, changesOfAny...)
	case isWhole(s.typ):
		return changes
	case s.name() == "version" || s.name() == "versions" && s.inList():
		return append(append(changes, changesOfString...), changesOfVersion...)
	case s.name() == "expression":
		return append(changes, changesOfExpression...)
	case s.typ.Kind() == reflect.String:
		return append(append(changes, changesOfString...), changesOfEnum(s)...)
	case s.typ.Kind() == reflect.Bool:
		return append(changes, changesOfBool...)
	case s.typ.Kind() == reflect.Int64 || s.typ.Kind() == reflect.Int32:
		return append(changes, changesOfNumber...)
	case isList(s.typ):
		return append(changes, changesOfList(s)...)
	case isMap(s.typ):
		return append(changes, changesOfMap(s)...)
	case isStruct(s.typ):
		return append(changes, changesOfObject(s)...)
	}
	return changes
}

// changesOfPlace are those that do not depend on what stands there.
func changesOfPlace(s site) []change {
	if s.parent == nil {
		return nil
	}
	changes := []change{{"removed", site.drop}, isNow("null"), {"twice", site.repeat}}
	if s.inList() && len(s.parent.items) > 1 {
		changes = append(changes, change{"first", func(s site) {
			s.parent.items = append([]*node{s.node}, slices.Delete(slices.Clone(s.parent.items), s.at, s.at+1)...)
		}})
	}
	if s.inMap() {
		changes = append(changes, changesOfKey...)
	}
	return changes
}

// long returns a string of that many bytes which is a label, and a C identifier as well.
func long(bytes int) string { return strings.Repeat("a", bytes) }

// longDomain returns a DNS subdomain of that many bytes, whose labels are not too long.
func longDomain(bytes int) string {
	name := strings.Repeat(long(31)+".", bytes/32+1)[:bytes]
	if strings.HasSuffix(name, ".") {
		name = name[:bytes-1] + "a"
	}
	return name
}

// misspelled are changes of a name, be it a value or the key of a map.
var misspelled = []struct {
	name  string
	spell func(old string) string
}{
	{"empty", func(string) string { return "" }},
	{"in upper case", strings.ToUpper},
	{"with a dash behind", func(s string) string { return s + "-" }},
	{"with a dash before", func(s string) string { return "-" + s }},
	{"with a dash inside", func(s string) string { return s + "-x" }},
	{"with a slash before", func(s string) string { return "/" + s }},
	{"with a slash behind", func(s string) string { return s + "/" }},
	{"with a domain", func(s string) string { return "example.com/" + s }},
	{"with a part", func(s string) string { return s + "/x" }},
	{"with two slashes", func(s string) string { return "example.com/" + s + "/x" }},
	{"with a dot", func(s string) string { return s + ".x" }},
	{"with two dots", func(s string) string { return s + "..x" }},
	{"with an underscore", func(s string) string { return s + "_x" }},
	{"with a space", func(s string) string { return s + " x" }},
	{"in another script", func(s string) string { return "\u00fc" + s + "\u4e16" }},
	{"another", func(string) string { return "nosuch" }},
	{"a digit", func(string) string { return "1" }},
	{"32 bytes", func(string) string { return long(32) }},
	{"33 bytes", func(string) string { return long(33) }},
	{"63 bytes", func(string) string { return long(63) }},
	{"64 bytes", func(string) string { return long(64) }},
	{"65 bytes", func(string) string { return long(65) }},
	{"a domain of 63 bytes", func(string) string { return longDomain(63) }},
	{"a domain of 64 bytes", func(string) string { return longDomain(64) }},
	{"a domain of 253 bytes", func(string) string { return longDomain(253) }},
	{"a domain of 254 bytes", func(string) string { return longDomain(254) }},
	{"in a domain of 63 bytes", func(string) string { return longDomain(63) + "/x" }},
	{"in a domain of 64 bytes", func(string) string { return longDomain(64) + "/x" }},
	{"33 bytes in a domain", func(string) string { return "example.com/" + long(33) }},
	{"in a domain in upper case", func(string) string { return "Example.com/x" }},
}

var changesOfString, changesOfKey = func() (ofValue, ofKey []change) {
	ofValue = []change{isNow("42"), isNow("true"), isNow("{}"), isNow("[]")}
	for _, m := range misspelled {
		ofValue = append(ofValue, spells(m.name, m.spell))
		ofKey = append(ofKey, change{"key " + m.name, func(s site) { s.parent.fields[s.at].key = m.spell(s.parent.fields[s.at].key) }})
	}
	return ofValue, ofKey
}()

var changesOfBool = []change{
	becomes("the other", func(s site) *node {
		if s.node.scalar == "true" {
			return raw("false")
		}
		return raw("true")
	}),
	isNow(`"true"`), isNow("1"), isNow("{}"),
}

var changesOfNumber = []change{
	isNow("-1"), isNow("0"), isNow("1"), isNow("33"), isNow("2147483647"), isNow("2147483648"), isNow("9223372036854775807"),
	isNow("9223372036854775808"), isNow("-9223372036854775808"), isNow("-9223372036854775809"), isNow("1.5"), isNow("1.0"), isNow("1e3"),
	isNow(`"1"`), isNow("true"), isNow("[1]"),
}

var changesOfQuantity = []change{
	isNow(`"0"`), isNow(`"-1"`), isNow(`"1"`), isNow("5"), isNow("1.5"), isNow(`"3"`), isNow(`"500m"`), isNow(`"2500m"`), isNow(`"1u"`),
	isNow(`"0.1n"`), isNow(`"1 Gi"`), isNow(`"1GB"`), isNow(`"1gi"`), isNow(`"abc"`), isNow(`""`), isNow(`"1e3"`), isNow(`"9E30"`),
	isNow(`"9223372036854775807"`), isNow(`"9223372036854775808"`), isNow(`"18446744073709551616"`), isNow(`"1000Ei"`), isNow(`"+1"`), isNow(`".5"`),
	isNow("true"), isNow("{}"), isNow("[]"),
}

var changesOfTime = []change{
	isNow(`"2026-11-20T08:00:00.5Z"`), isNow(`"2026-11-20T08:00:00+01:00"`), isNow(`"2026-11-20 08:00:00"`), isNow(`"2026-11-20"`),
	isNow(`"2026-02-30T08:00:00Z"`), isNow(`""`), isNow("42"), isNow("{}"),
}

var changesOfAny = []change{
	isNow("{}"), isNow("[]"), isNow(`""`), isNow(`"text"`), isNow("42"), isNow("true"),
	becomes("of the longest size", func(site) *node { return object(field{"k", text(long(10*1024 - len(`{"k":""}`)))}) }),
	becomes("too long", func(site) *node { return object(field{"k", text(long(10*1024 + 1 - len(`{"k":""}`)))}) }),
	becomes("with a key twice", func(site) *node { return object(field{"k", raw("1")}, field{"k", raw("2")}) }),
	becomes("deep", func(site) *node { return object(field{"a", object(field{"b", list(object(field{"c", raw("null")}))})}) }),
}

// changesOfVersion are those of a semantic version.
var changesOfVersion = []change{
	isNow(`"v1.2.3"`), isNow(`"1.2"`), isNow(`"1"`), isNow(`"01.2.3"`), isNow(`"1.2.3-01"`), isNow(`"1.2.3-0a"`), isNow(`"1.2.3-"`), isNow(`"1.2.3+"`),
	isNow(`"1.2.3+01.b"`), isNow(`"1.2.3-a..b"`), isNow(`"1.2.3.4"`), isNow(`" 1.2.3"`), isNow(`"1.2.3-a_b"`), isNow(`"99999999999999999999.0.0"`),
	spells("of 64 bytes", func(string) string { return "1.2.3-" + long(58) }), spells("of 65 bytes", func(string) string { return "1.2.3-" + long(59) }),
}

// enums are the values of types that are named, and some that others know.
var enums = map[string][]string{
	"DeviceAllocationMode":     {"All", "ExactCount"},
	"DeviceTolerationOperator": {"Exists", "Equal"},
	"DeviceTaintEffect":        {"None", "NoSchedule", "NoExecute", "PreferNoSchedule"},
	"SkipNodeOperation":        {"NodePrepareResources", "NodeUnprepareResources", "*"},
	"NodeSelectorOperator":     {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"},
	"AllocationConfigSource":   {"FromClass", "FromClaim"},
}

func changesOfEnum(s site) []change {
	values, isEnum := enums[s.typ.Name()]
	if !isEnum {
		return nil
	}
	changes := []change{spells("in lower case", strings.ToLower)}
	for _, value := range values {
		if value != s.node.str() {
			changes = append(changes, isNow(text(value).scalar))
		}
	}
	return changes
}

// zeros are what an absent field is set to, by the kind of its type.
func zeros(typ reflect.Type) []string {
	switch {
	case typ == quantityType:
		return []string{`"0"`, `"1"`}
	case typ == timeType:
		return []string{`"2026-11-20T08:00:00Z"`}
	case isList(typ) && typ.Elem().Kind() == reflect.String:
		return []string{"[]", `["x"]`}
	case isList(typ):
		return []string{"[]", "[{}]"}
	case isStruct(typ), isMap(typ), isWhole(typ):
		return []string{"{}"}
	case typ.Kind() == reflect.String:
		return []string{`""`, `"x"`}
	case typ.Kind() == reflect.Bool:
		return []string{"false", "true"}
	}
	return []string{"0", "1"}
}

func changesOfObject(s site) []change {
	changes := []change{
		isNow("{}"), isNow("[]"), isNow(`"text"`), isNow("42"),
		{"with an unknown field", func(s site) { s.node.set("nosuch", text("x")) }},
		{"with an unknown object", func(s site) { s.node.set("noSuchThing", object(field{"a", list(raw("1"))})) }},
	}
	if len(s.node.fields) > 0 {
		changes = append(changes, change{"with a field in upper case", func(s site) {
			f := &s.node.fields[len(s.node.fields)-1]
			f.key = strings.ToUpper(f.key[:1]) + f.key[1:]
		}})
	}
	for _, m := range membersOf(s.typ) {
		if s.node.get(m.name) != nil || s.parent == nil {
			continue
		}
		for _, zero := range zeros(m.typ) {
			changes = append(changes, change{fmt.Sprintf("with %s: %s", m.name, zero), func(s site) { s.node.set(m.name, raw(zero)) }})
		}
	}
	return changes
}

// limits are sizes of lists and maps up to which something is allowed, by the name of the field.
var limits = map[string][]int{
	"firstAvailable": {8}, "devices": {64, 128}, "taints": {16}, "tolerations": {16, 32}, "sharedCounters": {8}, "consumesCounters": {2},
	"compatibilityGroups": {2}, "bindingConditions": {4}, "bindingFailureConditions": {4}, "validValues": {10}, "skipNodeOperations": {3},
	"ints": {32, 48}, "strings": {32, 48}, "bools": {48}, "versions": {48}, "nodeSelectorTerms": {1}, "conditions": {8},
}

func limitsOf(s site) []int {
	if of, known := limits[s.name()]; known {
		return of
	}
	return []int{32}
}

func changesOfList(s site) []change {
	changes := []change{isNow("[]"), isNow("{}"), isNow(`"text"`)}
	if len(s.node.items) == 0 {
		return changes
	}
	for _, limit := range limitsOf(s) {
		for _, size := range []int{limit, limit + 1} {
			changes = append(changes, change{fmt.Sprintf("of %d", size), func(s site) {
				for i := len(s.node.items); i < size; i++ {
					s.node.items = append(s.node.items, distinct(s.node.items[0], i))
				}
			}})
		}
	}
	return append(changes, change{"swapped", func(s site) { slices.Reverse(s.node.items) }})
}

// distinct returns a copy of an item which differs in what tells items of a list apart.
func distinct(item *node, number int) *node {
	item = item.clone()
	for _, key := range []string{"name", "counterSet"} {
		if named := item.get(key); named != nil {
			named.put(text(fmt.Sprintf("%s%d", named.str(), number)))
			return item
		}
	}
	if item.str() != "" {
		item.put(text(fmt.Sprintf("%s%d", item.str(), number)))
	}
	return item
}

func (n *node) put(value *node) { *n = *value }

func changesOfMap(s site) []change {
	changes := []change{isNow("{}"), isNow("[]"), isNow(`"text"`)}
	if len(s.node.fields) == 0 {
		return changes
	}
	for _, limit := range limitsOf(s) {
		for _, size := range []int{limit, limit + 1} {
			changes = append(changes, change{fmt.Sprintf("of %d", size), func(s site) {
				for i := len(s.node.fields); i < size; i++ {
					s.node.set(fmt.Sprintf("k%d", i), s.node.fields[0].value.clone())
				}
			}})
		}
	}
	return changes
}

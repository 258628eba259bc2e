// This file is about inventing manifests: objects filled from upstream's types, then changed in a few places.

package manifests

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// random invents manifests. What it invents depends on the seed alone.
type random struct {
	*rand.Rand
	t     *testing.T
	yaml  bool // scalars as people write them in YAML, and no key twice: kubectl sends the last of them alone
	names []string
}

func newRandom(t *testing.T, seed string, yaml bool) *random {
	hash := fnv.New64a()
	fmt.Fprint(hash, seed)
	return &random{rand.New(rand.NewPCG(hash.Sum64(), 0)), t, yaml, nil}
}

// chance is true so many times of a hundred.
func (r *random) chance(percent int) bool { return r.IntN(100) < percent }

// oneOf returns any of the values.
func oneOf[T any](r *random, values ...T) T { return values[r.IntN(len(values))] }

var (
	quantities = []string{`"500m"`, `"80Gi"`, `2`, `1.5`, `"12e6"`, `1e3`, `"0"`, `" 2 "`}
	times      = []string{`"2026-11-20T08:30:00Z"`, `"2026-11-20T08:30:00.123456+01:00"`, `"2026-11-20T8:30:00,5Z"`,
		`"2026-11-20T08:30:00+24:60"`}
	anything = []string{`{"a": 1, "a": {"b": [null, 1e400]}}`, `[1, "x"]`, `"text"`, `{}`, `true`, `0.10`}

	// scalars are what a value becomes: each right for some type, and next to what is right for others.
	scalars = []string{`null`, `true`, `false`, `""`, `"x"`, `"true"`, `"null"`, `0`, `-0`, `1`, `-1`, `8`, `"8"`, `1.0`, `1.5`, `-0.0`,
		`1e3`, `1E2`, `1e-1`, `2147483647`, `2147483648`, `-2147483648`, `-2147483649`, `9223372036854775807`, `9223372036854775808`,
		`-9223372036854775808`, `-9223372036854775809`, `18446744073709551616`, `1e20`, `1e21`, `1e400`, `"500m"`, `"80Gi"`, `"80GB"`,
		`"80 Gi"`, `" 80Gi"`, `"80Gi "`, "\"80Gi\u00a0\"", "\"\u30001\"", `"80Gi\n"`, `"\t1"`, `"+5"`, `"1e3"`, `"1E3"`, `"1e"`, `".5"`, `"."`,
		`"2026-11-20T08:30:00Z"`, `"2026-11-20T08:30:00"`, `"2026-11-20"`, `"2026-02-29T08:30:00Z"`, `"2024-02-29T08:30:00Z"`,
		`"2026-11-20t08:30:00z"`, `"2026-11-20T8:30:00Z"`, `"2026-11-20T24:00:00Z"`, `"2026-11-20T08:30:60Z"`, `"2026-11-20T08:30:00.Z"`,
		`"2026-11-20T08:30:00,1Z"`, `"2026-11-20T08:30:00+01:60"`, `"2026-11-20T08:30:00-25:00"`, `"2026-11-20T08:30:00+0100"`,
		`"2026-11-20 08:30:00Z"`, `"0000-01-01T00:00:00Z"`, `"2026-11-20T08:30:00.1234567891Z"`, `"2026-11-20T08:30:00Z "`}

	// yamlScalars are plain scalars that are not what they look like.
	yamlScalars = []string{`yes`, `no`, `on`, `off`, `y`, `n`, `Y`, `True`, `~`, `Null`, `NULL`, `x`, `80Gi`, `500m`, `1.0`, `1.50`, `1e3`, `1E2`,
		`.5`, `5.`, `+1`, `010`, `0o10`, `0x10`, `0b11`, `1_000`, `12:30`, `2026-11-20`, `2026-11-20T08:30:00Z`, `1.2.3`, `.inf`, `.nan`,
		`9223372036854775808`, `18446744073709551616`, `-9223372036854775809`, `1e20`, `1e21`, `1e-7`, `'8'`, `''`}
)

// good is a value that the decoder takes for this type. The deeper, the less there is.
func (r *random) good(value reflect.Type, depth int) *node {
	for value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if r.chance(2) {
		return scalar("null")
	}
	switch opaque[value] {
	case "Quantity":
		return scalar(oneOf(r, quantities...))
	case "Timestamp":
		return scalar(oneOf(r, times...))
	case "IntOrString":
		return scalar(oneOf(r, `80`, `"http"`))
	case "Any":
		if r.yaml { // kubectl reads what is in it, too
			return scalar(`{"a": [1, "x"]}`)
		}
		return scalar(oneOf(r, anything...))
	}
	switch value.Kind() {
	case reflect.Bool:
		return scalar(oneOf(r, "true", "false"))
	case reflect.Int32, reflect.Int64:
		return scalar(strconv.Itoa(r.IntN(1000) - 10))
	case reflect.String:
		return scalar(quoted(oneOf(r, "", "a", "example.com/b", "true", "8")))
	case reflect.Slice:
		made := list()
		for range r.IntN(4) {
			made.items = append(made.items, r.good(value.Elem(), depth-1))
		}
		return made
	case reflect.Map:
		made := object()
		for i := range r.IntN(4) {
			made.add(fmt.Sprintf("key%d", i), r.good(value.Elem(), depth-1))
		}
		return made
	}
	return r.goodObject(value, depth)
}

func (r *random) goodObject(structure reflect.Type, depth int) *node {
	made := object()
	fields := fieldsOf(r.t, structure)
	// A pod has hundreds of fields, and few matter to each other.
	percent := max(8, min(60, 100*(2+depth/2)/(len(fields)+1)))
	for _, field := range fields {
		r.names = append(r.names, field.name)
		if field.name != "apiVersion" && field.name != "kind" && (field.name == "spec" || r.chance(percent)) && depth > 0 {
			made.add(field.name, r.good(field.value, depth-1))
		}
	}
	r.Shuffle(len(made.members), func(i, j int) {
		made.members[i], made.members[j] = made.members[j], made.members[i]
	})
	return made
}

// manifest is one of a kind, with a few changes, most often.
func (r *random) manifest(kinds []served) *node {
	r.names = r.names[:0]
	kind := oneOf(r, kinds...)
	made := r.goodObject(kind.structure, 14)
	made.members = append([]member{{"apiVersion", scalar(quoted(kind.apiVersion))}, {"kind", scalar(quoted(kind.kind))}},
		made.members...)
	slices.Sort(r.names)
	for range oneOf(r, 0, 1, 1, 1, 2, 2, 4) {
		r.change(made)
	}
	if r.yaml {
		made.keepLast()
	}
	return made
}

// change changes one place.
func (r *random) change(document *node) {
	nodes := document.all()
	at := oneOf(r, nodes...)
	if at == document && (r.chance(90) || len(nodes) == 1) {
		at.add(r.name("nothing"), r.other(nodes))
		return
	}
	if at.kind == objectNode && r.chance(85) {
		r.changeMember(at, at == document, nodes)
		return
	}
	*at = *r.other(nodes)
}

// changeMember changes keys and what is beside them.
func (r *random) changeMember(at *node, root bool, nodes []*node) {
	first := 0
	if root {
		first = 2 // apiVersion and kind stay
	}
	if len(at.members) <= first || r.chance(30) {
		at.add(r.name("nothing"), r.other(nodes))
		return
	}
	index := first + r.IntN(len(at.members)-first)
	if r.yaml && r.chance(20) {
		at.members = slices.Insert(at.members, index, member{mergeKey, r.merged(nodes)})
		return
	}
	chosen := &at.members[index]
	if r.yaml || r.chance(50) {
		chosen.key = r.name(chosen.key)
		return
	}
	for range 1 + r.IntN(2) {
		value := at.members[index].value.clone()
		if r.chance(60) {
			value = r.other(nodes)
		}
		at.add(at.members[index].key, value)
	}
}

// merged is what stands behind a merge key: maps, most often.
func (r *random) merged(nodes []*node) *node {
	objects := slices.DeleteFunc(slices.Clone(nodes), func(n *node) bool { return n.kind != objectNode || n == nodes[0] })
	switch {
	case r.chance(10) || len(objects) == 0:
		return r.other(append(nodes[1:], object()))
	case r.chance(30):
		return list(oneOf(r, objects...).clone(), oneOf(r, objects...).clone())
	}
	return oneOf(r, objects...).clone()
}

// name is a field's name with a slip, or one from elsewhere. It is none of those which say what the object is.
func (r *random) name(from string) string {
	changed := from
	switch r.IntN(5) {
	case 0:
		changed = strings.ToUpper(from[:1]) + from[1:]
	case 1:
		changed = from + "s"
	case 2:
		changed = from[:len(from)-1]
	default:
		changed = oneOf(r, append(r.names, "unheardOf")...)
	}
	if lower := strings.ToLower(changed); changed == "" || lower == "apiversion" || lower == "kind" {
		return "unheardOf"
	}
	return changed
}

// other is a value from elsewhere, or one of another type.
func (r *random) other(nodes []*node) *node {
	switch r.IntN(10) {
	case 0:
		return oneOf(r, nodes...).clone()
	case 1:
		return list()
	case 2:
		return object()
	case 3:
		return list(scalar(oneOf(r, scalars...)))
	case 4:
		return object(member{r.name("name"), scalar(oneOf(r, scalars...))})
	}
	if r.yaml && r.chance(70) {
		return scalar(oneOf(r, yamlScalars...))
	}
	return scalar(oneOf(r, scalars...))
}

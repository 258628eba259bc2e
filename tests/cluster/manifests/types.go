// This file is about walking a manifest along the Go type that it is decoded into.

package manifests

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var (
	quantityType = reflect.TypeFor[resource.Quantity]()
	timeType     = reflect.TypeFor[metav1.Time]()
	anyType      = reflect.TypeFor[runtime.RawExtension]()
	fieldsType   = reflect.TypeFor[metav1.FieldsV1]()
	decoderType  = reflect.TypeFor[json.Unmarshaler]()
)

// site is a place in a manifest and the type of what belongs there.
type site struct {
	parent *node // nil for the whole manifest
	at     int   // of the fields or items of the parent
	node   *node
	typ    reflect.Type // never a pointer
	path   string       // lists as [], maps as [*]: spec.devices.requests[].name
}

// inMap tells whether the site is a value of a map, whose key is not a field of a type.
func (s site) inMap() bool { return strings.HasSuffix(s.path, "[*]") }

// inList tells whether the site is an item of a list.
func (s site) inList() bool { return strings.HasSuffix(s.path, "[]") }

// name is the last field of the path.
func (s site) name() string {
	name := strings.TrimSuffix(strings.TrimSuffix(s.path, "[]"), "[*]")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// member is a field of a Go type, by its JSON name.
type member struct {
	name string
	typ  reflect.Type
}

// membersOf returns the fields of a struct, those of embedded ones among them.
func membersOf(typ reflect.Type) []member {
	var members []member
	for f := range typ.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			members = append(members, membersOf(pointed(f.Type))...)
		case name != "" && name != "-":
			members = append(members, member{name, pointed(f.Type)})
		}
	}
	return members
}

func pointed(typ reflect.Type) reflect.Type {
	if typ.Kind() == reflect.Pointer {
		return typ.Elem()
	}
	return typ
}

// isWhole tells whether a type decodes itself, so that what is in it has no type.
func isWhole(typ reflect.Type) bool { return reflect.PointerTo(typ).Implements(decoderType) }

// isStruct tells whether a type has fields that are known.
func isStruct(typ reflect.Type) bool { return typ.Kind() == reflect.Struct && !isWhole(typ) }

// isList tells whether a type is a list, which bytes in base64 are not.
func isList(typ reflect.Type) bool {
	return typ.Kind() == reflect.Slice && typ.Elem().Kind() != reflect.Uint8 && !isWhole(typ)
}

func isMap(typ reflect.Type) bool { return typ.Kind() == reflect.Map && !isWhole(typ) }

// walk returns every site of a manifest that the type knows, in the order of the manifest.
func walk(root *node, typ reflect.Type) []site {
	sites := []site{{node: root, typ: typ}}
	for i := 0; i < len(sites); i++ { // grows meanwhile
		sites = append(sites, below(sites[i])...)
	}
	return sites
}

func below(s site) []site {
	var sites []site
	switch {
	case s.node.kind == objectNode && isStruct(s.typ):
		types := map[string]reflect.Type{}
		for _, m := range membersOf(s.typ) {
			types[m.name] = m.typ
		}
		for i, f := range s.node.fields {
			if typ, known := types[f.key]; known {
				sites = append(sites, site{s.node, i, f.value, typ, strings.TrimPrefix(s.path+"."+f.key, ".")})
			}
		}
	case s.node.kind == objectNode && isMap(s.typ):
		for i, f := range s.node.fields {
			sites = append(sites, site{s.node, i, f.value, pointed(s.typ.Elem()), s.path + "[*]"})
		}
	case s.node.kind == listNode && isList(s.typ):
		for i, item := range s.node.items {
			sites = append(sites, site{s.node, i, item, pointed(s.typ.Elem()), s.path + "[]"})
		}
	}
	return sites
}

// put replaces what is at the site.
func (s site) put(value *node) { *s.node = *value }

// drop removes what is at the site, with its key.
func (s site) drop() {
	if s.parent.kind == listNode {
		s.parent.items = append(s.parent.items[:s.at:s.at], s.parent.items[s.at+1:]...)
		return
	}
	s.parent.fields = append(s.parent.fields[:s.at:s.at], s.parent.fields[s.at+1:]...)
}

// repeat puts a copy of what is at the site behind it.
func (s site) repeat() {
	if s.parent.kind == listNode {
		s.parent.items = append(s.parent.items, s.node.clone())
		return
	}
	s.parent.fields = append(s.parent.fields, field{s.parent.fields[s.at].key, s.node.clone()})
}

// allPaths returns the path of every field that a type has. Types that hold themselves end there.
func allPaths(typ reflect.Type, path string, outer ...reflect.Type) []string {
	for _, o := range outer {
		if o == typ {
			return nil
		}
	}
	outer = append(outer, typ)
	switch {
	case isStruct(typ):
		var paths []string
		for _, m := range membersOf(typ) {
			inside := strings.TrimPrefix(path+"."+m.name, ".")
			paths = append(append(paths, inside), allPaths(m.typ, inside, outer...)...)
		}
		return paths
	case isMap(typ):
		return allPaths(pointed(typ.Elem()), path+"[*]", outer...)
	case isList(typ):
		return allPaths(pointed(typ.Elem()), path+"[]", outer...)
	}
	return nil
}

func (s site) String() string { return fmt.Sprintf("%s: %s", s.path, s.node.json()) }

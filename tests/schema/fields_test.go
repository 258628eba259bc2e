package schema

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// fields are places in schemas: "node.drivers[].free" is a field of what stands under $defs/node, in whatever kind of
// report that is.
type fields map[string]bool

// name says where a schema stands.
func name(schema *jsonschema.Schema) string {
	document, pointer, _ := strings.Cut(schema.Location, "#")
	if def, found := strings.CutPrefix(pointer, "/$defs/"); found {
		document, pointer, _ = strings.Cut(def, "/")
		pointer = "/" + pointer
	}
	kind := document[strings.LastIndex(document, "/")+1:]
	return kind + strings.NewReplacer("/properties/", ".", "/items", "[]").Replace(strings.TrimSuffix(pointer, "/"))
}

// within are the schemas that a value is held to as well as to this one; nil for some of them that is absent.
func within(schema *jsonschema.Schema) []*jsonschema.Schema {
	all := []*jsonschema.Schema{schema.Ref, schema.Then, schema.Else}
	return append(append(append(all, schema.AllOf...), schema.AnyOf...), schema.OneOf...)
}

// parts are the schemas of what a value holds.
func additional(schema *jsonschema.Schema) *jsonschema.Schema {
	further, _ := schema.AdditionalProperties.(*jsonschema.Schema)
	return further
}

// follow notes the fields of a value that is right.
func (f fields) follow(schema *jsonschema.Schema, value any) {
	for _, one := range within(schema) {
		if one != nil && one.Validate(value) == nil {
			f.follow(one, value)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			if property := schema.Properties[key]; property != nil {
				f[name(property)] = true
				f.follow(property, member)
			} else if further := additional(schema); further != nil {
				f.follow(further, member)
			}
		}
	case []any:
		for _, item := range value {
			if schema.Items2020 != nil {
				f.follow(schema.Items2020, item)
			}
		}
	}
}

// collect notes all fields there are.
func (f fields) collect(schema *jsonschema.Schema, visited map[string]bool) {
	if schema == nil || visited[schema.Location] {
		return
	}
	visited[schema.Location] = true
	for _, property := range schema.Properties {
		if property.Bool == nil { // false forbids a field
			f[name(property)] = true
		}
		f.collect(property, visited)
	}
	for _, one := range append(within(schema), schema.Items2020, additional(schema)) {
		f.collect(one, visited)
	}
}

// open returns the objects that name fields and take others. What only holds the fields that others refer to is named
// so, and closed there.
func open(schema *jsonschema.Schema, visited map[string]bool) []string {
	if schema == nil || visited[schema.Location] {
		return nil
	}
	visited[schema.Location] = true
	var found []string
	closed := schema.AdditionalProperties == false || schema.UnevaluatedProperties != nil
	if schema.Types != nil && len(schema.Properties) > 0 && !closed && !strings.HasSuffix(name(schema), "Fields") {
		found = append(found, name(schema))
	}
	for _, property := range schema.Properties {
		found = append(found, open(property, visited)...)
	}
	for _, one := range append(within(schema), schema.Items2020, additional(schema)) {
		found = append(found, open(one, visited)...)
	}
	return found
}

// This file is about manifests as trees: what JSON holds, with the order of keys, and a key twice where that
// is the mistake.

package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// node is a value of a manifest: an object, a list or a scalar.
type node struct {
	kind   nodeKind
	fields []field // of an object
	items  []*node // of a list
	scalar string  // in JSON
}

type nodeKind int

const (
	scalarNode nodeKind = iota
	objectNode
	listNode
)

type field struct {
	key   string
	value *node
}

func object(fields ...field) *node { return &node{kind: objectNode, fields: fields} }
func list(items ...*node) *node    { return &node{kind: listNode, items: items} }
func raw(json string) *node        { return &node{scalar: json} }

func text(s string) *node {
	quoted := &bytes.Buffer{}
	encoder := json.NewEncoder(quoted)
	encoder.SetEscapeHTML(false) // < and > are to be read in expressions
	if err := encoder.Encode(s); err != nil {
		panic(err) // every string can be written
	}
	return raw(strings.TrimSuffix(quoted.String(), "\n"))
}

// parse reads JSON.
func parse(data []byte) (*node, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	value, err := parseNext(decoder)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("something follows the value: %w", err)
	}
	return value, nil
}

func parseNext(decoder *json.Decoder) (*node, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		return parseInside(decoder, token)
	case string:
		return text(token), nil
	case nil:
		return raw("null"), nil
	}
	return raw(fmt.Sprint(token)), nil // a number or true or false
}

func parseInside(decoder *json.Decoder, begin json.Delim) (*node, error) {
	value := &node{kind: listNode}
	if begin == '{' {
		value.kind = objectNode
	}
	for decoder.More() {
		if value.kind == listNode {
			item, err := parseNext(decoder)
			if err != nil {
				return nil, err
			}
			value.items = append(value.items, item)
			continue
		}
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		inner, err := parseNext(decoder)
		if err != nil {
			return nil, err
		}
		value.fields = append(value.fields, field{key.(string), inner})
	}
	_, err := decoder.Token() // the end
	return value, err
}

func (n *node) clone() *node {
	c := &node{kind: n.kind, scalar: n.scalar}
	for _, f := range n.fields {
		c.fields = append(c.fields, field{f.key, f.value.clone()})
	}
	for _, item := range n.items {
		c.items = append(c.items, item.clone())
	}
	return c
}

// asSent returns a copy in which numbers are written as kubectl writes them, which has read YAML: 1.0 as 1. Of a key that
// stands twice it has the last value at both places.
func (n *node) asSent() *node {
	n = n.clone()
	if sent, err := yaml.YAMLToJSON([]byte(n.scalar)); n.kind == scalarNode && err == nil && n.str() == "" {
		n.scalar = string(sent)
	}
	for i := range n.fields {
		n.fields[i].value = n.last(n.fields[i].key).asSent()
	}
	for i := range n.items {
		n.items[i] = n.items[i].asSent()
	}
	return n
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	for _, f := range n.fields {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

// last returns the value of a key where it stands last.
func (n *node) last(key string) *node {
	for _, f := range slices.Backward(n.fields) {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

// find follows keys, or returns nil.
func (n *node) find(keys ...string) *node {
	for _, key := range keys {
		if n == nil {
			return nil
		}
		n = n.get(key)
	}
	return n
}

// set gives a key its value, at its place or at the end.
func (n *node) set(key string, value *node) {
	for i := range n.fields {
		if n.fields[i].key == key {
			n.fields[i].value = value
			return
		}
	}
	n.fields = append(n.fields, field{key, value})
}

func (n *node) remove(key string) {
	n.fields = slices.DeleteFunc(n.fields, func(f field) bool { return f.key == key })
}

// str returns what a string holds.
func (n *node) str() string {
	var s string
	if n.kind != scalarNode || json.Unmarshal([]byte(n.scalar), &s) != nil {
		return ""
	}
	return s
}

// json returns the value as JSON in one line.
func (n *node) json() string {
	var b strings.Builder
	n.writeJSON(&b)
	return b.String()
}

func (n *node) writeJSON(b *strings.Builder) {
	switch n.kind {
	case scalarNode:
		b.WriteString(n.scalar)
	case objectNode:
		b.WriteByte('{')
		for i, f := range n.fields {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(text(f.key).scalar + ":")
			f.value.writeJSON(b)
		}
		b.WriteByte('}')
	case listNode:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.writeJSON(b)
		}
		b.WriteByte(']')
	}
}

// yaml returns the value as a YAML document in block style. Scalars are written as in JSON, which YAML understands.
func (n *node) yaml() string {
	var b strings.Builder
	n.writeYAML(&b, 0, false)
	return b.String()
}

// writeYAML writes lines that are indented; the first one is not where something stands before it.
func (n *node) writeYAML(b *strings.Builder, indent int, inLine bool) {
	if n.kind == scalarNode || len(n.fields)+len(n.items) == 0 {
		b.WriteString(n.json() + "\n")
		return
	}
	margin := func() {
		if !inLine {
			b.WriteString(strings.Repeat(" ", indent))
		}
		inLine = false
	}
	for _, f := range n.fields {
		margin()
		b.WriteString(yamlKey(f.key) + ":")
		if f.value.kind == scalarNode || len(f.value.fields)+len(f.value.items) == 0 {
			b.WriteByte(' ')
			f.value.writeYAML(b, 0, true)
			continue
		}
		b.WriteByte('\n')
		inside := indent + 2
		if f.value.kind == listNode {
			inside = indent
		}
		f.value.writeYAML(b, inside, false)
	}
	for _, item := range n.items {
		margin()
		b.WriteString("- ")
		item.writeYAML(b, indent+2, true)
	}
}

// yamlKey quotes a key unless it is a plain word.
func yamlKey(key string) string {
	plain := key != ""
	for _, c := range key {
		plain = plain && ('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	}
	if plain && !slices.Contains([]string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}, strings.ToLower(key)) {
		return key
	}
	return text(key).scalar
}

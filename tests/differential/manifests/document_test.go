// This file is about documents as trees that may hold what no object can: keys that are there twice, values of any
// type, scalars of YAML.

package manifests

import (
	"encoding/json"
	"strings"
)

// node is a value: an object, a list, or a scalar as it is written.
type node struct {
	members []member
	items   []*node
	scalar  string
	kind    nodeKind
}

// mergeKey is YAML's for the members of other maps.
const mergeKey = "<<"

type nodeKind int

const (
	scalarNode nodeKind = iota
	objectNode
	listNode
)

type member struct {
	key   string
	value *node
}

func scalar(text string) *node              { return &node{scalar: text} }
func object(members ...member) *node        { return &node{kind: objectNode, members: members} }
func list(items ...*node) *node             { return &node{kind: listNode, items: items} }
func (n *node) add(key string, value *node) { n.members = append(n.members, member{key, value}) }

func quoted(text string) string {
	written, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(written)
}

// write is the document as JSON on one line; as YAML, if scalars are YAML's.
func (n *node) write(to *strings.Builder) {
	switch n.kind {
	case scalarNode:
		to.WriteString(n.scalar)
	case objectNode:
		to.WriteByte('{')
		for i, member := range n.members {
			if i > 0 {
				to.WriteString(", ")
			}
			key := member.key
			if key != mergeKey { // which is one only as it stands
				key = quoted(key)
			}
			to.WriteString(key + ": ")
			member.value.write(to)
		}
		to.WriteByte('}')
	case listNode:
		to.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				to.WriteString(", ")
			}
			item.write(to)
		}
		to.WriteByte(']')
	}
}

func (n *node) String() string {
	var text strings.Builder
	n.write(&text)
	return text.String()
}

func (n *node) clone() *node {
	copied := *n
	copied.members, copied.items = nil, nil
	for _, member := range n.members {
		copied.add(member.key, member.value.clone())
	}
	for _, item := range n.items {
		copied.items = append(copied.items, item.clone())
	}
	return &copied
}

// keepLast drops what is there again later, as whoever sends YAML as JSON does.
func (n *node) keepLast() {
	last := map[string]int{}
	for i, member := range n.members {
		last[member.key] = i
	}
	kept := n.members[:0]
	for i, member := range n.members {
		if last[member.key] == i {
			member.value.keepLast()
			kept = append(kept, member)
		}
	}
	n.members = kept
	for _, item := range n.items {
		item.keepLast()
	}
}

// repeatLast puts the last value of a key at each place where the key stands: what is wrong in another is nothing that
// kubectl sends, and validate does not look at it.
func (n *node) repeatLast() {
	last := map[string]*node{}
	for _, member := range n.members {
		last[member.key] = member.value
	}
	for i, member := range n.members {
		n.members[i].value = last[member.key]
	}
	for _, value := range last {
		value.repeatLast()
	}
	for _, item := range n.items {
		item.repeatLast()
	}
}

// all are the nodes from this one down, without the apiVersion and the kind of the whole: which type it is must stay
// what it is.
func (n *node) all() []*node {
	nodes := []*node{n}
	for _, member := range n.members {
		if member.key != "apiVersion" && member.key != "kind" {
			nodes = append(nodes, member.value.all()...)
		}
	}
	for _, item := range n.items {
		nodes = append(nodes, item.all()...)
	}
	return nodes
}

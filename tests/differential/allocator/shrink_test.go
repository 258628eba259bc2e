// This file is about making a case that differs small.

package allocator

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// longestShrinking bounds the time that is spent on one case.
const longestShrinking = 20 * time.Second

// shrink leaves out of a case one part after the other, as long as it still differs and is one that an API server may
// have.
func (p *programs) shrink(of *testCase) *testCase {
	deadline := time.Now().Add(longestShrinking)
	differs := func(smaller *testCase) bool {
		if smaller == nil || time.Now().After(deadline) || invalid(smaller) != nil {
			return false
		}
		if c, err := decode(smaller.Objects); err != nil || len(c.claimsOfPod()) == 0 || len(c.nodes) == 0 {
			return false // without a node or a claim there is no question
		}
		c := p.compareAll([]*testCase{smaller})[0]
		return c.err == nil && (c.ended != nil || len(c.differences) > 0)
	}
	for {
		before := of
		of = fewerGates(of, differs)
		for i := len(of.Objects) - 1; i >= 0; i-- {
			if smaller := without(of, i); differs(smaller) {
				of = smaller
			} else if i < len(of.Objects)-1 { // the last is the pod, whose claims are objects of their own
				of = smallerObject(of, i, differs)
			}
		}
		if of == before {
			return of
		}
	}
}

func fewerGates(of *testCase, differs func(*testCase) bool) *testCase {
	for _, gate := range strings.Split(of.Gates, ",") {
		smaller := *of
		gates := slices.DeleteFunc(strings.Split(of.Gates, ","), func(one string) bool { return one == gate })
		if smaller.Gates = strings.Join(gates, ","); smaller.Gates != of.Gates && differs(&smaller) {
			of = &smaller
		}
	}
	return of
}

// without leaves out an object, with what refers to it, or the slice from the count of its pool; nil if it is the pod.
func without(of *testCase, at int) *testCase {
	c, err := decode(of.Objects)
	if err != nil {
		return nil
	}
	i := at
	switch {
	case i < len(c.nodes):
		c.nodes = slices.Delete(c.nodes, i, i+1)
	case remove(&i, len(c.nodes), len(c.classes)):
		c.classes = slices.Delete(c.classes, i, i+1)
	case remove(&i, len(c.classes), len(c.slices)):
		gone := c.slices[i]
		c.slices = slices.Delete(c.slices, i, i+1)
		for _, slice := range c.slices {
			if slice.Spec.Driver == gone.Spec.Driver && slice.Spec.Pool == gone.Spec.Pool {
				slice.Spec.Pool.ResourceSliceCount = max(1, slice.Spec.Pool.ResourceSliceCount-1)
			}
		}
	case remove(&i, len(c.slices), len(c.rules)):
		c.rules = slices.Delete(c.rules, i, i+1)
	case remove(&i, len(c.rules), len(c.claims)):
		for j, reference := range c.pod.Spec.ResourceClaims {
			if *reference.ResourceClaimName == c.claims[i].Name {
				c.pod.Spec.ResourceClaims = slices.Delete(c.pod.Spec.ResourceClaims, j, j+1)
				break
			}
		}
		c.claims = slices.Delete(c.claims, i, i+1)
	default:
		return nil
	}
	smaller := *of
	smaller.Objects = c.encode()
	return &smaller
}

// remove is whether an index that is past one kind's objects is among the next kind's, and makes it relative to those.
func remove(index *int, before, next int) bool {
	*index -= before
	return *index < next
}

// smallerObject leaves out what it can of one object.
func smallerObject(of *testCase, at int, differs func(*testCase) bool) *testCase {
	var tree any
	if json.Unmarshal(of.Objects[at], &tree) != nil {
		return of
	}
	best := of
	try := func() bool {
		text, err := json.Marshal(tree)
		if err != nil {
			return false
		}
		smaller := *best
		smaller.Objects = slices.Clone(best.Objects)
		smaller.Objects[at] = text
		if !differs(&smaller) {
			return false
		}
		best = &smaller
		return true
	}
	prune(tree, func(any) {}, try)
	return best
}

// prune leaves out keys of maps and elements of lists, outer ones first, wherever try allows it. The function put
// replaces the node in its parent, for lists that became shorter.
func prune(node any, put func(any), try func() bool) {
	switch n := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(n)) {
			value := n[key]
			if key == "kind" || key == "apiVersion" || key == "name" || key == "value" {
				continue
			}
			if delete(n, key); !try() {
				n[key] = value
				prune(value, func(replaced any) { n[key] = replaced }, try)
			}
		}
	case []any:
		for i := len(n) - 1; i >= 0; i-- {
			shorter := slices.Delete(slices.Clone(n), i, i+1)
			if put(shorter); try() {
				n = shorter
				continue
			}
			put(n)
			prune(n[i], func(replaced any) { n[i] = replaced }, try)
		}
	case float64:
		if n > 1 {
			if put(1); !try() {
				put(n)
			}
		}
	}
}

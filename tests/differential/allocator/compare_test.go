// This file is about comparing our answer with upstream's.

package allocator

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// comparison is what became of one case.
type comparison struct {
	theirs      theirAnswer
	differences []string
	err         error // upstream has no answer: the case is wrong
	ended       error // our program ended
	notes       []string
	knowsLocal  bool // the release has errors that concern a node only
}

// Notes of what is counted, but no difference.
const (
	noteUndetermined = "ours ended in a budget"
	noteTimeout      = "upstream ran out of time"
	noteUnstable     = "upstream disagrees with itself"
	noteSkipped      = "skipped, as upstream disagrees with itself and with ours"
	notePanic        = "skipped, as upstream's code falls over"
	noteText         = "error texts compared"
	noteTextDiffers  = "error texts that differ"
)

func parseTheirs(from asked) (out theirAnswer, err error) {
	if from.err != nil {
		return out, from.err
	}
	if err = json.Unmarshal(from.line, &out); err == nil && out.Error != "" {
		err = fmt.Errorf("upstream has no answer: %s", out.Error)
	}
	return out, err
}

// compare compares all nodes. Every node must be in both answers.
func (c *comparison) compare(of *testCase, from asked) {
	if from.err != nil {
		c.ended = from.err
		return
	}
	var ours ourAnswer
	if err := json.Unmarshal(from.line, &ours); err != nil {
		c.differences = append(c.differences, fmt.Sprintf("our answer is not what it should be: %v\n%s", err, from.line))
		return
	}
	if ours.Error != "" || ours.ID != of.ID {
		c.differences = append(c.differences, fmt.Sprintf("our answer to case %d is for case %d: %s", of.ID, ours.ID, ours.Error))
		return
	}
	c.knowsLocal = releaseOf(of.Version).minor >= 35
	if len(ours.Explanation.Nodes) != len(c.theirs.Nodes) {
		c.differences = append(c.differences, fmt.Sprintf("%d nodes, want %d", len(ours.Explanation.Nodes), len(c.theirs.Nodes)))
		return
	}
	for i := range c.theirs.Nodes {
		want := &c.theirs.Nodes[i]
		at := slices.IndexFunc(ours.Explanation.Nodes, func(n ourNode) bool { return n.Name == want.Name })
		if at < 0 {
			c.differences = append(c.differences, "no node "+want.Name)
			continue
		}
		c.compareNode(want, &ours.Explanation.Nodes[at])
	}
}

// compareNode accepts each outcome that upstream has shown. Where it has shown more than one, others may be possible.
func (c *comparison) compareNode(want *theirNode, got *ourNode) {
	all := append([]outcome{want.outcome}, want.Others...)
	if slices.ContainsFunc(all, func(o outcome) bool { return o.Panic }) {
		c.notes = append(c.notes, notePanic)
		return
	}
	if slices.ContainsFunc(got.Reasons, func(r reason) bool { return r.Code == "Budget" || r.Code == "Timeout" }) {
		c.notes = append(c.notes, noteUndetermined)
		return
	}
	if slices.ContainsFunc(all, func(o outcome) bool { return o.Timeout }) {
		c.notes = append(c.notes, noteTimeout)
		return
	}
	problem := c.problem(&want.outcome, got)
	if slices.ContainsFunc(all, func(o outcome) bool { return c.problem(&o, got) == "" }) {
		problem = ""
	}
	if len(want.Others) > 0 {
		c.notes = append(c.notes, noteUnstable)
		if problem != "" {
			c.notes = append(c.notes, noteSkipped)
			return
		}
	}
	if problem != "" {
		c.differences = append(c.differences, fmt.Sprintf("node %s: %s", want.Name, problem))
	}
	c.compareText(want, got)
}

// problem is how our node differs from an outcome; "" if it does not.
func (c *comparison) problem(want *outcome, got *ourNode) string {
	if want.Fits != got.Fits || want.Aborts != got.Aborts {
		return fmt.Sprintf("want %s\ngot %s", want, got)
	}
	if !want.Fits {
		if len(got.Reasons) == 0 {
			return fmt.Sprintf("want %s\ngot no reasons", want)
		}
		invalid := slices.ContainsFunc(got.Reasons, func(r reason) bool { return r.Code == "PoolInvalid" })
		if c.knowsLocal && !want.Aborts && want.Local != invalid {
			return fmt.Sprintf("want %s\ngot %s", want, got)
		}
		return ""
	}
	if !c.theirs.Ordered {
		return ""
	}
	if len(want.Allocation) != len(got.Allocation) {
		return fmt.Sprintf("want %s\ngot %s", want, got)
	}
	for i := range want.Allocation {
		if !sameResult(&want.Allocation[i], &got.Allocation[i]) {
			return fmt.Sprintf("result %d differs: want %s\ngot %s", i, want, got)
		}
	}
	return ""
}

func sameResult(want, got *result) bool {
	return want.Claim == got.Claim && want.Request == got.Request && want.Driver == got.Driver && want.Pool == got.Pool && want.Device == got.Device &&
		want.ShareID == got.ShareID && want.AdminAccess == got.AdminAccess && maps.EqualFunc(want.ConsumedCapacity, got.ConsumedCapacity, sameQuantity)
}

// sameQuantity compares what a quantity is worth and how it is written in the canonical form.
func sameQuantity(want, got string) bool {
	a, err := resource.ParseQuantity(want)
	if err != nil {
		return false
	}
	b, err := resource.ParseQuantity(got)
	return err == nil && a.Cmp(b) == 0 && a.String() == b.String()
}

// compareText counts how many fatal errors have a text that ends in upstream's words. It makes no difference yet.
func (c *comparison) compareText(want *theirNode, got *ourNode) {
	if !want.Aborts || !got.Aborts || len(want.Others) > 0 {
		return
	}
	c.notes = append(c.notes, noteText)
	for _, reason := range got.Reasons {
		if strings.Contains(reason.Message, want.Error) {
			return
		}
	}
	c.notes = append(c.notes, noteTextDiffers)
}

// kind names an outcome as the statistics do.
func (o *outcome) kind() string {
	switch {
	case o.Panic || o.Timeout:
		return "no answer"
	case o.Fits:
		return fits
	case o.Aborts:
		return fatal
	case o.Local:
		return local
	}
	return none
}

func (o *outcome) String() string {
	text := o.kind()
	if o.Error != "" {
		text += " (" + o.Error + ")"
	}
	return text + written(o.Allocation)
}

func (n *ourNode) String() string {
	text := fmt.Sprintf("fits %v, aborts %v", n.Fits, n.Aborts)
	for _, reason := range n.Reasons {
		text += fmt.Sprintf(", %s (%s)", reason.Code, reason.Message)
	}
	return text + written(n.Allocation)
}

func written(allocation []result) (out string) {
	for _, r := range allocation {
		text, _ := json.Marshal(r)
		out += "\n  " + string(text)
	}
	return out
}

// Package changes makes the changes that `kubectl dra explain` advises, in the objects of a cluster: as a person would
// who reads the report, and knows nothing else of it.
package changes

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
)

// Change is one as a report has it. What its op has no field for is empty.
type Change struct {
	Op         string                        `json:"op"`
	Claim      string                        `json:"claim"`
	Request    string                        `json:"request"`
	Count      int64                         `json:"count"`
	Source     string                        `json:"source"`
	Selector   int                           `json:"selector"`
	Span       *[2]int                       `json:"span"` // in code points
	Expression string                        `json:"expression"`
	Toleration *resourceapi.DeviceToleration `json:"toleration"`
	Constraint int                           `json:"constraint"`
	Attribute  string                        `json:"attribute"`
	Requests   []string                      `json:"requests"`
	Parts      int64                         `json:"parts"`
	Counts     []int64                       `json:"counts"`
	Key        string                        `json:"key"`
	Index      *int                          `json:"index"`
	Value      *string                       `json:"value"`
	Claims     []string                      `json:"claims"`
	Pods       []string                      `json:"pods"`
	Like       string                        `json:"like"`
	Driver     string                        `json:"driver"`
	Pool       string                        `json:"pool"`
}

// Advice is what is said to help.
type Advice struct {
	Message  string   `json:"message"`
	Change   Change   `json:"change"`
	Changes  []Change `json:"changes"` // if it takes several
	Nodes    int      `json:"nodes"`
	Examples []string `json:"examples"`
}

// All are the changes to be made together.
func (a *Advice) All() []Change {
	if len(a.Changes) > 0 {
		return a.Changes
	}
	return []Change{a.Change}
}

// Kinds are those of what can be advised: ops, where one comes in two ways with the way.
var Kinds = []string{"setCount", "dropSelector", "dropSelector span", "editSelector", "tolerate", "tolerate node", "dropConstraint",
	"relaxConstraint", "splitRequests", "useAlternative", "selectNodes", "selectNodes affinity", "release", "addNode", "wait"}

// Kind is one of Kinds.
func (c *Change) Kind() string {
	switch {
	case c.Op == "dropSelector" && c.Span != nil:
		return c.Op + " span"
	case c.Op == "tolerate" && c.Claim == "":
		return c.Op + " node"
	case c.Op == "selectNodes" && c.Source == "affinity":
		return c.Op + " affinity"
	}
	return c.Op
}

// Objects are those of a cluster in which a pod waits.
type Objects struct {
	Nodes   []*corev1.Node
	Classes []*resourceapi.DeviceClass
	Slices  []*resourceapi.ResourceSlice
	Claims  []*resourceapi.ResourceClaim // without those that are not created yet
	Pods    []*corev1.Pod                // but the one that waits
	Pod     *corev1.Pod
}

// Demand is what a request or one of its alternatives asks for.
type Demand struct {
	Name        string // "req" or "req/sub"
	Class       *string
	Selectors   *[]resourceapi.DeviceSelector
	Mode        *resourceapi.DeviceAllocationMode
	Count       *int64
	Tolerations *[]resourceapi.DeviceToleration
}

// DemandsOf has all of a claim, to be changed.
func DemandsOf(claim *resourceapi.ResourceClaim) (out []Demand) {
	for i := range claim.Spec.Devices.Requests {
		request := &claim.Spec.Devices.Requests[i]
		if e := request.Exactly; e != nil {
			out = append(out, Demand{request.Name, &e.DeviceClassName, &e.Selectors, &e.AllocationMode, &e.Count, &e.Tolerations})
		}
		for j := range request.FirstAvailable {
			s := &request.FirstAvailable[j]
			out = append(out, Demand{request.Name + "/" + s.Name, &s.DeviceClassName, &s.Selectors, &s.AllocationMode, &s.Count, &s.Tolerations})
		}
	}
	return out
}

// claim is one by the name that reports give it.
func (o *Objects) claim(label string) (*resourceapi.ResourceClaim, error) {
	for _, claim := range o.Claims {
		if claim.Namespace+"/"+claim.Name == label {
			return claim, nil
		}
	}
	return nil, fmt.Errorf("no claim %s", label)
}

func (o *Objects) demand(claim, request string) (Demand, error) {
	of, err := o.claim(claim)
	if err != nil {
		return Demand{}, err
	}
	for _, one := range DemandsOf(of) {
		if one.Name == request {
			return one, nil
		}
	}
	return Demand{}, fmt.Errorf("no request %s of claim %s", request, claim)
}

// MakeAll makes the changes. It fails if there is nothing to change.
func (o *Objects) MakeAll(changes []Change) error {
	for i := range changes {
		if err := o.make(&changes[i]); err != nil {
			return err
		}
	}
	return nil
}

func (o *Objects) make(one *Change) error {
	switch one.Op {
	case "setCount":
		of, err := o.demand(one.Claim, one.Request)
		if err == nil {
			*of.Mode, *of.Count = resourceapi.DeviceAllocationModeExactCount, one.Count
		}
		return err
	case "dropSelector", "editSelector":
		return o.changeSelector(one)
	case "tolerate":
		return o.tolerate(one)
	case "dropConstraint":
		of, err := o.claim(one.Claim)
		if err != nil || one.Constraint >= len(of.Spec.Devices.Constraints) {
			return fmt.Errorf("no constraint %d of claim %s", one.Constraint, one.Claim)
		}
		of.Spec.Devices.Constraints = slices.Delete(of.Spec.Devices.Constraints, one.Constraint, one.Constraint+1)
		return nil
	case "relaxConstraint":
		return o.relaxConstraint(one)
	case "splitRequests":
		return o.splitRequests(one)
	case "selectNodes":
		return o.selectNodes(one)
	case "useAlternative":
		return o.useAlternative(one)
	case "release":
		return o.release(one.Claims, one.Pods)
	case "addNode":
		return o.addNodeLike(one.Like)
	case "wait":
		return o.CompletePool(one.Driver, one.Pool, func(*resourceapi.ResourceSlice) bool { return true })
	}
	return fmt.Errorf("unknown change %q", one.Op)
}

// changeSelector changes a class for all who use it.
func (o *Objects) changeSelector(one *Change) error {
	of, err := o.demand(one.Claim, one.Request)
	if err != nil {
		return err
	}
	all := of.Selectors
	if one.Source == "class" {
		at := slices.IndexFunc(o.Classes, func(class *resourceapi.DeviceClass) bool { return class.Name == *of.Class })
		all = &o.Classes[at].Spec.Selectors
	}
	if one.Selector >= len(*all) {
		return fmt.Errorf("no selector %d of %s %s", one.Selector, one.Source, one.Request)
	}
	cel := (*all)[one.Selector].CEL
	switch {
	case one.Op == "editSelector":
		cel.Expression = one.Expression
	case one.Span != nil: // a condition that is true is none
		text := []rune(cel.Expression)
		cel.Expression = string(text[:one.Span[0]]) + "true" + string(text[one.Span[1]:])
	default:
		*all = slices.Delete(*all, one.Selector, one.Selector+1)
	}
	return nil
}

func (o *Objects) tolerate(one *Change) error {
	if one.Claim == "" {
		o.Pod.Spec.Tolerations = append(o.Pod.Spec.Tolerations, corev1.Toleration{
			Key: one.Toleration.Key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffect(one.Toleration.Effect),
		})
		return nil
	}
	of, err := o.claim(one.Claim)
	if err != nil {
		return err
	}
	found := false
	for _, demand := range DemandsOf(of) {
		if one.Request == "" || one.Request == demand.Name {
			*demand.Tolerations = append(*demand.Tolerations, *one.Toleration)
			found = true
		}
	}
	if !found {
		return fmt.Errorf("no request %s of claim %s", one.Request, one.Claim)
	}
	return nil
}

func (o *Objects) useAlternative(one *Change) error {
	if _, err := o.demand(one.Claim, one.Request); err != nil {
		return err
	}
	of, err := o.claim(one.Claim)
	if err != nil {
		return err
	}
	main, sub, _ := strings.Cut(one.Request, "/")
	for i := range of.Spec.Devices.Requests {
		request := &of.Spec.Devices.Requests[i]
		request.FirstAvailable = slices.DeleteFunc(request.FirstAvailable, func(s resourceapi.DeviceSubRequest) bool {
			return request.Name == main && s.Name != sub
		})
	}
	return nil
}

// CompletePool makes a pool as complete as if what it lacks came, and had no devices. Only some slices may count as
// those of the pool.
func (o *Objects) CompletePool(driver, name string, counts func(*resourceapi.ResourceSlice) bool) error {
	newest, count := int64(-1), int64(0)
	eachOf := func(visit func(slice *resourceapi.ResourceSlice)) {
		for _, slice := range o.Slices {
			if slice.Spec.Driver == driver && slice.Spec.Pool.Name == name {
				visit(slice)
			}
		}
	}
	eachOf(func(slice *resourceapi.ResourceSlice) { newest = max(newest, slice.Spec.Pool.Generation) })
	eachOf(func(slice *resourceapi.ResourceSlice) {
		if slice.Spec.Pool.Generation == newest && counts(slice) {
			count++
		}
	})
	eachOf(func(slice *resourceapi.ResourceSlice) {
		if slice.Spec.Pool.Generation == newest {
			slice.Spec.Pool.ResourceSliceCount = count
		}
	})
	if count == 0 {
		return fmt.Errorf("no pool %s/%s", driver, name)
	}
	return nil
}

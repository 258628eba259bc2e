// This file is about dropping of a case all but some of what is asked for or stands in the way.

package allocator

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"kubectl-dra/tests/changes"
)

// part is one thing that can be dropped, as a report has it.
type part struct {
	Kind    string `json:"kind"`
	Claim   string `json:"claim"`
	Request string `json:"request"`
	Source  string `json:"source"`
	Index   int    `json:"index"`
}

// keepOnly drops whatever is not among the parts, and says how many of these there are not.
func (c *cluster) keepOnly(parts []part) (left int) {
	left = len(parts)
	keeps := func(one part) bool {
		has := slices.Contains(parts, one)
		if has {
			left--
		}
		return has
	}
	for _, claim := range c.claimsOfPod() {
		c.keepOfClaim(claim, keeps)
	}
	if !keeps(part{Kind: "occupancy"}) {
		c.claims = slices.DeleteFunc(c.claims, func(claim *resourceapi.ResourceClaim) bool { return claim.Status.Allocation != nil })
	}
	if !keeps(part{Kind: "taint"}) {
		c.rules = nil
		for _, slice := range c.slices {
			for i := range slice.Spec.Devices {
				slice.Spec.Devices[i].Taints = nil
			}
		}
	}
	if !keeps(part{Kind: "pool"}) {
		for _, slice := range c.slices {
			// One that has no slice which counts stays as it is.
			_ = c.changeable().CompletePool(slice.Spec.Driver, slice.Spec.Pool.Name, c.counts)
		}
	}
	keeps(part{Kind: "filter"}) // there is nothing for other filters to reject
	return left
}

func (c *cluster) keepOfClaim(claim *resourceapi.ResourceClaim, keeps func(part) bool) {
	label := claim.Namespace + "/" + claim.Name
	devices := &claim.Spec.Devices
	devices.Requests = slices.DeleteFunc(devices.Requests, func(request resourceapi.DeviceRequest) bool {
		return !keeps(part{Kind: "request", Claim: label, Request: request.Name})
	})
	for i, one := range changes.DemandsOf(claim) {
		keepSelectors := func(source string, all *[]resourceapi.DeviceSelector) {
			var kept []resourceapi.DeviceSelector
			for j, selector := range *all {
				if keeps(part{Kind: "selector", Claim: label, Request: one.Name, Source: source, Index: j}) {
					kept = append(kept, selector)
				}
			}
			*all = kept
		}
		keepSelectors("request", one.Selectors)
		// A class of its own, so that others keep theirs.
		at := slices.IndexFunc(c.classes, func(class *resourceapi.DeviceClass) bool { return class.Name == *one.Class })
		own := c.classes[at].DeepCopy()
		own.Name = fmt.Sprintf("%s-%s-%d", own.Name, claim.Name, i)
		keepSelectors("class", &own.Spec.Selectors)
		c.classes = append(c.classes, own)
		*one.Class = own.Name
	}
	var kept []resourceapi.DeviceConstraint
	for i, constraint := range devices.Constraints {
		if keeps(part{Kind: "constraint", Claim: label, Index: i}) {
			kept = append(kept, constraint)
		}
	}
	devices.Constraints = kept
}

// counts is whether a slice counts as one of its pool: with compatibility groups not while their gate is off.
func (c *cluster) counts(slice *resourceapi.ResourceSlice) bool {
	return !c.hidesGroups || !slices.ContainsFunc(slice.Spec.Devices, func(device resourceapi.Device) bool {
		return slices.ContainsFunc(device.ConsumesCounters, func(consumes resourceapi.DeviceCounterConsumption) bool {
			return len(consumes.CompatibilityGroups) > 0
		})
	})
}

// changeable are the objects that can be changed.
func (c *cluster) changeable() *changes.Objects {
	return &changes.Objects{Nodes: c.nodes, Classes: c.classes, Slices: c.slices, Claims: c.claims, Pods: c.others, Pod: c.pod}
}

// makeAll makes changes.
func (c *cluster) makeAll(all []changes.Change) error {
	for i := range all {
		// Where a gate hides slices of the pool.
		if one := &all[i]; one.Op == "wait" && c.hidesGroups {
			if err := c.changeable().CompletePool(one.Driver, one.Pool, c.counts); err != nil {
				return err
			}
			continue
		}
		o := c.changeable()
		if err := o.MakeAll(all[i : i+1]); err != nil {
			return err
		}
		c.nodes, c.classes, c.slices, c.claims, c.others = o.Nodes, o.Classes, o.Slices, o.Claims, o.Pods
	}
	return nil
}

// letPodsRun makes nodes on which pods can run, and gives claims that are allocated to pods: mostly one each, and some
// to nobody.
func (g *generator) letPodsRun() {
	for _, node := range g.nodes {
		node.Status.Allocatable = corev1.ResourceList{corev1.ResourcePods: resource.MustParse("110")}
	}
	for i, claim := range g.claims {
		if claim.Status.Allocation == nil {
			continue
		}
		claim.Status.ReservedFor = nil
		switch kind := g.weighted(14, 4, 3, 1); kind {
		case 0, 1:
			if kind == 1 && len(g.others) > 0 {
				reserve(claim, pick(g.Rand, g.others...))
			}
			if kind == 0 || g.chance(0.5) || len(claim.Status.ReservedFor) == 0 {
				priority := pick(g.Rand, int32(0), 0, 10, 1000)
				pod := &corev1.Pod{ObjectMeta: meta(fmt.Sprintf("user%d", i))}
				pod.Spec.Priority, pod.Spec.NodeName = &priority, g.node()
				g.others = append(g.others, pod)
				reserve(claim, pod)
			}
		case 2: // nobody has reserved it
		case 3: // somebody of whom nothing is known
			reserve(claim, &corev1.Pod{ObjectMeta: meta("unknown")})
		}
	}
	for _, pod := range g.others {
		for _, claim := range g.claims {
			if slices.ContainsFunc(claim.Status.ReservedFor, func(by resourceapi.ResourceClaimConsumerReference) bool { return by.UID == pod.UID }) {
				pod.Spec.ResourceClaims = append(pod.Spec.ResourceClaims, corev1.PodResourceClaim{Name: claim.Name, ResourceClaimName: &claim.Name})
			}
		}
	}
}

func reserve(claim *resourceapi.ResourceClaim, pod *corev1.Pod) {
	claim.Status.ReservedFor = append(claim.Status.ReservedFor, resourceapi.ResourceClaimConsumerReference{Resource: "pods", Name: pod.Name, UID: pod.UID})
}

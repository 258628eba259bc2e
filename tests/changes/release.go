// This file is about pods that go, and nodes that come.

package changes

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
)

// release lets pods go, and what then nobody has reserved any more. Of the claims that are named, all must go with the
// pods, or have been reserved by nobody.
func (o *Objects) release(claims, pods []string) error {
	for _, name := range pods {
		at := slices.IndexFunc(o.Pods, func(pod *corev1.Pod) bool { return pod.Namespace+"/"+pod.Name == name })
		if at < 0 {
			return fmt.Errorf("no pod %s", name)
		}
		o.Pods = slices.Delete(o.Pods, at, at+1)
	}
	named := 0
	o.Claims = slices.DeleteFunc(o.Claims, func(claim *resourceapi.ResourceClaim) bool {
		before := len(claim.Status.ReservedFor)
		claim.Status.ReservedFor = slices.DeleteFunc(claim.Status.ReservedFor, func(by resourceapi.ResourceClaimConsumerReference) bool {
			return slices.Contains(pods, claim.Namespace+"/"+by.Name)
		})
		if len(claim.Status.ReservedFor) > 0 || claim.Status.Allocation == nil {
			return false
		}
		isNamed := slices.Contains(claims, claim.Namespace+"/"+claim.Name)
		if isNamed {
			named++
		}
		return before > 0 || isNamed
	})
	if named != len(claims) {
		return fmt.Errorf("of the claims %q only %d can go with the pods %q", claims, named, pods)
	}
	return nil
}

// Groups are the smallest parts of a release: claims with the pods that have reserved them, together with whatever
// shares a pod with them.
func (o *Objects) Groups(of *Change) (out []Change) {
	for _, claim := range o.Claims {
		name := claim.Namespace + "/" + claim.Name
		if !slices.Contains(of.Claims, name) {
			continue
		}
		group := Change{Op: of.Op, Claims: []string{name}}
		for _, by := range claim.Status.ReservedFor {
			group.Pods = append(group.Pods, claim.Namespace+"/"+by.Name)
		}
		out = slices.DeleteFunc(out, func(other Change) bool {
			shares := slices.ContainsFunc(other.Pods, func(pod string) bool { return slices.Contains(group.Pods, pod) })
			if shares {
				group.Claims = append(group.Claims, other.Claims...)
				group.Pods = append(group.Pods, other.Pods...)
				slices.Sort(group.Pods)
				group.Pods = slices.Compact(group.Pods)
			}
			return shares
		})
		out = append(out, group)
	}
	return out
}

// Added is what the name of a node ends in that has been added.
const Added = "-added"

// addNodeLike adds a node with pools of its own, which have what pools have for the other node. A
// taint that only some devices of a slice have stays behind: it tells of those devices.
func (o *Objects) addNodeLike(name string) error {
	at := slices.IndexFunc(o.Nodes, func(node *corev1.Node) bool { return node.Name == name })
	if at < 0 {
		return fmt.Errorf("no node %s", name)
	}
	node := o.Nodes[at].DeepCopy()
	node.Name = name + Added
	node.Labels["kubernetes.io/hostname"] = node.Name
	o.Nodes = append(o.Nodes, node)
	var added []*resourceapi.ResourceSlice
	for _, slice := range o.Slices {
		if isFor(slice, name) {
			added = append(added, o.sliceFor(node.Name, slice))
		}
	}
	o.Slices = append(o.Slices, added...)
	return nil
}

func isFor(slice *resourceapi.ResourceSlice, node string) bool {
	return slice.Spec.NodeName != nil && *slice.Spec.NodeName == node
}

// sliceFor is a copy in a pool which has no slices for others, unless nodes publish whole pools under that name.
func (o *Objects) sliceFor(node string, of *resourceapi.ResourceSlice) *resourceapi.ResourceSlice {
	same, shared, ofNodes := int64(0), false, false
	for _, other := range o.Slices {
		if other.Spec.Driver != of.Spec.Driver || other.Spec.Pool.Name != of.Spec.Pool.Name {
			continue
		}
		here := isFor(other, *of.Spec.NodeName)
		shared = shared || !here
		ofNodes = ofNodes || !here && other.Spec.NodeName != nil
		if here && other.Spec.Pool.Generation == of.Spec.Pool.Generation {
			same++
		}
	}
	slice := of.DeepCopy()
	if slices.ContainsFunc(slice.Spec.Devices, func(device resourceapi.Device) bool { return len(device.Taints) == 0 }) {
		for i := range slice.Spec.Devices {
			slice.Spec.Devices[i].Taints = nil
		}
	}
	slice.Name += Added
	if !ofNodes || of.Spec.Pool.ResourceSliceCount != same {
		slice.Spec.Pool.Name += Added
	}
	slice.Spec.NodeName = &node
	if shared {
		slice.Spec.Pool.ResourceSliceCount = same
	}
	return slice
}

// This file is about where devices and pods are: constraints that align devices, and the labels by which a pod selects
// its nodes.

package changes

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/utils/ptr"
)

func (o *Objects) constraint(one *Change) (*resourceapi.DeviceClaim, *resourceapi.DeviceConstraint, error) {
	of, err := o.claim(one.Claim)
	if err != nil || one.Constraint >= len(of.Spec.Devices.Constraints) {
		return nil, nil, fmt.Errorf("no constraint %d of claim %s", one.Constraint, one.Claim)
	}
	devices := &of.Spec.Devices
	return devices, &devices.Constraints[one.Constraint], nil
}

func (o *Objects) relaxConstraint(one *Change) error {
	_, constraint, err := o.constraint(one)
	if err != nil {
		return err
	}
	if constraint.MatchAttribute == nil || one.Attribute == "" {
		return fmt.Errorf("constraint %d of claim %s matches nothing, or is to match nothing", one.Constraint, one.Claim)
	}
	constraint.MatchAttribute = ptr.To(resourceapi.FullyQualifiedName(one.Attribute))
	return nil
}

// countsOf returns the devices of each part of a request that wants so many. It fails if they do not add up.
func countsOf(one *Change, wanted int64) ([]int64, error) {
	counts, sum := slices.Clone(one.Counts), int64(0)
	if counts == nil {
		counts = slices.Repeat([]int64{wanted / one.Parts}, int(one.Parts))
	}
	for _, count := range counts {
		sum += count
	}
	if sum != wanted || len(counts) != int(one.Parts) || one.Counts != nil && len(one.Requests) != 1 {
		return nil, fmt.Errorf("%d devices have no parts %v", wanted, counts)
	}
	return counts, nil
}

// splitRequests divides the counts, and adds the other parts.
func (o *Objects) splitRequests(one *Change) error {
	devices, constraint, err := o.constraint(one)
	if err != nil {
		return err
	}
	attribute := *constraint.MatchAttribute
	constraint.Requests = slices.Clone(one.Requests)
	var first []resourceapi.DeviceRequest
	var counts [][]int64 // of each request, those of each part
	for _, name := range one.Requests {
		at := slices.IndexFunc(devices.Requests, func(request resourceapi.DeviceRequest) bool { return request.Name == name })
		if at < 0 || devices.Requests[at].Exactly == nil {
			return fmt.Errorf("request %s of claim %s has no parts", name, one.Claim)
		}
		own, err := countsOf(one, devices.Requests[at].Exactly.Count)
		if err != nil {
			return fmt.Errorf("request %s of claim %s: %w", name, one.Claim, err)
		}
		counts = append(counts, own)
		devices.Requests[at].Exactly.Count = own[0]
		first = append(first, devices.Requests[at])
	}
	others := slices.Clone(devices.Constraints)
	for part := int64(2); part <= one.Parts; part++ {
		added := resourceapi.DeviceConstraint{MatchAttribute: ptr.To(attribute)}
		for i := range first {
			request := first[i].DeepCopy()
			request.Name = fmt.Sprintf("%s-%d", request.Name, part)
			request.Exactly.Count = counts[i][part-1]
			devices.Requests = append(devices.Requests, *request)
			added.Requests = append(added.Requests, request.Name)
			for j := range others {
				if j != one.Constraint && slices.Contains(others[j].Requests, first[i].Name) {
					devices.Constraints[j].Requests = append(devices.Constraints[j].Requests, request.Name)
				}
			}
			for j := range devices.Config {
				if slices.Contains(devices.Config[j].Requests, first[i].Name) {
					devices.Config[j].Requests = append(devices.Config[j].Requests, request.Name)
				}
			}
		}
		devices.Constraints = append(devices.Constraints, added)
	}
	return nil
}

func (o *Objects) selectNodes(one *Change) error {
	spec := &o.Pod.Spec
	if one.Index == nil {
		if _, ok := spec.NodeSelector[one.Key]; !ok {
			return fmt.Errorf("no label %s is selected", one.Key)
		}
		delete(spec.NodeSelector, one.Key)
		if one.Value != nil {
			spec.NodeSelector[one.Key] = *one.Value
		}
		return nil
	}
	required := spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if len(required.NodeSelectorTerms) != 1 || *one.Index >= len(required.NodeSelectorTerms[0].MatchExpressions) {
		return fmt.Errorf("no expression %d in a single term", *one.Index)
	}
	term := &required.NodeSelectorTerms[0]
	switch condition := &term.MatchExpressions[*one.Index]; {
	case condition.Key != one.Key:
		return fmt.Errorf("expression %d is about %s, not %s", *one.Index, condition.Key, one.Key)
	case one.Value != nil && condition.Operator == corev1.NodeSelectorOpIn:
		condition.Values = append(condition.Values, *one.Value)
	case one.Value != nil:
		return fmt.Errorf("%s takes no more values", condition.Operator)
	case len(term.MatchExpressions)+len(term.MatchFields) == 1:
		spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = nil
	default:
		term.MatchExpressions = slices.Delete(term.MatchExpressions, *one.Index, *one.Index+1)
	}
	return nil
}

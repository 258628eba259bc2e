// This file is about the cases: each leads the kubelet to one of its errors.

package common

import (
	"errors"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	driverName = "gpu.example.com"
	namespace  = "ml"
	node       = "node-1"
	podUID     = "pod-uid"

	patience = 10 * time.Second       // for calls that are answered
	hurry    = 200 * time.Millisecond // for calls that are not
)

// testCase acts, and returns the errors of the preparation and of the container's configuration.
type testCase struct {
	name string
	act  func(*scene) (prepared, container, failed error)
}

// prepared registers a driver that answers so, and has the pod prepared.
func prepared(by answer, timeout time.Duration) func(*scene) (error, error, error) {
	return func(s *scene) (error, error, error) {
		s.driver.prepare = by
		if err := s.register(true, timeout); err != nil {
			return nil, nil, err
		}
		return s.kubelet.Prepare(s.ctx, s.pod), nil, nil
	}
}

// changed has the pod prepared by a driver that is ready, after a change of the scene.
func changed(change func(*scene)) func(*scene) (error, error, error) {
	return func(s *scene) (error, error, error) {
		if change(s); s.failing != nil {
			return nil, nil, s.failing
		}
		return prepared(ready, patience)(s)
	}
}

var cases = []testCase{
	{"prepared", prepared(ready, patience)},
	{"not registered", func(s *scene) (error, error, error) { return s.kubelet.Prepare(s.ctx, s.pod), nil, nil }},
	{"registered no more", deregistered},
	{"refused", prepared(refuse("no free MIG slot on GPU-17"), patience)},
	{"refused parameters", prepared(refuse(`error decoding opaque config: strict decoding error: unknown field "sharng"`), patience)},
	{"no server", func(s *scene) (error, error, error) {
		if err := s.register(false, patience); err != nil {
			return nil, nil, err
		}
		return s.kubelet.Prepare(s.ctx, s.pod), nil, nil
	}},
	{"no answer in time", prepared(hang, hurry)},
	{"claim skipped", prepared(none, patience)},
	{"answer for another claim", prepared(other, patience)},
	{"claim not found", changed(func(s *scene) { s.server.set(); s.claims = nil })},
	{"claim forbidden", changed(func(s *scene) {
		s.server.status = statusOf(apierrors.NewForbidden(claimResource, s.claims[0].Name, errNodeAuthorizer))
	})},
	{"version not served", changed(func(s *scene) { s.server.status = statusOf(nil) })},
	{"not reserved", changed(func(s *scene) { s.claims[0].Status.ReservedFor = nil })},
	{"not allocated", changed(func(s *scene) { s.claims[0].Status.Allocation = nil })},
	{"claim of another pod", changed(func(s *scene) {
		s.pod.Spec.ResourceClaims[0] = corev1.PodResourceClaim{Name: "gpu", ResourceClaimTemplateName: &templateName}
		s.pod.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: "gpu", ResourceClaimName: &s.claims[0].Name}}
	})},
	{"claim not created", changed(func(s *scene) {
		s.pod.Spec.ResourceClaims[0] = corev1.PodResourceClaim{Name: "gpu", ResourceClaimTemplateName: &templateName}
		s.claims = nil
	})},
	{"older claim", func(s *scene) (error, error, error) {
		if first, _, err := prepared(ready, patience)(s); first != nil || err != nil {
			return nil, first, err
		}
		newer := newClaim(s.claims[0].Name, "newer-uid")
		s.claims = []*resourceapi.ResourceClaim{newer}
		s.server.set(newer)
		return s.kubelet.Prepare(s.ctx, s.pod), nil, nil
	}},
	{"being unprepared", beingUnprepared},
	{"preparation skipped", func(s *scene) (error, error, error) {
		if s.release.SkipPrepare != nil {
			s.release.SkipPrepare(&s.claims[0].Status.Allocation.Devices.Results[0])
		}
		return prepared(ready, patience)(s)
	}},
	{"state not written", changed(func(s *scene) { s.failing = replaceByFile(s.folder) })},
	{"never prepared", func(s *scene) (error, error, error) {
		return nil, s.kubelet.GetResources(s.pod, &s.pod.Spec.Containers[0]), nil
	}},
}

func deregistered(s *scene) (error, error, error) {
	if err := s.register(true, patience); err != nil {
		return nil, nil, err
	}
	s.kubelet.Deregister(s.ctx, driverName, s.socket)
	return s.kubelet.Prepare(s.ctx, s.pod), nil, nil
}

// beingUnprepared has a second pod prepare the claim while the driver takes it back from the first.
func beingUnprepared(s *scene) (error, error, error) {
	called, end := make(chan struct{}), make(chan struct{})
	s.driver.unprepare = func() { close(called); <-end }
	if first, _, err := prepared(ready, patience)(s); first != nil || err != nil {
		return nil, first, err
	}
	done := make(chan error, 1)
	older := s.pod.DeepCopy()
	go func() { done <- s.kubelet.Unprepare(s.ctx, older) }()
	<-called
	s.pod.Name, s.pod.UID = "successor", "successor-uid"
	s.claims[0].Status.ReservedFor = reservedFor(s.pod)
	s.server.set(s.claims...)
	said := s.kubelet.Prepare(s.ctx, s.pod)
	close(end)
	return said, nil, <-done
}

// errNodeAuthorizer is what the node authorizer says of a claim that no pod of the node has.
var errNodeAuthorizer = errors.New("no relationship found between node '" + node + "' and this object")

var templateName = "gpu-template"

// replaceByFile makes it impossible to write into the folder, for root, too.
func replaceByFile(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.WriteFile(folder, nil, 0o600)
}

func reservedFor(pod *corev1.Pod) []resourceapi.ResourceClaimConsumerReference {
	return []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: pod.Name, UID: pod.UID}}
}

func newPod(claim string) *corev1.Pod {
	return &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "trainer", Namespace: namespace, UID: podUID},
		Spec: corev1.PodSpec{
			NodeName:       node,
			ResourceClaims: []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &claim}},
			Containers: []corev1.Container{{
				Name: "main", Image: "trainer",
				Resources: corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpu"}}},
			}},
		},
		Status: corev1.PodStatus{Phase: corev1.PodPending},
	}
}

func newClaim(name string, uid types.UID) *resourceapi.ResourceClaim {
	return &resourceapi.ResourceClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: resourceapi.SchemeGroupVersion.String(), Kind: "ResourceClaim"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, UID: uid},
		Spec: resourceapi.ResourceClaimSpec{Devices: resourceapi.DeviceClaim{Requests: []resourceapi.DeviceRequest{{
			Name: "gpu", Exactly: &resourceapi.ExactDeviceRequest{
				DeviceClassName: driverName, AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1,
			},
		}}}},
		Status: resourceapi.ResourceClaimStatus{
			Allocation: &resourceapi.AllocationResult{Devices: resourceapi.DeviceAllocationResult{
				Results: []resourceapi.DeviceRequestAllocationResult{{
					Request: "gpu", Driver: driverName, Pool: node, Device: "gpu-0",
				}},
			}},
			ReservedFor: []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: "trainer", UID: podUID}},
		},
	}
}

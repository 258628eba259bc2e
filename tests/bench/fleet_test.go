package bench

import (
	"crypto/md5"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

const (
	devicesOfNode = 8
	driver        = "gpu.example.com"
)

// fleet is a cluster of equal nodes with eight devices each, of which other claims hold two.
type fleet struct {
	nodes  []*corev1.Node
	slices []*resourceapi.ResourceSlice
	class  *resourceapi.DeviceClass
	held   []*resourceapi.ResourceClaim
	wanted []*resourceapi.ResourceClaim // one for each thing that is measured
}

// newFleet has the claims that are measured beside those that hold devices.
func newFleet(nodes int, wanted ...*resourceapi.ResourceClaim) *fleet {
	f := &fleet{wanted: wanted, class: &resourceapi.DeviceClass{
		TypeMeta: resourceType("DeviceClass"), ObjectMeta: metav1.ObjectMeta{Name: "gpu"},
		Spec: resourceapi.DeviceClassSpec{Selectors: selecting(`device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].type == "gpu"`)},
	}}
	for i := range nodes {
		name := fmt.Sprintf("node-%05d", i)
		f.nodes = append(f.nodes, &corev1.Node{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}, ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name}}})
		f.slices = append(f.slices, sliceOf(name, i))
		for device := range 2 {
			f.held = append(f.held, heldBy(name, i, device))
		}
	}
	return f
}

func sliceOf(node string, number int) *resourceapi.ResourceSlice {
	slice := &resourceapi.ResourceSlice{
		TypeMeta: resourceType("ResourceSlice"), ObjectMeta: metaOf("", node+"-gpu", "kubelet-plugin", `{"f:spec":{"f:devices":{},"f:driver":{},"f:nodeName":{},"f:pool":{"f:generation":{},"f:name":{},"f:resourceSliceCount":{}}}}`),
		Spec: resourceapi.ResourceSliceSpec{Driver: driver, NodeName: &node,
			Pool: resourceapi.ResourcePool{Name: node, Generation: 1, ResourceSliceCount: 1}},
	}
	for i := range devicesOfNode {
		slice.Spec.Devices = append(slice.Spec.Devices, fleetDevice(number, i))
	}
	return slice
}

// fleetDevice has twelve attributes; one is its own, the others it shares with many.
func fleetDevice(node, index int) resourceapi.Device {
	text := func(value string) resourceapi.DeviceAttribute {
		return resourceapi.DeviceAttribute{StringValue: &value}
	}
	version := func(value string) resourceapi.DeviceAttribute {
		return resourceapi.DeviceAttribute{VersionValue: &value}
	}
	return resourceapi.Device{Name: fmt.Sprint("gpu-", index),
		Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
			"architecture": text("Hopper"), "brand": text("Nvidia"), "cudaComputeCapability": version("9.0.0"),
			"cudaDriverVersion": version("13.0.0"), "driverVersion": version("580.95.5"), "index": {IntValue: ptr.To(int64(index))},
			"numa": {IntValue: ptr.To(int64(index / 4))}, "productName": text("NVIDIA H100 80GB HBM3"), "migCapable": {BoolValue: ptr.To(true)},
			"resource.kubernetes.io/pcieRoot": text(fmt.Sprint("pci0000:", index/2)), "type": text("gpu"),
			"uuid": text(fmt.Sprintf("GPU-4404041a-04cf-1ccf-9e70-%07d%d", node, index))},
		Capacity: map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{"memory": {Value: resource.MustParse("81559Mi")}}}
}

// metaOf is what a server keeps of an object beside its name, of which we read next to nothing.
func metaOf(namespace, name, manager, fields string) metav1.ObjectMeta {
	created := metav1.NewTime(time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC))
	return metav1.ObjectMeta{Namespace: namespace, Name: name, GenerateName: name[:len(name)-1], UID: uidOf(name), ResourceVersion: "123456", Generation: 1,
		CreationTimestamp: created, OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: name, UID: uidOf("owner" + name), Controller: ptr.To(true)}},
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "resource.k8s.io/v1", Time: &created,
			FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(fields)}}}}
}

func uidOf(name string) types.UID {
	sum := md5.Sum([]byte(name))
	return types.UID(fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:]))
}

func heldBy(node string, number, device int) *resourceapi.ResourceClaim {
	name := fmt.Sprintf("held-%05d-%d", number, device)
	claim := claimOf(name, nil, exactly("gpu", 1))
	claim.Status = resourceapi.ResourceClaimStatus{
		Allocation:  allocationOf(driver, node, fmt.Sprint("gpu-", device)),
		ReservedFor: []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: name, UID: "1"}},
	}
	return claim
}

// allocationOf is of a device that a node alone can use.
func allocationOf(driver, node, device string) *resourceapi.AllocationResult {
	return &resourceapi.AllocationResult{
		Devices: resourceapi.DeviceAllocationResult{Results: []resourceapi.DeviceRequestAllocationResult{
			{Request: "gpu", Driver: driver, Pool: node, Device: device}}},
		NodeSelector: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}}},
	}
}

func resourceType(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: "resource.k8s.io/v1", Kind: kind}
}

func selecting(expression string) []resourceapi.DeviceSelector {
	return []resourceapi.DeviceSelector{{CEL: &resourceapi.CELDeviceSelector{Expression: expression}}}
}

func exactly(name string, count int64, selectors ...resourceapi.DeviceSelector) resourceapi.DeviceRequest {
	return resourceapi.DeviceRequest{Name: name, Exactly: &resourceapi.ExactDeviceRequest{
		DeviceClassName: "gpu", Selectors: selectors, AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: count}}
}

func claimOf(name string, constraints []resourceapi.DeviceConstraint, requests ...resourceapi.DeviceRequest) *resourceapi.ResourceClaim {
	return &resourceapi.ResourceClaim{
		TypeMeta: resourceType("ResourceClaim"), ObjectMeta: metaOf("default", name, "kube-scheduler", `{"f:status":{"f:allocation":{".":{},"f:devices":{".":{},"f:results":{}},"f:nodeSelector":{}},"f:reservedFor":{".":{},"k:{\"uid\":\"`+string(uidOf(name))+`\"}":{}}}}`),
		Spec: resourceapi.ResourceClaimSpec{Devices: resourceapi.DeviceClaim{Requests: requests, Constraints: constraints}}}
}

// matching wants one value of an attribute for all requests.
func matching(attribute string) []resourceapi.DeviceConstraint {
	return []resourceapi.DeviceConstraint{{MatchAttribute: ptr.To(resourceapi.FullyQualifiedName(attribute))}}
}

// write puts the fleet into files, page by page as a server sends it, and says how large it is. Nothing is measured meanwhile,
// so that all processors make pages.
func (f *fleet) write(t *testing.T) (folder string, size int64) {
	t.Helper()
	folder = t.TempDir()
	pages := 0
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	var total atomic.Int64
	page := func(resource string, items any) {
		name := filepath.Join(folder, fmt.Sprintf("%04d.%s", pages, resource))
		pages++
		group.Go(func() error {
			text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
			if err != nil {
				return err
			}
			total.Add(int64(len(text)))
			return os.WriteFile(name, text, 0o600)
		})
	}
	page("deviceclasses", []any{f.class})
	for some := range slices.Chunk(f.nodes, 500) {
		page("nodes", some)
	}
	for some := range slices.Chunk(f.slices, 500) {
		page("resourceslices", some)
	}
	for some := range slices.Chunk(append(f.held, f.wanted...), 500) {
		page("resourceclaims", some)
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return folder, total.Load()
}

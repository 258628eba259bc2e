package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// chips are the hosts of one slice of TPUs, four chips each, half of them held.
func chips(t *testing.T, topology string, hosts int) (folder string) {
	t.Helper()
	folder = t.TempDir()
	var nodes, slices, claims []any
	for i := range hosts {
		name := fmt.Sprintf("tpu-%05d", i)
		nodes = append(nodes, &corev1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}, ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			"cloud.google.com/gke-nodepool": "slice", "cloud.google.com/gke-tpu-topology": topology,
			"cloud.google.com/gke-tpu-accelerator": "tpu-v5p-slice", "cloud.google.com/gke-accelerator-count": "4"}}})
		slice := &resourceapi.ResourceSlice{TypeMeta: resourceType("ResourceSlice"), ObjectMeta: metaOf("", name+"-tpu", "kubelet-plugin", `{"f:spec":{}}`),
			Spec: resourceapi.ResourceSliceSpec{Driver: "tpu.google.com", NodeName: &name, Pool: resourceapi.ResourcePool{Name: name, Generation: 1, ResourceSliceCount: 1}}}
		for chip := range 4 {
			slice.Spec.Devices = append(slice.Spec.Devices, resourceapi.Device{Name: fmt.Sprint(chip), Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
				"index": {IntValue: ptr.To(int64(chip))}, "tpuGen": {StringValue: ptr.To("v5p")}, "topology": {StringValue: &topology},
				"chipCount": {IntValue: ptr.To(int64(4))}, "accelerator": {StringValue: ptr.To("tpu-v5p-slice")}, "uuid": {StringValue: ptr.To("tpu-" + string(uidOf(name)))}}})
		}
		slices = append(slices, slice)
		if i%2 == 0 {
			claim := claimOf("held-"+name, nil, exactly("tpu", 4))
			claim.Status = resourceapi.ResourceClaimStatus{Allocation: &resourceapi.AllocationResult{}}
			for chip := range 4 {
				claim.Status.Allocation.Devices.Results = append(claim.Status.Allocation.Devices.Results,
					resourceapi.DeviceRequestAllocationResult{Request: "gpu", Driver: "tpu.google.com", Pool: name, Device: fmt.Sprint(chip)})
			}
			claims = append(claims, claim)
		}
	}
	for name, items := range map[string][]any{"nodes": nodes, "resourceslices": slices, "resourceclaims": claims} {
		text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+".json"), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestDrawing: what is drawn costs at most as much as decoding the bytes that it is drawn from. A list of what is not
// there decodes them, and does nothing else.
func TestDrawing(t *testing.T) {
	tpus := chips(t, "16x16x24", 1536)
	fleet, _ := newFleet(5000, claimOf("waits", nil, exactly("gpu", 1))).write(t)
	pages, err := filepath.Glob(fleet + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages { // a folder's files are those with such an ending
		if err := os.Rename(page, page+".json"); err != nil {
			t.Fatal(err)
		}
	}
	for _, one := range []struct {
		name, folder string
		args         []string
		bar          float64
	}{
		{"a slice of 6,144 chips", tpus, []string{"topology"}, 1},
		{"a slice of 6,144 chips as a page", tpus, []string{"topology", "-o", "html"}, 1},
		// Every chip and every host with all that is known: several times the bytes that it is made of.
		{"a slice of 6,144 chips as JSON", tpus, []string{"topology", "-o", "json"}, 4},
		{"the machines of 40,000 devices", fleet, []string{"topology"}, 1},
		{"the overview of 40,000 devices", fleet, []string{"overview"}, 1},
	} {
		t.Run(one.name, func(t *testing.T) {
			plugin := program(t, "KUBECTL_DRA_RELEASE")
			hold(t, one.name, 9, one.bar, func() times {
				decode := command(t, nil, plugin, "templates", "--snapshot", one.folder)
				draw := command(t, nil, plugin, append(one.args, "--snapshot", one.folder)...)
				return times{ours: draw - decode, theirs: decode}
			})
		})
	}
}

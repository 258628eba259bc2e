// This file is about objects that come as JSON and as protobuf: what is decoded must be the same.

package differential

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourceapi "k8s.io/api/resource/v1"
	resourcebeta "k8s.io/api/resource/v1beta2"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"sigs.k8s.io/randfill"

	"kubectl-dra/tests/soak"
)

const objectsEnv = "KUBECTL_DRA_OBJECTS"

// objectCases is the number of objects of each type.
const objectCases = 150

// wireObjects makes an empty object of each type that is read as protobuf, also of the versions that have
// v1's numbers.
var wireObjects = []func() runtime.Object{
	func() runtime.Object { return &corev1.ConfigMap{} },
	func() runtime.Object { return &corev1.Event{} },
	func() runtime.Object { return &corev1.Namespace{} },
	func() runtime.Object { return &corev1.Node{} },
	func() runtime.Object { return &corev1.PersistentVolume{} },
	func() runtime.Object { return &corev1.PersistentVolumeClaim{} },
	func() runtime.Object { return &corev1.Pod{} },
	func() runtime.Object { return &corev1.ResourceQuota{} },
	func() runtime.Object { return &policyv1.PodDisruptionBudget{} },
	func() runtime.Object { return &resourceapi.DeviceClass{} },
	func() runtime.Object { return &resourceapi.DeviceTaintRule{} },
	func() runtime.Object { return &resourceapi.ResourceClaim{} },
	func() runtime.Object { return &resourceapi.ResourceClaimTemplate{} },
	func() runtime.Object { return &resourceapi.ResourceSlice{} },
	func() runtime.Object { return &resourcebeta.DeviceClass{} },
	func() runtime.Object { return &resourcebeta.DeviceTaintRule{} },
	func() runtime.Object { return &resourcebeta.ResourceClaim{} },
	func() runtime.Object { return &resourcebeta.ResourceClaimTemplate{} },
	func() runtime.Object { return &resourcebeta.ResourceSlice{} },
	func() runtime.Object { return &storagev1.CSIDriver{} },
	func() runtime.Object { return &storagev1.CSINode{} },
	func() runtime.Object { return &storagev1.CSIStorageCapacity{} },
	func() runtime.Object { return &storagev1.StorageClass{} },
	func() runtime.Object { return &storagev1.VolumeAttachment{} },
}

// filler fills objects at random: text with what JSON escapes and what is no UTF-8, quantities, times, and raw
// JSON, which upstream's own filler leaves empty.
func filler(r *random) *randfill.Filler {
	texts := []string{"", "a", "gpu-0", "ünicode", "<tag>&\u2028", "line\nline", "\"quoted\\\"", "bad\xff\xfebytes", "\u0000",
		"gpu.example.com/model", "é\xc3"}
	text := func(s *string) { *s = texts[r.IntN(len(texts))] + fmt.Sprint(r.IntN(9)) }
	return randfill.NewWithSeed(int64(r.Uint64())).NilChance(0.3).NumElements(0, 3).MaxDepth(14).Funcs(
		func(s *string, _ randfill.Continue) { text(s) },
		func(q *resource.Quantity, _ randfill.Continue) {
			*q = *resource.NewQuantity(int64(r.Uint64()>>r.IntN(64)), []resource.Format{resource.BinarySI, resource.DecimalSI}[r.IntN(2)])
		},
		func(at *metav1.Time, _ randfill.Continue) {
			if r.IntN(5) > 0 {
				*at = metav1.NewTime(time.Unix(int64(r.Uint64()%9e9)-1e9, int64(r.IntN(1e9))))
			}
		},
		func(at *metav1.MicroTime, _ randfill.Continue) {
			if r.IntN(5) > 0 {
				*at = metav1.NewMicroTime(time.Unix(int64(r.Uint64()%9e9), int64(r.IntN(1e9))))
			}
		},
		func(raw *runtime.RawExtension, _ randfill.Continue) {
			raw.Raw = []byte(fmt.Sprintf(`{"kind":"Config","n":%d}`, r.IntN(99)))
		},
		func(fields *metav1.FieldsV1, _ randfill.Continue) { fields.Raw = []byte(`{"f:metadata":{}}`) },
	)
}

// TestObjectsAsProtobuf encodes objects with upstream's two serializers, as an API server does.
func TestObjectsAsProtobuf(t *testing.T) {
	t.Parallel()
	program := os.Getenv(objectsEnv)
	if program == "" {
		t.Fatalf("%s is not set: it must name the program print_objects, which `.ci/test debug` builds", objectsEnv)
	}
	r := newRandom(os.Getenv(seedEnv) + "/objects")
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, policyv1.AddToScheme, resourceapi.AddToScheme, resourcebeta.AddToScheme, storagev1.AddToScheme} {
		if err := add(types); err != nil {
			t.Fatal(err)
		}
	}
	encoder := protobuf.NewSerializer(types, types)
	var questions strings.Builder
	var objects []runtime.Object
	for _, make := range wireObjects {
		for range objectCases * soak.Times() {
			object := make()
			filler(r).Fill(object)
			kinds, _, err := types.ObjectKinds(object)
			if err != nil {
				t.Fatal(err)
			}
			object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
			var wire bytes.Buffer
			if err := encoder.Encode(object, &wire); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			objects = append(objects, object)
			fmt.Fprintf(&questions, "%s %s\n%s %s\n", kinds[0].Kind, hex.EncodeToString(text), kinds[0].Kind, hex.EncodeToString(wire.Bytes()))
		}
	}
	command := exec.CommandContext(t.Context(), program)
	command.Stdin = strings.NewReader(questions.String())
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	answers := bufio.NewReader(bytes.NewReader(out))
	for _, object := range objects {
		ofJSON, first := answers.ReadString('\n')
		ofWire, second := answers.ReadString('\n')
		if first != nil || second != nil {
			t.Fatalf("an answer is missing: %v", io.ErrUnexpectedEOF)
		}
		if ofJSON != ofWire || strings.HasPrefix(ofJSON, "error") {
			at := 0
			for ; at < min(len(ofJSON), len(ofWire)) && ofJSON[at] == ofWire[at]; at++ {
			}
			from := max(0, at-200)
			t.Fatalf("%T\nas JSON:     ...%.400s\nas protobuf: ...%.400s", object, ofJSON[from:], ofWire[from:])
		}
	}
	t.Logf("%d objects", len(objects))
}

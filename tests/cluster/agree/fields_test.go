// This file is about the fields that the plugin decodes: each must exist in k8s.io/api, under that name
// and with that number in protobuf.

package agree_test

import (
	"fmt"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourceapi "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// kinds are upstream's types of what the plugin decodes.
var kinds = map[string]reflect.Type{
	"CSIDriver":             reflect.TypeFor[storagev1.CSIDriver](),
	"CSINode":               reflect.TypeFor[storagev1.CSINode](),
	"CSIStorageCapacity":    reflect.TypeFor[storagev1.CSIStorageCapacity](),
	"ConfigMap":             reflect.TypeFor[corev1.ConfigMap](),
	"DeviceClass":           reflect.TypeFor[resourceapi.DeviceClass](),
	"DeviceTaintRule":       reflect.TypeFor[resourceapi.DeviceTaintRule](),
	"Event":                 reflect.TypeFor[corev1.Event](),
	"Namespace":             reflect.TypeFor[corev1.Namespace](),
	"Node":                  reflect.TypeFor[corev1.Node](),
	"PersistentVolume":      reflect.TypeFor[corev1.PersistentVolume](),
	"PersistentVolumeClaim": reflect.TypeFor[corev1.PersistentVolumeClaim](),
	"Pod":                   reflect.TypeFor[corev1.Pod](),
	"PodDisruptionBudget":   reflect.TypeFor[policyv1.PodDisruptionBudget](),
	"ResourceClaim":         reflect.TypeFor[resourceapi.ResourceClaim](),
	"ResourceClaimTemplate": reflect.TypeFor[resourceapi.ResourceClaimTemplate](),
	"ResourceQuota":         reflect.TypeFor[corev1.ResourceQuota](),
	"ResourceSlice":         reflect.TypeFor[resourceapi.ResourceSlice](),
	"StorageClass":          reflect.TypeFor[storagev1.StorageClass](),
	"VolumeAttachment":      reflect.TypeFor[storagev1.VolumeAttachment](),
}

func TestFieldsAreUpstreams(t *testing.T) {
	t.Parallel()
	text, err := exec.CommandContext(t.Context(), program(t, fieldsEnv)).Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		var path string
		var number int
		if _, err := fmt.Sscanf(line, "%s %d", &path, &number); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if seen[path] {
			t.Errorf("%s is there twice", path)
		}
		seen[path] = true
		steps := strings.Split(path, ".")
		seen[steps[0]] = true
		kind, known := kinds[steps[0]]
		if !known {
			t.Errorf("%s: this test does not know the kind", path)
			continue
		}
		if want, err := numberOf(kind, steps[1:]); err != nil {
			t.Errorf("%s: %v", path, err)
		} else if want != number {
			t.Errorf("%s has number %d upstream, not %d", path, want, number)
		}
	}
	for kind := range kinds {
		if !seen[kind] {
			t.Errorf("no field of %s is decoded", kind)
		}
	}
}

// numberOf walks from a type along the JSON names of fields, through lists, maps and pointers, and
// returns the protobuf number of the last one.
func numberOf(from reflect.Type, path []string) (number int, err error) {
	for _, name := range path {
		for from.Kind() == reflect.Pointer || from.Kind() == reflect.Slice || from.Kind() == reflect.Map {
			from = from.Elem()
		}
		field, found := fieldNamed(from, name)
		if !found {
			return 0, fmt.Errorf("%s has no field %q", from, name)
		}
		_, rest, _ := strings.Cut(field.Tag.Get("protobuf"), ",")
		if _, err := fmt.Sscanf(rest, "%d", &number); err != nil {
			return 0, fmt.Errorf("%s.%s has the tag %q", from, field.Name, field.Tag)
		}
		from = field.Type
	}
	return number, nil
}

// fieldNamed finds a field by its name in JSON, also in what is inlined.
func fieldNamed(structure reflect.Type, name string) (reflect.StructField, bool) {
	if structure.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	for i := range structure.NumField() {
		field := structure.Field(i)
		json, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if json == name {
			return field, true
		}
		if strings.Contains(options, "inline") || json == "" && field.Anonymous {
			if inner, found := fieldNamed(field.Type, name); found {
				return inner, true
			}
		}
	}
	return reflect.StructField{}, false
}

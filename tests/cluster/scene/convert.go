// This file is about writing an object of resource.k8s.io/v1 in the words of an older version.

package scene

import (
	"iter"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Convert rewrites a copy of a v1 object for version. v1beta2 and v1alpha3 differ from v1 in nothing
// that they have. In v1beta1, which has no DeviceTaintRule, the fields of `exactly` stand beside the
// name of the request and those of a device under `basic`.
func Convert(object *unstructured.Unstructured, version string) *unstructured.Unstructured {
	object = object.DeepCopy()
	gvk := object.GroupVersionKind()
	gvk.Version = version
	object.SetGroupVersionKind(gvk)
	if version != "v1beta1" {
		return object
	}
	switch gvk.Kind {
	case "ResourceClaim":
		flattenRequests(object, "spec", "devices", "requests")
	case "ResourceClaimTemplate":
		flattenRequests(object, "spec", "spec", "devices", "requests")
	case "ResourceSlice":
		nestDevices(object)
	}
	return object
}

func flattenRequests(object *unstructured.Unstructured, path ...string) {
	for request := range items(object, path...) {
		exactly, _ := request["exactly"].(map[string]any)
		delete(request, "exactly")
		for field, value := range exactly {
			request[field] = value
		}
	}
}

func nestDevices(object *unstructured.Unstructured) {
	for device := range items(object, "spec", "devices") {
		basic := map[string]any{}
		for field, value := range device {
			if field != "name" {
				basic[field] = value
				delete(device, field)
			}
		}
		device["basic"] = basic
	}
}

// items yields the objects of the list at path, for changing them in place.
func items(object *unstructured.Unstructured, path ...string) iter.Seq[map[string]any] {
	list, _, _ := unstructured.NestedFieldNoCopy(object.Object, path...)
	return func(yield func(map[string]any) bool) {
		values, _ := list.([]any)
		for _, value := range values {
			if fields, ok := value.(map[string]any); ok && !yield(fields) {
				return
			}
		}
	}
}

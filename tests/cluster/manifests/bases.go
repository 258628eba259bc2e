// This file is about the good manifests that others are made of, in every kind and version.

package manifests

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"kubectl-dra/tests/cluster/scene"
)

//go:embed bases/*.yaml
var files embed.FS

//go:embed metadata.yaml
var pastedMetadata []byte

// What the manifests refer to: namespaces, of which only one has the label that permits admin access, and a node.
const (
	PlainNamespace = "plain"
	AdminNamespace = "admin"
	Node           = "node-1"
)

const group = "resource.k8s.io/"

// target is a kind in a version, and the type that it is decoded into.
type target struct {
	kind, apiVersion string
	typ              reflect.Type
}

// targets are all kinds and versions that manifests are made for, the first of each kind in the version in
// which the good ones are written.
var targets = []target{
	{"ResourceClaim", group + "v1", reflect.TypeFor[resourcev1.ResourceClaim]()},
	{"ResourceClaim", group + "v1beta2", reflect.TypeFor[resourcev1beta2.ResourceClaim]()},
	{"ResourceClaim", group + "v1beta1", reflect.TypeFor[resourcev1beta1.ResourceClaim]()},
	{"ResourceClaimTemplate", group + "v1", reflect.TypeFor[resourcev1.ResourceClaimTemplate]()},
	{"ResourceClaimTemplate", group + "v1beta2", reflect.TypeFor[resourcev1beta2.ResourceClaimTemplate]()},
	{"ResourceClaimTemplate", group + "v1beta1", reflect.TypeFor[resourcev1beta1.ResourceClaimTemplate]()},
	{"DeviceClass", group + "v1", reflect.TypeFor[resourcev1.DeviceClass]()},
	{"DeviceClass", group + "v1beta2", reflect.TypeFor[resourcev1beta2.DeviceClass]()},
	{"DeviceClass", group + "v1beta1", reflect.TypeFor[resourcev1beta1.DeviceClass]()},
	{"ResourceSlice", group + "v1", reflect.TypeFor[resourcev1.ResourceSlice]()},
	{"ResourceSlice", group + "v1beta2", reflect.TypeFor[resourcev1beta2.ResourceSlice]()},
	{"ResourceSlice", group + "v1beta1", reflect.TypeFor[resourcev1beta1.ResourceSlice]()},
	{"DeviceTaintRule", group + "v1", reflect.TypeFor[resourcev1.DeviceTaintRule]()},
	{"DeviceTaintRule", group + "v1beta2", reflect.TypeFor[resourcev1beta2.DeviceTaintRule]()},
	{"DeviceTaintRule", group + "v1alpha3", reflect.TypeFor[resourcev1alpha3.DeviceTaintRule]()},
	{"Pod", "v1", reflect.TypeFor[corev1.Pod]()},
	{"Deployment", "apps/v1", reflect.TypeFor[appsv1.Deployment]()},
	{"StatefulSet", "apps/v1", reflect.TypeFor[appsv1.StatefulSet]()},
	{"DaemonSet", "apps/v1", reflect.TypeFor[appsv1.DaemonSet]()},
	{"ReplicaSet", "apps/v1", reflect.TypeFor[appsv1.ReplicaSet]()},
	{"Job", "batch/v1", reflect.TypeFor[batchv1.Job]()},
	{"CronJob", "batch/v1", reflect.TypeFor[batchv1.CronJob]()},
}

// isNamespaced tells whether objects of the kind are in a namespace.
func (t target) isNamespaced() bool {
	return t.kind != "DeviceClass" && t.kind != "ResourceSlice" && t.kind != "DeviceTaintRule"
}

// base is a good manifest.
type base struct {
	target
	name string
	root *node
}

// readBases returns the good manifests of every kind in every version.
func readBases() ([]base, error) {
	objects, err := readWritten()
	if err != nil {
		return nil, err
	}
	var bases []base
	for _, object := range objects {
		more, err := inKindsAndVersions(object)
		if err != nil {
			return nil, err
		}
		bases = append(bases, more...)
	}
	return bases, nil
}

// readWritten returns the good manifests as they are written, and for each kind one whose metadata looks like a
// cluster's.
func readWritten() ([]*unstructured.Unstructured, error) {
	entries, err := files.ReadDir("bases")
	if err != nil {
		return nil, err
	}
	var all []*unstructured.Unstructured
	for _, entry := range entries {
		text, err := files.ReadFile("bases/" + entry.Name())
		if err != nil {
			return nil, err
		}
		objects, err := readObjects(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
		all = append(all, objects...)
		if objects[0].GetAPIVersion() != "v1" {
			pasted, err := pastedLike(objects[0])
			if err != nil {
				return nil, err
			}
			all = append(all, pasted)
		}
	}
	return all, nil
}

// inKindsAndVersions returns the object and what else is made of it, in every version.
func inKindsAndVersions(object *unstructured.Unstructured) ([]base, error) {
	var bases []base
	for _, made := range madeOf(object) {
		more, err := inVersions(made)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", made.GetKind(), made.GetName(), err)
		}
		bases = append(bases, more...)
	}
	return bases, nil
}

// pastedLike returns a copy of the object whose metadata looks like a cluster's.
func pastedLike(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	var metadata map[string]any
	if err := yaml.UnmarshalStrict(pastedMetadata, &metadata); err != nil {
		return nil, err
	}
	if namespace := object.GetNamespace(); namespace != "" {
		metadata["namespace"] = namespace
	}
	object = object.DeepCopy()
	object.Object["metadata"] = metadata
	return object, nil
}

func readObjects(text []byte) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		object := &unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict(document, &object.Object); err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
}

// inVersions returns the object in each version that its kind has.
func inVersions(original *unstructured.Unstructured) ([]base, error) {
	var bases []base
	for _, t := range targets {
		if t.kind != original.GetKind() {
			continue
		}
		object := original
		if version, isOurs := bytes.CutPrefix([]byte(t.apiVersion), []byte(group)); isOurs {
			object = scene.Convert(original, string(version))
		}
		text, err := json.Marshal(object.Object)
		if err != nil {
			return nil, err
		}
		root, err := parse(text)
		if err != nil {
			return nil, err
		}
		bases = append(bases, base{t, object.GetName(), root})
	}
	return bases, nil
}

// madeOf returns the object and what else is made of it: templates of claims, workloads of pods.
func madeOf(object *unstructured.Unstructured) []*unstructured.Unstructured {
	made := []*unstructured.Unstructured{object}
	switch object.GetKind() {
	case "ResourceClaim":
		made = append(made, templateOf(object))
	case "Pod":
		for _, t := range targets {
			if w := workloadOf(object, t); w != nil {
				made = append(made, w)
			}
		}
	}
	return made
}

// templateOf returns a template for a claim. Claims are given labels and annotations by it, and nothing else of metadata.
func templateOf(claim *unstructured.Unstructured) *unstructured.Unstructured {
	claim = claim.DeepCopy()
	inner := map[string]any{"spec": claim.Object["spec"]}
	if labels := claim.GetLabels(); len(labels) > 0 {
		metadata := claim.DeepCopy().Object["metadata"].(map[string]any)
		inner["metadata"] = map[string]any{"labels": metadata["labels"], "annotations": metadata["annotations"]}
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": claim.GetAPIVersion(), "kind": "ResourceClaimTemplate", "metadata": claim.Object["metadata"], "spec": inner,
	}}
}

// workloadOf returns a workload of pods that are like this one, or nil if the workload wants others: Jobs want pods
// that end, the others such as go on.
func workloadOf(pod *unstructured.Unstructured, t target) *unstructured.Unstructured {
	pod = pod.DeepCopy()
	policy, _, _ := unstructured.NestedString(pod.Object, "spec", "restartPolicy")
	template := map[string]any{
		"metadata": map[string]any{"labels": pod.Object["metadata"].(map[string]any)["labels"]},
		"spec":     pod.Object["spec"],
	}
	metadata := map[string]any{"name": pod.GetName(), "namespace": pod.GetNamespace()}
	spec := map[string]any{"template": template}
	switch {
	case t.kind == "CronJob" && policy == "Never":
		spec = map[string]any{"schedule": "0 3 * * *", "jobTemplate": map[string]any{"spec": spec}}
	case t.kind == "Job" && policy == "Never":
	case t.apiVersion == "apps/v1" && policy == "Always":
		spec["selector"] = map[string]any{"matchLabels": pod.Object["metadata"].(map[string]any)["labels"]}
		if t.kind == "StatefulSet" {
			spec["serviceName"] = pod.GetName()
		}
	default:
		return nil
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": t.apiVersion, "kind": t.kind, "metadata": metadata, "spec": spec,
	}}
}

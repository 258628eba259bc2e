// This file is about bringing a frozen plane into the state of a scene, and clearing it again.

package scene

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Loaded is what became of a scene.
type Loaded struct {
	Objects []*Object
	Skipped []*unstructured.Unstructured // of kinds that the server does not serve
}

// Object is an object of a scene that the server holds.
type Object struct {
	// Want is what the server should hold: the scene's object in the version that the server serves,
	// in its namespace, with the server's uids, without metadata that only a server can set.
	Want *unstructured.Unstructured
	// Client reads and writes objects of this kind and namespace.
	Client dynamic.ResourceInterface

	served  resource
	delete  bool
	created *unstructured.Unstructured // as the server returned it last
}

type loader struct {
	client dynamic.Interface
	kinds  served
	uids   map[types.UID]types.UID // of the scene to those of the server
	loaded *Loaded
}

// Load brings the plane that config leads to into the state of the scene. Nothing else may write to
// it meanwhile: statuses are written after all objects exist, as they refer to each other by uid. A
// uid that no object of the scene has stays as it is; such references are stale, as stale ones may be
// what the scene is about. After an error, what was loaded so far is returned with it.
func (s *Scene) Load(ctx context.Context, config *rest.Config) (*Loaded, error) {
	kinds, err := discover(config)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	l := &loader{client: client, kinds: kinds, uids: map[types.UID]types.UID{}, loaded: &Loaded{}}
	for _, object := range s.Objects {
		if err := l.create(ctx, object); err != nil {
			return l.loaded, err
		}
	}
	for _, step := range []func(context.Context, *Object) error{l.writeStatus, l.markDeleted} {
		for _, object := range l.loaded.Objects {
			if err := step(ctx, object); err != nil {
				return l.loaded, err
			}
		}
	}
	return l.loaded, nil
}

func (l *loader) create(ctx context.Context, original *unstructured.Unstructured) error {
	want, served := l.kinds.accept(original)
	if want == nil {
		l.loaded.Skipped = append(l.loaded.Skipped, original)
		return nil
	}
	uid := want.GetUID()
	object := &Object{
		Want:   want,
		served: served,
		delete: want.GetDeletionTimestamp() != nil,
		Client: l.client.Resource(served.GroupVersionResource),
	}
	for _, field := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "managedFields", "selfLink"} {
		unstructured.RemoveNestedField(want.Object, "metadata", field)
	}
	replaceUIDs(want.Object, l.uids)
	if want.GetKind() == "Namespace" {
		return l.createNamespace(ctx, want)
	}
	if served.namespaced {
		if want.GetNamespace() == "" {
			want.SetNamespace(metav1.NamespaceDefault)
		}
		if err := l.createNamespace(ctx, newNamespace(want.GetNamespace())); err != nil {
			return err
		}
		object.Client = l.client.Resource(served.GroupVersionResource).Namespace(want.GetNamespace())
	}
	created, err := object.Client.Create(ctx, want, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if err != nil {
		return fmt.Errorf("create %s: %w", describe(want), err)
	}
	object.created = created
	if uid != "" {
		l.uids[uid] = created.GetUID()
	}
	l.loaded.Objects = append(l.loaded.Objects, object)
	if want.GetKind() == "Node" {
		return object.restoreTaints(ctx)
	}
	return nil
}

// createNamespace makes sure that a namespace exists and has these labels. It is not part of what was
// loaded: a frozen plane has nobody to remove a namespace.
func (l *loader) createNamespace(ctx context.Context, namespace *unstructured.Unstructured) error {
	client := l.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	_, err := client.Create(ctx, namespace, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) && len(namespace.GetLabels()) > 0 {
		// Applied, not updated: what other scenes gave it stays.
		_, err = client.Apply(ctx, namespace.GetName(), namespace, metav1.ApplyOptions{FieldManager: "scene", Force: true})
	}
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create %s: %w", describe(namespace), err)
	}
	return nil
}

func newNamespace(name string) *unstructured.Unstructured {
	namespace := &unstructured.Unstructured{}
	namespace.SetAPIVersion("v1")
	namespace.SetKind("Namespace")
	namespace.SetName(name)
	return namespace
}

// restoreTaints undoes what admission did to a new node: it gets the taint node.kubernetes.io/not-ready,
// which a controller takes away when the kubelet reports.
func (o *Object) restoreTaints(ctx context.Context) error {
	taints, found, err := unstructured.NestedSlice(o.Want.Object, "spec", "taints")
	if err != nil {
		return fmt.Errorf("%s: %w", describe(o.Want), err)
	}
	if found {
		err = unstructured.SetNestedSlice(o.created.Object, taints, "spec", "taints")
	} else {
		unstructured.RemoveNestedField(o.created.Object, "spec", "taints")
	}
	if err == nil {
		o.created, err = o.Client.Update(ctx, o.created, metav1.UpdateOptions{})
	}
	if err != nil {
		return fmt.Errorf("restore the taints of %s: %w", describe(o.Want), err)
	}
	return nil
}

// writeStatus writes the parts of the status that the scene has. The others stay as the server made
// them: it reports by itself, for instance, that a pod has scheduling gates.
func (l *loader) writeStatus(ctx context.Context, object *Object) error {
	replaceUIDs(object.Want.Object, l.uids)
	status, _, err := unstructured.NestedMap(object.Want.Object, "status")
	if err != nil {
		return fmt.Errorf("%s: %w", describe(object.Want), err)
	}
	if len(status) == 0 || !object.served.status {
		return nil
	}
	for field, value := range status {
		if err := unstructured.SetNestedField(object.created.Object, value, "status", field); err != nil {
			return fmt.Errorf("%s: %w", describe(object.Want), err)
		}
	}
	options := metav1.UpdateOptions{FieldValidation: metav1.FieldValidationStrict}
	if object.created, err = object.Client.UpdateStatus(ctx, object.created, options); err != nil {
		return fmt.Errorf("write the status of %s: %w", describe(object.Want), err)
	}
	return nil
}

// markDeleted deletes what the scene shows as being deleted. Its finalizer, or for a pod the kubelet
// that would have to confirm, keeps it.
func (l *loader) markDeleted(ctx context.Context, object *Object) error {
	if !object.delete {
		return nil
	}
	name := object.Want.GetName()
	if err := object.Client.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return fmt.Errorf("delete %s: %w", describe(object.Want), err)
	}
	if _, err := object.Client.Get(ctx, name, metav1.GetOptions{}); err != nil {
		return fmt.Errorf("%s should be kept while being deleted: %w", describe(object.Want), err)
	}
	return nil
}

// replaceUIDs follows every reference by uid, in owner references, reservations and events alike.
func replaceUIDs(value any, uids map[types.UID]types.UID) {
	switch value := value.(type) {
	case map[string]any:
		if uid, ok := value["uid"].(string); ok {
			if replacement, known := uids[types.UID(uid)]; known {
				value["uid"] = string(replacement)
			}
		}
		for _, field := range value {
			replaceUIDs(field, uids)
		}
	case []any:
		for _, item := range value {
			replaceUIDs(item, uids)
		}
	}
}

// Remove takes everything but the namespaces away again, whatever finalizers say, for another scene
// to be loaded. The plane must still be frozen.
func (l *Loaded) Remove(ctx context.Context) error {
	var errs []error
	for _, object := range slices.Backward(l.Objects) {
		if err := object.remove(ctx); err != nil && !apierrors.IsNotFound(err) {
			errs = append(errs, fmt.Errorf("remove %s: %w", describe(object.Want), err))
		}
	}
	return errors.Join(errs...)
}

func (o *Object) remove(ctx context.Context) error {
	name := o.Want.GetName()
	if len(o.Want.GetFinalizers()) > 0 {
		patch := []byte(`{"metadata":{"finalizers":null}}`)
		if _, err := o.Client.Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return err
		}
	}
	now := int64(0)
	return o.Client.Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &now})
}

// String counts what was loaded and what was not, by kind.
func (l *Loaded) String() string {
	kinds := map[string]int{}
	for _, object := range l.Objects {
		kinds[object.Want.GetKind()]++
	}
	for _, object := range l.Skipped {
		kinds[object.GetKind()+" (not served)"]++
	}
	var counts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		counts = append(counts, fmt.Sprintf("%d %s", kinds[kind], kind))
	}
	return strings.Join(counts, ", ")
}

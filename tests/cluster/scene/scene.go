// Package scene loads the state of a cluster from YAML into a control plane.
//
// A scene is written as `kubectl get -o yaml` would print it: objects with uids, statuses and
// deletion timestamps that no server accepts from a client. Load brings a frozen plane into that
// state by the ways that a server does accept.
package scene

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Scene is the objects of one or more files, in an order in which they can be created.
type Scene struct {
	Objects []*unstructured.Unstructured
}

// Read reads scene files as one scene. Files may share an object if they agree about it.
func Read(paths ...string) (*Scene, error) {
	s := &Scene{}
	for _, path := range paths {
		objects, err := readFile(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, object := range objects {
			other := s.find(object)
			if other == nil {
				s.Objects = append(s.Objects, object)
			} else if !reflect.DeepEqual(other.Object, object.Object) {
				return nil, fmt.Errorf("%s: %s: there is another one of that name with other contents", path, describe(object))
			}
		}
	}
	slices.SortStableFunc(s.Objects, func(a, b *unstructured.Unstructured) int {
		return cmp.Compare(rank(a), rank(b))
	})
	return s, nil
}

// Find returns the object of that kind and name, or nil.
func (s *Scene) Find(kind, namespace, name string) *unstructured.Unstructured {
	for _, object := range s.Objects {
		if object.GetKind() == kind && object.GetNamespace() == namespace && object.GetName() == name {
			return object
		}
	}
	return nil
}

func (s *Scene) find(like *unstructured.Unstructured) *unstructured.Unstructured {
	return s.Find(like.GetKind(), like.GetNamespace(), like.GetName())
}

// rank orders objects so that owners come before what they own, which names them by uid, and what
// events are about comes before the events.
func rank(object *unstructured.Unstructured) int {
	switch object.GetKind() {
	case "Namespace":
		return 0
	case "Node":
		return 1
	case "Deployment", "CronJob":
		return 3
	case "ReplicaSet", "Job", "StatefulSet", "DaemonSet":
		return 4
	case "Pod":
		return 5
	case "ResourceClaim":
		return 6
	case "Event":
		return 7
	}
	return 2
}

func readFile(path string) ([]*unstructured.Unstructured, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for number := 1; ; number++ {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		json, err := yaml.YAMLToJSONStrict(document)
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", number, err)
		}
		if bytes.Equal(bytes.TrimSpace(json), []byte("null")) {
			continue // only comments
		}
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(json); err != nil {
			return nil, fmt.Errorf("document %d: %w", number, err)
		}
		objects = append(objects, object)
	}
}

func describe(object *unstructured.Unstructured) string {
	name := object.GetName()
	if namespace := object.GetNamespace(); namespace != "" {
		name = namespace + "/" + name
	}
	return object.GetKind() + " " + name
}

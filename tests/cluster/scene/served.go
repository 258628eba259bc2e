// This file is about what the API server serves, and in which version an object can be given to it.

package scene

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

const resourceGroup = "resource.k8s.io"

// versions of resourceGroup, the best first. No version lacks a field that an earlier one has.
var versions = []string{"v1", "v1beta2", "v1beta1", "v1alpha3"}

// resource is how the server serves a kind.
type resource struct {
	schema.GroupVersionResource
	namespaced bool
	status     bool // is a subresource
}

type served map[schema.GroupVersionKind]resource

func discover(config *rest.Config) (served, error) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	_, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return nil, fmt.Errorf("discovery: %w", err)
	}
	kinds := served{}
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, err
		}
		kinds.add(version, list.APIResources)
	}
	return kinds, nil
}

func (s served) add(version schema.GroupVersion, resources []metav1.APIResource) {
	withStatus := map[string]bool{}
	for _, r := range resources {
		if name, found := strings.CutSuffix(r.Name, "/status"); found {
			withStatus[name] = true
		}
	}
	for _, r := range resources {
		if !strings.Contains(r.Name, "/") {
			s[version.WithKind(r.Kind)] = resource{version.WithResource(r.Name), r.Namespaced, withStatus[r.Name]}
		}
	}
}

// accept returns the object in a version that is served, or nil if its kind is not.
func (s served) accept(object *unstructured.Unstructured) (*unstructured.Unstructured, resource) {
	gvk := object.GroupVersionKind()
	if r, found := s[gvk]; found {
		return object.DeepCopy(), r
	}
	if gvk.Group != resourceGroup || gvk.Version != "v1" {
		return nil, resource{}
	}
	for _, version := range versions {
		gvk.Version = version
		if r, found := s[gvk]; found {
			return Convert(object, version), r
		}
	}
	return nil, resource{}
}

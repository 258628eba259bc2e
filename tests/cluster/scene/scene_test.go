// These tests load the fixtures into real API servers and ask whether they hold what the files say.

package scene_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

func fixture(name string) string { return filepath.Join("..", "..", "fixtures", name) }

func TestEveryFixtureLoads(t *testing.T) {
	for _, serve := range []harness.Serve{harness.V1, harness.V1beta2, harness.V1beta1} {
		t.Run(string(serve), func(t *testing.T) {
			t.Parallel()
			plane := harness.ForTest(t, harness.Options{Serve: serve})
			for _, name := range scene.Good {
				t.Run(name, func(t *testing.T) { loads(t, plane, serve, name) })
			}
		})
	}
}

// loads loads one fixture, compares what the server holds with what the file says, and clears the
// server for the next one.
func loads(t *testing.T, plane *harness.Plane, serve harness.Serve, name string) {
	state, err := scene.Read(fixture(name))
	if err != nil {
		t.Fatal(err)
	}
	config, err := plane.RESTConfig(harness.Admin)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := state.Load(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range loaded.Objects {
		want := object.Want
		got, err := object.Client.Get(t.Context(), want.GetName(), metav1.GetOptions{})
		if err != nil {
			t.Errorf("%s %s: %v", want.GetKind(), want.GetName(), err)
			continue
		}
		for _, difference := range missing(want.Object, got.Object, want.GetKind()+" "+want.GetName()) {
			t.Error(difference)
		}
		if want.GetKind() == "Node" && field(want.Object, "spec", "taints") == nil && field(got.Object, "spec", "taints") != nil {
			t.Errorf("Node %s has the taints %v", want.GetName(), field(got.Object, "spec", "taints"))
		}
		inFile := state.Find(want.GetKind(), want.GetNamespace(), want.GetName())
		if inFile == nil {
			inFile = state.Find(want.GetKind(), "", want.GetName()) // without a namespace it means default
		}
		if (inFile.GetDeletionTimestamp() != nil) != (got.GetDeletionTimestamp() != nil) {
			t.Errorf("%s %s: being deleted in the file: %v, on the server: %v", want.GetKind(), want.GetName(),
				inFile.GetDeletionTimestamp(), got.GetDeletionTimestamp())
		}
	}
	for _, object := range loaded.Skipped {
		kind := object.GetKind()
		if !strings.HasPrefix(kind, "Compute") && (kind != "DeviceTaintRule" || serve != harness.V1beta1) {
			t.Errorf("%s %s was skipped", kind, object.GetName())
		}
	}
	if err := loaded.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// missing says what of want is not in got. The server may add fields: defaults, and its own metadata.
func missing(want, got any, path string) []string {
	switch want := want.(type) {
	case map[string]any:
		var differences []string
		fields, _ := got.(map[string]any)
		for name, value := range want {
			differences = append(differences, missing(value, fields[name], path+"."+name)...)
		}
		slices.Sort(differences)
		return differences
	case []any:
		items, _ := got.([]any)
		// Admission appends to the tolerations of every pod.
		more := strings.HasPrefix(path, "Pod ") && strings.HasSuffix(path, ".spec.tolerations")
		if len(items) < len(want) || len(items) > len(want) && !more {
			return []string{fmt.Sprintf("%s: want %d items, got %d", path, len(want), len(items))}
		}
		var differences []string
		for i, item := range want {
			differences = append(differences, missing(item, items[i], fmt.Sprintf("%s[%d]", path, i))...)
		}
		return differences
	}
	if reflect.DeepEqual(want, got) || sameQuantity(want, got) || isZero(want) && got == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s: want %v, got %v", path, want, got)}
}

// sameQuantity knows that a server writes 1000m as 1.
func sameQuantity(want, got any) bool {
	a, err := resource.ParseQuantity(fmt.Sprint(want))
	if err != nil {
		return false
	}
	b, err := resource.ParseQuantity(fmt.Sprint(got))
	return err == nil && a.Cmp(b) == 0
}

// isZero knows that a server omits what is empty.
func isZero(value any) bool {
	return value == nil || reflect.ValueOf(value).IsZero()
}

func TestUIDsAreTheServers(t *testing.T) {
	t.Parallel()
	plane := harness.ForTest(t, harness.Options{Serve: harness.All})
	config, err := plane.RESTConfig(harness.Admin)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"claims.yaml", "pods-pending.yaml"} {
		state, err := scene.Read(fixture(name))
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := state.Load(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		checkReferences(t, loaded)
		if err := loaded.Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// checkReferences follows what is owned, reserved and reported on from one object to another.
func checkReferences(t *testing.T, loaded *scene.Loaded) {
	t.Helper()
	uids := map[string]any{} // by kind and name
	var objects []map[string]any
	for _, object := range loaded.Objects {
		got, err := object.Client.Get(t.Context(), object.Want.GetName(), metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		uids[got.GetKind()+" "+got.GetName()] = string(got.GetUID())
		objects = append(objects, got.Object)
	}
	count := 0
	for _, object := range objects {
		references := list(object, "metadata", "ownerReferences")
		for _, consumer := range list(object, "status", "reservedFor") {
			consumer.(map[string]any)["kind"] = "Pod"
			references = append(references, consumer)
		}
		if about, ok := object["involvedObject"].(map[string]any); ok && about["uid"] != nil {
			references = append(references, about)
		}
		for _, reference := range references {
			r := reference.(map[string]any)
			uid, stale := uids[fmt.Sprint(r["kind"], " ", r["name"])], r["name"] == "share-gone"
			if stale != (uid == nil) || !stale && uid != r["uid"] {
				t.Errorf("%v refers to %v, whose uid is %v", field(object, "metadata", "name"), r, uid)
			}
			count++
		}
	}
	if count < 10 {
		t.Errorf("only %d references", count)
	}
}

// field returns what is at path, or nil.
func field(object map[string]any, path ...string) any {
	value, _, _ := unstructured.NestedFieldNoCopy(object, path...)
	return value
}

func list(object map[string]any, path ...string) []any {
	items, _ := field(object, path...).([]any)
	return items
}

func TestFilesMustAgree(t *testing.T) {
	claims, taints := fixture("claims.yaml"), fixture("device-taints.yaml")
	once, err := scene.Read(claims)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := scene.Read(claims, claims)
	if err != nil {
		t.Fatal(err)
	}
	if len(twice.Objects) != len(once.Objects) {
		t.Errorf("reading a file twice: %d objects instead of %d", len(twice.Objects), len(once.Objects))
	}
	if _, err := scene.Read(claims, taints); err == nil || !strings.Contains(err.Error(), "DeviceClass gpu.nvidia.com") {
		t.Errorf("two files with different classes gpu.nvidia.com: %v", err)
	}
}

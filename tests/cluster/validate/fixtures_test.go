// This file is about what is right, of which nothing may be said but hints.

package validate_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"kubectl-dra/tests/cluster/scene"
)

// intended are the fixtures with mistakes that a server accepts, and what is said of these above a hint.
var intended = map[string][]string{"pods-pending.yaml": {"SelectorPathUnknown"}}

func TestGoodFixtures(t *testing.T) {
	t.Parallel()
	for _, name := range scene.Good {
		for _, version := range []string{"v1", "v1beta2", "v1beta1"} {
			t.Run(name+" as "+version, func(t *testing.T) {
				dir := t.TempDir()
				writeFixture(t, name, version, filepath.Join(dir, name))
				for _, findings := range runPlugin(t, dir, "") {
					for _, f := range findings {
						off := f.Code == "VersionNotServed" && version != "v1"
						if f.Severity != "hint" && !off && !slices.Contains(intended[name], f.Code) {
							t.Errorf("%s: %s at %s: %s", f.Severity, f.Code, f.Path, f.Message)
						}
					}
				}
			})
		}
	}
}

// writeFixture writes a fixture in the words of an older version, where its kinds have that.
func writeFixture(t *testing.T, name, version, to string) {
	t.Helper()
	state, err := scene.Read(filepath.Join("..", "..", "fixtures", name))
	if err != nil {
		t.Fatal(err)
	}
	var documents []string
	for _, object := range state.Objects {
		if isOurs(object) && (object.GetKind() != "DeviceTaintRule" || version != "v1beta1") {
			object = scene.Convert(object, version)
		}
		text, err := yaml.Marshal(object.Object)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, string(text))
	}
	if err := os.WriteFile(to, []byte(strings.Join(documents, "---\n")), 0o600); err != nil {
		t.Fatal(err)
	}
}

func isOurs(object *unstructured.Unstructured) bool {
	return strings.HasPrefix(object.GetAPIVersion(), "resource.k8s.io/")
}

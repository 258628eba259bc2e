// This file is about what becomes of older versions: convert must say what the API server's own conversion says.

package validate_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	"sigs.k8s.io/yaml"

	"kubectl-dra/tests/cluster/manifests"
)

// leastConverted is how many manifests must be converted, or this test says little.
const leastConverted = 1000

// TestConvertsAsTheServerDoes compares, for generated manifests of older versions that can be decoded, the object that
// upstream makes of the text with the one that it makes of what convert prints.
func TestConvertsAsTheServerDoes(t *testing.T) {
	t.Parallel()
	same, drawn := generate(t)
	dir := t.TempDir()
	var asked []*manifests.Manifest
	var wanted []runtime.Object
	for _, m := range append(same, drawn...) {
		if !strings.HasPrefix(m.APIVersion, resource.GroupName) || m.Version() == "v1" {
			continue
		}
		want, err := internal([]byte(m.Text))
		if err != nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%06d.yaml", len(asked))), []byte(m.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		asked, wanted = append(asked, m), append(wanted, want)
	}
	t.Logf("%d manifests converted", len(asked))
	if len(asked) < leastConverted {
		t.Errorf("only %d manifests were converted", len(asked))
	}
	printed := convert(t, dir)
	if len(printed) != len(asked) {
		t.Fatalf("%d documents for %d files", len(printed), len(asked))
	}
	for i, m := range asked {
		expectConverted(t, m, printed[i], wanted[i])
	}
}

// convert returns what becomes of each file, in the order of their names.
func convert(t *testing.T, dir string) []string {
	t.Helper()
	command := exec.Command(os.Getenv("KUBECTL_DRA_BINARY"), "convert", "-f", dir)
	var said bytes.Buffer
	command.Stderr = &said
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &said)
	}
	return strings.Split(string(printed), "\n---\n")
}

func expectConverted(t *testing.T, m *manifests.Manifest, printed string, want runtime.Object) {
	t.Helper()
	got, err := internal([]byte(printed))
	switch {
	case err != nil:
		t.Errorf("%s: %v\n%s\nbecame\n%s", m.Changes, err, m.Text, printed)
	case !equality.Semantic.DeepEqual(got, want):
		t.Errorf("%s: another object\n%s\nbecame\n%s", m.Changes, m.Text, printed)
	case !strings.Contains(printed, resource.GroupName+"/v1\n"):
		t.Errorf("%s: it is not in v1\n%s", m.Changes, printed)
	}
}

// strictly refuses unknown fields, which are lost on the way.
var strictly = kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, legacyscheme.Scheme, legacyscheme.Scheme,
	kjson.SerializerOptions{Strict: true})

// internal is the object as the API server holds it, without defaults: they are not what is converted.
func internal(text []byte) (runtime.Object, error) {
	asJSON, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, err
	}
	object, _, err := strictly.Decode(asJSON, nil, nil)
	if err != nil {
		return nil, err
	}
	return legacyscheme.Scheme.ConvertToVersion(object, schema.GroupVersion{Group: resource.GroupName, Version: runtime.APIVersionInternal})
}

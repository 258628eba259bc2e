// This file is about src/api/schema_table.inc: the fields of upstream's types, as the plugin holds them.

package manifests

import (
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const (
	tablePath   = "../../../src/api/schema_table.inc"
	updateEnv   = "UPDATE_GENERATED"
	howToUpdate = updateEnv + "=1 go -C tests test -run TestSchemaTable ./differential/manifests"
	lineLength  = 100
)

// groups are the packages whose kinds are in the table, and which of them; none means all.
var groups = []struct {
	add   func(*runtime.Scheme) error
	kinds []string
}{
	{resourcev1.AddToScheme, nil},
	{resourcev1beta2.AddToScheme, nil},
	{resourcev1beta1.AddToScheme, nil},
	{resourcev1alpha3.AddToScheme, nil},
	{corev1.AddToScheme, []string{"Pod", "PodTemplate"}},
	{appsv1.AddToScheme, []string{"DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"}},
	{batchv1.AddToScheme, []string{"CronJob", "Job"}},
}

// opaque are the types that decode themselves, and what the table calls them.
var opaque = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():    "Quantity",
	reflect.TypeFor[metav1.Time]():          "Timestamp",
	reflect.TypeFor[intstr.IntOrString]():   "IntOrString",
	reflect.TypeFor[runtime.RawExtension](): "Any",
	reflect.TypeFor[metav1.FieldsV1]():      "Any",
}

var (
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// plain are the kinds that Go's decoder knows. Types with others would have to be taught to the plugin first.
var plain = map[reflect.Kind]string{
	reflect.String: "String", reflect.Bool: "Bool", reflect.Int32: "Int32", reflect.Int64: "Int64",
}

// served is a kind in one version.
type served struct {
	apiVersion, kind string
	structure        reflect.Type
}

func servedKinds(t *testing.T) []served {
	var all []served
	for _, group := range groups {
		scheme := runtime.NewScheme()
		if err := group.add(scheme); err != nil {
			t.Fatal(err)
		}
		for kind, structure := range scheme.AllKnownTypes() {
			foreign := !strings.HasPrefix(structure.PkgPath(), "k8s.io/api/")
			list := strings.HasSuffix(kind.Kind, "List") || strings.HasSuffix(kind.Kind, "Options")
			if kind.Version == runtime.APIVersionInternal || foreign || list {
				continue
			}
			if group.kinds == nil || slices.Contains(group.kinds, kind.Kind) {
				all = append(all, served{apiVersionOf(kind), kind.Kind, structure})
			}
		}
	}
	slices.SortFunc(all, func(a, b served) int {
		return strings.Compare(a.apiVersion+" "+a.kind, b.apiVersion+" "+b.kind)
	})
	return all
}

func apiVersionOf(kind schema.GroupVersionKind) string { return kind.GroupVersion().String() }

// field is one member of a structure, in the name of JSON.
type field struct {
	name  string
	value reflect.Type
}

// fieldsOf are the fields that encoding/json finds, those of embedded structures among them.
func fieldsOf(t *testing.T, structure reflect.Type) []field {
	var fields []field
	for i := range structure.NumField() {
		member := structure.Field(i)
		name, options, _ := strings.Cut(member.Tag.Get("json"), ",")
		switch {
		case name == "-" || !member.IsExported():
		case name == "" && member.Anonymous:
			fields = append(fields, fieldsOf(t, member.Type)...)
		case name == "" || strings.Contains(options, "string"):
			t.Fatalf("%s.%s: what does the tag %q mean?", structure, member.Name, member.Tag)
		default:
			fields = append(fields, field{name, member.Type})
		}
	}
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	for i := range fields {
		if i > 0 && fields[i].name == fields[i-1].name {
			t.Fatalf("%s has the field %q twice", structure, fields[i].name)
		}
	}
	return fields
}

// table collects the structures that values hold, which are referred to by their numbers.
type table struct {
	t      *testing.T
	types  []reflect.Type
	number map[reflect.Type]int
}

// typeNumber is a structure's place in the table.
func (b *table) typeNumber(structure reflect.Type) int {
	if number, seen := b.number[structure]; seen {
		return number
	}
	b.number[structure] = len(b.types)
	b.types = append(b.types, structure)
	return b.number[structure]
}

// single is what a value is that holds no others of its kind, and the number of its structure.
func (b *table) single(value reflect.Type) (kind string, number int) {
	for value.Kind() == reflect.Pointer { // says only that the value may be left out
		value = value.Elem()
	}
	switch {
	case opaque[value] != "":
		return opaque[value], 0
	case reflect.PointerTo(value).Implements(unmarshaler) || reflect.PointerTo(value).Implements(textUnmarshaler):
		b.t.Fatalf("%s decodes itself: the plugin must learn how", value)
	case value.Kind() == reflect.Struct:
		return "Object", b.typeNumber(value)
	case plain[value.Kind()] == "":
		b.t.Fatalf("%s: the plugin does not know values of this kind", value)
	}
	return plain[value.Kind()], 0
}

// valueText is what a field may hold.
func (b *table) valueText(value reflect.Type) string {
	for value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	container := ""
	switch {
	case value.Kind() == reflect.Map && value.Key().Kind() == reflect.String:
		container = "Map"
	case value.Kind() == reflect.Slice && value.Elem().Kind() != reflect.Uint8:
		container = "List"
	}
	if container != "" {
		kind, number := b.single(value.Elem())
		return fmt.Sprintf("{%s, %d, %s}", container, number, kind)
	}
	if kind, number := b.single(value); kind == "Object" {
		return fmt.Sprintf("{%s, %d}", kind, number)
	} else {
		return fmt.Sprintf("{%s}", kind)
	}
}

// wrapped joins entries of an array in lines that are not too long.
func wrapped(entries []string) string {
	var text strings.Builder
	length := 0
	for _, entry := range entries {
		if length > 0 && length+len(entry)+2 > lineLength {
			text.WriteString("\n")
			length = 0
		}
		if length > 0 {
			text.WriteString(" ")
		}
		text.WriteString(entry + ",")
		length += len(entry) + 2
	}
	return text.String()
}

// openAPI is what the API server's OpenAPI document says of each type.
type openAPI map[string]struct{ Required []string }

// readOpenAPI reads the document in the module of Kubernetes, which the server of that release serves.
func readOpenAPI(t *testing.T) openAPI {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "api", "openapi-spec", "swagger.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document struct{ Definitions openAPI }
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return document.Definitions
}

// requires tells whether objects of the type must have the field. A type that the document does not have is of an API
// that no server serves.
func (a openAPI) requires(structure reflect.Type, field string) bool {
	name := "io.k8s." + strings.TrimPrefix(structure.PkgPath(), "k8s.io/") + "." + structure.Name()
	return slices.Contains(a[strings.ReplaceAll(name, "/", ".")].Required, field)
}

// schemaTable is the text of the table.
func schemaTable(t *testing.T) string {
	b := &table{t: t, number: map[reflect.Type]int{}}
	kinds, api := servedKinds(t), readOpenAPI(t)
	var rows []string
	for _, kind := range kinds {
		rows = append(rows, fmt.Sprintf("{%q, %q, %d}", kind.apiVersion, kind.kind, b.typeNumber(kind.structure)))
	}
	var types, fields strings.Builder
	count := 0
	for i := 0; i < len(b.types); i++ {
		var entries []string
		for _, member := range fieldsOf(t, b.types[i]) {
			entry := fmt.Sprintf("%q, %s", member.name, b.valueText(member.value))
			pointer, required := member.value.Kind() == reflect.Pointer, api.requires(b.types[i], member.name)
			if pointer || required {
				entry += fmt.Sprintf(", %t", pointer)
			}
			if required {
				entry += ", true"
			}
			entries = append(entries, "{"+entry+"}")
		}
		name := nameOf(b.types[i])
		fmt.Fprintf(&types, "{%q, %d, %d},\n", name, count, len(entries))
		fmt.Fprintf(&fields, "// %d %s\n%s\n", i, name, wrapped(entries))
		count += len(entries)
	}
	return fmt.Sprintf(`// src/api/schema_table.inc: see schema.cpp. The types of k8s.io/api, made from them; when they have changed:
//   %s

constexpr SchemaKind kKinds[] = {
%s
};

constexpr SchemaType kTypes[] = {
%s};

constexpr SchemaField kFields[] = {
%s};
`, howToUpdate, strings.Join(rows, ",\n")+",", types.String(), strings.ReplaceAll(fields.String(), "\n\n", "\n"))
}

// nameOf is "resource/v1.Device" for k8s.io/api/resource/v1.Device.
func nameOf(structure reflect.Type) string {
	group, version := path.Split(structure.PkgPath())
	return path.Base(group) + "/" + version + "." + structure.Name()
}

func TestSchemaTable(t *testing.T) {
	want := schemaTable(t)
	if os.Getenv(updateEnv) != "" {
		if err := os.WriteFile(tablePath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(tablePath)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("src/api/schema_table.inc is not what k8s.io/api says; to write it anew:\n  %s", howToUpdate)
	}
}

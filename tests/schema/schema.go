// Package schema holds reports to the JSON Schemas that the program prints for them.
package schema

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"
)

const (
	binaryEnv  = "KUBECTL_DRA_BINARY"
	apiVersion = "dra.kubectl/v1"
)

// Schemas are those of all kinds of reports.
type Schemas map[string]*jsonschema.Schema

// ForTest asks the program that is tested for its schemas, once.
func ForTest(t testing.TB) Schemas {
	t.Helper()
	schemas, err := printed()
	if err != nil {
		t.Fatal(err)
	}
	return schemas
}

var printed = sync.OnceValues(func() (Schemas, error) {
	list, err := ask()
	if err != nil {
		return nil, err
	}
	schemas := Schemas{}
	for _, line := range strings.Split(strings.TrimSpace(list), "\n")[1:] {
		kind := strings.Fields(line)[0]
		text, err := ask(kind)
		if err != nil {
			return nil, err
		}
		if schemas[kind], err = compile(kind, text); err != nil {
			return nil, err
		}
	}
	return schemas, nil
})

// ask is `kubectl dra schema`.
func ask(args ...string) (string, error) {
	printed, err := exec.Command(os.Getenv(binaryEnv), append([]string{"schema"}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("%s must name the program to test: schema %v: %w", binaryEnv, args, err)
	}
	return string(printed), nil
}

func compile(kind, text string) (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", kind, err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(kind, document); err != nil {
		return nil, err
	}
	return compiler.Compile(kind)
}

// Check fails for a report that its schema refuses or that has none. It takes whatever the program prints: what
// is no report is right. It returns the schema of a report, and the report.
func (s Schemas) Check(t testing.TB, what, stdout string) (*jsonschema.Schema, any) {
	t.Helper()
	if !strings.Contains(stdout, apiVersion) {
		return nil, nil
	}
	report, err := decode(stdout)
	if err != nil || report["apiVersion"] != apiVersion {
		return nil, nil // a part of one, by -o jsonpath
	}
	schema := s[fmt.Sprint(report["kind"])]
	if schema == nil {
		t.Errorf("%s: a report of kind %v has no schema", what, report["kind"])
		return nil, nil
	}
	if err := schema.Validate(report); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	return schema, report
}

// decode reads JSON or YAML as jsonschema wants it.
func decode(text string) (map[string]any, error) {
	if !strings.HasPrefix(text, "{") {
		json, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			return nil, err
		}
		text = string(json)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	report, _ := document.(map[string]any)
	return report, err
}

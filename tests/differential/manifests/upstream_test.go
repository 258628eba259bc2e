// This file is about what upstream answers: what the API server's strict decoder says of a body, and what kubectl makes
// of a file before it is one.

package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	kjson "sigs.k8s.io/json"
)

// upstreamServer decodes a body as the handler of a request to create does.
func upstreamServer(t *testing.T, body string) said {
	info, found := runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	if !found {
		t.Fatal("no decoder of JSON")
	}
	decoder := legacyscheme.Codecs.DecoderToVersion(info.StrictSerializer, runtime.InternalGroupVersioner)
	_, _, err := decoder.Decode([]byte(body), nil, nil)
	if err == nil {
		return said{}
	}
	strict, isStrict := runtime.AsStrictDecodingError(err)
	if !isStrict {
		return said{wrong: true, wrongAt: fieldOf(err)}
	}
	var s said
	for _, err := range strict.Errors() {
		var field kjson.FieldError
		if !errors.As(err, &field) {
			t.Fatalf("a strict error without a field: %v", err)
		}
		code := duplicateField
		if strings.HasPrefix(err.Error(), "unknown field") {
			code = unknownField
		}
		s.strict = append(s.strict, code+" "+inBrackets.ReplaceAllString(field.FieldPath(), ".$1"))
	}
	slices.Sort(s.strict)
	return s
}

// inlined are names of Go's in the path of a field whose structure is part of another.
var inlined = regexp.MustCompile(`(^|\.)[A-Z][A-Za-z]*`)

// fieldOf is the field that an error is about. Types that decode themselves do not say it.
func fieldOf(err error) []string {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return nil
	}
	return []string{strings.TrimPrefix(inlined.ReplaceAllString(wrong.Field, ""), ".")}
}

// upstreamKubectl is what the server says of what kubectl sends for a file (cli-runtime's StreamVisitor).
func upstreamKubectl(t *testing.T, document string) said {
	// What begins with { is read as JSON first; no JSON has a comment.
	file := strings.NewReader("# YAML\n" + document + "\n")
	var raw runtime.RawExtension
	if err := yaml.NewYAMLOrJSONDecoder(file, 4096).Decode(&raw); err != nil {
		return said{unreadable: true}
	}
	read, err := runtime.Decode(unstructured.UnstructuredJSONScheme, bytes.TrimSpace(raw.Raw))
	if err != nil {
		return said{unreadable: true}
	}
	body, err := runtime.Encode(unstructured.UnstructuredJSONScheme, read)
	if err != nil {
		t.Fatal(err)
	}
	return upstreamServer(t, string(body))
}

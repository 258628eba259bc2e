package cel

import (
	"os"
	"strings"
	"testing"
)

// TestFixture holds both sides to tests/fixtures/cel-cases.tsv: an expression, what becomes of it, and the message.
func TestFixture(t *testing.T) {
	data, err := os.ReadFile("../../fixtures/cel-cases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	// The one that the file's head describes.
	gpu := newDevice("gpu.nvidia.com", "false", "type string gpu", "productName string NVIDIA A100-SXM4-80GB",
		"uuid string GPU-e89d84ee-93b4-a63d-ac3f-8c242831ac09", "driverVersion version 580.126.20", "minor int 3", "healthy bool true",
		"sliceIds strings s1,s2", "resource.kubernetes.io/numaNode int 0", "memory quantity 81920Mi")
	var expressions []string
	for _, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "\t")
		expressions = append(expressions, row[0])
		for _, in := range []*language{stored, withLists} {
			one := selectorIn(in, row[0], []*device{gpu})
			if result, message := inFixture(one.want); result != row[1] || !strings.HasPrefix(row[2], message) {
				t.Errorf("%s (%s)\nthe fixture has %s: %s\nupstream says  %s: %s", row[0], in.name, row[1], row[2], result, message)
			}
		}
	}
	compareAll(t, languages, expressions, []*device{gpu})
	t.Logf("%d rows", len(expressions))
}

// inFixture is an outcome as the fixture tells it: the first line of what is wrong.
func inFixture(of outcome) (result, message string) {
	if len(of.results) == 0 {
		message, _, _ = strings.Cut(strings.TrimPrefix(of.message, "compilation failed: "), "\\n")
		if at := strings.Index(message, " expecting "); at >= 0 {
			message = message[:at]
		}
		return "compile-error", message
	}
	text, _, _ := cutLast(of.results[0], " cost ")
	if _, message, failed := strings.Cut(text, ": "); failed {
		return "runtime-error", strings.ReplaceAll(message, "\\\\", "\\")
	}
	return text, ""
}

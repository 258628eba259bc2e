package schema

import (
	_ "embed"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const goldens = "../golden"

var stdout = regexp.MustCompile(`(?s)\n--- stdout\n(.*)--- stderr\n`)

// unseen lists the fields that no golden shows, each with the reason.
//
//go:embed unseen.txt
var unseen string

// TestGoldens holds every report among the goldens to its schema, and every field of the schemas to a golden: a field
// that nothing prints any more is seen, and so is one that nobody has looked at.
func TestGoldens(t *testing.T) {
	schemas := ForTest(t)
	shown := fields{}
	kinds := map[string]bool{}
	err := filepath.WalkDir(goldens, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".txt") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		scene := stdout.FindSubmatch(text)
		if scene == nil {
			return nil
		}
		if schema, report := schemas.Check(t, path, string(scene[1])); schema != nil {
			kinds[schema.Title] = true
			shown.follow(schema, report)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for kind := range schemas {
		if !kinds[kind] {
			t.Errorf("no golden shows a report of kind %s", kind)
		}
	}
	expectShown(t, schemas, shown)
}

func expectShown(t *testing.T, schemas Schemas, shown fields) {
	t.Helper()
	all := fields{}
	for _, schema := range schemas {
		all.collect(schema, map[string]bool{})
	}
	excused := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(unseen), "\n") {
		field, reason, _ := strings.Cut(line, ": ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		excused[field] = true
		switch {
		case reason == "":
			t.Errorf("unseen.txt says no reason for %s", field)
		case !all[field]:
			t.Errorf("unseen.txt has %s, which no schema has", field)
		case shown[field]:
			t.Errorf("unseen.txt has %s, which a golden shows", field)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(all)) {
		if !shown[field] && !excused[field] {
			t.Errorf("no golden shows %s: add one, or a line with the reason to unseen.txt", field)
		}
	}
}

// TestFieldsAreKnown holds schemas to what makes them strict: an object that names its fields takes no others.
func TestFieldsAreKnown(t *testing.T) {
	for kind, schema := range ForTest(t) {
		for _, one := range open(schema, map[string]bool{}) {
			t.Errorf("%s: %s takes any field", kind, one)
		}
	}
}

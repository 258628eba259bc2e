// This file is about what the manifests have to reach between them, so that a generator that lost something, or a release
// that says something else, is noticed.

package validate_test

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/manifests"
)

// listed is what generation must reach: kind, type and path, one a line. The manifests that are the same in every run
// reach it; what others reach beyond it is by chance.
//
//go:embed reached.txt
var listed string

var (
	index  = regexp.MustCompile(`\[[0-9]+\]`)
	mapKey = regexp.MustCompile(`\b(attributes|capacity|counters|nodeAllocatableResources)\[([^]]+)\]`)
)

// reachedBy returns what is wrong with each manifest, without the places in lists and the keys of maps. There may be
// more answers.
func reachedBy(all []*manifests.Manifest, answers []answer) []string {
	var reached []string
	for i, a := range answers[:len(all)] {
		if a.phase == other {
			continue
		}
		for _, c := range a.causes {
			path := index.ReplaceAllString(mapKey.ReplaceAllString(c.Path, "$1[*]"), "[]")
			if a.phase == decode || a.phase == strict {
				path = "(" + string(a.phase) + ")" // of every field
			}
			reached = append(reached, fmt.Sprintf("%s %s %s", all[i].Kind, c.Type, path))
		}
	}
	return reached
}

// expectReached fails if something in the list is not reached.
func expectReached(t *testing.T, reached []string) {
	t.Helper()
	times := map[string]int{}
	for _, one := range reached {
		times[one]++
	}
	lines := strings.Split(strings.TrimSpace(listed), "\n")
	for _, line := range lines {
		if times[line] == 0 && !strings.HasPrefix(line, "#") {
			t.Errorf("no manifest reaches: %s", line)
		}
	}
	// Whoever changes the generator compares this with the list, and takes it over after reading the difference.
	if dir := os.Getenv(dumpEnv); dir != "" {
		text := strings.Join(slices.Sorted(maps.Keys(times)), "\n") + "\n"
		if err := os.WriteFile(filepath.Join(dir, "reached.txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// summary counts answers by kind and version.
func summary(all []*manifests.Manifest, answers []answer) string {
	phases := []phase{accepted, decode, strict, conflict, validate, other}
	counts := map[string]map[phase]int{}
	for i, m := range all {
		name := m.Kind + "." + m.Version()
		if counts[name] == nil {
			counts[name] = map[phase]int{}
		}
		counts[name][answers[i].phase]++
	}
	table := fmt.Sprintf("\n%-32s", "")
	for _, p := range phases {
		table += fmt.Sprintf(" %9s", p)
	}
	table += "\n"
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		table += fmt.Sprintf("%-32s", name)
		for _, p := range phases {
			table += fmt.Sprintf(" %9d", counts[name][p])
		}
		table += "\n"
	}
	return table
}

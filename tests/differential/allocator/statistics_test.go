// This file is about what a run must have reached to mean anything.

package allocator

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The outcomes of a node.
const (
	fits  = "fits"
	none  = "no solution"
	local = "node-local error"
	fatal = "fatal"
)

var outcomes = []string{fits, none, local, fatal}

// leastShare in percent is what each feature must have of all nodes of all cases, and each outcome of those nodes whose
// case has a feature.
const leastShare = 1.0

// impossible has outcomes that a feature excludes, with the reason.
var impossible = map[string]map[string]string{
	"1.34": {local: "an invalid pool is fatal there"},
	"all":  {local: "an invalid pool is fatal for requests for all devices"},
}

// leftOut is what no case has, with the reason.
var leftOut = []string{
	"1.34 with DRAConsumableCapacity: it takes the number of a device in its request for its place in the slice, and so looks at the capacity of " +
		"others, and panics where the slice has fewer",
	"1.35 with counters in pools of one name of two drivers: it counts for both together, and starts with the counters of that pool which it " +
		"happens to come to first",
}

// statistics count outcomes by feature, and notes.
type statistics struct {
	sync.Mutex
	cases, nodes int
	reached      map[string]map[string]int // feature, outcome
	notes        map[string]int
	gated        map[string]int // cases by release
	differences  int
}

func newStatistics() *statistics {
	return &statistics{reached: map[string]map[string]int{}, notes: map[string]int{}, gated: map[string]int{}}
}

// add counts a case, and is true if it is one of the first that differ.
func (s *statistics) add(t *testing.T, of *testCase, c *comparison) bool {
	found, err := featuresOf(of)
	if err != nil {
		t.Error(err)
	}
	s.Lock()
	defer s.Unlock()
	s.cases++
	s.gated[of.Version]++
	if c.theirs.Implementation != "" {
		found["implementation "+c.theirs.Implementation] = true
	}
	for i := range c.theirs.Nodes {
		s.nodes++
		for _, steps := range []int64{10, 100, 1000, 10_000} {
			if c.theirs.Nodes[i].Steps >= steps {
				s.notes[fmt.Sprintf("searches of at least %5d steps", steps)]++
			}
		}
		for feature, has := range found {
			if !has {
				continue
			}
			if s.reached[feature] == nil {
				s.reached[feature] = map[string]int{}
			}
			s.reached[feature][c.theirs.Nodes[i].kind()]++
		}
	}
	undetermined := false
	for _, note := range c.notes {
		undetermined = undetermined || note == noteUndetermined
		s.notes[note]++
	}
	if undetermined {
		s.notes[casesUndetermined]++
	}
	if c.ended == nil && len(c.differences) == 0 {
		return false
	}
	s.differences++
	return s.differences <= mostShown
}

const (
	mostShown         = 4
	casesUndetermined = "cases with a budget that ended"
	mostUndetermined  = 0.5 // percent of the cases
	mostUnstable      = 0.5 // percent of the nodes that are skipped
)

// report prints what was reached, and complains of what was reached too seldom.
func (s *statistics) report(t *testing.T) {
	var out strings.Builder
	fmt.Fprintf(&out, "%d cases with %d nodes, %d with differences; by release %v\n", s.cases, s.nodes, s.differences, s.gated)
	fmt.Fprintf(&out, "%-30s %7s", "feature", "nodes")
	for _, outcome := range outcomes {
		fmt.Fprintf(&out, " %17s", outcome)
	}
	for _, feature := range slices.Sorted(maps.Keys(s.reached)) {
		s.row(t, &out, feature)
	}
	for _, note := range slices.Sorted(maps.Keys(s.notes)) {
		fmt.Fprintf(&out, "\n%s: %d", note, s.notes[note])
	}
	for feature, reasons := range impossible {
		for outcome, why := range reasons {
			fmt.Fprintf(&out, "\nno %s with %s: %s", outcome, feature, why)
		}
	}
	for _, what := range leftOut {
		fmt.Fprintf(&out, "\nno %s", what)
	}
	t.Log(out.String())
	if share := 100 * float64(s.notes[casesUndetermined]) / float64(s.cases); share > mostUndetermined {
		t.Errorf("%s: %.2f%% of the cases, at most %.1f%% may", noteUndetermined, share, mostUndetermined)
	}
	for _, note := range []string{noteSkipped, notePanic, noteTimeout} {
		if share := 100 * float64(s.notes[note]) / float64(s.nodes); share > mostUnstable {
			t.Errorf("%s: %.2f%% of the nodes, at most %.1f%% may", note, share, mostUnstable)
		}
	}
}

func (s *statistics) row(t *testing.T, out *strings.Builder, feature string) {
	sum := 0
	for _, count := range s.reached[feature] {
		sum += count
	}
	fmt.Fprintf(out, "\n%-30s %7d", feature, sum)
	if share := 100 * float64(sum) / float64(s.nodes); share < leastShare {
		t.Errorf("%s: in %.2f%% of the nodes only", feature, share)
	}
	for _, outcome := range outcomes {
		count := s.reached[feature][outcome]
		share := 100 * float64(count) / float64(sum)
		fmt.Fprintf(out, " %8d %7.2f%%", count, share)
		_, cannot := impossible[feature][outcome]
		if cannot && count > 0 {
			t.Errorf("%s, %s: thought to be impossible", feature, outcome)
		}
		if !cannot && share < leastShare {
			t.Errorf("%s, %s: in %.2f%% of its nodes only", feature, outcome, share)
		}
	}
}

// Package manifests compares what the plugin knows of the API's fields with k8s.io/api, and what it says of manifests
// with the API server's strict decoder: generated manifests of every kind and version must be accepted or refused
// alike, for the same fields.
//
// What is generated depends on $KUBECTL_DRA_SEED alone; $KUBECTL_DRA_SOAK multiplies it.
package manifests

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-dra/tests/program"
	"kubectl-dra/tests/soak"
)

const (
	answererEnv = "KUBECTL_DRA_ANSWER_MANIFESTS"
	seedEnv     = "KUBECTL_DRA_SEED"

	cases = 10_000

	// leastShare of the cases must reach each outcome, or the generator no longer tests it.
	leastShare = 0.02

	// shownDifferences is how many are printed; the rest is only counted.
	shownDifferences = 5

	unknownField, duplicateField, wrongType = "UnknownField", "DuplicateField", "Decode"
	notParsed                               = "error"
)

// said is what one side says of a manifest.
type said struct {
	unreadable bool     // it does not come to decoding
	wrong      bool     // a value is of the wrong type
	wrongAt    []string // where; upstream knows at most one place, and not always that
	strict     []string // code and path of each unknown or duplicate field, sorted
}

// outcome is the first reason to refuse it; empty if it is accepted.
func (s said) outcome() string {
	switch {
	case s.wrong || s.unreadable:
		return wrongType
	case len(s.strict) > 0:
		code, _, _ := strings.Cut(s.strict[0], " ")
		return code
	}
	return ""
}

var (
	inBrackets = regexp.MustCompile(`\[([^\]]*)\]`)
	indices    = regexp.MustCompile(`\[[^\]]*\]`)
)

// ours reads the answer of answer_manifests.
func ours(answer string) said {
	if answer == notParsed || answer == "" {
		return said{unreadable: answer != ""}
	}
	var s said
	for _, finding := range strings.Split(answer, "\t") {
		code, path, _ := strings.Cut(finding, " ")
		if code == wrongType {
			s.wrong = true
			s.wrongAt = append(s.wrongAt, indices.ReplaceAllString(path, ""))
		} else {
			s.strict = append(s.strict, code+" "+inBrackets.ReplaceAllString(path, ".$1"))
		}
	}
	slices.Sort(s.strict)
	s.strict = slices.Compact(s.strict) // upstream tells each path once, also below a field that is there twice
	return s
}

// differ says how the answers differ; empty if they do not.
func differ(ours, upstream said) string {
	switch {
	case ours.outcome() != upstream.outcome():
		return "accepted, or refused for something else"
	case ours.outcome() == wrongType && len(upstream.wrongAt) > 0 && !ours.unreadable &&
		!slices.Contains(ours.wrongAt, upstream.wrongAt[0]):
		return "a value of the wrong type is elsewhere"
	case ours.outcome() != wrongType && !slices.Equal(ours.strict, upstream.strict):
		return "other fields"
	}
	return ""
}

func TestManifests(t *testing.T) {
	outcomes := []string{"", wrongType, unknownField}
	t.Run("as the server decodes", func(t *testing.T) {
		compare(t, "json", upstreamServer, append(outcomes, duplicateField))
	})
	t.Run("as kubectl sends", func(t *testing.T) { compare(t, "yaml", upstreamKubectl, outcomes) })
}

func compare(t *testing.T, form string, upstream func(*testing.T, string) said, outcomes []string) {
	count := cases
	count *= soak.Times()
	ask := startAnswerer(t)
	r := newRandom(t, os.Getenv(seedEnv)+"/"+form, form == "yaml")
	kinds := servedKinds(t)
	start := time.Now()
	reached := map[string]int{}
	differences := 0
	for range count {
		manifest := r.manifest(kinds)
		document := manifest.String()
		manifest.repeatLast()
		mine, theirs := ours(ask(form+"\t"+document)), upstream(t, manifest.String())
		reached[theirs.outcome()]++
		if what := differ(mine, theirs); what != "" {
			if differences++; differences <= shownDifferences {
				t.Errorf("%s:\n  ours      %+v\n  upstream  %+v\n  %s", what, mine, theirs, document)
			}
		}
	}
	t.Logf("%s=%q: %d manifests in %v, %v; %d differences", seedEnv, os.Getenv(seedEnv), count,
		time.Since(start).Round(time.Millisecond), reached, differences)
	for _, outcome := range outcomes {
		if float64(reached[outcome]) < leastShare*float64(count) {
			t.Errorf("the outcome %q was reached only %d times in %d", outcome, reached[outcome], count)
		}
	}
}

func startAnswerer(t *testing.T) func(question string) string {
	t.Helper()
	answerer := program.RunOurs(t, answererEnv, "answer_manifests")
	return func(question string) string {
		answer, err := answerer.Ask(question)
		if err != nil {
			t.Fatalf("no answer to %s: %v", question, err)
		}
		return answer
	}
}

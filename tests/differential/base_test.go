// Package differential compares the base, json and render layers with upstream on generated cases:
// quantities, ages, times, durations, label selectors, what is read of YAML, and what kubectl prints as YAML and KYAML, by JSONPath, by Go
// templates and in custom columns. Both are asked the same, and every answer must be the same.
//
// What is generated depends on $KUBECTL_DRA_SEED alone; $KUBECTL_DRA_SOAK multiplies it.
package differential

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"kubectl-dra/tests/soak"
)

const (
	seedEnv      = "KUBECTL_DRA_SEED"
	casesPerKind = 50_000
	batch        = 5_000

	// leastShare of the cases must reach each outcome, or the generator no longer tests it.
	leastShare = 0.005

	// shownDifferences is how many are printed of each kind; the rest is only counted.
	shownDifferences = 10
)

// errorAnswer stands for any error: messages are ours to word.
const errorAnswer = "error"

// kind is a kind of question that both sides can answer.
type kind struct {
	test     string // the name of the test
	name     string // what the question is called
	generate func(*random) []string
	upstream func(args []string) string

	// documented says that the answers differ on purpose. Such cases are left out.
	documented func(args []string) bool

	// outcome sorts answers; each of the outcomes must be reached.
	outcome  func(answer string) string
	outcomes []string

	// cost divides the number of cases, as some take longer.
	cost int
}

func kinds() []kind {
	errors := []string{"ok", errorAnswer}
	return []kind{
		{"quantity", "quantity", (*random).oneQuantity, upstreamQuantity, hugeExponent, okOrError, errors, 1},
		{"arithmetic", "quantity", (*random).quantities, upstreamQuantity, hugeExponent, okOrError, errors, 1},
		{"age", "age", (*random).age, upstreamAge, never, ageOutcome, []string{"ok", "<invalid>"}, 1},
		{"instant", "instant", (*random).instant, upstreamInstant, looseInstant, okOrError, errors, 1},
		{"duration", "duration", (*random).duration, upstreamDuration, looseDuration, okOrError, errors, 1},
		{"selector", "selector", (*random).selector, upstreamSelector, never, selectorOutcome,
			[]string{"true", "false", errorAnswer}, 1},
		{"yaml", "yaml", (*random).document, upstreamYAML, unorderedKeys, yamlOutcome,
			[]string{"plain", "single quoted", "double quoted", "literal", "folded"}, 2},
		{"kyaml", "kyaml", (*random).kyamlDocument, upstreamKYAML, kyamlFails, kyamlOutcome,
			[]string{"plain", "folded", "cuddled", "quoted key"}, 2},
		{"characters", "characters", (*random).codePoint, upstreamCharacters, never, okOrError, []string{"ok"}, 2},
		{"read", "read", (*random).manifest, upstreamRead, readDiffers, okOrError, errors, 2},
		{"path", "path", (*random).path, upstreamPath, pathPanics, pathOutcome,
			[]string{"text", "nothing", "json", errorAnswer, "parse error"}, 4},
		{"template", "template", (*random).goTemplate, upstreamTemplate, templateRefused, templateOutcome,
			[]string{"text", "no value", "bad verb", errorAnswer}, 2},
		{"sort", "sort", (*random).sortKeys, upstreamSort, never, okOrError, []string{"ok"}, 2},
		{"columns", "columns", (*random).columns, upstreamColumns, visitsAll, okOrError, errors, 4},
	}
}

func okOrError(answer string) string {
	if answer == errorAnswer {
		return errorAnswer
	}
	return "ok"
}

func ageOutcome(answer string) string {
	if answer == "<invalid>" {
		return answer
	}
	return "ok"
}

func selectorOutcome(answer string) string { return answer }

func TestBase(t *testing.T) {
	seed := os.Getenv(seedEnv)
	cases := casesPerKind * soak.Times()
	t.Logf("%s=%q: %d cases of each kind, fewer of documents", seedEnv, seed, cases)
	program := startAnswerer(t)
	for _, k := range kinds() {
		t.Run(k.test, func(t *testing.T) {
			compare(t, k, program, newRandom(seed+"/"+k.test), cases/k.cost)
		})
	}
}

// compare asks both sides so many questions, batch by batch.
func compare(t *testing.T, k kind, program *answerer, r *random, cases int) {
	start := time.Now()
	reached := map[string]int{}
	differences, leftOut := 0, 0
	for asked := 0; asked < cases; {
		var questions [][]string
		for len(questions) < min(batch, cases-asked) {
			if args := k.generate(r); k.documented(args) {
				leftOut++
			} else {
				questions = append(questions, args)
			}
		}
		asked += len(questions)
		for i, ours := range program.ask(t, k.name, questions) {
			theirs := k.upstream(questions[i])
			reached[k.outcome(theirs)]++
			if ours == theirs {
				continue
			}
			if differences++; differences <= shownDifferences {
				t.Errorf("%s %q:\n  ours      %s\n  upstream  %s", k.name, questions[i], ours, theirs)
			}
		}
	}
	t.Logf("%d cases in %v: %s; %d omitted as documented; %d differences", cases,
		time.Since(start).Round(time.Millisecond), shares(k.outcomes, reached, cases), leftOut, differences)
	for _, outcome := range k.outcomes {
		if float64(reached[outcome]) < leastShare*float64(cases) {
			t.Errorf("the outcome %q was reached only %d times in %d", outcome, reached[outcome], cases)
		}
	}
}

// shares says how often each outcome was reached.
func shares(outcomes []string, reached map[string]int, cases int) string {
	var parts []string
	for _, outcome := range outcomes {
		percent := 100 * float64(reached[outcome]) / float64(cases)
		parts = append(parts, fmt.Sprintf("%s %d (%.1f %%)", outcome, reached[outcome], percent))
	}
	return strings.Join(parts, ", ")
}

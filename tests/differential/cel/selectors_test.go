package cel

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// cases.txt has expressions that once were a difference, or in which parts lend each other their sizes and end early
// or late.
const casesFile = "cases.txt"

func TestCases(t *testing.T) {
	data, err := os.ReadFile(casesFile)
	if err != nil {
		t.Fatal(err)
	}
	a, err := startAnswerer()
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(plainDevices, fixtureDevices()[:4])
	c := comparison{answerer: a, devices: all}
	var asked []asking
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for where := range environments {
			asked = append(asked, c.compile(where, unescaper.Replace(line), all))
		}
	}
	differences, err := c.compare(asked)
	if err != nil {
		t.Fatal(err)
	}
	for _, difference := range differences {
		t.Error(difference)
	}
	if err := a.stop(); err != nil {
		t.Fatal(err)
	}
}

// leastShare of the expressions, in percent, must reach each function, macro, operator and outcome.
const leastShare = 0.5

// TestSelectors compares all that becomes of generated expressions for generated devices: issues, types, estimated
// costs, results and what they cost. Expressions that are no selectors are compared by their values.
func TestSelectors(t *testing.T) {
	env := storedEnvironment()
	var total tally
	inChunks(t, 1, 25000, func(a *answerer, random *rand.Rand) error {
		c := comparison{answerer: a}
		for range 60 {
			c.devices = append(c.devices, generateDevice(random))
		}
		c.devices = append(c.devices, plainDevices...)
		g := newGenerator(env, random)
		counts := map[string]int{}
		var asked []asking
		for range perChunk {
			one := g.ask(&c)
			counts["outcome "+one.kind()]++
			asked = append(asked, one)
			if random.IntN(4) == 0 {
				asked = append(asked, c.compile("new", one.expression, one.devices[:1]))
			}
		}
		for feature, reached := range g.reached {
			counts["right "+feature] += reached.compiled
			counts["wrong "+feature] += reached.misused
		}
		counts["expressions"] = perChunk
		differences, err := c.compare(asked)
		total.add(t, counts, differences)
		return err
	})
	reportReach(t, total.counts)
}

// ask makes an expression and lets upstream compile it, so that the next one can use what was reached least.
func (g *generator) ask(c *comparison) asking {
	devices := []*device{pick(g.Rand, c.devices...), pick(g.Rand, c.devices...)}
	expression := g.expression(devices[0])
	if g.IntN(25) == 0 {
		expression = damaged(g.Rand, expression)
	}
	out := c.compile("stored", expression, devices)
	g.tally(out.want.stage == "selector" || out.want.stage == "value")
	return out
}

// reportReach prints how often everything was reached, by right and wrong types, and what was reached too seldom.
func reportReach(t *testing.T, counts map[string]int) {
	share := func(name string) float64 { return 100 * float64(counts[name]) / float64(counts["expressions"]) }
	var features, outcomes []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if feature, found := strings.CutPrefix(name, "right "); found {
			wrong := "wrong " + feature
			features = append(features, fmt.Sprintf("%s %.1f%%/%.1f%%", feature, share(name), share(wrong)))
		}
		if outcome, found := strings.CutPrefix(name, "outcome "); found {
			outcomes = append(outcomes, fmt.Sprintf("%s %.1f%%", outcome, share(name)))
		}
		if name != "expressions" && name != "outcome "+panicked && share(name) < leastShare {
			t.Errorf("%s: in %.2f%% of the expressions only", name, share(name))
		}
	}
	t.Logf("%d expressions\noutcomes: %s\nused with right and wrong types: %s", counts["expressions"], strings.Join(outcomes, ", "), strings.Join(features, ", "))
}

// comparison asks both sides about expressions.
type comparison struct {
	*answerer
	devices []*device
}

// asking is one expression for some devices, with upstream's answer.
type asking struct {
	where, expression string
	devices           []*device
	want              outcome
	evaluate          func(*device) string
}

func (c *comparison) compile(where, expression string, devices []*device) asking {
	out := asking{where: where, expression: expression, devices: devices}
	out.want, out.evaluate = selected(where, expression)
	out.run()
	return out
}

// run evaluates the expression for its devices, if it can be.
func (a *asking) run() {
	if a.evaluate == nil {
		return
	}
	for _, d := range a.devices {
		a.want.results = append(a.want.results, a.evaluate(d))
	}
}

// kind says in a word what becomes of the expression for its first device.
func (a *asking) kind() string {
	switch {
	case strings.Contains(a.want.text, "Syntax error") && a.want.stage == "refused":
		return "syntax error"
	case a.want.stage == "refused", a.want.stage == panicked:
		return a.want.stage
	case a.want.program != "":
		return "no program"
	}
	if len(a.want.results) == 0 {
		return "odd: " + a.want.stage
	}
	result := a.want.results[0]
	switch {
	case strings.HasPrefix(result, "error attribute "):
		return "bad device"
	case strings.Contains(result, "actual cost limit exceeded"):
		return "too dear"
	case strings.HasPrefix(result, "error CEL result of type "):
		return "no bool"
	case a.want.stage == "selector", strings.HasPrefix(result, "error "):
		kind, _, _ := strings.Cut(result, " ")
		return kind
	}
	return "value"
}

func (c *comparison) compare(asked []asking) ([]string, error) {
	numbers := map[*device]string{}
	var told, questions [][]string
	for i, d := range c.devices {
		numbers[d] = fmt.Sprint(i)
		told = append(told, d.fields)
	}
	for _, one := range asked {
		question := []string{one.where, one.expression}
		for _, d := range one.devices {
			question = append(question, numbers[d])
		}
		questions = append(questions, question)
	}
	if err := c.tell("devices", [][]string{nil}); err != nil {
		return nil, err
	}
	if err := c.tell("device", told); err != nil {
		return nil, err
	}
	answers, err := c.ask("evaluate", questions)
	if err != nil {
		return nil, err
	}
	var differences []string
	for i, answer := range answers {
		differences = append(differences, asked[i].differences(parseOutcome(answer))...)
	}
	return differences, nil
}

// differences compares upstream's answer with ours.
func (a *asking) differences(got outcome) (out []string) {
	want := a.want
	if want.stage == panicked {
		return nil
	}
	compare := func(what, want, got string) {
		if want != got && want != "?" {
			out = append(out, fmt.Sprintf("%s (%s): %s\nwant %s\ngot  %s", a.expression, a.where, what, want, got))
		}
	}
	if want.stage == "refused" && got.stage == "refused" && same("error "+want.text, "error "+got.text) {
		return nil
	}
	compare("stage", want.stage, got.stage)
	compare("issues or type", checkerVariable.ReplaceAllString(want.text, "_var"), checkerVariable.ReplaceAllString(got.text, "_var"))
	if out != nil {
		return out
	}
	compare("least cost", want.least, got.least)
	compare("most cost", want.most, got.most)
	if a.evaluate == nil {
		compare("program", want.program, got.program)
		return out
	}
	if got.program != "" || len(got.results) != len(want.results) {
		return append(out, fmt.Sprintf("%s (%s): no program: %s", a.expression, a.where, got.program))
	}
	for i := range want.results {
		if !a.agrees(i, got.results[i]) {
			compare(fmt.Sprintf("for %q", a.devices[i].fields), want.results[i], got.results[i])
		}
	}
	return out
}

// agrees is whether upstream also gives this result. It goes through maps in another order each time: one in which
// it agrees is looked for.
func (a *asking) agrees(i int, got string) bool {
	want := a.want.results[i]
	for range 30 {
		if agree(want, got) {
			return true
		}
		want = a.evaluate(a.devices[i])
	}
	return false
}

func agree(want, got string) bool {
	if want == got || want == panicked {
		return true
	}
	wantText, wantCost, _ := cutLast(want, " cost ")
	gotText, gotCost, _ := cutLast(got, " cost ")
	// Nothing more is counted when a map panics, and the words tell of Go's types.
	if strings.Contains(wantText, "unhashable") {
		wantCost = gotCost
	}
	if strings.Contains(wantText, "map[string]interface {}") {
		wantText = gotText
	}
	return wantCost == gotCost && (wantText == gotText || strings.ContainsAny(wantText, "{[") && sameUnordered(wantText, gotText))
}

func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}

// sameUnordered compares what Go's maps, which have no order, made.
func sameUnordered(want, got string) bool {
	a, b := []rune(want), []rune(got)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

package cel

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	resourceapi "k8s.io/api/resource/v1"
)

// cases.txt has expressions that once were a difference, or in which parts lend each other their sizes and end early
// or late.
const casesFile = "cases.txt"

func TestCases(t *testing.T) {
	data, err := os.ReadFile(casesFile)
	if err != nil {
		t.Fatal(err)
	}
	var expressions []string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if !strings.HasPrefix(line, "#") {
			expressions = append(expressions, unescaper.Replace(line))
		}
	}
	compareAll(t, languages, expressions, slices.Concat(plainDevices, fixtureDevices()[:4]))
}

// TestNamesTwice has devices with two values of one name, of which upstream takes either.
func TestNamesTwice(t *testing.T) {
	fields := []string{"dra.net", "false", "x_twice string bare", "dra.net/x_twice string qualified"}
	var devices []*device
	for i := range 30 {
		devices = append(devices, newDevice(fields...))
		fields = append(fields, fmt.Sprintf("x_%d int %d", i, i))
	}
	compareAll(t, []*language{stored}, []string{`"bare".matches(device.attributes["dra.net"].x_twice)`}, devices)
}

// compareAll compares expressions as selectors in some languages, and as expressions of any type.
func compareAll(t *testing.T, in []*language, expressions []string, devices []*device) (asked []asking) {
	a, err := startAnswerer()
	if err != nil {
		t.Fatal(err)
	}
	c := comparison{answerer: a, devices: devices}
	for _, expression := range expressions {
		for _, one := range in {
			asked = append(asked, selectorIn(one, expression, devices))
		}
		asked = append(asked, valueOf(expression, devices))
	}
	differences, err := c.compare(asked)
	if err != nil {
		t.Fatal(err)
	}
	for _, difference := range differences {
		t.Error(difference)
	}
	if err := a.Stop(); err != nil {
		t.Fatal(err)
	}
	return asked
}

// leastShare of the expressions, in percent, must reach each function, macro, operator and outcome.
const leastShare = 0.5

// TestSelectors compares all that becomes of generated expressions for generated devices: issues, types, estimated
// costs, results and what they cost. Expressions that are no selectors are compared by their values.
func TestSelectors(t *testing.T) {
	env := stored.environment()
	var total tally
	inChunks(t, 1, 25000, func(a *answerer, random *rand.Rand) error {
		c := comparison{answerer: a}
		for range 60 {
			c.devices = append(c.devices, generateDevice(random))
		}
		c.devices = append(c.devices, plainDevices...)
		c.devices = append(c.devices, newDevice("dra.example.com", "true", "a int 1", "type string gpu", unreadable(random)))
		g := newGenerator(env, random)
		counts := map[string]int{}
		var asked []asking
		for range perChunk {
			one := g.ask(&c)
			for _, outcome := range one.outcomes() {
				counts["outcome "+outcome]++
			}
			asked = append(asked, one)
			if one.want.stage == "output-type" {
				asked = append(asked, valueOf(one.expression, one.devices))
			}
			if random.IntN(4) == 0 {
				in := pick(random, languages[1:]...)
				if random.IntN(2) == 0 {
					in = fresh
				}
				asked = append(asked, selectorIn(in, one.expression, one.devices[:1]))
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
	if g.IntN(90) == 0 {
		expression = lengthened(expression, resourceapi.CELSelectorExpressionMaxLength+pick(g.Rand, 0, 1, 1, 1))
	}
	out := selectorIn(stored, expression, devices)
	g.tally(out.evaluate != nil || out.want.stage == "output-type" || out.want.stage == "program")
	return out
}

// lengthened has as many bytes as are asked for.
func lengthened(expression string, bytes int) string {
	return expression + strings.Repeat(" ", max(0, bytes-len(expression)))
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
		if name != "expressions" && !strings.HasPrefix(name, "outcome "+panicked) && share(name) < leastShare {
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
	in         *language // nil: its value is compared, whether a selector may have it or not
	expression string
	devices    []*device
	want       outcome
	evaluate   func(*device) string
}

func selectorIn(in *language, expression string, devices []*device) asking {
	out := asking{in: in, expression: expression, devices: devices}
	out.want, out.evaluate = selected(in, expression)
	out.run()
	return out
}

func valueOf(expression string, devices []*device) asking {
	out := asking{expression: expression, devices: devices}
	out.want, out.evaluate = valued(expression)
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
	if len(a.want.results) == 0 {
		return a.want.stage
	}
	kind, _, _ := strings.Cut(a.want.results[0], " ")
	return strings.TrimSuffix(kind, ":")
}

// outcomes are where a selector fails before it is evaluated, and what it is for its first device.
func (a *asking) outcomes() (out []string) {
	if a.want.stage != "ok" {
		out = append(out, a.want.stage+" (compiling)")
	}
	if a.evaluate != nil {
		out = append(out, a.kind())
	}
	return out
}

func (c *comparison) compare(asked []asking) ([]string, error) {
	numbers := map[*device]string{}
	var told, selectors, values [][]string
	for i, d := range c.devices {
		numbers[d] = fmt.Sprint(i)
		told = append(told, []string{d.slice})
	}
	for _, one := range asked {
		question := []string{stored.name, one.expression}
		for _, d := range one.devices {
			question = append(question, numbers[d])
		}
		if one.in == nil {
			values = append(values, question)
		} else {
			question[0] = one.in.name
			selectors = append(selectors, question)
		}
	}
	if err := c.tell("devices", [][]string{nil}); err != nil {
		return nil, err
	}
	if err := c.tell("device", told); err != nil {
		return nil, err
	}
	ofSelectors, err := c.ask("select", selectors)
	if err != nil {
		return nil, err
	}
	ofValues, err := c.ask("value", values)
	if err != nil {
		return nil, err
	}
	var differences []string
	for _, one := range asked {
		from := &ofSelectors
		if one.in == nil {
			from = &ofValues
		}
		if found := one.differences(parseOutcome((*from)[0])); !readsComparedQuantity(one.expression) {
			differences = append(differences, found...)
		}
		*from = (*from)[1:]
	}
	return differences, nil
}

// readsComparedQuantity: upstream's comparison (resource.Quantity.Cmp) turns its left operand into a decimal, in place, if
// the right one is beyond 64 bits; from then on it is no integer for asInteger() and isInteger(). For a constant that
// lasts from one evaluation to the next, so the answer depends on what was evaluated before. It does not here.
func readsComparedQuantity(expression string) bool {
	has := func(function string) bool { return strings.Contains(expression, "."+function+"(") }
	return (has("asInteger") || has("isInteger")) && (has("compareTo") || has("isGreaterThan") || has("isLessThan"))
}

const notUTF8 = "ERROR: <input>:-1:0: expression is not UTF-8"

// differences compares upstream's answer with ours.
func (a *asking) differences(got outcome) (out []string) {
	want, where := a.want, "value"
	if a.in != nil {
		where = a.in.name
	}
	if want.stage == panicked {
		return nil
	}
	compare := func(what, want, got string) {
		if want != got {
			out = append(out, fmt.Sprintf("%s (%s): %s\nwant %s\ngot  %s", a.expression, where, what, want, got))
		}
	}
	if !utf8.ValidString(a.expression) {
		// Upstream would go on with U+FFFD, but no such text gets there: neither JSON nor protobuf has it.
		if got.message != notUTF8 && got.message != "compilation failed: "+notUTF8 && got.stage != "length" {
			compare("message", notUTF8, got.message)
		}
		return out
	}
	compare("stage", want.stage, got.stage)
	if !same(issuesOf(want.message), issuesOf(got.message)) {
		compare("message", want.message, got.message)
	}
	compare("type", want.of, got.of)
	compare("least cost", want.least, got.least)
	compare("most cost", want.most, got.most)
	compare("number of results", fmt.Sprint(len(want.results)), fmt.Sprint(len(got.results)))
	if out != nil {
		return out
	}
	for i := range want.results {
		if !a.agrees(i, got.results[i]) {
			compare(fmt.Sprintf("for %s", a.devices[i].slice), want.results[i], got.results[i])
		}
	}
	return out
}

// issuesOf is a message as same() wants it.
func issuesOf(message string) string {
	return "error " + strings.TrimPrefix(message, "compilation failed: ")
}

// agrees is whether upstream also gives this result. What it says may depend on the order of Go's maps: one in which
// it agrees is looked for.
func (a *asking) agrees(i int, got string) bool {
	want := a.want.results[i]
	for range 300 {
		if agree(want, got) {
			return true
		}
		want = a.evaluate(a.devices[i].reordered())
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
	// A variable that is bound to nothing but {} is one of another type there.
	wantText = strings.NewReplacer("*types.mutableMap", "*types.baseMap", "*types.mutableList", "*types.baseList").Replace(wantText)
	// How many spaces stand between fields of a message changes with the build.
	if strings.Contains(wantText, "_value:") || strings.Contains(wantText, "type_url:") {
		wantText = strings.ReplaceAll(wantText, "  ", " ")
	}
	// Upstream prints the addresses in a message's struct, and not the message.
	if before, after, found := strings.Cut(wantText, "non-optional value &{0x"); found && strings.HasSuffix(after, "}") {
		if strings.HasPrefix(gotText, before+"non-optional value google.protobuf.") {
			wantText = gotText
		}
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

// This file is about what is said of pods that fit nowhere: upstream's allocator must find devices once what is advised
// is done, and must not be able to meet what is said to be in conflict.

package allocator

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"kubectl-dra/tests/changes"
	"kubectl-dra/tests/schema"
)

const (
	helped        = 2_000 // cases without a node, of a run
	helpedPerTime = 50
	leastOfMeans  = 10 // pieces of advice of each kind
)

// helpAnswer has what a report says would help, and what cannot hold together.
type helpAnswer struct {
	ID          int    `json:"id"`
	Error       string `json:"error"`
	Explanation struct {
		Verdict   string           `json:"verdict"`
		Conflicts [][]part         `json:"conflicts"`
		Bounded   bool             `json:"conflictsBounded"`
		Advice    []changes.Advice `json:"advice"`
	} `json:"explanation"`
}

// assertion is a case made of another, and what upstream must make of it.
type assertion struct {
	of    *testCase // what it is made of
	what  string
	one   *testCase
	fits  bool
	nodes int    // on which it fits; 0: not compared
	added string // the node that must be among them
}

// fate is what upstream's scheduler would do with a pod.
type fate struct {
	fits, known bool
	fatal       bool
	nodes       []string
}

// fateOf is known where upstream agrees with itself.
func fateOf(answer *theirAnswer) fate {
	out := fate{known: true}
	for i := range answer.Nodes {
		node := &answer.Nodes[i]
		out.fatal = out.fatal || node.Aborts
		if node.Fits {
			out.nodes = append(out.nodes, node.Name)
		}
		for _, o := range append([]outcome{node.outcome}, node.Others...) {
			if o.Timeout || o.Panic || o.Fits != node.Fits || o.Aborts != node.Aborts {
				out.known = false
			}
		}
	}
	out.fits = len(out.nodes) > 0 && !out.fatal
	return out
}

// helpStatistics counts what was compared.
type helpStatistics struct {
	sync.Mutex
	counts map[string]int
	shown  int
}

func (s *helpStatistics) count(what string) {
	s.Lock()
	defer s.Unlock()
	s.counts[what]++
}

// complain shows the first differences in full.
func (s *helpStatistics) complain(t *testing.T, p *programs, of *testCase, format string, args ...any) {
	s.Lock()
	defer s.Unlock()
	s.counts["differences"]++
	if s.shown++; s.shown <= mostShown {
		t.Errorf("case %d (%s, gates %q): %s\n%s", of.ID, of.Version, of.Gates, fmt.Sprintf(format, args...), p.shown(of))
	}
}

// TestHelp makes each change that is advised in the objects of the case, and each set of conflicting parts the only one
// that holds, and asks upstream about the case that this makes.
func TestHelp(t *testing.T) {
	total := &helpStatistics{counts: map[string]int{}}
	eachChunk(t, helped/helpedPerTime, func(p *programs, number int) { p.helpChunk(t, number, total) })
	for _, what := range slices.Sorted(maps.Keys(total.counts)) {
		t.Logf("%s: %d", what, total.counts[what])
	}
	for _, one := range changes.Kinds {
		if one == "tolerate node" || strings.HasPrefix(one, "selectNodes") {
			continue // the nodes have no taints, and the pod selects none
		}
		if total.counts["advice "+one] < leastOfMeans {
			t.Errorf("only %d times advised: %s", total.counts["advice "+one], one)
		}
	}
	if total.counts["differences"] > mostShown {
		t.Errorf("%d differences", total.counts["differences"])
	}
}

// helpChunk finds cases that fit nowhere, and compares what is said of them.
func (p *programs) helpChunk(t *testing.T, number int, total *helpStatistics) {
	random := rand.New(rand.NewPCG(seed()+1, uint64(number)))
	cases, fates := p.withoutNode(t, random, number)
	var assertions []assertion
	for i, from := range p.ask("", cases) {
		var answer helpAnswer
		schema.ForTest(t).Check(t, fmt.Sprintf("case %d", cases[i].ID), explanationIn(from.line))
		switch {
		case from.err != nil:
			total.complain(t, p, cases[i], "%v", from.err)
		case json.Unmarshal(from.line, &answer) != nil || answer.Error != "" || answer.ID != cases[i].ID:
			total.complain(t, p, cases[i], "not an answer: %.300s", from.line)
		case answer.Explanation.Verdict != "DoesNotFit":
			total.count("verdict " + answer.Explanation.Verdict)
		default:
			assertions = append(assertions, p.assertionsOf(t, cases[i], &answer, fates[i], total)...)
		}
	}
	p.hold(t, assertions, total)
}

// explanationIn returns the report alone, as the plugin prints it.
func explanationIn(line []byte) string {
	var answer struct{ Explanation json.RawMessage }
	if json.Unmarshal(line, &answer) != nil {
		return "" // of which somebody else complains
	}
	return string(answer.Explanation)
}

// withoutNode makes cases until there are some that fit nowhere.
func (p *programs) withoutNode(t *testing.T, random *rand.Rand, number int) (cases []*testCase, fates []fate) {
	for round := 0; len(cases) < helpedPerTime; round++ {
		var some []*testCase
		for i := range helpedPerTime {
			one := generateUsed(random, (number*1000+round)*helpedPerTime+i)
			some = append(some, one)
		}
		out := make([]comparison, len(some))
		p.askTheirs(some, out)
		for i := range out {
			if out[i].err != nil {
				t.Errorf("case %d: %v", some[i].ID, out[i].err)
				continue
			}
			if f := fateOf(&out[i].theirs); f.known && !f.fits && len(cases) < helpedPerTime {
				some[i].Help = true
				cases, fates = append(cases, some[i]), append(fates, f)
			}
		}
	}
	return cases, fates
}

// assertionsOf says what must follow from an answer.
func (p *programs) assertionsOf(t *testing.T, of *testCase, answer *helpAnswer, f fate, total *helpStatistics) (out []assertion) {
	total.count("cases")
	if len(answer.Explanation.Conflicts) == 0 && !answer.Explanation.Bounded && !f.fatal {
		total.complain(t, p, of, "no conflict")
	}
	if answer.Explanation.Bounded {
		total.count("conflicts bounded")
	}
	if len(answer.Explanation.Advice) > 0 {
		total.count("cases with advice")
	}
	derive := func(a assertion, change func(c *cluster) error) {
		c, err := decode(of.Objects)
		if err == nil {
			c.hidesGroups = releaseOf(of.Version).minor == 37 && !releaseOf(of.Version).gates(of.Gates)["DRADeviceCompatibilityGroups"]
			err = change(c)
		}
		if err != nil {
			total.complain(t, p, of, "%s: %v", a.what, err)
			return
		}
		one := *of
		one.Help, one.Objects = false, c.encode()
		a.of, a.one = of, &one
		out = append(out, a)
	}
	for _, advised := range answer.Explanation.Advice {
		total.count("advice " + advised.Change.Kind())
		if len(advised.Changes) > 1 {
			total.count("advice of several changes")
		}
		assertAdvice(of, &advised, derive)
	}
	for _, conflict := range answer.Explanation.Conflicts {
		total.count(fmt.Sprintf("conflicts of %d", len(conflict)))
		assertConflict(of, conflict, derive)
	}
	return out
}

func assertAdvice(of *testCase, advised *changes.Advice, derive func(assertion, func(*cluster) error)) {
	if advised.Change.Op == "wait" && releaseOf(of.Version).minor < 35 {
		return // there it depends on the node which slices are missing
	}
	text, _ := json.Marshal(advised.All())
	a := assertion{what: fmt.Sprintf("advice %q, %s", advised.Message, text), fits: true, nodes: advised.Nodes}
	if advised.Change.Op == "addNode" {
		a.nodes, a.added = 0, advised.Change.Like+changes.Added
	}
	derive(a, func(c *cluster) error { return c.makeAll(advised.All()) })
	if len(advised.Changes) > 0 || advised.Change.Op != "release" {
		return
	}
	c, err := decode(of.Objects)
	if err != nil {
		return
	}
	groups := c.changeable().Groups(&advised.Change)
	for i := range groups {
		if len(groups) == 1 {
			break
		}
		fewer := slices.Delete(slices.Clone(groups), i, i+1)
		derive(assertion{what: fmt.Sprintf("%s, but not %q", a.what, groups[i].Claims)}, func(c *cluster) error { return c.makeAll(fewer) })
	}
}

func assertConflict(of *testCase, conflict []part, derive func(assertion, func(*cluster) error)) {
	if releaseOf(of.Version).minor < 35 {
		return // as above, and what is dropped makes every pool complete
	}
	derive(assertion{what: fmt.Sprintf("conflict %+v", conflict)}, func(c *cluster) error {
		if left := c.keepOnly(conflict); left > 0 {
			return fmt.Errorf("%d parts are none of the case", left)
		}
		return nil
	})
	for i := range conflict {
		fewer := slices.Delete(slices.Clone(conflict), i, i+1)
		derive(assertion{what: fmt.Sprintf("conflict %+v without %+v", conflict, conflict[i]), fits: true}, func(c *cluster) error {
			c.keepOnly(fewer) // without a request there are none of its selectors
			return nil
		})
	}
}

// holds says whether that is what was asserted.
func (a *assertion) holds(f *fate) bool {
	return f.fits == a.fits && (a.nodes == 0 || a.nodes == len(f.nodes)) && (a.added == "" || slices.Contains(f.nodes, a.added))
}

// hold asks upstream whether the assertions hold.
func (p *programs) hold(t *testing.T, assertions []assertion, total *helpStatistics) {
	var cases []*testCase
	for i := range assertions {
		cases = append(cases, assertions[i].one)
	}
	out := make([]comparison, len(cases))
	p.askTheirs(cases, out)
	for i := range out {
		a := &assertions[i]
		total.count("assertions")
		if out[i].err != nil {
			total.complain(t, p, a.of, "%s: %v", a.what, out[i].err)
			continue
		}
		f := fateOf(&out[i].theirs)
		if f.known && !a.holds(&f) {
			more := p.askMore(a.one)
			f = fateOf(&more.theirs)
		}
		switch {
		case !f.known:
			total.count("skipped, as upstream disagrees with itself")
		case f.fits != a.fits:
			total.complain(t, p, a.of, "%s: fits %t, should %t, on %q, fatal %t: %s\nwhat was asked: %s",
				a.what, f.fits, a.fits, f.nodes, f.fatal, firstError(&out[i].theirs), p.shown(a.one))
		case a.nodes > 0 && a.nodes != len(f.nodes):
			total.complain(t, p, a.of, "%s: on %d nodes, and is on %q", a.what, a.nodes, f.nodes)
		case a.added != "" && !slices.Contains(f.nodes, a.added):
			total.complain(t, p, a.of, "%s: not on the new node, but on %q", a.what, f.nodes)
		}
	}
}

func firstError(answer *theirAnswer) string {
	for i := range answer.Nodes {
		if text := answer.Nodes[i].Error; text != "" {
			return text
		}
	}
	return ""
}

package allocator

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"kubectl-dra/tests/program"
	"kubectl-dra/tests/soak"
)

// TestMain lets Go, whose programs make much garbage here, collect it less often.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	code := m.Run()
	os.RemoveAll(oracleFolder) // nothing if there is none
	os.Exit(code)
}

func seed() uint64 {
	var n uint64
	fmt.Sscan(os.Getenv("KUBECTL_DRA_SEED"), &n)
	return n
}

const (
	generated = 16_000 // cases of a run
	perChunk  = 250
)

// TestCases has cases that once were a difference. Each file is named for what it shows.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("cases/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []*testCase
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		one := &testCase{}
		if err := json.Unmarshal(text, one); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if err := invalid(one); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		one.ID = i
		cases = append(cases, one)
	}
	p := startPrograms(t)
	for i, c := range p.compareAll(cases) {
		if c.err != nil || c.ended != nil || len(c.differences) > 0 {
			t.Errorf("%s: %v %v %v", files[i], c.err, c.ended, c.differences)
		}
	}
	if err := p.stop(); err != nil {
		t.Error(err)
	}
}

// TestAllocator compares what becomes of generated claims on each node of generated clusters: whether they fit, whether
// an error ends the attempt for all nodes, and which devices are allocated, in order and with what is consumed of them.
func TestAllocator(t *testing.T) {
	total := newStatistics()
	eachChunk(t, generated/perChunk, func(p *programs, number int) { p.chunk(t, number, total) })
	total.report(t)
}

// eachChunk has so many chunks worked on, each by programs of its own, and more of them in a soak.
func eachChunk(t *testing.T, chunks int, work func(p *programs, number int)) {
	t.Helper()
	chunks *= soak.Times()
	numbers := make(chan int)
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		p := startPrograms(t)
		all.Go(func() {
			for number := range numbers {
				work(p, number)
			}
			if err := p.stop(); err != nil {
				t.Error(err)
			}
		})
	}
	for number := range chunks {
		numbers <- number
	}
	close(numbers)
	all.Wait()
}

// chunk makes some cases and compares them. Each chunk has random numbers of its own, so that what is asked does not
// depend on the machine.
func (p *programs) chunk(t *testing.T, number int, total *statistics) {
	random := rand.New(rand.NewPCG(seed(), uint64(number)))
	var cases []*testCase
	for i := range perChunk {
		cases = append(cases, generate(random, number*perChunk+i))
	}
	for i, c := range p.compareAll(cases) {
		switch {
		case c.err != nil:
			t.Errorf("case %d: %v\n%s", cases[i].ID, c.err, p.shown(cases[i]))
		case total.add(t, cases[i], &c):
			p.tell(t, cases[i], &c)
		}
	}
}

// tell shows a difference as small as it can be made.
func (p *programs) tell(t *testing.T, of *testCase, c *comparison) {
	small := p.shrink(of)
	again := p.compareAll([]*testCase{small})[0]
	if len(again.differences) == 0 && again.ended == nil {
		small, again = of, *c // it does not show each time
	}
	t.Errorf("case %d differs (%s, gates %q, %s):\n%v%v\nkeep it as cases/WHAT-IT-SHOWS.json in this folder:\n%s",
		of.ID, of.Version, of.Gates, again.theirs.Implementation, again.differences, errorOrNothing(again.ended), p.shown(small))
}

func errorOrNothing(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (p *programs) shown(of *testCase) string {
	text, err := json.Marshal(of)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func startPrograms(t *testing.T) *programs {
	t.Helper()
	paths, err := oracles()
	if err != nil {
		t.Fatal(err)
	}
	ours, err := pathOfOurs()
	if err != nil {
		t.Fatal(err)
	}
	p := &programs{paths: map[string]string{"": ours}, running: map[string]*program.Program{}}
	for version, path := range paths {
		p.paths[version] = path
	}
	return p
}

// moreRuns is how often upstream tries before a difference is believed where it takes pools in any order.
const moreRuns = 500

// compareAll asks all programs beside each other.
func (p *programs) compareAll(cases []*testCase) []comparison {
	out := make([]comparison, len(cases))
	ours := make(chan []asked)
	go func() { ours <- p.ask("", cases) }()
	p.askTheirs(cases, out)
	for i, answer := range <-ours {
		if out[i].err != nil {
			continue
		}
		out[i].compare(cases[i], answer)
		if len(out[i].differences) > 0 {
			out[i] = p.askMore(cases[i])
			out[i].compare(cases[i], answer)
		}
	}
	return out
}

// askMore asks the oracle again, which then tries often.
func (p *programs) askMore(one *testCase) comparison {
	again := *one
	again.Runs = moreRuns
	out := make([]comparison, 1)
	p.askTheirs([]*testCase{&again}, out)
	return out[0]
}

// askTheirs asks the oracle of each case's release.
func (p *programs) askTheirs(cases []*testCase, out []comparison) {
	for _, r := range releases {
		var of []*testCase
		var at []int
		for i, one := range cases {
			if one.Version == r.version {
				of, at = append(of, one), append(at, i)
			}
		}
		for i, answer := range p.ask(r.version, of) {
			out[at[i]].theirs, out[at[i]].err = parseTheirs(answer)
		}
	}
}

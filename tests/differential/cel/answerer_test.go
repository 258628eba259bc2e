// This file is about asking the program that answers for the cel layer, answer_cel.cpp.

package cel

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"kubectl-dra/tests/program"
	"kubectl-dra/tests/soak"
)

const answererEnv = "KUBECTL_DRA_ANSWER_CEL"

// escaper makes an argument fit between tabs on one line.
var (
	escaper   = strings.NewReplacer("\\", "\\\\", "\t", "\\t", "\n", "\\n")
	unescaper = strings.NewReplacer("\\\\", "\\", "\\t", "\t", "\\n", "\n")
)

// answerer is a running answer_cel.
type answerer struct{ *program.Program }

func startAnswerer() (*answerer, error) {
	path, err := program.Named(answererEnv, "answer_cel")
	if err != nil {
		return nil, err
	}
	p, err := program.Start(path)
	return &answerer{p}, err
}

// tell sends lines that have no answer.
func (a *answerer) tell(kind string, lines [][]string) error {
	_, err := io.WriteString(a.In, written(kind, lines))
	return err
}

// ask returns the answers to questions of a kind. A program that ends instead is a failure that names the
// question.
func (a *answerer) ask(kind string, questions [][]string) ([]string, error) {
	// Written beside reading, as neither pipe holds a whole batch. An error here shows as a missing answer.
	go io.WriteString(a.In, written(kind, questions))
	answers := make([]string, 0, len(questions))
	for _, args := range questions {
		answer, err := a.Answer()
		if err != nil {
			return nil, fmt.Errorf("no answer to %s %q: %v", kind, args, err)
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

func written(kind string, lines [][]string) string {
	var out strings.Builder
	for _, args := range lines {
		out.WriteString(kind)
		for _, arg := range args {
			out.WriteByte('\t')
			escaper.WriteString(&out, arg)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func seed() uint64 {
	var n uint64
	fmt.Sscan(os.Getenv("KUBECTL_DRA_SEED"), &n)
	return n
}

// perChunk is how many questions a chunk has, so that a run has as many as it is asked for.
const perChunk = 2500

// inChunks runs a test's questions in chunks beside each other. Each has random numbers of its own, so that
// what is asked does not depend on the machine. More chunks run than there are processors, because one that
// waits for its answerer leaves a processor to others. A soak has more of them.
func inChunks(t *testing.T, stream uint64, questions int, run func(a *answerer, random *rand.Rand) error) {
	chunks := (questions + perChunk - 1) / perChunk
	chunks *= soak.Times()
	numbers := make(chan int)
	var all sync.WaitGroup
	for range min(2*runtime.GOMAXPROCS(0), chunks) {
		all.Go(func() {
			a, err := startAnswerer()
			if err != nil {
				t.Error(err)
				for range numbers {
				}
				return
			}
			for number := range numbers {
				if err = run(a, rand.New(rand.NewPCG(seed(), stream<<32+uint64(number)))); err != nil {
					t.Error(err)
				}
			}
			if err := a.Stop(); err != nil {
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

// tally counts what chunks reached, and their differences.
type tally struct {
	sync.Mutex
	counts      map[string]int
	differences int
}

// add counts, and tells of the first differences.
func (c *tally) add(t *testing.T, counts map[string]int, differences []string) {
	c.Lock()
	defer c.Unlock()
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	for name, count := range counts {
		c.counts[name] += count
	}
	for _, difference := range differences {
		if c.differences++; c.differences <= 12 {
			t.Error(difference)
		}
	}
}

// TestMain lets upstream's compiler, which makes much garbage, be collected less often. "Local" is the server's time zone,
// which we take for UTC.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	time.Local = time.UTC
	os.Exit(m.Run())
}

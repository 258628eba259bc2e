// Package bench measures kubectl-dra against kubectl and curl. All figures are ratios of medians, taken
// interleaved in one run, so that they hold on any machine; absolute times go to PERFORMANCE.md by hand.
package bench

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is the path that an environment variable names; make test sets them all.
func program(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s does not name a program: run make test, or make plane and make build", variable)
	}
	return path
}

// timeOf is how long one of programs/ takes for something, once.
func timeOf(t *testing.T, variable, what string, count int) time.Duration {
	t.Helper()
	printed, err := exec.Command(program(t, variable), what, strconv.Itoa(count)).Output()
	if err != nil {
		t.Fatal(err)
	}
	nanoseconds, err := strconv.ParseFloat(strings.TrimSpace(string(printed)), 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(nanoseconds)
}

// average is how long work takes, once.
func average(count int, work func()) time.Duration {
	start := time.Now()
	for range count {
		work()
	}
	return time.Since(start) / time.Duration(count)
}

// command times a command with its output thrown away.
func command(t *testing.T, env []string, name string, args ...string) time.Duration {
	t.Helper()
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), env...)
	return average(1, func() {
		if err := command.Run(); err != nil {
			t.Fatalf("%s %q: %v", name, args, err)
		}
	})
}

// memory runs a command and wants its largest memory to be at most so many MB.
func memory(t *testing.T, most int64, env []string, name string, args ...string) {
	t.Helper()
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), env...)
	if err := command.Run(); err != nil {
		t.Fatalf("%s %q: %v", name, args, err)
	}
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("the memory of a process is not known here")
	}
	used := usage.Maxrss >> 10
	fmt.Printf("BENCH memory of %s: %d MB (at most %d)\n", strings.Join(args, " "), used, most)
	if used > most {
		t.Errorf("%q took %d MB, more than %d", args, used, most)
	}
}

// times is how long two ways took in one round.
type times struct{ ours, theirs time.Duration }

func inTurn(ours, theirs func() time.Duration) func() times {
	return func() times { return times{ours(), theirs()} }
}

// hold measures two ways in turn, so that what disturbs one disturbs the other, and wants the ratio of the medians to be at
// most the bar. A first round that warms caches does not count. While the ratio is above, as many rounds are added, twice
// at most: a neighbour goes away, what is slow stays.
func hold(t *testing.T, what string, rounds int, bar float64, measure func() times) {
	t.Helper()
	const batches = 3
	measure()
	var ours, theirs []time.Duration
	var ratio float64
	for batch := range batches {
		for range rounds {
			round := measure()
			ours, theirs = append(ours, round.ours), append(theirs, round.theirs)
		}
		ratio = float64(median(ours)) / float64(median(theirs))
		fmt.Printf("BENCH %s: %.3g (%v against %v, bar %.3g)%s\n", what, ratio, short(median(ours)), short(median(theirs)), bar,
			strings.Repeat(" again", batch))
		if ratio <= bar {
			return
		}
	}
	t.Errorf("%s: ratio %.3g is above %.3g", what, ratio, bar)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// short leaves the first three or four digits of a time.
func short(d time.Duration) time.Duration { return d.Round(d/1000 + 1) }

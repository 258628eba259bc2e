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

// contestant is one of the commands that are compared.
type contestant struct {
	name string
	run  func() error
}

// quietly runs a command with its output thrown away.
func quietly(env []string, name string, args ...string) func() error {
	return func() error {
		command := exec.Command(name, args...)
		command.Env = append(os.Environ(), env...)
		return command.Run()
	}
}

// medians runs the contestants in turn, so that what disturbs one disturbs the other, and returns the
// median of each. A first round that warms caches does not count.
func medians(t *testing.T, rounds int, contestants ...contestant) []time.Duration {
	t.Helper()
	times := make([][]time.Duration, len(contestants))
	for round := range rounds + 1 {
		for i, contestant := range contestants {
			start := time.Now()
			if err := contestant.run(); err != nil {
				t.Fatalf("%s: %v", contestant.name, err)
			}
			if round > 0 {
				times[i] = append(times[i], time.Since(start))
			}
		}
	}
	result := make([]time.Duration, len(contestants))
	for i, samples := range times {
		slices.Sort(samples)
		result[i] = samples[len(samples)/2]
	}
	return result
}

// check reports a ratio, and fails when it is above the bar.
func check(t *testing.T, what string, ours, theirs time.Duration, bar float64) {
	t.Helper()
	ratio := float64(ours) / float64(theirs)
	fmt.Printf("BENCH %s: %.3g (%v against %v, bar %.3g)\n", what, ratio, short(ours), short(theirs), bar)
	if ratio > bar {
		t.Errorf("%s: ratio %.3g is above %.3g", what, ratio, bar)
	}
}

// short leaves the first three or four digits of a time.
func short(d time.Duration) time.Duration { return d.Round(d/1000 + 1) }

// Package bench measures kubectl-dra against kubectl and curl. All figures are ratios of medians, taken
// interleaved in one run, so that they hold on any machine; absolute times go to PERFORMANCE.md by hand.
package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
func timeOf(t *testing.T, variable, what string, count any) time.Duration {
	t.Helper()
	printed, err := exec.Command(program(t, variable), what, fmt.Sprint(count)).Output()
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
	command := exec.Command(os.Args[0], append([]string{name}, args...)...)
	command.Env = append(append(os.Environ(), env...), measuresMemory+"=1")
	var complaint strings.Builder
	command.Stderr = &complaint
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("%s %q: %v: %s", name, args, err, &complaint)
	}
	used, err := strconv.ParseInt(string(printed), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	shown := slices.Clone(args)
	for i, arg := range shown {
		shown[i] = filepath.Base(arg)
	}
	told("memory of `"+strings.Join(shown, " ")+"`", fmt.Sprintf("%d MB", used), "", "", fmt.Sprintf("%d MB", most))
	if used > most {
		t.Errorf("%q took %d MB, more than %d", args, used, most)
	}
}

const measuresMemory = "KUBECTL_DRA_MEASURES_MEMORY"

// TestMain turns this program into one that runs a command and prints how many MB it took. Linux counts what the parent
// had as memory of its child, too, and the parent has to be small.
func TestMain(m *testing.M) {
	if os.Getenv(measuresMemory) == "" {
		code := m.Run()
		if err := writeFigures(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(code)
	}
	command := exec.Command(os.Args[1], os.Args[2:]...)
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		fmt.Fprintln(os.Stderr, "the memory of a process is not known here")
		os.Exit(1)
	}
	fmt.Print(usage.Maxrss >> 10)
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
	measure()
	holdWarm(t, what, rounds, bar, measure)
}

// holdWarm is for programs that read files alone, which were read just before: there is nothing else to warm.
func holdWarm(t *testing.T, what string, rounds int, bar float64, measure func() times) {
	t.Helper()
	const batches = 3
	var ours, theirs []time.Duration
	var ratio float64
	for range batches {
		for range rounds {
			round := measure()
			ours, theirs = append(ours, round.ours), append(theirs, round.theirs)
		}
		ratio = float64(median(ours)) / float64(median(theirs))
		told(what, short(median(ours)).String(), short(median(theirs)).String(), fmt.Sprintf("%.3g", ratio), fmt.Sprintf("%.3g", bar))
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

package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// featuresOf137 are those of a scheduler with default gates.
var featuresOf137 = structured.Features{AdminAccess: true, ConsumableCapacity: true, DeviceBindingAndStatus: true,
	DeviceTaints: true, PartitionableDevices: true, PrioritizedList: true}

// Get and the like make the fleet the lister of classes that the allocator asks.
func (f *fleet) Get(name string) (*resourceapi.DeviceClass, error) {
	if name != f.class.Name {
		return nil, fmt.Errorf("no class %s", name)
	}
	return f.class, nil
}

func (f *fleet) List() ([]*resourceapi.DeviceClass, error) {
	return []*resourceapi.DeviceClass{f.class}, nil
}

// allocate lets the scheduler's allocator look for the claim on every node, and says how long that took and on how many
// nodes the claim fits.
func (f *fleet) allocate(t *testing.T, ctx context.Context, claim *resourceapi.ResourceClaim) (took time.Duration, fits int) {
	t.Helper()
	state := structured.AllocatedState{AllocatedDevices: sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](), AggregatedCapacity: structured.NewConsumedCapacityCollection()}
	start := time.Now()
	for _, held := range f.held {
		for _, result := range held.Status.Allocation.Devices.Results {
			state.AllocatedDevices.Insert(structured.MakeDeviceID(result.Driver, result.Pool, result.Device))
		}
	}
	allocator, err := structured.NewAllocator(ctx, featuresOf137, state, f, f.slices, cel.NewCache(10, cel.Features{EnableConsumableCapacity: true}))
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range f.nodes {
		result, err := allocator.Allocate(ctx, node, []*resourceapi.ResourceClaim{claim})
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if len(result) > 0 {
			fits++
		}
	}
	return time.Since(start), fits
}

// measured is what measure_allocator prints.
type measured struct {
	Nanoseconds float64 `json:"nanoseconds"` // of one round, the median
	Fits        int     `json:"fits"`        // nodes
	Reasons     int     `json:"reasons"`     // of all nodes
	Undecided   int     `json:"undecided"`   // nodes
	Memory      int64   `json:"memory"`      // bytes at most, beyond those of the process before it read anything
	WithHelp    float64 `json:"withHelp"`    // nanoseconds, where it fits nowhere: with conflicts and advice
	Advice      int     `json:"advice"`      // pieces of it, if there are conflicts
}

func (m measured) time() time.Duration { return time.Duration(m.Nanoseconds) }

func measureAllocator(t *testing.T, folder, claim string, rounds int) measured {
	t.Helper()
	printed, err := exec.Command(program(t, "KUBECTL_DRA_MEASURE_ALLOCATOR"), folder, claim, strconv.Itoa(rounds)).Output()
	if err != nil {
		t.Fatal(err)
	}
	var out measured
	if err := json.Unmarshal(printed, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// claims are those of which the allocator is asked, with whether they fit.
var claims = []struct {
	what  string
	claim *resourceapi.ResourceClaim
	fits  bool
}{
	{"a claim that fits nowhere", claimOf("nowhere", nil, exactly("gpu", 7)), false},
	{"a claim that fits everywhere", claimOf("everywhere", nil, exactly("gpu", 1)), true},
	{"two requests with one value", claimOf("pairs", matching("resource.kubernetes.io/pcieRoot"), exactly("one", 1), exactly("other", 1)), true},
	{"two requests that have no value in common", claimOf("no-pairs", matching("resource.kubernetes.io/pcieRoot"), exactly("one", 2), exactly("other", 1)), false},
}

func claimsOf() (all []*resourceapi.ResourceClaim) {
	for _, one := range claims {
		all = append(all, one.claim)
	}
	return all
}

// TestAllocator holds what the engine takes for 5,000 nodes, reasons and all, against the scheduler's allocator.
func TestAllocator(t *testing.T) {
	f := newFleet(5000, claimsOf()...)
	folder, size := f.write(t)
	for _, one := range claims {
		var memory []int64
		hold(t, one.what, 5, 0.1, func() times {
			out := measureAllocator(t, folder, one.claim.Name, 15)
			took, fits := f.allocate(t, context.Background(), one.claim)
			if want := map[bool]int{true: len(f.nodes)}[one.fits]; fits != want || out.Fits != want || out.Undecided != 0 {
				t.Fatalf("%s fits on %d nodes, we say %d, upstream %d, undecided %d", one.what, want, out.Fits, fits, out.Undecided)
			}
			if !one.fits && out.Reasons < len(f.nodes) {
				t.Errorf("%s: only %d reasons for %d nodes", one.what, out.Reasons, len(f.nodes))
			}
			memory = append(memory, out.Memory)
			return times{ours: out.time(), theirs: took}
		})
		checkMemory(t, one.what, memory, size)
	}
}

// TestExplanation holds the engine's answer with conflicts and advice against its plain answer.
func TestExplanation(t *testing.T) {
	f := newFleet(5000, claimsOf()...)
	folder, _ := f.write(t)
	for _, one := range claims {
		if one.fits {
			continue
		}
		hold(t, one.what+", with conflicts and advice", 5, 5, func() times {
			out := measureAllocator(t, folder, one.claim.Name, 3)
			if out.Advice == 0 {
				t.Fatalf("%s: no conflicts, or no advice", one.what)
			}
			return times{ours: time.Duration(out.WithHelp), theirs: out.time()}
		})
	}
}

// checkMemory wants the cluster and what is found out about it to take no more than three times the bytes of the text. Of
// the runs the least counts: pages of files that others have read may be counted, too.
func checkMemory(t *testing.T, what string, runs []int64, text int64) {
	t.Helper()
	memory := slices.Min(runs)
	t.Logf("%s: %d MB of memory for %d MB of JSON, ratio %.2f", what, memory>>20, text>>20, float64(memory)/float64(text))
	if memory > 3*text {
		t.Errorf("%s takes %d MB of memory for %d MB of JSON", what, memory>>20, text>>20)
	}
}

// TestAllocatorScales wants four times the nodes to take four times as long, and as much again at most for what no longer
// fits into the processor's caches and its tables of pages, which is more while neighbours use these, too. What grows with
// the square of the nodes takes sixteen times as long.
func TestAllocatorScales(t *testing.T) {
	const few, many = 16_250, 65_000
	one := claims[0].claim
	small, _ := newFleet(few, one).write(t)
	large, size := newFleet(many, one).write(t)
	debug.FreeOSMemory() // what these were written from is not collected beside what is measured
	var memory []int64
	hold(t, "4 times the nodes", 3, 2*many/few, func() times {
		short := measureAllocator(t, small, one.Name, 5)
		long := measureAllocator(t, large, one.Name, 5)
		memory = append(memory, long.Memory)
		return times{ours: long.time(), theirs: short.time()}
	})
	checkMemory(t, "65,000 nodes", memory, size)
	commandsScale(t, small, large, 2*many/few)
}

// commandsScale wants the same of the commands that look at a whole recording; an explanation may take twice as long as what
// only reads and counts.
func commandsScale(t *testing.T, small, large string, bar float64) {
	few, many := joined(t, small), joined(t, large)
	ours := program(t, "KUBECTL_DRA_RELEASE")
	run := func(args []string, file string) func() time.Duration {
		return func() time.Duration {
			return average(1, func() {
				command := exec.Command(ours, append(args, "--snapshot", file)...)
				command.Env = append(os.Environ(), "KUBECTL_DRA_MAX_READ=4G")
				if err := command.Run(); command.ProcessState.ExitCode() != 0 && command.ProcessState.ExitCode() != 2 {
					t.Fatalf("%q: %v", args, err)
				}
			})
		}
	}
	overview, explain := []string{"overview"}, []string{"explain", "claim", claims[0].claim.Name}
	for _, args := range [][]string{overview, explain, {"doctor"}, {"top", "nodes"}, {"topology", "node", "node-00012"},
		{"devices", "--node", "node-00012"}} {
		holdWarm(t, args[0]+" of 4 times the nodes", 1, bar, inTurn(run(args, many), run(args, few)))
	}
	holdWarm(t, "explain against overview, 65,000 nodes", 1, 2, inTurn(run(explain, many), run(overview, many)))
}

// joined puts the pages of a fleet into one file.
func joined(t *testing.T, folder string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "fleet.json")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	pages, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(folder, page.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	return name
}

// TestEqualDevices is about combinations of many equal devices of which none will do: upstream tries them all.
func TestEqualDevices(t *testing.T) {
	claim := claimOf("equal", matching("gpu.example.com/numa"), exactly("one", 10), exactly("other", 10))
	f := newFleet(1, claim)
	f.held = nil
	f.slices[0].Spec.Devices = nil
	for i := range 32 {
		device := fleetDevice(0, i)
		*device.Attributes["numa"].IntValue = int64(i % 2)
		f.slices[0].Spec.Devices = append(f.slices[0].Spec.Devices, device)
	}
	folder, _ := f.write(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	took, fits := f.allocate(t, ctx, claim)
	if fits > 0 || ctx.Err() == nil {
		t.Fatalf("upstream is done after %v", took)
	}
	out := measureAllocator(t, folder, claim.Name, 1)
	if out.Fits > 0 {
		t.Error("it fits")
	}
	if ratio := out.Nanoseconds / float64(took); ratio > 0.1 {
		t.Errorf("32 equal devices: ratio %.3g", ratio)
	}
}

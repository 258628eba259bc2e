package bench

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const (
	fixtures      = "../fixtures/"
	recorded      = "instructions.txt"
	updateCounts  = "KUBECTL_DRA_UPDATE_INSTRUCTIONS"
	mostInPercent = 120 // of what is recorded
)

// counted are commands that take the same steps on any machine.
var counted = []string{
	"version --client",
	"overview --snapshot " + fixtures + "gke-tpu-v5p-2x2x4-degraded.yaml",
	"explain --pending -A --snapshot " + fixtures + "gpu-a100-fungibility.yaml",
	"doctor --snapshot " + fixtures + "gpu-mig-partitionable.yaml",
	"devices -o wide --snapshot " + fixtures + "nic-gpu-cpu-alignment.yaml",
	"topology --snapshot " + fixtures + "gke-tpu-v6e-4x8-subslices.yaml",
	"validate -f " + fixtures + "claims.yaml",
	"slices -o yaml --snapshot " + fixtures + "device-taints.yaml",
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// TestInstructions counts what no neighbour disturbs, and fails where a command takes more than a fifth more than is recorded.
// With KUBECTL_DRA_UPDATE_INSTRUCTIONS=1 it records.
func TestInstructions(t *testing.T) {
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Fatal("valgrind is missing: run .ci/deps test")
	}
	known := readCounts(t)
	var text strings.Builder
	for _, line := range counted {
		count := instructions(t, line)
		fmt.Fprintf(&text, "%d %s\n", count, line)
		fmt.Printf("BENCH instructions of %s: %d million (%d recorded)\n", line, count/1e6, known[line]/1e6)
		if os.Getenv(updateCounts) == "" && count > known[line]*mostInPercent/100 {
			t.Errorf("%s takes %d instructions, %d are recorded: make it cheaper, or say why and record with %s=1", line, count, known[line], updateCounts)
		}
	}
	if os.Getenv(updateCounts) != "" {
		if err := os.WriteFile(recorded, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func instructions(t *testing.T, line string) int64 {
	t.Helper()
	args := append([]string{"--tool=callgrind", "--callgrind-out-file=/dev/null", program(t, "KUBECTL_DRA_RELEASE")}, strings.Fields(line)...)
	command := exec.Command("valgrind", args...)
	command.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}
	said, err := command.CombinedOutput()
	found := collected.FindSubmatch(said)
	if found == nil {
		t.Fatalf("%s: %v\n%s", line, err, said)
	}
	count, err := strconv.ParseInt(string(found[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return count
}

func readCounts(t *testing.T) map[string]int64 {
	t.Helper()
	file, err := os.Open(recorded)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	counts := map[string]int64{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		number, line, _ := strings.Cut(lines.Text(), " ")
		if counts[line], err = strconv.ParseInt(number, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	return counts
}

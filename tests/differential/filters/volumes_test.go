// This file is about the filters for volumes, for taints with numbers and for declared features: the scheduler's own of
// each release answer for every node of a generated cluster, and so does the plugin.

package filters

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"kubectl-dra/tests/program"
	"kubectl-dra/tests/soak"
)

// volumeReleases are those whose caches of volumes can be filled without a server.
var volumeReleases = []string{"v135", "v136", "v137"}

// volumeWords are ours for upstream's messages, or parts of them.
var volumeWords = []struct{ part, word string }{
	{"waiting for ephemeral volume controller", "VolumeClaimMissing"},
	{"is being deleted", "VolumeClaimMissing"},
	{"was not created for pod", "VolumeClaimMissing"},
	{"bound to non-existent persistentvolume", "VolumeLost"},
	{"persistentvolumeclaim \"", "VolumeClaimMissing"},
	{"persistentvolume \"", "VolumeLost"},
	{"pod has unbound immediate PersistentVolumeClaims", "VolumeClaimUnbound"},
	{"pvc(s) bound to non-existent pv(s)", "VolumeLost"},
	{"node(s) didn't match PersistentVolume's node affinity", "VolumeElsewhere"},
	{"node(s) had no available volume zone", "VolumeElsewhere"},
	{"node(s) didn't find available persistent volumes to bind", "VolumeUnavailable"},
	{"node(s) did not have enough free storage", "VolumeCapacity"},
	{"node(s) exceed max volume count", "VolumeLimit"},
	{"CSI driver is not installed on the node", "VolumeDriverMissing"},
	{"node(s) had no available disk", "DiskInUse"},
	{"ReadWriteOncePod access mode already in-use", "VolumeInUse"},
	{"node(s) had untolerated taint(s)", "NodeTainted"},
	{"node(s) didn't match Pod's required features", "NodeFeatures"},
}

func volumeWord(t *testing.T, message string) string {
	t.Helper()
	for _, known := range volumeWords {
		if strings.Contains(message, known.part) {
			return known.word
		}
	}
	t.Fatalf("what is %q?", message)
	return ""
}

// volumeAnswer is an oracle's answer in the form of ours: "n1 VolumeElsewhere;n2 VolumeLimit".
func volumeAnswer(t *testing.T, answer string) string {
	t.Helper()
	var said []string
	if err := json.Unmarshal([]byte(answer), &said); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, one := range said {
		node, message, _ := strings.Cut(one, ": ")
		all = append(all, node+" "+volumeWord(t, message))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ";")
}

func TestFiltersOfVolumes(t *testing.T) {
	eachRelease(t, volumeReleases, compareVolumes)
}

func compareVolumes(t *testing.T, release string) {
	ours := program.RunOurs(t, answererEnv, "answer_filters", "volumes", versionOf(release))
	theirs := program.Run(t, buildOracle(t, release), "volumes")
	r := newRandom(os.Getenv(seedEnv) + release)
	reached := map[string]int{}
	differences := 0
	count := casesOfEach * soak.Times()
	for range count {
		line := r.storage().line(t)
		said, err := ours.Ask(line)
		if err != nil {
			t.Fatalf("no answer to %s: %v", line, err)
		}
		answer, err := theirs.Ask(line)
		if err != nil {
			t.Fatalf("no answer to %s: %v", line, err)
		}
		want := volumeAnswer(t, answer)
		words := map[string]bool{}
		for _, one := range strings.Split(want, ";") {
			_, word, _ := strings.Cut(one, " ")
			words[word] = true
		}
		for word := range words {
			reached[word]++
		}
		if said == want {
			continue
		}
		if differences++; differences <= shownDifferences {
			t.Errorf("%s\n  ours      %q\n  upstream  %q", line, said, want)
		}
	}
	t.Logf("%d clusters, %d differences: %v", count, differences, reached)
	for _, known := range volumeWords {
		absent := release == "v135" && known.word == "NodeFeatures" // off by default
		if !absent && float64(reached[known.word]) < leastShare*float64(count) {
			t.Errorf("the outcome %q was reached only %d times in %d", known.word, reached[known.word], count)
		}
	}
}

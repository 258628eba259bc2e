// This file is about the manifests that are asked about, and the servers that answer.

package validate_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kubectl-dra/tests/cluster/manifests"
	"kubectl-dra/tests/soak"
)

const (
	seedEnv = "KUBECTL_DRA_SEED"

	twoChanges = 2000 // manifests with two changes
	policies   = 100  // request policies of slices
)

// setting is how a server is started, and what the plugin is told of that.
type setting struct {
	name  string
	gates map[string]bool
	told  string
}

// settings are the gates of a release as they are, and a server that does whatever it can. Storage versions are
// registered by a controller for which such a server would wait, and nothing runs one here.
var settings = []setting{
	{name: "default-gates"},
	{
		name:  "all-gates",
		gates: map[string]bool{"AllAlpha": true, "AllBeta": true, "StorageVersionAPI": false},
		told: "DRADerivedAttributes=true,DRADeviceCompatibilityGroups=true,DRAFractionalCapacityRange=true,DRAListTypeAttributes=true," +
			"DRANodeAllocatableResources=true,DRAOptionalNodeOperations=true,DRAPartitionableDevicesType=true,DRAWorkloadResourceClaims=true",
	},
}

// TestManifests asks servers about everything that is generated.
func TestManifests(t *testing.T) {
	t.Parallel()
	same, drawn := generate(t)
	all := slices.Concat(same, drawn)
	dir := os.Getenv(dumpEnv)
	if dir == "" {
		dir = t.TempDir()
	}
	files := writeManifests(t, filepath.Join(dir, "manifests"), all)
	var reached []string
	for _, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			answers := newOracle(t, s.gates).askAll(t, all)
			if os.Getenv(dumpEnv) != "" {
				dump(t, dir, s.name, all, files, answers)
			}
			t.Log(summary(all, answers))
			expectGood(t, s, all, answers)
			expectAgreement(t, s, all, files, answers)
			reached = append(reached, reachedBy(same, answers)...)
		})
	}
	expectReached(t, reached)
}

// generate returns manifests that are the same in every run, so that it is known what they reach: the good ones, and such
// as have something changed. And it returns others, which depend on the seed.
func generate(t *testing.T) (same, drawn []*manifests.Manifest) {
	t.Helper()
	fixed, random := rand.New(rand.NewPCG(1, 0)), seeded(t, 0)
	factor := soak.Times()
	made := func(list []*manifests.Manifest, err error) []*manifests.Manifest {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	same = slices.Concat(made(manifests.Good()), made(manifests.Special()), made(manifests.One(fixed)),
		made(manifests.Policies(fixed, policies)))
	drawn = slices.Concat(made(manifests.Two(random, twoChanges*factor)), made(manifests.Policies(random, policies*factor)))
	if factor > 1 {
		drawn = slices.Concat(drawn, made(manifests.All(random)))
	}
	return same, drawn
}

// expectGood fails if the server refuses a good manifest. Attributes that are lists, and nothing else, are dropped where
// their gate is off, and then have no value.
func expectGood(t *testing.T, s setting, all []*manifests.Manifest, answers []answer) {
	t.Helper()
	for i, m := range all {
		if m.Changes == "" && answers[i].phase != accepted && (m.Base != "lists" || s.told != "") {
			t.Errorf("%s %s of %s should be good: %v", m.Kind, m.Base, m.APIVersion, answers[i].causes)
		}
	}
}

// seeded returns a stream of numbers that depends on the seed. Each test has streams of its own.
func seeded(t *testing.T, stream uint64) *rand.Rand {
	t.Helper()
	seed := os.Getenv(seedEnv)
	if seed == "" {
		t.Fatalf("%s is not set", seedEnv)
	}
	t.Logf("%s=%s", seedEnv, seed)
	hash := fnv.New64a()
	fmt.Fprint(hash, seed)
	return rand.New(rand.NewPCG(hash.Sum64(), stream))
}

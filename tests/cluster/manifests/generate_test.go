// This file is about what the generator must have: every field, and more than enough manifests.

package manifests

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestEveryFieldIsInAGoodManifest(t *testing.T) {
	bases, err := readBases()
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		if target.apiVersion == "v1" || target.apiVersion == "apps/v1" || target.apiVersion == "batch/v1" {
			continue // of pods, only what has to do with claims
		}
		has := map[string]bool{}
		for _, b := range bases {
			if b.target != target {
				continue
			}
			for _, s := range walk(b.root, b.typ) {
				has[s.path] = true
			}
		}
		for _, path := range allPaths(target.typ, "") {
			if !has[path] && !target.isNeverGood(path) {
				t.Errorf("no good %s of %s has %s", target.kind, target.apiVersion, path)
			}
		}
	}
}

func TestManifestsAreMany(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	made, err := One(r)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, m := range made {
		counts[m.Kind+"."+m.Version()]++
	}
	all, err := All(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d: %v", len(made), len(all), counts)
	if len(made) < 3000 {
		t.Errorf("only %d manifests have one change", len(made))
	}
}

// isNeverGood tells whether no good manifest has the field: the namespace of what is in none, and all metadata but labels and
// annotations of what a template makes.
func (t target) isNeverGood(path string) bool {
	if strings.HasPrefix(path, "spec.metadata.") {
		return path != "spec.metadata.labels" && path != "spec.metadata.annotations"
	}
	return path == "metadata.namespace" && !t.isNamespaced()
}

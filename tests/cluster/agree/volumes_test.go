// This file is about pods whose volumes decide where they can go.

package agree_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"kubectl-dra/tests/cluster/harness"
)

// podsWithVolumes are the waiting pods of the golden scene, each with the nodes that are open to it, or what the scheduler
// says where there is none.
var podsWithVolumes = map[string]struct {
	nodes string
	says  string
	code  string
}{
	"no-claim":   {says: "persistentvolumeclaim \"cache\" not found", code: "VolumeClaimMissing"},
	"other-zone": {says: "didn't match PersistentVolume's node affinity", code: "VolumeElsewhere"},
	"no-local":   {says: "didn't find available persistent volumes to bind", code: "VolumeUnavailable"},
	"too-many":   {says: "exceed max volume count", code: "VolumeLimit"},
	"single":     {says: "ReadWriteOncePod access mode already in-use", code: "VolumeInUse"},
	"fits-local": {nodes: "gpu-a1"},
}

// TestVolumesDecide loads the golden scene, explains its waiting pods, and lets the scheduler decide.
func TestVolumesDecide(t *testing.T) {
	t.Parallel()
	state := readGoldenScene(t, "volumes.yaml")
	c := newCluster(t, harness.Options{})
	c.load(t, state)
	said := map[string]explanation{}
	for name, want := range podsWithVolumes {
		said[name] = c.explain(t, "default", name)
		var open, against []string
		for _, node := range said[name].Nodes {
			if node.open() {
				open = append(open, node.Name)
			}
			against = append(against, codes(node.OtherReasons)...)
		}
		if got := strings.Join(open, " "); got != want.nodes {
			t.Errorf("%s: open are %q, and should be %q: %s", name, got, want.nodes, said[name].Summary)
		}
		if want.code != "" && !strings.Contains(strings.Join(against, " "), want.code) {
			t.Errorf("%s: %v is without %s", name, against, want.code)
		}
		if len(said[name].NotSimulated) > 0 {
			t.Errorf("%s: %v is not simulated", name, said[name].NotSimulated)
		}
	}
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range podsWithVolumes {
		if want.nodes != "" {
			continue // it is bound only when its volume is, and no controller binds volumes here
		}
		condition := scheduled(c.judged(t, "default", name))
		if condition.Status == corev1.ConditionTrue || !strings.Contains(condition.Message, want.says) {
			t.Errorf("%s: the plugin says %s, the scheduler %q, and should %q", name, said[name].Summary, condition.Message, want.says)
		}
	}
}

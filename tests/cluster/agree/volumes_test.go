// This file is about pods whose volumes decide where they can go.

package agree_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"kubectl-dra/tests/cluster/harness"
)

// podsWithVolumes are the waiting pods of the golden scene.
var podsWithVolumes = map[string]decided{
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
	said := c.explainAll(t, podsWithVolumes)
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

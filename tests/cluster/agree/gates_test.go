// This file is about the feature gates that a server tells among its metrics to whoever may read these.

package agree_test

import (
	"testing"

	"kubectl-dra/tests/cluster/harness"
)

func TestGatesOfTheServer(t *testing.T) {
	t.Parallel()
	changed := map[string]bool{"DRAListTypeAttributes": true, "DRAConsumableCapacity": false, "DRAFractionalCapacityRange": false}
	c := newCluster(t, harness.Options{FeatureGates: changed})
	c.load(t, readFixture(t, "pods-pending.yaml"))
	// The recording has them, too: explain asks both.
	told := c.explain(t, "pending", "p01-no-device").Server
	if told.Assumed || told.Gates["DRAPrioritizedList"] != true || told.Gates["DRADerivedAttributes"] != false {
		t.Errorf("the server is %+v", told)
	}
	for name, on := range changed {
		if got, known := told.Gates[name]; !known || got != on {
			t.Errorf("gate %s: %t, known: %t, and should be %t", name, got, known, on)
		}
	}
	if set := c.explain(t, "pending", "p01-no-device", "--feature-gates=DRAListTypeAttributes=false").Server; set.Gates["DRAListTypeAttributes"] || set.Assumed {
		t.Errorf("with a flag the server is %+v", set)
	}
	if other := c.explain(t, "pending", "p01-no-device", "--assume-server=v1.36.0").Server; !other.Assumed || len(other.Gates) > 0 {
		t.Errorf("another server is %+v", other)
	}
	// Who may read claims only is told the release's defaults, and nothing fails.
	c.grant(t, "bob", "resourceclaims", "resourceslices", "deviceclasses", "devicetaintrules", "pods")
	var report explanation
	got := c.as(t, "bob").plugin(t, "explain", "pod", "p01-no-device", "-n", "pending", "-o", "json")
	decode(t, got.stdout, &report)
	if !report.Server.Assumed || len(report.Server.Gates) > 0 || report.Server.Version != told.Version {
		t.Errorf("without the right the server is %+v: %+v", report.Server, got)
	}
}

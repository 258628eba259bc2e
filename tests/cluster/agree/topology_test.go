// This file is about pictures that follow what happens on a live plane: chips are given to a claim, given back,
// tainted, and vanish.

package agree_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/harness"
)

// picture is what the topology says, by device; chips that are gone count by host.
type picture struct {
	states map[string]string // "allocated research/taken" by ID
	gone   map[string]int    // by node
	tiles  string            // "2x2 5/8, 2x4 1/4"
}

func (c *cluster) picture(t *testing.T) picture {
	t.Helper()
	c.record(t)
	var report struct {
		Grids []struct {
			Hosts []struct{ Node string }
			Cells []struct {
				ID, State string
				Host      int
				Claims    []string
			}
			Tiles []struct {
				Shape       string
				Total, Free int
			}
		}
	}
	c.report(t, &report, nil, "topology")
	if len(report.Grids) != 1 {
		t.Fatalf("%d grids", len(report.Grids))
	}
	drawn := picture{map[string]string{}, map[string]int{}, ""}
	for _, cell := range report.Grids[0].Cells {
		if cell.ID == "" {
			drawn.gone[report.Grids[0].Hosts[cell.Host].Node]++
			continue
		}
		drawn.states[cell.ID] = strings.Join(append([]string{cell.State}, cell.Claims...), " ")
	}
	var tiles []string
	for _, one := range report.Grids[0].Tiles {
		if one.Total > 0 && one.Shape != "1x1" {
			tiles = append(tiles, fmt.Sprintf("%s %d/%d", one.Shape, one.Free, one.Total))
		}
	}
	drawn.tiles = strings.Join(tiles, ", ")
	return drawn
}

// follows checks that the picture has changed in these devices and no others.
func (p picture) follows(t *testing.T, what string, before picture, changed map[string]string, tiles string) {
	t.Helper()
	want := maps.Clone(before.states)
	maps.Copy(want, changed)
	for id, state := range want {
		if p.states[id] != state {
			t.Errorf("%s: %s is %q, want %q", what, id, p.states[id], state)
		}
	}
	if p.tiles != tiles {
		t.Errorf("%s: free parts %q, want %q", what, p.tiles, tiles)
	}
}

func TestTopologyFollows(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.load(t, without(readFixture(t, "gke-tpu-v6e-4x8-subslices.yaml"), "Event"))
	const host = "gke-v6e-4x8-pool-71d0aa42-w5"
	before := c.picture(t)
	chips := map[string]string{}
	for id, state := range before.states {
		if strings.Contains(id, "/"+host+"/") {
			chips[id] = state
		}
	}
	if len(before.states) != 32 || len(chips) != 4 || slices.Max(slices.Collect(maps.Values(chips))) != "free" {
		t.Fatalf("%v", before.states)
	}
	with := func(state string) map[string]string {
		all := map[string]string{}
		for id := range chips {
			all[id] = state
		}
		return all
	}
	const all, fewer = "2x2 5/8, 2x4 1/4, 4x4 0/2, 4x8 0/1", "2x2 4/8, 2x4 0/4, 4x4 0/2, 4x8 0/1"
	before.follows(t, "nothing has happened", before, nil, all)

	var results []string
	for id := range chips {
		results = append(results, fmt.Sprintf("{request: r, driver: tpu.google.com, pool: %s, device: %q}", host, id[strings.LastIndex(id, "/")+1:]))
	}
	c.loadText(t, fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: taken, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: tpu.google.com, allocationMode: All}}]}}
status: {allocation: {devices: {results: [%s]}}}
`, strings.Join(results, ", ")))
	c.picture(t).follows(t, "allocated", before, with("allocated default/taken"), fewer)

	if got := c.kubectl(t, "delete", "resourceclaim", "taken"); got.exit != 0 {
		t.Fatal(got.stderr)
	}
	c.picture(t).follows(t, "deleted", before, with("free"), all)

	c.apply(t, fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: watch}
spec: {deviceSelector: {driver: tpu.google.com, pool: %s}, taint: {key: example.com/watch, effect: NoSchedule}}
`, host))
	c.picture(t).follows(t, "tainted", before, with("tainted"), fewer)

	slice := c.kubectl(t, "get", "resourceslices", "-o", `jsonpath={.items[?(@.spec.nodeName=="`+host+`")].metadata.name}`)
	if got := c.kubectl(t, "delete", "resourceslice", strings.TrimSpace(slice.stdout)); got.exit != 0 {
		t.Fatal(got.stderr)
	}
	gone := c.picture(t)
	if len(gone.states) != 28 || gone.gone[host] != 4 || gone.tiles != fewer {
		t.Errorf("after the slice is gone: %d chips, %v missing, %s", len(gone.states), gone.gone, gone.tiles)
	}
}

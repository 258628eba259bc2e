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
	asked  []string          // the IDs of what was asked for
	gone   map[string]int    // by node
	lost   map[string]int    // what a claim holds and nobody publishes, by claim
	tiles  string            // "2x2 5/8, 2x4 1/4"
}

func (c *cluster) picture(t *testing.T, of ...string) picture {
	t.Helper()
	c.record(t)
	var report struct {
		Grids []struct {
			Hosts []struct{ Node string }
			Cells []struct {
				ID, State string
				Asked     bool
				Host      int
				Claims    []string
			}
			Tiles []struct {
				Shape       string
				Total, Free int
			}
		}
		Gone []struct {
			Claim   string
			Devices []string
		}
	}
	c.report(t, &report, nil, append([]string{"topology"}, of...)...)
	if len(report.Grids) != 1 {
		t.Fatalf("%d grids", len(report.Grids))
	}
	drawn := picture{states: map[string]string{}, gone: map[string]int{}, lost: map[string]int{}}
	for _, one := range report.Gone {
		drawn.lost[one.Claim] = len(one.Devices)
	}
	for _, cell := range report.Grids[0].Cells {
		if cell.ID == "" {
			drawn.gone[report.Grids[0].Hosts[cell.Host].Node]++
			continue
		}
		if cell.Asked {
			drawn.asked = append(drawn.asked, cell.ID)
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
	allocate := func(name string) {
		c.loadText(t, fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %s, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: tpu.google.com, allocationMode: All}}]}}
status: {allocation: {devices: {results: [%s]}}}
`, name, strings.Join(results, ", ")))
	}
	allocate("taken")
	c.picture(t).follows(t, "allocated", before, with("allocated default/taken"), fewer)
	of := c.picture(t, "claim", "taken", "-n", "default")
	of.follows(t, "of the claim", before, with("allocated default/taken"), fewer)
	slices.Sort(of.asked)
	if want := slices.Sorted(maps.Keys(chips)); !slices.Equal(of.asked, want) {
		t.Errorf("asked for %v, want %v", of.asked, want)
	}

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

	allocate("kept")
	slice := c.kubectl(t, "get", "resourceslices", "-o", `jsonpath={.items[?(@.spec.nodeName=="`+host+`")].metadata.name}`)
	if got := c.kubectl(t, "delete", "resourceslice", strings.TrimSpace(slice.stdout)); got.exit != 0 {
		t.Fatal(got.stderr)
	}
	for _, of := range [][]string{nil, {"claim", "kept", "-n", "default"}, {"node", host}} {
		gone := c.picture(t, of...)
		if len(gone.states) != 28 || gone.gone[host] != 4 || gone.lost["default/kept"] != 4 || gone.tiles != fewer {
			t.Errorf("%v after the slice is gone: %d chips, %v missing, %v held, %s", of, len(gone.states), gone.gone, gone.lost, gone.tiles)
		}
	}
}

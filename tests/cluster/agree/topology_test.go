// This file is about pictures that follow what happens on a live plane: chips are given to a claim, given back,
// tainted, and vanish. Whatever the JSON says, the text and the SVG show.

package agree_test

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/harness"
)

// picture is what the topology says, by device; chips that are gone count by host.
type picture struct {
	states map[string]string // "allocated research/taken" by ID
	taints map[string]string // by ID
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
				Taints    []string
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
	drawn := picture{states: map[string]string{}, taints: map[string]string{}, gone: map[string]int{}, lost: map[string]int{}}
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
		drawn.taints[cell.ID] = strings.Join(cell.Taints, ", ")
		drawn.states[cell.ID] = strings.Join(append([]string{cell.State}, cell.Claims...), " ")
	}
	var tiles []string
	for _, one := range report.Grids[0].Tiles {
		if one.Total > 0 && one.Shape != "1x1" {
			tiles = append(tiles, fmt.Sprintf("%s %d/%d", one.Shape, one.Free, one.Total))
		}
	}
	drawn.tiles = strings.Join(tiles, ", ")
	args := append([]string{"topology"}, of...)
	drawn.compare(t, c.ask(t, args...).stdout, c.plugin(t, append(args, "-o", "svg")...).stdout)
	return drawn
}

// drawnChip is a place of a grid in an SVG: what it is about, where it stands, its mark.
type drawnChip struct {
	about string
	x, y  int
	mark  string
}

var drawnPlace = regexp.MustCompile(`<title>(?:assumed place|x\d+ y\d+), ([^<]*)</title><rect [^>]*x="(\d+)" y="(\d+)"[^>]*/><text [^>]*>([^<]*)</text>`)

// placesIn returns the places of an SVG as one reads them.
func placesIn(svg string) (places []drawnChip) {
	for _, one := range drawnPlace.FindAllStringSubmatch(svg, -1) {
		x, _ := strconv.Atoi(one[2])
		y, _ := strconv.Atoi(one[3])
		places = append(places, drawnChip{one[1], x, y, one[4]})
	}
	slices.SortFunc(places, func(a, b drawnChip) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	return places
}

// marksIn returns the marks between the lines of a text, as one reads them, and the letters of claims in its legend.
func marksIn(text string) (marks []string, letters map[string]string) {
	for line := range strings.SplitSeq(text, "\n") {
		if end := strings.LastIndex(line, "│"); end >= 0 {
			marks = append(marks, strings.Fields(strings.ReplaceAll(line[:end], "│", " "))...)
		}
	}
	letters = map[string]string{}
	for _, one := range regexp.MustCompile(`(?m)^  (\w)  (\S+/\S+)`).FindAllStringSubmatch(text, -1) {
		letters[one[2]] = one[1]
	}
	return marks, letters
}

// compare holds the text and the SVG to what the JSON says: each chip has the mark of its state or of its claim, and
// the marks stand in the same places.
func (p picture) compare(t *testing.T, text, svg string) {
	t.Helper()
	marks, letters := marksIn(text)
	var drawn []string
	seen, gone, missing := 0, 0, 0
	for _, one := range placesIn(svg) {
		drawn = append(drawn, one.mark)
		id, words, named := strings.Cut(one.about, ": ")
		if !named || id == "missing" {
			gone++
			continue
		}
		seen++
		state, claim, _ := strings.Cut(p.states[id], " ")
		if state == "allocated" {
			state = "in use"
		}
		said, want := state, map[string]string{"free": ".", "tainted": "x"}[state]
		if claim != "" {
			said, want = state+", claim "+claim, letters[claim]
		}
		if taints := p.taints[id]; taints != "" {
			said += ", taints " + taints
			if claim != "" {
				want += "x"
			}
		}
		if slices.Contains(p.asked, id) {
			said, want = said+", asked for", "["+want+"]"
		}
		if words != said || one.mark != want {
			t.Errorf("%s is %q with the mark %q, want %q with %q", id, words, one.mark, said, want)
		}
	}
	for _, chips := range p.gone {
		missing += chips
	}
	if seen != len(p.states) || gone != missing {
		t.Errorf("%d chips are drawn and %d that are gone, want %d and %d", seen, gone, len(p.states), missing)
	}
	if !slices.Equal(marks, drawn) {
		t.Errorf("the SVG has the marks\n%q\nand the text\n%s", drawn, text)
	}
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

// TestTopologyHeldTwice: the server takes a status by which two claims hold a device that they cannot share, and the
// picture tells it from devices that are shared, and those who take nothing; live, recorded and from the file.
func TestTopologyHeldTwice(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		scenes []string
		states map[string]int
		line   string
	}{
		{[]string{"held-twice.yaml"}, map[string]int{"allocated": 2, "heldTwice": 1, "admin": 1}, "  tpu-0   A% A+ A\n"},
		{[]string{"tpu-large.yaml", "tpu-large-twice.yaml"}, map[string]int{"allocated": 122, "heldTwice": 1, "missing": 1, "hostMissing": 4},
			"  ml/by-hand  on w7  not reserved for any pod (holds chips that others hold, too)\n"},
		{[]string{"partitions-watched.yaml"}, map[string]int{}, "admin access takes nothing: ml/watch\n"},
	} {
		c := newCluster(t, harness.Options{})
		args := []string{"topology"}
		for i, name := range test.scenes {
			test.scenes[i] = goldenScenePath(name)
			args = append(args, "--snapshot", test.scenes[i])
		}
		c.load(t, readScene(t, test.scenes...))
		drawn := map[string]int{}
		for _, state := range c.statesDrawn(t) {
			drawn[state]++
		}
		if !maps.Equal(drawn, test.states) {
			t.Errorf("chips are %v, want %v", drawn, test.states)
		}
		text := c.ask(t, "topology").stdout
		file := offline(t, args...)
		if text != file.stdout || !strings.Contains(text, test.line) {
			t.Errorf("of the plane:\n%s\nof the file:\n%s", text, file.stdout)
		}
	}
}

// statesDrawn are the states of all chips in grids.
func (c *cluster) statesDrawn(t *testing.T) (states []string) {
	t.Helper()
	var report struct {
		Grids []struct{ Cells []struct{ State string } }
	}
	c.report(t, &report, nil, "topology")
	for _, grid := range report.Grids {
		for _, cell := range grid.Cells {
			states = append(states, cell.State)
		}
	}
	return states
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

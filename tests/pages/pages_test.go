package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	binaryEnv   = "KUBECTL_DRA_BINARY"
	fixtures    = "../fixtures"
	screenshots = "../../build/screenshots"
	sheetWidth  = 698 // pixels between half an inch of margin at both sides of A4
)

// run answers with what the program writes; so many exit codes are right.
func run(t *testing.T, args ...string) string {
	t.Helper()
	binary := os.Getenv(binaryEnv)
	if binary == "" {
		t.Fatalf("$%s is not set: run .ci/test", binaryEnv)
	}
	command := exec.Command(binary, args...)
	var errors strings.Builder
	command.Stderr = &errors
	out, err := command.Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() == 1) {
		t.Fatalf("%q: %v: %s", args, err, errors.String())
	}
	return string(out)
}

// page writes the text into a file that a browser can open.
func page(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + file
}

// scenes are the fixtures with nodes and slices, and what is drawn of them.
func scenes(t *testing.T) map[string][]string {
	files, err := filepath.Glob(fixtures + "/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d fixtures: %v", len(files), err)
	}
	all := map[string][]string{"overview": {"overview", "--demo"}, "explain": {"explain", "--demo", "--pending"}, "doctor": {"doctor", "--demo"},
		"report":      {"report", "--demo=degraded"},
		"explain-pod": {"explain", "pod", "wants-whole-gpu", "-n", "mig-demo", "--snapshot", fixtures + "/gpu-mig-partitionable.yaml"},
		"diff":        {"diff", fixtures + "/gke-tpu-v5p-2x2x4.yaml", fixtures + "/gke-tpu-v5p-2x2x4-degraded.yaml"}}
	const machines = "../golden/scenes/machines.yaml"
	all["topology-machines"] = []string{"topology", "--snapshot", machines}
	all["topology-together"] = []string{"topology", "claim", "b", "-n", "ml", "--snapshot", "../golden/scenes/together.yaml"}
	all["topology-held-twice"] = []string{"topology", "--snapshot", "../golden/scenes/held-twice.yaml"}
	all["topology-apart"] = []string{"topology", "--snapshot", "../golden/scenes/tpu-apart.yaml"}
	all["topology-unreadable"] = []string{"topology", "--snapshot", "../golden/scenes/unreadable-places.yaml"}
	all["topology-by"] = []string{"topology", "--snapshot", machines, "--group-by", "driver,type"}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if strings.HasPrefix(name, "invalid") {
			continue
		}
		all["topology-"+name] = []string{"topology", "--snapshot", file}
		all["overview-"+name] = []string{"overview", "--snapshot", file}
	}
	return all
}

func TestPages(t *testing.T) {
	b := startBrowser(t)
	if err := os.MkdirAll(screenshots, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, args := range scenes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if args[0] != "report" { // which is a page in any case
				args = append(args, "-o", "html")
			}
			url := page(t, "page.html", run(t, args...))
			for _, scheme := range []string{"light", "dark"} {
				p := b.open(t, url, 1000, scheme)
				p.mustBeQuiet(t, url)
				p.mustFit(t)
				p.mustBeLegible(t, "html")
				p.shoot(t, filepath.Join(screenshots, name+"-"+scheme+".png"))
				if scheme == "light" {
					p.mustBeReachable(t)
					p.mustTell(t, "pointed at", p.point)
				}
			}
			b.printed(t, url, name)
			phone := b.open(t, url, 400, "light")
			phone.mustFit(t)
			phone.mustTell(t, "tapped", phone.tap)
			if args[0] == "overview" || args[0] == "report" {
				phone.mustCount(t)
			}
			if args[0] == "explain" {
				phone.mustSay(t, run(t, args[:len(args)-2]...))
			}
			if args[0] == "topology" {
				picture := page(t, "picture.svg", run(t, append(args[:len(args)-1], "svg")...))
				b.compare(t, args, url, picture)
				for _, scheme := range []string{"light", "dark"} {
					p := b.open(t, picture, 1000, scheme)
					p.mustBeQuiet(t, picture)
					p.mustBeLegible(t, "svg")
					p.shoot(t, filepath.Join(screenshots, name+"-svg-"+scheme+".png"))
				}
			}
		})
	}
}

// mustBeQuiet: no console message, and nothing is fetched but the page.
func (p *tab) mustBeQuiet(t *testing.T, url string) {
	t.Helper()
	complaints, requests := p.heard()
	for _, complaint := range complaints {
		t.Errorf("the page complains: %s", complaint)
	}
	for _, request := range requests {
		if request != url && !strings.HasPrefix(request, "data:") {
			t.Errorf("the page asks for %s", request)
		}
	}
}

// mustFit: nobody has to scroll sideways but inside of a table or a grid.
func (p *tab) mustFit(t *testing.T) {
	t.Helper()
	var over int
	p.eval(t, "document.documentElement.scrollWidth - document.documentElement.clientWidth", &over)
	if over > 0 {
		t.Errorf("the page is %d pixels wider than the window", over)
	}
	var cut []string
	p.eval(t, `[...document.querySelectorAll('main *')].filter(e => getComputedStyle(e).overflowX !== 'visible' &&
		e.scrollWidth > e.clientWidth && !e.matches('.scroll, .plane')).map(e => e.outerHTML)`, &cut)
	for _, one := range cut {
		t.Errorf("cut at its right: %s", one)
	}
}

// mustBeLegible: each mark has a contrast of 4.5 to its square, and each broken edge one of 3 to the page.
func (p *tab) mustBeLegible(t *testing.T, format string) {
	t.Helper()
	const check = `(format => {
		const luminance = colour => colour.match(/\d+/g).slice(0, 3).map(x => x / 255)
			.map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
			.reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0.05);
		const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)]; return Math.max(x, y) / Math.min(x, y); };
		const html = format === 'html', wrong = [];
		const page = html ? getComputedStyle(document.body).backgroundColor : getComputedStyle(document.querySelector('.page')).fill;
		for (const place of document.querySelectorAll('.place')) {
			const style = getComputedStyle(place);
			const letters = html ? style.color : getComputedStyle(place.nextElementSibling).fill;
			const name = place.getAttribute('class') + ' of ' + (html ? place : place.nextElementSibling).textContent.slice(0, 3);
			if (contrast(letters, html ? style.backgroundColor : style.fill) < 4.5) wrong.push(name + ': letters');
			const broken = html ? style.borderTopStyle === 'dashed' : style.strokeDasharray !== 'none';
			if (broken && contrast(html ? style.borderTopColor : style.stroke, page) < 3) wrong.push(name + ': edge');
			if (broken !== place.matches('.bad, .warn')) wrong.push(name + ': broken edge');
		}
		return wrong;
	})`
	var wrong []string
	p.eval(t, check+"('"+format+"')", &wrong)
	for _, one := range wrong {
		t.Errorf("%s: %s cannot be seen", format, one)
	}
}

// mustCount: the numbers of the tiles are those of the bars, and each problem has a card.
func (p *tab) mustCount(t *testing.T) {
	t.Helper()
	var wrong []string
	p.eval(t, `(() => {
		const number = e => parseInt(e.innerText, 10)
		const tile = name => [...document.querySelectorAll('.tile')].filter(e => e.innerText.endsWith(name)).map(number)[0]
		const amounts = name => [...document.querySelectorAll('.amount')].filter(e => e.innerText.trim().endsWith(' ' + name))
			.map(number).reduce((a, b) => a + b, 0)
		const wrong = []
		for (const name of ['missing', 'free']) {
			if (tile(name) !== undefined && tile(name) !== amounts(name)) wrong.push(name + ': ' + tile(name) + ', bars ' + amounts(name))
		}
		const cards = document.querySelectorAll('.card').length
		if (tile('problems') > cards) wrong.push(tile('problems') + ' problems, ' + cards + ' cards')
		if (document.title.startsWith('kubectl')) wrong.push('the title is no answer: ' + document.title)
		return wrong
	})()`, &wrong)
	for _, one := range wrong {
		t.Error(one)
	}
}

// mustSay: the page begins as the text does.
func (p *tab) mustSay(t *testing.T, text string) {
	t.Helper()
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	var page string
	p.eval(t, "document.querySelector('main').innerText", &page)
	if first, _, _ := strings.Cut(text, "\n"); !strings.HasPrefix(words(page), words(first)) {
		t.Errorf("the text begins %q, and the page %q", first, page)
	}
}

// mustTell: whatever place is pointed at, or tapped, shows its facts, on top of all, and no other place does; nor does any
// when nothing is. Of many places a few are tried, as each costs some frames.
func (p *tab) mustTell(t *testing.T, how string, do func(t *testing.T, x, y float64)) {
	t.Helper()
	var places int
	p.eval(t, `document.activeElement.blur();
		window.places = [...document.querySelectorAll('.place')];
		window.shown = () => [...document.querySelectorAll('.tip')].filter(tip => getComputedStyle(tip).display !== 'none');
		places.length`, &places)
	for i := 0; i < places; i += max(1, places/5) {
		var at struct{ X, Y float64 }
		p.eval(t, fmt.Sprintf(`(place => {
			place.scrollIntoView({block: 'center', inline: 'center'});
			const box = place.getBoundingClientRect();
			return {x: box.x + box.width / 2, y: box.y + box.height / 2};
		})(places[%d])`, i), &at)
		do(t, at.X, at.Y)
		wrong := p.until(t, fmt.Sprintf(`(place => {
			const tip = place.querySelector('.tip'), box = tip.getBoundingClientRect();
			if (%t && document.activeElement !== place) return 'it has no focus'; // the last that a tap does
			if (shown().length !== 1) return shown().length + ' places tell their facts';
			if (shown()[0] !== tip) return 'another one tells its facts';
			if (box.top < 0 || box.bottom > innerHeight) return 'its facts are not in the window';
			if (!tip.contains(document.elementFromPoint(box.x + 30, box.y + box.height / 2))) return 'its facts are hidden';
			return '';
		})(places[%d])`, how == "tapped", i))
		if wrong != "" {
			t.Fatalf("place %d of %d is %s at %v: %s", i, places, how, at, wrong)
		}
	}
	// The mouse that the browser makes of a tap may arrive late, and would point at the place again.
	corner := 0
	left := p.until(t, "document.activeElement.blur(), shown().length === 0 ? '' : shown().length + ' tell their facts'", func() {
		corner = 3 - max(corner, 1)
		p.point(t, float64(corner), 1)
	})
	if left != "" {
		t.Errorf("no place is %s any more, and %s", how, left)
	}
}

// mustBeReachable: the tabulator key leads to every place, each has a name, and shows its facts then.
func (p *tab) mustBeReachable(t *testing.T) {
	t.Helper()
	var places int
	p.eval(t, "document.querySelectorAll('.place').length", &places)
	p.eval(t, "window.reached = new Set(); 0", new(int))
	const here = `(() => {
		const place = document.activeElement, tip = place.querySelector('.tip');
		if (!place.matches('.place')) return 'no place: ' + place.tagName;
		if (!place.getAttribute('aria-label')) return 'no name';
		if (!tip || getComputedStyle(tip).display !== 'grid') return 'no facts: ' + place.outerHTML;
		if (place.getAttribute('aria-describedby') !== tip.id) return 'its facts are not said to be its';
		reached.add(place);
		return '';
	})()`
	for range places {
		var wrong string
		// What scrolls can be reached as well, tables and facts that are many; and links.
		for range 40 {
			p.press(t)
			p.eval(t, here, &wrong)
			if wrong != "no place: DIV" && wrong != "no place: DL" && wrong != "no place: A" {
				break
			}
		}
		if wrong != "" {
			t.Fatal(wrong)
		}
	}
	var reached int
	if p.eval(t, "reached.size", &reached); reached != places {
		t.Errorf("%d of %d places were reached", reached, places)
	}
}

// devicesOf returns the state of each device in the JSON: of those that have a place, and of those that are only named.
func devicesOf(t *testing.T, args []string) (placed, named map[string]string) {
	t.Helper()
	type device struct{ ID, State string }
	var report struct {
		Grids  []struct{ Cells, Unplaced []device }
		Boards []struct{ Devices []device }
		Groups []struct{ Rows []struct{ Devices []device } }
		Rows   []struct{ Devices []device }
	}
	if err := json.Unmarshal([]byte(run(t, append(args, "-o", "json")...)), &report); err != nil {
		t.Fatal(err)
	}
	placed, named = map[string]string{}, map[string]string{}
	add := func(to map[string]string, devices []device) {
		for _, one := range devices {
			if placed[one.ID] != "" || named[one.ID] != "" {
				t.Errorf("%s is there twice", one.ID)
			}
			if one.ID != "" {
				to[one.ID] = one.State
			}
		}
	}
	for _, grid := range report.Grids {
		add(placed, grid.Cells)
		add(named, grid.Unplaced)
	}
	rows := report.Rows
	for _, group := range report.Groups {
		rows = append(rows, group.Rows...)
	}
	for _, row := range append(rows, report.Boards...) {
		add(placed, row.Devices)
	}
	return placed, named
}

// compare: the JSON, the page and the picture have the same devices, each once, in the same state.
func (b *browser) compare(t *testing.T, args []string, url, picture string) {
	t.Helper()
	placed, named := devicesOf(t, args)
	for _, of := range []struct{ url, labels, text string }{
		{url, "[...document.querySelectorAll('.place')].map(p => p.getAttribute('aria-label'))", "document.body.innerText"},
		{picture, "[...document.querySelectorAll('g[role=img] > title')].map(t => t.textContent)", "document.documentElement.textContent"},
	} {
		var labels []string
		var text string
		p := b.open(t, of.url, 1000, "light")
		p.eval(t, of.labels, &labels)
		p.eval(t, of.text, &text)
		got := map[string]int{}
		said := map[string]string{"allocated": "in use", "admin": "free", "heldTwice": "in use, held twice"} // else as it is
		for _, label := range labels {
			for id, state := range placed {
				if strings.Contains(label, id+": "+cmp.Or(said[state], state)) {
					got[id]++
				}
			}
		}
		for id, state := range placed {
			if got[id] != 1 {
				t.Errorf("%s: %s is %d times in %q", id, state, got[id], labels)
			}
		}
		for id, state := range named {
			mark := map[string]string{"free": " .", "tainted": " x"}[state]
			if !strings.Contains(text, id+mark) || slices.ContainsFunc(labels, func(label string) bool { return strings.Contains(label, id+":") }) {
				t.Errorf("%s, which is %s, has no place, and is not named: %s", id, state, text)
			}
		}
	}
}

// TestHostile: text of others is no markup, wherever it comes out.
func TestHostile(t *testing.T) {
	b := startBrowser(t)
	text, err := os.ReadFile(fixtures + "/gke-tpu-v6e-8.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const hostile = `</title></style>\"'><script>alert(1)</script><img src=http://127.0.0.1:1/x onerror=alert(2)>]]>&amp;<svg onload=alert(3)>`
	bad := strings.ReplaceAll(string(text), "tpuGen: {string: v6e}", `tpuGen: {string: "`+hostile+`"}`)
	bad = strings.ReplaceAll(bad, "name: vllm-tpu-6d5f7c9b8-h2vqn\n", `name: "`+hostile+`"`+"\n")
	bad = strings.ReplaceAll(bad, "name: vllm-tpu-6d5f7c9b8-h2vqn,", `name: "`+hostile+`",`)
	if strings.Count(bad, "alert(1)") < 2 {
		t.Fatal("the fixture has changed: nothing hostile is in it")
	}
	file := filepath.Join(t.TempDir(), "hostile.yaml")
	if err := os.WriteFile(file, []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"html", "svg"} {
		text := run(t, "topology", "--snapshot", file, "-o", format)
		if !strings.Contains(text, "alert(1)") {
			t.Errorf("%s: what is hostile is not shown", format)
		}
		url := page(t, "page."+format, text)
		p := b.open(t, url, 1000, "light")
		p.mustBeQuiet(t, url)
		var elements int
		if p.eval(t, "document.querySelectorAll('script, img, [onload], [onerror]').length", &elements); elements != 0 {
			t.Errorf("%s: %d hostile elements", format, elements)
		}
	}
}

// cube is a slice of 4x4x4 chips on hosts with names of different lengths.
func cube() string {
	var text strings.Builder
	for i := range 16 {
		node := fmt.Sprintf("gke-pool-%d%s", i, strings.Repeat("a", i%5*2))
		fmt.Fprintf(&text, `---
apiVersion: v1
kind: Node
metadata:
  name: %[1]s
  labels:
    cloud.google.com/gke-accelerator-count: "4"
    cloud.google.com/gke-nodepool: pool
    cloud.google.com/gke-tpu-accelerator: tpu-v5p-slice
    cloud.google.com/gke-tpu-topology: 4x4x4
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: %[1]s}
spec:
  driver: tpu.google.com
  nodeName: %[1]s
  pool: {name: %[1]s, generation: 1, resourceSliceCount: 1}
  devices:
`, node)
		for chip := range 4 {
			fmt.Fprintf(&text, `  - {name: "%d", attributes: {accelerator: {string: tpu-v5p-slice}, chipCount: {int: 4}, index: {int: %[1]d}, `+
				"topology: {string: 4x4x4}, tpuGen: {string: v5p}}}\n", chip)
		}
	}
	return text.String()
}

// TestPlanes: planes stand in rows and columns, and names beside them go on below where they do not fit.
func TestPlanes(t *testing.T) {
	b := startBrowser(t)
	file := filepath.Join(t.TempDir(), "cube.yaml")
	if err := os.WriteFile(file, []byte(cube()), 0o644); err != nil {
		t.Fatal(err)
	}
	url := page(t, "page.html", run(t, "topology", "--snapshot", file, "-o", "html"))
	for width, wantColumns := range map[int]int{900: 2, 400: 1} {
		p := b.open(t, url, width, "light")
		p.shoot(t, filepath.Join(screenshots, fmt.Sprintf("planes-%d.png", width)))
		p.mustFit(t)
		var lefts, cut []string
		p.eval(t, "[...new Set([...document.querySelectorAll('.plane')].map(e => `${e.getBoundingClientRect().left}`))]", &lefts)
		if len(lefts) != wantColumns {
			t.Errorf("at %d pixels planes begin at %q, want %d columns", width, lefts, wantColumns)
		}
		p.eval(t, `[...document.querySelectorAll('.beside')].filter(e => e.scrollWidth > e.clientWidth ||
			e.getBoundingClientRect().right > e.closest('.plane').getBoundingClientRect().right + 1).map(e => e.textContent)`, &cut)
		for _, one := range cut {
			t.Errorf("at %d pixels %q is cut", width, one)
		}
		var pairs string
		if p.eval(t, "document.querySelector('.beside').innerText", &pairs); !strings.Contains(pairs, "  ") {
			t.Errorf("%q: names run together", pairs)
		}
	}
}

// TestHosts: slices of more chips than are drawn one by one fit a window and a sheet of paper, too.
func TestHosts(t *testing.T) {
	b := startBrowser(t)
	for _, scene := range []string{"tpu-large", "tpu-large-twice", "tpu-long"} {
		url := page(t, "page.html", run(t, "topology", "--snapshot", "../golden/scenes/"+scene+".yaml", "-o", "html"))
		for _, width := range []int{1000, 400} {
			p := b.open(t, url, width, "dark")
			p.mustBeQuiet(t, url)
			p.mustFit(t)
			p.mustBeLegible(t, "html")
		}
		b.printed(t, url, scene)
	}
}

// printed: on a sheet of paper, where nothing scrolls, all is between the margins.
func (b *browser) printed(t *testing.T, url, name string) {
	t.Helper()
	sheet := b.open(t, url, sheetWidth, "light")
	sheet.print(t)
	sheet.mustFit(t)
	sheet.shoot(t, filepath.Join(screenshots, name+"-paper.png"))
}

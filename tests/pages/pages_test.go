package pages

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	binaryEnv   = "KUBECTL_DRA_BINARY"
	fixtures    = "../fixtures"
	screenshots = "../../build/screenshots"
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
		"diff": {"diff", fixtures + "/gke-tpu-v5p-2x2x4.yaml", fixtures + "/gke-tpu-v5p-2x2x4-degraded.yaml"}}
	const machines = "../golden/scenes/machines.yaml"
	all["topology-machines"] = []string{"topology", "--snapshot", machines}
	all["topology-together"] = []string{"topology", "claim", "b", "-n", "ml", "--snapshot", "../golden/scenes/together.yaml"}
	all["topology-unreadable"] = []string{"topology", "--snapshot", "../golden/scenes/unreadable-places.yaml"}
	all["topology-by"] = []string{"topology", "--snapshot", machines, "--group-by", "driver,type"}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if strings.HasPrefix(name, "invalid") || name == "claims" || name == "pods-pending" {
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
			url := page(t, "page.html", run(t, append(args, "-o", "html")...))
			for _, scheme := range []string{"light", "dark"} {
				p := b.open(t, url, 1000, scheme)
				p.mustBeQuiet(t, url)
				p.mustFit(t)
				p.shoot(t, filepath.Join(screenshots, name+"-"+scheme+".png"))
				if scheme == "light" {
					p.mustBeReachable(t)
				}
			}
			b.open(t, url, 400, "light").mustFit(t)
			if args[0] == "topology" {
				picture := page(t, "picture.svg", run(t, append(args, "-o", "svg")...))
				b.compare(t, args, url, picture)
				p := b.open(t, picture, 1000, "dark")
				p.mustBeQuiet(t, picture)
				p.shoot(t, filepath.Join(screenshots, name+"-svg.png"))
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
		// What scrolls can be reached as well: tables, and facts that are many.
		for range 40 {
			p.press(t)
			p.eval(t, here, &wrong)
			if wrong != "no place: DIV" && wrong != "no place: DL" {
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

// compare: the JSON, the page and the picture have the same devices, each once, in the same state.
func (b *browser) compare(t *testing.T, args []string, url, picture string) {
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
	want := map[string]string{}
	for _, grid := range report.Grids {
		for _, cell := range grid.Cells {
			if cell.ID != "" {
				want[cell.ID] = cell.State
			}
		}
	}
	rows := report.Rows
	for _, group := range report.Groups {
		rows = append(rows, group.Rows...)
	}
	for _, row := range append(rows, report.Boards...) {
		for _, one := range row.Devices {
			if want[one.ID] != "" {
				t.Errorf("%s is there twice", one.ID)
			}
			want[one.ID] = one.State
		}
	}
	for _, of := range []struct{ url, labels string }{
		{url, "[...document.querySelectorAll('.place')].map(p => p.getAttribute('aria-label'))"},
		{picture, "[...document.querySelectorAll('g[role=img] > title')].map(t => t.textContent)"},
	} {
		var labels []string
		b.open(t, of.url, 1000, "light").eval(t, of.labels, &labels)
		got := map[string]bool{}
		for _, label := range labels {
			for id, state := range want {
				if !strings.Contains(label, id+": "+state) {
					continue
				}
				if got[id] {
					t.Errorf("%s is there twice", id)
				}
				got[id] = true
			}
		}
		for id, state := range want {
			if !got[id] {
				t.Errorf("%s: %s is not in %q", id, state, labels)
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

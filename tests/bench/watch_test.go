package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	resourceapi "k8s.io/api/resource/v1"
)

// changing is a server of a fleet whose claims change once they are watched.
type changing struct {
	*httptest.Server
	kubeconfig string
}

// newChanging sends so many events, with a pause after each.
func newChanging(t *testing.T, f *fleet, events int, pause time.Duration) *changing {
	t.Helper()
	lists := map[string]string{}
	for resource, objects := range map[string]any{"nodes": f.nodes, "resourceslices": f.slices, "resourceclaims": f.held,
		"deviceclasses": []*resourceapi.DeviceClass{f.class}, "devicetaintrules": []any{}} {
		items, err := json.Marshal(objects)
		if err != nil {
			t.Fatal(err)
		}
		lists[resource] = `{"kind":"List","metadata":{"resourceVersion":"123456"},"items":` + string(items) + `}`
	}
	c := &changing{kubeconfig: filepath.Join(t.TempDir(), "kubeconfig")}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		resource := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		switch {
		case r.URL.Path == "/version":
			fmt.Fprint(w, `{"gitVersion":"v1.37.1"}`)
		case r.URL.Path == "/apis/resource.k8s.io":
			fmt.Fprint(w, `{"versions":[{"version":"v1"}]}`)
		case r.URL.Path == "/apis/resource.k8s.io/v1":
			fmt.Fprint(w, `{"resources":[{"name":"devicetaintrules"}]}`)
		case r.URL.Query().Get("watch") == "":
			fmt.Fprint(w, lists[resource])
		default:
			w.(http.Flusher).Flush()
			if resource == "resourceclaims" {
				sendChanges(w, f, events, pause)
			}
			<-r.Context().Done()
		}
	}))
	t.Cleanup(func() { c.CloseClientConnections(); c.Close() })
	text := fmt.Sprintf(`{clusters: [{name: c, cluster: {server: '%s'}}], contexts: [{name: x, context: {cluster: c}}], current-context: x}`, c.URL)
	if err := os.WriteFile(c.kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// sendChanges frees and gives devices in turn, all over the fleet.
func sendChanges(w http.ResponseWriter, f *fleet, events int, pause time.Duration) {
	for i := range events {
		claim := f.held[i*7919%len(f.held)].DeepCopy()
		claim.ResourceVersion = fmt.Sprint(200000 + i)
		if i%2 == 0 {
			claim.Status = resourceapi.ResourceClaimStatus{}
		}
		text, err := json.Marshal(claim)
		if err != nil {
			return
		}
		fmt.Fprintf(w, `{"type":"MODIFIED","object":%s}`+"\n", text)
		if pause > 0 || i+1 == events {
			w.(http.Flusher).Flush()
		}
		time.Sleep(pause)
	}
}

// processor is the time of the processor that the program takes until it has printed so many lines.
func (c *changing) processor(t *testing.T, lines int, args ...string) time.Duration {
	t.Helper()
	command := exec.Command(program(t, "KUBECTL_DRA_RELEASE"), args...)
	command.Env = []string{"KUBECONFIG=" + c.kubeconfig}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(stdout)
	for range lines {
		if !scanner.Scan() {
			t.Fatalf("%q ends before %d lines", args, lines)
		}
	}
	_ = command.Process.Kill()
	_ = command.Wait() // by the signal
	return command.ProcessState.UserTime() + command.ProcessState.SystemTime()
}

// The work for one event does not grow with the cluster.
func TestEventsOfLargeClustersCostWhatThoseOfSmallOnesDo(t *testing.T) {
	const events = 20000
	perEvent := func(nodes int) func() time.Duration {
		f := newFleet(nodes)
		quiet, busy := newChanging(t, f, 0, 0), newChanging(t, f, events, 0)
		return func() time.Duration {
			words := []string{"claims", "-A", "-w", "-o", "name"}
			with := busy.processor(t, len(f.held)+events, words...)
			return (with - quiet.processor(t, len(f.held), words...)) / events
		}
	}
	hold(t, "an event of 5,000 nodes against one of 500", 3, 3, inTurn(perEvent(5000), perEvent(500)))
}

// A hundred events a second of 5,000 nodes leave most of a core to others, although devices are counted again all the time.
func TestAHundredEventsASecondLeaveMostOfACore(t *testing.T) {
	const seconds = 10
	f := newFleet(5000)
	busy := newChanging(t, f, 100*seconds, 10*time.Millisecond)
	quiet := newChanging(t, f, 0, 0)
	words := []string{"devices", "--watch-only", "-o", "name", fmt.Sprintf("--request-timeout=%ds", seconds)}
	of := func(c *changing) time.Duration {
		command := exec.Command(program(t, "KUBECTL_DRA_RELEASE"), words...)
		command.Env = []string{"KUBECONFIG=" + c.kubeconfig}
		if err := command.Run(); err != nil {
			t.Fatal(err)
		}
		return command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	}
	share := (of(busy) - of(quiet)).Seconds() / seconds
	const most = 0.4
	told("a hundred events a second of 5,000 nodes", fmt.Sprintf("%.2f of a core", share), "", "", fmt.Sprint(most))
	if share > most {
		t.Errorf("a hundred events a second take %.2f of a core, more than %.2f", share, most)
	}
}

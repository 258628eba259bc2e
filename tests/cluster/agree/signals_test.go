// This file is about being stopped: by a signal while something is under way, or by whoever no longer
// reads. Needs no control plane.

package agree_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// scripted is an API server whose list of claims the test decides on. It stands still until the test
// is over wherever it waits for done.
type scripted struct {
	*httptest.Server
	reached chan struct{} // gets a value when a client has come to the stage of the test
	done    chan struct{}
}

func newScripted(t *testing.T, claims func(s *scripted, w http.ResponseWriter)) *scripted {
	s := &scripted{reached: make(chan struct{}, 16), done: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/resourceclaims"):
			claims(s, w)
		case r.URL.Path == "/version":
			io.WriteString(w, `{"gitVersion":"v1.37.1"}`)
		case r.URL.Path == "/apis/resource.k8s.io":
			io.WriteString(w, `{"versions":[{"version":"v1"}]}`)
		default:
			io.WriteString(w, `{"metadata":{},"items":[]}`)
		}
	}))
	t.Cleanup(func() { close(s.done); s.Close() })
	return s
}

// manyClaims is a list whose table does not fit into a pipe.
func manyClaims() string {
	items := make([]string, 5000)
	for i := range items {
		items[i] = fmt.Sprintf(`{"metadata":{"name":"claim-%04d","namespace":"default"},"spec":{}}`, i)
	}
	return `{"metadata":{},"items":[` + strings.Join(items, ",") + `]}`
}

func sendMany(_ *scripted, w http.ResponseWriter) { io.WriteString(w, manyClaims()) }

// started is the plugin on its way.
type started struct {
	*exec.Cmd
	stdout io.ReadCloser
	stderr strings.Builder
}

func start(t *testing.T, server string) *started {
	t.Helper()
	config := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`{clusters: [{name: c, cluster: {server: '%s'}}], contexts: [{name: x, context: {cluster: c}}], current-context: x}`, server)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &started{Cmd: exec.CommandContext(t.Context(), program(t, pluginEnv), "claims")}
	s.Env = []string{"KUBECONFIG=" + config, "HOME=" + t.TempDir()}
	s.Stderr = &s.stderr
	var err error
	if s.stdout, err = s.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// ends demands that the plugin ends without a word on standard error, and returns how.
func (s *started) ends(t *testing.T) syscall.WaitStatus {
	t.Helper()
	s.Wait() // an exit code is no failure here
	if s.stderr.String() != "" {
		t.Errorf("standard error: %q", s.stderr.String())
	}
	return s.ProcessState.Sys().(syscall.WaitStatus)
}

func TestSignals(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	accepted := make(chan struct{}, 16)
	go func() { // greets nobody: TLS is never agreed on
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			defer connection.Close()
			accepted <- struct{}{}
		}
	}()
	waiting := newScripted(t, func(s *scripted, w http.ResponseWriter) {
		s.reached <- struct{}{}
		<-s.done
	})
	half := newScripted(t, func(s *scripted, w http.ResponseWriter) {
		io.WriteString(w, `{"items":[`)
		w.(http.Flusher).Flush()
		s.reached <- struct{}{}
		<-s.done
	})
	pausing := newScripted(t, func(s *scripted, w http.ResponseWriter) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusServiceUnavailable)
		s.reached <- struct{}{}
	})
	many := newScripted(t, sendMany)
	for _, stage := range []struct {
		name, server string
		reached      chan struct{} // nil: when the first byte of output is there
	}{
		{"while connecting", "https://" + listener.Addr().String(), accepted},
		{"while waiting for the answer", waiting.URL, waiting.reached},
		{"in the middle of the answer", half.URL, half.reached},
		{"while pausing", pausing.URL, pausing.reached},
		{"while writing", many.URL, nil},
	} {
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(fmt.Sprintf("%v %s", signal, stage.name), func(t *testing.T) {
				plugin := start(t, stage.server)
				if stage.reached != nil {
					<-stage.reached
				} else if _, err := io.ReadFull(plugin.stdout, make([]byte, 1)); err != nil {
					t.Fatal(err)
				}
				plugin.Process.Signal(signal)
				if stage.reached != nil {
					if output, _ := io.ReadAll(plugin.stdout); len(output) != 0 {
						t.Errorf("standard output: %q", output)
					}
				}
				status := plugin.ends(t)
				if signal == syscall.SIGINT && status.ExitStatus() != 130 {
					t.Errorf("ends with %v, not 130", plugin.ProcessState)
				}
				if signal == syscall.SIGTERM && status.Signal() != syscall.SIGTERM {
					t.Errorf("ends with %v, not by the signal", plugin.ProcessState)
				}
			})
		}
	}
}

// Whoever stops reading, as head does, has what they wanted.
func TestReaderGoesAway(t *testing.T) {
	t.Parallel()
	plugin := start(t, newScripted(t, sendMany).URL)
	if _, err := io.ReadFull(plugin.stdout, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	plugin.stdout.Close()
	if status := plugin.ends(t); status.ExitStatus() != 0 {
		t.Errorf("ends with %v", plugin.ProcessState)
	}
}

func TestClosedDescriptors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		close, stderr string
		exit          int
	}{
		{"<&-", "", 0},
		{"2>&-", "", 0},
		{">&-", "error: cannot write the output: Bad file descriptor\n", 1},
		{"<&- >&- 2>&-", "", 1},
	} {
		command := exec.CommandContext(t.Context(), "sh", "-c", `exec "$0" claims --demo -A `+test.close, program(t, pluginEnv))
		var stderr strings.Builder
		command.Stdout, command.Stderr = io.Discard, &stderr
		command.Run() // the exit code is looked at below
		if got := command.ProcessState.ExitCode(); got != test.exit || stderr.String() != test.stderr {
			t.Errorf("%s: exit %d, standard error %q", test.close, got, stderr.String())
		}
	}
}

// This file is about completion in the shells that people use, each on a terminal of its own, and through kubectl. No
// server is needed.

package agree_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"kubectl-dra/tests/cluster/harness"
)

const completions = "../../../completions"

// shell is one that completion is written for.
type shell struct {
	command []string
	setup   []string // %s is the file of completions
}

var shells = []shell{
	{[]string{"bash", "--norc", "--noprofile", "-i"}, []string{"source %s.bash"}},
	{[]string{"zsh", "-f", "-i"}, []string{"autoload -U compinit", "compinit -u -D", "source %s.zsh"}},
	{[]string{"fish", "--no-config", "-i"}, []string{"source %s.fish"}},
}

// session is a shell on a terminal.
type session struct {
	terminal *os.File
	mutex    sync.Mutex
	shown    bytes.Buffer
}

func (s *session) types(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(s.terminal, text); err != nil {
		t.Fatal(err)
	}
}

func (s *session) text() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.shown.String()
}

// shows waits until the terminal shows a text behind what it showed before.
func (s *session) shows(t *testing.T, before int, text string) {
	t.Helper()
	harness.Eventually(t, func(context.Context) error {
		if shown := s.text()[before:]; !strings.Contains(shown, text) {
			return fmt.Errorf("waiting for %q\n%q", text, shown)
		}
		return nil
	})
}

// pluginFolder holds the plugin and what kubectl completes it with, under the names that are looked for.
func pluginFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	helper, err := filepath.Abs(completions + "/kubectl_complete-dra")
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"kubectl-dra": program(t, pluginEnv), "kubectl": program(t, kubectlEnv), "kubectl_complete-dra": helper,
	} {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func shellEnvironment(t *testing.T, folder string) []string {
	return []string{"PATH=" + folder + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=xterm", "PS1=$ ", "LC_ALL=C.UTF-8",
		"KUBECONFIG=/nonexistent/config"}
}

func (s shell) start(t *testing.T, folder string) *session {
	t.Helper()
	ours, theirs := openTerminal(t, 40, 200)
	path, err := exec.LookPath(s.command[0])
	if err != nil {
		t.Fatalf("%v: `.ci/deps test` installs it", err)
	}
	command := exec.CommandContext(t.Context(), path, s.command[1:]...)
	command.Env = shellEnvironment(t, folder)
	command.Stdin, command.Stdout, command.Stderr = theirs, theirs, theirs
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	on := &session{terminal: ours}
	go func() { _, _ = io.Copy(locked{&on.mutex, &on.shown}, ours) }() // until the terminal is closed
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait() // it was killed
	})
	files, err := filepath.Abs(completions + "/kubectl-dra")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range s.setup {
		on.types(t, strings.ReplaceAll(line, "%s", files)+"\n")
	}
	on.types(t, "echo rea''dy\n") // what is typed is not what it prints
	on.shows(t, 0, "ready")
	return on
}

// completion is typed up to a tab; then the shell adds the rest.
type completion struct{ typed, added string }

// completesEach types one line after the other.
func completesEach(t *testing.T, on *session, lines []completion) {
	t.Helper()
	for _, line := range lines {
		const killLine = "\x15"
		before := len(on.text())
		on.types(t, line.typed+"\t")
		on.shows(t, before, line.added)
		on.types(t, killLine)
	}
}

var completed = []completion{
	{"kubectl-dra expl", "ain"},
	{"kubectl-dra explain pod --demo=gpu vllm-gpu-7b9f6c5d44-w", "8pjn"},
	{"kubectl-dra describe --demo=gpu claim/nightly-eval-2vq", "zk-gpu-9b24d"},
	{"kubectl-dra devices -o ky", "aml"},
	{"kubectl-dra devices --output=ky", "aml"},
	{"kubectl-dra top --watch-o", "nly"},
	{"kubectl-dra schema ClaimDesc", "ription"},
	{"kubectl-dra devices --demo=gpu -L memory,prod", "uctName"},
	{"kubectl-dra top workloads --idle --demo=gpu --price gpu.nv", "idia.com="},
}

func TestShellsComplete(t *testing.T) {
	t.Parallel()
	inEachShell(t, func(t *testing.T, on *session) { completesEach(t, on, completed) })
}

// inEachShell starts the shells beside each other.
func inEachShell(t *testing.T, test func(t *testing.T, on *session)) {
	t.Helper()
	for _, shell := range shells {
		t.Run(shell.command[0], func(t *testing.T) {
			t.Parallel()
			test(t, shell.start(t, pluginFolder(t)))
		})
	}
}

// expressions are CEL inside the quotes of a shell.
var expressions = []completion{
	{`kubectl-dra eval 'device.attr`, `ibutes["`},
	{`kubectl-dra eval --demo=gpu 'device.attributes["gpu.nvidia.com"].prod`, "uctName"},
	{`kubectl-dra eval --demo=gpu 'device.driver == "x" || device.capacity["gpu`, `.nvidia.com"]`},
}

func TestShellsCompleteExpressions(t *testing.T) {
	t.Parallel()
	inEachShell(t, func(t *testing.T, on *session) { completesEach(t, on, expressions) })
}

// A pod that waits is the one that people want explained. Shells sort choices, unless they are told not to.
func TestShellsShowWaitingPodsFirst(t *testing.T) {
	t.Parallel()
	const waits, runs = "vllm-gpu-7b9f6c5d44-w8pjn", "nightly-eval-2vqzk"
	inEachShell(t, func(t *testing.T, on *session) {
		before := len(on.text())
		on.types(t, "kubectl-dra explain pod --demo=gpu \t\t")
		on.shows(t, before, runs)
		on.shows(t, before, waits)
		if shown := on.text()[before:]; strings.Index(shown, runs) < strings.Index(shown, waits) {
			t.Errorf("%s is shown before %s:\n%s", runs, waits, shown)
		}
	})
}

// kubectl asks kubectl_complete-dra.
func TestKubectlCompletes(t *testing.T) {
	t.Parallel()
	folder := pluginFolder(t)
	for _, line := range completed {
		words := strings.Fields(strings.Replace(line.typed, "kubectl-dra", "__complete dra", 1))
		command := exec.CommandContext(t.Context(), filepath.Join(folder, "kubectl"), words...)
		command.Env = shellEnvironment(t, folder)
		printed, err := command.Output()
		if err != nil {
			t.Fatalf("%v: %v", words, err)
		}
		last := words[len(words)-1]
		found := false
		for choice := range strings.Lines(string(printed)) {
			value, _, _ := strings.Cut(strings.TrimSuffix(choice, "\n"), "\t")
			found = found || strings.HasSuffix(last+line.added, value) && strings.HasSuffix(value, line.added)
		}
		if !found {
			t.Errorf("%v: no choice ends in %q:\n%s", words, line.added, printed)
		}
	}
}

// Package hostile starts the release on inputs that are made to crash it, to fill the memory, or to keep it busy for ever:
// files, servers and credential plugins. It needs no control plane.
package hostile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Nothing hostile takes more memory, in KiB.
const mostMemory = 400 << 10

// ended is a run that is over.
type ended struct {
	code   int // -1: ended by a signal
	output string
	memory int64 // KiB
	took   time.Duration
	busy   time.Duration // of processors, which other tests beside it do not make longer
}

func release(t *testing.T) string {
	t.Helper()
	path := os.Getenv("KUBECTL_DRA_RELEASE")
	if _, err := os.Stat(path); err != nil {
		t.Fatal("KUBECTL_DRA_RELEASE does not name a program: run make test, or make build")
	}
	return path
}

// run starts a command line of the shell, in which $dra is the release. It fails the test after a minute.
func run(t *testing.T, line string, environment ...string) ended {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "/bin/bash", "-c", line)
	command.Dir = t.TempDir()
	command.Env = append([]string{"dra=" + release(t), "HOME=" + command.Dir, "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}, environment...)
	command.WaitDelay = time.Second
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	start := time.Now()
	err := command.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%s: does not end", line)
	}
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	busy := command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	return ended{command.ProcessState.ExitCode(), output.String(), usage.Maxrss, time.Since(start), busy}
}

// refused wants an error with these words, soon and with little memory.
func refused(t *testing.T, line, words string, environment ...string) ended {
	t.Helper()
	result := run(t, line, environment...)
	if result.code != 1 && result.code != 2 || !strings.Contains(result.output, words) {
		t.Errorf("%s: exit code %d, want an error with %q:\n%.600s", line, result.code, words, result.output)
	}
	if result.memory > mostMemory {
		t.Errorf("%s: took %d MiB", line, result.memory>>10)
	}
	t.Logf("%d MiB, %v: %.100s", result.memory>>10, result.took.Round(time.Millisecond), line)
	return result
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// many is a cluster with so many nodes.
func many(nodes int) string {
	items := make([]string, nodes)
	for i := range items {
		items[i] = fmt.Sprintf(`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n%d","labels":{"a":"%s"}}}`, i, strings.Repeat("x", 50))
	}
	return `{"apiVersion":"v1","kind":"List","items":[` + strings.Join(items, ",") + `]}`
}

// TestOutOfMemory gives every command less memory than it needs, in steps, so that each place that allocates fails.
func TestOutOfMemory(t *testing.T) {
	t.Parallel()
	file := write(t, "cluster.json", many(20_000))
	manifest := write(t, "manifest.yaml", "a: ["+strings.Repeat("1,", 200_000)+"]\n")
	// With less the kernel or the loader cannot map the program, which tells nothing of it.
	starts := 10_000
	for run(t, fmt.Sprintf("ulimit -v %d; exec $dra --version", starts)).code != 0 {
		starts += 1_000
	}
	failed := 0
	for _, arguments := range []string{
		"overview --snapshot " + file, "doctor --snapshot " + file, "claims -A --snapshot " + file,
		"topology --snapshot " + file, "snapshot --snapshot " + file, "get nodes --snapshot " + file, "diff " + file + " " + file,
		"explain --pending -A --demo", "report --demo", "devices --demo -o json", "validate -f " + file, "validate -f " + manifest,
		"convert -f " + manifest, "claims --kubeconfig " + manifest, "claims --server http://127.0.0.1:1", "eval true --demo", "--help",
	} {
		for limit := starts; limit < 200_000; limit += 9_000 {
			result := run(t, fmt.Sprintf("ulimit -v %d; exec $dra %s", limit, arguments))
			if strings.Contains(result.output, "error while loading shared libraries") {
				continue // libcurl is loaded when it is needed
			}
			if result.code < 0 || result.code > 3 || strings.Contains(result.output, "terminate called") {
				t.Errorf("%s with %d KiB: exit code %d: %.300s", arguments, limit, result.code, result.output)
			}
			if strings.Contains(result.output, "error: out of memory\nhint: ") {
				failed++
				if result.code != 1 {
					t.Errorf("%s with %d KiB: exit code %d", arguments, limit, result.code)
				}
			}
		}
	}
	t.Logf("%d runs ended for lack of memory", failed)
	if failed < 20 {
		t.Error("too few runs lacked memory to show anything")
	}
}

func TestFilesThatGrow(t *testing.T) {
	t.Parallel()
	anchors := "a: "
	for i := range 90 {
		anchors += fmt.Sprintf("&a%d [", i)
	}
	anchors = write(t, "anchors.yaml", anchors+strings.Repeat("1,", 300_000)+strings.Repeat("]", 90)+"\n")
	texts := write(t, "texts.yaml", "a: &a \""+strings.Repeat("x", 1_000_000)+"\"\nb: ["+strings.Repeat("*a,", 5000)+"]\n")
	dense := write(t, "dense.yaml", "{\"a\":["+strings.Repeat("1,", 4_000_000)+"1]}\n")
	items := write(t, "items.json", `{"apiVersion":"v1","kind":"List","items":[`+strings.Repeat("1,", 30_000)+"1]}")
	for _, use := range []string{"--snapshot %s claims", "--kubeconfig %s claims", "validate -f %s", "explain pod p -f %s --demo"} {
		refused(t, "exec $dra "+fmt.Sprintf(use, anchors), "expand to more than 64 MiB")
		refused(t, "exec $dra "+fmt.Sprintf(use, texts), "expand to more than 64 MiB")
	}
	refused(t, "exec $dra --kubeconfig "+dense+" claims", "values in a text of")
	refused(t, "exec $dra validate -f "+items+" | tail -1; exit ${PIPESTATUS[0]}", "30001 errors")
	sparse := write(t, "sparse.yaml", "a: 1\n")
	if err := os.Truncate(sparse, 900<<20); err != nil {
		t.Fatal(err)
	}
	for _, use := range []string{"--snapshot %s claims", "validate -f %s", "--kubeconfig %s claims", "--demo claims -o custom-columns-file=%s"} {
		refused(t, "exec $dra "+fmt.Sprintf(use, sparse), "cannot read")
		refused(t, "exec $dra "+fmt.Sprintf(use, "/dev/zero"), "it is a device, not a regular file")
	}
	refused(t, "exec $dra --snapshot - claims </dev/zero", "is zero, so it is not text")
	large := write(t, "large.json", many(65_000))
	if result := run(t, "exec $dra --snapshot "+large+" overview"); result.code != 0 {
		t.Errorf("a large cluster: exit code %d: %.300s", result.code, result.output)
	}
}

func TestPipesInPlaceOfFiles(t *testing.T) {
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "fifo.yaml")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	config := write(t, "config", "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1', certificate-authority: "+fifo+
		"}}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n")
	token := write(t, "config", "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: u, user: {tokenFile: "+
		fifo+"}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n")
	for _, arguments := range []string{
		"--snapshot " + fifo + " claims", "--snapshot " + filepath.Dir(fifo) + " claims", "validate -f " + fifo,
		"validate -f " + filepath.Dir(fifo), "--kubeconfig " + fifo + " claims", "--kubeconfig " + config + " claims", "--kubeconfig " + token + " claims",
	} {
		refused(t, "exec $dra "+arguments, "a named pipe, not a regular file")
	}
	good := write(t, "good.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n")
	for _, line := range []string{"$dra --snapshot <(cat %s) claims", "$dra --snapshot - claims <%s", "cat %s | $dra --snapshot /dev/stdin claims",
		"$dra validate -f <(cat %s)", "cat %s | $dra validate -f -", "cat %s | $dra validate -f /dev/stdin"} {
		if result := run(t, fmt.Sprintf(line, good)); result.code != 0 {
			t.Errorf("%s: exit code %d: %s", line, result.code, result.output)
		}
	}
}

func TestLinkedDirectories(t *testing.T) {
	t.Parallel()
	directory := filepath.Dir(write(t, "n.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n"))
	for _, name := range []string{"a", "b"} {
		if err := os.Symlink(".", filepath.Join(directory, name)); err != nil {
			t.Fatal(err)
		}
	}
	if result := run(t, "exec $dra validate -R -f "+directory); !strings.Contains(result.output, "in 1 file") {
		t.Errorf("exit code %d: %s", result.code, result.output)
	}
}

func TestManyUsers(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("users:\n")
	for i := range 200_000 {
		fmt.Fprintf(&text, "- {name: u%d}\n", i)
	}
	refused(t, "exec $dra claims --kubeconfig "+write(t, "config", text.String()), "no context is chosen")
}

// pluginConfig is a kubeconfig whose credentials come from a shell script.
func pluginConfig(t *testing.T, script string) string {
	plugin := write(t, "plugin", "#!/bin/sh\n"+script+"\n")
	return write(t, "config", `clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: `+plugin+`, interactiveMode: Never, args: [-p, SECRET1, --pass=SECRET2, SECRET3]}}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`)
}

func TestPlugins(t *testing.T) {
	t.Parallel()
	answer := `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t0123456789abcdef"}}'`
	refused(t, "exec $dra claims --request-timeout 1s --kubeconfig "+pluginConfig(t, "sleep 60"), "did not end within 1s")
	left := refused(t, "exec $dra claims --kubeconfig "+pluginConfig(t, "sleep 30 & "+answer), "connection refused")
	if left.took > 10*time.Second {
		t.Errorf("waited %v for what a plugin left behind", left.took)
	}
	refused(t, "exec $dra claims --kubeconfig "+pluginConfig(t, `awk 'BEGIN { printf "a: &a \"%0100000d\"\nb: [", 0; for (i = 0; i < 100000; i++) printf "*a,"; print "]" }'`), "neither JSON nor YAML")
	refused(t, "exec $dra claims --kubeconfig "+pluginConfig(t, `awk 'BEGIN { printf "{a: ["; for (i = 0; i < 500000; i++) printf "1,"; print "]}" }'`), "answered without an apiVersion")
	shown := refused(t, "exec $dra claims -v=1 --kubeconfig "+pluginConfig(t, `printf '\033[31mred\n' >&2; exit 1`), "failed with exit code 1")
	if strings.Contains(shown.output, "\033") || strings.Contains(shown.output, "SECRET") || !strings.Contains(shown.output, "^[[31mred") {
		t.Errorf("%q", shown.output)
	}
	pid := filepath.Join(t.TempDir(), "pid")
	run(t, "timeout -s TERM 1 $dra claims --kubeconfig "+pluginConfig(t, "echo $$ >"+pid+"; exec sleep 60"))
	text, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	if _, err := os.Stat("/proc/" + strings.TrimSpace(string(text)) + "/exe"); err == nil {
		t.Error("the plugin outlives us")
	}
}

func TestURLs(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"http://user:PASSWORD@127.0.0.1:1/x.yaml", "http://127.0.0.1:1/x.yaml?token=PASSWORD", "http://127.0.0.1:1/x.yaml?X-Amz-Signature=PASSWORD"} {
		if result := refused(t, "exec $dra validate -v=8 -f '"+url+"'", "127.0.0.1:1"); strings.Contains(result.output, "PASSWORD") {
			t.Error(result.output)
		}
	}
}

func TestWhatIsWritten(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"mkfifo f; $dra --demo snapshot f & cat f | head -c 1; wait; [ -p f ] && echo still":            "{still\n",
		"ln -s /proc/self/fd/1 l; $dra --demo snapshot l | cat >x; head -c 1 x; [ -L l ] && echo still": "{still\n",
		"$dra --demo snapshot /dev/stdout | cat >x; head -c 1 x":                                        "{",
		"$dra --demo snapshot - | head -c 1; ls":                                                        "{",
		"echo old >r; ln -s r l; $dra --demo snapshot l; head -c 1 r; [ -L l ] && echo still":           "{still\n",
		"ulimit -f 1; $dra --demo snapshot f; echo $?; ls -A":                                           "error: cannot write f: File too large\n1\n",
		"ulimit -f 1; $dra --demo snapshot >f; echo $?":                                                 "error: cannot write the output: File too large\n1\n",
		"printf 'apiVersion: resource.k8s.io/v1\\nkind: ResourceClaim\\nmetadata: {name: A}\\n' >r; ln -s r l; $dra validate --fix -f l >x; [ -L l ] && grep -c 'name: a' r": "1\n",
	} {
		if result := run(t, line); result.output != want {
			t.Errorf("%s: %q, want %q", line, result.output, want)
		}
	}
}

// TestCoreDumps waits for a server that never answers, and crashes the program.
func TestCoreDumps(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	command := exec.CommandContext(t.Context(), "/bin/bash", "-c", "ulimit -c unlimited; exec $dra claims --server http://"+listener.Addr().String())
	command.Dir, command.Env = t.TempDir(), []string{"dra=" + release(t)}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	connection, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	command.Process.Signal(syscall.SIGABRT)
	command.Wait()
	status := command.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.CoreDump() {
		t.Errorf("%v", command.ProcessState)
	}
}

// Package dist reads and installs what `make dist` has made, as those who download it do.
package dist

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// made is the path of a file in build/dist, whose name matches the pattern.
func made(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.Getenv("KUBECTL_DRA_DIST"), pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("KUBECTL_DRA_DIST does not name a folder with one %s, but has %q: run make dist", pattern, found)
	}
	return found[0]
}

func tool(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s does not name a program: run make test", variable)
	}
	return path
}

// ended is a command that is over.
type ended struct {
	code           int
	stdout, stderr string
}

// finish runs a command for a minute at most.
func finish(t *testing.T, command *exec.Cmd) ended {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	command.WaitDelay = time.Second
	timer := time.AfterFunc(time.Minute, func() {
		if command.Process != nil {
			command.Process.Kill() //nolint:errcheck // it may be over
		}
	})
	defer timer.Stop()
	err := command.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%q: %v", command.Args, err)
	}
	return ended{command.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// succeed runs a command that has to end with 0, and returns what it printed.
func succeed(t *testing.T, environment []string, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Env = environment
	result := finish(t, command)
	if result.code != 0 {
		t.Fatalf("%s %q ends with %d:\n%s%s", name, args, result.code, result.stdout, result.stderr)
	}
	return result.stdout
}

// refused runs a command that must not end with 0.
func refused(t *testing.T, environment []string, name string, args ...string) ended {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Env = environment
	result := finish(t, command)
	if result.code == 0 {
		t.Fatalf("%s %q ends with 0:\n%s%s", name, args, result.stdout, result.stderr)
	}
	return result
}

// arches are those that `make dist` was to build for, which the variable ARCH says to it, too; without it, this machine's.
func arches(t *testing.T) []string {
	t.Helper()
	wanted := strings.Fields(os.Getenv("ARCH"))
	if len(wanted) == 0 {
		wanted = []string{runtime.GOARCH}
	}
	if !slices.Contains(wanted, runtime.GOARCH) {
		t.Fatalf("ARCH is %q: the tests need a program for %s, too", wanted, runtime.GOARCH)
	}
	return wanted
}

// programFor is the path of the program for an architecture. That of this machine has the plain name.
func programFor(t *testing.T, arch string) string {
	t.Helper()
	if arch == runtime.GOARCH {
		return made(t, "kubectl-dra")
	}
	return made(t, "kubectl-dra-"+arch)
}

// emulatorIn is what a folder's programs are started by: nothing where this machine runs them itself.
const emulatorIn = "/emulator"

func emulator(t *testing.T, arch string) string {
	t.Helper()
	name := map[string]string{"arm64": "qemu-aarch64-static"}[arch]
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("nothing runs programs for %s here, so run .ci/deps %s: %v", arch, arch, err)
	}
	return path
}

// commandFor is a program for an architecture, started here.
func commandFor(t *testing.T, arch, path string, args ...string) *exec.Cmd {
	t.Helper()
	if arch == runtime.GOARCH {
		return exec.CommandContext(t.Context(), path, args...)
	}
	return exec.CommandContext(t.Context(), emulator(t, arch), append([]string{path}, args...)...)
}

// emptyRoot is a folder with the program for an architecture and these files, for alone().
func emptyRoot(t *testing.T, arch string, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	addFile(t, root, "kubectl-dra", programFor(t, arch))
	addEmulator(t, root, arch)
	for name, content := range files {
		write(t, filepath.Join(root, name), content, 0o644)
	}
	return root
}

func addEmulator(t *testing.T, root, arch string) {
	t.Helper()
	if arch != runtime.GOARCH {
		addFile(t, root, emulatorIn, emulator(t, arch))
	}
}

func addFile(t *testing.T, root, name, from string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, name), string(content), 0o755)
}

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// alone runs the program where nothing else is: no libraries, no /proc, no /etc but what the root has.
func alone(t *testing.T, root string, args ...string) ended {
	t.Helper()
	return within(t, root, 0, []string{"HOME=/", "LC_ALL=C.UTF-8"}, "/kubectl-dra", args...)
}

// within runs a program of a root as a user, who need not exist, and for whom the root has to be readable. A root with an
// emulator is of another architecture.
func within(t *testing.T, root string, user int, environment []string, name string, args ...string) ended {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, emulatorIn)); err == nil {
		name, args = emulatorIn, append([]string{name}, args...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = "/"
	command.Env = environment
	command.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if os.Geteuid() != 0 {
		id := []syscall.SysProcIDMap{{ContainerID: user, HostID: os.Geteuid(), Size: 1}}
		command.SysProcAttr.Cloneflags, command.SysProcAttr.UidMappings = syscall.CLONE_NEWUSER, id
	} else if user != 0 {
		command.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(user), Gid: uint32(user)}
	}
	return finish(t, command)
}

func wants(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q is missing in:\n%s", word, text)
		}
	}
}

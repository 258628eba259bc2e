// Package program runs a program that answers lines by lines, for tests that ask it thousands of questions.
package program

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Program is a running one.
type Program struct {
	Command *exec.Cmd
	In      io.WriteCloser
	Out     *bufio.Reader
	Stderr  bytes.Buffer
}

// Named is the path that an environment variable has for one of our programs, which `.ci/test debug` builds.
func Named(env, name string) (string, error) {
	path := os.Getenv(env)
	if path == "" {
		return "", fmt.Errorf("%s is not set: it must name the program %s, which `.ci/test debug` builds", env, name)
	}
	return path, nil
}

// Start starts a program. Its standard error is kept for what is said when it ends.
func Start(path string, args ...string) (*Program, error) {
	p := &Program{Command: exec.Command(path, args...)}
	p.Command.Stderr = &p.Stderr
	var err error
	if p.In, err = p.Command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.Command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.Out = bufio.NewReaderSize(out, 1<<20)
	return p, p.Command.Start()
}

// Stop tells the program that there are no more questions. It must then end by itself, without a complaint of a
// sanitizer.
func (p *Program) Stop() error {
	p.In.Close()
	if err := p.Command.Wait(); err != nil {
		return fmt.Errorf("%s: %v\n%s", p.Command.Path, err, p.Stderr.String())
	}
	return nil
}

// Ask writes a line and reads one.
func (p *Program) Ask(line string) (string, error) {
	if _, err := io.WriteString(p.In, line+"\n"); err != nil {
		return "", err
	}
	return p.Answer()
}

// Answer reads a line.
func (p *Program) Answer() (string, error) {
	answer, err := p.Out.ReadString('\n')
	return strings.TrimSuffix(answer, "\n"), err
}

// Run starts a program for the length of the test.
func Run(t testing.TB, path string, args ...string) *Program {
	t.Helper()
	p, err := Start(path, args...)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// RunOurs runs the program that an environment variable names, see Named.
func RunOurs(t testing.TB, env, name string, args ...string) *Program {
	t.Helper()
	path, err := Named(env, name)
	if err != nil {
		t.Fatal(err)
	}
	return Run(t, path, args...)
}

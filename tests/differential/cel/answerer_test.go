// This file is about asking the program that answers for the cel layer, answer_cel.cpp.

package cel

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

const answererEnv = "KUBECTL_DRA_ANSWER_CEL"

// escaper makes an argument fit between tabs on one line.
var escaper = strings.NewReplacer("\\", "\\\\", "\t", "\\t", "\n", "\\n")

// answerer is a running answer_cel.
type answerer struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer
}

// startAnswerer starts the program for the length of the test. It must end by itself when there are no
// more questions, without a complaint of a sanitizer.
func startAnswerer(t *testing.T) *answerer {
	t.Helper()
	path := os.Getenv(answererEnv)
	if path == "" {
		t.Fatalf("%s is not set: it must name the program answer_cel, which `.ci/test debug` builds", answererEnv)
	}
	a := &answerer{command: exec.Command(path)}
	a.command.Stderr = &a.stderr
	var err error
	if a.in, err = a.command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := a.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	a.out = bufio.NewReader(out)
	if err := a.command.Start(); err != nil {
		t.Fatalf("%s: %v (`.ci/test debug` builds it)", answererEnv, err)
	}
	t.Cleanup(func() {
		a.in.Close()
		if err := a.command.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", path, err, a.stderr.String())
		}
	})
	return a
}

// ask returns the answers to questions of a kind. A program that ends instead is a failure that names
// the question.
func (a *answerer) ask(t *testing.T, kind string, questions [][]string) []string {
	t.Helper()
	var lines strings.Builder
	for _, args := range questions {
		lines.WriteString(kind)
		for _, arg := range args {
			lines.WriteByte('\t')
			escaper.WriteString(&lines, arg)
		}
		lines.WriteByte('\n')
	}
	// Written beside reading, as neither pipe holds a whole batch. An error here shows as a missing answer.
	go io.WriteString(a.in, lines.String())
	answers := make([]string, 0, len(questions))
	for _, args := range questions {
		answer, err := a.out.ReadString('\n')
		if err != nil {
			t.Fatalf("no answer to %s %q: %v", kind, args, err)
		}
		answers = append(answers, strings.TrimSuffix(answer, "\n"))
	}
	return answers
}

func seed(t *testing.T) uint64 {
	t.Helper()
	var n uint64
	fmt.Sscan(os.Getenv("KUBECTL_DRA_SEED"), &n)
	return n
}

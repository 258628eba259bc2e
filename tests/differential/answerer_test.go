// This file is about asking the program that answers for the base layer, answer_base.cpp.

package differential

import (
	"io"
	"strings"
	"testing"

	"kubectl-dra/tests/program"
)

const answererEnv = "KUBECTL_DRA_ANSWER_BASE"

// escaper makes an argument fit between tabs on one line.
var escaper = strings.NewReplacer("\\", "\\\\", "\t", "\\t", "\n", "\\n")

// answerer is a running answer_base.
type answerer struct{ *program.Program }

func startAnswerer(t *testing.T) *answerer {
	t.Helper()
	return &answerer{program.RunOurs(t, answererEnv, "answer_base")}
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
	go io.WriteString(a.In, lines.String())
	answers := make([]string, 0, len(questions))
	for _, args := range questions {
		answer, err := a.Answer()
		if err != nil {
			t.Fatalf("no answer to %s %q: %v", kind, args, err)
		}
		answers = append(answers, answer)
	}
	return answers
}

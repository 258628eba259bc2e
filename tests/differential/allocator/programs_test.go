// This file is about the programs that answer: an oracle for each release, built of upstream's allocator, and ours.

package allocator

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"kubectl-dra/tests/program"
)

// answererEnv names the program that answers for the command. It is told a testCase on a line, and answers with an
// ourAnswer on one.
const answererEnv = "KUBECTL_DRA_ANSWER_ALLOCATOR"

// result is one device of an allocation.
type result struct {
	Claim            string            `json:"claim"`
	Request          string            `json:"request"`
	Driver           string            `json:"driver"`
	Pool             string            `json:"pool"`
	Device           string            `json:"device"`
	ShareID          bool              `json:"shareID"`
	ConsumedCapacity map[string]string `json:"consumedCapacity,omitempty"`
	AdminAccess      bool              `json:"adminAccess"`
}

// outcome is what upstream makes of a pod's claims on a node.
type outcome struct {
	Fits       bool     `json:"fits"`
	Aborts     bool     `json:"aborts"`
	Local      bool     `json:"local"`
	Timeout    bool     `json:"timeout"`
	Panic      bool     `json:"panic"`
	Error      string   `json:"error"`
	Steps      int64    `json:"steps"`
	Allocation []result `json:"allocation"`
}

// theirNode has all outcomes that several runs have shown.
type theirNode struct {
	Name string `json:"name"`
	outcome
	Others []outcome `json:"others"`
}

type theirAnswer struct {
	ID             int         `json:"id"`
	Error          string      `json:"error"`
	Implementation string      `json:"implementation"`
	Ordered        bool        `json:"ordered"`
	Nodes          []theirNode `json:"nodes"`
}

type ourNode struct {
	Name       string   `json:"name"`
	Fits       bool     `json:"fits"`
	Aborts     bool     `json:"aborts"`
	Reasons    []reason `json:"reasons"`
	Allocation []result `json:"allocation"`
}

type reason struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// ourAnswer has the report of `kubectl dra explain`.
type ourAnswer struct {
	ID          int    `json:"id"`
	Error       string `json:"error"`
	Explanation struct {
		Verdict string    `json:"verdict"`
		Nodes   []ourNode `json:"nodes"`
	} `json:"explanation"`
}

// longestAnswer is how long a program may take over one case.
const longestAnswer = 2 * time.Minute

// asked is what a program says of a case: its answer as it stands, or that it has ended instead.
type asked struct {
	line []byte
	err  error
}

// ask returns the answers to cases. A program that ends instead leaves the rest without one.
func askAll(p *program.Program, cases []*testCase) []asked {
	go func() { // beside reading, as neither pipe holds all of it; an error here shows as a missing answer
		out := bufio.NewWriter(p.In)
		encoder := json.NewEncoder(out)
		for _, c := range cases {
			encoder.Encode(c)
		}
		out.Flush()
	}()
	out := make([]asked, len(cases))
	watchdog := time.AfterFunc(longestAnswer, func() { p.Command.Process.Kill() })
	defer watchdog.Stop()
	for i := range cases {
		watchdog.Reset(longestAnswer)
		out[i].line, out[i].err = p.Out.ReadBytes('\n')
		if out[i].err != nil {
			p.Command.Wait()
			out[i].err = fmt.Errorf("%s ended: %v\n%s", p.Command.Path, p.Command.ProcessState, lastLines(p.Stderr.String(), 40))
			return out[:i+1]
		}
	}
	return out
}

func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// programs are started when they are first asked, and again after they ended.
type programs struct {
	paths map[string]string // by the version that they answer for; "" is ours

	mutex   sync.Mutex
	running map[string]*program.Program
}

func (p *programs) get(name string) (*program.Program, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if one := p.running[name]; one != nil {
		return one, nil
	}
	one, err := program.Start(p.paths[name])
	if err == nil {
		p.running[name] = one
	}
	return one, err
}

// ask returns an answer to each case.
func (p *programs) ask(name string, cases []*testCase) (out []asked) {
	for len(out) < len(cases) {
		one, err := p.get(name)
		if err != nil {
			out = append(out, asked{err: err})
			continue
		}
		out = append(out, askAll(one, cases[len(out):])...)
		if out[len(out)-1].err != nil {
			p.mutex.Lock()
			delete(p.running, name)
			p.mutex.Unlock()
		}
	}
	return out
}

func (p *programs) stop() (first error) {
	for _, one := range p.running {
		if err := one.Stop(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// pathOfOurs is of the program that answers for the command.
func pathOfOurs() (string, error) {
	path, err := program.Named(answererEnv, "answer_allocator")
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s: %v (`.ci/test debug` builds it)", answererEnv, err)
	}
	return path, nil
}

// oracleFolder is where the oracles are, once they are built.
var oracleFolder string

// oracles builds those of all releases. Go's cache of builds makes that quick when nothing has changed.
var oracles = sync.OnceValues(func() (paths map[string]string, err error) {
	if oracleFolder, err = os.MkdirTemp("", "kubectl-dra-oracles-"); err != nil {
		return nil, err
	}
	paths = map[string]string{}
	for _, r := range releases {
		paths[r.version] = filepath.Join(oracleFolder, r.oracle)
		build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", paths[r.version], ".")
		build.Dir = filepath.Join("oracle", r.oracle)
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go build in %s: %v\n%s", build.Dir, err, out)
		}
	}
	return paths, nil
})

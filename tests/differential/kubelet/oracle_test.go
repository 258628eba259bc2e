// This file is about the oracles: the kubelet's own code, of each release.

package kubelet

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
)

// said is what came of a case, as an oracle prints it.
type said struct {
	Case    string                        `json:"case"`
	Version string                        `json:"version"`
	Event   *event                        `json:"event,omitempty"`
	Waiting *corev1.ContainerStateWaiting `json:"waiting,omitempty"`
	Pod     *corev1.Pod                   `json:"pod"`
	Claims  []*resourceapi.ResourceClaim  `json:"claims"`
}

type event struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// The folder of a run, and the two ways in which gRPC reports the end of patience, depend on the run.
var (
	ofRun    = regexp.MustCompile(`/\S*/(state|dra\.sock)\b`)
	tooLate  = regexp.MustCompile(`(code = DeadlineExceeded desc = ).*`)
	ofAnyRun = func(text string) string {
		return tooLate.ReplaceAllString(ofRun.ReplaceAllString(text, "/var/lib/kubelet/$1"), "${1}context deadline exceeded")
	}
)

// inSource is what the kubelet writes around the errors, from the source of the release: it stands in functions that
// need the rest of a kubelet.
func inSource(t *testing.T, oracle string) (format, reason string) {
	t.Helper()
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes")
	list.Dir = oracle
	folder, err := list.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v", oracle, err)
	}
	runtime := filepath.Join(strings.TrimSpace(string(folder)), "pkg/kubelet/kuberuntime")
	ast.Inspect(parse(t, filepath.Join(runtime, "kuberuntime_manager.go")), func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		for i := 0; ok && i+1 < len(call.Args); i++ {
			if selected, ok := call.Args[i].(*ast.SelectorExpr); ok && selected.Sel.Name == "FailedPrepareDynamicResources" {
				format = text(call.Args[i+1])
			}
		}
		return true
	})
	ast.Inspect(parse(t, filepath.Join(runtime, "kuberuntime_container.go")), func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if ok && spec.Names[0].Name == "ErrCreateContainerConfig" {
			reason = text(spec.Values[0].(*ast.CallExpr).Args[0])
		}
		return true
	})
	if format == "" || reason == "" {
		t.Fatalf("%s: the format of the event is %q, the reason of a waiting container %q", runtime, format, reason)
	}
	return format, reason
}

func parse(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func text(literal ast.Expr) string {
	if basic, ok := literal.(*ast.BasicLit); ok {
		if value, err := strconv.Unquote(basic.Value); err == nil {
			return value
		}
	}
	return ""
}

// ask builds the oracle of a release and returns what it prints.
func ask(t *testing.T, release string) []byte {
	t.Helper()
	folder := filepath.Join("oracle", release)
	path := filepath.Join(t.TempDir(), release)
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path, ".")
	build.Dir = folder
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build in %s: %v\n%s", folder, err, out)
	}
	format, reason := inSource(t, folder)
	run := exec.Command(path, format, reason)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", path, err, stderr.String())
	}
	var lines bytes.Buffer
	for _, one := range read(t, out) {
		if one.Event != nil {
			one.Event.Message = ofAnyRun(one.Event.Message)
		}
		line, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\n", line)
	}
	return lines.Bytes()
}

func read(t *testing.T, lines []byte) (all []said) {
	t.Helper()
	scanner := bufio.NewScanner(bytes.NewReader(lines))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var one said
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			t.Fatalf("%v: %s", err, scanner.Bytes())
		}
		all = append(all, one)
	}
	return all
}

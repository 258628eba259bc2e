// Package mcp talks to `kubectl dra mcp` with the official client of the Model Context Protocol.
package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const fixtures = "../fixtures/"

func server(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path := os.Getenv("KUBECTL_DRA_BINARY")
	if _, err := os.Stat(path); err != nil {
		t.Fatal("KUBECTL_DRA_BINARY does not name a program: run make test")
	}
	command := exec.Command(path, append([]string{"mcp"}, args...)...)
	command.Env = []string{"HOME=" + t.TempDir(), "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}
	return command
}

func connect(t *testing.T, args ...string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "tests", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: server(t, args...)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func call(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return result
}

func text(result *mcp.CallToolResult) string {
	var all []string
	for _, block := range result.Content {
		if block, ok := block.(*mcp.TextContent); ok {
			all = append(all, block.Text)
		}
	}
	return strings.Join(all, "\n")
}

// schemas are what the server says that its tools print.
func schemas(t *testing.T, session *mcp.ClientSession) map[string]*jsonschema.Schema {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*jsonschema.Schema{}
	for _, tool := range list.Tools {
		if a := tool.Annotations; a == nil || !a.ReadOnlyHint || a.DestructiveHint == nil || *a.DestructiveHint {
			t.Errorf("%s is not said to be read-only: %+v", tool.Name, a)
		}
		document, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(document)))
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource(tool.Name, value); err != nil {
			t.Fatal(err)
		}
		if all[tool.Name], err = compiler.Compile(tool.Name); err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
	}
	return all
}

const waits, pod = "gpu-a100-fungibility.yaml", "vllm-gpu-7b9f6c5d44-w8pjn"

// TestTools calls each tool, and holds its report against the schema that the server sent.
func TestTools(t *testing.T) {
	t.Parallel()
	session := connect(t, "--snapshot", fixtures+waits)
	known := schemas(t, session)
	manifest, err := os.ReadFile(fixtures + "invalid-manifests.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		says      string
	}{
		{"overview", nil, "1 problem\n- Pod default/" + pod},
		{"overview", map[string]any{"namespace": "default"}, "1 problem"},
		{"doctor", nil, "1 problem"},
		{"explain", map[string]any{"kind": "pod", "name": pod, "namespace": "default"}, "All 4 GPUs are in use by 3 claims"},
		{"explain", map[string]any{"kind": "pod", "name": pod, "namespace": "default"}, "What would make it fit:\n- "},
		{"explain", map[string]any{"kind": "node", "name": "gke-gpu-a100-80gb-pool-c78060b4-cg6n"}, ""},
		{"waiting", nil, "1 pod waits for devices"},
		{"what_if", map[string]any{"kind": "pod", "name": pod, "namespace": "default", "add_node_like": []string{"gke-gpu-a100-80gb-pool-c78060b4-cg6n"}}, "would fit on 1 of 4 nodes"},
		{"devices", nil, "4 devices: 4 allocated"},
		{"devices", map[string]any{"node": "gke-gpu-a100-80gb-pool-c78060b4-cg6n"}, "1 device: 1 allocated"},
		{"plan", nil, "1 pod waits; it gets no node."},
		{"plan", map[string]any{"drain": []string{"gke-gpu-a100-80gb-pool-c78060b4-cg6n"}}, "Drain of gke-gpu-a100-80gb-pool-c78060b4-cg6n: "},
		{"topology", nil, "4 devices: 4 allocated"},
		{"eval", map[string]any{"expression": `device.driver == "gpu.nvidia.com"`}, "4 devices"},
		{"eval", map[string]any{"expression": "--nonsense", "check": true}, "The expression does not compile: "},
		{"validate", map[string]any{"manifests": string(manifest), "severity": "error"}, "findings"},
	} {
		result := call(t, session, c.tool, c.arguments)
		if result.IsError || !strings.Contains(text(result), c.says) {
			t.Errorf("%s %v: error %v, want %q in\n%s", c.tool, c.arguments, result.IsError, c.says, text(result))
			continue
		}
		if err := known[c.tool].Validate(result.StructuredContent); err != nil {
			t.Errorf("%s %v: %v", c.tool, c.arguments, err)
		}
		if len(text(result)) > 4100 {
			t.Errorf("%s: a text of %d bytes", c.tool, len(text(result)))
		}
	}
}

// TestErrors: a model reads what was wrong with its call, and the next call works.
func TestErrors(t *testing.T) {
	t.Parallel()
	session := connect(t, "--snapshot", fixtures+waits)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		says      string
	}{
		{"explain", map[string]any{"kind": "pod", "name": "nobody"}, `"nobody" not found`},
		{"explain", map[string]any{"kind": "pod", "name": "train", "namespace": "other"}, "the parameter namespace names another"},
		{"explain", map[string]any{"kind": "pod", "name": pod, "namespace": "other"}, "it is in namespace default"},
		{"explain", map[string]any{"kind": "pod"}, `"name" is missing`},
		{"explain", map[string]any{"kind": "pod", "name": "--kubeconfig=/etc/passwd"}, "is not a valid name"},
		{"explain", map[string]any{"kind": "pod", "name": pod, "context": "other"}, `"context" is not a parameter`},
		{"explain", map[string]any{"kind": "pod", "name": pod, "node": "n"}, `"node" must be a list of strings`},
		{"overview", map[string]any{"namespace": "n --context=x"}, "does not exist"},
		{"devices", map[string]any{"state": "broken"}, "state"},
		{"eval", map[string]any{"expression": 1}, `"expression" must be a string`},
	} {
		result := call(t, session, c.tool, c.arguments)
		if !result.IsError || !strings.Contains(text(result), c.says) {
			t.Errorf("%s %v: error %v, want %q in\n%s", c.tool, c.arguments, result.IsError, c.says, text(result))
		}
		// An agent has parameters, and no command line.
		if said := text(result); strings.Contains(said, " -n ") || strings.Contains(said, "kubectl dra") {
			t.Errorf("%s %v: %s", c.tool, c.arguments, said)
		}
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete"}); err == nil {
		t.Error("there is a tool that deletes")
	}
	if result := call(t, session, "doctor", nil); result.IsError {
		t.Errorf("after errors: %s", text(result))
	}
}

// TestSupposedAbsent: each form that the tool says that it takes is understood.
func TestSupposedAbsent(t *testing.T) {
	t.Parallel()
	session := connect(t, "--snapshot", fixtures+waits)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`"([a-z-]+/[A-Z0/]*[A-Z0])"`)
	for _, tool := range list.Tools {
		document, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]struct{ Description string }
		}
		if err := json.Unmarshal(document, &schema); err != nil {
			t.Fatal(err)
		}
		without, has := schema.Properties["without"]
		if !has {
			continue
		}
		forms := form.FindAllStringSubmatch(without.Description, -1)
		if len(forms) < 2 {
			t.Errorf("%s: no forms in %q", tool.Name, without.Description)
		}
		for _, found := range forms {
			arguments := map[string]any{"without": []string{found[1]}}
			if tool.Name == "what_if" {
				arguments["kind"], arguments["name"], arguments["namespace"] = "pod", pod, "default"
			}
			if result := call(t, session, tool.Name, arguments); strings.Contains(text(result), "not understood") {
				t.Errorf("%s %s: %s", tool.Name, found[1], text(result))
			}
		}
	}
}

// TestManyAtOnce: answers find their questions.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	session := connect(t, "--snapshot", fixtures+waits)
	failures := make(chan error, 40)
	for i := range cap(failures) {
		go func() {
			expression := fmt.Sprintf(`device.driver == "d%d"`, i)
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "eval", Arguments: map[string]any{"expression": expression, "check": true}})
			if err == nil {
				if report, ok := result.StructuredContent.(map[string]any); !ok || report["expression"] != expression {
					err = fmt.Errorf("asked about %s, told of %v", expression, report["expression"])
				}
			}
			failures <- err
		}()
	}
	for range cap(failures) {
		if err := <-failures; err != nil {
			t.Error(err)
		}
	}
}

// TestCancel: a call that waits for a server is cancelled, and lets the server go.
func TestCancel(t *testing.T) {
	t.Parallel()
	address, connected, released := silent(t)
	session := connect(t, "--server", address, "--token", "secret")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "overview"})
		ended <- err
	}()
	within(t, connected)
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Errorf("while a call runs: %v", err)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("what was cancelled has an answer")
	}
	within(t, released)
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func within(t *testing.T, happens <-chan struct{}) {
	t.Helper()
	select {
	case <-happens:
	case <-time.After(20 * time.Second):
		t.Fatal("nothing happens for 20 s")
	}
}

// TestHostileLines: whatever stands on a line, the next one is answered.
func TestHostileLines(t *testing.T) {
	t.Parallel()
	command := server(t, "--snapshot", fixtures+waits)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	ask := func(line string) (answer struct {
		ID     any
		Error  *struct{ Code int }
		Result any
	}) {
		t.Helper()
		go io.WriteString(in, line+"\n")
		text, err := answers.ReadString('\n')
		if err != nil {
			t.Fatalf("%.80s: %v", line, err)
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatalf("%.80s: %v", line, err)
		}
		return answer
	}
	for line, code := range map[string]int{
		"{": -32700, "\x00\xff": -32700, strings.Repeat("[", 100_000): -32700, strings.Repeat("x", 5<<20): -32600,
		"[]": -32600, `{"id":{},"method":"ping"}`: -32600, `{"id":1,"method":2}`: -32600,
		`{"id":1,"method":"resources/list"}`: -32601, `{"id":1,"method":"tools/call"}`: -32602, `{"id":1,"method":"tools/call","params":[]}`: -32602,
		`{"id":1,"method":"tools/list","params":{"cursor":"x"}}`: -32602,
	} {
		if answer := ask(line); answer.Error == nil || answer.Error.Code != code {
			t.Errorf("%.80s: %+v, want the code %d", line, answer, code)
		}
		if answer := ask(`{"jsonrpc":"2.0","id":"next","method":"ping"}`); answer.ID != "next" || answer.Error != nil {
			t.Errorf("after %.80s: %+v", line, answer)
		}
	}
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01"} {
		answer := ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q}}`, version))
		want := map[bool]string{true: "2025-11-25", false: version}[version == "1999-01-01"]
		if got, _ := answer.Result.(map[string]any); got["protocolVersion"] != want {
			t.Errorf("asked for %s: %v", version, got["protocolVersion"])
		}
	}
	in.Close()
	if err := command.Wait(); err != nil {
		t.Errorf("the end of the input: %v", err)
	}
}

// TestEndsWithItsClient: a call that runs when the client goes away does not keep the server.
func TestEndsWithItsClient(t *testing.T) {
	t.Parallel()
	address, connected, released := silent(t)
	command := server(t, "--server", address)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"overview"}}`+"\n")
	within(t, connected)
	in.Close()
	within(t, released)
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
}

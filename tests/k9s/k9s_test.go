// Package k9s holds completions/k9s.yaml against k9s itself: its schema of plugins, its keys, its variables.
package k9s

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"
)

const (
	version = "v0.50.16"
	file    = "../../completions/k9s.yaml"
)

type plugin struct {
	ShortCut, Command string
	Scopes, Args      []string
}

func read(t *testing.T) map[string]plugin {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Plugins map[string]plugin }
	if err := yaml.Unmarshal(text, &all); err != nil || len(all.Plugins) == 0 {
		t.Fatalf("%d plugins: %v", len(all.Plugins), err)
	}
	return all.Plugins
}

// sources is the folder of k9s, which Go fetches as any other module.
func sources(t *testing.T) string {
	t.Helper()
	command := exec.Command("go", "mod", "download", "-json", "github.com/derailed/k9s@"+version)
	command.Dir = t.TempDir()
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("k9s %s cannot be fetched: %v %s", version, err, printed)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(printed, &module); err != nil {
		t.Fatal(err)
	}
	return module.Dir
}

func TestSchema(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(sources(t), "internal/config/json/schemas/plugins.json"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	document, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(document)))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
}

// TestKeys: k9s passes over a plugin whose key one of its own views has.
func TestKeys(t *testing.T) {
	t.Parallel()
	views, err := filepath.Glob(filepath.Join(sources(t), "internal/view/*.go"))
	if err != nil || len(views) == 0 {
		t.Fatalf("no views: %v", err)
	}
	var bound []string
	for _, view := range views {
		text, err := os.ReadFile(view)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range regexp.MustCompile(`ui\.KeyShift([A-Z])\b`).FindAllStringSubmatch(string(text), -1) {
			bound = append(bound, "Shift-"+key[1])
		}
	}
	used := map[string]string{}
	for name, plugin := range read(t) {
		if slices.Contains(bound, plugin.ShortCut) {
			t.Errorf("%s: k9s has %s itself", name, plugin.ShortCut)
		}
		for _, scope := range plugin.Scopes {
			if other := used[scope+plugin.ShortCut]; other != "" {
				t.Errorf("%s and %s are both %s of %s", name, other, plugin.ShortCut, scope)
			}
			used[scope+plugin.ShortCut] = name
		}
	}
}

var variable = regexp.MustCompile(`(\$(!?)([\w\-]+))|(\$\{(!?)([\w\-%/: ]+)})`) // internal/view/env.go

// TestCommands runs every plugin in every scope that has an object in the scene, with k9s's variables in their places.
func TestCommands(t *testing.T) {
	t.Parallel()
	programs := t.TempDir()
	for name, text := range map[string]string{
		"less":    "#!/bin/sh\nexec cat\n",
		"kubectl": "#!/bin/sh\nshift\nexec \"" + os.Getenv("KUBECTL_DRA_BINARY") + "\" \"$@\"\n", // `kubectl dra ...`
	} {
		if err := os.WriteFile(filepath.Join(programs, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	scene, err := filepath.Abs("../fixtures/gke-tpu-v6e-8.yaml")
	if err != nil {
		t.Fatal(err)
	}
	objects := map[string]string{"pods": "vllm-tpu-6d5f7c9b8-h2vqn", "nodes": "gke-v6e-8-pool-5b1c9d3e-k7xq",
		"deviceclasses": "tpu.google.com", "resourceclaims": "vllm-tpu-6d5f7c9b8-h2vqn-tpus-x7k2m", "resourceclaimtemplates": "tpu-claim-template",
		"resourceslices": "00000-tpu.google.com-gke-v6e-8-pool-5b1c9d3e-k7xq-9db11"}
	ran := 0
	for name, plugin := range read(t) {
		for _, scope := range plugin.Scopes {
			values := map[string]string{"RESOURCE_NAME": scope, "NAME": objects[scope], "NAMESPACE": "inference", "CONTEXT": "here"}
			args := make([]string, len(plugin.Args))
			for i, arg := range plugin.Args {
				args[i] = variable.ReplaceAllStringFunc(arg, func(found string) string {
					value, known := values[strings.Trim(found, "${}")]
					if !known {
						t.Errorf("%s: k9s has no variable %s", name, found)
					}
					return value
				})
			}
			if objects[scope] == "" {
				continue
			}
			at := slices.Index(args, "--context")
			if at < 0 || args[at+1] != "here" {
				t.Fatalf("%s: %q does not name the context", name, args)
			}
			command := exec.Command(plugin.Command, slices.Delete(args, at, at+2)...)
			command.Env = []string{"PATH=" + programs + ":/usr/bin:/bin", "HOME=" + t.TempDir(), "KUBECTL_DRA_SNAPSHOT=" + scene}
			printed, err := command.CombinedOutput()
			if err != nil || strings.Contains(string(printed), "error:") || !strings.Contains(string(printed), objects[scope]) {
				t.Errorf("%s of %s: %v\n%s", name, scope, err, printed)
			}
			ran++
		}
	}
	if ran < 12 {
		t.Errorf("only %d commands ran", ran)
	}
}

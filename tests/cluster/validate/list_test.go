// This file is about the items of Lists: kubectl checks them by the OpenAPI schema, which no server then does.

package validate_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/manifests"
	"kubectl-dra/tests/soak"
)

const (
	kubectlEnv = "KUBECTL_DRA_KUBECTL"
	listSample = 300
)

// withoutOne removes a field somewhere in the object but what names it, and returns what it was called: "" if there is
// none.
func withoutOne(random *rand.Rand, object tree) string {
	type place struct {
		in   tree
		name string
	}
	var places []place
	var collect func(value any)
	collect = func(value any) {
		switch value := value.(type) {
		case tree:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				places = append(places, place{value, name})
				collect(value[name])
			}
		case []any:
			for _, item := range value {
				collect(item)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			places = append(places, place{object, name})
			collect(object[name])
		}
	}
	if len(places) == 0 {
		return ""
	}
	one := places[random.IntN(len(places))]
	delete(one.in, one.name)
	return one.name
}

// saidByKubectl is what kubectl says of files from which it creates no object, be it of its own or from the server.
func saidByKubectl(t *testing.T, kubeconfig, dir string) map[string]string {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Getenv(kubectlEnv), "create", "--dry-run=server", "-f", dir)
	command.Env = []string{"KUBECONFIG=" + kubeconfig, "HOME=" + t.TempDir()}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, line := range strings.Split(stderr.String(), "\n") {
		for _, part := range strings.Split(line, `"`) {
			if strings.HasPrefix(part, dir) {
				said[part] += line
			}
		}
	}
	return said
}

// TestItemsOfLists leaves fields out of good objects, and has kubectl and the plugin look at each in a List.
func TestItemsOfLists(t *testing.T) {
	t.Parallel()
	good, err := manifests.Good()
	if err != nil {
		t.Fatal(err)
	}
	random, dir := seeded(t, 7), t.TempDir()
	removed := map[string]string{}
	for i := range listSample * soak.Times() {
		var object tree
		if err := yaml.Unmarshal([]byte(good[random.IntN(len(good))].Text), &object); err != nil {
			t.Fatal(err)
		}
		name := withoutOne(random, object)
		if name == "" {
			continue
		}
		file := filepath.Join(dir, fmt.Sprintf("%04d.yaml", i))
		removed[file] = fmt.Sprintf("%s %s without %s", object["apiVersion"], object["kind"], name)
		list := tree{"apiVersion": "v1", "kind": "List", "items": []any{object}}
		if err := os.WriteFile(file, []byte(text(t, list)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := newOracle(t, nil)
	said := saidByKubectl(t, o.as(t, harness.Admin).kubeconfig, dir)
	ours, byClient := runPlugin(t, dir, ""), 0
	for file, what := range removed {
		refused := slices.ContainsFunc(ours[file], func(f finding) bool { return f.Severity == "error" })
		client := slices.ContainsFunc(ours[file], func(f finding) bool { return f.Phase == "client" })
		if client {
			byClient++
		}
		// Of workloads the plugin knows the fields, and of the rules only those for their pods.
		ownWord := strings.Contains(said[file], "error validating")
		workload := !strings.Contains(what, "resource.k8s.io") && said[file] != "" && !ownWord
		if client && !ownWord || !workload && refused != (said[file] != "") {
			t.Errorf("%s: kubectl says %q; findings: %+v", what, said[file], ours[file])
		}
	}
	if byClient < len(removed)/30 {
		t.Errorf("of %d objects only %d do not have a field that only kubectl requires", len(removed), byClient)
	}
}

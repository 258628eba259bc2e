package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// What validation costs beside reading the text, which nothing that says line and column can avoid.
func TestValidatesInThriceTheTimeOfTheParser(t *testing.T) {
	const manifests = 1000 // of three documents
	measure := func(what string) func() time.Duration {
		return func() time.Duration { return timeOf(t, "KUBECTL_DRA_MEASURE_MANIFESTS", what, manifests) }
	}
	hold(t, "validate a manifest of three documents", 7, 3, inTurn(measure("validate"), measure("events")))
}

// A dump of 2,500 slices, read, decoded and listed, against the events of yaml-cpp alone. The whole took half as long again
// as those when yaml-cpp read the text.
func TestReadsDumpsFasterThanTheOldParser(t *testing.T) {
	var dump strings.Builder
	dump.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for i := range nodes / 2 {
		published := slice(i)
		published.APIVersion, published.Kind = "resource.k8s.io/v1", "ResourceSlice"
		text, err := yaml.Marshal(published)
		if err != nil {
			t.Fatal(err)
		}
		dump.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "\n  ") + "\n")
	}
	file := filepath.Join(t.TempDir(), "dump.yaml")
	if err := os.WriteFile(file, []byte(dump.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ours := program(t, "KUBECTL_DRA_RELEASE")
	list := func() time.Duration { return command(t, nil, ours, "slices", "--snapshot", file) }
	events := func() time.Duration { return timeOf(t, "KUBECTL_DRA_MEASURE_MANIFESTS", "file", file) }
	hold(t, "slices of a dump in YAML against the events of yaml-cpp", 3, 0.7, inTurn(list, events))
	memory(t, 400, nil, ours, "slices", "--snapshot", file)
}

// This file is about writing down what the server says, for whoever writes a rule to read.

package validate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/manifests"
)

// dumpEnv names a directory in which everything that was asked and answered is left.
const dumpEnv = "KUBECTL_DRA_ORACLE"

// perDirectory is how many manifests the plugin is given at once.
const perDirectory = 1000

// writeManifests writes each manifest into a file, and returns the names of the files.
func writeManifests(t *testing.T, dir string, all []*manifests.Manifest) []string {
	t.Helper()
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = filepath.Join(dir, fmt.Sprintf("%03d", i/perDirectory), fmt.Sprintf("%s.%s.%05d.yaml", m.Kind, m.Version(), i))
		if err := os.MkdirAll(filepath.Dir(names[i]), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(names[i], []byte(m.Text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// dump writes a table for each kind and version: file, accepted or the phase, type, path, message, what was changed.
func dump(t *testing.T, dir, suffix string, all []*manifests.Manifest, files []string, answers []answer) {
	t.Helper()
	tables := map[string]*strings.Builder{}
	for i, m := range all {
		name := m.Kind + "." + m.Version() + "." + suffix + ".tsv"
		if tables[name] == nil {
			tables[name] = &strings.Builder{}
		}
		causes := answers[i].causes
		if len(causes) == 0 {
			causes = []cause{{}}
		}
		for _, c := range causes {
			columns := []string{files[i], string(answers[i].phase), c.Type, c.Path, c.Message, m.Base + ": " + m.Changes}
			for k := range columns {
				columns[k] = strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(columns[k])
			}
			fmt.Fprintln(tables[name], strings.Join(columns, "\t"))
		}
	}
	for name, table := range tables {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// This file is about what the plugin says of the same manifests, and where it differs from the server.

package validate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/manifests"
	"kubectl-dra/tests/schema"
)

const (
	pluginEnv = "KUBECTL_DRA_BINARY"

	shownDifferences = 40 // the rest is only counted
)

// finding is one of the plugin's.
type finding struct {
	File, Object, Path, Severity, Code, Type, Message string
	Phase                                             phase
}

// runPlugin has the plugin validate all manifests of a directory, with gates that differ from the defaults, and returns
// what it finds by file.
func runPlugin(t *testing.T, dir, gates string) map[string][]finding {
	t.Helper()
	return runPluginWith(t, gates, "-f", dir)
}

func runPluginWith(t *testing.T, gates string, args ...string) map[string][]finding {
	t.Helper()
	plugin := os.Getenv(pluginEnv)
	if plugin == "" {
		t.Fatalf("%s is not set: it must name the program to test", pluginEnv)
	}
	args = append([]string{"validate", "-o", "json"}, args...)
	if gates != "" {
		args = append(args, "--feature-gates="+gates)
	}
	command := exec.CommandContext(t.Context(), plugin, args...)
	command.Env = []string{"KUBECONFIG=/nonexistent/kubeconfig", "HOME=" + t.TempDir()}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := command.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 2) {
		t.Fatalf("%v: %v: %s", args[:min(len(args), 8)], err, stderr.Bytes())
	}
	schema.ForTest(t).Check(t, strings.Join(args, " "), stdout.String())
	var report struct{ Findings []finding }
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("%v: %v\n%s", args[:min(len(args), 8)], err, stderr.Bytes())
	}
	byFile := map[string][]finding{}
	for _, f := range report.Findings {
		byFile[f.File] = append(byFile[f.File], f)
	}
	return byFile
}

var key = regexp.MustCompile(`\[([^\]]*[^\]0-9][^\]]*)\]`)

// ourAnswer puts findings into the form of the server's answer, which ends after the first phase with errors. Its paths of
// values that cannot be decoded have neither places nor keys, and those of unknown fields have keys as they have fields.
func ourAnswer(findings []finding) answer {
	ours := answer{phase: accepted}
	for _, p := range []phase{decode, strict, validate} {
		for _, f := range findings {
			// A duplicate is a warning, as kubectl sends none; the server, which is asked here, refuses it.
			duplicate := f.Code == "DuplicateField"
			if (f.Severity != "error" && !duplicate) || f.Phase != p {
				continue
			}
			path := f.Path
			switch p {
			case decode:
				path = regexp.MustCompile(`\[[^\]]*\]`).ReplaceAllString(path, "")
			case strict:
				path = key.ReplaceAllString(mapKey.ReplaceAllString(path, "$1.$2"), ".$1") // a key may be a number
			}
			ours.causes = append(ours.causes, cause{f.Code, path, f.Message})
		}
		if len(ours.causes) > 0 {
			ours.phase = p
			return ours
		}
	}
	return ours
}

// laterName is said by the server only where all else is right, as a check of its own behind the rules of a kind.
const laterName = "Invalid metadata.generateName"

// mostStrict is how many unknown and duplicate fields the server tells at most: saveStrictError of sigs.k8s.io/json. We tell
// all, as whoever mends a file wants them all.
const mostStrict = 100

// differ says how the answers differ: type and path that only one of them has.
func differ(ours, theirs answer) (onlyOurs, onlyTheirs []string) {
	if theirs.phase == decode && ours.phase == decode {
		// The server tells the first of them, and not always where.
		if theirs.causes[0].Path == "" || slices.Contains(ours.pairs(), theirs.pairs()[0]) {
			return nil, nil
		}
	}
	cutOff := theirs.phase == strict && len(theirs.causes) >= mostStrict
	for _, pair := range ours.pairs() {
		if cutOff && ours.phase == strict {
			break
		}
		if pair == laterName && theirs.phase == validate {
			continue
		}
		if ours.phase != theirs.phase || !slices.Contains(theirs.pairs(), pair) {
			onlyOurs = append(onlyOurs, pair)
		}
	}
	for _, pair := range theirs.pairs() {
		if ours.phase != theirs.phase || !slices.Contains(ours.pairs(), pair) {
			onlyTheirs = append(onlyTheirs, pair)
		}
	}
	return onlyOurs, onlyTheirs
}

// difference is what is told of manifests that are judged wrongly in the same way.
type difference struct {
	count                  int
	file, changes          string // of the first
	oursSays, theirMessage string
}

// expectAgreement fails if the plugin judges a manifest in another way than the server.
func expectAgreement(t *testing.T, s setting, all []*manifests.Manifest, files []string, answers []answer) {
	t.Helper()
	findings := map[string][]finding{}
	for i := 0; i < len(files); i += perDirectory {
		maps.Copy(findings, runPlugin(t, filepath.Dir(files[i]), s.told))
	}
	expectSame(t, s, all, files, answers, func(file string) answer { return ourAnswer(findings[file]) })
}

// expectSame fails where what the plugin says of a file is not what the server says.
func expectSame(t *testing.T, s setting, all []*manifests.Manifest, files []string, answers []answer, answerOf func(file string) answer) {
	t.Helper()
	differences := map[string]*difference{}
	note := func(who, pair string, i int, ours answer) {
		where := index.ReplaceAllString(mapKey.ReplaceAllString(pair, "$1[*]"), "[]")
		name := strings.Join([]string{all[i].Kind, all[i].Version(), who, where}, " ")
		if differences[name] == nil {
			differences[name] = &difference{file: files[i], changes: all[i].Base + ": " + all[i].Changes,
				oursSays: fmt.Sprintf("%s %s", ours.phase, messages(ours)), theirMessage: fmt.Sprintf("%s %s", answers[i].phase, messages(answers[i]))}
		}
		differences[name].count++
	}
	wrong := 0
	for i, theirs := range answers {
		if theirs.phase == other {
			continue
		}
		ours := answerOf(files[i])
		onlyOurs, onlyTheirs := differ(ours, theirs)
		for _, pair := range onlyOurs {
			note("only ours  ", pair, i, ours)
		}
		for _, pair := range onlyTheirs {
			note("only theirs", pair, i, ours)
		}
		if len(onlyOurs)+len(onlyTheirs) > 0 {
			wrong++
		}
	}
	report(t, s, wrong, len(answers), differences)
}

func messages(a answer) string {
	var all []string
	for _, c := range a.causes {
		all = append(all, c.Type+" "+c.Path+": "+c.Message)
	}
	text := strings.Join(all, " | ")
	return strings.ReplaceAll(text[:min(len(text), 500)], "\n", `\n`)
}

// report fails the test with the differences, and leaves all of them where everything is left.
func report(t *testing.T, s setting, wrong, total int, differences map[string]*difference) {
	t.Helper()
	var text string
	for i, name := range slices.Sorted(maps.Keys(differences)) {
		d := differences[name]
		one := fmt.Sprintf("%s (%d times)\n  %s: %s\n  ours:   %s\n  theirs: %s\n", name, d.count, d.file, d.changes, d.oursSays, d.theirMessage)
		if text += one; i < shownDifferences {
			t.Error(one)
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d manifests are judged in another way, in %d ways", wrong, total, len(differences))
	}
	if dir := os.Getenv(dumpEnv); dir != "" {
		text = fmt.Sprintf("# %s: %d of %d manifests differ, in %d ways\n\n%s", s.name, wrong, total, len(differences), text)
		if err := os.WriteFile(filepath.Join(dir, "MISMATCHES."+s.name+".md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

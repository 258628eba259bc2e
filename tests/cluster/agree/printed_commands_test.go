// This file is about the commands that goldens print to be pasted: the plugin and kubectl have to understand all of
// them. Whether advice works is in advice_commands_test.go.

package agree_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/harness"
)

// printed is a command with a golden that prints it.
type printed struct{ command, golden string }

var (
	// At the end of a line, behind an indentation or a label with its two spaces or its colon.
	commandLine = regexp.MustCompile(`(?m)(?:^ {2,}|  |: )(?:# )?(kubectl [a-z].*)$`)
	// In a sentence, maybe in several lines: the name of a command, without what it needs.
	quotedCommand = regexp.MustCompile("`(kubectl [a-z][^`]*)`")
	verb          = regexp.MustCompile(`^kubectl( dra)? [a-z-]+`)
	jsonString    = regexp.MustCompile(`(?m)^\s*(?:"commands?": )?("kubectl (?:[^"\\]|\\.)*"),?$`)
	placeholder   = regexp.MustCompile(`^(-o=)?[A-Z]{3,}(/[A-Z]+)*$`)
)

// addOns are resources that the plane does not serve, as nothing installs them or a feature is off.
var addOns = []string{"podgroup", "jobset", "computedomain", "computeclass", "workload", "clusterqueue", "localqueue", "nodepool", "nodeclaim"}

func TestPrintedCommands(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	own, others := map[string]string{}, map[string]string{} // a golden for each
	for _, one := range printedCommands(t, filepath.Join(root, "tests", "golden")) {
		for _, part := range pipeline(one.command) {
			if strings.HasPrefix(part, "kubectl dra ") {
				own[part] = one.golden
			} else if strings.HasPrefix(part, "kubectl ") {
				others[part] = one.golden
			}
		}
	}
	t.Logf("%d commands of the plugin, %d of kubectl", len(own), len(others))
	if len(own) < 100 || len(others) < 30 {
		t.Fatal("too few commands: how they are printed has changed")
	}
	c := newCluster(t, harness.Options{})
	c.understood(t, own, func(words []string) (string, error) {
		return runIn(t, root, program(t, pluginEnv), c.kubeconfig, words[2:])
	}, func(output string, err error) bool {
		return exitCode(err) != 1 || strings.Contains(output, "not found")
	})
	c.understood(t, others, func(words []string) (string, error) {
		return runIn(t, root, program(t, kubectlEnv), c.kubeconfig, withoutEffect(words[1:]))
	}, kubectlUnderstood)
}

// printedCommands returns the commands of all goldens, each as often as it is there.
func printedCommands(t *testing.T, root string) (all []printed) {
	t.Helper()
	for _, dir := range []string{"explain", "overview", "doctor", "describe"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, command := range commandsIn(t, string(text)) {
				all = append(all, printed{command, filepath.Join(dir, entry.Name())})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func commandsIn(t *testing.T, golden string) (commands []string) {
	t.Helper()
	_, output, _ := strings.Cut(golden, "--- stdout\n")
	if strings.HasPrefix(output, "<") { // pages have them as the text has them
		return nil
	}
	for _, match := range jsonString.FindAllStringSubmatch(output, -1) {
		var command string
		if err := json.Unmarshal([]byte(match[1]), &command); err != nil {
			t.Fatal(err)
		}
		commands = append(commands, command)
	}
	if strings.HasPrefix(output, "{") || strings.HasPrefix(output, "apiVersion: ") {
		return commands
	}
	for _, match := range commandLine.FindAllStringSubmatch(output, -1) {
		if command, _, _ := strings.Cut(match[1], "; "); !strings.Contains(command, "`") {
			commands = append(commands, command)
		}
	}
	for _, match := range quotedCommand.FindAllStringSubmatch(strings.Join(strings.Fields(output), " "), -1) {
		commands = append(commands, verb.ReplaceAllString(match[1], "$0 --help"))
	}
	return commands
}

// pipeline parts a line at "|" and "&&" outside of quotes, and leaves out the files that are written.
func pipeline(line string) (parts []string) {
	quoted, begin := false, 0
	add := func(part string) {
		if at := strings.LastIndex(part, " > "); at > strings.LastIndex(part, "'") {
			part = part[:at]
		}
		parts = append(parts, strings.TrimSpace(part))
	}
	for i, c := range line {
		switch {
		case c == '\'' && (i == 0 || line[i-1] != '\\'):
			quoted = !quoted
		case quoted:
		case c == '|':
			add(line[begin:i])
			begin = i + 1
		case strings.HasPrefix(line[i:], "&&"):
			add(line[begin:i])
			begin = i + 2
		}
	}
	add(line[begin:])
	return parts
}

// shellWords are those that a shell makes of the command.
func shellWords(t *testing.T, command string) []string {
	t.Helper()
	output, err := exec.Command("bash", "-c", `printf '%s\0' `+command).Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return strings.Split(strings.TrimSuffix(string(output), "\x00"), "\x00")
}

func (c *cluster) understood(t *testing.T, commands map[string]string, run func([]string) (string, error), good func(string, error) bool) {
	t.Helper()
	all := slices.Sorted(maps.Keys(commands))
	eachAtOnce(len(all), func(i int) {
		parts := shellWords(t, all[i])
		if slices.ContainsFunc(parts, placeholder.MatchString) {
			return
		}
		if output, err := run(parts); !good(output, err) {
			t.Errorf("%s (%s): %v\n%s", all[i], commands[all[i]], err, output)
		}
	})
}

func runIn(t *testing.T, dir, program, kubeconfig string, args []string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = dir
	command.Env = []string{"KUBECONFIG=" + kubeconfig, "HOME=" + t.TempDir()}
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	err := command.Run()
	return output.String(), err
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// withoutEffect makes a command of kubectl that changes and waits for nothing. Those that read an object from a pipe
// show their help instead, before which kubectl has parsed the flags.
func withoutEffect(args []string) []string {
	if slices.Contains(args, "-") || args[0] == "edit" {
		return append(args, "--help")
	}
	if slices.Contains([]string{"patch", "delete", "scale", "annotate", "label", "cordon", "uncordon", "drain", "taint"}, args[0]) {
		return append(args, "--dry-run=server")
	}
	return args
}

// kubectlUnderstood accepts that an object is not there.
func kubectlUnderstood(output string, err error) bool {
	if err == nil || strings.Contains(output, "NotFound") || strings.Contains(output, "not found") {
		return true
	}
	return slices.ContainsFunc(addOns, func(name string) bool {
		return strings.Contains(output, `the server doesn't have a resource type "`+name)
	})
}

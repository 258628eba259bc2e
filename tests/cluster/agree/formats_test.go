// This file is about kubectl's output formats: templates, paths, columns and orders, as the documentation has
// them and generated ones. kubectl runs in this process, so hundreds of lists take seconds.

package agree_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/klog/v2"
	"k8s.io/kubectl/pkg/cmd/get"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"

	"kubectl-dra/tests/cluster/harness"
)

// generatedFormats is how many lists are invented in addition to documentedFormats.
const generatedFormats = 300

// TestKubectlFormats compares standard output and exit codes.
func TestKubectlFormats(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	c := newCluster(t, harness.Options{})
	state := readFixture(t, "claims.yaml")
	with(t, c, state, func() {
		t.Run("", func(t *testing.T) {
			theirs := &inProcess{kubeconfig: c.kubeconfig, cache: t.TempDir()}
			lists := documentedFormats(t)
			g := &formatter{r: rand.New(rand.NewPCG(r.Uint64(), 0))}
			for range generatedFormats {
				lists = append(lists, g.list())
			}
			for _, list := range lists {
				t.Run(strings.Join(list, " "), func(t *testing.T) {
					t.Parallel()
					c.sameFormat(t, theirs, list)
				})
			}
		})
	})
}

// inProcess is kubectl without a process of its own. It is one at a time, as it ends by global functions.
type inProcess struct {
	sync.Mutex
	kubeconfig, cache string
}

// ended is the panic of a command that would have ended the process.
type ended int

// get runs `kubectl get`.
func (k *inProcess) get(t *testing.T, args ...string) (result outcome) {
	t.Helper()
	k.Lock()
	defer k.Unlock()
	var stdout, stderr bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &stdout, ErrOut: &stderr}
	cmdutil.BehaviorOnFatal(func(message string, code int) {
		stderr.WriteString(message + "\n")
		panic(ended(code))
	})
	defer cmdutil.DefaultBehaviorOnFatal()
	exit := klog.OsExit
	klog.OsExit = func(code int) { panic(ended(code)) }
	defer func() {
		klog.OsExit = exit
		result.stdout, result.stderr = stdout.String(), stderr.String()
		if caught := recover(); caught != nil {
			code, planned := caught.(ended)
			if !planned {
				code = panicked
			}
			result.exit = int(code)
		}
	}()
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig, flags.CacheDir = &k.kubeconfig, &k.cache
	command := &cobra.Command{Use: "kubectl", SilenceUsage: true, SilenceErrors: true}
	flags.AddFlags(command.PersistentFlags())
	command.AddCommand(get.NewCmdGet("kubectl", cmdutil.NewFactory(flags), streams))
	command.SetArgs(append([]string{"get"}, args...))
	command.SetOut(&stdout)
	command.SetErr(&stderr)
	if err := command.Execute(); err != nil {
		stderr.WriteString("error: " + err.Error() + "\n")
		result.exit = 1
	}
	return result
}

// panicked is how a Go program ends that nobody stopped.
const panicked = 2

// sameFormat compares one list. What kubectl fails on, also by a panic, the plugin refuses with 1. It then prints nothing,
// or what kubectl prints, which may be what it came to until then.
func (c *cluster) sameFormat(t *testing.T, theirs *inProcess, list choice) {
	t.Helper()
	got := c.plugin(t, list...)
	want := theirs.get(t, append([]string{resources[list[0]]}, list[1:]...)...)
	sameList(t, list, want, got)
}

// sameList compares what two programs print of a list.
func sameList(t *testing.T, list choice, want, got outcome) {
	t.Helper()
	if printsTable(list) {
		want.stdout, got.stdout = sharedColumns(t, list, want.stdout, got.stdout)
	}
	sameResult(t, want, got)
}

func sameResult(t *testing.T, want, got outcome) {
	t.Helper()
	switch {
	case want.exit != 0 && (got.exit != 1 || (got.stdout != "" && got.stdout != want.stdout)):
		t.Errorf("should be refused:\nwant %s\ngot  %s", summary(want), summary(got))
	case want.exit == 0 && (got.exit != 0 || got.stdout != want.stdout):
		t.Errorf("%s%s\n%s", difference(want.stdout, got.stdout), summary(want), summary(got))
	}
}

// printsTable tells whether a list is one for people: it has no format of its own.
func printsTable(list choice) bool {
	return !slices.ContainsFunc(list, func(arg string) bool {
		return arg == "-o" || strings.HasPrefix(arg, "--output") || strings.HasPrefix(arg, "--template")
	}) || slices.Contains(list, "wide")
}

// documentedFormats are the forms of kubectl's documentation, and of answers to questions, with what is at their
// edges.
func documentedFormats(t *testing.T) []choice {
	t.Helper()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	lists := []choice{
		{"claims", "-A", "-o", "custom-columns-file=" + file("columns", "NAME NS\n.metadata.name .metadata.namespace\n")},
		{"claims", "-A", "-o", "custom-columns-file=" + file("columns-tabs", "NAME\t  REQUESTS\r\n{.metadata.name}\t{.spec.devices.requests[*].name}\r\nmore"), "--no-headers"},
		{"claims", "-A", "-o", "custom-columns-file=" + file("columns-empty", "")},
		{"claims", "-A", "-o", "custom-columns-file=" + file("columns-one-line", "NAME\n")},
		{"claims", "-A", "-o", "custom-columns-file=" + file("columns-unequal", "NAME NS\n.metadata.name\n")},
		{"claims", "-A", "-o", "custom-columns-file=" + file("columns-blank", "\n\n")},
		{"claims", "-A", "-o", "custom-columns-file=" + file("columns-bad", "NAME\n.metadata[\n")},
		{"claims", "-A", "-o", "custom-columns-file=" + filepath.Join(dir, "none")},
		{"claims", "-A", "-o", "custom-columns-file", "--template", file("columns-flag", "N\n.metadata.name")},
		{"claims", "-A", "-o", "jsonpath-file=" + file("path", "{range .items[*]}{.metadata.name}{\"\\n\"}{end}\n")},
		{"claims", "-A", "-o", "jsonpath-file=" + filepath.Join(dir, "none")},
		{"claims", "-A", "-o", "go-template-file=" + file("template", "{{range .items}}{{.metadata.name}}{{\"\\n\"}}{{end}}\n")},
		{"claims", "-A", "-o", "templatefile=" + file("template2", "{{len .items}}")},
		{"claims", "-A", "-o", "go-template-file", "--template", file("template3", "{{.kind}}\n")},
		{"claims", "-A", "-o", "go-template-file=" + filepath.Join(dir, "none")},
	}
	for _, arguments := range formatArguments {
		for _, what := range []choice{{"claims", "-A"}, {"slices"}, {"claims", "-n", "no-such-namespace"}} {
			lists = append(lists, append(slices.Clone(what), arguments...))
		}
	}
	return lists
}

// formatArguments are asked of several lists, an empty one among them.
var formatArguments = []choice{
	{"-o", "kyaml"}, {"-o", "KYAML", "--show-managed-fields"}, {"-o", "JSON"}, {"-o", "Yaml"}, {"-o", "NAME"}, {"-o", "Wide"}, {"-o", "JsonPath={.kind}"},
	{"-o", "template={{.kind}} {{len .items}}"},
	{"-o", "go-template={{range .items}}{{.metadata.name}}{{\"\\n\"}}{{else}}none{{end}}"},
	{"-o", "go-template={{range $i, $item := .items}}{{if $i}},{{end}}{{$item.metadata.name}}{{end}}"},
	{"-o", "go-template={{range .items}}{{with .metadata.labels}}{{range $k, $v := .}}{{$k}}={{$v}} {{end}}{{else}}-{{end}}{{\"\\n\"}}{{end}}"},
	{"-o", "go-template={{range .items}}{{.metadata.name | printf \"%-30s|\"}}{{.spec}}{{\"\\n\"}}{{end}}"},
	{"-o", "go-template={{range .items}}{{.no.such.field}}{{end}}"},
	{"-o", "go-template={{range .items}}{{.no}}{{end}}", "--allow-missing-template-keys=false"},
	{"-o", "go-template={{range .items}}"}, {"-o", "go-template={{.items.name}}"}, {"-o", "go-template={{index .items 1000}}"},
	{"-o", "go-template="}, {"-o", "go-template"}, {"-o", "go-template={{nofunction}}"}, {"-o", "go-template={{/* note */ -}}  x"},
	{"--template", "{{.apiVersion}}/{{.kind}}"}, {"--template={{.kind}}", "-o", "go-template"}, {"--template={{.kind}}", "-o", "json"},
	{"--template={{.kind}}", "-o", "name"}, {"--template={.kind}", "-o", "jsonpath"}, {"--template={.items[*].kind}", "-o", "jsonpath-as-json"},
	{"--template={.kind}", "-o", "jsonpath={.kind}"}, {"--template=A:.kind", "-o", "custom-columns"}, {"--template=A:.kind", "-o", "custom-columns=B:.kind"},
	{"--template={{.kind}}", "--show-labels"}, {"--template={{.kind}}", "-L", "app"},
	{"-o", "jsonpath={range .items[*]}{.metadata.name}{end}", "--ignore-not-found"},
	{"-o", "jsonpath={range .items[*]}{.metadata.name}{range .spec.devices.requests[*]}/{.name}{end}{\"\\n\"}{end}"},
	{"-o", "jsonpath={range .items[*]}{@.metadata.name}{\" \"}{end}tail", "--ignore-not-found"}, {"-o", "jsonpath={range .items[*]}{.metadata.name}"},
	{"-o", "jsonpath={range .items[*].metadata.labels}{@}{\"\\n\"}{end}"}, {"-o", "jsonpath={.items[0].metadata.name}"}, {"-o", "jsonpath={.items[-1].metadata.name}"},
	{"-o", "jsonpath={.items[*].spec.no}"}, {"-o", "jsonpath={.items[*].spec.no}", "--allow-missing-template-keys=false"},
	{"-o", "jsonpath={.items[?(@.spec.nodeName)].metadata.name}"}, {"-o", "jsonpath={.items[?(@.metadata.name!=\"x\")].kind}"}, {"-o", "jsonpath={end}"},
	{"-o", "jsonpath={.items[*]['metadata.name','kind']}"}, {"-o", "jsonpath-as-json={.items[*].metadata}"}, {"-o", "jsonpath=text"},
	{"-o", "custom-columns=NAME:.metadata.name"}, {"-o", "custom-columns=NAME:metadata.name,NS:{.metadata.namespace},K:{kind}", "--no-headers"},
	{"-o", "custom-columns=A:.metadata,B:.spec"}, {"-o", "custom-columns=A:.no,B:"}, {"-o", "custom-columns=:.kind"}, {"-o", "custom-columns=A:.kind,"},
	{"-o", "custom-columns=A:{.kind"}, {"-o", "custom-columns=A"}, {"-o", "custom-columns"}, {"-o", "custom-columns=A:.kind", "--show-labels"},
	{"-o", "custom-columns=A:.kind", "-L", "x"}, {"-o", "custom-columns=LONG HEADER:.metadata.name,B:.metadata.labels"},
	{"-o", "name", "--sort-by", ".metadata.name"}, {"-o", "name", "--sort-by", "{.metadata.creationTimestamp}"}, {"-o", "name", "--sort-by", "metadata.uid"},
	{"-o", "name", "--sort-by", ".metadata.labels"}, {"-o", "name", "--sort-by", ".spec.devices.requests[0].name"}, {"-o", "name", "--sort-by", ".no"},
	{"-o", "name", "--sort-by", "{.metadata}{.kind}"}, {"-o", "name", "--sort-by", ".metadata["}, {"-o", "name", "--sort-by", ""}, {"-o", "name", "--sort-by", ".kind"},
	{"-o", "name", "--sort-by", ".spec.pool.resourceSliceCount"}, {"-o", "name", "--sort-by", ".metadata.ownerReferences[0].controller"}, {"-o", "name", "--sort-by", ".spec.nodeName"},
	{"-o", "custom-columns=N:.metadata.name", "--sort-by", ".metadata.uid"}, {"-o", "kyaml", "--sort-by", ".metadata.uid", "--chunk-size=1"},
	{"-o", "json", "--chunk-size", "3"}, {"-o", "name", "--chunk-size", "0"}, {"-o", "name", "--ignore-not-found"}, {"-o", "kyaml", "--ignore-not-found"},
	{"--show-kind"}, {"--show-kind", "--no-headers"}, {"--no-headers"}, {"-o", "wide", "--no-headers"}, {"--sort-by", ".metadata.name", "--show-kind"},
	{"-o", "no-such-format"}, {"-o", "json="}, {"-o", "wide="}, {"-o", "name=x"}, {"-o", "="},
}

// formatter invents lists whose expressions fit the objects.
type formatter struct{ r *rand.Rand }

// paths are members of some of the objects that are listed.
var paths = []string{".metadata.name", ".metadata.namespace", ".metadata.labels", ".metadata.uid", ".kind", ".spec", ".spec.devices.requests[*].name",
	".spec.devices.requests[0].exactly.deviceClassName", ".spec.devices.requests[*].exactly.count", ".status.allocation.devices.results[*].device",
	".status.reservedFor[*].name", ".spec.driver", ".spec.nodeName", ".spec.pool.name", ".spec.pool.generation", ".spec.devices[*].name", ".spec.devices[-1:].name",
	".spec.devices[0]", ".metadata.annotations", ".status", ".no", ".spec.no[0]", ".metadata.ownerReferences[*].kind", ".status.conditions[?(@.type==\"Ready\")].status",
	".status.capacity.cpu", ".status.capacity.memory", ".spec.taints", ".metadata.creationTimestamp", ".spec.selectors[*].cel.expression", ".apiVersion"}

func (g *formatter) list() choice {
	list := slices.Clone(oneOf(g.r, choice{"claims", "-A"}, choice{"claims", "-A"}, choice{"claims", "-n", "team-a"}, choice{"slices"}, choice{"classes"}, choice{"nodes"},
		choice{"templates", "-A"}, choice{"claims", "-n", "none"}))
	if chance(g.r, 30) {
		list = append(list, "--sort-by", oneOf(g.r, "", "", "{")+oneOf(g.r, paths...))
		if last := len(list) - 1; strings.HasPrefix(list[last], "{") {
			list[last] += "}"
		}
	}
	if chance(g.r, 20) {
		list = append(list, "--no-headers")
	}
	if chance(g.r, 20) {
		list = append(list, "--allow-missing-template-keys="+oneOf(g.r, "true", "false"))
	}
	if chance(g.r, 10) {
		list = append(list, "--ignore-not-found")
	}
	return append(list, "-o", g.format())
}

func (g *formatter) format() string {
	switch g.r.IntN(6) {
	case 0:
		return oneOf(g.r, "kyaml", "yaml", "json", "name")
	case 1, 2:
		columns := make([]string, 1+g.r.IntN(4))
		for i := range columns {
			columns[i] = oneOf(g.r, "A", "NAME", "A LONG ONE", "") + ":" + oneOf(g.r, paths...)
		}
		return "custom-columns=" + strings.Join(columns, ",")
	case 3:
		path := func() string { return "{" + oneOf(g.r, paths...) + "}" }
		return "jsonpath" + oneOf(g.r, "", "", "-as-json") + "=" + oneOf(g.r, "{range .items[*]}"+path()+"{\"\\n\"}{end}", "{.items[*]"+oneOf(g.r, paths...)+"}",
			"{range .items[*]}a"+path()+"b"+path()+"{end}", path(), "{range .items[*]}"+path()+"{range .spec.devices.requests[*]}/{.name}{end}{end}")
	default:
		return "go-template=" + g.template()
	}
}

// template is a loop over the items, as most are.
func (g *formatter) template() string {
	field := func() string {
		path := oneOf(g.r, ".metadata.name", ".metadata.labels", ".spec", ".kind", ".metadata.namespace", ".status", ".metadata.uid", ".spec.devices", ".spec.no.more", ".no", ".spec.pool")
		return oneOf(g.r, path, path, "printf \"%v\" "+path, "printf \"%-12s|\" "+path, path+" | html", "print "+path+" 1", "len "+path, "not "+path,
			"index .metadata \"name\"", "exists . \"spec\" \"devices\"", "eq .kind \"ResourceClaim\"", "slice .metadata.name 1 3", path+" | printf \"%q\"",
			"or "+path+" \"none\"", "and "+path+" 1", "js "+path, "urlquery .metadata.name", "base64decode .metadata.name", "gt (len .metadata.name) 10")
	}
	block := func() string {
		return oneOf(g.r, fmt.Sprintf("{{%s}}", field()), fmt.Sprintf("{{if %s}}y{{else}}n{{end}}", field()), fmt.Sprintf("{{with %s}}{{.}}{{end}}", field()),
			fmt.Sprintf("{{$x := %s}}{{$x}}", field()), "{{range $k, $v := .metadata}}{{$k}} {{end}}", "{{range .spec.devices.requests}}{{.name}}{{else}}-{{end}}")
	}
	loop := oneOf(g.r, "{{range .items}}", "{{range $i, $e := .items}}{{$i}} ", "{{range .items -}} ")
	return loop + block() + oneOf(g.r, " ", "{{\"\\t\"}}", "/") + block() + "{{\"\\n\"}}{{end}}"
}

// This file is about lists: which objects are chosen, in which order, and in which format they are printed,
// compared with kubectl and with a snapshot.

package agree_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

// choicesPerScene is how many lists are invented for each scene.
const choicesPerScene = 12

// choice is one list: the arguments after the verb of both programs. The first is the plugin's word for
// what is listed; where it is "get", the rest is the same for kubectl.
type choice []string

// kindsOf are the kinds of API objects that the plugin lists, by its word for them.
var kindsOf = map[string]string{"claims": "ResourceClaim", "templates": "ResourceClaimTemplate", "classes": "DeviceClass",
	"slices": "ResourceSlice", "taintrules": "DeviceTaintRule", "nodes": "Node", "pods": "Pod"}

// TestKubectlChoices loads the scenes one after another, and runs the lists of each at once.
func TestKubectlChoices(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	c := newCluster(t, harness.Options{})
	for i, name := range scene.Good {
		seed := r.Uint64()
		state := readFixture(t, name)
		t.Run(name, func(t *testing.T) {
			with(t, c, state, func() {
				t.Run("", func(t *testing.T) {
					for _, choice := range formattedLists(i) {
						c.choose(t, choice)
					}
					g := &chooser{r: rand.New(rand.NewPCG(seed, 0)), objects: state.Objects}
					for range choicesPerScene {
						c.choose(t, g.invent())
					}
					compareDescriptions(t, c, state)
					if i == 0 {
						for _, choice := range choices {
							c.choose(t, choice)
						}
					}
				})
			})
		})
	}
}

// formattedLists are lists of everything in formats for programs, with which the scenes take turns.
func formattedLists(turn int) []choice {
	var lists []choice
	formats := []string{"json", "yaml", "name"}
	for i, what := range []string{"claims", "templates", "classes", "slices", "taintrules", "nodes"} {
		for j := range 2 {
			output := formats[(turn+i+j)%len(formats)]
			list := choice{what, "-o", output}
			if what == "claims" || what == "templates" {
				list = append(list, "-A")
			}
			lists = append(lists, list)
		}
	}
	return lists
}

// choices are asked for in the scene claims.yaml.
var choices = []choice{
	{"claims", "-n", "team-a"},
	{"claims", "-n", "no-such-namespace"},
	{"claims", "-n", "no-such-namespace", "-o", "json"},
	{"claims", "-n", "no-such-namespace", "-o", "name"},
	{"claims", "-n", "no-such-namespace", "--no-headers"},
	{"claims", "-n", "no-such-namespace", "--ignore-not-found"},
	{"claims", "-A", "-l", "no=label"},
	{"claims", "-A", "-l", "=,"},
	{"claims", "-A", "-l", "a in (b"},
	{"claims", "-A", "--field-selector", "metadata.namespace=team-a", "-o", "name"},
	{"claims", "-A", "--field-selector", "metadata.namespace!=team-a", "-o", "name"},
	{"claims", "-A", "--field-selector", "metadata.name==no,metadata.namespace=team-a", "-o", "yaml"},
	{"claims", "-A", "--field-selector", "status.allocation=no"},
	{"claims", "-A", "--field-selector", "no"},
	{"claims", "-A", "--field-selector", `metadata.name=a\,b`, "-o", "json"},
	{"claims", "-A", "--show-labels"},
	{"claims", "-A", "-L", "app,example.com/team", "-L", "tier"},
	{"claims", "-A", "--show-labels", "-L", "app", "--no-headers"},
	{"claims", "-A", "-o", "json", "--show-managed-fields"},
	{"claims", "-A", "-o", "yaml", "--show-managed-fields=true"},
	{"claims", "-A", "-o", "name", "--sort-by", ".metadata.uid"},
	{"claims", "-A", "-o", "name", "--sort-by={.metadata.creationTimestamp}"},
	{"claims", "-A", "--sort-by", "metadata.name"},
	{"claims", "-A", "--sort-by", ".spec.devices.requests[0].exactly.count", "-o", "name"},
	{"claims", "-A", "--sort-by", ".spec.no", "-o", "name"},
	{"claims", "-A", "--sort-by", "{.metadata", "-o", "name"},
	{"claims", "-A", "--sort-by", ".spec.devices", "-o", "name"},
	{"claims", "-A", "-o", "json", "--chunk-size=2"},
	{"claims", "-A", "-o", "name", "--chunk-size=0"},
	{"claims", "-A", "-o", "name", "--chunk-size=1", "--sort-by=.metadata.name"},
	{"claims", "-A", "-o", "name", "--chunk-size=-1"},
	{"claims", "no-such-claim"},
	{"claims", "no-such-claim", "--ignore-not-found"},
	{"claims", "no-such-claim", "--ignore-not-found", "-o", "json"},
	{"claims", "no-such-claim", "another", "-n", "team-a"},
	{"claims", "no-such-claim", "-A"},
	{"claims", "no-such-claim", "-l", "a=b"},
	{"claims", "no-such-claim", "--field-selector", "metadata.name=a"},
	{"claims", "a/b"},
	{"claims", "."},
	{"claims", "a%b"},
	{"claims", "-A", "-o", "jsonpath={.items[*].metadata.name}"},
	{"claims", "-A", "-o", `jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name}{"\t"}{.spec.devices.requests[*].name}{"\n"}{end}`},
	{"claims", "-A", "-o", `jsonpath={.items[?(@.metadata.namespace=="team-a")].metadata.name}`},
	{"claims", "-A", "-o", "jsonpath={.items[0].spec}"},
	{"claims", "-A", "-o", "jsonpath={.no}"},
	{"claims", "-A", "-o", "jsonpath={.items[0"},
	{"claims", "-A", "-o", "jsonpath="},
	{"claims", "-A", "-o", "jsonpath-as-json={.items[*].metadata.name}"},
	{"claims", "-A", "-o", "custom-columns=NAME:.metadata.name,NODE:.status.allocation.nodeSelector,COUNT:.spec.devices.requests[*].exactly.count"},
	{"claims", "-A", "-o", "custom-columns=NAME:.metadata.name,NO:.no", "--no-headers"},
	{"claims", "-A", "-o", "custom-columns=NAME"},
	{"claims", "-A", "-o", "custom-columns="},
	{"claims", "-A", "-o", "no-such-format"},
	{"claims", "-A", "-o", "wide"},
	{"claims", "--all-namespaces=false", "-n", "team-a", "-o", "name"},
	{"slices", "--field-selector", "spec.driver=gpu.nvidia.com", "-o", "name"},
	{"slices", "--field-selector", "spec.driver!=gpu.nvidia.com", "-o", "name"},
	{"slices", "--field-selector", "spec.nodeName=,spec.driver=gpu.nvidia.com", "-o", "name"},
	{"slices", "--field-selector", "spec.pool.name=no-such-pool", "-o", "name"},
	{"slices", "--field-selector", "spec.no=a", "-o", "name"},
	{"slices", "--sort-by", ".spec.pool.generation", "-o", "name"},
	{"slices", "-n", "team-a", "-o", "name"},
	{"nodes", "--field-selector", "spec.unschedulable=false", "-o", "name"},
	{"nodes", "--sort-by", ".status.capacity.cpu", "-o", "name"},
	{"nodes", "--sort-by", ".status.allocatable.memory", "-o", "name"},
	{"nodes", "--field-selector", "status.phase=Running"},
	{"classes", "no-such-class", "-o", "json"},
	{"taintrules"},
	{"get", "resourceclaims.resource.k8s.io", "-A", "-o", "name"},
	{"get", "resourceclaims.v1.resource.k8s.io", "-A", "-o", "json"},
	{"get", "ResourceClaim", "-A", "-o", "name"},
	{"get", "resourceclaim/no-such-claim"},
	{"get", "resourceclaim/no-such-claim", "deviceclass/no-such-class", "-o", "json"},
	{"get", "resourceclaim/a", "b"},
	{"get", "resourceclaim/a/b"},
	{"get", "deviceclasses,resourceslices", "-o", "name"},
	{"get", "deviceclasses,resourceslices", "-o", "json"},
	{"get", "resourceslice.v1.resource.k8s.io", "-o", "yaml"},
	{"get", "resourceclaims.v7.resource.k8s.io"},
	{"get", "no", "-o", "name"}, // nodes
	{"get", "no/name", "-o", "name"},
	{"get", "unheard-of", "-o", "name"},
	{"get", "unheard-of/name"},
	{"get"},
}

// chooser invents lists of the objects of a scene.
type chooser struct {
	r       *rand.Rand
	objects []*unstructured.Unstructured
}

// invent returns a list that most often is one that kubectl prints.
func (g *chooser) invent() choice {
	what := oneOf(g.r, "claims", "claims", "claims", "templates", "classes", "slices", "slices", "taintrules", "nodes", "pods")
	var some []*unstructured.Unstructured
	for _, object := range g.objects {
		if object.GetKind() == kindsOf[what] {
			some = append(some, object)
		}
	}
	args := choice{what}
	any := func() *unstructured.Unstructured {
		if len(some) == 0 || chance(g.r, 10) {
			none := &unstructured.Unstructured{}
			none.SetName("no-such-" + what)
			none.SetNamespace("no-such-namespace")
			return none
		}
		return oneOf(g.r, some...)
	}
	named := what == "pods" || chance(g.r, 35) // of pods the plugin lists only those with claims
	switch one := any(); {
	case named:
		args = append(args, one.GetName())
		for chance(g.r, 40) {
			args = append(args, any().GetName())
		}
		args = append(args, "-n", one.GetNamespace())
		if one.GetNamespace() == "" {
			args = args[:len(args)-2]
		}
		if chance(g.r, 30) {
			args = append(args, "--ignore-not-found")
		}
	default:
		args = append(args, oneOf(g.r, []string{"-A"}, []string{"-A"}, []string{}, []string{"-n", one.GetNamespace() + "x"}, []string{"-n", "default"})...)
		if chance(g.r, 40) {
			args = append(args, "-l", g.selector(one))
		}
		if chance(g.r, 30) {
			args = append(args, "--field-selector", g.fields(what, one))
		}
	}
	format := g.format()
	if chance(g.r, 30) && !(named && isTable(format)) { // of tables kubectl sorts each object that was named for itself
		args = append(args, "--sort-by", oneOf(g.r, ".metadata.name", "{.metadata.uid}", "metadata.namespace", ".spec", ".metadata.labels.app", ".spec.driver", ".kind"))
	}
	if chance(g.r, 20) {
		args = append(args, "--chunk-size", fmt.Sprint(g.r.IntN(4)))
	}
	return append(args, format...)
}

// format invents how it is printed.
func (g *chooser) format() []string {
	switch g.r.IntN(8) {
	case 0, 1:
		return []string{"-o", "json"}
	case 2, 3:
		return []string{"-o", "yaml"}
	case 4:
		return []string{"-o", "name"}
	case 5:
		return []string{"-o", oneOf(g.r, "jsonpath={.metadata.name}{.items[*].metadata.name}", "jsonpath={.metadata}", "jsonpath={.items[*]['metadata.name', 'kind']}",
			"jsonpath={.items[-1:].metadata}", "jsonpath-as-json={.items[*].spec}")}
	case 6:
		return []string{"-o", oneOf(g.r, "custom-columns=A:.metadata.name,B:.metadata.labels", "custom-columns=NAME:{.metadata.name},SPEC:.spec",
			"custom-columns=X:.kind,Y:.metadata.namespace")}
	}
	return oneOf(g.r, []string{}, []string{"--show-labels"}, []string{"-L", "app"}, []string{"--no-headers"}, []string{"-o", "wide"})
}

// selector invents a label selector for which the object may be chosen.
func (g *chooser) selector(object *unstructured.Unstructured) string {
	key, value := "app", "none"
	for label, text := range object.GetLabels() {
		if key == "app" || label < key {
			key, value = label, text
		}
	}
	return oneOf(g.r, key+"="+value, key+"!="+value, key, "!"+key, key+" in ("+value+",other)", key+" notin (other),"+key, "a.b/c=d, e")
}

// fields invents a field selector.
func (g *chooser) fields(what string, object *unstructured.Unstructured) string {
	own := map[string][]string{
		"slices": {"spec.driver=gpu.nvidia.com", "spec.driver!=tpu.google.com", "spec.nodeName!=", "spec.pool.name=a"},
		"nodes":  {"spec.unschedulable=true", "spec.unschedulable!=true"},
		"claims": {"metadata.namespace=" + object.GetNamespace(), "metadata.namespace!=" + object.GetNamespace()},
	}[what]
	return oneOf(g.r, append(own, "metadata.name="+object.GetName(), "metadata.name!="+object.GetName(), "metadata.name=a,metadata.name!=b", "spec.no=x")...)
}

// choose compares one list.
func (c *cluster) choose(t *testing.T, list choice) {
	t.Run(strings.Join(list, " "), func(t *testing.T) {
		t.Parallel()
		s := newSetting(t, c)
		s.writeConfig("kubeconfig", s.config)
		theirs := append([]string{"get"}, list[1:]...)
		if noun, known := nouns[list[0]]; known {
			theirs = append([]string{"get", noun}, list[1:]...)
		}
		want := s.perform(program(t, kubectlEnv), theirs...)
		got := s.perform(program(t, pluginEnv), list...)
		live, refused := got.outcome, len(objects(got.tape, "")) == 0
		if isTable(list) {
			want.stdout, got.stdout = sharedColumns(t, list, want.stdout, got.stdout)
			want.tape, got.tape = s.onPaths(want.tape, got.tape)
		}
		switch {
		case want.exit == fatal, refusals[t.Name()[strings.LastIndex(t.Name(), "/")+1:]] != "":
			s.refusesChoice(got)
		case want.exit != 0 && refused:
			s.refusesChoice(got) // which kubectl did later, or the server
		case losesRows(list, want.outcome, got.outcome):
			s.refusesChoice(got)
		default:
			s.compare(want, got)
			s.sameWords(want.outcome, got.outcome)
		}
		if !showsManagers(list) {
			c.replay(t, live, list)
		}
	})
}

// refusals are the lists that the plugin refuses and kubectl prints, as subtests are called. The values are
// the reasons.
var refusals = map[string]string{
	"claims_-A_-o_name_--chunk-size=-1": "fewer than no objects at a time are a mistake",
}

// losesRows tells whether a table was to be sorted by a field that no object has: kubectl then prints no
// row, says that there is nothing, and calls it success. In other formats it is an error.
func losesRows(list choice, want, got outcome) bool {
	return isTable(list) && slices.Contains(list, "--sort-by") && want.exit == 0 && want.stdout == "" &&
		strings.Contains(want.stderr, "No resources found") && strings.Contains(got.stderr, "couldn't find any field")
}

// onPaths returns the requests as if they had no query, and of the plugin's only those whose paths kubectl
// asks for: to judge what it shows in tables, the plugin may need more than is listed. Where it lists all
// objects, it does not get each that was named.
func (s *setting) onPaths(want, got []asked) ([]asked, []asked) {
	plain := func(tape []asked) []asked {
		tape = slices.Clone(tape)
		for i := range tape {
			tape[i].query = nil
		}
		return tape
	}
	asks := func(tape []asked, path string) bool {
		return slices.ContainsFunc(tape, func(entry asked) bool { return entry.path == path })
	}
	ours := slices.DeleteFunc(plain(got), func(entry asked) bool { return entry.resource("") != "" && !asks(want, entry.path) })
	theirs := slices.DeleteFunc(plain(want), func(entry asked) bool {
		return entry.resource("") != "" && !asks(got, entry.path) && asks(got, path.Dir(entry.path))
	})
	return theirs, ours
}

// showsManagers tells whether managed fields may be printed, which no snapshot has.
func showsManagers(list choice) bool {
	return slices.ContainsFunc(list, func(arg string) bool {
		return strings.HasPrefix(arg, "--show-managed-fields") || strings.HasPrefix(arg, "jsonpath") && strings.Contains(arg, "metadata}")
	})
}

// fatal is how kubectl ends when it cannot sort: a log line, and no error message.
const fatal = 255

// refusesChoice demands one error and nothing printed.
func (s *setting) refusesChoice(got taped) {
	s.Helper()
	if got.exit != 1 || got.stdout != "" || !errorLine.MatchString(got.stderr) {
		s.Errorf("should be refused: %s", summary(got.outcome))
	}
}

// isTable tells whether a list is printed for people.
func isTable(list choice) bool {
	for i, arg := range list {
		if arg == "-o" {
			return list[i+1] == "wide"
		}
	}
	return true
}

// promised matches the lines of kubectl that the plugin has too, on standard error.
var promised = regexp.MustCompile(`(?m)^(Error from server|No resources found|Warning: ).*$`)

// sameWords compares the lines on standard error that are promised to be kubectl's.
func (s *setting) sameWords(want, got outcome) {
	s.Helper()
	for _, line := range promised.FindAllString(want.stderr, -1) {
		if strings.HasPrefix(line, `Error from server (NotFound): namespaces "`) {
			continue // said instead of what was not found, to who may read namespaces; the plugin says both in a hint
		}
		if !strings.Contains("\n"+got.stderr, "\n"+line+"\n") {
			s.Errorf("not said: %s\ngot %s", line, got.stderr)
		}
	}
}

// sharedColumns leaves of two tables the columns that both have but for ages, or the first cells of rows
// if there are no titles.
func sharedColumns(t *testing.T, list choice, want, got string) (string, string) {
	if want == "" || got == "" {
		return want, got
	}
	if slices.Contains(list, "--no-headers") {
		return firstCells(want), firstCells(got)
	}
	header, _, _ := strings.Cut(want, "\n")
	ours, _, _ := strings.Cut(got, "\n")
	titles := strings.Fields(ours)
	shared := slices.DeleteFunc(strings.Fields(header), func(title string) bool {
		return title == "AGE" || title == "STATE" || title == "STATUS" || title == "NODE" || !slices.Contains(titles, title)
	})
	print := func(text string) string {
		return strings.Join(append([]string{strings.Join(shared, " ")}, pick(parseTable(t, text), shared...)...), "\n")
	}
	return print(want), print(got)
}

// firstCells are the texts before the first blank of each line.
func firstCells(table string) string {
	var cells []string
	for line := range strings.Lines(table) {
		cells = append(cells, strings.Fields(line + " .")[0])
	}
	return strings.Join(cells, "\n")
}

// replay demands of the last snapshot what the plane answered.
func (c *cluster) replay(t *testing.T, live outcome, list choice) {
	t.Helper()
	replayed := offline(t, append(slices.Clone(list), "--snapshot", c.full)...)
	plain := func(text string) string { return text }
	if isTable(list) {
		plain = withoutTimes
	}
	if want, got := plain(live.stdout), plain(replayed.stdout); want != got || live.exit != replayed.exit {
		t.Errorf("the plane and its snapshot differ:\n%s%s\n%s", difference(want, got), summary(live), summary(replayed))
	}
}

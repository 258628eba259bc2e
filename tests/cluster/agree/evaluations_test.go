// This file is about selectors: what `eval`, `classes` and `devices --cel` say of the slices of a plane,
// held against the compiler that the API server and the scheduler use.

package agree_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/utils/ptr"

	"kubectl-dra/tests/cluster/scene"
)

// gates are those of v1.37 that decide about the language of selectors, by default.
var gates = dracel.Features{EnableConsumableCapacity: true}

// verdict is what one language says of an expression.
type verdict struct {
	OK            bool
	Stage, Error  string
	OutputType    string
	EstimatedCost *uint64
	Stored        *verdict
}

// evaluation is the report of eval.
type evaluation struct {
	Kind, Expression string
	Compile          verdict
	Clauses          []clauseCount
	Devices          []deviceAnswer
	Coverage         json.RawMessage
}

type clauseCount struct {
	Text                       string
	Alone, After, OnlyObstacle int
}

// deviceAnswer is what an expression says of a device.
type deviceAnswer struct {
	Driver, Pool, Device, PoolStatus, Result, Stage, Error string
	Cost                                                   *uint64
}

// asker asks the plugin about the state that facts are of.
type asker func(t *testing.T, args ...string) outcome

// report asks for JSON and decodes it. The command must succeed, or end with one of the codes given.
func (ask asker) report(t *testing.T, into any, codes []int, args ...string) {
	t.Helper()
	got := ask(t, append([]string{args[0], "-o", "json"}, args[1:]...)...)
	if got.exit != 0 && !slices.Contains(codes, got.exit) {
		t.Fatalf("%q: %+v", args, got)
	}
	decode(t, got.stdout, into)
}

// TestEvaluationsOfFixtures needs no plane: upstream's compiler runs here.
func TestEvaluationsOfFixtures(t *testing.T) {
	r := newRandom(t)
	outcomes := map[string]int{}
	for _, name := range scene.Good {
		t.Run(name, func(t *testing.T) {
			path := recordedFixture(t, name)
			ask := func(t *testing.T, args ...string) outcome {
				t.Helper()
				return offline(t, append([]string{args[0], "--snapshot", path}, args[1:]...)...)
			}
			f := factsOf(t, readFixture(t, name))
			for outcome, times := range compareEvaluations(t, ask, f, r, 20) {
				outcomes[outcome] += times
			}
			for _, expression := range goldenExpressions(t, name) {
				compareEvaluation(t, ask, f, expression)
			}
		})
	}
	expectAllOutcomes(t, outcomes)
}

// expectAllOutcomes fails if what was compared was all alike. An expression is refused once, and evaluated for each device.
func expectAllOutcomes(t *testing.T, outcomes map[string]int) {
	t.Helper()
	t.Logf("%s", words(outcomes))
	for outcome, least := range map[string]int{"true": 20, "false": 20, "error": 20, "refused": 5} {
		if outcomes[outcome] < least {
			t.Errorf("only %d evaluations are %s", outcomes[outcome], outcome)
		}
	}
}

// goldenExpressions are those that the golden scenes of eval evaluate for the devices of a fixture.
func goldenExpressions(t *testing.T, fixture string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "golden", "eval", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden scenes: %v", err)
	}
	var expressions []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, command, _ := strings.Cut(string(text), "\n$ kubectl dra eval ")
		command, _, _ = strings.Cut(command, "\n")
		parts := strings.Split(command, "'")
		if len(parts) == 3 && strings.HasSuffix(command, "/"+fixture) {
			expressions = append(expressions, parts[1])
		}
	}
	return expressions
}

// factsOf reads a scene as it is written.
func factsOf(t *testing.T, state *scene.Scene) *facts {
	t.Helper()
	return newFacts(objectsOf[resourceapi.ResourceSlice](t, state, "ResourceSlice"),
		objectsOf[resourceapi.ResourceClaim](t, state, "ResourceClaim"),
		objectsOf[resourceapi.DeviceTaintRule](t, state, taintRule))
}

// objectsOf are those of a kind, in the order of namespaces and names.
func objectsOf[T any](t *testing.T, state *scene.Scene, kind string) []T {
	t.Helper()
	sorted := slices.SortedStableFunc(slices.Values(state.Objects), func(a, b *unstructured.Unstructured) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	var typed []T
	for _, object := range sorted {
		if object.GetKind() != kind {
			continue
		}
		typed = append(typed, *new(T))
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &typed[len(typed)-1]); err != nil {
			t.Fatal(err)
		}
	}
	return typed
}

// compareEvaluations compares so many invented expressions, and every class, and returns how often an
// expression was true, false or an error for a device, or did not compile.
func compareEvaluations(t *testing.T, ask asker, f *facts, r *rand.Rand, number int) map[string]int {
	t.Helper()
	outcomes := map[string]int{}
	g := newSelectors(f, r)
	for _, expression := range append(g.wrong(), g.several(number)...) {
		got := compareEvaluation(t, ask, f, expression)
		for _, device := range got.Devices {
			outcomes[device.Result]++
		}
		if !got.Compile.OK {
			outcomes["refused"]++
		}
	}
	compareClasses(t, ask, f)
	return outcomes
}

// compareEvaluation compares everything that is said of one expression.
func compareEvaluation(t *testing.T, ask asker, f *facts, expression string) evaluation {
	t.Helper()
	var got evaluation
	ask.report(t, &got, []int{2}, "eval", "--", expression)
	compareVerdict(t, expression, got.Compile)
	compareAnswers(t, f, expression, got)
	compareClauses(t, f, expression, got)
	return got
}

// compile is what upstream says of an expression in one of the two languages.
func compile(expression string, env environment.Type) (verdict, dracel.CompilationResult) {
	compiled := dracel.GetCompiler(gates).CompileCELExpression(expression, dracel.Options{EnvType: &env})
	if compiled.Error != nil {
		stage := "check"
		switch detail := compiled.Error.Detail; {
		case strings.Contains(detail, ": Syntax error: "), strings.Contains(detail, "recursion limit exceeded"):
			stage = "syntax"
		case strings.HasPrefix(detail, "must evaluate to"):
			stage = "output-type"
		case strings.HasPrefix(detail, "program instantiation failed"):
			stage = "program"
		}
		return verdict{Stage: stage, Error: compiled.Error.Detail}, compiled
	}
	answer := verdict{OK: true, OutputType: compiled.OutputType.String(), EstimatedCost: &compiled.MaxCost}
	if env == environment.NewExpressions && compiled.MaxCost > resourceapi.CELSelectorExpressionMaxCost {
		answer.OK, answer.Stage, answer.Error = false, "cost", "too complex, exceeds cost limit"
	}
	return answer, compiled
}

func compareVerdict(t *testing.T, expression string, got verdict) {
	t.Helper()
	want, _ := compile(expression, environment.NewExpressions)
	stored, _ := compile(expression, environment.StoredExpressions)
	differ := !reflect.DeepEqual(want, stored)
	if (got.Stored != nil) != differ {
		t.Errorf("%s: new %+v, stored %+v, reported %+v", expression, want, stored, got)
		return
	}
	if differ {
		sameVerdict(t, expression, stored, *got.Stored)
	}
	got.Stored = nil
	sameVerdict(t, expression, want, got)
}

// sameVerdict takes our own words for what is not grammar, but only at the same place.
func sameVerdict(t *testing.T, expression string, want, got verdict) {
	t.Helper()
	if want.Stage == "syntax" && got.Stage == "syntax" {
		want.Error, got.Error = placeOf(want.Error), placeOf(got.Error)
	}
	if !reflect.DeepEqual(want, got) {
		t.Errorf("%s:\nwant %+v cost %v\ngot  %+v cost %v", expression, want, ptr.Deref(want.EstimatedCost, 0), got, ptr.Deref(got.EstimatedCost, 0))
	}
}

// placeOf is the first place that a message names: "<input>:1:8".
func placeOf(message string) string {
	_, rest, _ := strings.Cut(message, "ERROR: ")
	place, _, _ := strings.Cut(rest, ": ")
	return place
}

// eachDevice calls with the devices that count, in the order of reports.
func (f *facts) eachDevice(use func(key deviceKey, device *resourceapi.Device)) {
	for _, pool := range f.pools() {
		for i := range f.slices[pool] {
			for j := range f.slices[pool][i].Spec.Devices {
				device := &f.slices[pool][i].Spec.Devices[j]
				use(deviceKey{pool, device.Name}, device)
			}
		}
	}
}

// answerOf is what upstream says of one device.
func answerOf(t *testing.T, f *facts, compiled dracel.CompilationResult, key deviceKey, device *resourceapi.Device) deviceAnswer {
	t.Helper()
	want := deviceAnswer{Driver: key.driver, Pool: key.pool, Device: key.device, PoolStatus: f.status(key.poolKey)}
	matches, details, err := compiled.DeviceMatches(t.Context(), dracel.Device{
		Driver: key.driver, AllowMultipleAllocations: device.AllowMultipleAllocations,
		Attributes: device.Attributes, Capacity: device.Capacity})
	if details != nil {
		want.Cost = details.ActualCost()
	}
	want.Result = fmt.Sprint(matches)
	if err == nil {
		return want
	}
	want.Result, want.Error = "error", err.Error()
	switch {
	case strings.HasPrefix(want.Error, "attribute "):
		want.Stage = "attribute"
	case strings.HasPrefix(want.Error, "CEL result of type "):
		want.Stage = "result"
	case strings.Contains(want.Error, "actual cost limit exceeded"):
		want.Stage = "cost"
	default:
		want.Stage = "eval"
	}
	return want
}

func compareAnswers(t *testing.T, f *facts, expression string, got evaluation) {
	t.Helper()
	_, compiled := compile(expression, environment.StoredExpressions)
	n := 0
	if compiled.Error == nil {
		f.eachDevice(func(key deviceKey, device *resourceapi.Device) {
			if n++; n > len(got.Devices) {
				return
			}
			want := answerOf(t, f, compiled, key, device)
			if strings.Contains(expression, "device.attributes") && (strings.Contains(expression, ".exists(") || strings.Contains(expression, ".all(")) {
				want.Cost = got.Devices[n-1].Cost // Go's maps have another order each time: it ends sooner or later
			}
			if !reflect.DeepEqual(want, got.Devices[n-1]) {
				t.Errorf("%s:\nwant %+v cost %v\ngot  %+v cost %v", expression, want, ptr.Deref(want.Cost, 0), got.Devices[n-1], ptr.Deref(got.Devices[n-1].Cost, 0))
			}
		})
	}
	if n != len(got.Devices) || got.Kind != "Evaluation" || got.Expression != expression || got.Coverage != nil {
		t.Errorf("%s: %d devices instead of %d in %s of %s with coverage %s", expression, len(got.Devices), n, got.Kind, got.Expression, got.Coverage)
	}
}

// compareClauses evaluates each condition as an expression of its own.
func compareClauses(t *testing.T, f *facts, expression string, got evaluation) {
	t.Helper()
	compiled := make([]dracel.CompilationResult, len(got.Clauses))
	want := make([]clauseCount, len(got.Clauses))
	for i, clause := range got.Clauses {
		want[i].Text = clause.Text
		if _, compiled[i] = compile(clause.Text, environment.StoredExpressions); compiled[i].Error != nil {
			return // of type any, which is no condition by itself, or with a name from around it
		}
	}
	f.eachDevice(func(key deviceKey, device *resourceapi.Device) {
		obstacle, obstacles := 0, 0
		for i := range want {
			if answerOf(t, f, compiled[i], key, device).Result != "true" {
				obstacle, obstacles = i, obstacles+1
				continue
			}
			want[i].Alone++
			if obstacles == 0 {
				want[i].After++
			}
		}
		if obstacles == 1 {
			want[obstacle].OnlyObstacle++
		}
	})
	if !reflect.DeepEqual(want, got.Clauses) && len(want) > 0 {
		t.Errorf("%s:\nwant %+v\ngot  %+v", expression, want, got.Clauses)
	}
}

// compareClasses holds the counts of each class, and the devices that --class and --cel leave, against
// selectors asked one after the other, as the scheduler asks them.
func compareClasses(t *testing.T, ask asker, f *facts) {
	t.Helper()
	var classes resourceapi.DeviceClassList
	ask.report(t, &classes, nil, "classes")
	if len(classes.Items) == 0 {
		return
	}
	rows := parseTable(t, ask(t, "classes").stdout)
	if len(rows) != len(classes.Items) {
		t.Fatalf("%d classes instead of %d", len(rows), len(classes.Items))
	}
	for i := range classes.Items {
		class := &classes.Items[i]
		var chosen []deviceKey
		free, failed := 0, 0
		f.eachDevice(func(key deviceKey, device *resourceapi.Device) {
			switch selects(t, f, class.Spec.Selectors, key, device) {
			case "true":
				chosen = append(chosen, key)
				if f.state(key, device) == "free" {
					free++
				}
			case "error":
				failed++
			}
		})
		want := []string{class.Name, fmt.Sprint(len(chosen)), fmt.Sprint(free)}
		if failed > 0 {
			want[1] += fmt.Sprintf(" (%d fail)", failed)
		}
		if got := []string{rows[i]["NAME"], rows[i]["DEVICES"], rows[i]["FREE"]}; !reflect.DeepEqual(want, got) {
			t.Errorf("class %q instead of %q", got, want)
		}
		flags := [][]string{{"--class", class.Name}}
		if len(class.Spec.Selectors) == 1 {
			flags = append(flags, []string{"--cel", class.Spec.Selectors[0].CEL.Expression})
		}
		for _, flags := range flags {
			var devices list[deviceRow]
			ask.report(t, &devices, nil, append([]string{"devices"}, flags...)...)
			var got []deviceKey
			for _, row := range devices.Items {
				// A class without selectors has missing devices, too; what they had is not known to others.
				if row.State == "missing" && len(class.Spec.Selectors) == 0 {
					continue
				}
				got = append(got, deviceKey{poolKey{row.Driver, row.Pool}, row.Device})
			}
			if !reflect.DeepEqual(chosen, got) {
				t.Errorf("%q: %v instead of %v", flags, got, chosen)
			}
		}
	}
}

// selects is "true", "false" or "error": the first selector that is not true decides.
func selects(t *testing.T, f *facts, selectors []resourceapi.DeviceSelector, key deviceKey, device *resourceapi.Device) string {
	t.Helper()
	for _, selector := range selectors {
		_, compiled := compile(selector.CEL.Expression, environment.StoredExpressions)
		if compiled.Error != nil {
			return "error"
		}
		if result := answerOf(t, f, compiled, key, device).Result; result != "true" {
			return result
		}
	}
	return "true"
}

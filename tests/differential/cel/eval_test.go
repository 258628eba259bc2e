package cel

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/api/resource"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// devices are the attributes of those that expressions are evaluated for: a field for each.
var devices = [][]string{
	{"dra.example.com/a int 5", "dra.example.com/type string gpu", "dra.example.com/b strings abc,é,b", "other.example.com/a bool true", "dra.example.com/memory quantity 40Gi"},
	{"dra.example.com/a string abc", "dra.example.com/b ints 3,1,2"},
	{"dra.example.com/a bools true,false", "dra.example.com/version version 1.2.3-rc.1", "dra.example.com/memory quantity 1500m"},
	{"dra.example.com/a version 10.0.0", "dra.example.com/b versions 1.0.0,2.0.0", "dra.example.com/other quantity 1"},
	{},
}

func TestEval(t *testing.T) {
	env := environment(t)
	g := newTyped(env, rand.New(rand.NewPCG(seed(t), 3)))
	a := startAnswerer(t)
	outcomes := map[string]int{}
	differences, asked := 0, 0
	for asked < 20000 {
		var questions [][]string
		for len(questions) < 2000 {
			expression := g.expression(1 + g.IntN(4))
			if strings.HasPrefix(upstreamCheck(env, expression), "error ") {
				continue
			}
			questions = append(questions, append([]string{expression}, devices[g.IntN(len(devices))]...))
		}
		asked += len(questions)
		for i, got := range a.ask(t, "eval", questions) {
			// Upstream's maps have another order each time.
			want := upstreamEval(env, questions[i][0], questions[i][1:])
			for tries := 0; tries < 30 && !sameUnordered(want, got); tries++ {
				want = upstreamEval(env, questions[i][0], questions[i][1:])
			}
			outcome, _, _ := strings.Cut(want, " ")
			if outcome != "error" && outcome != "program" {
				outcome = "value"
			}
			outcomes[outcome]++
			if want == got || want == "panic" || sameUnordered(want, got) || strings.Contains(want, "map[string]interface {}") {
				continue
			}
			if differences++; differences <= 100 {
				t.Errorf("%q %q\nwant %s\ngot  %s", questions[i][0], questions[i][1:], want, got)
			}
		}
	}
	t.Log(outcomes, differences)
}

// sameUnordered compares what Go's maps, which have no order, made.
func sameUnordered(want, got string) bool {
	a, b := []rune(want), []rune(got)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

func upstreamEval(env *cel.Env, expression string, fields []string) (answer string) {
	defer func() {
		if recover() != nil {
			answer = "panic"
		}
	}()
	compiled, issues := env.Compile(expression)
	if issues != nil && issues.Err() != nil {
		return "refused " + escaper.Replace(issues.String())
	}
	program, err := env.Program(compiled, cel.CostLimit(1000000), cel.InterruptCheckFrequency(100))
	if err != nil {
		return "program " + escaper.Replace(err.Error())
	}
	value, details, err := program.ContextEval(context.Background(), map[string]any{"device": upstreamDevice(env, fields)})
	if err != nil {
		return "error " + escaper.Replace(err.Error()) + cost(details)
	}
	return escaper.Replace(showValue(value)) + cost(details)
}

func cost(details *cel.EvalDetails) string {
	if details == nil || details.ActualCost() == nil {
		return " cost -"
	}
	return fmt.Sprint(" cost ", *details.ActualCost())
}

// domains is a map of maps that has an empty one for every key, as the scheduler makes it.
type domains struct {
	traits.Mapper
	empty ref.Val
}

func (d domains) Find(key ref.Val) (ref.Val, bool) {
	if value, found := d.Mapper.Find(key); found {
		return value, true
	}
	return d.empty, true
}

func upstreamDevice(env *cel.Env, fields []string) map[string]any {
	attributes, capacity := map[string]any{}, map[string]any{}
	for _, field := range fields {
		name, rest, _ := strings.Cut(field, " ")
		kind, text, _ := strings.Cut(rest, " ")
		domain, id, _ := strings.Cut(name, "/")
		if kind == "quantity" {
			if capacity[domain] == nil {
				capacity[domain] = map[string]apiservercel.Quantity{}
			}
			value := resource.MustParse(text)
			capacity[domain].(map[string]apiservercel.Quantity)[id] = apiservercel.Quantity{Quantity: &value}
			continue
		}
		if attributes[domain] == nil {
			attributes[domain] = map[string]any{}
		}
		attributes[domain].(map[string]any)[id] = attributeValue(kind, text)
	}
	adapter := env.CELTypeAdapter()
	empty := adapter.NativeToValue(map[string]any{})
	return map[string]any{
		"driver":                   "dra.example.com",
		"allowMultipleAllocations": true,
		"attributes":               domains{types.NewStringInterfaceMap(adapter, attributes), empty},
		"capacity":                 domains{types.NewStringInterfaceMap(adapter, capacity), empty},
	}
}

func attributeValue(kind, text string) any {
	number := func(text string) int64 {
		n, _ := strconv.ParseInt(text, 10, 64)
		return n
	}
	switch kind {
	case "bool":
		return text == "true"
	case "int":
		return number(text)
	case "ints":
		var all []int64
		for _, one := range strings.Split(text, ",") {
			all = append(all, number(one))
		}
		return all
	case "bools":
		var all []bool
		for _, one := range strings.Split(text, ",") {
			all = append(all, one == "true")
		}
		return all
	case "strings":
		return strings.Split(text, ",")
	case "version":
		return apiservercel.Semver{Version: semver.MustParse(text)}
	case "versions":
		var all []apiservercel.Semver
		for _, one := range strings.Split(text, ",") {
			all = append(all, apiservercel.Semver{Version: semver.MustParse(one)})
		}
		return all
	}
	return text
}

// showValue writes a value so that different ones look different.
func showValue(value ref.Val) string {
	switch v := value.(type) {
	case types.Null:
		return "null"
	case types.Bool, types.Int:
		return fmt.Sprint(v)
	case types.Uint:
		return fmt.Sprintf("%du", uint64(v))
	case types.Double:
		if math.IsNaN(float64(v)) {
			return "NaN"
		}
		return fmt.Sprintf("d%016x", math.Float64bits(float64(v)))
	case types.String:
		return "'" + string(v) + "'"
	case types.Bytes:
		return fmt.Sprintf("b%x", []byte(v))
	case types.Duration:
		return fmt.Sprintf("duration %d", int64(v.Duration))
	case types.Timestamp:
		_, offset := v.Zone()
		return fmt.Sprintf("timestamp %d.%09d %d", v.Unix(), v.Nanosecond(), offset)
	case *types.Type:
		return "type " + v.TypeName()
	case *types.Optional:
		if !v.HasValue() {
			return "none"
		}
		return "optional " + showValue(v.GetValue())
	case traits.Lister:
		var elements []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			elements = append(elements, showValue(it.Next()))
		}
		return "[" + strings.Join(elements, ",") + "]"
	case traits.Mapper:
		var entries []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			entries = append(entries, showValue(key)+":"+showValue(v.Get(key)))
		}
		slices.Sort(entries)
		return "{" + strings.Join(entries, ",") + "}"
	}
	return value.Type().TypeName()
}

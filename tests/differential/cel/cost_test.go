package cel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	kubernetes "k8s.io/apiserver/pkg/cel/library"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// Estimates of checked expressions. The largest one is also held against what the compiler of DRA says,
// for expressions that it takes.
func TestEstimate(t *testing.T) {
	env := environment(t)
	g := newTyped(env, rand.New(rand.NewPCG(seed(t), 3)))
	a := startAnswerer(t)
	differences, checked, confirmed := 0, 0, 0
	for range rounds {
		questions := slices.Clone(subtleEstimates)
		for len(questions) < 5000 {
			questions = append(questions, []string{g.expression(1 + g.IntN(5))})
		}
		for i, got := range a.ask(t, "estimate", questions) {
			expression := questions[i][0]
			want, ok := upstreamEstimate(env, expression)
			if !ok || got == "error" {
				continue // TestCheck compares what does not compile
			}
			checked++
			said := got
			if most, compiles := selectorCost(expression); compiles {
				confirmed++
				said = fmt.Sprintf("%d %d", want.Min, most)
			}
			if answer := fmt.Sprintf("%d %d", want.Min, want.Max); answer == got && got == said {
				continue
			}
			if differences++; differences <= 10 {
				t.Errorf("%s\nwant %d %d (%s)\ngot  %s", expression, want.Min, want.Max, said, got)
			}
		}
	}
	t.Log("checked:", checked, "compiled as selectors:", confirmed, "differences:", differences)
}

// subtleEstimates are expressions whose parts lend their sizes to each other.
var subtleEstimates = [][]string{
	{`device.attributes["d"].all(k, v, k == "name")`},
	{`device.attributes["d"].all(k, v, k + "x" == string(v))`},
	{`device.attributes.d.all(k, v, k.contains("x"))`},
	{`device.attributes.all(d, m, m.all(k, v, k.startsWith(d)))`},
	{`device.attributes.all(device, device.contains("x"))`},
	{`device.attributes.all(device, .device.driver == device)`},
	{`device.capacity["d"].all(k, v, v == quantity(k))`},
	{`device.capacity.exists(d, device.capacity[d].exists(k, k == d))`},
	{`cel.bind(d, device.attributes["d"], d.a == d.b && d.c.contains(d.e))`},
	{`cel.bind(d, device.attributes["d"], d.all(k, v, k == d.a) && d.all(k, k == d.b))`},
	{`cel.bind(x, "abc" + device.driver, x + x == x)`},
	{`cel.bind(x, device.driver, cel.bind(x, x + x, x == "a"))`},
	{`["a", "bc"].exists(x, x == device.driver)`},
	{`["a", device.driver].map(x, x + "y").exists(x, x.contains("z"))`},
	{`{"a": device.driver}.all(k, v, v.contains(k))`},
	{`{"a": device.driver}.transformMap(k, v, v + k).all(k, v, k == v)`},
	{`(device.allowMultipleAllocations ? ["a"] : [device.driver]).exists(x, x == device.driver)`},
	{`(["a"] + [device.driver]).exists(x, x == device.driver)`},
	{`["a"][0] == device.driver`},
	{`[["a"], ["bcdefghijklmn"]][0].exists(x, x == device.driver)`},
	{`device.attributes["d"].a.exists(x, x.contains(device.driver))`},
	{`device.attributes["d"].a[0] == device.attributes["d"].b["x"]`},
	{`device.driver.split(".").exists(x, x == device.driver)`},
	{`device.driver.split(".", 3).map(x, x.size()).sum() > 2`},
	{`device.driver.replace("a", device.driver).contains("b")`},
	{`["b", device.driver].sortBy(x, x.size())[0] == device.driver`},
	{`[device.driver].join(device.driver).contains(device.driver)`},
	{`dyn([device.driver]).exists(x, x == device.driver)`},
	{`optional.of(device.driver).optMap(x, x + x).orValue("a") == device.driver`},
	{`device.?attributes["d"].?a.orValue("a") == device.driver`},
	{`has(device.attributes.d) && has(device.attributes["d"].a) && !has(device.capacity["d"].a)`},
	{`url(device.driver) == url("https://a.b/c")`},
	{`[1, 2, 3].slice(0, 2).flatten().reverse().distinct().size() == lists.range(7).size()`},
	{`[1,2,3].slice(2, 1).all(x, x == 1)`},
	{`type(device.driver) == string`},
}

// upstreamEstimate is the range of which the compiler of DRA tells the end.
func upstreamEstimate(env *cel.Env, expression string) (estimate checker.CostEstimate, ok bool) {
	defer func() {
		if recover() != nil { // see upstreamCheck
			ok = false
		}
	}()
	compiled, issues := env.Compile(expression)
	if issues != nil && issues.Err() != nil {
		return estimate, false
	}
	estimate, err := env.EstimateCost(compiled, &kubernetes.CostEstimator{SizeEstimator: deviceSizes{}})
	return estimate, err == nil
}

// selectorCost is the estimate of DRA's compiler for an expression of any type, through a selector that
// binds its value and does not use it.
func selectorCost(expression string) (most uint64, ok bool) {
	const binding = 10
	defer func() {
		if recover() != nil { // planning a constant map with a key of bytes
			ok = false
		}
	}()
	result := dracel.GetCompiler(dracel.Features{}).CompileCELExpression("cel.bind(unused, "+expression+", true)", dracel.Options{})
	if result.Error != nil || strings.Contains(expression, "//") {
		return 0, false
	}
	if result.MaxCost == math.MaxUint64 {
		return result.MaxCost, true
	}
	return result.MaxCost - binding, true
}

// deviceSizes tells the least sizes, too, which DRA's estimator keeps to itself.
type deviceSizes struct{}

func (deviceSizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

func (deviceSizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 || path[0] != "device" {
		return nil
	}
	sizes := map[string]uint64{
		"device": 0, "device.driver": 63, "device.allowMultipleAllocations": 1,
		"device.attributes": 32, "device.attributes.@keys": 63, "device.attributes.@values": 32, "device.attributes.@values.@keys": 32,
		"device.capacity": 32, "device.capacity.@keys": 63, "device.capacity.@values": 32, "device.capacity.@values.@keys": 32, "device.capacity.@values.@values": 0,
	}
	size, found := sizes[strings.Join(path, ".")]
	if !found && len(path) == 4 && path[1] == "attributes" && path[2] == "@values" {
		size, found = 64, true
	}
	if !found {
		return nil
	}
	return &checker.SizeEstimate{Min: 0, Max: size}
}

// Costs of evaluations, of all functions; TestEval and TestKubernetes compare what they give.
func TestCost(t *testing.T) {
	env := environment(t)
	g := newTyped(env, rand.New(rand.NewPCG(seed(t), 4)))
	a := startAnswerer(t)
	differences, compared := 0, 0
	for range rounds {
		var questions [][]string
		for _, expression := range subtleCosts {
			for _, device := range devices {
				questions = append(questions, append([]string{expression}, device...))
			}
		}
		for len(questions) < 5000 {
			expression := []string{g.expression(1 + g.IntN(5))}
			questions = append(questions, append(expression, devices[g.IntN(len(devices))]...))
		}
		for i, answer := range a.ask(t, "eval", questions) {
			expression, device := questions[i][0], questions[i][1:]
			got, evaluated := costOf(answer)
			if !evaluated {
				continue
			}
			// Upstream goes through maps in any order: one in which it agrees is looked for.
			want, counted := "", true
			for attempt := 0; attempt < 20 && counted && want != got; attempt++ {
				told := upstreamEval(env, expression, device)
				want, counted = costOf(told)
				counted = counted && !strings.Contains(told, "unhashable") // nothing more is counted then
			}
			if !counted {
				continue
			}
			compared++
			if want == got {
				continue
			}
			if differences++; differences <= 10 {
				t.Errorf("%s %q\nwant %s\ngot  %s (%s)", expression, device, want, got, answer)
			}
		}
	}
	t.Log("compared:", compared, "differences:", differences)
}

// subtleCosts are evaluations that end early or late, and those of tests/cel/cost_test.cpp.
var subtleCosts = []string{
	"size([1, 2, 3])",
	"size([1 + 1])",
	"size({'a': 1 + 1})",
	"'abcdefghijklm' == 'abcdefghijklmn'",
	"'éééééééééé' < 'zzzzzzzzzzzzzz'",
	"'abcdefghij' + 'klmnopqrst'",
	"'abcdefghij'.matches('[a-z]+[a-z]')",
	"1 in [1, 2, 3]",
	"1 in [1 + 1, 3]",
	"1 < 2 ? 1 + 1 : 1 + 1 + 1",
	"1 < 2 || 1 + 1 == 2",
	"[1, 2, 3].exists(x, x == 1)",
	"cel.bind(x, 1 + 1, true)",
	"cel.bind(x, 1 + 1, x == x)",
	"[3, 1, 2].sort()",
	"['b', 'a'].sort()",
	"quantity('1234567890123').isInteger()",
	"sets.equivalent([1, 2], [2, 1])",
	"quantity('1') == quantity('1')",
	"int('x' + 'y') + 1",
	"'%s'.format([1 / 0])",
	"lists.range(100).all(x, x >= 0) || true",
	"dyn('a').distinct() == [] || true",
	"has({'a': 1}.a) && !has({'a': 1}.b)",
	"has(device.attributes['dra.example.com'].a) ? device.attributes['dra.example.com'].a == 5 : false",
	"device.attributes['dra.example.com'][device.driver]",
	"[1, 2][1 - 1] + [1, 2][size([1])]",
	"{'a': {'b': [1, 1 + 1]}}.a.b[1]",
	"(device.allowMultipleAllocations ? device.attributes : device.capacity)['dra.example.com']",
	"(device.allowMultipleAllocations ? device.attributes : device.attributes)['dra.example.com'].a == 5",
	"device.?attributes['dra.example.com'].?a.orValue(1 + 1) == 5",
	"device.attributes['dra.example.com'][?'none'].or(optional.of(1 + 1)).hasValue()",
	"optional.none().orValue('a' + 'b')",
	"[1 + 0, 2, 3].all(x, [1, 2 + 0].exists(y, x == y)) || [1].exists_one(x, x == 1)",
	"[1, 0, 2].map(x, 1 / x)",
	"[1, 0, 2].exists(x, 1 / x == 1) && [0, 2].all(x, 1 / x == 5)",
	"{'a': 1 + 1}.transformMap(k, v, v + 1) == {'a': 3}",
	"cel.bind(x, 1 / 0, true || x == 1) && cel.bind(x, 1 / 0, x == 1 || x == 2)",
	"cel.bind(x, [1, 2].map(y, y + 1), x.map(y, y * 2).size() + x.size())",
	"['b', 'a'].sortBy(x, x + x)",
	"optional.of('a').optMap(x, x + x)",
	"'a' in {'a': 1 + 1} && 1 + 1 in [1, 2] && !(5 in [1 + 1])",
	"1 / 0 > 1 || [1 / 0].size() > 1 || {'a': 1 / 0}.size() > 1 || true",
	"[1, 2, 3].slice(1 + 0, 1 / 0)",
	"cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('::/64').containsIP(ip('::1')) && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
	"format.dns1123Label().validate('some-name').hasValue() || format.uuid() == format.date()",
	"url('https://a.b/c') == url('https://a.b/d') || ip('::1') == ip('::2') || 'a' == dyn(ip('::1'))",
}

func costOf(answer string) (cost string, found bool) {
	at := strings.LastIndex(answer, " cost ")
	if at < 0 {
		return "", false
	}
	return answer[at+len(" cost "):], true
}

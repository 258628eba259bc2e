// This file is about what upstream makes of expressions.

package cel

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	kubernetes "k8s.io/apiserver/pkg/cel/library"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// outcome is what becomes of an expression, as answer_cel writes it: "refused" with all issues, "selector", or
// "value" where the type is none that a selector may have.
type outcome struct {
	stage   string // "?" like all else where upstream does not tell
	text    string // the issues, or the type
	least   string // of the estimated cost
	most    string
	program string   // why there is none
	results []string // for each device, and what the evaluation cost
}

func parseOutcome(answer string) outcome {
	parts := strings.Split(answer, "\t")
	out := outcome{stage: parts[0], text: parts[1]}
	if len(parts) > 2 {
		out.least, out.most, _ = strings.Cut(parts[2], " ")
		out.results = parts[3:]
	}
	if len(parts) > 3 && strings.HasPrefix(parts[3], "program ") {
		out.program, out.results = strings.TrimPrefix(parts[3], "program "), nil
	}
	return out
}

// compiler is that of the scheduler, and of the API server without lists as attributes.
var compiler = dracel.GetCompiler(dracel.Features{EnableConsumableCapacity: true})

var environments = map[string]environment.Type{"stored": environment.StoredExpressions, "new": environment.NewExpressions}

// storedEnvironment is the one in which the scheduler compiles.
var storedEnvironment = sync.OnceValue(func() *cel.Env {
	result := compiler.CompileCELExpression("true", dracel.Options{})
	if result.Error != nil {
		panic(result.Error)
	}
	return result.Environment
})

// panicked is the outcome where upstream's code falls over: its check of literals does not expect `?x` where x is
// dyn, nor does its planner expect a constant map with a key of bytes.
const panicked = "panic"

// selected is what upstream makes of a selector for the devices.
func selected(where, expression string) (out outcome, evaluate func(*device) string) {
	defer func() {
		if recover() != nil {
			out = outcome{stage: panicked}
		}
	}()
	envType := environments[where]
	result := compiler.CompileCELExpression(expression, dracel.Options{EnvType: &envType})
	if result.Error == nil {
		out = outcome{stage: "selector", text: result.OutputType.String(), least: "?", most: fmt.Sprint(result.MaxCost)}
		return out, func(d *device) string { return matches(result, d) }
	}
	detail := result.Error.Detail
	if issues, refused := strings.CutPrefix(detail, "compilation failed: "); refused {
		return outcome{stage: "refused", text: escaper.Replace(issues)}, nil
	}
	if problem, none := strings.CutPrefix(detail, "program instantiation failed: "); none {
		return outcome{stage: "selector", text: "?", least: "?", most: "?", program: escaper.Replace(problem)}, nil
	}
	if of, isValue := strings.CutPrefix(detail, "must evaluate to bool or the unknown type, not "); isValue {
		out = outcome{stage: "value", text: of, least: "?", most: "?", program: "?"}
		if where == "stored" { // the API server goes no further with it
			if out, evaluate = valued(expression); out.stage == "?" {
				out.stage = "value"
			}
		}
		return out, evaluate
	}
	return outcome{stage: detail}, nil
}

func matches(result dracel.CompilationResult, d *device) (answer string) {
	defer func() {
		if recover() != nil {
			answer = panicked
		}
	}()
	is, details, err := result.DeviceMatches(context.Background(), d.upstream)
	switch {
	case err == nil:
		return fmt.Sprint(is, costOf(details))
	case strings.HasPrefix(err.Error(), "CEL result of type "):
		text, _, _ := strings.Cut(err.Error(), ": ") // upstream tells more
		return "error " + text + costOf(details)
	case details == nil: // the device is in the way of any expression
		return "error " + escaper.Replace(err.Error())
	}
	return "error " + escaper.Replace(err.Error()) + costOf(details)
}

// valued is what upstream makes of an expression of any type, in the environment of the scheduler.
func valued(expression string) (out outcome, evaluate func(*device) string) {
	defer func() {
		if recover() != nil {
			out = outcome{stage: panicked}
		}
	}()
	env := storedEnvironment()
	compiled, issues := env.Compile(expression)
	if issues != nil {
		return outcome{stage: "refused", text: escaper.Replace(issues.String())}, nil
	}
	estimate, err := env.EstimateCost(compiled, &kubernetes.CostEstimator{SizeEstimator: deviceSizes{}})
	if err != nil {
		return outcome{stage: err.Error()}, nil
	}
	out = outcome{stage: "?", text: compiled.OutputType().String(), least: fmt.Sprint(estimate.Min), most: fmt.Sprint(estimate.Max)}
	program, err := env.Program(compiled, cel.CostLimit(resourceapi.CELSelectorExpressionMaxCost), cel.InterruptCheckFrequency(100))
	if err != nil {
		out.program = escaper.Replace(err.Error())
		return out, nil
	}
	return out, func(d *device) string { return evaluated(env, program, d) }
}

func evaluated(env *cel.Env, program cel.Program, d *device) (answer string) {
	defer func() {
		if recover() != nil {
			answer = panicked
		}
	}()
	variables, err := d.variables(env)
	if err != nil {
		return "error " + escaper.Replace(err.Error())
	}
	value, details, err := program.ContextEval(context.Background(), variables)
	if err != nil {
		return "error " + escaper.Replace(err.Error()) + costOf(details)
	}
	return escaper.Replace(showValue(value)) + costOf(details)
}

func costOf(details *cel.EvalDetails) string {
	if details == nil || details.ActualCost() == nil {
		return " cost -"
	}
	return fmt.Sprint(" cost ", *details.ActualCost())
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

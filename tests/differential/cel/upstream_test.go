// This file is about what upstream makes of expressions.

package cel

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	resourceapi "k8s.io/api/resource/v1"
	kubernetes "k8s.io/apiserver/pkg/cel/library"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// outcome is what becomes of an expression, as answer_cel writes it.
type outcome struct {
	stage   string // of a selector: where it fails, or "ok"; of another expression: "refused", "program" or "value"
	message string // why it fails
	of      string // its type
	least   string // of the estimated cost; "?" where upstream does not tell
	most    string
	results []string // for each device, and what the evaluation cost
}

func parseOutcome(answer string) outcome {
	parts := strings.Split(answer, "\t")
	out := outcome{stage: parts[0], message: parts[1]}
	if len(parts) > 2 {
		out.of, out.least, out.most, out.results = parts[2], parts[3], parts[4], parts[5:]
	}
	return out
}

// panicked is the outcome where upstream's code falls over: its check of literals does not expect `?x` where x is
// dyn, nor does its planner expect a constant map with a key of bytes.
const panicked = "panic"

// selected is what upstream makes of a selector. How long it may be, and how dear at worst, is said by validation of
// the API: TestRefusals holds that to what is written here.
func selected(in *language, expression string) (out outcome, evaluate func(*device) string) {
	defer func() {
		if recover() != nil {
			out, evaluate = outcome{stage: panicked}, nil
		}
	}()
	result := in.compile(expression)
	if result.Error != nil {
		out = refusal(in, expression, result.Error.Detail)
	} else {
		out = outcome{stage: "ok", of: result.OutputType.String(), least: "?", most: fmt.Sprint(result.MaxCost)}
		evaluate = func(d *device) string { return matches(result, d) }
		if result.MaxCost > resourceapi.CELSelectorExpressionMaxCost {
			out.stage, out.message = "cost", "too complex, exceeds cost limit"
		}
	}
	if len(expression) > resourceapi.CELSelectorExpressionMaxLength {
		out.stage, out.message = "length", fmt.Sprintf("may not be more than %d bytes", resourceapi.CELSelectorExpressionMaxLength)
	}
	return out, evaluate
}

func refusal(in *language, expression, detail string) outcome {
	out := outcome{stage: "unknown", message: escaper.Replace(detail)}
	switch {
	case strings.HasPrefix(detail, "compilation failed: ") && in.isSyntax(expression):
		out.stage = "syntax"
	case strings.HasPrefix(detail, "compilation failed: "):
		out.stage = "check"
	case strings.HasPrefix(detail, "must evaluate to bool or the unknown type, not "):
		out.stage = "output-type"
	case strings.HasPrefix(detail, "program instantiation failed: "):
		out.stage = "program"
	}
	return out
}

// matches is whether a device is selected, or at which stage that fails, and the cost.
func matches(result dracel.CompilationResult, d *device) (answer string) {
	defer func() {
		if recover() != nil {
			answer = panicked
		}
	}()
	is, details, err := result.DeviceMatches(context.Background(), d.upstream)
	if err == nil {
		return fmt.Sprint(is, costOf(details))
	}
	message := escaper.Replace(err.Error())
	switch {
	case details == nil:
		return "attribute: " + message // the device is in the way of any expression
	case strings.HasPrefix(message, "CEL result of type "):
		return "result: " + message + costOf(details)
	case message == "operation cancelled: actual cost limit exceeded":
		return "cost: " + message + costOf(details)
	}
	return "eval: " + message + costOf(details)
}

// valued is what upstream makes of an expression of any type, in the environment of the scheduler.
func valued(expression string) (out outcome, evaluate func(*device) string) {
	defer func() {
		if recover() != nil {
			out, evaluate = outcome{stage: panicked}, nil
		}
	}()
	env := stored.environment()
	compiled, issues := env.Compile(expression)
	if issues != nil {
		return outcome{stage: "refused", message: escaper.Replace(issues.String())}, nil
	}
	estimate, err := env.EstimateCost(compiled, &kubernetes.CostEstimator{SizeEstimator: deviceSizes{}})
	if err != nil {
		return outcome{stage: err.Error()}, nil
	}
	out = outcome{stage: "value", of: compiled.OutputType().String(), least: fmt.Sprint(estimate.Min), most: fmt.Sprint(estimate.Max)}
	program, err := env.Program(compiled, cel.CostLimit(resourceapi.CELSelectorExpressionMaxCost), cel.InterruptCheckFrequency(100))
	if err != nil {
		out.stage, out.message = "program", escaper.Replace(err.Error())
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

package cel

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

func TestCheck(t *testing.T) {
	env := environment(t)
	g := newTyped(env, rand.New(rand.NewPCG(seed(t), 2)))
	a := startAnswerer(t)
	differences := 0
	outcomes := map[string]int{}
	for range rounds {
		var questions [][]string
		for range 5000 {
			questions = append(questions, []string{g.expression(1 + g.IntN(4))})
		}
		for i, got := range a.ask(t, "check", questions) {
			expression := questions[i][0]
			want := upstreamCheck(env, expression)
			outcome, _, _ := strings.Cut(want, " ")
			outcomes[outcome]++
			if same(want, got) || want == "panic" {
				continue
			}
			if differences++; differences <= 12 {
				t.Errorf("%q\nwant %s\ngot  %s", expression, want, got)
			}
		}
	}
	t.Log(outcomes, differences)
}

func upstreamCheck(env *cel.Env, expression string) (answer string) {
	// The check of literals does not expect `?x` where x is dyn.
	defer func() {
		if recover() != nil {
			answer = "panic"
		}
	}()
	compiled, issues := env.Compile(expression)
	if issues != nil && issues.Err() != nil {
		return "error " + escaper.Replace(issues.String())
	}
	return "ok " + compiled.OutputType().String()
}

// typed generates expressions that often have the right types: calls of every function of an
// environment, with arguments of the wanted type most of the time.
type typed struct {
	*rand.Rand
	overloads []overload
	variables []string
}

type overload struct {
	function string
	member   bool
	args     []*types.Type
	result   *types.Type
}

func newTyped(env *cel.Env, random *rand.Rand) *typed {
	g := &typed{Rand: random}
	for name, function := range env.Functions() {
		for _, o := range function.OverloadDecls() {
			g.overloads = append(g.overloads, overload{name, o.IsMemberFunction(), o.ArgTypes(), o.ResultType()})
		}
	}
	slices.SortFunc(g.overloads, func(a, b overload) int {
		return strings.Compare(key(a), key(b))
	})
	return g
}

func key(o overload) string {
	out := o.function
	for _, arg := range o.args {
		out += " " + arg.String()
	}
	return out
}

var binary = map[string]string{"_+_": "+", "_-_": "-", "_*_": "*", "_/_": "/", "_%_": "%", "_<_": "<", "_<=_": "<=",
	"_>_": ">", "_>=_": ">=", "_==_": "==", "_!=_": "!=", "@in": " in ", "_&&_": "&&", "_||_": "||"}

// expression is a call of some function.
func (g *typed) expression(depth int) string {
	if g.IntN(5) == 0 {
		return g.macro(depth)
	}
	return g.call(g.overloads[g.IntN(len(g.overloads))], depth)
}

func (g *typed) call(o overload, depth int) string {
	var args []string
	bound := map[string]*types.Type{}
	for _, arg := range o.args {
		args = append(args, g.value(g.bind(arg, bound), depth-1))
	}
	if g.IntN(25) == 0 && len(args) > 1 {
		args = args[:len(args)-1]
	}
	switch {
	case binary[o.function] != "" && len(args) == 2:
		return args[0] + binary[o.function] + args[1]
	case o.function == "_[_]" && len(args) == 2:
		return args[0] + "[" + args[1] + "]"
	case o.function == "_[?_]" && len(args) == 2:
		return args[0] + "[?" + args[1] + "]"
	case o.function == "_?._":
		return args[0] + ".?" + pick(g.Rand, "a", "driver", "type")
	case o.function == "_?_:_" && len(args) == 3:
		return args[0] + "?" + args[1] + ":" + args[2]
	case o.function == "!_":
		return "!(" + args[0] + ")"
	case o.function == "-_":
		return "-(" + args[0] + ")"
	case strings.ContainsAny(o.function, "_@[") || o.function == "in":
		return "true"
	case o.member:
		return args[0] + "." + o.function + "(" + strings.Join(args[1:], ", ") + ")"
	}
	return o.function + "(" + strings.Join(args, ", ") + ")"
}

// bind gives type parameters a type, mostly the same one everywhere.
func (g *typed) bind(t *types.Type, bound map[string]*types.Type) *types.Type {
	switch t.Kind() {
	case types.TypeParamKind:
		if bound[t.TypeName()] == nil || g.IntN(12) == 0 {
			bound[t.TypeName()] = g.anyType()
		}
		return bound[t.TypeName()]
	case types.ListKind:
		return types.NewListType(g.bind(t.Parameters()[0], bound))
	case types.MapKind:
		return types.NewMapType(g.bind(t.Parameters()[0], bound), g.bind(t.Parameters()[1], bound))
	case types.OpaqueKind:
		if len(t.Parameters()) == 1 {
			return types.NewOptionalType(g.bind(t.Parameters()[0], bound))
		}
	}
	return t
}

func (g *typed) anyType() *types.Type {
	simple := []*types.Type{types.IntType, types.StringType, types.BoolType, types.UintType, types.DoubleType, types.BytesType,
		types.NullType, types.DynType, types.TimestampType, types.DurationType, types.NewObjectType("kubernetes.Quantity"),
		types.NewObjectType("kubernetes.Semver"), types.NewListType(types.StringType), types.NewMapType(types.StringType, types.IntType),
		types.NewOptionalType(types.IntType)}
	return simple[g.IntN(len(simple))]
}

// value is an expression that mostly has the type.
func (g *typed) value(t *types.Type, depth int) string {
	if g.IntN(14) == 0 {
		t = g.anyType()
	}
	if depth > 0 && g.IntN(2) == 0 {
		var fit []overload
		for _, o := range g.overloads {
			if o.result.IsEquivalentType(t) {
				fit = append(fit, o)
			}
		}
		if len(fit) > 0 {
			return "(" + g.call(fit[g.IntN(len(fit))], depth) + ")"
		}
		if g.IntN(3) == 0 {
			return "(" + g.macro(depth) + ")"
		}
	}
	return g.atom(t, depth)
}

func (g *typed) atom(t *types.Type, depth int) string {
	if len(g.variables) > 0 && g.IntN(5) == 0 {
		return g.variables[g.IntN(len(g.variables))]
	}
	if g.IntN(16) == 0 {
		return pick(g.Rand, `device.attributes["dra.example.com"].a`, `device.attributes["dra.example.com"]`, "dyn(1)", "device", "undeclared", "int", "null",
			`device.capacity["dra.example.com"].memory`, "type(1)", "net.IP", "[]", "{}", "device.nothing", "x", ".device", "string", `dyn("a")`)
	}
	switch t.Kind() {
	case types.BoolKind:
		return pick(g.Rand, "true", "false", "device.allowMultipleAllocations")
	case types.IntKind:
		return pick(g.Rand, "0", "1", "-1", "2", "9223372036854775807", "-9223372036854775808", "42", "3")
	case types.UintKind:
		return pick(g.Rand, "0u", "1u", "7u", "18446744073709551615u")
	case types.DoubleKind:
		return pick(g.Rand, "0.0", "1.5", "-1.0", "1e300", "0.1", "123456789.0", "-0.0")
	case types.StringKind:
		return pick(g.Rand, `"a"`, `""`, `"abc"`, "device.driver", `"1"`, `"1.2.3"`, `"10Gi"`, `"1.5"`, `"2020-01-02T03:04:05Z"`, `"1h"`, `"127.0.0.1"`, `"10.0.0.0/8"`, `"https://a.b/c?d=e"`, `"é"`, `"true"`, `"["`, `"%s %d"`, `"b"`, `"aXbXc é 日本"`, `" \t\u00a0x y\n"`, `"a,b,,c"`, `","`, `"(a|b)+c?"`, `"[^b]*"`, `"(?i)É|^a"`, `"%.2f %e"`, `"X"`, `"-7"`, `"+1"`, `"1e3"`, `"0x1p-2"`, `"nan"`, `"+02:00"`, `"Europe/Berlin"`, `"日"`)
	case types.BytesKind:
		return pick(g.Rand, `b"a"`, `b""`, `b"\xff"`)
	case types.NullTypeKind:
		return "null"
	case types.DynKind, types.AnyKind:
		return pick(g.Rand, `device.attributes["dra.example.com"].a`, `device.attributes["dra.example.com"].version`, "dyn(1)", `dyn("a")`, "dyn([1])", "1", `"a"`)
	case types.DurationKind:
		return pick(g.Rand, `duration("1h")`, `duration("-3.5s")`, `duration("1d")`)
	case types.TimestampKind:
		return pick(g.Rand, `timestamp("2020-01-02T03:04:05Z")`, `timestamp("2020-01-02T03:04:05.678+02:00")`, "timestamp(0)", `timestamp("x")`)
	case types.ListKind:
		var elements []string
		for range g.IntN(4) {
			elements = append(elements, pick(g.Rand, "", "", "", "", "", "", "?")+g.value(t.Parameters()[0], depth-1))
		}
		return "[" + strings.Join(elements, ",") + "]"
	case types.MapKind:
		var entries []string
		for range g.IntN(3) {
			entries = append(entries, pick(g.Rand, "", "", "", "", "?")+g.value(t.Parameters()[0], depth-1)+":"+g.value(t.Parameters()[1], depth-1))
		}
		return "{" + strings.Join(entries, ",") + "}"
	case types.TypeKind:
		return pick(g.Rand, "int", "type(1)", "string")
	case types.OpaqueKind, types.StructKind:
		switch t.TypeName() {
		case "optional_type":
			return pick(g.Rand, "optional.of("+g.value(t.Parameters()[0], depth-1)+")", "optional.none()", `device.?driver`, "[1][?0]")
		case "net.IP":
			return pick(g.Rand, `ip("127.0.0.1")`, `ip("::1")`, `ip("x")`)
		case "net.CIDR":
			return pick(g.Rand, `cidr("10.0.0.0/8")`, `cidr("::/64")`)
		case "kubernetes.Quantity":
			return pick(g.Rand, `quantity("1")`, `quantity("40Gi")`, `quantity("1500m")`, `device.capacity["dra.example.com"].memory`, `quantity("x")`)
		case "kubernetes.Semver":
			return pick(g.Rand, `semver("1.2.3")`, `semver("v1", true)`, `dyn(device.attributes["dra.example.com"].version)`)
		case "kubernetes.URL":
			return pick(g.Rand, `url("https://a.b/c")`, `url("x")`)
		case "kubernetes.NamedFormat":
			return pick(g.Rand, "format.dns1123Label()", "format.date()")
		}
	}
	return pick(g.Rand, "device", "1", `"a"`, "null")
}

func (g *typed) macro(depth int) string {
	element := g.anyType()
	over := g.value(types.NewListType(element), depth-1)
	if g.IntN(3) == 0 {
		over = pick(g.Rand, "device.attributes", `device.attributes["dra.example.com"]`, "device.capacity", g.value(types.NewMapType(types.StringType, element), depth-1), g.value(types.DynType, depth-1))
	}
	variable := pick(g.Rand, "x", "y", "device")
	before := len(g.variables)
	defer func() { g.variables = g.variables[:before] }()
	value := func(t *types.Type) string { return g.value(t, depth-1) }
	g.variables = append(g.variables, variable)
	switch g.IntN(12) {
	case 0, 1:
		return over + "." + pick(g.Rand, "all", "exists", "exists_one", "filter") + "(" + variable + ", " + value(types.BoolType) + ")"
	case 2:
		return over + ".map(" + variable + ", " + value(g.anyType()) + ")"
	case 3:
		return over + ".map(" + variable + ", " + value(types.BoolType) + "," + value(g.anyType()) + ")"
	case 4, 5:
		g.variables = append(g.variables, "v")
		return over + "." + pick(g.Rand, "all", "exists", "existsOne", "exists_one") + "(" + variable + ", v, " + value(types.BoolType) + ")"
	case 6:
		g.variables = append(g.variables, "v")
		return over + "." + pick(g.Rand, "transformList", "transformMap", "transformMapEntry") + "(" + variable + ", v, " + pick(g.Rand, "", value(types.BoolType)+",") + pick(g.Rand, value(g.anyType()), "{"+value(types.StringType)+":"+value(g.anyType())+"}") + ")"
	case 7:
		return "cel.bind(" + variable + ", " + over + ", " + value(g.anyType()) + ")"
	case 8:
		return g.value(types.NewOptionalType(element), depth-1) + "." + pick(g.Rand, "optMap", "optFlatMap") + "(" + variable + ", " + pick(g.Rand, value(g.anyType()), "optional.of("+value(g.anyType())+")") + ")"
	case 9:
		return over + ".sortBy(" + variable + ", " + value(g.anyType()) + ")"
	case 10:
		return "has(" + pick(g.Rand, "device.attributes", `device.attributes["dra.example.com"].a`, "device.nothing", variable+".a", "{'a':1}.a", `device.capacity["x"].y`) + ")"
	default:
		return `"%s %d".format([` + value(g.anyType()) + "," + value(g.anyType()) + "])"
	}
}

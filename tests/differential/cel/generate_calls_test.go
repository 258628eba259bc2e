// This file is about how calls and macros are written.

package cel

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// symbols are functions that are written as operators: "$1" and so on are the arguments.
var symbols = map[string]string{"_+_": "$1 + $2", "_-_": "$1 - $2", "_*_": "$1 * $2", "_/_": "$1 / $2", "_%_": "$1 % $2", "_<_": "$1 < $2",
	"_<=_": "$1<=$2", "_>_": "$1 > $2", "_>=_": "$1 >= $2", "_==_": "$1 == $2", "_!=_": "$1!=$2", "@in": "$1 in $2", "_&&_": "$1 && $2", "_||_": "$1 || $2",
	"_[_]": "$1[$2]", "_[?_]": "$1[?$2]", "_?_:_": "$1 ? $2 : $3", "!_": "!$1", "-_": "-$1"}

// A function that can be called by its name; others are what macros become.
var callable = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z_][a-zA-Z0-9_]*)*$`)

// calls are productions for all overloads of an environment.
func calls(env *cel.Env) []production {
	var out []production
	functions := env.Functions()
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		symbol, operator := symbols[name]
		if name == "in" || strings.HasPrefix(name, "_in_") || strings.HasPrefix(name, "__") || !operator && name != "_?._" && !callable.MatchString(name) {
			continue
		}
		for _, o := range functions[name].OverloadDecls() {
			p := production{feature: name, args: o.ArgTypes(), result: o.ResultType()}
			switch {
			case name == "_?._":
				p.write = func(c *call) string { return c.argument(c.args[0]) + ".?" + c.fieldName() }
			case operator:
				p.write = func(c *call) string { return writeOperator(c, symbol) }
			case o.IsMemberFunction():
				p.write = func(c *call) string {
					receiver := c.writeArgument(0)
					return receiver + "." + name + "(" + strings.Join(c.writeArguments(1), ", ") + ")"
				}
			default:
				p.write = func(c *call) string { return name + "(" + strings.Join(c.writeArguments(0), ", ") + ")" }
			}
			if name == "format" {
				p.write = writeFormat
			}
			out = append(out, p)
		}
	}
	return out
}

func writeOperator(c *call, symbol string) string {
	for i := range c.args {
		symbol = strings.Replace(symbol, "$"+string(rune('1'+i)), operand(c.writeArgument(i)), 1)
	}
	return symbol
}

// operand keeps signs apart.
func operand(text string) string {
	if strings.HasPrefix(text, "-") {
		return "(" + text + ")"
	}
	return text
}

func (c *call) writeArguments(from int) []string {
	var out []string
	for i := range c.args[from:] {
		out = append(out, c.writeArgument(from+i))
	}
	if c.manner == wrongTypes && c.IntN(12) == 0 || c.manner == wrongTypes && len(c.args) == 0 {
		c.misused[c.feature] = true
		if len(out) > 0 && c.IntN(2) == 0 {
			return out[1:]
		}
		return append(out, c.value(c.anyType(), c.depth-1))
	}
	return out
}

func (c *call) writeArgument(i int) string {
	texts := argumentTexts[c.feature]
	if c.args[i].Kind() == types.StringKind && len(texts) > i && texts[i] != nil && (c.manner == rightTypes || c.IntN(3) == 0) && c.IntN(5) > 0 {
		return celString(texts[i](c.Rand))
	}
	return c.argument(c.args[i])
}

var clause = []struct {
	text string
	of   []*types.Type
}{
	{"%s", []*types.Type{types.StringType, types.IntType, types.BoolType, types.DoubleType, types.NewListType(types.StringType), types.NewMapType(types.StringType, types.IntType), types.TimestampType, types.DurationType, types.BytesType, types.NullType, types.UintType}},
	{"%d", []*types.Type{types.IntType, types.UintType, types.DoubleType}}, {"%f", []*types.Type{types.DoubleType, types.IntType}}, {"%.2f", []*types.Type{types.DoubleType}}, {"%.0f", []*types.Type{types.DoubleType}},
	{"%e", []*types.Type{types.DoubleType}}, {"%.3e", []*types.Type{types.DoubleType}}, {"%x", []*types.Type{types.IntType, types.StringType, types.BytesType, types.UintType}}, {"%X", []*types.Type{types.StringType, types.IntType}},
	{"%o", []*types.Type{types.IntType, types.UintType}}, {"%b", []*types.Type{types.IntType, types.BoolType}}, {"%%", nil},
}

func writeFormat(c *call) string {
	var texts, values []string
	for range 1 + c.IntN(3) {
		one := clause[c.IntN(len(clause))]
		texts = append(texts, one.text)
		if one.of != nil {
			values = append(values, c.argument(pick(c.Rand, one.of...)))
		}
	}
	if c.manner == wrongTypes && c.IntN(3) == 0 {
		c.misused[c.feature] = true
		texts = append(texts, pick(c.Rand, "%q", "%", "%.s", "%5d", "%s", "%.-1f"))
	}
	return celString(strings.Join(texts, pick(c.Rand, " ", "", "é"))) + ".format([" + strings.Join(values, ", ") + "])"
}

// --- macros, and what is neither a call nor a literal

var (
	elementType = types.NewTypeParamType("E")
	keyType     = types.NewTypeParamType("K")
	resultType  = types.NewTypeParamType("T")
	listType    = types.NewListType(elementType)
	mapType     = types.NewMapType(keyType, elementType)
)

// fold is a macro over a list or a map. "$r" is what it goes over, "$x" and "$y" its variables, "$p" a condition, "$t"
// a value.
func fold(feature string, over, result *types.Type, forms ...string) production {
	return production{feature: feature, result: result, write: func(c *call) string {
		out := strings.Replace(pick(c.Rand, forms...), "$r", c.argument(over), 1)
		x, y := variable{pick(c.Rand, "x", "x", "y", "device"), c.bind(elementType)}, variable{"v", c.bind(elementType)}
		if over == mapType {
			x.of = c.bind(keyType)
		} else if strings.Contains(out, "$y") {
			x.of = types.IntType
		}
		out = strings.NewReplacer("$x", c.variableName(x.name), "$y", y.name).Replace(out)
		return c.with([]variable{x, y}, func() string {
			for _, part := range []struct {
				mark string
				of   *types.Type
			}{{"$p", types.BoolType}, {"$t", resultType}, {"$k", types.StringType}} {
				if strings.Contains(out, part.mark) {
					out = strings.Replace(out, part.mark, c.argument(part.of), 1)
				}
			}
			return out
		})
	}}
}

// variableName is now and then none.
func (c *call) variableName(name string) string {
	if c.manner == wrongTypes && c.IntN(10) == 0 {
		c.misused[c.feature] = true
		return pick(c.Rand, "1", "a.b", "__result__", "'x'")
	}
	return name
}

// over makes productions of a fold for lists and for maps.
func over(feature string, result *types.Type, forms ...string) []production {
	return []production{fold(feature, listType, result, forms...), fold(feature, mapType, result, forms...)}
}

var macros = slices.Concat(
	over("all", types.BoolType, "$r.all($x, $p)"),
	over("exists", types.BoolType, "$r.exists($x, $p)"),
	over("exists_one", types.BoolType, "$r.exists_one($x, $p)"),
	over("map", types.NewListType(resultType), "$r.map($x, $t)", "$r.map($x, $p, $t)"),
	[]production{
		fold("filter", listType, listType, "$r.filter($x, $p)"),
		fold("filter", mapType, types.NewListType(keyType), "$r.filter($x, $p)"),
		{feature: "sortBy", result: listType, write: func(c *call) string {
			list := c.argument(listType)
			return c.with([]variable{{"x", c.bind(elementType)}}, func() string {
				key := pick(c.Rand, types.IntType, types.StringType, types.BoolType, types.UintType, types.DoubleType, types.BytesType, types.DurationType, types.TimestampType)
				return list + ".sortBy(" + c.variableName("x") + ", " + c.argument(key) + ")"
			})
		}},
	},
	over("all(k, v)", types.BoolType, "$r.all($x, $y, $p)"),
	over("exists(k, v)", types.BoolType, "$r.exists($x, $y, $p)"),
	over("existsOne(k, v)", types.BoolType, "$r.existsOne($x, $y, $p)", "$r.existsOne($x, $y, $p)", "$r.exists_one($x, $y, $p)"),
	over("transformList", types.NewListType(resultType), "$r.transformList($x, $y, $t)", "$r.transformList($x, $y, $p, $t)"),
	[]production{
		fold("transformMap", listType, types.NewMapType(types.IntType, resultType), "$r.transformMap($x, $y, $t)", "$r.transformMap($x, $y, $p, $t)"),
		fold("transformMap", mapType, types.NewMapType(keyType, resultType), "$r.transformMap($x, $y, $t)", "$r.transformMap($x, $y, $p, $t)"),
	},
	over("transformMapEntry", types.NewMapType(types.StringType, resultType), "$r.transformMapEntry($x, $y, {$k: $t})", "$r.transformMapEntry($x, $y, $p, {$k: $t})"),
	[]production{
		{feature: "cel.bind", result: resultType, write: func(c *call) string {
			value := c.argument(elementType)
			name := pick(c.Rand, "x", "y", "device")
			return c.with([]variable{{name, c.bind(elementType)}}, func() string {
				return "cel.bind(" + c.variableName(name) + ", " + value + ", " + c.argument(resultType) + ")"
			})
		}},
		{feature: "optMap", result: types.NewOptionalType(resultType), write: func(c *call) string { return writeOptional(c, "optMap", resultType) }},
		{feature: "optFlatMap", result: types.NewOptionalType(resultType), write: func(c *call) string { return writeOptional(c, "optFlatMap", types.NewOptionalType(resultType)) }},
		{feature: "has", result: types.BoolType, write: func(c *call) string {
			if c.manner == wrongTypes && c.IntN(3) == 0 {
				c.misused[c.feature] = true
				return "has(" + c.value(c.anyType(), c.depth-1) + pick(c.Rand, "", ".a", "[0]") + ")"
			}
			return "has(" + c.selectable() + "." + c.fieldName() + ")"
		}},
		{feature: "x.y", result: resultType, write: func(c *call) string {
			return c.argument(types.NewMapType(types.StringType, resultType)) + "." + c.fieldName()
		}},
		{feature: "x.y", result: types.DynType, write: func(c *call) string { return c.selectable() + "." + c.fieldName() }},
		{feature: "[x]", result: listType, write: func(c *call) string {
			var elements []string
			for range c.IntN(4) {
				elements = append(elements, c.element(elementType))
			}
			return "[" + strings.Join(elements, pick(c.Rand, ",", ", ")) + "]"
		}},
		{feature: "{k: v}", result: mapType, write: func(c *call) string {
			var entries []string
			for range c.IntN(3) {
				entries = append(entries, c.element(keyType)+": "+c.element(elementType))
			}
			return "{" + strings.Join(entries, ", ") + "}"
		}},
		{feature: "[?x]", result: listType, write: func(c *call) string {
			return "[" + pick(c.Rand, "", c.element(elementType)+", ") + "?" + c.element(types.NewOptionalType(elementType)) + "]"
		}},
		{feature: "{?k: v}", result: mapType, write: func(c *call) string {
			return "{" + pick(c.Rand, "", c.element(keyType)+": "+c.element(elementType)+", ") + "?" + c.element(keyType) + ": " + c.element(types.NewOptionalType(elementType)) + "}"
		}},
	},
	messageProductions(),
)

// messageProductions make messages whose values have CEL's own types.
func messageProductions() (out []production) {
	text := types.NewMapType(types.StringType, types.DynType)
	list := types.NewListType(types.DynType)
	for _, one := range []struct {
		message string
		fields  []string
		args    []*types.Type
		result  *types.Type
	}{
		{"BoolValue", []string{"value"}, []*types.Type{types.BoolType}, types.BoolType}, {"BytesValue", []string{"value"}, []*types.Type{types.BytesType}, types.BytesType},
		{"DoubleValue", []string{"value"}, []*types.Type{types.DoubleType}, types.DoubleType}, {"FloatValue", []string{"value"}, []*types.Type{types.DoubleType}, types.DoubleType},
		{"Int32Value", []string{"value"}, []*types.Type{types.IntType}, types.IntType}, {"Int64Value", []string{"value"}, []*types.Type{types.IntType}, types.IntType},
		{"UInt32Value", []string{"value"}, []*types.Type{types.UintType}, types.UintType}, {"UInt64Value", []string{"value"}, []*types.Type{types.UintType}, types.UintType},
		{"StringValue", []string{"value"}, []*types.Type{types.StringType}, types.StringType},
		{"Struct", []string{"fields"}, []*types.Type{types.NewMapType(types.StringType, elementType)}, text}, {"ListValue", []string{"values"}, []*types.Type{listType}, list},
		{"Duration", []string{"seconds", "nanos"}, []*types.Type{types.IntType, types.IntType}, types.DurationType}, {"Timestamp", []string{"seconds", "nanos"}, []*types.Type{types.IntType, types.IntType}, types.TimestampType},
		{"Value", []string{"null_value", "number_value", "string_value", "bool_value", "struct_value", "list_value"},
			[]*types.Type{types.IntType, types.DoubleType, types.StringType, types.BoolType, types.NewMapType(types.StringType, elementType), listType}, types.DynType},
	} {
		out = append(out, production{feature: "M{f: v}", result: one.result, write: func(c *call) string {
			var fields []string
			for i := range one.fields {
				// Upstream takes either of two fields of a Value.
				if c.IntN(5) == 0 || len(fields) > 0 && one.message == "Value" {
					continue
				}
				field, of := one.fields[i], one.args[i]
				if one.message == "Value" {
					i = c.IntN(len(one.fields))
					field, of = one.fields[i], one.args[i]
				}
				if c.IntN(6) == 0 {
					field, of = "?"+field, types.NewOptionalType(c.bind(of))
				}
				if c.manner == wrongTypes && c.IntN(20) == 0 {
					field = pick(c.Rand, "nothing", "value", "fields", "seconds")
				}
				fields = append(fields, field+": "+c.argument(of))
			}
			return "google.protobuf." + one.message + "{" + strings.Join(fields, ", ") + "}"
		}})
	}
	return out
}

func writeOptional(c *call, name string, body *types.Type) string {
	optional := c.argument(types.NewOptionalType(elementType))
	return c.with([]variable{{"x", c.bind(elementType)}}, func() string {
		return optional + "." + name + "(" + c.variableName("x") + ", " + c.argument(body) + ")"
	})
}

package cel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

func TestParse(t *testing.T) {
	env := stored.environment()
	var total tally
	inChunks(t, 0, 20000, func(a *answerer, random *rand.Rand) error {
		var questions [][]string
		for range perChunk {
			questions = append(questions, []string{generate(random)})
		}
		answers, err := a.ask("parse", questions)
		counts := map[string]int{"all": perChunk}
		var differences []string
		for i, got := range answers {
			want := upstreamParse(env, questions[i][0])
			kind, _, _ := strings.Cut(want, " ")
			counts[kind]++
			if !same(want, got) {
				differences = append(differences, fmt.Sprintf("%q\nwant %s\ngot  %s", questions[i][0], want, got))
			}
		}
		total.add(t, counts, differences)
		return err
	})
	t.Logf("%d trees, %d errors, %d differences", total.counts["all"]-total.counts["error"], total.counts["error"], total.differences)
}

// The checker numbers the variables of an overload in the order of a Go map.
var checkerVariable = regexp.MustCompile(`_var[0-9]+`)

// same compares trees and check errors by text, syntax errors by the place of the first.
func same(want, got string) bool {
	if want == got || checkerVariable.ReplaceAllString(want, "_var") == checkerVariable.ReplaceAllString(got, "_var") {
		return true
	}
	if strings.Contains(want, "Syntax error") && strings.Contains(got, "Syntax error") {
		return firstPlace(want) == firstPlace(got)
	}
	return false
}

// firstPlace is where the first syntax error is. Upstream goes on after one, and may complain about what
// stands before it, too.
func firstPlace(text string) string {
	for _, line := range strings.Split(text, "\\n") {
		if place, found := strings.CutPrefix(strings.TrimPrefix(line, "error "), "ERROR: <input>:"); found && strings.Contains(line, "Syntax error") {
			parts := strings.SplitN(place, ":", 3)
			return strings.Join(parts[:2], ":")
		}
	}
	return ""
}

func upstreamParse(env *cel.Env, expression string) string {
	parsed, issues := env.Parse(expression)
	if issues != nil && issues.Err() != nil {
		return "error " + escaper.Replace(issues.String())
	}
	var out strings.Builder
	show(&out, parsed.NativeRep().Expr(), parsed.NativeRep().SourceInfo())
	return escaper.Replace(out.String())
}

func literal(value ref.Val) string {
	switch v := value.(type) {
	case types.Null:
		return "null"
	case types.Bool:
		return fmt.Sprint(bool(v))
	case types.Int:
		return fmt.Sprint(int64(v))
	case types.Uint:
		return fmt.Sprintf("%du", uint64(v))
	case types.Double:
		return fmt.Sprintf("d%016x", math.Float64bits(float64(v)))
	case types.String:
		return "'" + string(v) + "'"
	case types.Bytes:
		return fmt.Sprintf("b%x", []byte(v))
	}
	return "?"
}

func show(out *strings.Builder, e ast.Expr, info *ast.SourceInfo) {
	var args []ast.Expr
	optional := map[int]bool{}
	switch e.Kind() {
	case ast.UnspecifiedExprKind:
		out.WriteString("error")
	case ast.LiteralKind:
		out.WriteString("lit " + literal(e.AsLiteral()))
	case ast.IdentKind:
		out.WriteString("ident " + e.AsIdent())
	case ast.SelectKind:
		s := e.AsSelect()
		out.WriteString("select " + s.FieldName())
		if s.IsTestOnly() {
			out.WriteString(" presence")
		}
		args = []ast.Expr{s.Operand()}
	case ast.CallKind:
		c := e.AsCall()
		out.WriteString("call " + c.FunctionName())
		if c.IsMemberFunction() {
			out.WriteString(" member")
			args = append(args, c.Target())
		}
		args = append(args, c.Args()...)
	case ast.ListKind:
		out.WriteString("list")
		args = e.AsList().Elements()
		for _, i := range e.AsList().OptionalIndices() {
			optional[int(i)] = true
		}
	case ast.MapKind:
		out.WriteString("map")
		for _, entry := range e.AsMap().Entries() {
			optional[len(args)] = entry.AsMapEntry().IsOptional()
			args = append(args, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		out.WriteString("msg " + e.AsStruct().TypeName())
		for i, field := range e.AsStruct().Fields() {
			out.WriteString(" " + field.AsStructField().Name())
			optional[i] = field.AsStructField().IsOptional()
			args = append(args, field.AsStructField().Value())
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		fmt.Fprintf(out, "fold %s %s %s", c.IterVar(), c.IterVar2(), c.AccuVar())
		args = []ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()}
	}
	place := "?"
	if offsets, found := info.GetOffsetRange(e.ID()); found {
		place = fmt.Sprint(offsets.Start)
	}
	fmt.Fprintf(out, "@%s(", place)
	for i, arg := range args {
		if i > 0 {
			out.WriteByte(',')
		}
		if optional[i] {
			out.WriteByte('?')
		}
		show(out, arg, info)
	}
	out.WriteByte(')')
}

var tokens = strings.Fields(`device driver attributes capacity a b x y . . . . , , ( ) ( ) [ ] [ ] { } ? : + - * / % ! < <= > >= == != && || in
	true false null 1 2 0x1F 7u 1.5 1e3 .5 9223372036854775807 9223372036854775808 'a' "b" r'\d' b'\x41' '''t''' 'é' '\u00e9' '\777' '\q' '\ud800' if as let has all exists exists_one
	existsOne map filter sortBy transformList transformMap transformMapEntry cel.bind optMap optFlatMap Foo{ .?  [? 08 1. "open // $ ` + "`a`" + ` _x __result__ = & |`)

// generate returns an expression: built by the grammar, then perhaps damaged.
func generate(r *rand.Rand) string {
	if r.IntN(8) == 0 {
		var out strings.Builder
		for range 1 + r.IntN(8) {
			out.WriteString(tokens[r.IntN(len(tokens))])
			out.WriteString([]string{"", " ", " ", "\n"}[r.IntN(4)])
		}
		return out.String()
	}
	text := expression(r, 1+r.IntN(4))
	for r.IntN(3) == 0 && len(text) > 0 {
		text = damaged(r, text)
	}
	return text
}

// damaged has a word too many, or an end too early.
func damaged(r *rand.Rand, text string) string {
	at := r.IntN(len(text) + 1)
	for at < len(text) && text[at]&0xC0 == 0x80 {
		at++
	}
	switch r.IntN(3) {
	case 0:
		return text[:at] + tokens[r.IntN(len(tokens))] + text[at:]
	case 1:
		return text[:at]
	default:
		return text[:at] + " " + tokens[r.IntN(len(tokens))] + " " + text[at:]
	}
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func expression(r *rand.Rand, depth int) string {
	if depth <= 0 {
		return pick(r, "device", "a", "x", "y", "1", "-1", "2u", "1.5", "'s'", "true", "null", "[]", "{}", `"dra.example.com"`, "b'x'", "device.driver", "- 3", "0x10", ".a", "x.y.z")
	}
	e := func() string { return expression(r, depth-1-r.IntN(2)) }
	list := func() string {
		var out []string
		for range r.IntN(4) {
			out = append(out, pick(r, "", "", "", "?")+e())
		}
		return strings.Join(out, pick(r, ",", ", ")) + pick(r, "", "", ",")
	}
	switch r.IntN(22) {
	case 0:
		return e() + pick(r, " && ", "||", " && ", "\n||\t") + e() + pick(r, "", " && "+e(), "||"+e()+"||"+e())
	case 1:
		return e() + pick(r, "==", "!=", "<", " <= ", ">", ">=", " in ") + e()
	case 2:
		return e() + pick(r, "+", "-", "*", "/", "%", " - ") + e()
	case 3:
		return e() + "?" + e() + ":" + e()
	case 4:
		return pick(r, "!", "-", "!!", "--", "---", "!-", "- -") + e()
	case 5:
		return "(" + e() + ")"
	case 6:
		return e() + "." + pick(r, "driver", "attributes", "in", "if", "true", "?x", "x")
	case 7:
		return e() + "[" + pick(r, "", "", "?") + e() + "]"
	case 8:
		return "[" + list() + "]"
	case 9:
		return "{" + pick(r, "", "?") + e() + ":" + e() + pick(r, "", ","+e()+": "+e(), ",") + "}"
	case 10:
		return pick(r, "size", "f", "quantity", ".g", "has", "if", "a.b") + "(" + strings.TrimSuffix(list(), ",") + ")"
	case 11:
		return e() + "." + pick(r, "startsWith", "f", "size") + "(" + e() + ")"
	case 12:
		return "has(" + e() + "." + pick(r, "a", "b") + ")"
	case 13, 14:
		return e() + "." + pick(r, "all", "exists", "exists_one", "existsOne", "map", "filter", "sortBy", "optMap", "optFlatMap") + "(" + pick(r, "x", "x", "y", "1", "x.y", "__result__") + ", " + e() + ")"
	case 15:
		return e() + "." + pick(r, "all", "exists", "existsOne", "exists_one", "map", "transformList", "transformMap", "transformMapEntry") + "(" + pick(r, "x", "x", "1") + "," + pick(r, "y", "x", "y", "a.b") + "," + e() + pick(r, "", "", ","+e()) + ")"
	case 16:
		return pick(r, "cel", "cel", "x") + ".bind(" + pick(r, "x", "a", "1", "a.b") + "," + e() + "," + e() + ")"
	case 17:
		return pick(r, "", ".") + pick(r, "Foo", "a.b.Foo", "if") + "{" + pick(r, "", "a: "+e(), "?b:"+e()+",c:"+e()+",") + "}"
	case 18:
		return e() + " // comment\n"
	default:
		return pick(r, `'é' + "日本"`, `'\x41\u00e9\101\n'`, `r'\d+'`, `b'\xff\101'`, `"""a"b
c"""`, `'''x'''`, `""""""`, `"\ud800"`, `b"\u0041"`, "1e400", "1e-400", "99999999999999999999", "18446744073709551616u", "-9223372036854775808", "0xffffffffffffffffu", "1.0e+5", "080", "'a\rb'", "br'\\x'", "R\"q\"")
	}
}

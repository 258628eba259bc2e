// This file is about inventing Go templates, and data for them. Most templates make sense: they are put together of
// what stands in documentation and answers to questions; the rest is damaged.

package differential

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/cli-runtime/pkg/printers"
)

var (
	templateKeys  = []string{"a", "b", "c", "list", "name", "items", "text", "metadata", "missing"}
	templateTexts = []string{"", "a", "gpu-0", "two words", "<&>\"'", "\u00e9\u65e5", "a\tb\nc", "Zm9v", "Zm9vYg==", "%d", "x=1&y", "\u202e"}
	// templateTokens in any order are mostly mistakes.
	templateTokens = []string{"{{", "}}", "{{", "}}", "{{-", "- }}", " -}}", "{{- ", "(", ")", "|", ".", ".a", "$", "$x", ":=", "=", ",", "if", "else",
		"end", "range", "with", "define", "template", "block", "break", "continue", "nil", "true", "\"a\"", "`b`", "'c'", "1", "1.5", "0x1F", "-",
		"+", "index", "len", "printf", "eq", " ", " ", " ", "\n", "/*", "*/", "text", "\\", "\u00e9", "~", "#"}
	templateNumbers = []string{"0", "1", "2", "-1", "10", "1.5", "1.0", "1e1", "1234567.5", "-9223372036854775808", "9223372036854775808", "-0.0", "0.1e2"}
	printfVerbs     = []string{"%v", "%s", "%d", "%q", "%t", "%x", "%X", "%o", "%c", "%U", "%b", "%f", "%e", "%g", "%G", "%T", "%+v", "%5d", "%-8s|", "%08.3f",
		"%6.2f", "%+d", "% d", "%x", "%#x", "%03d", "%.2s", "%*d", "%-*s|", "%%", "%z", "%!", "%", "%5t", "%.0f", "%10q", "%+q", "%#q", "% x", "%O", "%#o",
		"%E", "%5.1q", "%-05d|", "%w", "%.3d", "%5%", "%\u00e9", "%05s", "%.10g", "%#U", "%8v", "%-8v|", "%05v", "%+.2e", "%1000001d", "%.f"}
)

// templateObject is the data of a template.
func (r *random) templateObject() string {
	var value func(depth int) any
	object := func(depth int) any {
		members := map[string]any{}
		for range r.IntN(4) {
			members[oneOf(r, templateKeys[:8]...)] = value(depth - 1)
		}
		return members
	}
	list := func(depth int) any {
		items := make([]any, r.IntN(5))
		for i := range items {
			items[i] = value(depth - 1)
		}
		return items
	}
	value = func(depth int) any {
		kind := r.IntN(9)
		if depth <= 0 {
			kind = 4 + r.IntN(5)
		}
		switch kind {
		case 0, 1:
			return object(depth)
		case 2, 3:
			return list(depth)
		case 4:
			return oneOf[any](r, nil, true, false)
		case 5, 6:
			return json.Number(oneOf(r, templateNumbers...))
		default:
			return oneOf(r, templateTexts...)
		}
	}
	items := make([]any, 1+r.IntN(3))
	for i := range items {
		items[i] = map[string]any{"name": oneOf(r, templateTexts...), "a": value(2), "b": value(1), "list": list(2)}
	}
	root := map[string]any{"kind": "Thing", "apiVersion": "v1", "items": items, "a": value(3), "b": oneOf[any](r, value(1), json.Number("3"), true),
		"list": list(2), "text": oneOf(r, templateTexts...), "metadata": object(3), "name": "x"}
	return compact(root)
}

// templates holds what is in scope while one template is invented.
type templates struct {
	*random
	variables []string
	loops     int
}

func (t *templates) literal() string {
	return oneOf(t.random, "1", "0", "2", "-1", "1.5", "\"a\"", "\"name\"", "`raw\\n`", "true", "false", "nil", "'\\a'", "0x1F", "1_0", "017", "1e3", "\"\"",
		"\"\\u00e9\\t\"", "\"gpu-0\"", "0b11", ".5", "\"list\"")
}

func (t *templates) field() string {
	text := "." + oneOf(t.random, templateKeys...)
	for t.chance(30) {
		text += "." + oneOf(t.random, templateKeys...)
	}
	return text
}

// operand is a term of a command.
func (t *templates) operand(depth int) string {
	switch t.IntN(10) {
	case 0, 1, 2:
		return t.field()
	case 3:
		return "."
	case 4, 5:
		return t.literal()
	case 6, 7:
		variable := oneOf(t.random, append([]string{"$"}, t.variables...)...)
		if t.chance(60) {
			variable += t.field()
		}
		return variable
	default:
		if depth == 0 {
			return "."
		}
		text := "(" + t.pipeline(depth-1) + ")"
		if t.chance(25) {
			text += t.field()
		}
		return text
	}
}

// goodCommands find something wherever they stand.
var goodCommands = []string{"$.kind", "$.name", "$.items", "$.text", "$.list", "len $.items", "len $.text", "index $.items 0", "(index $.items 0).name",
	"eq $.kind \"Thing\"", "gt (len $.items) 1", "ne $.name \"x\" ", "and $.items $.kind", "or $.missing \"none\"", "not $.missing", "printf \"%s\" $.name",
	"printf \"%-10s|%5d\" $.kind (len $.items)", "printf \"%v\" $.b", "print $.kind 1 2 $.name", "println $.a", "html $.text", "js $.text", "urlquery $.text",
	"slice $.kind 1 3", "exists $ \"items\" 0 \"name\"", "base64decode \"Zm9v\"", "index $ \"missing\"", "$.text | printf \"%q\"", "$.missing", "$.a", "$.metadata",
	"len $.metadata", "lt 1 (len $.items) ", "le \"a\" $.kind", "printf \"%T %T\" $.b $.list", "eq $.name \"a\" \"x\"", "$.kind | len | printf \"%03d\"",
	"and true (not false) 7", "(len $.items) | eq 1", "index $.items 0 \"list\"", "printf \"%d/%d\" 1 2 ", "(printf \"%s\" \"a b\" | html)", "1.50", "'\u00e9'",
	"slice $.items 0 1", "printf \"%*d|\" 6 42", "printf \"%x %X %o\" 255 255 8", "printf \"%5.1f|%e|%g\" 2.25 1234.5 1e21"}

// command is a value or the call of a function.
func (t *templates) command(depth int) string {
	if t.chance(75) {
		return oneOf(t.random, goodCommands...)
	}
	arg := func() string { return " " + t.operand(depth) }
	args := func(most int) string {
		text := ""
		for range t.IntN(most + 1) {
			text += arg()
		}
		return text
	}
	switch t.IntN(16) {
	case 0, 1, 2, 3:
		return t.operand(depth)
	case 4:
		return "index" + arg() + args(2)
	case 5:
		return oneOf(t.random, "index .items 0", "index .list 0", "index .metadata \"name\"", "len .list", "len .items", "index .items 0 \"name\"")
	case 6:
		return oneOf(t.random, "eq", "ne", "lt", "le", "gt", "ge") + arg() + arg()
	case 7:
		return oneOf(t.random, "and", "or", "eq", "print", "println", "html", "js", "urlquery") + arg() + args(2)
	case 8:
		return oneOf(t.random, "not", "len", "base64decode", "exists", "not", "len") + arg()
	case 9:
		return "exists" + arg() + args(2)
	case 10:
		return "slice" + arg() + args(3)
	case 11:
		return oneOf(t.random, "slice .list 1", "slice .text 0 2", "slice .list 0 1", "slice .items 0 1 1", "call .a", "base64decode .text", "printf", "and", "print")
	case 12, 13, 14:
		format := ""
		for range 1 + t.IntN(2) {
			format += oneOf(t.random, printfVerbs...) + oneOf(t.random, "", " ", "-", "/")
		}
		return fmt.Sprintf("printf %q", format) + args(3)
	default:
		return oneOf(t.random, "len", "print", "html", "eq 1", "index", "exists", "nofunction .a", "not", ".a .b", "1 2", "(.a) 1")
	}
}

func (t *templates) pipeline(depth int) string {
	text := t.command(depth)
	for t.chance(12) {
		text += oneOf(t.random, " | ", "|") + oneOf(t.random, "print", "len", "not", "html", "js", "urlquery", "println", "printf \"%v\"", "printf \"%5s|\"", "eq 1", "index .", "and .a", "or", "exists",
			"base64decode", "printf", t.command(depth))
	}
	return text
}

// action is text, a value or a block.
func (t *templates) action(depth int) string {
	open := oneOf(t.random, "{{", "{{", "{{", "{{- ", "{{ ")
	closing := oneOf(t.random, "}}", "}}", "}}", " -}}", " }}")
	in := func(text string) string { return open + text + closing }
	kind := t.IntN(16)
	if depth == 0 && kind > 9 {
		kind = t.IntN(10)
	}
	switch kind {
	case 0, 1:
		return oneOf(t.random, "text ", "\n", " ", "a: ", "\u00e9", "}} ", "{ ", "\t")
	case 2:
		return oneOf(t.random, "{{/* note */}}", " {{- /* note */ -}} ", "{{\"\\n\"}}", "{{\"{{\"}}", "{{`x`}}")
	case 3:
		variable := oneOf(t.random, "$x", "$y", "$long")
		text := in(variable + " := " + t.pipeline(1))
		t.variables = append(t.variables, variable)
		return text + t.action(0)
	case 4:
		if len(t.variables) == 0 {
			return in(t.pipeline(1))
		}
		return in(oneOf(t.random, t.variables...) + oneOf(t.random, " = ", "=") + t.pipeline(1))
	case 5:
		if t.loops > 0 && t.chance(50) {
			return in("if "+t.pipeline(1)) + "{{" + oneOf(t.random, "break", "continue") + "}}{{end}}"
		}
		return in(t.pipeline(2))
	case 6, 7, 8, 9:
		return in(t.pipeline(2))
	default:
		return t.block(depth, in)
	}
}

// block is an action with others inside.
func (t *templates) block(depth int, in func(string) string) string {
	before := len(t.variables)
	defer func() { t.variables = t.variables[:before] }()
	otherwise := func() string {
		switch t.IntN(4) {
		case 0:
			return "{{else}}" + t.list(depth-1)
		case 1:
			return oneOf(t.random, "{{else if ", "{{else with ") + t.pipeline(1) + "}}" + t.list(depth-1) + oneOf(t.random, "", "{{else}}"+t.list(0))
		}
		return ""
	}
	switch t.IntN(9) {
	case 0, 1:
		return in("if "+t.pipeline(2)) + t.list(depth-1) + otherwise() + "{{end}}"
	case 2:
		return in("with "+t.pipeline(1)) + t.list(depth-1) + otherwise() + "{{end}}"
	case 3:
		t.variables = append(t.variables, "$w")
		return in("with $w := "+t.pipeline(1)) + t.list(depth-1) + otherwise() + "{{end}}"
	case 4:
		return oneOf(t.random, "{{define \"d\"}}", "{{block \"d\" .}}", "{{block \"e\" .a}}") + t.list(depth-1) + "{{end}}" +
			oneOf(t.random, "", "{{template \"d\"}}", "{{template \"d\" .a}}", "{{template \"none\" .}}")
	default:
		over := oneOf(t.random, "$.items", "$.list", "$.metadata", "$.items", "$", "3", ".items", ".list", ".a", t.pipeline(1))
		switch t.IntN(4) {
		case 0:
			t.variables = append(t.variables, "$i", "$v")
			over = "$i, $v := " + over
		case 1:
			t.variables = append(t.variables, "$v")
			over = "$v := " + over
		case 2:
			if len(t.variables) > 0 {
				over = oneOf(t.random, t.variables...) + " = " + over
			}
		}
		t.loops++
		body := t.list(depth - 1)
		t.loops--
		return in("range "+over) + body + otherwise() + "{{end}}"
	}
}

func (t *templates) list(depth int) string {
	var text strings.Builder
	for range 1 + t.IntN(3) {
		text.WriteString(t.action(max(depth, 0)))
	}
	return text.String()
}

// goTemplate is a template, "strict" if missing keys are errors, and an object.
func (r *random) goTemplate() []string {
	var text string
	if r.chance(8) {
		text = r.textOf(10, templateTokens)
	} else {
		text = (&templates{random: r}).list(2)
	}
	return []string{r.damaged(text, 4, "{}.|$()\"'-:= ax1\n"), oneOf(r, "loose", "loose", "loose", "strict"), r.templateObject()}
}

// upstreamTemplate prints as cli-runtime's GoTemplatePrinter does.
func upstreamTemplate(args []string) string {
	printer, err := printers.NewGoTemplatePrinter([]byte(args[0]))
	if err != nil {
		return errorAnswer
	}
	printer.AllowMissingKeys(args[1] != "strict")
	object := map[string]any{}
	if err := utiljson.Unmarshal([]byte(args[2]), &object); err != nil {
		panic(err)
	}
	var text strings.Builder
	if err := printer.PrintObj(&unstructured.Unstructured{Object: object}, &text); err != nil {
		return errorAnswer
	}
	return lineEscaper.Replace(text.String())
}

// refused matches what is refused by name (template.h): complex numbers, %#v, addresses, and argument indexes.
var refused = regexp.MustCompile(`[0-9._]i\b|%[-+# 0-9.*]*[p\[]|%[-+ 0-9.*]*#[-+# 0-9.*]*[vw]`)

func templateRefused(args []string) bool { return refused.MatchString(args[0]) }

func templateOutcome(answer string) string {
	switch {
	case answer == errorAnswer:
		return errorAnswer
	case strings.Contains(answer, "<no value>"):
		return "no value"
	case strings.Contains(answer, "%!"):
		return "bad verb"
	}
	return "text"
}

// This file is about inventing JSONPath templates, and documents in which they have a chance to find
// something.

package differential

import (
	"encoding/json"
	"fmt"
	"strings"
)

var (
	pathKeys   = []string{"a", "b", "c", "items", "name", "x.y", "range", "end", ""}
	pathTexts  = []string{"", "a", "b", "gpu-0", "two words", "1", "<&>", "\u00e9", "a\tb\nc"}
	pathNumber = []string{"0", "1", "2", "-1", "10", "1.5", "1.0", "1e6", "1234567.5", "9223372036854775808", "-0.0", "97"}
	// pathTokens in any order are mostly errors.
	pathTokens = []string{"{", "}", "{", "}", ".", "..", "[", "]", "[?(", ")]", "a", "b", "@", "$", "*", "'", "\"", "0", "-1", ":", ",",
		" ", "range", "end", "true", "==", "<", "\\", "\n", "\t", "+", "1.5", "_", "\u00e9", "~", "\xff", "text"}
)

// pathDocument is an object. In a narrow one no object has two members, so that Go visits them in order.
func (r *random) pathDocument(narrow bool) string {
	var value func(depth int) any
	object := func(depth int) any {
		members := map[string]any{}
		count := r.IntN(4)
		if narrow {
			count = min(count, 1)
		}
		for range count {
			members[oneOf(r, pathKeys...)] = value(depth - 1)
		}
		return members
	}
	value = func(depth int) any {
		kind := r.IntN(9)
		if depth <= 0 {
			kind = 5 + r.IntN(4)
		}
		switch kind {
		case 0, 1:
			return object(depth)
		case 2, 3, 4:
			items := make([]any, r.IntN(4))
			for i := range items {
				items[i] = value(depth - 1)
			}
			return items
		case 5:
			return oneOf[any](r, nil, true, false)
		case 6:
			return json.Number(oneOf(r, pathNumber...))
		default:
			return oneOf(r, pathTexts...)
		}
	}
	root := map[string]any{}
	for range 3 {
		root[oneOf(r, pathKeys[:5]...)] = oneOf[any](r, value(4), object(4), []any{object(2), object(2), value(3)})
	}
	if narrow {
		root = map[string]any{"a": root["a"]}
	}
	return compact(root)
}

func (r *random) index() string {
	switch r.IntN(4) {
	case 0:
		return oneOf(r, "*", "*", "", ":", "-", "::", "x", "0:-1:1", "99999999999999999999", "9223372036854775807", "1:2:3:4", " 0")
	case 1:
		return fmt.Sprintf("%d:%d", r.IntN(4)-1, r.IntN(5)-1)
	case 2:
		return oneOf(r, "", "0", "1", "-2") + ":" + oneOf(r, "", "1", "2", "-1") + ":" + oneOf(r, "", "1", "2", "0", "-1", "99")
	default:
		return fmt.Sprint(r.IntN(5) - 2)
	}
}

func (r *random) operand() string {
	if r.chance(60) {
		return "@" + r.steps(2)
	}
	return oneOf(r, "\"a\"", "'b'", "\"gpu-0\"", "1", "2", "1.5", "-1", "true", "false", "'a)'", "\"\\\"\"", "''", "a", "", "1.", "+1")
}

func (r *random) condition() string {
	left := r.operand()
	if r.chance(25) {
		return left
	}
	operator := oneOf(r, "==", "==", "==", "!=", "<", ">", "<=", ">=", "=", "=<", "!")
	space := oneOf(r, "", "", " ")
	return left + space + operator + space + r.operand()
}

func (r *random) step() string {
	switch r.IntN(12) {
	case 0, 1, 2, 3:
		return "." + oneOf(r, pathKeys...)
	case 4, 5:
		return "[" + r.index() + "]"
	case 6:
		return "[*]"
	case 7:
		return "['" + oneOf(r, "a", "b", "items", "x\\.y", "x.y", "a]", "") + "']"
	case 8:
		return "[" + oneOf(r, "0,1", "0, -1", "'a','b'", "'a', 'items'", "*,0", "0,", ",") + "]"
	case 9:
		return "[?(" + r.condition() + ")]"
	case 10:
		return ".*"
	default:
		return ".." + oneOf(r, "", "a", "name", "[0]", ".a")
	}
}

func (r *random) steps(most int) string {
	var text strings.Builder
	for range r.IntN(most + 1) {
		text.WriteString(r.step())
	}
	return text.String()
}

func (r *random) action() string {
	switch r.IntN(8) {
	case 0:
		return "{" + oneOf(r, "\"\\n\"", "'\\t'", "\"a b\"", "\"\\u00e9\\x41\\101\"", "\"\\q\"", "\"'\"", "'\\''", "'\\\"'", "\"\\xff\"",
			"\"\\ud800\"", "1", "1.0", "true", "+1.50", "\"\\\\\"", "'a'.*", "1e3", "1 2", "\"a\" \"b\"") + "}"
	case 1:
		return oneOf(r, "text", " ", "}", "\n", "a: ", "\u00e9")
	default:
		return "{" + oneOf(r, "", "", "@", "$", " ", "a", ".a .b ") + r.steps(4) + oneOf(r, "", "", "", " ") + "}"
	}
}

// path is a template, whether missing keys are errors, whether JSON is wanted, and a document.
func (r *random) path() []string {
	var template strings.Builder
	if r.chance(8) {
		template.WriteString(r.textOf(8, pathTokens))
	} else {
		open := 0
		for range 1 + r.IntN(4) {
			switch {
			case r.chance(15):
				template.WriteString("{range " + oneOf(r, ".items[*]", ".a[*]", ".b", "@"+r.steps(2), ".a.*") + "}")
				open++
			case r.chance(20) && (open > 0 || r.chance(10)):
				template.WriteString("{end}")
				open--
			}
			template.WriteString(r.action())
		}
		for ; open > 0 && r.chance(80); open-- {
			template.WriteString("{end}")
		}
	}
	text := r.damaged(template.String(), 5, "{}[].*@'\"?() =<,:0")
	narrow := strings.Contains(text, "..") || strings.Contains(strings.ReplaceAll(text, "[*]", ""), "*")
	return []string{text, oneOf(r, "strict", "loose", "loose"), oneOf(r, "text", "text", "text", "json"), r.pathDocument(narrow)}
}

// columns is "spec" or "file", the columns, "bare" where no headers are wanted, and an object or a List.
func (r *random) columns() []string {
	headers, paths := make([]string, 1+r.IntN(4)), []string{}
	for i := range headers {
		headers[i] = oneOf(r, "A", "NAME", "NAME", "NAME", "LONG_HEADER", "LONG_HEADER", "\u00c4", "")
		path := oneOf(r, "", "", "", "", ".", ".", ".", "{.", "{.", "{", "{", "@") + oneOf(r, "a", "b", "name", "a.b", "x\\.y", "items[0].a", "missing", "c[*].a", "a['b']", "'t'")
		if strings.HasPrefix(path, "{") {
			path += "}"
		}
		paths = append(paths, r.damaged(path, 3, "{}[].:'\" "))
	}
	shape := oneOf(r, "spec", "spec", "file")
	var text string
	if shape == "file" {
		text = strings.Join(headers, " ") + "\n" + strings.Join(paths, oneOf(r, " ", "\t  ")) + oneOf(r, "", "\n", "\nmore\n")
		text = oneOf(r, text, text, text, strings.Join(headers, " ")+"\n", "", "\n\n")
	} else {
		parts := make([]string, len(headers))
		for i, header := range headers {
			parts[i] = header + oneOf(r, ":", ":", ":", ":", ":", ":", ":", ":", ":", "") + paths[i]
		}
		text = strings.Join(parts, ",")
	}
	document := r.columnsObject()
	if r.chance(60) {
		items := make([]string, r.IntN(5))
		for i := range items {
			items[i] = r.columnsObject()
		}
		document = "{\"kind\":\"List\",\"items\":[" + strings.Join(items, ",") + "]}"
	}
	return []string{shape, text, oneOf(r, "headers", "headers", "bare"), document}
}

// columnsObject has values that are awkward in a table.
func (r *random) columnsObject() string {
	awkward := oneOf(r, "a\tb", "a\nb", "x\n\ny\tz", "\x1b[31m", "\r", "\v", "\f", "a long value with spaces", "\u65e5\u672c", "")
	members := map[string]any{"a": oneOf[any](r, awkward, nil, 1.5, map[string]any{"b": awkward}), "name": oneOf(r, pathTexts...)}
	if r.chance(50) {
		members["b"] = oneOf[any](r, []any{1, "x", nil, map[string]any{"z": 1e6, "a": true}}, map[string]any{}, true, 12345678)
		members["c"] = []any{map[string]any{"a": 1}, map[string]any{}, map[string]any{"a": awkward}}
	}
	return compact(members)
}

// sortKeys are up to 400 keys, of which many are equal, in orders that Go's sort looks out for.
func (r *random) sortKeys() []string {
	keys := make([]string, 1+r.IntN(oneOf(r, 12, 13, 30, 60, 400)))
	distinct := oneOf(r, 1, 2, 5, 30, 1000)
	shape := r.IntN(5)
	for i := range keys {
		switch shape {
		case 0: // sorted
			keys[i] = fmt.Sprintf("%04d", i*distinct/len(keys))
		case 1: // reversed
			keys[i] = fmt.Sprintf("%04d", (len(keys)-i)*distinct/len(keys))
		case 2: // sorted, but for some
			keys[i] = fmt.Sprintf("%04d", i)
			if r.chance(5) {
				keys[i] = fmt.Sprintf("%04d", r.IntN(len(keys)))
			}
		case 3:
			keys[i] = oneOf(r, "-", fmt.Sprintf("%04d", r.IntN(distinct)))
		default:
			keys[i] = fmt.Sprintf("%04d", r.IntN(distinct))
		}
	}
	return []string{strings.Join(keys, " ")}
}

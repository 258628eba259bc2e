// This file is about inventing documents: trees of JSON whose texts and keys are mostly what a printer or a
// parser could take for something else.

package differential

import (
	"encoding/json"
	"strconv"
	"strings"
)

var (
	// words are whole texts that YAML could take for something else than text.
	words = []string{"", "a", "true", "True", "tRue", "no", "y", "Y", "off", "null", "Null", "~", "<<", "=", ".nan", ".inf",
		"-.INF", "+.inf", "1", "-1", "+1", "0", "-0", "007", "08", "0o17", "0x1F", "0b11", "0b-1", "-0b11", "-0b-1", "0b2", "1_000",
		"_1", "1e3", "1E+3", "1e", ".5", ".5_0", ".5_", ".", "5.", "1.5.2", "-.5e-3", "1e400", "1e-400", "9223372036854775808",
		"18446744073709551616", "-9223372036854775809", "0x", "+", "-", "--", "---", "...", "--- a", "1:30", "-1:30:59", "1:60",
		"1:3:", "1_0:5.5_", "2026-01-01", "2026-1-1", "2026-02-30", "2024-02-29", "2023-02-29", "0000-02-29", "2026-01-01T00:00:00Z",
		"2026-1-1t1:2:3.5+01:30", "2026-01-01 1:2:3", "2026-01-01  1:2:3.25", "2026-01-01T25:00:00Z", "2026-01-01T00:00:00",
		"2026-01-01T00:00:00+24:60", "2026-01-01T00:00:00+25:00", "2026-01-01T1:2:3,5Z", "2026-01-01 ", "12026-01-01",
		"gpu-2", "gpu-10", "gpu-02", "gpu-1", "a-b", "a.b", "a_b", "ab", "a0", "a00", "a01", "a10", "a100", "\u00e9", "\u65e5"}
	// pieces make up the other texts.
	pieces = []string{" ", " ", "  ", "a", "b", "word", "\n", "\n\n", " \n", "\n ", "\t", "\r", "\u2028", "\u2029", "\u00a0", "\ufeff",
		"\x00", "\x07", "\x1b", "\u00e9", "\u65e5", "\U0001f600", "\u202e", "\ufffd", "#", " #", ":", ": ", "-", "- ", "?", "? ", ",",
		"[", "]", "{", "}", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`", "\\", "=", "<", "<<", "~", "0", "7", ".", "/", "--"}
	// longWords are for texts that are folded.
	longWords = []string{"word ", "longer words ", "a", " ", "'", "\"", "\u65e5 ", ": ", "-", "x\u2028y ", "\t"}
	numbers   = []string{"0", "-0", "1", "-1", "1.0", "-0.0", "0.5", "1.5e3", "1e6", "1234567.5", "1e-5", "0.0001", "1e-7", "1e20", "1e21",
		"-1e19", "1e300", "5e-324", "1e-400", "9007199254740993", "9223372036854775807", "9223372036854775808",
		"-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "123456789012345678901234",
		"0.1", "100000000000000000000000", "123456.789", "1000000.25", "3.141592653589793"}
)

func (r *random) text() string {
	switch r.IntN(12) {
	case 0, 1, 2, 3:
		return oneOf(r, words...)
	case 4:
		return oneOf(r, words...) + oneOf(r, pieces...)
	case 5:
		return oneOf(r, pieces...) + oneOf(r, words...)
	case 6:
		return strings.Repeat(r.textOf(3, pieces), 1+r.IntN(3))
	case 7:
		return r.textOf(40, longWords)
	case 8:
		return strings.Repeat("word ", 15+r.IntN(4)) + r.textOf(8, pieces)
	default:
		return r.textOf(6, pieces)
	}
}

// tree is any value: texts, numbers, and what is made of them.
func (r *random) tree(depth int) any {
	kind := r.IntN(10)
	if depth == 0 {
		kind = 4 + r.IntN(6)
	}
	switch kind {
	case 0, 1:
		members := map[string]any{}
		for range r.IntN(5) {
			members[r.text()] = r.tree(depth - 1)
		}
		return members
	case 2, 3:
		items := make([]any, r.IntN(4))
		for i := range items {
			items[i] = r.tree(depth - 1)
		}
		return items
	case 4:
		return oneOf[any](r, nil, true, false)
	case 5:
		return json.Number(oneOf(r, numbers...))
	default:
		return r.text()
	}
}

// compact is the JSON of a tree.
func compact(tree any) string {
	text, err := json.Marshal(tree)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (r *random) document() []string { return []string{compact(r.tree(4))} }

// keyWords are keys that KYAML quotes, and others that look like them.
var keyWords = []string{"t", "F", "T", "yes", "ON", "oN", "nan", "NaN", "inf", "Infinity", "i_nf", "infi", "0x1p4", "0x1.8p-2", "0x1p",
	"0x.p1", "0x1_f", "0b12", "0o8", "0_7", "08", "0777777777777777777777777", "0xFFFFFFFFFFFFFFFF", "9223372036854775808", "1e309",
	"1e-400", "1_e_5", "1e", "12e-3", "_", "__", "_a", "a_", "a-", "-a", "a.b", "a/b", "a.", ".a", "a b", "a:b", "2024-1-2", "2024-01-02",
	"2024-13-1", "2024-2-30", "2023-02-29", "2024-1-2-3", "2024-1", "024-1-2", "2024-1-002", "\u00bd", "\u2168", "\u0663", "\u00e9t\u00e9", "\u0301", "app.kubernetes.io/name", "gpu-0"}

// kyamlDocument is an object, as all that kubectl prints.
func (r *random) kyamlDocument() []string {
	root := map[string]any{}
	for range 1 + r.IntN(4) {
		key := oneOf(r, keyWords...)
		if r.chance(30) {
			key = r.text()
		}
		root[key] = r.tree(3)
	}
	if r.chance(20) {
		root["items"] = []any{map[string]any{oneOf(r, keyWords...): r.text()}, []any{r.text()}, map[string]any{}}
	}
	return []string{compact(root)}
}

// codePoint begins a block of 256 code points.
func (r *random) codePoint() []string { return []string{strconv.Itoa(r.IntN(0x1100) * 256)} }

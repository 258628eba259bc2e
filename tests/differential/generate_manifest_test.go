// This file is about inventing text that somebody writes as YAML, with the mistakes of an editor in it.

package differential

import (
	_ "embed"
	"strings"
)

// written are documents in the many ways that people write YAML.
var (
	//go:embed written.yaml
	writtenText string
	written     = strings.Split(writtenText, "\n---\n")
)

// manifest is a document with up to three mistakes.
func (r *random) manifest() []string {
	lines := strings.SplitAfter(oneOf(r, written...), "\n")
	if first := r.IntN(len(lines)); r.chance(50) {
		lines = lines[first:min(len(lines), first+1+r.IntN(12))]
	}
	for range r.IntN(4) {
		lines = r.mistake(lines)
	}
	text := strings.Join(lines, "")
	if r.chance(10) {
		text = text[:r.IntN(len(text)+1)]
	}
	return []string{text}
}

// mistake changes one line, or drops it, or writes it twice or elsewhere.
func (r *random) mistake(lines []string) []string {
	if len(lines) == 0 {
		return lines
	}
	at := r.IntN(len(lines))
	line := lines[at]
	before, after := lines[:at:at], lines[at+1:]
	switch r.IntN(8) {
	case 0:
		return append(before, after...)
	case 1:
		return append(append(before, line, line), after...)
	case 2:
		return append(append(before, strings.Repeat(" ", 1+r.IntN(3))+line), after...)
	case 3:
		return append(append(before, strings.TrimPrefix(line, oneOf(r, " ", "  ", "    "))), after...)
	case 4:
		return append(append(before, after...), line)
	default:
		if line == "" {
			return lines
		}
		return append(append(before, r.typed(line)), after...)
	}
}

// typed drops or adds a character where somebody types.
func (r *random) typed(line string) string {
	at := r.IntN(len(line))
	if r.chance(30) {
		return line[:at] + line[at+1:]
	}
	return line[:at] + oneOf(r, ":", ": ", "-", "- ", "#", " #", "'", "\"", "{", "}", "[", "]", ",", "&a ", "*a", "!", "|", ">", "%",
		"@", "`", "?", "\t", " ", "\n", "\\", "<<", "0", "x") + line[at:]
}

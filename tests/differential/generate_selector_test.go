// This file is about inventing label selectors, and labels that they have a chance to match.

package differential

import "strings"

var (
	labelKeys = []string{"a", "b", "zone", "in", "notin", "example.com/gpu", "a.b-c/D_e.f"}
	// badKeys are words, but no keys of labels.
	badKeys     = []string{"-a", "a-", "A.com/x", "x/", "/x", "a/b/c", "a..b/c", "\xc3\xa9", strings.Repeat("k", 64)}
	labelValues = []string{"", "1", "2", "-1", "+3", "007", "x", "in", "notin", "V-1_2.3", "9223372036854775807",
		"9223372036854775808", strings.Repeat("v", 63)}
	badValues = []string{"-x", "x-", "a/b", "*", "\"x\"", strings.Repeat("v", 64)}
	// selectorTokens in any order are mostly errors.
	selectorTokens = []string{"a", "b", "in", "notin", " ", " ", ",", "(", ")", "=", "==", "!=", "!", ">", "<", "1", "x",
		"example.com/gpu", "\t", "\r", "\n", "&"}
)

// of returns one of good, seldom one of bad.
func (r *random) of(good, bad []string) string {
	if r.chance(2) {
		return oneOf(r, bad...)
	}
	return oneOf(r, good...)
}

// list is what stands in the brackets of `in` and `notin`.
func (r *random) list() string {
	values := make([]string, r.IntN(4))
	for i := range values {
		values[i] = oneOf(r, "", "", " ") + r.of(labelValues, badValues) + oneOf(r, "", "", " ")
	}
	return strings.Join(values, ",")
}

func (r *random) requirement() string {
	key := r.of(labelKeys, badKeys)
	switch r.IntN(6) {
	case 0, 1:
		return key + oneOf(r, "=", "==", "!=", " = ", " != ", "= ") + r.of(labelValues, badValues)
	case 2, 3:
		return key + oneOf(r, " in ", " notin ", " in", "\tnotin\n") + "(" + r.list() + ")"
	case 4:
		return oneOf(r, "", "!", "! ", " ") + key
	default:
		return key + oneOf(r, "<", ">", " < ", " > ") + oneOf(r, "0", "1", "2", "-1", "+2", "1", "007", "x", "")
	}
}

// selector is a selector, then keys and values of labels in turn, each key once.
func (r *random) selector() []string {
	var text string
	if r.chance(20) {
		text = r.textOf(8, selectorTokens)
	} else {
		requirements := make([]string, r.IntN(4))
		for i := range requirements {
			requirements[i] = r.requirement()
		}
		text = strings.Join(requirements, oneOf(r, ",", ", ", " ,"))
	}
	question := []string{r.damaged(text, 5, "abx1=!(),<> \t-/.")}
	for _, key := range labelKeys {
		if r.chance(50) {
			question = append(question, key, oneOf(r, labelValues...))
		}
	}
	return question
}

// This file is about reading the tables that kubectl and the plugin print.

package agree_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var title = regexp.MustCompile(`\S+`)

// parseTable returns the rows of a printed table, by the titles of their columns. A cell begins below
// the first letter of its title.
func parseTable(t *testing.T, text string) []map[string]string {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	columns := title.FindAllStringIndex(lines[0], -1) // titles are ASCII: bytes are columns
	var rows []map[string]string
	for _, line := range lines[1:] {
		if !utf8.ValidString(line) {
			t.Fatalf("not UTF-8: %q", line)
		}
		runes, row := []rune(line), map[string]string{}
		for i, column := range columns {
			end := len(runes)
			if i+1 < len(columns) {
				end = min(end, columns[i+1][0])
			}
			row[lines[0][column[0]:column[1]]] = strings.TrimSpace(string(runes[min(column[0], end):end]))
		}
		rows = append(rows, row)
	}
	return rows
}

// ageOfPhase is the age behind a phase: "Pod ml/a: Pending 3m10s.", "pending up to 5d", "(Running 7s)".
var ageOfPhase = regexp.MustCompile(`([:(]\s*[A-Za-z][\w:/]*)(?:\s+up\s+to)?\s+\d+[smhdy][0-9smhdy]*\b`)

// ageOfState is the age in the column STATE of holders: "Running 9s   0". How wide the column is depends on it.
var (
	ageOfState = regexp.MustCompile(`([A-Z]\w+) \d+[smhdy][0-9smhdy]* {2,}`)
	stateTitle = regexp.MustCompile(`STATE {2,}PRIORITY`)
)

// timeless is text without these ages.
func timeless(text string) string {
	text = ageOfState.ReplaceAllString(ageOfPhase.ReplaceAllString(text, "$1"), "$1 ")
	return stateTitle.ReplaceAllString(text, "STATE PRIORITY")
}

// folded is a text without these ages, and with each word on a line.
func folded(text string) string {
	return strings.Join(strings.Fields(timeless(text)), "\n")
}

// withoutAges removes ages in headlines, the column AGE of each table, and the padding that depends on how wide it is.
// Tables stand below each other with an empty line between. Other text stays as it is.
func withoutAges(text string) string {
	text = timeless(text)
	if strings.HasPrefix(text, "{") {
		return text
	}
	tables := strings.Split(text, "\n\n")
	for i, table := range tables {
		tables[i] = withoutAge(table)
	}
	return strings.Join(tables, "\n\n")
}

var ageColumn = regexp.MustCompile(`\bAGE\b`)

func withoutAge(table string) string {
	header, _, _ := strings.Cut(table, "\n")
	column := ageColumn.FindStringIndex(header)
	if column == nil {
		return table
	}
	at := column[0]
	var out strings.Builder
	for line := range strings.SplitSeq(table, "\n") {
		runes := []rune(line)
		before, after := runes[:min(at, len(runes))], ""
		if len(runes) > at {
			_, rest, _ := strings.Cut(string(runes[at:]), "   ") // an age has no spaces
			after = strings.Join(strings.Fields(rest), "   ")
		}
		out.WriteString(strings.TrimRight(string(before), " ") + "   " + after + "\n")
	}
	return out.String()
}

// pick returns the cells of some columns of each row, joined, in the order of the rows.
func pick(rows []map[string]string, columns ...string) []string {
	var picked []string
	for _, row := range rows {
		var cells []string
		for _, column := range columns {
			cells = append(cells, row[column])
		}
		picked = append(picked, strings.Join(cells, " | "))
	}
	return picked
}

// seconds returns how long an age such as "3m20s" is, -1 for what is none.
func seconds(age string) int {
	units := map[rune]int{'s': 1, 'm': 60, 'h': 3600, 'd': 86400, 'y': 365 * 86400}
	total, number := 0, 0
	for _, c := range age {
		if c >= '0' && c <= '9' {
			number = 10*number + int(c-'0')
		} else if units[c] != 0 {
			total, number = total+number*units[c], 0
		} else {
			return -1
		}
	}
	return total
}

// This file is about what upstream answers when documents are printed.

package differential

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	goyaml "go.yaml.in/yaml/v2"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/util/jsonpath"
	"k8s.io/kubectl/pkg/cmd/get"
	"sigs.k8s.io/yaml"
	"sigs.k8s.io/yaml/kyaml"
)

// decode reads JSON as kubectl reads objects: with integers of 64 bits.
func decode(document string) any {
	var tree any
	if err := utiljson.Unmarshal([]byte(document), &tree); err != nil {
		panic(err)
	}
	return tree
}

// upstreamYAML prints as cli-runtime's YAMLPrinter does.
func upstreamYAML(args []string) string {
	text, err := yaml.Marshal(decode(args[0]))
	if err != nil {
		return errorAnswer
	}
	return lineEscaper.Replace(string(text))
}

// upstreamKYAML prints as cli-runtime's KYAMLPrinter does.
func upstreamKYAML(args []string) string {
	var text strings.Builder
	if err := (&kyaml.Encoder{}).FromObject(decode(args[0]), &text); err != nil {
		return errorAnswer
	}
	return lineEscaper.Replace(text.String())
}

// kyamlFails: characters that are not allowed in YAML are escapes with us (write.h), and U+0085 is a space there.
func kyamlFails(args []string) bool {
	return upstreamKYAML(args) == errorAnswer || strings.Contains(args[0], "\u0085")
}

// upstreamCharacters says of 256 characters which kind they are.
func upstreamCharacters(args []string) string {
	first, err := strconv.Atoi(args[0])
	if err != nil {
		panic(err)
	}
	var classes strings.Builder
	for code := range 256 {
		switch r := rune(first + code); {
		case unicode.IsSpace(r) && r != ' ':
			classes.WriteByte('W')
		case unicode.IsLetter(r):
			classes.WriteByte('L')
		case unicode.IsDigit(r):
			classes.WriteByte('D')
		case unicode.IsNumber(r):
			classes.WriteByte('N')
		case unicode.IsPrint(r):
			classes.WriteByte('S')
		default:
			classes.WriteByte('.')
		}
	}
	return classes.String()
}

// upstreamRead reads YAML as kubectl does, and prints it. Upstream reads one document and leaves what stands
// behind it; here that is an error, as nobody writes it on purpose.
func upstreamRead(args []string) string {
	decoder := goyaml.NewDecoder(strings.NewReader(args[0]))
	var first, second any
	if decoder.Decode(&first) == nil && decoder.Decode(&second) != io.EOF {
		return errorAnswer
	}
	document, err := yaml.YAMLToJSON([]byte(args[0]))
	if err != nil {
		return errorAnswer
	}
	return upstreamYAML([]string{string(document)})
}

// libyaml is newer than what kubectl's reader was translated from: a tag ends there at a bracket, a brace or a comma, a colon
// before one of them ends a key, \' is no escape, \/ is one.
var (
	newerYAML = regexp.MustCompile(`!\S*[,\[\]{}]|:[,}\]]|\\['/]`)
	directive = regexp.MustCompile(`(?m:^%)`)
)

// readDiffers: upstream takes the last of several members with one key; here they all stay, to be told. A line
// that starts with % is always refused here.
func readDiffers(args []string) bool {
	_, err := yaml.YAMLToJSONStrict([]byte(args[0]))
	return err != nil && strings.Contains(err.Error(), "already set in map") ||
		err == nil && directive.MatchString(args[0]) || newerYAML.MatchString(args[0])
}

// lineEscaper makes an answer fit on one line.
var lineEscaper = strings.NewReplacer("\\", "\\\\", "\n", "\\n")

var descent = regexp.MustCompile(`\.\.|\.\*|(^|[\s:])\{?\.\}?($|[\s,])`)

// visitsAll: upstream visits all members of an object in any order. A point alone does, too.
func visitsAll(args []string) bool { return descent.MatchString(args[1]) }

var (
	folded      = regexp.MustCompile(`word\\n +word`)
	zeroInFront = regexp.MustCompile(`(^|[^0-9])0[0-9]`)
)

// unorderedKeys: yaml/v2 puts 08 before 0b, 0b before 1 and 1 before 08, so that keys with a number that
// begins with 0 come out in any order.
func unorderedKeys(args []string) bool {
	var unordered func(tree any) bool
	unordered = func(tree any) bool {
		switch tree := tree.(type) {
		case []any:
			return slices.ContainsFunc(tree, unordered)
		case map[string]any:
			for key, value := range tree {
				if len(tree) > 2 && zeroInFront.MatchString(key) || unordered(value) {
					return true
				}
			}
		}
		return false
	}
	return unordered(decode(args[0]))
}

// upstreamPath prints as cli-runtime's JSONPathPrinter does.
func upstreamPath(args []string) (answer string) {
	defer func() {
		if recover() != nil {
			answer = panicAnswer
		}
	}()
	path := jsonpath.New("out").AllowMissingKeys(args[1] != "strict")
	path.EnableJSONOutput(args[2] == "json")
	if err := path.Parse(args[0]); err != nil {
		return errorAnswer + ": " + lineEscaper.Replace(err.Error())
	}
	var text strings.Builder
	if err := path.Execute(&text, decode(args[3])); err != nil {
		return errorAnswer
	}
	return lineEscaper.Replace(text.String())
}

const panicAnswer = "panic"

// pathPanics: what makes upstream panic is an error or null with us (path.h).
func pathPanics(args []string) bool { return upstreamPath(args) == panicAnswer }

func pathOutcome(answer string) string {
	switch {
	case answer == errorAnswer:
		return errorAnswer
	case strings.HasPrefix(answer, errorAnswer):
		return "parse error"
	case answer == "":
		return "nothing"
	case strings.ContainsAny(answer, "[{"):
		return "json"
	}
	return "text"
}

// upstreamColumns prints as kubectl's CustomColumnsPrinter does.
func upstreamColumns(args []string) string {
	var printer *get.CustomColumnsPrinter
	var err error
	if args[0] == "file" {
		printer, err = get.NewCustomColumnsPrinterFromTemplate(strings.NewReader(args[1]), nil)
	} else {
		printer, err = get.NewCustomColumnsPrinterFromSpec(args[1], nil, args[2] == "bare")
	}
	if err != nil {
		return errorAnswer
	}
	object := &unstructured.Unstructured{Object: decode(args[3]).(map[string]any)}
	var text strings.Builder
	if object.IsList() {
		list, listErr := object.ToList()
		if listErr != nil {
			panic(listErr)
		}
		err = printer.PrintObj(list, &text)
	} else {
		err = printer.PrintObj(object, &text)
	}
	if err != nil {
		return errorAnswer
	}
	return lineEscaper.Replace(text.String())
}

// kyamlOutcome tells which rule an answer shows.
func kyamlOutcome(answer string) string {
	switch {
	case strings.Contains(answer, "\\n\\\\"):
		return "folded"
	case strings.Contains(answer, "[{") || strings.Contains(answer, "[["):
		return "cuddled"
	case quotedKey.MatchString(answer):
		return "quoted key"
	}
	return "plain"
}

var quotedKey = regexp.MustCompile(`[{,]\\n *"[^"]*": `)

func yamlOutcome(answer string) string {
	switch {
	case folded.MatchString(answer):
		return "folded"
	case strings.Contains(answer, "|"):
		return "literal"
	case strings.Contains(answer, "\""):
		return "double quoted"
	case strings.Contains(answer, "'"):
		return "single quoted"
	}
	return "plain"
}

// byKey sorts as kubectl's RuntimeSort does, where "-" stands for no value.
type byKey struct {
	keys  []string
	order []int
}

func (b *byKey) Len() int { return len(b.keys) }
func (b *byKey) Less(i, j int) bool {
	if b.keys[i] == "-" {
		return true
	}
	return b.keys[j] != "-" && b.keys[i] < b.keys[j]
}
func (b *byKey) Swap(i, j int) {
	b.keys[i], b.keys[j] = b.keys[j], b.keys[i]
	b.order[i], b.order[j] = b.order[j], b.order[i]
}

func upstreamSort(args []string) string {
	sorted := &byKey{keys: strings.Split(args[0], " ")}
	for i := range sorted.keys {
		sorted.order = append(sorted.order, i)
	}
	sort.Sort(sorted)
	var order strings.Builder
	for _, at := range sorted.order {
		fmt.Fprintf(&order, "%d ", at)
	}
	return order.String()
}

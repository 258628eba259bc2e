package cel

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/resource"
	"k8s.io/kubernetes/pkg/apis/resource/validation"
)

// hostile are expressions that somebody writes who wants to harm, or a program that has lost its way. Not asked:
// exponents of quantities beyond 4096, which we refuse and of which upstream computes the power, for ever with
// quantity("1e1000000000"); and patterns such as (\pL{500}){2}, whose program is more than we spend on one selector.
func hostile() []string {
	nested := func(count int, before, inner, after string) string {
		return strings.Repeat(before, count) + inner + strings.Repeat(after, count)
	}
	joined := func(count int, one, between string) string {
		return strings.TrimSuffix(strings.Repeat(one+between, count), between)
	}
	longest := resourceapi.CELSelectorExpressionMaxLength
	return []string{
		// As long as may be, and longer.
		"", " ", lengthened("true", longest), lengthened("true", longest+1), lengthened("1 +", longest+1), lengthened("x", 9*longest),
		`"` + strings.Repeat("a", longest-12) + `" == "a"`, `"` + strings.Repeat("é", longest/2-6) + `" == "a"`, strings.Repeat("é", longest),
		"true // " + strings.Repeat("x", longest), strings.Repeat("a", longest-1), strings.Repeat("\n", longest) + "true", strings.Repeat("(", longest), strings.Repeat("a.", longest/2),
		joined(2000, "true", "&&"), joined(2560, "1", "+"), joined(1700, "1==1", "||"), "[" + joined(3000, "1", ",") + "].size() == 3000",
		// No UTF-8, and what is none in Unicode.
		"\"\xff\" == \"a\"", "\"\xc3\" == \"\xc3\"", "\"\xed\xa0\x80\" == \"a\"", "\xff", "true\xff", "true // \xff", "'\xf4\x90\x80\x80' == ''", "b'\xff' == b'\\xff'", "device.\xffdriver", "r'\xc0\xaf' == '/'",
		"'\x00' == '\\u0000'", "true\x00", "\ufefftrue", "'\\ud800' == ''", "'\\U00110000' == ''", "'\u2028' == '\\u2028'", "\u00a0true", "dеvice == 1", "“a” == “a”", "size('\xff\xfe') == 2", "'\xff'.matches('^.$')",
		// Deep.
		nested(40, "(", "true", ")"), nested(249, "(", "true", ")"), nested(250, "(", "true", ")"), nested(251, "(", "true", ")"), nested(2000, "(", "true", ")"), nested(300, "[", "1", "]") + " == []",
		nested(300, "{1: ", "1", "}") + " == {}", nested(5000, "!", "true", ""), nested(5001, "!", "true", ""), nested(5000, "-", "1", "") + " == 1", nested(300, "- ", "1", "") + " == 1", nested(60, "[1].all(x, ", "true", ")"),
		nested(9, "[1,2,3,4,5,6,7,8,9,10].all(x, ", "true", ")"), nested(60, "true ? ", "true", " : false"), nested(300, "true ? true : ", "true", ""), nested(200, "dyn(", "true", ")"), nested(100, "size([", "1", "])") + " == 1",
		"device" + strings.Repeat(".a", 240), "device" + strings.Repeat("[0]", 300), "'a'" + strings.Repeat(".trim()", 300) + " == 'a'", joined(240, "1", " + ") + " == 1", joined(300, "1", " - ") + " == 1", joined(300, "1", " < "),
		joined(400, "device.driver == 'a'", " || "), nested(100, "cel.bind(x, 1, ", "x == 1", ")"), "[" + nested(120, "[", "", "]") + "].flatten(120) == []",
		// Numbers that no type holds.
		"9223372036854775807 > 0", "9223372036854775808 > 0", "-9223372036854775808 < 0", "-9223372036854775809 < 0", "18446744073709551615u > 0u", "18446744073709551616u > 0u", "0x7fffffffffffffff > 0", "0x8000000000000000 > 0",
		"-0x8000000000000000 < 0", "0xffffffffffffffffu > 0u", "0x10000000000000000u > 0u", "1e308 > 0.0", "1e309 > 0.0", "-1e309 < 0.0", "1e-400 == 0.0", "1" + strings.Repeat("0", 400) + " > 0", "1" + strings.Repeat("0", 400) + ".0 > 0.0",
		"0." + strings.Repeat("0", 400) + "1 > 0.0", "9223372036854775807 + 1 > 0", "-9223372036854775807 - 2 < 0", "9223372036854775807 * 2 > 0", "-9223372036854775808 / -1 > 0", "-9223372036854775808 % -1 == 0", "-(-9223372036854775808) > 0",
		"18446744073709551615u + 1u > 0u", "0u - 1u > 0u", "int(1e19) > 0", "uint(-1) > 0u", "int('9223372036854775808') > 0", `quantity("99999999999999999999999").asInteger() > 0`, `quantity("1e3000") == quantity("1")`, `quantity("1e4000") == quantity("1")`,
		`quantity("` + strings.Repeat("9", 500) + `").isInteger()`, `quantity("0.` + strings.Repeat("9", 500) + `").isInteger()`, `semver("18446744073709551616.0.0").major() > 0`, `semver("` + strings.Repeat("1", 300) + `.0.0").major() > 0`, `duration("9223372037s") > duration("1s")`,
		`timestamp(9223372036854775807) > timestamp(0)`, `timestamp("99999-01-01T00:00:00Z") > timestamp(0)`, `"abc".substring(9223372036854775807) == ""`, `[1].slice(-9223372036854775808, 1) == []`, `[1][9223372036854775807] == 1`, `lists.range(9223372036854775807) == []`,
		`lists.range(-1) == []`, `"a".split("", -9223372036854775808) == []`, `"a".replace("", "b", 9223372036854775807) == ""`, `[[1]].flatten(9223372036854775807) == []`, `[[1]].flatten(-1) == []`, `"%.9999999999f".format([1.0]) == ""`, `"%.1000f".format([1.0]) == ""`,
		// Patterns.
		`"a".matches("(a+)+$")`, `"` + strings.Repeat("a", 5000) + `b".matches("(a*)*c")`, `"a".matches("a{1001}")`, `"a".matches("(a{1000}){1000}")`, `"a".matches("((a{100}){100}){100}")`, `"a".matches("(((a{30}){30}){30}){30}")`, `"a".matches("` + strings.Repeat("(", 1001) + "a" + strings.Repeat(")", 1001) + `")`,
		`"a".matches("` + strings.Repeat("(", 500) + "a" + strings.Repeat(")", 500) + `")`, `"a".matches("` + strings.Repeat("(?:", 1200) + "a" + strings.Repeat(")", 1200) + `")`, `"a".matches("` + strings.Repeat("a?", 2000) + strings.Repeat("a", 2000) + `")`, `"a".matches("[")`, `"a".matches("a**")`, `"a".matches("(?<x>a")`,
		`"a".matches("\\1")`, `"a".matches("(?=a)")`, `"a".matches("(?!a)")`, `"a".matches("\\C")`, `"a".matches("\\pX")`, `"a".matches("[b-a]")`, `"a".matches("a{2,1}")`, `"a".matches("(?P<n>a)(?P<n>b)")`, `"a".matches("\\x{110000}")`, `"a".matches("\\Q\\E*")`, `"a".matches(string(b"\xff"))`,
		`"a".matches(device.driver + "(")`, `"a".find(device.driver + "a{1001}") == ""`, `"a".findAll(device.driver + "(?=a)") == []`, `"a".matches("(?i)` + strings.Repeat("k|", 1000) + `k")`, `"` + strings.Repeat("a", 3000) + `".findAll("").size() == 3001`, `"a".findAll("a", -9223372036854775808) == []`,
		`"a".matches("` + strings.Repeat("(", 1001) + "+" + strings.Repeat(")", 1001) + `")`, `"a".matches("` + strings.Repeat("(", 1001) + "a" + strings.Repeat(")", 1001) + `[b-a]")`, `"a".matches("[b-a]` + strings.Repeat("(", 1001) + "a" + strings.Repeat(")", 1001) + `")`,
		`"a".matches("\\p{Greek}|[[:alpha:]]|[[:foo:]]")`, `"a".matches("` + strings.Repeat("(", 999) + "a" + strings.Repeat(")", 999) + `")`,
		`"a".matches(device.driver + "` + strings.Repeat("(", 1000) + "a" + strings.Repeat(")", 1000) + `")`, `"a".matches("(\\pL{5}){2}")`,
		// What costs much.
		"lists.range(1000000).size() == 1", "lists.range(4100).distinct() == []", "sets.contains(lists.range(4100), lists.range(4100))", "sets.equivalent(lists.range(4100), lists.range(4100))", "lists.range(1000).all(x, lists.range(1000).all(y, x == y))", `"a".replace("", "` + strings.Repeat("b", 4000) + `").replace("b", "` + strings.Repeat("c", 4000) + `") == ""`, "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, a == b))))",
		`[` + joined(60, `"a"`, ",") + `].map(x, [` + joined(60, `"b"`, ",") + `].map(y, [` + joined(60, `"c"`, ",") + `].map(z, x + y + z))).size() == 60`, `cel.bind(a, "` + strings.Repeat("x", 5000) + `", cel.bind(b, a + a, cel.bind(c, b + b, cel.bind(d, c + c, d.contains(d + "y")))))`,
	}
}

// TestHostile wants an end to each, with upstream's words.
func TestHostile(t *testing.T) {
	expressions := hostile()
	random := rand.New(rand.NewPCG(seed(), 300))
	for range 300 {
		expressions = append(expressions, corrupted(random, pick(random, expressions...)))
	}
	stages := map[string]int{}
	for _, one := range compareAll(t, []*language{stored, fresh}, expressions, plainDevices[:1]) {
		if one.in == stored {
			stages[one.want.stage]++
		}
	}
	t.Logf("%d expressions: %v", len(expressions), stages)
}

// corrupted has some bytes that are others.
func corrupted(random *rand.Rand, text string) string {
	out := []byte(text)
	for range 1 + random.IntN(3) {
		if len(out) > 0 {
			out[random.IntN(len(out))] = byte(random.IntN(256))
		}
	}
	return string(out)
}

// TestRefusals holds what selected() says of new expressions to validation, which is what the API server says of them.
func TestRefusals(t *testing.T) {
	expressions := append(hostile(), "device.driver == 'a'", "int('x') == 1", "device.driver", "1 +", "true", "x")
	for _, expression := range expressions {
		class := resource.DeviceClass{Spec: resource.DeviceClassSpec{Selectors: []resource.DeviceSelector{{CEL: &resource.CELDeviceSelector{Expression: expression}}}}}
		class.Name = "a"
		want := "ok"
		for _, problem := range validation.ValidateDeviceClass(&class) {
			want = fmt.Sprint(problem.Type, ": ", problem.Detail)
		}
		out, _ := selected(fresh, expression)
		got := out.stage
		switch out.stage {
		case "ok":
		case "length":
			got = fmt.Sprint(field.ErrorTypeTooLong, ": ", out.message)
		case "cost":
			got = fmt.Sprint(field.ErrorTypeForbidden, ": ", out.message)
		case "program":
			got = fmt.Sprint(field.ErrorTypeInternal, ": ", unescaper.Replace(out.message))
		default:
			got = fmt.Sprint(field.ErrorTypeInvalid, ": ", unescaper.Replace(out.message))
		}
		if want != got {
			t.Errorf("%.200q\nvalidation says %.300q\nselected() says %.300q", expression, want, got)
		}
	}
}

// This file is about messages of google.protobuf, which expressions can make: every field with values of every kind,
// and what can be done with what comes out.

package cel

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// messageFields are the fields of messages by the name of the message without "google.protobuf.".
var messageFields = map[string][]string{
	"Any": {"type_url", "value"}, "BoolValue": {"value"}, "BytesValue": {"value"}, "DoubleValue": {"value"},
	"Duration": {"seconds", "nanos"}, "Empty": {"none"}, "FloatValue": {"value"}, "Int32Value": {"value"}, "Int64Value": {"value"},
	"ListValue": {"values"}, "NullValue": {"value"}, "StringValue": {"value"}, "Struct": {"fields"}, "Struct.FieldsEntry": {"key", "value"},
	"Timestamp": {"seconds", "nanos"}, "UInt32Value": {"value"}, "UInt64Value": {"value"},
	"Value": {"null_value", "number_value", "string_value", "bool_value", "struct_value", "list_value"},
}

// fieldValues are given to every field.
var fieldValues = []string{
	"null", "true", "1", "-1", "2147483647", "2147483648", "-2147483648", "-2147483649", "9007199254740991", "9007199254740992", "-9007199254740992",
	"9223372036854775807", "0u", "255u", "256u", "4294967295u", "4294967296u", "9007199254740992u", "18446744073709551615u",
	"0.0", "1.5", "1e300", "-0.0", "0.1", "3.4028235e38", `""`, `"a"`, `"é日"`, `b""`, `b"ab\xff"`, `b"a"`, `b"abcd"`, `duration("90m")`, `duration("-1.5s")`,
	`timestamp("2024-02-29T23:59:59.678+02:00")`, "int", "type(1)", "optional.none()", "optional.of(1)", `optional.of("a")`, `optional.of(optional.of(true))`,
	"[]", "[1, 2]", "[1u, 255u]", "[1u, 256u]", "[1.5]", `["a"]`, "[null]", "[[1], [2, 3]]", "[dyn(1)] + [dyn('a')]", "[[1] + [2]]", "[dyn([int] + [string])]",
	"[optional.none()] + [optional.of(1)]", "[[optional.none()] + [optional.of(1)]]", "[[quantity('1')] + [quantity('2')]]", "[int]", "[1u] + [2u]", "[[ip('::1')] + [ip('::2')]]",
	"{}", `{"a": 1}`, `{"a": dyn(1), "b": dyn("x"), "c": dyn([dyn(1), dyn({"d": null})])}`, "{1: 2}", "{true: 2}", `{"values": [dyn(1), dyn("b")]}`, `{"values": b"a"}`, `{"Values": 1}`, `{"a_b": 1}`, `{"vaLues": []}`, `{" -values_": []}`,
	`{"a": int}`, `{"a": optional.none()}`, `{"a": optional.of(2)}`, "{quantity('1'): 1}", "{1u: 1}", "{1.5: 1}", "{null: 1}",
	`quantity("1.50Gi")`, `quantity("1").add(1)`, `semver("1.2.3-rc.1+b")`, `url("https://a.b/c?d=é")`, `ip("::1")`, `cidr("10.1.2.3/8")`, "format.uuid()",
	"google.protobuf.Empty{}", "google.protobuf.Struct.FieldsEntry{key: 'a', value: 1}", "google.protobuf.Int32Value{value: 3}", "google.protobuf.Value{}",
	"google.protobuf.ListValue{values: [dyn(1), dyn('a'), dyn([b'x']), dyn({'b': 2u})]}", "google.protobuf.Struct{fields: {'x': [1]}}", "google.protobuf.NullValue.NULL_VALUE",
	"google.protobuf.BytesValue{value: b'x'}", "google.protobuf.StringValue{value: 'x'}",
	"device", "device.attributes", `device.attributes["dra.example.com"]`, "device.capacity", `device.attributes["dra.example.com"].a`, "device.driver", "1 / 0", "[1 / 0]", `[dyn(1), dyn("a"), dyn(null), dyn(b"a"), dyn([1u] + [2u]), dyn({"x": duration("1s")}), dyn(timestamp(5)), dyn(true), dyn(2u), dyn(optional.of(3))]`, "google.protobuf.Timestamp{seconds: 1000000000000000}", "google.protobuf.Duration{seconds: 9223372037}", "{google.protobuf.StringValue{value: 'k'}: 1}",
}

// TestFields has each field with each value, as it is and as dyn.
func TestFields(t *testing.T) {
	var expressions []string
	for message, fields := range messageFields {
		for _, field := range fields {
			for _, value := range fieldValues {
				for _, given := range []string{value, "dyn(" + value + ")"} {
					expressions = append(expressions, "google.protobuf."+message+"{"+field+": "+given+"}")
				}
				expressions = append(expressions, "google.protobuf."+message+"{?"+field+": optional.of("+value+")}")
			}
		}
	}
	slices.Sort(expressions)
	compareAll(t, nil, expressions, plainDevices[:2])
	t.Logf("%d expressions", len(expressions))
}

// messages are those that can be made, and some that cannot.
var messages = []string{
	"google.protobuf.BoolValue{}", "google.protobuf.BoolValue{value: true}", "google.protobuf.BytesValue{value: b'ab'}", "google.protobuf.DoubleValue{value: 1.0}",
	"google.protobuf.FloatValue{value: 0.1}", "google.protobuf.Int32Value{value: -7}", "google.protobuf.Int64Value{}", "google.protobuf.StringValue{value: 'abc'}",
	"google.protobuf.UInt32Value{value: 7u}", "google.protobuf.UInt64Value{value: 18446744073709551615u}", "google.protobuf.Struct{}",
	"google.protobuf.Struct{fields: {'a': dyn(1), 'b': dyn([true]), 'c': dyn({'d': null})}}", "google.protobuf.ListValue{}", "google.protobuf.ListValue{values: [dyn(1), dyn('a'), dyn(null), dyn([2]), dyn({'x': 1})]}",
	"google.protobuf.ListValue{values: [3.0, 1.0, 2.0]}", "google.protobuf.ListValue{values: ['b', 'a']}",
	"google.protobuf.Value{}", "google.protobuf.Value{number_value: 2.0}", "google.protobuf.Value{string_value: 'a'}", "google.protobuf.Value{struct_value: {'a': [1]}}",
	"google.protobuf.Value{list_value: [1]}", "google.protobuf.Value{null_value: 7}", "google.protobuf.Value{bool_value: true}",
	"google.protobuf.Duration{seconds: 5, nanos: -7}", "google.protobuf.Duration{seconds: -9223372036854775808, nanos: -1}", "google.protobuf.Duration{seconds: 9223372036, nanos: 999999999}",
	"google.protobuf.Duration{seconds: 9223372037}", "google.protobuf.Timestamp{seconds: 1700000000, nanos: 5}", "google.protobuf.Timestamp{}", "google.protobuf.Timestamp{nanos: -1}",
	"google.protobuf.Timestamp{seconds: 253402300800}", "google.protobuf.Timestamp{seconds: -62135596801}", "google.protobuf.Timestamp{seconds: 1000000000000000}",
	"google.protobuf.Timestamp{seconds: 9223372036854775807, nanos: 2147483647}", "google.protobuf.Timestamp{seconds: -9223372036854775808}",
	"google.protobuf.Empty{}", "google.protobuf.Struct.FieldsEntry{}", "google.protobuf.Struct.FieldsEntry{key: 'a', value: 1}", "google.protobuf.Struct.FieldsEntry{key: 'a', value: null}",
	"google.protobuf.NullValue.NULL_VALUE", ".google.protobuf.Int32Value{value: 1}", "google.protobuf.Any{}",
	`google.protobuf.Any{type_url: "type.googleapis.com/google.protobuf.Int32Value", value: b"\x08\x03"}`,
	`google.protobuf.Any{type_url: "type.googleapis.com/google.protobuf.Empty"}`,
	"google.protobuf.Int32Value{value: device.attributes['dra.example.com'].a}", "google.protobuf.Struct{fields: device.attributes['dra.example.com']}",
	"google.protobuf.Int32Value", "google.protobuf.Empty", "google.protobuf.NullValue", "google.protobuf.NullValue{}", "google.protobuf.Int16Value{}",
	"google.protobuf.Empty.value", "google.protobuf.Any", "google.protobuf.Value", "google.protobuf.Struct.FieldsEntry",
}

// uses have a message in place of "$", and now and then another in place of "%".
var uses = []string{
	"$", "type($)", "dyn($)", "$ == $", "dyn($) == dyn(%)", "$ == null", "null == $", "[$]", "[$, null]", "[null, $]", "[1, $]", "[$, %]", "{'a': $}", "{$: 1}", "{$: 1}[$]", "$ in [$]", "$ in [1, 2]", "dyn($) in [1, 2]",
	"'a' in $", "'a' in dyn($)", "1.0 in dyn($)", "has($.a)", "has($.value)", "has($.key)", "has(dyn($).a)", "has(dyn($).value)", "has(dyn($).key)", "$.a", "$.key", "$.value", "dyn($).a", "dyn($).key", "dyn($).?value", "dyn($).?a",
	"$.?value", "$['a']", "$[0]", "dyn($)['a']", "dyn($)[0]", "dyn($)[?'a']", "dyn($)[?'key']", "dyn($)[1.0]", "size(dyn($))", "dyn($).size()", "$.size()", "string(dyn($))", "string($)", "int(dyn($))", "$ + $", "dyn($) + dyn(%)",
	"$ < $", "dyn($) > 1", "-$", "!$", "$ ? 1 : 2", "true ? $ : %", "true ? $ : null", "true ? $ : 1", "$.map(x, x)", "dyn($).map(x, x)", "dyn($).map(x, y, [x, y])", "dyn($).all(x, x == 1.0)", "dyn($).exists(k, v, v == 'a')",
	"dyn($).transformList(k, v, [k, v])", "dyn($).transformMap(k, v, v)", "cel.bind(x, $, x == x)", "cel.bind(x, $, {x: 1}[x])", "cel.bind(x, dyn($), {x[0]: 1}[x[0]])", "optional.of($)", "optional.ofNonZeroValue($)", "optional.of($).orValue(%)", "optional.none().orValue($)",
	"'%s'.format([$])", "'%d'.format([dyn($)])", "'%s'.format([dyn([$])])", "[dyn($)].distinct()", "dyn($).distinct()", "dyn($).sort()", "dyn($).sum()", "dyn($).max()", "dyn($).join()", "dyn($).flatten()", "dyn($).reverse()", "dyn($).slice(0, 1)", "dyn($).first()", "dyn($).unwrapOpt()", "[dyn($)].unwrapOpt()",
	"sets.contains([dyn($)], [dyn(%)])", "dyn($).includes(1)", "dyn($).indexOf(1.0)", "dyn($).startsWith('a')", "'abc'.startsWith($)", "dyn($).getFullYear()", "dyn($).getDayOfYear()", "dyn($).getMonth('Europe/Berlin')", "dyn($).getHours('+02:00')", "dyn($).getDayOfWeek()", "dyn($).getMilliseconds()",
	"dyn($) - dyn(%)", "dyn($) + duration('1s')", "dyn($) - timestamp(0)", "timestamp(dyn($))", "duration(dyn($))", "google.protobuf.ListValue{values: [$, dyn(%)]}", "google.protobuf.Struct{fields: {'x': $}}", "google.protobuf.Value{list_value: dyn($)}", "google.protobuf.Value{struct_value: dyn($)}",
	"google.protobuf.Struct.FieldsEntry{value: $}.value", "google.protobuf.Struct.FieldsEntry{value: $} == google.protobuf.Struct.FieldsEntry{value: %}", "quantity($)", "$.$", "[[$] + [$]] == [[%] + [%]]", "(false ? dyn(1) : $).a", "[$][0] == 1", "{'b': $}.b == 1", "$ != 1.0", "1 in {$: 1}", "dyn($).getEscapedPath()",
	"$.all(x, true)", "$ || true", "[$].all(x, x == null)", "[$].exists(x, has(x.a))", "$ == 1 && $ == 2", "(%) in dyn($)", "matches(dyn($), 'a')", "'a'.matches(dyn($))", "type($) == type(%)", "type($) == google.protobuf.Empty",
}

// TestMessages has each use of each message.
func TestMessages(t *testing.T) {
	var expressions []string
	for i, message := range messages {
		for k, use := range uses {
			other := messages[(i*7+k*13)%len(messages)]
			expressions = append(expressions, strings.NewReplacer("$", message, "%s", "%s", "%d", "%d", "%", other).Replace(use))
		}
	}
	compareAll(t, nil, expressions, plainDevices[:2])
	t.Logf("%d expressions", len(expressions))
}

// wires are parts of messages in protobuf's wire format, some of them broken.
var wires = []string{
	"", "08 03", "08 ff ff ff ff ff ff ff ff ff 01", "08 ff ff ff ff ff ff ff ff ff 02", "08 80", "08 80 80 80 80 08", "0d 00 00 c0 3f", "09 00 00 00 00 00 00 f8 3f", "09 00", "0a 01 61", "0a 02 c3 28", "0a 05 61",
	"0a 02 0a 00", "0a 03 0a 01 61", "0a 00", "10 05", "10 00", "11 00 00 00 00 00 00 f8 3f", "11 00 00 00 00 00 00 f8 7f", "15 00 00 00 00", "12 01 62", "1a 01 78", "1a 02 c3 28", "20 01", "20 02", "20 00", "2a 00", "32 00",
	"2a 07 0a 05 0a 01 61 12 00", "2a 0a 0a 08 0a 01 61 12 03 1a 01 62", "2a 09 0a 07 0a 01 62 12 02 20 01", "32 05 0a 03 1a 01 63", "32 04 0a 02 20 01", "32 06 0a 04 32 02 0a 00", "0a 08 0a 01 61 12 03 1a 01 62", "0a 08 12 03 1a 01 62 0a 01 61",
	"0a 0c 12 03 1a 01 62 12 02 20 01 0a 01 61", "0a 0b 12 04 2a 02 0a 00 0a 01 61 12", "0a 04 32 02 0a 00", "00", "07", "0f 00", "0b 0c", "0b 08 01 0c", "0b 14", "0c", "23 24", "23 2b 2c 24", "23 2b 24", "f8 ff ff ff 0f 01", "80 80 80 80 10 01", "7a 01 61", "ba 3e 00",
	"18 01", "38 01", "3a 00", "2a 01 0a", "08 01 08 02", "0a 01 61 0a 01 62",
}

// TestUnpacking reads what an Any holds.
func TestUnpacking(t *testing.T) {
	var expressions []string
	for _, message := range slices.Sorted(maps.Keys(messageFields)) {
		for i, first := range wires {
			for _, second := range []string{"", wires[(i+len(message))%len(wires)], wires[(i*i+1)%len(wires)]} {
				// What an Any holds that is no other Any is printed with fields of unknown numbers, which we leave out.
				if message == "Any" && (second != "" || !strings.HasPrefix(first, "0a 0") && !strings.HasPrefix(first, "12")) {
					continue
				}
				value := ""
				for _, octet := range strings.Fields(first + " " + second) {
					value += `\x` + octet
				}
				expressions = append(expressions, fmt.Sprintf(`google.protobuf.Any{type_url: "type.googleapis.com/google.protobuf.%s", value: b"%s"}`, message, value))
			}
		}
	}
	for _, url := range []string{"", "/", "google.protobuf.BoolValue", "/google.protobuf.BoolValue", "a/b/google.protobuf.BoolValue", "google.protobuf.BoolValue/", "google.protobuf.boolValue", "x", `a\"\\\n\x7f\u00a0é`} {
		for _, value := range []string{"", `\x08\x01`, `\x08`, `a\"\xff\t`} {
			for _, use := range []string{"$", "$ == true", "type($)", "[$]", "dyn($).a"} {
				any := fmt.Sprintf(`google.protobuf.Any{type_url: "%s", value: b"%s"}`, url, value)
				expressions = append(expressions, strings.ReplaceAll(use, "$", any))
			}
		}
	}
	// One within the other.
	inner := `\x0a\x2d` + "type.googleapis.com/google.protobuf.UInt32Value" + `\x12\x02\x08\x05`
	inner = strings.Replace(inner, `\x2d`, fmt.Sprintf(`\x%02x`, len("type.googleapis.com/google.protobuf.UInt32Value")), 1)
	expressions = append(expressions, `google.protobuf.Any{type_url: "type.googleapis.com/google.protobuf.Any", value: b"`+inner+`"}`)
	compareAll(t, nil, expressions, plainDevices[:1])
	t.Logf("%d expressions", len(expressions))
}

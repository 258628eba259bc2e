// This file makes the smallest expressions: literals, variables and what devices have.

package cel

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/google/cel-go/common/types"
)

// argumentTexts are the texts that functions read, by argument.
var argumentTexts = map[string][]func(*rand.Rand) string{
	"quantity": {quantityArgument}, "isQuantity": {quantityArgument},
	"semver": {semverArgument}, "isSemver": {semverArgument},
	"url": {orText(urlText, "https://a.b:80/c?d=e", "/x", "http://[::1]/")}, "isURL": {orText(urlText, "https://a.b/c")},
	"ip": {orText(ipText, "127.0.0.1", "::1", "10.1.2.3")}, "isIP": {orText(ipText, "::1")}, "ip.isCanonical": {orText(ipText, "2001:DB8::1", "::1")},
	"cidr": {orText(cidrText, "10.0.0.0/8", "::/64")}, "isCIDR": {orText(cidrText, "10.0.0.0/8")},
	"containsIP": {nil, orText(ipText, "10.1.2.3", "::1")}, "containsCIDR": {nil, orText(cidrText, "10.1.0.0/16", "::/96")},
	"validate": {nil, orText(formatText, "a-b", "2024-02-29")}, "format.named": {orText(formatText, "uuid", "date", "dns1123Label")},
	"matches": {nil, patternText}, "find": {nil, patternText}, "findAll": {nil, patternText},
	"duration":  {words("1h", "90m", "-3.5s", "1h2m3.004s", "0", "1us", "1d", "h", "", "9223372036s", "1.5h", "+5ms", "-1ns")},
	"timestamp": {words("2020-01-02T03:04:05Z", "2024-02-29T23:59:59.678+02:00", "1969-12-31T23:59:59-07:30", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2020-01-02", "2023-02-29T00:00:00Z", "x")},
	"int":       {numberText}, "uint": {numberText}, "double": {numberText}, "bool": {words("true", "false", "1", "t", "TRUE", "yes", "", "F")},
	"getDate": {nil, zoneText}, "getDayOfMonth": {nil, zoneText}, "getDayOfWeek": {nil, zoneText}, "getDayOfYear": {nil, zoneText}, "getFullYear": {nil, zoneText},
	"getHours": {nil, zoneText}, "getMilliseconds": {nil, zoneText}, "getMinutes": {nil, zoneText}, "getMonth": {nil, zoneText}, "getSeconds": {nil, zoneText},
}

var (
	quantityArgument = func(r *rand.Rand) string {
		if r.IntN(3) == 0 {
			return quantityText(r)
		}
		return pick(r, edgeValues["quantity"]...)
	}
	semverArgument = func(r *rand.Rand) string {
		if r.IntN(3) == 0 {
			return semverText(r)
		}
		return pick(r, edgeValues["version"]...)
	}
	numberText  = words("0", "1", "-7", "+1", "42", "9223372036854775807", "9223372036854775808", "18446744073709551615", "1.5", "1e3", "-0.0", "nan", "inf", "0x1p-2", " 1", "1_000", "x")
	zoneText    = words("UTC", "+02:00", "-08:30", "Europe/Berlin", "America/New_York", "02:00", "Nowhere/Land", "", "Local", "+25:00")
	patternText = words("a", "^gpu", "[a-c]+$", "(a|b)+c?", "[^b]*", "(?i)É|^a", "b{2,3}", `\d+\.\d+`, `\pL`, "(?P<n>.)", "(?<m>x)", ".", "", "$", "[", "(", "a**", `\C`, "(?=a)", `\Qa.b\E`, "x*?", "日")
)

func words(of ...string) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return pick(r, of...) }
}

// orText is mostly one of these, and else any text that looks like them.
func orText(text func(*rand.Rand) string, of ...string) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		if r.IntN(3) == 0 {
			return text(r)
		}
		return pick(r, of...)
	}
}

// atom is a value that needs no parentheses.
func (g *generator) atom(t *types.Type, depth int) string {
	if g.IntN(4) > 0 {
		var fit []string
		for _, v := range g.variables {
			if v.of.String() == t.String() || g.exact == 0 && v.of.Kind() == types.DynKind {
				fit = append(fit, v.name)
			}
		}
		if len(fit) > 0 {
			return fit[g.IntN(len(fit))]
		}
	}
	if g.manner == wrongTypes && g.IntN(24) == 0 {
		return pick(g.Rand, "undeclared", "device", "int", "net.IP", "device.nothing", ".device", "google.protobuf.Int32Value", "google.protobuf.Int32Value{values: 1}", "a.b.c", "[1, 'a']", "{}", "[]", "null")
	}
	if kind := kindOf(t); kind != "" && g.IntN(3) == 0 && (g.exact == 0 || kind == "quantity") {
		return g.reference(kind)
	}
	return g.literal(t, depth)
}

// kindOf is the kind of attribute that has values of a type.
func kindOf(t *types.Type) string {
	switch t.String() {
	case "bool", "int", "string":
		return t.String()
	case "dyn":
		return "string"
	case "kubernetes.Semver":
		return "version"
	case "kubernetes.Quantity":
		return "quantity"
	case "list(bool)", "list(int)", "list(string)":
		return t.Parameters()[0].String() + "s"
	case "list(kubernetes.Semver)":
		return "versions"
	}
	return ""
}

// reference is a value of the device of a kind, if it has one.
func (g *generator) reference(kind string) string {
	domain, id := "dra.example.com", pick(g.Rand, "a", "b", "type", "memory", "missing")
	var fit []string
	for _, field := range g.device.fields[2:] {
		name, of, _ := splitField(field)
		if of == kind {
			fit = append(fit, name)
		}
	}
	if len(fit) > 0 && g.IntN(12) > 0 {
		name := fit[g.IntN(len(fit))]
		var qualified bool
		if domain, id, qualified = strings.Cut(name, "/"); !qualified {
			domain, id = g.device.fields[0], name
		}
	}
	maps := "device.attributes"
	if kind == "quantity" {
		maps = "device.capacity"
	}
	out := pick(g.Rand, "."+maps, maps, maps, maps, maps)
	if domain == strings.Trim(domain, ".-/") && !strings.ContainsAny(domain, ".-/") && g.IntN(2) == 0 {
		out += "." + domain
	} else {
		out += "[" + celString(domain) + "]"
	}
	return out + pick(g.Rand, "."+id, "."+id, "["+celString(id)+"]")
}

// selectable is something with fields.
func (g *generator) selectable() string {
	domain := celString(pick(g.Rand, g.device.fields[0], g.device.fields[0], "resource.kubernetes.io", "dra.net", "missing.example.com"))
	return pick(g.Rand, "device.attributes["+domain+"]", "device.capacity["+domain+"]", "device.attributes", "device.attributes[?"+domain+"]", `dyn({"a": 1, "type": "x"})`, `{"a": {"b": 1}}`)
}

// fieldName is one of the device, or one that few things have.
func (g *generator) fieldName() string {
	if len(g.device.fields) > 2 && g.IntN(3) > 0 {
		name, _, _ := splitField(g.device.fields[2+g.IntN(len(g.device.fields)-2)])
		return name[strings.LastIndex(name, "/")+1:]
	}
	return pick(g.Rand, "a", "b", "type", "memory", "nothing")
}

func (g *generator) literal(t *types.Type, depth int) string {
	switch t.Kind() {
	case types.BoolKind:
		return pick(g.Rand, "true", "false", "device.allowMultipleAllocations")
	case types.IntKind:
		return pick(g.Rand, "0", "1", "-1", "2", "3", "42", "0x10", "google.protobuf.NullValue.NULL_VALUE", "9223372036854775807", "-9223372036854775808", fmt.Sprint(int64(g.Uint64()>>g.IntN(64))))
	case types.UintKind:
		return pick(g.Rand, "0u", "1u", "7u", "18446744073709551615u", fmt.Sprint(g.Uint64()>>g.IntN(64), "u"))
	case types.DoubleKind:
		return pick(g.Rand, "0.0", "1.5", "-1.0", "1e300", "0.1", "123456789.0", "-0.0", "9223372036854775808.0", "1e-7", "3.0", "1e21", "100000.5")
	case types.StringKind:
		if g.IntN(3) == 0 {
			return celString(pick(g.Rand, edgeValues["string"]...))
		}
		return pick(g.Rand, `"a"`, `""`, `"abc"`, "device.driver", `"1"`, `"gpu"`, `"b"`, `'X'`, `"é"`, `"aXbXc é 日本"`, `" \t\u00a0x y\n"`, `","`, `"日"`, `r'\d'`, `"""a"b
c"""`, `'\x41\101'`)
	case types.BytesKind:
		return pick(g.Rand, `b"a"`, `b""`, `b"\xff"`, `b"abc"`, `b'é'`)
	case types.NullTypeKind:
		return "null"
	case types.DurationKind:
		return pick(g.Rand, `duration("1h")`, `duration("-3.5s")`, `duration("90m")`, `duration("1ns")`)
	case types.TimestampKind:
		return pick(g.Rand, `timestamp("2020-01-02T03:04:05Z")`, `timestamp("2024-02-29T23:04:05.678+02:00")`, "timestamp(0)", "timestamp(1700000000)")
	case types.ListKind, types.MapKind:
		return g.container(t, depth)
	case types.TypeKind:
		return pick(g.Rand, "int", "type(1)", "string", "type(device.driver)", "list", "net.IP", "null_type")
	}
	if simple, known := opaqueLiterals[t.TypeName()]; known {
		return pick(g.Rand, simple...)
	}
	if t.TypeName() == "optional_type" {
		return pick(g.Rand, "optional.of("+g.value(t.Parameters()[0], depth-1)+")", "optional.of("+g.value(t.Parameters()[0], depth-1)+")", "optional.none()")
	}
	return pick(g.Rand, "dyn(1)", `dyn("a")`, "dyn([1, 2])", "1", `"a"`, "dyn({'a': 1})", "dyn(1.0)", "dyn(null)")
}

var opaqueLiterals = map[string][]string{
	"google.protobuf.Empty":  {"google.protobuf.Empty{}", ".google.protobuf.Empty{}"},
	"net.IP":                 {`ip("127.0.0.1")`, `ip("::1")`, `ip("10.1.2.3")`, `cidr("10.0.0.0/8").ip()`},
	"net.CIDR":               {`cidr("10.0.0.0/8")`, `cidr("::/64")`, `cidr("10.1.2.3/16")`},
	"kubernetes.Quantity":    {`quantity("1")`, `quantity("40Gi")`, `quantity("1500m")`, `quantity("81920Mi")`, `quantity("-1")`, `quantity("1e100")`},
	"kubernetes.Semver":      {`semver("1.2.3")`, `semver("v1", true)`, `semver("1.2.3-rc.1")`, `semver("580.126.20")`},
	"kubernetes.URL":         {`url("https://a.b/c")`, `url("/x?y=z")`},
	"kubernetes.NamedFormat": {"format.dns1123Label()", "format.date()", "format.uuid()"},
}

func (g *generator) container(t *types.Type, depth int) string {
	g.exact++
	defer func() { g.exact-- }()
	var parts []string
	for range g.IntN(4) {
		part := g.value(t.Parameters()[0], depth-1)
		if t.Kind() == types.MapKind {
			part += ": " + g.value(t.Parameters()[1], depth-1)
		}
		parts = append(parts, part)
	}
	if t.Kind() == types.MapKind {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// This file is about expressions: good ones, and ones that the server refuses, each for another reason.

package manifests

import "strings"

var changesOfExpression = func() []change {
	changes := []change{isNow("42"), isNow("{}")}
	for _, e := range expressions {
		changes = append(changes, spells("expression "+e[:min(len(e), 60)], func(string) string { return e }))
	}
	return append(changes,
		spells("expression of the longest size", func(string) string { return lengthened(10 * 1024) }),
		spells("expression too long", func(string) string { return lengthened(10*1024 + 1) }))
}()

// lengthened returns a good expression of that many bytes.
func lengthened(bytes int) string {
	const expression = `device.driver == ""`
	return expression + strings.Repeat(" ", bytes-len(expression))
}

var expressions = []string{
	"",
	" ",
	"true",
	"false",
	`device.driver.startsWith("gpu")`,
	`device.attributes["gpu.example.com"].healthy`,
	`"gpu.example.com" in device.attributes`,
	`has(device.attributes["gpu.example.com"].model)`,
	`device.attributes["gpu.example.com"].?model.orValue("") == "a100"`,
	`device.attributes["gpu.example.com"].index == 1`,
	`device.attributes["gpu.example.com"].index < 4 && device.attributes["gpu.example.com"].index % 2 == 0`,
	`device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("10Gi"))`,
	`cel.bind(d, device.attributes["gpu.example.com"], d.model == "a" || d.model == "b")`,
	`device.attributes["gpu.example.com"].driverVersion.compareTo(semver("1.2.3")) >= 0`,
	`device.attributes["gpu.example.com"].model in ["a100", "h100"]`,
	`device.attributes["gpu.example.com"].model.matches("^a[0-9]+$")`,
	`["a", "b"].exists(x, device.attributes["gpu.example.com"].model == x)`,
	`device.allowMultipleAllocations`,
	// Refused, or by a gate only.
	`device.driver == `,
	`device.driver = "gpu.example.com"`,
	`device.driver == 'gpu.example.com`,
	`device.driver == "gpu.example.com") && (true`,
	`device.nosuch == 1`,
	`device.name == "gpu-0"`,
	`nosuch == 1`,
	`device.driver == 42`,
	`device.driver`,
	`42`,
	`"true"`,
	`[true]`,
	`{"a": true}`,
	`null`,
	`dyn(true)`,
	`device`,
	`device.attributes`,
	`device.attributes["gpu.example.com/model"] == "a100"`,
	`device.attributes["gpu.example.com"].model.stringValue == "a100"`,
	`device.capacity["gpu.example.com"].memory > quantity("10Gi")`,
	`device.capacity["gpu.example.com"].memory >= "10Gi"`,
	`device.attributes["gpu.example.com"].flags.exists(f, f)`,
	`device.attributes["gpu.example.com"].flags.includes(true)`,
	`includes(device.attributes["gpu.example.com"].flags, true)`,
	`type(device.attributes["gpu.example.com"].index) == int`,
	`device.driver.matches("[")`,
	`duration("nosuch") == duration("1s")`,
	`quantity("nosuch").isGreaterThan(quantity("1"))`,
	`semver("v1.2") == semver("1.2.3")`,
	`[1, "a"].size() == 2`,
	`device.driver.nosuch()`,
	`device.driver.startsWith()`,
	`1 + "a" == "1a"`,
	`true ? 1 : 2`,
	`device.driver == "a" &&`,
	"device.driver ==\n  \"a\" ||\n  nosuch",
	`["a","b","c","d"].all(x, ["a","b","c","d"].all(y, ["a","b","c","d"].all(z, device.driver == x + y + z)))`,
	`device.attributes.exists(d, device.attributes[d].exists(k, device.attributes.exists(e, device.attributes[e].exists(l, k == l))))`,
	`device.attributes.exists(d, device.attributes[d].exists(k, device.attributes.exists(e, e == d && k == e)))`,
	`format.dns1123Label().validate(device.driver).hasValue()`,
	`url("https://example.com").getHost() == device.driver`,
	`ip("10.0.0.1").family() == 4 && cidr("10.0.0.0/8").containsIP("10.0.0.1")`,
	`device.driver.charAt(0) == "g" && sets.contains([1, 2], [1])`,
	`device.attributes["gpu.example.com"][?"model"].hasValue()`,
	`device.attributes[?"gpu.example.com"].optMap(d, true).orValue(false)`,
	`math.greatest(1, 2) == 2`,
	`base64.encode(b"a") == "YQ=="`,
	`device.driver.find("g") == "g" && lists.range(3).size() == 3`,
	`authorizer.path("/healthz").check("get").allowed()`,
	"device.driver == \"\\q\"",
	"\u00fc == 1",
}

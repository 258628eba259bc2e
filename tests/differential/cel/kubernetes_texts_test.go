// This file makes the texts that Kubernetes' CEL libraries parse: mostly nearly right ones.

package cel

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// nasty is what hardly belongs anywhere.
var nasty = []string{"", " ", "-", "+", ".", "/", ":", "%", "é", "\u00a0", "\u202e", "\x00", "\t", "\x7f", "\U0001f600", "\U000e0001", "\u0378", "\ufffd", "\"", "\\", "\u2028", "０", "K", "\u00ad", "_"}

// mutated has now and then a character too many, too few or wrong.
func mutated(r *rand.Rand, text string) string {
	for r.IntN(5) == 0 {
		runes := []rune(text)
		at := r.IntN(len(runes) + 1)
		from := min(at+r.IntN(2), len(runes))
		put := nasty[r.IntN(len(nasty))]
		if r.IntN(3) == 0 {
			put = string(rune(0x20 + r.IntN(0x5f)))
		}
		if r.IntN(3) == 0 {
			put = ""
		}
		text = string(runes[:at]) + put + string(runes[from:])
	}
	return text
}

func digits(r *rand.Rand, most int) string {
	var out strings.Builder
	for range r.IntN(most + 1) {
		out.WriteByte("00000123456789999"[r.IntN(17)])
	}
	return out.String()
}

var exponent = regexp.MustCompile(`[eE][-+]?[0-9]+`)

// quantityText has no exponent beyond ±4096: with those upstream computes for minutes, and we refuse them.
func quantityText(r *rand.Rand) string {
	for {
		text := anyQuantityText(r)
		n, err := strconv.Atoi(strings.TrimLeft(exponent.FindString(text), "eE"))
		if exponent.FindString(text) == "" || err == nil && n <= 4096 && n >= -4096 {
			return text
		}
	}
}

func anyQuantityText(r *rand.Rand) string {
	edges := []string{"9223372036854775807", "9223372036854775808", "-9223372036854775808", "999999999999999999", "1000000000000000000", "0", "-0", "1e400", "0e400",
		"0.0000000000000000000000e500", "1e-400", "8Ei", "7Ei", "9Ei", "128Ti", "127Ti", "1Pi", "0.1n", "-0.1n", "1.5Gi", "1e4096", "1e308", "1e309"}
	if r.IntN(8) == 0 {
		return mutated(r, pick(r, edges...))
	}
	number := digits(r, 4+r.IntN(24))
	if r.IntN(3) == 0 {
		number += "." + digits(r, 1+r.IntN(24))
	}
	suffix := pick(r, "", "", "", "n", "u", "m", "k", "K", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-3", "e+18", "e", "e-12", "e60", "e-330", "e330", "mi", "e300")
	return mutated(r, pick(r, "", "", "", "-", "+")+number+suffix)
}

func semverText(r *rand.Rand) string {
	part := func() string {
		return pick(r, "0", "1", "2", "1", "2", "10", pick(r, "00", "01", "18446744073709551616", digits(r, 3)), pick(r, "9223372036854775807", "9223372036854775808", "18446744073709551615"))
	}
	text := pick(r, "", "", "", "", "v", "V") + part()
	for range pick(r, 2, 2, 2, 2, 2, 2, 2, 2, 1, 0, 3) {
		text += "." + part()
	}
	identifiers := func() string {
		var parts []string
		for range 1 + r.IntN(3) {
			parts = append(parts, pick(r, "a", "rc", "1", "2", "10", "0", "alpha", "A-b", "-", "1a", "9", "11", "18446744073709551615", pick(r, "01", "18446744073709551616", "", "é", "99999999999999999999999")))
		}
		return strings.Join(parts, ".")
	}
	if r.IntN(3) == 0 {
		text += "-" + identifiers()
	}
	if r.IntN(4) == 0 {
		text += "+" + identifiers()
	}
	return mutated(r, text)
}

func pickText(r *rand.Rand, most int, parts ...string) string {
	var out strings.Builder
	for range r.IntN(most + 1) {
		out.WriteString(parts[r.IntN(len(parts))])
	}
	return out.String()
}

func urlText(r *rand.Rand) string {
	text := pick(r, "http:", "https:", "HTTPS:", "a+b:", "mailto:", "", "", "1a:", ":", "http", "*") + pick(r, "//", "//", "//", "/", "", "///")
	text += pick(r, "", "", "", "user@", "us%65r:p%40ss@", "a:b:c@", "a@b@", "u é@", ":@", "%zz@", "[@")
	text += pick(r, "", "host", "a.b", "127.0.0.1", "[::1]", "[::1%25eth0]", "[fe80::1%25en%41]", "[1.2.3.4]", "[::ffff:1.2.3.4]", "[x", "x[::1]", "h%41", "h%ff", "é", "a b", "%C3%A9", "a<b>", "[::1%25%zz]", "[%25]", "a\"b", "[::1]x", "h%25", "[:::1]", "[1:2:3:4:5:6:7:8:9]", "a{b", "a|b")
	text += pick(r, "", "", "", ":80", ":", ":x", ":1:2", ":99999", ":80é")
	text += pick(r, "", "/", "/") + pickText(r, 4, "a", "b", "/", "%41", "%2f", "%2F", "é", " ", "+", "(", "[", "]", ":", "@", "%", "%zz", "*", "'", "!", "$&,;=", "~_-.", "|", "^", "\"", "//", "%00", "#", "..")
	if r.IntN(2) == 0 {
		text += "?" + pickText(r, 5, "a=1", "a=2", "b", "=", "&", "&", ";", "%41", "%zz", "+", "é", "a", "?", "%ff", " ", "%26", "\"")
	}
	if r.IntN(4) == 0 {
		text += "#" + pickText(r, 3, "a", "%41", "%zz", "é", " ", "!", "#", "'", "%2f", "/", "?", "<", "(")
	}
	return mutated(r, text)
}

func ipText(r *rand.Rand) string {
	if r.IntN(6) == 0 {
		return cidrText(r)
	}
	if r.IntN(2) == 0 {
		octet := func() string {
			return pick(r, "0", "1", "10", "127", "169", "254", "224", "255", "256", "01", "", "192", "1000", fmt.Sprint(r.IntN(256)))
		}
		text := octet()
		for range pick(r, 3, 3, 3, 3, 3, 3, 3, 2, 4, 1) {
			text += "." + octet()
		}
		return mutated(r, pick(r, text, text, text, "127.0.0.1", "169.254.1.2", "224.0.0.5", "255.255.255.255", "0.0.0.0", "10.1.2.3"))
	}
	group := func() string {
		return pick(r, "0", "1", "ff", "FF02", "fe80", "0db8", "abcd", "10000", "g", "", "ff01", "ffff", "febf", "00000", fmt.Sprintf("%x", r.IntN(65536)))
	}
	var groups []string
	for range pick(r, 8, 8, 8, 8, 7, 9, 3, 5, 2, 6) {
		groups = append(groups, group())
	}
	if r.IntN(2) == 0 {
		groups[r.IntN(len(groups))] = ""
	}
	text := strings.Join(groups, ":")
	if r.IntN(6) == 0 {
		text += pick(r, ":1.2.3.4", ":1.2.3", ":01.2.3.4", "1.2.3.4", ":1.2.3.4.5", ":255.255.255.255")
	}
	if r.IntN(12) == 0 {
		text += pick(r, "%eth0", "%", "%é")
	}
	return mutated(r, pick(r, text, text, text, text, "::1", "::", "fe80::1", "ff02::1", "ff05::2", "2001:db8::abcd", "::ffff:1.2.3.4", "::1.2.3.4", "1::2:3:4:5:6:7", "0:0:1::", "::ffff:102:304"))
}

func cidrText(r *rand.Rand) string {
	bits := pick(r, "/0", "/8", "/16", "/24", "/31", "/32", "/33", "/64", "/127", "/128", "/129", "/", "", "/08", "/+8", "/-1", "/99999999999999999999", fmt.Sprint("/", r.IntN(33)), fmt.Sprint("/", r.IntN(129)))
	if r.IntN(3) == 0 {
		return mutated(r, fmt.Sprintf("10.%d.%d.%d", r.IntN(2), r.IntN(3), r.IntN(256))+fmt.Sprint("/", r.IntN(33)))
	}
	if r.IntN(4) == 0 {
		return mutated(r, fmt.Sprintf("2001:db8:%x::%x", r.IntN(2), r.IntN(65536))+fmt.Sprint("/", r.IntN(129)))
	}
	return ipTextOnce(r) + bits
}

// ipTextOnce does not lead back to cidrText.
func ipTextOnce(r *rand.Rand) string {
	for {
		if text := pick(r, "10.0.0.0", "192.168.1.1", "::", "fe80::1", "::ffff:1.2.3.4", "2001:db8::", "1.2.3", "x", "fe80::1%eth0", "255.255.255.255", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"); text != "" {
			return mutated(r, text)
		}
	}
}

func formatText(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		hex := "0123456789abcdefABCDEF"
		var out strings.Builder
		for i, length := range []int{8, 4, 4, 4, 12} {
			if i > 0 && r.IntN(6) > 0 {
				out.WriteByte('-')
			}
			for range length {
				out.WriteByte(hex[r.IntN(len(hex))])
			}
		}
		return mutated(r, out.String())
	case 1:
		return mutated(r, pickText(r, 6, "QUJD", "YWJj", "+/8=", "YQ==", "YWI=", "A", "ab+/", "=", "1234"))
	case 2, 3:
		date := fmt.Sprintf("%04d-%02d-%02d", pick(r, 0, 1, 1900, 2000, 2023, 2024, 9999, 10000), r.IntN(14), r.IntN(33))
		time := pick(r, "t", "T", " ", "tt", "") + fmt.Sprintf("%02d:%02d:%02d", r.IntN(26), r.IntN(62), r.IntN(62)) + pick(r, "", ".1", ".123456", "x5", ".") + pick(r, "z", "Z", "+01:00", "-99:99", "", "+1:00", "zt", "é5z")
		return mutated(r, pick(r, date, date+time, date+time, "2024-02-29", "2023-02-29"))
	case 4:
		return pick(r, "dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "dns1123LabelPrefix", "dns1123SubdomainPrefix", "dns1035LabelPrefix",
			"labelValue", "uri", "uuid", "byte", "date", "datetime", "DNS1123Label", "x", "")
	case 5:
		return mutated(r, strings.Repeat(pick(r, "a", "a.", "1", "a-", "ab/"), pick(r, 62, 63, 64, 126, 127, 252, 253, 254, 31, 32))+pick(r, "", "a", "-", "."))
	default:
		return mutated(r, pickText(r, 5, "a", "b", "Z", "0", "9", "-", ".", "_", "/", "a.b", "my-name", "--", "example.com"))
	}
}

package cel

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// kubernetesLibrary is one of Kubernetes' CEL libraries: how its texts look, and expressions over them. In those $a
// and $b stand for texts and $i for an integer.
type kubernetesLibrary struct {
	name        string
	text        func(*rand.Rand) string
	expressions []string
}

func libraries() []kubernetesLibrary {
	return []kubernetesLibrary{
		{"Quantity", quantityText, []string{
			`quantity($a).asInteger()`, `isQuantity($a)`, `quantity($a).isInteger()`, `sign(quantity($a))`, `quantity($a).asApproximateFloat()`,
			`quantity($a).compareTo(quantity($b))`, `quantity($a).isGreaterThan(quantity($b))`, `quantity($a).isLessThan(quantity($b))`,
			`quantity($a) == quantity($b)`, `quantity($a) != quantity($b)`, `quantity($a).add(quantity($b)) == quantity($a)`,
			`quantity($a) == quantity($a).sub($i)`, `quantity($a).add(quantity($b)).asInteger()`, `quantity($a).sub(quantity($b)).asInteger()`,
			`quantity($a).add($i).asInteger()`, `quantity($a).sub($i).asInteger()`, `quantity($a).sub($i).sub(quantity($b)).asApproximateFloat()`,
			`quantity($a).add(quantity($b)).asApproximateFloat()`, `quantity($a).sub(quantity($b)).add($i).isInteger()`,
			`sign(quantity($a).sub(quantity($b)))`, `quantity($a).add(quantity($b)).sub(quantity($b)).compareTo(quantity($a))`,
			`dyn(quantity($a)) == dyn($b)`, `dyn($b) == dyn(quantity($a))`, `dyn(quantity($a)).isLessThan($b)`,
			`dyn(quantity($a)).all(x, true)`, `dyn(quantity($a).add($i)).all(x, true)`, `[1][dyn(quantity($a))]`,
			`dyn(quantity($a)) in [$b]`, `quantity($a) in [quantity($b), quantity($a)]`, `dyn(quantity($a)).add(true)`,
			`dyn(quantity($a)).major()`, `dyn(quantity($a)).compareTo(semver("1.2.3"))`,
		}},
		{"Semver", semverText, []string{
			`semver($a).major()`, `semver($a).minor()`, `semver($a).patch()`, `isSemver($a)`, `isSemver($a, true)`, `isSemver($a, false)`,
			`semver($a, true).patch()`, `semver($a, true).minor()`, `semver($a, true).major()`, `semver($a, false).patch()`,
			`semver($a).compareTo(semver($b))`, `semver($a, true).compareTo(semver($b, true))`, `semver($a).isGreaterThan(semver($b))`,
			`semver($a, true).isLessThan(semver($b, true))`, `semver($a) == semver($b)`, `semver($a, true) == semver($b, true)`,
			`dyn(semver($a)) == dyn($a)`, `dyn($a) == dyn(semver($a))`, `dyn(semver($a)) != dyn($a)`, `dyn(semver($a)) in [$a]`,
			`semver($a) in [semver($b), semver($a)]`, `dyn(semver($a)).isLessThan(1)`, `dyn(semver($a)).x`, `dyn(semver($a)).exists(x, true)`,
		}},
		{"URL", urlText, []string{
			`isURL($a)`, `url($a).getScheme()`, `url($a).getHost()`, `url($a).getHostname()`, `url($a).getPort()`, `url($a).getEscapedPath()`,
			`url($a).getQuery()`, `url($a) == url($b)`, `url($a).getQuery()["a"]`, `dyn(url($a)) == dyn($a)`, `dyn(url($a)) in [$a]`,
			`url($a) == url(url($a).getEscapedPath())`, `format.uri().validate($a)`, `dyn(url($a)).exists(x, true)`, `url($a).getQuery() == url($b).getQuery()`,
			`url(url($a).getHost())`, `semver(url($a).getHost())`,
		}},
		{"IP", ipText, []string{
			`isIP($a)`, `string(ip($a))`, `ip.isCanonical($a)`, `ip($a).family()`, `ip($a).isUnspecified()`, `ip($a).isLoopback()`,
			`ip($a).isLinkLocalMulticast()`, `ip($a).isLinkLocalUnicast()`, `ip($a).isGlobalUnicast()`, `ip($a) == ip($b)`, `dyn(ip($a)) == dyn($a)`,
			`cidr($b).containsIP($a)`, `cidr($b).containsIP(ip($a))`, `dyn(ip($a)) in [$a]`, `dyn(ip($a)).exists(x, true)`, `string(dyn(ip($a)))`,
		}},
		{"CIDR", cidrText, []string{
			`isCIDR($a)`, `string(cidr($a))`, `string(cidr($a).masked())`, `string(cidr($a).ip())`, `cidr($a).prefixLength()`, `cidr($a) == cidr($b)`,
			`cidr($a).masked() == cidr($a)`, `cidr($a).containsCIDR($b)`, `cidr($a).containsCIDR(cidr($b))`, `cidr($a).containsIP(cidr($b).ip())`,
			`cidr($a).containsIP($b)`, `dyn(cidr($a)) == dyn($a)`, `dyn(cidr($a)).containsIP(1)`, `dyn(cidr($a)) in [$a]`, `dyn(cidr($a)).exists(x, true)`,
			`ip(dyn(cidr($a)))`,
		}},
		{"Format", formatText, []string{
			`format.dns1123Label().validate($a)`, `format.dns1123Subdomain().validate($a)`, `format.dns1035Label().validate($a)`,
			`format.qualifiedName().validate($a)`, `format.dns1123LabelPrefix().validate($a)`, `format.dns1123SubdomainPrefix().validate($a)`,
			`format.dns1035LabelPrefix().validate($a)`, `format.labelValue().validate($a)`, `format.uri().validate($a)`, `format.uuid().validate($a)`,
			`format.byte().validate($a)`, `format.date().validate($a)`, `format.datetime().validate($a)`, `format.named($a).hasValue()`,
			`format.named($a) == optional.of(format.date())`, `format.named($a).optMap(f, f.validate($b))`, `format.uuid() == format.byte()`,
			`format.uuid() == format.uuid()`, `dyn(format.uuid()) == dyn($a)`, `dyn(format.uuid()) in [$a]`, `dyn(format.uuid()).exists(x, true)`,
			`dyn(format.uuid()).validate(1)`, `dyn($a).validate($b)`,
		}},
		{"Authorizer", formatText, []string{
			`dyn($a).group("")`, `dyn($a).path("x")`, `dyn($a).serviceAccount("a", "b")`, `dyn($a).check("get")`, `dyn($a).allowed()`,
			`dyn($a).reason()`, `dyn($a).resource("x")`, `dyn($a).subresource("x")`, `dyn($a).namespace("x")`, `dyn($a).name("x")`, `dyn($a).errored()`,
			`dyn($a).error()`, `dyn($a).fieldSelector("x")`, `dyn($a).labelSelector("x")`, `dyn(quantity("1")).check(1)`,
		}},
	}
}

func TestKubernetesLibraries(t *testing.T) {
	for number, lib := range libraries() {
		t.Run(lib.name, func(t *testing.T) {
			var total tally
			inChunks(t, uint64(100+number), 20000, func(a *answerer, random *rand.Rand) error {
				c := comparison{answerer: a, devices: plainDevices[:1]}
				counts := map[string]int{"all": perChunk}
				var asked []asking
				for range perChunk {
					one := valueOf(lib.expression(random), c.devices)
					counts[one.kind()]++
					asked = append(asked, one)
				}
				differences, err := c.compare(asked)
				total.add(t, counts, differences)
				return err
			})
			t.Logf("%d of %d fail, %d do not compile, %d are a difference", total.counts["error"], total.counts["all"], total.counts["refused"], total.differences)
		})
	}
}

func (l *kubernetesLibrary) expression(random *rand.Rand) string {
	first := l.text(random)
	second := l.text(random)
	if random.IntN(6) == 0 {
		second = first
	}
	integer := []string{"0", "1", "-1", "1024", "9223372036854775807", "-9223372036854775808", fmt.Sprint(int64(random.Uint64() >> random.IntN(64)))}
	return strings.NewReplacer("$a", celString(first), "$b", celString(second), "$i", integer[random.IntN(len(integer))]).
		Replace(l.expressions[random.IntN(len(l.expressions))])
}

// celString is a literal of CEL.
func celString(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteString("\\" + string(r))
		case r < ' ':
			fmt.Fprintf(&out, "\\u%04x", r)
		default:
			out.WriteRune(r)
		}
	}
	return `"` + out.String() + `"`
}

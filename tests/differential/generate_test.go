// This file is about inventing what to ask: mostly what people and servers write, often at the edges of
// a rule, and now and then anything made of the same characters.

package differential

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// random invents questions. What it invents depends on the seed alone.
type random struct{ *rand.Rand }

func newRandom(seed string) *random {
	hash := fnv.New64a()
	fmt.Fprint(hash, seed)
	return &random{rand.New(rand.NewPCG(hash.Sum64(), 0))}
}

// chance is true so many times of a hundred.
func (r *random) chance(percent int) bool { return r.IntN(100) < percent }

// oneOf returns any of the values.
func oneOf[T any](r *random, values ...T) T { return values[r.IntN(len(values))] }

// digits returns up to so many digits, or none.
func (r *random) digits(most int) string {
	var text strings.Builder
	for range r.IntN(most + 1) {
		text.WriteByte(byte('0' + r.IntN(10)))
	}
	return text.String()
}

// textOf returns up to so many of the parts in a row.
func (r *random) textOf(most int, parts []string) string {
	var text strings.Builder
	for range r.IntN(most + 1) {
		text.WriteString(oneOf(r, parts...))
	}
	return text.String()
}

// damaged now and then changes, drops or doubles a byte.
func (r *random) damaged(text string, percent int, alphabet string) string {
	if text == "" || !r.chance(percent) {
		return text
	}
	at := r.IntN(len(text))
	switch r.IntN(3) {
	case 0:
		return text[:at] + text[at+1:]
	case 1:
		return text[:at] + text[at:at+1] + text[at:]
	default:
		return text[:at] + string(alphabet[r.IntN(len(alphabet))]) + text[at+1:]
	}
}

func (r *random) number() string {
	switch r.IntN(7) {
	case 0, 1:
		return strconv.Itoa(r.IntN(2000))
	case 2:
		return r.digits(22)
	case 3:
		return oneOf(r, "9223372036854775807", "9223372036854775808", "4611686018427387904", "999999999999999999",
			"1000000000000000000", "1023", "1024", "1048576", "1000", "1000000", "0", "00", "", ".", "0.0")
	case 4:
		return strconv.FormatUint(1<<r.IntN(64)-uint64(r.IntN(2)), 10)
	case 5:
		return r.digits(5) + "." + r.digits(13)
	default:
		return r.digits(3) + strings.Repeat("0", r.IntN(25))
	}
}

func (r *random) quantity() string {
	text := oneOf(r, "", "", "", "", "-", "+") + r.number()
	switch {
	case r.chance(80):
		text += oneOf(r, "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
	case r.chance(2):
		text += "e" + oneOf(r, "", "+", "-") + strconv.Itoa(r.IntN(4100))
	default:
		text += oneOf(r, "e", "E") + oneOf(r, "", "+", "-") + oneOf(r, "", "0") + strconv.Itoa(r.IntN(oneOf(r, 4, 10, 20, 40)))
	}
	return r.damaged(text, 10, "+-.0123456789eEinumkKMGTP x\xc3\t")
}

func (r *random) oneQuantity() []string { return []string{r.quantity()} }

func (r *random) quantities() []string {
	quantities := make([]string, 2+r.IntN(3))
	for i := range quantities {
		quantities[i] = r.quantity()
	}
	if r.chance(5) { // their sum passes zero
		quantities[1] = "-" + quantities[0]
	}
	return quantities
}

// age is near a border between two ways to show it, or of any size.
func (r *random) age() []string {
	const second, year = int64(1e9), int64(365 * 24 * 3600 * 1e9)
	nanos := int64(math.Pow(10, 18.96*r.Float64()))
	switch r.IntN(4) {
	case 0:
		border := oneOf[int64](r, 0, 60, 120, 600, 3600, 10800, 28800, 172800, 691200) * second
		nanos = border + oneOf(r, -second, -1, 0, 1, second)
	case 1:
		nanos = (1+r.Int64N(10))*year + oneOf(r, -24*3600*second, -second, -1, 0, 1, second, 24*3600*second)
	case 2:
		nanos -= nanos % second
	}
	switch r.IntN(200) {
	case 0:
		nanos = math.MaxInt64
	case 1:
		nanos = math.MinInt64
	case 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13:
		nanos = -nanos
	case 14, 15, 16, 17:
		nanos = -2*second + oneOf(r, -1, 0, 1, second-1, second, second+1)
	}
	return []string{strconv.FormatInt(nanos, 10)}
}

// below is almost always less than limit.
func (r *random) below(limit int) int {
	if r.chance(3) {
		return limit + r.IntN(3)
	}
	return r.IntN(limit)
}

func (r *random) instant() []string {
	year := oneOf(r, 0, 1, 4, 100, 400, 1600, 1900, 1969, 1970, 2000, 2024, 2026, 9999, r.IntN(10000))
	day := 1 + r.below(28)
	if r.chance(20) {
		day = oneOf(r, 28, 29, 30, 31)
	}
	text := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", year, 1+r.below(12), day, r.below(24), r.below(60), r.below(60))
	switch r.IntN(6) {
	case 0:
		text += oneOf(r, ".", ".0", ".000000001", ".999999999", ".9999999999")
	case 1, 2:
		text += "." + r.digits(12)
	}
	switch r.IntN(10) {
	case 0, 1, 2:
		text += fmt.Sprintf("%s%02d:%02d", oneOf(r, "+", "-"), r.below(24), r.below(60))
	case 3:
		text += oneOf(r, "+05:30", "-08:00", "+00:00", "-00:00", "+23:59", "-23:59", "z", "", "+0100", "+01")
	default:
		text += "Z"
	}
	return []string{r.damaged(text, 10, "0123456789T:-+Z.,zt x")}
}

func (r *random) duration() []string {
	units := []string{"ns", "us", "\u00b5s", "\u03bcs", "ms", "s", "s", "m", "m", "h", "h", "d", ""}
	numbers := []string{"0", "1", "12", "1.5", ".5", "0.123456789", "3.", "9223372036", "2562047", "106751", "."}
	var text string
	switch r.IntN(5) {
	case 0: // seconds without a unit
		text = oneOf(r, "", "", "+", "-") + r.digits(oneOf(r, 2, 5, 20))
	case 1: // as long as can be
		text = oneOf(r, "", "-") + oneOf(r, "9223372036.854775807s", "9223372036.854775808s", "2562047h47m16.854775807s",
			"2562047h47m16.854775808s", "9223372036854775807ns", "9223372036854775808ns", "9223372036854775809ns",
			"0.9223372036854775807h", "0.9223372036854775808h", "0.99999999999999999999m", "9223372036")
	case 2:
		text = r.textOf(6, strings.Split("0123456789.hmsnu+- ", ""))
	default:
		text = oneOf(r, "", "", "", "-", "+")
		for range 1 + r.IntN(3) {
			number := r.digits(3) + "." + r.digits(oneOf(r, 3, 9, 22))
			if r.chance(70) {
				number = oneOf(r, numbers...)
			}
			text += number + oneOf(r, units...)
		}
	}
	return []string{r.damaged(text, 5, "0123456789.hmsnu+-d\xc2 ")}
}

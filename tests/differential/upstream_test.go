// This file is about what upstream answers, and where ours differs from it on purpose.

package differential

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/client-go/tools/clientcmd"
)

// showQuantity writes the canonical form, sign, AsInt64 and format.
func showQuantity(q resource.Quantity) string {
	number, suffix := q.CanonicalizeBytes(nil)
	integer := "-"
	if value, ok := q.AsInt64(); ok {
		integer = strconv.FormatInt(value, 10)
	}
	return fmt.Sprintf("%s%s %d %s %s", number, suffix, q.Sign(), integer, q.Format)
}

// upstreamQuantity answers one quantity alone, or a running sum, with each next one compared,
// subtracted and added.
func upstreamQuantity(args []string) string {
	quantities := make([]resource.Quantity, len(args))
	for i, arg := range args {
		var err error
		if quantities[i], err = resource.ParseQuantity(arg); err != nil {
			return errorAnswer
		}
	}
	sum := quantities[0]
	answer := showQuantity(sum)
	for _, next := range quantities[1:] {
		order := sum.Cmp(next)
		difference := sum.DeepCopy()
		difference.Sub(next)
		sum.Add(next)
		answer += fmt.Sprintf(" | %d | %s | %s", order, showQuantity(difference), showQuantity(sum))
	}
	return answer
}

func upstreamAge(args []string) string {
	nanos, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		panic(err)
	}
	return duration.HumanDuration(time.Duration(nanos))
}

// upstreamInstant does what metav1.Time does with text that is not empty.
func upstreamInstant(args []string) string {
	instant, err := time.Parse(time.RFC3339, args[0])
	if err != nil {
		return errorAnswer
	}
	return fmt.Sprintf("%d %d %s", instant.Unix(), instant.Nanosecond(), instant.UTC().Format(time.RFC3339))
}

func upstreamDuration(args []string) string {
	parsed, err := clientcmd.ParseTimeout(args[0])
	if err != nil {
		return errorAnswer
	}
	return strconv.FormatInt(int64(parsed), 10)
}

func upstreamSelector(args []string) string {
	selector, err := labels.Parse(args[0])
	if err != nil {
		return errorAnswer
	}
	set := labels.Set{}
	for i := 1; i+1 < len(args); i += 2 {
		set[args[i]] = args[i+1]
	}
	return strconv.FormatBool(selector.Matches(set))
}

// never is for kinds without documented differences.
func never([]string) bool { return false }

var exponent = regexp.MustCompile(`[eE][+-]?([0-9]+)$`)

// hugeExponent: exponents beyond 4096 are errors with us (quantity.h). Texts beyond 4096 bytes are too,
// but none is generated.
func hugeExponent(args []string) bool {
	for _, arg := range args {
		if found := exponent.FindStringSubmatch(arg); found != nil {
			if value, err := strconv.ParseInt(found[1], 10, 64); err != nil || value > 4096 {
				return true
			}
		}
	}
	return false
}

var (
	oneDigitHour = regexp.MustCompile(`T[0-9]:`)
	offsetOf60   = regexp.MustCompile(`[+-][0-9]{2}:60$`)
	comma        = regexp.MustCompile(`:[0-9]{2},[0-9]`)
)

// looseInstant: an hour of one digit, a comma before the fraction and 60 minutes of offset are errors
// with us (time.h).
func looseInstant(args []string) bool {
	return oneDigitHour.MatchString(args[0]) || offsetOf60.MatchString(args[0]) || comma.MatchString(args[0])
}

var minusZero = regexp.MustCompile(`^-00+$`)

// looseDuration: bare seconds that overflow are an error with us (time.h), and so is zero with a minus
// and more than one digit, which only upstream's ParseInt takes.
func looseDuration(args []string) bool {
	if minusZero.MatchString(args[0]) {
		return true
	}
	seconds, err := strconv.ParseInt(args[0], 10, 64)
	return err == nil && seconds > math.MaxInt64/int64(time.Second)
}

package bench

import (
	"testing"
	"time"
)

// What validation costs beside reading the text, which nothing that says line and column can avoid.
func TestValidatesInThriceTheTimeOfTheParser(t *testing.T) {
	const manifests = 1000 // of three documents
	measure := func(what string) func() time.Duration {
		return func() time.Duration { return timeOf(t, "KUBECTL_DRA_MEASURE_MANIFESTS", what, manifests) }
	}
	hold(t, "validate a manifest of three documents", 7, 3, inTurn(measure("validate"), measure("events")))
}

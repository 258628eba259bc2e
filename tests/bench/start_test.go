package bench

import (
	"testing"
	"time"
)

// A command that needs no cluster starts in an eighth of kubectl's time, so that completion feels instant.
func TestStartsInAnEighthOfKubectlsTime(t *testing.T) {
	ours, kubectl := program(t, "KUBECTL_DRA_RELEASE"), program(t, "KUBECTL_DRA_KUBECTL")
	hold(t, "start against kubectl", 11, 1.0/8, inTurn(
		func() time.Duration { return command(t, nil, ours, "--version") },
		func() time.Duration { return command(t, nil, kubectl, "version", "--client") }))
}

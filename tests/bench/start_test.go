package bench

import "testing"

// A command that needs no cluster starts in a sixth of kubectl's time, so that completion feels instant.
func TestStartsInASixthOfKubectlsTime(t *testing.T) {
	ours, kubectl := program(t, "KUBECTL_DRA_RELEASE"), program(t, "KUBECTL_DRA_KUBECTL")
	times := medians(t, 11,
		contestant{"kubectl-dra --version", quietly(nil, ours, "--version")},
		contestant{"kubectl version --client", quietly(nil, kubectl, "version", "--client")})
	check(t, "start against kubectl", times[0], times[1], 1.0/6)
}

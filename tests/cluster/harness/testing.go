// This file is about planes that belong to one test.

package harness

import (
	"context"
	"os"
	"testing"
	"time"
)

// eventuallyLimit is for results that are there within seconds on an idle machine; some wait for hundreds of pods.
const eventuallyLimit = 4 * time.Minute

// ForTest starts a frozen plane that ends with the test. If the test has failed by then, the log of
// the test gets the end of each program's log.
func ForTest(t testing.TB, options Options) *Plane {
	t.Helper()
	p, err := Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the plane's logs end so:\n%s", p.Logs(tailLines))
		}
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(p.Dir); err == nil {
			t.Errorf("%s is still there", p.Dir)
		}
	})
	return p
}

// Eventually polls check until it has no complaint, or fails the test with the last one.
func Eventually(t testing.TB, check func(ctx context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), eventuallyLimit)
	defer cancel()
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	var complaint error
	for {
		err := check(ctx)
		if err == nil {
			return
		}
		if ctx.Err() == nil || complaint == nil {
			complaint = err // and not that the time ran out while asking
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			t.Fatal(complaint)
		}
	}
}

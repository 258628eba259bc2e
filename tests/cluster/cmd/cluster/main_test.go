// This test runs the command as a developer does, up to the interrupt.

package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/harness"
)

func TestRun(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	output, writer := io.Pipe()
	result := make(chan error, 1)
	go func() {
		err := run(ctx, writer, harness.Options{}, []string{filepath.Join("..", "..", "..", "fixtures", "gke-tpu7x-node.yaml")}, true)
		writer.CloseWithError(err)
		result <- err
	}()

	lines := bufio.NewScanner(output)
	lines.Scan()
	kubeconfig, found := strings.CutPrefix(lines.Text(), "export KUBECONFIG=")
	if !found {
		t.Fatalf("the first line is %q (%v)", lines.Text(), lines.Err())
	}
	if _, err := os.Stat(kubeconfig); err != nil {
		t.Error(err)
	}
	lines.Scan()
	if got, want := lines.Text(), "# a cluster with 1 DeviceClass, 1 Node, 1 ResourceSlice; interrupt to end it"; got != want {
		t.Errorf("it prints %q instead of %q", got, want)
	}
	interrupt()
	if err := <-result; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(kubeconfig)); err == nil {
		t.Errorf("%s is still there", filepath.Dir(kubeconfig))
	}
}

func TestParseGates(t *testing.T) {
	if gates, err := parseGates("A=true,B=false"); err != nil || len(gates) != 2 || !gates["A"] || gates["B"] {
		t.Errorf("A=true,B=false: %v, %v", gates, err)
	}
	for _, list := range []string{"", "A", "A=maybe"} {
		if gates, err := parseGates(list); err == nil {
			t.Errorf("%q: %v", list, gates)
		}
	}
}

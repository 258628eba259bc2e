// Command cluster gives a developer a cluster to try the plugin on: a control plane without machines,
// brought into the state of a scene, until it is interrupted.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

func main() {
	var options harness.Options
	var scenes []string
	flag.Func("scene", "load this `file`; can be repeated", func(path string) error {
		scenes = append(scenes, path)
		return nil
	})
	flag.Func("feature-gates", "`list` of Name=true or Name=false, for every program", func(list string) (err error) {
		options.FeatureGates, err = parseGates(list)
		return err
	})
	serve := flag.String("serve", string(harness.V1), "`versions` of resource.k8s.io: v1, v1beta2, v1beta1, all or none")
	live := flag.Bool("live", false, "run the scheduler and the controllers once the scenes are loaded")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "cluster: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	options.Serve = harness.Serve(*serve)

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, options, scenes, *live); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// run returns once ctx is done. What it prints is shell: one command, the rest comments.
func run(ctx context.Context, output io.Writer, options harness.Options, scenes []string, live bool) error {
	state, err := scene.Read(scenes...)
	if err != nil {
		return err
	}
	plane, err := harness.Start(ctx, options)
	if err != nil {
		return err
	}
	defer plane.Stop() //nolint:errcheck // nobody is left to tell

	config, err := plane.RESTConfig(harness.Admin)
	if err != nil {
		return err
	}
	loaded, err := state.Load(ctx, config)
	if err != nil {
		return err
	}
	if live {
		if err := plane.GoLive(ctx); err != nil {
			return err
		}
	}
	kubeconfig := filepath.Join(plane.Dir, "kubeconfig")
	if err := plane.Kubeconfig(kubeconfig, harness.Admin); err != nil {
		return err
	}
	fmt.Fprintf(output, "export KUBECONFIG=%s\n", kubeconfig)
	fmt.Fprintf(output, "# %s; interrupt to end it\n", describe(loaded, live))
	<-ctx.Done()
	return nil
}

func describe(loaded *scene.Loaded, live bool) string {
	text := "a cluster with " + loaded.String()
	if len(loaded.Objects)+len(loaded.Skipped) == 0 {
		text = "an empty cluster"
	}
	if !live {
		text += ", without scheduler and controllers"
	}
	return text
}

func parseGates(list string) (map[string]bool, error) {
	gates := map[string]bool{}
	for gate := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(gate, "=")
		on, err := strconv.ParseBool(value)
		if err != nil {
			return nil, fmt.Errorf("%q is not Name=true or Name=false", gate)
		}
		gates[name] = on
	}
	return gates, nil
}

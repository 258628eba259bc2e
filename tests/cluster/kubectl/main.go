// Command kubectl is upstream's kubectl and nothing else, built from the same modules as the
// control plane. Benchmarks of start-up time and comparisons of output need it: the kubectl inside
// plane carries the weight of the servers linked beside it.
package main

import (
	"os"

	_ "k8s.io/client-go/plugin/pkg/client/auth" // credential plugins
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	// Building the command already logs, so the verbosity is set before flags are parsed.
	logs.GlogSetter(cmd.GetLogVerbosity(os.Args)) //nolint:errcheck // as upstream does
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err)
	}
}

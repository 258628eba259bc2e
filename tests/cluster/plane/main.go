// Command plane is the Kubernetes control plane of the tests in one binary: the first argument
// picks etcd, kube-apiserver, kube-scheduler, kube-controller-manager or kubectl, and the rest is
// handed to that program as its own command line. One binary, because linking the five of them
// apart would link most of Kubernetes five times.
package main

import (
	"fmt"
	"os"
	_ "time/tzdata" // as upstream's mains do it, for time zones of CronJobs

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // kubectl's credential plugins
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// programs lists what this binary can be. Each function is what upstream's main does, and sees
// os.Args as upstream's main would.
var programs = map[string]func(){
	"etcd":                    func() { etcdmain.Main(os.Args) },
	"kube-apiserver":          func() { serve(apiserver.NewAPIServerCommand()) },
	"kube-controller-manager": func() { serve(controllers.NewControllerManagerCommand()) },
	"kube-scheduler":          func() { serve(scheduler.NewSchedulerCommand()) },
	"kubectl":                 runKubectl,
}

func main() {
	if len(os.Args) > 1 {
		if program, known := programs[os.Args[1]]; known {
			os.Args = os.Args[1:]
			program()
			return
		}
	}
	fmt.Fprintln(os.Stderr, "plane: the first argument is one of etcd, kube-apiserver, kube-scheduler, kube-controller-manager, kubectl")
	os.Exit(2)
}

func serve(command *cobra.Command) {
	os.Exit(cli.Run(command))
}

// runKubectl sets the verbosity before the command exists, because building it already logs:
// it looks for plugins and reads the kuberc file.
func runKubectl() {
	logs.GlogSetter(kubectl.GetLogVerbosity(os.Args)) //nolint:errcheck // as upstream does
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}

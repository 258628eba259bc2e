// This file is about the commands that are printed with advice: pasted into a shell one after the other, they make the
// scheduler bind the pod.

package agree_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"kubectl-dra/tests/changes"
	"kubectl-dra/tests/cluster/harness"
)

// pasted is a scene with the commands of one piece of its advice.
type pasted struct {
	*adviceScene
	kind     string
	commands []string
}

func TestAdviceCommands(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	seed := newRandom(t).Uint64()
	var scenes []*adviceScene
	for number := range 4 * len(adviceStages) {
		s := newAdviceScene(number, seed, 0)
		s.Pod.Spec.PriorityClassName = "" // the classes of TestAdvice are not here
		for _, pod := range s.Pods {
			pod.Spec.PriorityClassName = ""
		}
		scenes = append(scenes, s)
	}
	var all []*pasted
	kinds := map[string]int{}
	for i, report := range c.commandsFor(t, scenes) {
		for _, advice := range report {
			if len(advice.Commands) > 0 && (advice.Change.Kind() == scenes[i].wants || scenes[i].wants == "") {
				all = append(all, &pasted{scenes[i], advice.Change.Kind(), advice.Commands})
				kinds[advice.Change.Kind()]++
				break
			}
		}
	}
	for _, kind := range []string{"setCount", "dropSelector", "dropSelector span", "editSelector", "tolerate", "tolerate node", "dropConstraint",
		"relaxConstraint", "splitRequests", "useAlternative", "selectNodes", "selectNodes affinity", "release"} {
		if kinds[kind] == 0 {
			t.Errorf("no commands for advice of kind %s: %v", kind, kinds)
		}
	}
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.endPodsLikeKubelets(t, namespace)
	t.Run("paste", func(t *testing.T) {
		for _, one := range all {
			t.Run(one.prefix, func(t *testing.T) {
				t.Parallel()
				c.paste(t, one)
			})
		}
	})
}

type commandAdvice struct {
	changes.Advice
	Commands []string
}

// commandsFor loads all scenes, and asks the plugin about each.
func (c *cluster) commandsFor(t *testing.T, scenes []*adviceScene) [][]commandAdvice {
	t.Helper()
	for _, one := range scenes {
		if _, err := one.state(t, true).Load(t.Context(), c.config); err != nil {
			t.Fatal(err)
		}
	}
	all := make([][]commandAdvice, len(scenes))
	eachAtOnce(len(scenes), func(i int) {
		got := c.plugin(t, "explain", "pod", scenes[i].Pod.Name, "-n", namespace, "-o", "json")
		var report struct{ Advice []commandAdvice }
		if got.exit == verdictExits["DoesNotFit"] {
			decode(t, got.stdout, &report)
		} else {
			t.Errorf("made for %s: %+v", scenes[i].wants, got)
		}
		all[i] = report.Advice
	})
	return all
}

// endPodsLikeKubelets takes pods away that are being deleted, as no kubelet is there to do it.
func (c *cluster) endPodsLikeKubelets(t *testing.T, namespace string) {
	t.Helper()
	pods, err := c.client.CoreV1().Pods(namespace).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pods.Stop)
	now := metav1.DeleteOptions{GracePeriodSeconds: ptr.To(int64(0))}
	go func() {
		for event := range pods.ResultChan() {
			pod, ok := event.Object.(*corev1.Pod)
			if !ok || pod.DeletionTimestamp == nil {
				continue
			}
			if err := c.client.CoreV1().Pods(namespace).Delete(context.Background(), pod.Name, now); err != nil && !apierrors.IsNotFound(err) {
				t.Logf("pod %s does not go away: %v", pod.Name, err)
			}
		}
	}()
}

// paste runs the commands, and waits for the scheduler.
func (c *cluster) paste(t *testing.T, one *pasted) {
	for _, command := range one.commands {
		c.shell(t, command)
	}
	c.getsNode(t, namespace, one.Pod.Name, one.kind+"\n"+strings.Join(one.commands, "\n"))
}

// shell runs a script, in which kubectl is upstream's and asks the plane. No command of it may fail.
func (c *cluster) shell(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink(os.Getenv("KUBECTL_DRA_KUBECTL"), filepath.Join(dir, "kubectl")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", "-o", "errexit", "-o", "pipefail", "-c", script)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "KUBECONFIG="+c.kubeconfig, "PATH="+dir+":"+os.Getenv("PATH"))
	if output, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, output)
	}
}

// getsNode waits until the scheduler has bound the pod.
func (c *cluster) getsNode(t *testing.T, namespace, name, after string) {
	t.Helper()
	harness.Eventually(t, func(ctx context.Context) error {
		pod, err := c.client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if pod.Spec.NodeName == "" {
			return fmt.Errorf("the pod has no node after %s", after)
		}
		return nil
	})
}

type patchList struct {
	Items []struct {
		Edits []struct {
			Action, Kind, Namespace, PatchType string
			Names                              []string
			Patch                              json.RawMessage
		}
	}
}

// TestEmittedPatches takes what --emit-patch prints: as a script that is piped into a shell, and as patches that another
// program applies.
func TestEmittedPatches(t *testing.T) {
	t.Parallel()
	const web = "web"
	for _, structured := range []bool{false, true} {
		t.Run(fmt.Sprintf("structured=%v", structured), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, harness.Options{})
			c.load(t, readScene(t, "../../golden/scenes/deployed.yaml"))
			if err := c.GoLive(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.endPodsLikeKubelets(t, web)
			for _, pod := range []string{"helm", "flux", "argo", "alone", "tolerant"} {
				script := c.emitted(t, web, pod, structured)
				c.shell(t, script)
				c.getsNode(t, web, pod, script)
				// The next one needs its devices.
				c.shell(t, "kubectl delete pod "+pod+" -n web --force --grace-period=0")
				harness.Eventually(t, func(ctx context.Context) error { return c.nothingAllocated(ctx, web) })
			}
		})
	}
}

// emitted asks for the patches of a pod that waits; as a script in any case.
func (c *cluster) emitted(t *testing.T, namespace, pod string, structured bool) string {
	t.Helper()
	args := []string{"explain", "pod", pod, "-n", namespace, "--emit-patch"}
	if !structured {
		got := c.plugin(t, args...)
		if got.exit != verdictExits["DoesNotFit"] || got.stderr != "" {
			t.Fatalf("%+v", got)
		}
		return got.stdout
	}
	var list patchList
	got := c.plugin(t, append(args, "-o", "json")...)
	decode(t, got.stdout, &list)
	if got.exit != verdictExits["DoesNotFit"] || len(list.Items) == 0 {
		t.Fatalf("%+v", got)
	}
	var script strings.Builder
	for _, edit := range list.Items[0].Edits {
		object := edit.Kind + " -n " + edit.Namespace + " " + strings.Join(edit.Names, " ")
		patch := "--type=" + edit.PatchType + " -p '" + strings.ReplaceAll(string(edit.Patch), "'", `'\''`) + "'"
		switch edit.Action {
		case "patch":
			fmt.Fprintf(&script, "kubectl patch %s %s\n", object, patch)
		case "replace":
			fmt.Fprintf(&script, "kubectl get %s -o json | kubectl patch --local -f - %s -o json | kubectl replace --force -f -\n", object, patch)
		case "recreate":
			fmt.Fprintf(&script, "kubectl get %s -o json | kubectl replace --force -f -\n", object)
		case "delete":
			fmt.Fprintf(&script, "kubectl delete %s\n", object)
		}
	}
	return script.String()
}

func (c *cluster) nothingAllocated(ctx context.Context, namespace string) error {
	claims, err := c.client.ResourceV1().ResourceClaims(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		if claim.Status.Allocation != nil {
			return fmt.Errorf("claim %s is still allocated", claim.Name)
		}
	}
	return nil
}

// This file is about the commands that are printed with advice: pasted into a shell one after the other, they make the
// scheduler bind the pod.

package agree_test

import (
	"context"
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
	c.endPodsLikeKubelets(t)
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
func (c *cluster) endPodsLikeKubelets(t *testing.T) {
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
	dir := t.TempDir()
	if err := os.Symlink(os.Getenv("KUBECTL_DRA_KUBECTL"), filepath.Join(dir, "kubectl")); err != nil {
		t.Fatal(err)
	}
	for _, command := range one.commands {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		shell := exec.CommandContext(ctx, "bash", "-o", "pipefail", "-c", command)
		shell.Env = append(os.Environ(), "KUBECONFIG="+c.kubeconfig, "PATH="+dir+":"+os.Getenv("PATH"))
		output, err := shell.CombinedOutput()
		cancel()
		if err != nil {
			t.Fatalf("%s: %s: %v\n%s", one.kind, command, err, output)
		}
	}
	harness.Eventually(t, func(ctx context.Context) error {
		pod, err := c.client.CoreV1().Pods(namespace).Get(ctx, one.Pod.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if pod.Spec.NodeName == "" {
			return fmt.Errorf("%s: the pod has no node after\n%s", one.kind, strings.Join(one.commands, "\n"))
		}
		return nil
	})
}

// This file is about the commands of remedies that change objects: pasted into a shell, they do what is said of them.

package agree_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
)

// keeping are pods that wait for devices of a claim that nothing releases.
var keeping = []struct{ scene, namespace, pod string }{
	{"56-non-pod-consumer-keeps-claim", "default", "next"},
	{"own/succeeded-pod-still-reserved", "default", "fine-tune-b"},
}

// TestClaimsAreFreed has no claim controller until the command has run: that one does the same for a pod.
func TestClaimsAreFreed(t *testing.T) {
	t.Parallel()
	for _, one := range keeping {
		t.Run(one.scene, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, harness.Options{})
			c.load(t, readScene(t, "../../golden/field/"+one.scene+".yaml"))
			command := c.patchPrinted(t, "explain", "pod", one.pod, "-n", one.namespace)
			c.shell(t, command)
			name := strings.Fields(command)[3]
			claim, err := c.client.ResourceV1().ResourceClaims(one.namespace).Get(t.Context(), name, metav1.GetOptions{})
			if err != nil || claim.Status.Allocation != nil {
				t.Errorf("%s is still allocated after %s (%v)", name, command, err)
			}
			if err := c.GoLive(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.getsNode(t, one.namespace, one.pod, command)
		})
	}
}

func TestClaimNamesAreWrittenBack(t *testing.T) {
	t.Parallel()
	const lab, ended = "lab", "grab-1"
	c := newCluster(t, harness.Options{})
	c.load(t, readScene(t, "../../golden/field/own/ended-pod-lost-claim-name.yaml"))
	command := c.patchPrinted(t, "explain", "pod", ended, "-n", lab)
	c.shell(t, command)
	pod, err := c.client.CoreV1().Pods(lab).Get(t.Context(), ended, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, status := range pod.Status.ResourceClaimStatuses {
		names[status.Name] = *status.ResourceClaimName
	}
	for _, claim := range pod.Spec.ResourceClaims {
		if !strings.HasPrefix(names[claim.Name], ended+"-"+claim.Name+"-") {
			t.Errorf("%s is %q after %s", claim.Name, names[claim.Name], command)
		}
	}
	if said := c.plugin(t, "explain", "pod", ended, "-n", lab).stdout; strings.Contains(said, "has lost the name") {
		t.Error(said)
	}
}

// patchPrinted is the one command with a patch that the plugin prints.
func (c *cluster) patchPrinted(t *testing.T, args ...string) string {
	t.Helper()
	said := c.plugin(t, args...).stdout
	var found []string
	for _, match := range commandLine.FindAllStringSubmatch(said, -1) {
		if strings.HasPrefix(match[1], "kubectl patch ") {
			found = append(found, match[1])
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d commands with a patch in\n%s", len(found), said)
	}
	return found[0]
}

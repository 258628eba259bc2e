// Package kubelet has the kubelet's own code, of Kubernetes 1.34 to 1.37, fail to prepare the claims of pods, and
// demands that explain recognises each of its messages.
//
// What the releases say is kept in testdata, as a release no longer changes and to compile one takes minutes. The newest,
// which the control plane has compiled already, is asked each time; the others in a soak. UPDATE_KUBELET=1 asks all, and
// keeps what they say.
package kubelet

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/soak"
)

const (
	programEnv = "KUBECTL_DRA_BINARY"
	updateEnv  = "UPDATE_KUBELET"

	driver = "gpu.example.com"
	node   = "node-1"
)

// releases are named as the folders of their oracles. The last is always asked.
var releases = []string{"v134", "v135", "v136", "v137"}

func TestMessages(t *testing.T) {
	for i, release := range releases {
		t.Run(release, func(t *testing.T) {
			path := filepath.Join("testdata", release+".jsonl")
			update := os.Getenv(updateEnv) != ""
			kept, err := os.ReadFile(path)
			if err != nil && !update {
				t.Fatal(err)
			}
			if update || soak.Times() > 1 || i == len(releases)-1 {
				says := ask(t, release)
				if update {
					if err := os.WriteFile(path, says, 0o644); err != nil {
						t.Fatal(err)
					}
				} else if !bytes.Equal(says, kept) {
					t.Errorf("the kubelet does not say what %s has (%s=1 keeps it):\n%s", path, updateEnv, says)
				}
				kept = says
			}
			explained := map[string]bool{}
			for _, one := range read(t, kept) {
				explained[one.Case] = true
				t.Run(one.Case, func(t *testing.T) { one.check(t) })
			}
			for name := range wanted {
				if !explained[name] {
					t.Errorf("%s has no case %q: set %s=1", path, name, updateEnv)
				}
			}
		})
	}
}

// report is the part of an explanation that is about what fails after scheduling.
type report struct {
	Summary string
	After   []struct{ Code, Claim, Message, Driver, Remedy string }
}

func (s said) check(t *testing.T) {
	want, known := wanted[s.Case]
	if !known {
		t.Fatalf("the test does not say what explain should answer to %+v", s.Event)
	}
	if s.Event == nil && s.Waiting == nil {
		if !want.mayWork {
			t.Fatal("the kubelet did not fail")
		}
		return
	}
	got := s.explain(t)
	if len(got.After) == 0 {
		t.Fatalf("nothing fails: %s\n  kubelet  %+v %+v", got.Summary, s.Event, s.Waiting)
	}
	first := got.After[0]
	if first.Code != want.code || !strings.Contains(first.Message, want.message) || !strings.Contains(first.Remedy, want.remedy) {
		t.Errorf("%s: %s\n  remedy   %s\n  want     %+v\n  kubelet  %+v %+v", first.Code, first.Message, first.Remedy, want, s.Event, s.Waiting)
	}
	if len(got.After) > 1 {
		t.Errorf("the one message has several findings: %+v", got.After)
	}
}

// explain asks the program about the pod, in a cluster where it has just been told so.
func (s said) explain(t *testing.T) (got report) {
	t.Helper()
	program := os.Getenv(programEnv)
	if program == "" {
		t.Fatalf("%s is not set: it must name kubectl-dra, which `.ci/test debug` builds", programEnv)
	}
	list, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": s.items()})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cluster.json")
	if err := os.WriteFile(path, list, 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "explain", "pod", s.Pod.Name, "-n", s.Pod.Namespace, "--snapshot", path, "-o", "json")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if code := command.ProcessState.ExitCode(); code != 2 {
		t.Errorf("exit %d (%v) instead of 2: %s", code, err, stderr.String())
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return got
}

func (s said) items() []any {
	now := metav1.NewTime(time.Now().Add(-time.Minute).Truncate(time.Second))
	name, all := node, int64(1)
	items := []any{
		&corev1.Node{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
			ObjectMeta: metav1.ObjectMeta{Name: node},
			Status: corev1.NodeStatus{
				NodeInfo:   corev1.NodeSystemInfo{KubeletVersion: s.Version},
				Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
			},
		},
		&resourceapi.DeviceClass{
			TypeMeta:   metav1.TypeMeta{APIVersion: "resource.k8s.io/v1", Kind: "DeviceClass"},
			ObjectMeta: metav1.ObjectMeta{Name: driver},
		},
		&resourceapi.ResourceSlice{
			TypeMeta:   metav1.TypeMeta{APIVersion: "resource.k8s.io/v1", Kind: "ResourceSlice"},
			ObjectMeta: metav1.ObjectMeta{Name: node + "-gpu"},
			Spec: resourceapi.ResourceSliceSpec{
				Driver: driver, NodeName: &name, Devices: []resourceapi.Device{{Name: "gpu-0"}},
				Pool: resourceapi.ResourcePool{Name: node, ResourceSliceCount: all, Generation: 1},
			},
		},
	}
	for _, claim := range s.Claims {
		items = append(items, claim)
	}
	pod := s.Pod.DeepCopy()
	pod.CreationTimestamp = now
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}}
	if s.Waiting != nil {
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", State: corev1.ContainerState{Waiting: s.Waiting}}}
	}
	items = append(items, pod)
	if s.Event != nil {
		items = append(items, &corev1.Event{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Event"},
			ObjectMeta: metav1.ObjectMeta{Name: "said", Namespace: pod.Namespace},
			InvolvedObject: corev1.ObjectReference{
				APIVersion: "v1", Kind: "Pod", Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID,
			},
			Type: corev1.EventTypeWarning, Reason: s.Event.Reason, Message: s.Event.Message,
			FirstTimestamp: now, LastTimestamp: now, Count: 1,
		})
	}
	return items
}

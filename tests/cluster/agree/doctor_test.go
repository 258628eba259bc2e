// This file is about faults that are planted in a live plane, one of each kind: doctor has to find each, and
// nothing else, and nothing before. ClaimDeleting is not among them: it is told after a minute, and when something was
// deleted the server says itself; the goldens show it.

package agree_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/harness"
)

// fault is what is planted, and what shall be said of it.
type fault struct {
	code    string
	subject string // the name of the first
	text    string
}

// slice is one of a pool, with devices that are on all nodes.
func sliceOf(name, driver, pool string, generation, count int, devices ...string) string {
	return fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: %s}
spec: {driver: %s.example.com, allNodes: true, pool: {name: %s, generation: %d, resourceSliceCount: %d}, devices: [%s]}
---`, name, driver, pool, generation, count, "{name: "+strings.Join(devices, "}, {name: ")+"}")
}

// holder is a claim with one device, and what is reserved.
func holderOf(name, driver, pool, device, reserved string) string {
	return fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %[1]s, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: well}}]}}
status:
  allocation: {devices: {results: [{request: r, driver: %[2]s.example.com, pool: %[3]s, device: %[4]s}]}}
  reservedFor: [%[5]s]
---`, name, driver, pool, device, reserved)
}

func runningPod(name, node, more string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: default%s}
spec: {nodeName: %s, containers: [{name: c, image: i}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
---`, name, more, node)
}

func plainNode(name, labels, kubelet string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Node
metadata: {name: %s, labels: {%s}}
status: {nodeInfo: {kubeletVersion: %s}, conditions: [{type: Ready, status: "True"}], allocatable: {cpu: "8", memory: 8Gi, pods: "110"}}
---`, name, labels, kubelet)
}

// usingPod is a pod with a claim, in such a phase.
func usingPod(name, node, phase string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {name: %[1]s, namespace: default, uid: %[1]s}
spec: {nodeName: %[2]s, containers: [{name: c, image: i}], resourceClaims: [{name: r, resourceClaimName: %[1]s}]}
status: {phase: %[3]s, conditions: [{type: Ready, status: %[4]q}]}
---`, name, node, phase, map[bool]string{true: "True", false: "False"}[phase == "Running"])
}

// used is a claim with a device of the well driver, and the pod that has it.
func used(name, device, phase string) string {
	return usingPod(name, "n1", phase) +
		holderOf(name, "well", "n1", device, fmt.Sprintf("{resource: pods, name: %[1]s, uid: %[1]s}", name))
}

// notReady adds what the driver says of the device of a claim.
func notReady(claim, device string) string {
	return strings.Replace(claim, "  reservedFor:", fmt.Sprintf(`  devices: [{driver: well.example.com, pool: n1, device: %s, conditions:
    [{type: Ready, status: "False", reason: Broken, message: a fan stands still, lastTransitionTime: "2026-11-20T09:20:00Z"}]}]
  reservedFor:`, device), 1)
}

// kubeletSays is what the kubelet tells of a pod whose devices it cannot get ready.
func kubeletSays(pod, message string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Event
metadata: {name: %[1]s.1, namespace: default}
type: Warning
reason: FailedPrepareDynamicResources
involvedObject: {apiVersion: v1, kind: Pod, namespace: default, name: %[1]s, uid: %[1]s}
source: {component: kubelet}
firstTimestamp: "2026-11-20T09:20:05Z"
lastTimestamp: "2026-11-20T09:27:00Z"
count: 5
message: "Failed to prepare dynamic resources: prepare dynamic resources: %[2]s"
---`, pod, message)
}

func onNode(text, name string) string {
	return strings.Replace(text, "allNodes: true", "nodeName: "+name, 1)
}

// problemsOf returns the codes of a report with the first name of each.
func problemsOf(t *testing.T, text string) (all []string) {
	t.Helper()
	var report struct {
		Problems []struct {
			Code, Message, Advice, Command string
			Subject                        struct{ Name string }
		}
	}
	decode(t, text, &report)
	for _, problem := range report.Problems {
		all = append(all, problem.Code+" "+problem.Subject.Name)
		if problem.Message == "" || problem.Advice == "" || !strings.Contains(problem.Command, " dra ") {
			t.Errorf("%+v: something is not said", problem)
		}
	}
	return all
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	const kubelet = "v1.37.1"
	const daemon = ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: p, uid: 1-2-3, controller: true}]"
	well := gpuClass("well") + plainNode("n1", "", kubelet) + onNode(sliceOf("well", "well", "n1", 1, 1, "a", "b", "c", "d", "e", "f", "g", "h"), "n1") +
		runningPod("well-example-com-x", "n1", daemon)
	faults := []fault{
		{"PoolIncomplete", "incomplete.example.com/p", sliceOf("incomplete", "incomplete", "p", 1, 2, "a")},
		{"PoolInvalid", "invalid.example.com/p", sliceOf("invalid-1", "invalid", "p", 1, 2, "a") + sliceOf("invalid-2", "invalid", "p", 1, 2, "a")},
		{"PoolStale", "stale.example.com/p", sliceOf("stale-1", "stale", "p", 1, 1, "a") + sliceOf("stale-2", "stale", "p", 2, 1, "a")},
		{"NodeMissing", "nowhere.example.com/p", strings.Replace(sliceOf("nowhere", "nowhere", "p", 1, 1, "a"), "allNodes: true",
			"nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: [r9]}]}]}", 1)},
		{"NodeMissing", "went.example.com/p", onNode(sliceOf("went", "went", "p", 1, 1, "a"), "nosuch")},
		{"NoSlices", "k2", plainNode("k1", "karpenter.sh/nodepool: k", kubelet) + plainNode("k2", "karpenter.sh/nodepool: k", kubelet) +
			onNode(sliceOf("pooled", "pooled", "k1", 1, 1, "a"), "k1")},
		{"DriverNotRegistered", "n2", plainNode("n2", "", kubelet) + onNode(sliceOf("well-2", "well", "n2", 1, 1, "a"), "n2")},
		{"NodeNotReady", "down", strings.Replace(plainNode("down", "", kubelet), `status: "True"`, `status: "False"`, 1) +
			onNode(sliceOf("well-3", "well", "down", 1, 1, "a"), "down") + runningPod("well-example-com-down", "down", daemon)},
		{"PartialHost", "tpu", plainNode("tpu", `cloud.google.com/gke-accelerator-count: "4"`, kubelet) +
			strings.ReplaceAll(onNode(sliceOf("chips", "chips", "tpu", 1, 1, "chip-0", "chip-1"), "tpu"), "chips.example.com", "tpu.google.com")},
		{"VersionSkew", "old", plainNode("old", "", "v1.30.4")},
		{"DriverPublishesNothing", "nothing", gpuClass("nothing")},
		{"ClassMatchesNothing", "choosy", strings.Replace(gpuClass("choosy"), "device.driver == 'choosy.example.com'", "device.driver == 'well.example.com' && device.allowMultipleAllocations", 1) + `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: asks, namespace: default}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: choosy}}]}}}
---`},
		{"PoolNameShared", "same.example.com/p", onNode(sliceOf("same-1", "same", "p", 1, 1, "a"), "n1") + onNode(sliceOf("same-2", "same", "p", 1, 1, "a"), "n1b") +
			plainNode("n1b", "", kubelet)},
		{"PodsNotCreated", "web", `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: i, resources: {claims: [{name: r}]}}], resourceClaims: [{name: r, resourceClaimTemplateName: t}]}
status:
  conditions: [{type: ReplicaFailure, status: "True", reason: FailedCreate, message: "pods \"web-1-\" is forbidden: exceeded quota: pods"}]
---`},
		{"SelectorError", "fails", strings.Replace(gpuClass("fails"), "device.driver == 'fails.example.com'", "device.attributes['fails.example.com'].nosuch == 1", 1)},
		{"ReservationStale", "left", holderOf("left", "well", "n1", "a", "{resource: pods, name: gone, uid: 4-5-6}")},
		{"DeviceGone", "holds-gone", holderOf("holds-gone", "well", "n1", "nosuch", "")},
		{"DoubleAllocation", "well.example.com/n1/b", holderOf("twice-1", "well", "n1", "b", "") + holderOf("twice-2", "well", "n1", "b", "")},
		{"ClassMissing", "classless", strings.Replace(strings.Split(holderOf("classless", "", "", "", ""), "status:")[0], "deviceClassName: well", "deviceClassName: nosuch", 1) + "---"},
		{"DeviceTainted", "watch", `
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: watch}
spec: {deviceSelector: {driver: well.example.com, pool: n1, device: c}, taint: {key: example.com/watch, effect: NoSchedule}}
---`},
		{"TaintRuleIdle", "idle", `
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: idle}
spec: {deviceSelector: {driver: well.example.com, pool: nosuch}, taint: {key: example.com/idle, effect: NoSchedule}}
---`},
		{"TaintRuleEvicts", "drain", used("drained", "d", "Running") + `
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: drain}
spec: {deviceSelector: {driver: well.example.com, pool: n1, device: d}, taint: {key: example.com/drain, effect: NoExecute}}
---`},
		{"PrepareFailed", "refused", used("refused", "e", "Pending") +
			kubeletSays("refused", "NodePrepareResources failed for ResourceClaim refused: no firmware")},
		{"NotReserved", "other", used("reserved", "f", "Running") +
			strings.Replace(usingPod("other", "n1", "Pending"), "Name: other", "Name: reserved", 1) +
			kubeletSays("other", "pod other (other) is not allowed to use ResourceClaim reserved (1-2-3)")},
		{"PrepareFailed", "not-ready", notReady(used("not-ready", "g", "Pending"), "g")},
		{"DeviceUnhealthy", "ill", notReady(used("ill", "h", "Running"), "h")},
	}
	c := newCluster(t, harness.Options{})
	c.loadText(t, well)
	if got := c.plugin(t, "doctor"); got.exit != 0 || !strings.HasPrefix(got.stdout, "Nothing is wrong. Looked at 1 pool, 8 devices, 1 class,") {
		t.Errorf("nothing was planted, and doctor says (%d)\n%s%s", got.exit, got.stdout, got.stderr)
	}
	var planted, want []string
	for _, one := range faults {
		planted = append(planted, one.text)
		want = append(want, one.code+" "+one.subject)
	}
	c.loadText(t, strings.Join(planted, ""))
	answer := c.plugin(t, "doctor", "-o", "json")
	if answer.exit != 2 {
		t.Errorf("exit code %d: %s", answer.exit, answer.stderr)
	}
	got := problemsOf(t, answer.stdout)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("planted\n  %s\nfound\n  %s", strings.Join(want, "\n  "), strings.Join(got, "\n  "))
	}
}

// TestDoctorOfFixtures: where nothing is wrong nothing is found, in the file and on a plane; neither before nor after a
// slice of TPUs of which one host has lost a chip and another is down.
func TestDoctorOfFixtures(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	for _, one := range []struct {
		name string
		want []string
	}{
		{name: "gke-tpu-v5p-2x2x4.yaml"},
		{name: "gke-tpu-v5p-2x2x4-degraded.yaml", want: []string{"PartialHost maxtext-slice-0-3-x9pb", "HostLost maxtext-slice-0-2-q7wz",
			"NoSlices gke-v5p-2x2x4-pool-3a7e5c11-q7wz"}},
		{name: "gke-tpu-v6e-4x8-subslices.yaml"},
		{name: "gke-tpu7x-node.yaml"},
	} {
		t.Run(one.name, func(t *testing.T) {
			exit := map[bool]int{true: 0, false: 2}[one.want == nil]
			of := func(snapshot string) outcome {
				return offline(t, "doctor", "--snapshot", snapshot)
			}
			with(t, c, readFixture(t, one.name), func() {
				live := c.plugin(t, "doctor")
				for _, got := range []outcome{live, of(c.recorded), of(recordedFixture(t, one.name))} {
					if got.exit != exit || strings.HasPrefix(got.stdout, "Nothing is wrong. Looked at ") != (one.want == nil) {
						t.Errorf("doctor says (%d)\n%s%s", got.exit, got.stdout, got.stderr)
					}
					// Where lines break depends on how long the ages are.
					want, text := folded(live.stdout), folded(location.ReplaceAllString(got.stdout, ""))
					if text != want {
						t.Errorf("the plane and its snapshots differ:\n%s", difference(want, text))
					}
				}
				if got := problemsOf(t, c.plugin(t, "doctor", "-o", "json").stdout); !slices.Equal(got, one.want) {
					t.Errorf("found %q, want %q", got, one.want)
				}
			})
		})
	}
}

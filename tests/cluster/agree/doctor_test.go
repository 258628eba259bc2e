// This file is about faults that are planted in a live plane, one of each kind: doctor has to find each, and
// nothing else, and nothing before.

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

func onNode(text, name string) string {
	return strings.Replace(text, "allNodes: true", "nodeName: "+name, 1)
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	const kubelet = "v1.37.1"
	const daemon = ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: p, uid: 1-2-3, controller: true}]"
	well := gpuClass("well") + plainNode("n1", "", kubelet) + onNode(sliceOf("well", "well", "n1", 1, 1, "a", "b", "c"), "n1") +
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
		{"VersionSkew", "old", plainNode("old", "", "v1.30.4")},
		{"ClassMatchesNothing", "nothing", gpuClass("nothing")},
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
	}
	c := newCluster(t, harness.Options{})
	c.loadText(t, well)
	if got := c.plugin(t, "doctor"); got.exit != 0 || !strings.HasPrefix(got.stdout, "Nothing is wrong. Looked at 1 pool, 3 devices, 1 class,") {
		t.Errorf("nothing was planted, and doctor says (%d)\n%s%s", got.exit, got.stdout, got.stderr)
	}
	var planted, want []string
	for _, one := range faults {
		planted = append(planted, one.text)
		want = append(want, one.code+" "+one.subject)
	}
	c.loadText(t, strings.Join(planted, ""))
	var report struct {
		Problems []struct {
			Code, Message, Advice, Command string
			Subject                        struct{ Name string }
		}
	}
	answer := c.plugin(t, "doctor", "-o", "json")
	if answer.exit != 2 {
		t.Errorf("exit code %d: %s", answer.exit, answer.stderr)
	}
	decode(t, answer.stdout, &report)
	var got []string
	for _, problem := range report.Problems {
		got = append(got, problem.Code+" "+problem.Subject.Name)
		if problem.Message == "" || problem.Advice == "" || !strings.Contains(problem.Command, " dra ") {
			t.Errorf("%+v: something is not said", problem)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("planted\n  %s\nfound\n  %s", strings.Join(want, "\n  "), strings.Join(got, "\n  "))
	}
}

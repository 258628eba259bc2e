// This file is about taint rules whose devices are in use: whom `describe taintrule` says a rule evicts, and when, the
// real controller has to evict then, and nobody else.

package agree_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
)

// soon is how many seconds those tolerate the taint who go while the test looks on.
const soon = 9

// evictee is a pod with a device, by what its request tolerates.
type evictee struct {
	name, tolerations string
	stays             bool
	seconds           int // until it goes
}

// tolerating is one toleration of the taint that the rules have.
func tolerating(more string) string { return "{key: example.com/drain, operator: Exists" + more + "}" }

var evictees = []evictee{
	{name: "nothing"},
	{name: "effect", tolerations: tolerating(", effect: NoSchedule")},
	{name: "any-effect", tolerations: tolerating("")}, // which is for the scheduler only
	{name: "value", tolerations: "{key: example.com/drain, operator: Equal, value: later, effect: NoExecute}"},
	{name: "at-once", tolerations: tolerating(", effect: NoExecute, tolerationSeconds: 0")},
	{name: "negative", tolerations: tolerating(", effect: NoExecute, tolerationSeconds: -60")},
	{name: "soon", tolerations: tolerating(fmt.Sprintf(", effect: NoExecute, tolerationSeconds: %d", soon)), seconds: soon},
	{name: "shortest", tolerations: tolerating(", effect: NoExecute, tolerationSeconds: 3600") + ", " +
		tolerating(fmt.Sprintf(", effect: NoExecute, tolerationSeconds: %d", soon)), seconds: soon},
	{name: "an-hour", tolerations: tolerating(", effect: NoExecute, tolerationSeconds: 3600"), seconds: 3600},
	{name: "ever", tolerations: tolerating(", effect: NoExecute"), stays: true},
	{name: "longest", tolerations: tolerating(", effect: NoExecute, tolerationSeconds: 1") + ", " + tolerating(", effect: NoExecute"), stays: true},
	{name: "any-key", tolerations: "{operator: Exists, effect: NoExecute}", stays: true},
}

// inUse has a pool with a device for each of them, all of which are in use.
func inUse(pool string) string {
	var devices []string
	var users strings.Builder
	for _, one := range evictees {
		devices = append(devices, one.name)
		name := pool + "-" + one.name
		fmt.Fprintf(&users, `
apiVersion: v1
kind: Pod
metadata: {name: %[1]s, namespace: default, uid: %[1]s}
spec: {nodeName: n1, containers: [{name: c, image: i}], resourceClaims: [{name: r, resourceClaimName: %[1]s}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %[1]s, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: drained, tolerations: [%[4]s]}}]}}
status:
  allocation: {devices: {results: [{request: r, driver: drained.example.com, pool: %[2]s, device: %[3]s, tolerations: [%[4]s]}]}}
  reservedFor: [{resource: pods, name: %[1]s, uid: %[1]s}]
---`, name, pool, one.name, one.tolerations)
	}
	return onNode(sliceOf(pool, "drained", pool, 1, 1, devices...), "n1") + users.String()
}

func drainRule(pool, effect string) string {
	return fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: %[1]s}
spec: {deviceSelector: {driver: drained.example.com, pool: %[1]s}, taint: {key: example.com/drain, value: now, effect: %[2]s}}
---`, pool, effect)
}

// drainFates returns what is said to happen to each pod, by its device: of the plane, and of a snapshot of it. Both tell
// how long it is until then, each at its own time.
func (c *cluster) drainFates(t *testing.T) (all []map[string]string) {
	t.Helper()
	c.record(t)
	args := []string{"describe", "taintrule", "drain"}
	live, replayed := c.plugin(t, args...), offline(t, append(args, "--snapshot", c.recorded)...)
	for _, text := range []string{live.stdout, replayed.stdout} {
		_, table, found := strings.Cut(text, "Used by\n")
		if !found {
			t.Fatal(text)
		}
		table, _, _ = strings.Cut(table, "\n\n")
		fates := map[string]string{}
		for _, row := range strings.Split(table, "\n")[1:] {
			cells := regexp.MustCompile(` {2,}`).Split(strings.TrimSpace(row), -1)
			fates[cells[0]] = cells[len(cells)-1]
		}
		all = append(all, fates)
	}
	return all
}

// compare holds what is said of a pod to when the taint was added; it was said at some time between the two.
func (e evictee) compare(t *testing.T, said string, added, after, before time.Time) {
	t.Helper()
	at := added.Add(time.Duration(e.seconds) * time.Second)
	left, later := strings.CutPrefix(said, "evicted in ")
	switch {
	case e.stays:
		if said != "tolerates it" {
			t.Errorf("%s: %q", e.name, said)
		}
	case !later:
		if said != "evicted now" || at.After(before) {
			t.Errorf("%s goes at %v, and at %v it is said: %q", e.name, at, before, said)
		}
	default:
		unit := time.Second
		if strings.HasSuffix(left, "m") {
			unit = time.Minute
		}
		// The rest of a unit is not said, and clocks tell whole seconds.
		if in, err := time.ParseDuration(left); err != nil || at.Before(after.Add(in-time.Second)) || at.After(before.Add(in+unit)) {
			t.Errorf("%s goes at %v, and between %v and %v it is said: %q %v", e.name, at, after, before, said, err)
		}
	}
}

// evicted waits until the controller has deleted the pod, and returns when it did.
func (c *cluster) evicted(t *testing.T, pod string) (at time.Time) {
	t.Helper()
	harness.Eventually(t, func(ctx context.Context) error {
		found, err := c.client.CoreV1().Pods("default").Get(ctx, pod, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, condition := range found.Status.Conditions {
			if condition.Type == corev1.DisruptionTarget && condition.Reason == "DeletionByDeviceTaintManager" && found.DeletionTimestamp != nil {
				at = condition.LastTransitionTime.Time
				return nil
			}
		}
		return fmt.Errorf("%s is not evicted yet", pod)
	})
	return at
}

func TestTaintEviction(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.loadText(t, gpuClass("drained")+plainNode("n1", "", "v1.37.1")+inUse("drain")+inUse("inform"))
	// The rule that informs is there first: whoever is evicted under the other would be under it by then.
	c.apply(t, drainRule("inform", "None")+drainRule("drain", "NoExecute"))
	rule, err := c.client.ResourceV1().DeviceTaintRules().Get(t.Context(), "drain", metav1.GetOptions{})
	if err != nil || rule.Spec.Taint.TimeAdded == nil {
		t.Fatal(rule, err)
	}
	added := rule.Spec.Taint.TimeAdded.Time

	after := time.Now()
	all := c.drainFates(t)
	before := time.Now()
	for _, fates := range all {
		for _, one := range evictees {
			one.compare(t, fates[one.name], added, after, before)
		}
	}
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.compareEvictions(t, added)
	c.compareInformed(t)
}

// compareEvictions: those whose time comes are evicted then, and nobody else is.
func (c *cluster) compareEvictions(t *testing.T, added time.Time) {
	t.Helper()
	for _, one := range evictees {
		if one.stays || one.seconds > soon {
			continue
		}
		if at := c.evicted(t, "drain-"+one.name); at.Before(added.Add(time.Duration(one.seconds) * time.Second)) {
			t.Errorf("%s was tolerated for %d seconds from %v, and evicted at %v", one.name, one.seconds, added, at)
		}
	}
	all := c.drainFates(t)
	pods, err := c.client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	going := map[string]bool{}
	for _, pod := range pods.Items {
		going[pod.Name] = pod.DeletionTimestamp != nil
	}
	for _, one := range evictees {
		gone := !one.stays && one.seconds <= soon
		if is, there := going["drain-"+one.name]; !there || is != gone || going["inform-"+one.name] {
			t.Errorf("%s is evicted: %t, want %t; under a rule that only informs: %t", one.name, is, gone, going["inform-"+one.name])
		}
		for _, fates := range all {
			if (fates[one.name] == "is being deleted") != gone {
				t.Errorf("%s is evicted: %t, and it is said: %q", one.name, gone, fates[one.name])
			}
		}
	}
}

// counted matches what the controller says of a rule with the effect None, and what the plugin does.
var counted = regexp.MustCompile(`(\d+) published devices? selected.* (\d+) pods? would be evicted in 1 namespace`)
var foreseen = regexp.MustCompile(`only informs, about (\d+) devices; with NoExecute it would evict (\d+) pods at once, (\d+) pods? later; 3 pods tolerate it\.`)

// compareInformed: the controller's own dry run counts the same devices and pods.
func (c *cluster) compareInformed(t *testing.T) {
	t.Helper()
	var upstream []string
	harness.Eventually(t, func(ctx context.Context) error {
		rule, err := c.client.ResourceV1().DeviceTaintRules().Get(ctx, "inform", metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, condition := range rule.Status.Conditions {
			if upstream = counted.FindStringSubmatch(condition.Message); upstream != nil {
				return nil
			}
		}
		return fmt.Errorf("the controller has not counted yet: %v", rule.Status.Conditions)
	})
	c.record(t)
	text := strings.Join(strings.Fields(c.askText(t, "describe", "taintrule", "inform")), " ")
	ours := foreseen.FindStringSubmatch(text)
	if ours == nil {
		t.Fatal(text)
	}
	atOnce, _ := strconv.Atoi(ours[2])
	later, _ := strconv.Atoi(ours[3])
	if ours[1] != upstream[1] || strconv.Itoa(atOnce+later) != upstream[2] {
		t.Errorf("the controller says %q, and the plugin %q", upstream[0], ours[0])
	}
}

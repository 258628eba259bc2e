// This file is about what the scheduler does with pods of which the plugin said before what will become
// of them: whether they get a node, which, and with which devices; and when it gives up on them.

package agree_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"kubectl-dra/tests/cluster/harness"
)

// cases is how many pods wait at once: five for each special thing, or more.
const cases = 198

// wholeEvery is how many cases there are for each that is also explained over all nodes of the cluster.
const wholeEvery = 6

// opinion is what the plugin said of a pod, over the nodes of its case, while nothing moved.
type opinion struct{ explanation }

// looksAtNodes tells whether it is nodes that decide. A claim that only has to be created from its template
// does not keep a pod: the claim controller creates it.
func (o opinion) looksAtNodes() bool {
	return o.Verdict != "Blocked" || slices.Equal(codes(o.Blockers), []string{"ClaimNotCreated"})
}

// aborts tells whether the scheduler comes to something that ends its attempt for the whole pod.
func (o opinion) aborts() bool {
	return o.looksAtNodes() && slices.ContainsFunc(o.Nodes, func(node nodeReport) bool { return node.Aborts && node.passes() })
}

// takesBack tells whether the scheduler first has to take back what was allocated.
func (o opinion) takesBack() bool {
	return slices.ContainsFunc(o.Nodes, func(node nodeReport) bool {
		return slices.ContainsFunc(node.Reasons, func(r reason) bool {
			return r.Code == "ClaimElsewhere" && strings.Contains(r.Message, "can take that back")
		})
	})
}

// expects says what becomes of the pod: "Fits", "DoesNotFit", or "" where the plugin leaves it open.
func (o opinion) expects() string {
	switch {
	case !o.looksAtNodes():
		return "DoesNotFit"
	case o.Verdict != "Blocked":
		return strings.TrimPrefix(o.Verdict, "Undetermined")
	case o.aborts() || !slices.ContainsFunc(o.Nodes, nodeReport.open):
		return "DoesNotFit"
	case len(o.NotSimulated) > 0:
		return ""
	}
	return "Fits"
}

func TestSchedulerAgrees(t *testing.T) {
	t.Parallel()
	b := &builder{t: t, r: newRandom(t)}
	b.addNamespace()
	var all []*testCase
	for number := range cases {
		all = append(all, b.addCase(number))
	}
	counts := b.compareDecisions(t, all, harness.Options{})
	for wanted, least := range map[string]int{"Fits and scheduled": 20, "DoesNotFit and not scheduled": 20, "DoesNotFit and given up": 5,
		"Blocked and not scheduled": 20, "Blocked and scheduled": 1} {
		if counts[wanted] < least {
			t.Errorf("only %d pods are %s: this test says little", counts[wanted], wanted)
		}
	}
	expectAllReached(t, all, slices.Concat(stressed, outcomes))
}

// extendedCases is how many pods with extended resources wait at once.
const extendedCases = 40

func TestSchedulerAgreesOnExtendedResources(t *testing.T) {
	t.Parallel()
	b := &builder{t: t, r: newRandom(t)}
	b.addNamespace()
	var all []*testCase
	for number := range extendedCases {
		all = append(all, b.addStaged(number, extended[number%len(extended)], number/len(extended)))
	}
	counts := b.compareDecisions(t, all, harness.Options{})
	for wanted, least := range map[string]int{"Fits and scheduled": 10, "DoesNotFit and not scheduled": 5} {
		if counts[wanted] < least {
			t.Errorf("only %d pods are %s: this test says little", counts[wanted], wanted)
		}
	}
	expectAllReached(t, all, slices.Concat(extended, []feature{gaveSeveral, gaveSeveralNodes, gaveExtended, gaveByPlugin}))
}

// compareDecisions asks the plugin about all pods while nothing moves, lets the scheduler decide, and compares.
// It counts how pods ended.
func (b *builder) compareDecisions(t *testing.T, all []*testCase, options harness.Options) map[string]int {
	t.Helper()
	c := newCluster(t, options)
	c.load(t, &b.Scene)
	opinions := map[string]opinion{}
	for _, one := range all {
		opinions[one.pod.Name] = c.opinion(t, one)
	}
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func(ctx context.Context) error { return c.decided(ctx, opinions) })
	c.passSentinel(t)

	counts := map[string]int{}
	for _, one := range all {
		t.Run(one.pod.Name, func(t *testing.T) {
			if opinions[one.pod.Name].Kind == "" {
				t.Fatal("the plugin has said nothing")
			}
			defer func() { // also when waiting was in vain
				if t.Failed() {
					t.Logf("%s %s:\n%s", one.special, one.stress, one.text())
				}
			}()
			result := c.compareDecision(t, one, opinions[one.pod.Name])
			counts[opinions[one.pod.Name].Verdict+" and "+result]++
		})
	}
	t.Logf("%s", words(counts))
	return counts
}

// decision is what became of a pod.
type decision struct {
	pod     *corev1.Pod
	devices []allocated  // of the claims that were pending or are taken back, in the order of the plugin's claims
	nodes   []claimNodes // of these claims
	has     bool         // a node, or at least the devices
	givenUp bool
}

// compareDecision demands that the plugin had foreseen what happened, and says what that is.
func (c *cluster) compareDecision(t *testing.T, one *testCase, o opinion) string {
	d := c.decision(t, one.pod.Name, o)
	if one.special == notReserved && o.expects() != "DoesNotFit" {
		harness.Eventually(t, func(context.Context) error {
			if d = c.decision(t, one.pod.Name, o); !d.has {
				return fmt.Errorf("%s has no node: %+v", one.pod.Name, scheduled(d.pod))
			}
			return nil
		})
	}
	said := fmt.Sprintf("the plugin said %s: %s\nthe scheduler put it on %q: %+v", o.Verdict, o.Summary, d.pod.Spec.NodeName, scheduled(d.pod))
	if expects := o.expects(); expects != "" && (expects == "Fits") != d.has {
		t.Errorf("it should be %s, and has devices: %t\n%s", expects, d.has, said)
	}
	// A filter that is not simulated comes before the one for devices.
	if d.givenUp != o.aborts() && (d.givenUp || len(o.NotSimulated) == 0) {
		t.Errorf("the scheduler gives up: %t, and should: %t\n%s", d.givenUp, o.aborts(), said)
	}
	if o.Verdict == "Undetermined" && len(o.NotSimulated) == 0 && !o.takesBack() {
		t.Errorf("nothing is named that is not known\n%s", said)
	}
	if d.has {
		comparePlace(t, o, d, said)
	}
	one.note(o, d)
	switch {
	case d.has:
		return "scheduled"
	case d.givenUp:
		return "given up"
	}
	return "not scheduled"
}

// comparePlace demands that the pod is on a node to which it could go, with the devices foreseen there.
func comparePlace(t *testing.T, o opinion, d decision, said string) {
	t.Helper()
	if o.takesBack() {
		return // it was allocated when the plugin was asked
	}
	var foreseen []string
	for _, node := range o.Nodes {
		if !node.open() || d.pod.Spec.NodeName != "" && d.pod.Spec.NodeName != node.Name {
			continue
		}
		if slices.EqualFunc(node.Allocation, d.devices, allocated.same) {
			compareSelected(t, node, d)
			return
		}
		foreseen = append(foreseen, fmt.Sprintf("%s: %+v", node.Name, node.Allocation))
	}
	t.Errorf("the devices are %+v\nand should be one of\n%s\n%s", d.devices, strings.Join(foreseen, "\n"), said)
}

// compareSelected demands that each claim can be used where the plugin said.
func compareSelected(t *testing.T, node nodeReport, d decision) {
	t.Helper()
	for _, got := range d.nodes {
		i := slices.IndexFunc(node.NodeSelectors, func(want claimNodes) bool { return want.Claim == got.Claim })
		if i < 0 || !equality.Semantic.DeepEqual(node.NodeSelectors[i].NodeSelector, got.NodeSelector) {
			t.Errorf("claim %s is for the nodes %+v, and should be for one of %+v", got.Claim, got.NodeSelector, node.NodeSelectors)
		}
	}
}

// same compares all there is; amounts may be written in several ways.
func (a allocated) same(b allocated) bool {
	return a.Claim == b.Claim && a.Request == b.Request && a.Driver == b.Driver && a.Pool == b.Pool && a.Device == b.Device &&
		a.ShareID == b.ShareID && a.AdminAccess == b.AdminAccess && sameAmounts(a.ConsumedCapacity, b.ConsumedCapacity)
}

// decision reads what became of the pod.
func (c *cluster) decision(t *testing.T, name string, o opinion) decision {
	t.Helper()
	pod, err := c.client.CoreV1().Pods(namespace).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d := decision{pod: pod, has: pod.Spec.NodeName != ""}
	if condition := scheduled(pod); condition != nil {
		d.givenUp = condition.Reason == corev1.PodReasonSchedulerError
	}
	waits := len(o.Claims) > 0 // for devices that were allocated and reserved for it, until they are ready
	for _, report := range o.Claims {
		if report.State != "pending" && report.State != "notCreated" && !o.takesBack() {
			continue
		}
		devices, nodes, reserved := c.devicesOf(t, pod, report)
		d.devices, d.nodes = append(d.devices, devices...), append(d.nodes, nodes...)
		waits = waits && reserved
	}
	d.has = d.has || waits && len(d.devices) > 0
	return d
}

// devicesOf returns what a claim of the pod has been given, for which nodes, and whether it is reserved for the pod.
func (c *cluster) devicesOf(t *testing.T, pod *corev1.Pod, report claimReport) (devices []allocated, nodes []claimNodes, reserved bool) {
	t.Helper()
	name, label := report.Name, report.Namespace+"/"+report.Name
	if name == "" {
		label = report.PodClaim
		for _, status := range pod.Status.ResourceClaimStatuses {
			if status.Name == report.PodClaim && status.ResourceClaimName != nil {
				name = *status.ResourceClaimName
			}
		}
		if made := pod.Status.ExtendedResourceClaimStatus; made != nil && name == "" {
			name = made.ResourceClaimName
		}
	}
	claims, err := c.client.ResourceV1().ResourceClaims(namespace).List(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		t.Fatal(err)
	}
	if name == "" || len(claims.Items) == 0 || claims.Items[0].Status.Allocation == nil {
		return nil, nil, false
	}
	claim := claims.Items[0]
	nodes = []claimNodes{{label, claim.Status.Allocation.NodeSelector}}
	for _, result := range claim.Status.Allocation.Devices.Results {
		one := allocated{Claim: label, Request: result.Request, Driver: result.Driver, Pool: result.Pool, Device: result.Device,
			ShareID: result.ShareID != nil, AdminAccess: result.AdminAccess != nil && *result.AdminAccess, ConsumedCapacity: map[string]string{}}
		for capacity, amount := range result.ConsumedCapacity {
			one.ConsumedCapacity[string(capacity)] = amount.String()
		}
		devices = append(devices, one)
	}
	for _, consumer := range claim.Status.ReservedFor {
		reserved = reserved || consumer.UID == pod.UID
	}
	return devices, nodes, reserved
}

// opinion asks about the pod on the nodes of its case, and in some cases about all nodes: it can go to no
// others, so the verdict has to be the same.
func (c *cluster) opinion(t *testing.T, one *testCase) opinion {
	t.Helper()
	var o opinion
	args := []string{"explain", "pod", one.pod.Name, "-n", namespace, "-o", "json", "--snapshot", c.recorded}
	for _, node := range one.nodes {
		args = append(args, "--node="+node)
	}
	got := offline(t, args...)
	if got.stdout == "" {
		t.Errorf("%q: %+v\n%s", args, got, one.text())
		return o
	}
	decode(t, got.stdout, &o.explanation)
	if o.Kind != "Explanation" || len(o.Nodes) != len(one.nodes) || o.Verdict == "Scheduled" {
		t.Errorf("%s: %s %s of %d nodes instead of %d", one.pod.Name, o.Kind, o.Verdict, len(o.Nodes), len(one.nodes))
	}
	if one.number%wholeEvery == 0 {
		whole := c.explain(t, namespace, one.pod.Name)
		if whole.Verdict != o.Verdict || slices.ContainsFunc(whole.Nodes, func(node nodeReport) bool { return node.open() && !slices.Contains(one.nodes, node.Name) }) {
			t.Errorf("%s: %s with its nodes alone, with all: %s", one.pod.Name, o.Summary, whole.Summary)
		}
	}
	return o
}

// decided complains about pods that the scheduler has not decided on. It says nothing of those that it
// does not even queue, so these must be what the plugin calls blocked.
func (c *cluster) decided(ctx context.Context, opinions map[string]opinion) error {
	pods, err := c.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	claims, err := c.client.ResourceV1().ResourceClaims(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	reserved := map[string]bool{} // names of pods that may wait for devices without the scheduler saying so
	for _, claim := range claims.Items {
		for _, consumer := range claim.Status.ReservedFor {
			reserved[consumer.Name] = true
		}
	}
	for _, pod := range pods.Items {
		o, waits := opinions[pod.Name]
		if waits && scheduled(&pod) == nil && !reserved[pod.Name] && o.looksAtNodes() {
			return fmt.Errorf("the scheduler has not decided on %s: %s", pod.Name, o.Summary)
		}
	}
	return nil
}

// passSentinel adds a pod to which nothing stands in the way, and waits until it has a node: then the
// scheduler has looked at all that waited before.
func (c *cluster) passSentinel(t *testing.T) {
	t.Helper()
	pods := c.client.CoreV1().Pods(namespace)
	for _, name := range []string{"sentinel-1", "sentinel-2"} {
		if _, err := pods.Create(t.Context(), newPod(name), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		harness.Eventually(t, func(ctx context.Context) error {
			pod, err := pods.Get(ctx, name, metav1.GetOptions{})
			if err == nil && pod.Spec.NodeName == "" {
				err = fmt.Errorf("%s has no node: %v", name, pod.Status.Conditions)
			}
			return err
		})
	}
}

// text is the case as a scene that can be read again.
func (c *testCase) text() string {
	var documents []string
	for _, object := range c.Objects[c.from:c.to] {
		text, err := yaml.Marshal(object.Object)
		if err != nil {
			c.t.Fatal(err)
		}
		documents = append(documents, string(text))
	}
	return strings.Join(documents, "---\n")
}

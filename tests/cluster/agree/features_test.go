// This file is about what the invented cases have to reach between them, so that a generator that lost
// something is noticed.

package agree_test

import (
	"strings"
	"testing"
)

// feature is something that the scheduler knows, and a case makes use of.
type feature string

// What the generator puts into cases. Each is stressed in some of them, and comes up by chance in others.
const (
	severalDevices     feature = "count above one"
	allDevices         feature = "all devices"
	adminAccess        feature = "admin access"
	alternatives       feature = "alternatives"
	matchAttribute     feature = "matchAttribute"
	distinctAttribute  feature = "distinctAttribute"
	partialConstraint  feature = "constraint of some requests"
	deviceTaint        feature = "tainted device"
	deviceToleration   feature = "tolerated device taint"
	ruledTaint         feature = "taint rule"
	counters           feature = "shared counters"
	shareable          feature = "shareable device"
	requestPolicy      feature = "request policy"
	capacityRequest    feature = "capacity request"
	heldShares         feature = "shares held by others"
	heldDevices        feature = "devices held by others"
	severalClaims      feature = "several claims"
	severalRequests    feature = "several requests"
	selector           feature = "selector"
	incompletePool     feature = "incomplete pool"
	invalidPool        feature = "invalid pool"
	olderGeneration    feature = "older generation"
	newerElsewhere     feature = "newer generation elsewhere"
	perDeviceSelection feature = "perDeviceNodeSelection"
	nodeSelectorSlice  feature = "slice with nodeSelector"
	bindingConditions  feature = "binding conditions"
	podNodeSelector    feature = "node selector"
	nodeAffinity       feature = "node affinity"
	nodeTaint          feature = "tainted node"
	nodeToleration     feature = "tolerated node taint"
	cordonedNode       feature = "cordoned node"
	nodeResources      feature = "resources"
	hostPort           feature = "host port"
	podCount           feature = "no room for pods"
	notSimulated       feature = "not simulated"

	// These are scenes of their own.
	laterRequest   feature = "alternative given up for a later request"
	laterClaim     feature = "alternative given up for a later claim"
	otherDevices   feature = "devices given up for a constraint"
	partitions     feature = "partitions"
	sharesLeft     feature = "what others leave of a device"
	failsElsewhere feature = "selector that fails behind another filter"
	failsByPods    feature = "selector that fails behind a filter that looks at other pods"
	failsUnseen    feature = "selector that fails behind a filter that is not simulated"
	failsLater     feature = "selector that would fail for devices not needed"
	lastPools      feature = "pools with binding conditions come last"
	otherFilters   feature = "rejected by one other filter each"
	adminBeside    feature = "admin access beside a holder"

	// Of these a test of their own is made.
	extendedNamed    feature = "extended resources that classes name"
	extendedOwnName  feature = "extended resources with names of classes"
	extendedStarting feature = "extended resources of init containers"
	extendedByPlugin feature = "extended resources of device plugins"
	extendedBeside   feature = "extended resources beside a claim"
)

// stressed are the features of cases, in turn.
var stressed = []feature{severalDevices, allDevices, adminAccess, alternatives, matchAttribute, distinctAttribute,
	partialConstraint, deviceTaint, deviceToleration, ruledTaint, counters, shareable, requestPolicy, capacityRequest, heldShares,
	heldDevices, severalClaims, severalRequests, selector, incompletePool, invalidPool, olderGeneration, newerElsewhere,
	perDeviceSelection, nodeSelectorSlice, bindingConditions, podNodeSelector, nodeAffinity, nodeTaint, nodeToleration,
	cordonedNode, nodeResources, hostPort, podCount, notSimulated, laterRequest, laterClaim, otherDevices, partitions,
	sharesLeft, failsElsewhere, failsByPods, failsUnseen, failsLater, lastPools, otherFilters, adminBeside}

// extended are the features of cases about extended resources, in turn.
var extended = []feature{extendedNamed, extendedOwnName, extendedStarting, extendedByPlugin, extendedBeside}

// What comes out of cases, by the explanation, which is compared with what the scheduler does.
const (
	gaveSeveral      feature = "got several devices"
	gaveAlternative  feature = "got an alternative that is not the first"
	gaveShare        feature = "got a share"
	gaveAdmin        feature = "got admin access"
	gaveSeveralNodes feature = "had several nodes to choose from"
	gaveReservation  feature = "got devices and waits for them"
	gaveFromTemplate feature = "got devices for a claim that was not created yet"

	gaveExtended   feature = "got devices for extended resources"
	gaveByPlugin   feature = "got extended resources of a device plugin"
	endedHere      feature = "ended by an error of a node"
	endedElsewhere feature = "not ended by an error of a node that is rejected"
)

// outcomes are all of these, and the codes of other filters that alone keep a pod from a node on which
// its devices are.
var outcomes = []feature{gaveSeveral, gaveAlternative, gaveShare, gaveAdmin, gaveSeveralNodes, gaveReservation,
	gaveFromTemplate, endedHere, endedElsewhere, "NodeUnschedulable", "NodeTainted", "NodeAffinity", "NodeResources", "NodePorts"}

// reach notes that the case has something.
func (c *testCase) reach(what feature) { c.reached[what] = true }

// stresses tells whether the case is about the feature.
func (c *testCase) stresses(what feature) bool { return c.stress == what }

// draw decides whether something gets a feature: most often where the case is about it, else so many
// times of a hundred.
func (c *testCase) draw(what feature, percent int) bool {
	if c.stresses(what) && percent == 0 {
		percent = 100 // no other case has what never comes by itself
	} else if c.stresses(what) {
		percent = 80
	}
	if !chance(c.r, percent) {
		return false
	}
	c.reach(what)
	return true
}

// expectAllReached fails if one of the features is in no case.
func expectAllReached(t *testing.T, cases []*testCase, features []feature) {
	t.Helper()
	counts := map[string]int{}
	for _, one := range cases {
		for what := range one.reached {
			counts[string(what)]++
		}
	}
	t.Logf("%s", words(counts))
	for _, what := range features {
		if counts[string(what)] == 0 {
			t.Errorf("no case has: %s", what)
		}
	}
}

// note takes down what the case came to.
func (c *testCase) note(o opinion, d decision) {
	if d.givenUp {
		c.reach(endedHere)
	}
	open := 0
	for _, node := range o.Nodes {
		if node.open() {
			open++
		}
		if node.Aborts && !node.passes() && !d.givenUp {
			c.reach(endedElsewhere)
		}
		if node.Fits != nil && *node.Fits && len(node.OtherReasons) == 1 {
			c.reach(feature(node.OtherReasons[0].Code))
		}
	}
	if !d.has {
		return
	}
	if open > 1 {
		c.reach(gaveSeveralNodes)
	}
	if d.pod.Spec.NodeName == "" {
		c.reach(gaveReservation)
	}
	if o.Verdict == "Blocked" {
		c.reach(gaveFromTemplate)
	}
	if d.pod.Status.ExtendedResourceClaimStatus != nil {
		c.reach(gaveExtended)
	} else if c.stresses(extendedByPlugin) {
		c.reach(gaveByPlugin)
	}
	requests := map[string]bool{}
	for _, device := range d.devices {
		if requests[device.Claim+" "+device.Request] {
			c.reach(gaveSeveral)
		}
		requests[device.Claim+" "+device.Request] = true
		if device.ShareID {
			c.reach(gaveShare)
		}
		if device.AdminAccess {
			c.reach(gaveAdmin)
		}
		if _, alternative, isOne := strings.Cut(device.Request, "/"); isOne && alternative != "sub-0" {
			c.reach(gaveAlternative)
		}
	}
}

// This file is about flags that ask "what if": what the plugin says would be is what becomes of a copy of the scene in
// which it is so.

package agree_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kubectl-dra/tests/changes"
)

// leastAsked is how often each kind of change that has a flag is asked about.
const leastAsked = 3

// whatIfKinds are those that have one.
var whatIfKinds = []string{"setCount", "dropSelector", "tolerate", "tolerate node", "dropConstraint", "release", "addNode"}

// flagsFor are the flags that ask what would be if the changes were made; none if one of them has no flag.
func (s *adviceScene) flagsFor(all []changes.Change) (flags []string) {
	for _, one := range all {
		switch one.Kind() {
		case "setCount":
			flags = append(flags, fmt.Sprintf("--set=%s.count=%d", one.Request, one.Count))
		case "dropSelector":
			flags = append(flags, fmt.Sprintf("--without=selector/%s/%d", one.Request, one.Selector))
		case "tolerate", "tolerate node":
			flags = append(flags, strings.TrimSuffix(fmt.Sprintf("--tolerate=%s:%s", one.Toleration.Key, one.Toleration.Effect), ":"))
		case "dropConstraint":
			flags = append(flags, fmt.Sprintf("--without=constraint/%d", one.Constraint))
		case "release":
			for _, name := range one.Pods {
				flags = append(flags, "--without=pod/"+name)
			}
			for _, claim := range s.Claims {
				if name := namespace + "/" + claim.Name; len(claim.Status.ReservedFor) == 0 && slices.Contains(one.Claims, name) {
					flags = append(flags, "--without=claim/"+name)
				}
			}
		case "addNode":
			flags = append(flags, "--add-node-like="+one.Like)
		default:
			return nil
		}
	}
	return flags
}

// askWhatIf asks about one piece of the advice, another from scene to scene.
func (c *cluster) askWhatIf(t *testing.T, s *adviceScene, report *adviceReport) {
	t.Helper()
	for i := range report.Advice {
		at := (i + s.number/len(adviceStages)) % len(report.Advice)
		flags := s.flagsFor(report.Advice[at].All())
		if len(flags) == 0 {
			continue
		}
		args := append([]string{"explain", "pod", s.Pod.Name, "-n", namespace, "-o", "json"}, flags...)
		got := c.plugin(t, args...)
		if got.exit != verdictExits["Fits"] {
			t.Errorf("%q: %+v", flags, got)
			return
		}
		report.asked, report.whatIf = at, got.stdout
		return
	}
}

// whatIfFor is what was said of a scene, in the names of its copy.
func whatIfFor(t *testing.T, base *adviceScene, of *following, text string) *explanation {
	t.Helper()
	said := &explanation{}
	decode(t, strings.NewReplacer(base.prefix, of.prefix, "-like-1", changes.Added).Replace(text), said)
	return said
}

// compareWhatIf compares where pods went, and with which devices.
func (c *cluster) compareWhatIf(t *testing.T, all []*following) {
	t.Helper()
	asked := map[string]int{}
	for _, one := range all {
		if one.whatIf == nil {
			continue
		}
		asked[one.advice.Change.Kind()]++
		o := opinion{*one.whatIf}
		d := c.decision(t, one.Pod.Name, o)
		if o.Verdict != "Fits" || !d.has {
			t.Errorf("%s: %s, has devices: %t", one.advice.Message, o.Summary, d.has)
			continue
		}
		comparePlace(t, o, d, one.advice.Message)
	}
	for _, kind := range whatIfKinds {
		if asked[kind] < leastAsked {
			t.Errorf("what if, of %s: asked %d times only", kind, asked[kind])
		}
	}
}

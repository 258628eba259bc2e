// This file is about the golden scene of extended resources: what the plugin says of its pods is what becomes
// of them.

package agree_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"kubectl-dra/tests/cluster/harness"
)

func TestExtendedResources(t *testing.T) {
	t.Parallel()
	state := readGoldenScene(t, "extended-resources.yaml")
	c := newCluster(t, harness.Options{})
	c.load(t, state)
	wanted := map[string]string{"e1-fits": "Fits", "e2-too-many": "DoesNotFit", "e3-beside-a-claim": "DoesNotFit"}
	said := map[string]explanation{}
	for name, verdict := range wanted {
		said[name] = c.explain(t, "default", name)
		if said[name].Verdict != verdict {
			t.Errorf("%s: %s", name, said[name].Summary)
		}
	}
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, verdict := range wanted {
		pod := c.judged(t, "default", name)
		condition := scheduled(pod)
		if (verdict == "Fits") != (condition.Status == corev1.ConditionTrue) {
			t.Errorf("%s: the plugin says %s, the scheduler %s: %s", name, said[name].Summary, condition.Reason, condition.Message)
		}
		gives := condition.Reason == corev1.PodReasonSchedulerError
		if o := (opinion{said[name]}); o.aborts() != gives {
			t.Errorf("%s: the plugin says %s, the scheduler %s: %s", name, said[name].Summary, condition.Reason, condition.Message)
		}
	}
}

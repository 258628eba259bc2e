// This file is about faults that the controllers and the scheduler of a live plane make into troubles, one in a namespace:
// doctor has to find each there, and nothing else.

package agree_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/harness"
)

// liveFault is what is applied in a namespace of its own, and the codes with the first subjects that doctor shall report.
type liveFault struct {
	name string
	text string
	want []string
}

// claimTemplate asks so of the class well.
func claimTemplate(more string) string {
	return fmt.Sprintf(`
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: well%s}}]}}}
---`, more)
}

func claiming(name, more string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {name: %s}
spec: {%scontainers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}], resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]}
---`, name, more)
}

func quotaOf(hard string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: ResourceQuota
metadata: {name: tight}
spec: {hard: {%s}}
---`, hard)
}

func selecting(expression string) string {
	return fmt.Sprintf(", selectors: [{cel: {expression: %q}}]", expression)
}

// making is a workload in the namespace that it is applied to, whose pods use template t.
func making(kind, api, name, fields string) string {
	return strings.Replace(workload(kind, api, name, fields, "t", "100m"), ", namespace: default", "", 1)
}

var liveFaults = []liveFault{
	{"quota-of-pods", quotaOf("pods: 0") + claimTemplate("") + making("Deployment", "apps/v1", "web", "replicas: 1"),
		[]string{"PodsNotCreated web"}},
	{"quota-of-pods-of-a-job", quotaOf("count/pods: 0") + claimTemplate("") + making("Job", "batch/v1", "fit", "parallelism: 1, completions: 1"),
		[]string{"PodsNotCreated fit"}},
	{"quota-of-pods-of-each-node", quotaOf("pods: 0") + claimTemplate("") + making("DaemonSet", "apps/v1", "each", "minReadySeconds: 1"),
		[]string{"PodsNotCreated each"}},
	{"quota-of-claims", quotaOf("count/resourceclaims.resource.k8s.io: 0") + claimTemplate("") + claiming("p", ""),
		[]string{"ClaimCreationFailed p"}},
	{"quota-of-devices", quotaOf("well.deviceclass.resource.k8s.io/devices: 1") + claimTemplate(", count: 2") + claiming("p", ""),
		[]string{"ClaimCreationFailed p"}},
	{"no-template", claiming("p", ""), []string{"TemplateMissing p"}},
	{"no-claim", strings.Replace(claiming("p", ""), "resourceClaimTemplateName", "resourceClaimName", 1), []string{"ClaimMissing p"}},
	{"no-class", strings.Replace(claimTemplate(""), "well", "wel", 1) + claiming("p", ""), []string{"ClassMissing p"}},
	{"more-than-there-are", claimTemplate(", count: 3") + making("StatefulSet", "apps/v1", "big", "replicas: 2, serviceName: x, podManagementPolicy: Parallel"),
		[]string{"CountShort big-0"}},
	{"no-such-attribute", claimTemplate(selecting("device.attributes['well.example.com'].nosuch == 1")) + claiming("p", ""),
		[]string{"SelectorError p"}},
	{"no-match", claimTemplate(selecting("device.driver == 'other.example.com'")) + claiming("p", ""), []string{"NoMatch p"}},
	{"other-node", claimTemplate("") + claiming("p", "nodeSelector: {for: nobody}, "), []string{"NodeAffinity p"}},
	{"no-scheduler", claimTemplate("") + claiming("p", "schedulerName: nobody, "), []string{"OtherScheduler p"}},
	{"gate", claimTemplate("") + claiming("p", "schedulingGates: [{name: example.com/wait}], "), []string{"SchedulingGated p"}},
	{"well", claimTemplate(""), nil},
}

func TestLiveFaults(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.loadText(t, gpuClass("well")+plainNode("n1", "", "v1.37.1")+onNode(sliceOf("well", "well", "n1", 1, 1, "a", "b"), "n1"))
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, one := range liveFaults {
		c.apply(t, fmt.Sprintf("\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n---", one.name)+
			strings.ReplaceAll(one.text, "metadata: {name:", "metadata: {namespace: "+one.name+", name:"))
	}
	for _, one := range liveFaults {
		t.Run(one.name, func(t *testing.T) {
			harness.Eventually(t, func(context.Context) error {
				answer := c.plugin(t, "doctor", "-n", one.name, "-o", "json")
				if got := problemsOf(t, answer.stdout); !slices.Equal(got, one.want) {
					return fmt.Errorf("found %q, want %q:\n%s", got, one.want, c.plugin(t, "doctor", "-n", one.name).stdout)
				}
				return nil
			})
		})
	}
}

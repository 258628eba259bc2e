// This file is about quotas: of generated namespaces the plugin foretells what the server then refuses to create.

package validate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/soak"
)

const (
	quotaNamespaces = 60
	perNamespace    = 8 // claims and templates
)

// quotaClasses serve an extended resource each, or none.
var quotaClasses = map[string]string{"gpu.example.com": "example.com/gpu", "nic.example.com": ""}

// quotaResources are what quotas may name, with what they are about or not.
var quotaResources = []string{
	"count/resourceclaims.resource.k8s.io",
	"count/resourceclaimtemplates.resource.k8s.io",
	"gpu.example.com.deviceclass.resource.k8s.io/devices",
	"nic.example.com.deviceclass.resource.k8s.io/devices",
	"requests.example.com/gpu",
	"requests.example.com/other",
	"requests.deviceclass.resource.kubernetes.io/gpu.example.com",
	"requests.deviceclass.resource.kubernetes.io/nic.example.com",
	"pods",
}

type quotaWorld struct {
	random *rand.Rand
	o      *oracle
}

// TestQuotas has the plugin foretell of each object whether quotas let it be created, and then creates them in that order.
func TestQuotas(t *testing.T) {
	t.Parallel()
	for _, s := range []setting{{name: "default-gates"}, {name: "extended", gates: map[string]bool{"DRAExtendedResource": true}}} {
		t.Run(s.name, func(t *testing.T) {
			w := quotaWorld{seeded(t, 2), newOracle(t, s.gates)}
			for class, resource := range quotaClasses {
				spec := tree{}
				if resource != "" {
					spec["extendedResourceName"] = resource
				}
				w.o.mustCreate(t, "/apis/resource.k8s.io/v1/deviceclasses",
					text(t, tree{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": tree{"name": class}, "spec": spec}))
			}
			var objects []tree
			for i := range quotaNamespaces * soak.Times() {
				objects = append(objects, w.namespace(t, fmt.Sprintf("quota-%d", i))...)
			}
			w.waitUntilSeen(t)
			foretold := w.foretell(t, objects)
			refused := 0
			for i, object := range objects {
				reason := w.create(t, object)
				if reason != "" {
					refused++
				}
				if foretold[i] != (reason != "") {
					t.Errorf("%s: foretold %v, the server says %q", text(t, object), foretold[i], reason)
				}
			}
			t.Logf("%d of %d objects refused", refused, len(objects))
			if refused < len(objects)/20 || refused > len(objects)*9/10 {
				t.Errorf("%d of %d objects are refused: the quotas test little", refused, len(objects))
			}
		})
	}
}

func text(t *testing.T, object tree) string {
	t.Helper()
	bytes, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes)
}

// namespace creates one with quotas, and returns objects that are to be created in it.
func (w quotaWorld) namespace(t *testing.T, name string) []tree {
	t.Helper()
	w.o.mustCreate(t, "/api/v1/namespaces", text(t, tree{"metadata": tree{"name": name}}))
	for i := range 1 + w.random.IntN(2) {
		w.quota(t, name, fmt.Sprintf("quota-%d", i))
	}
	var objects []tree
	for i := range perNamespace {
		meta := tree{"name": fmt.Sprintf("object-%d", i), "namespace": name}
		spec := tree{"devices": tree{"requests": w.requests()}}
		if w.random.IntN(4) == 0 {
			objects = append(objects, tree{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": meta, "spec": tree{"spec": spec}})
		} else {
			objects = append(objects, tree{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": meta, "spec": spec})
		}
	}
	return objects
}

func (w quotaWorld) requests() []any {
	exactly := func() tree {
		exact := tree{"deviceClassName": pick(w.random, "gpu.example.com", "nic.example.com", "other.example.com")}
		switch w.random.IntN(6) {
		case 0:
			exact["allocationMode"] = "All"
		case 1, 2:
			exact["count"] = 1 + w.random.IntN(4)
		}
		return exact
	}
	var requests []any
	for i := range 1 + w.random.IntN(3) {
		request := tree{"name": fmt.Sprintf("r%d", i)}
		if w.random.IntN(3) == 0 {
			var alternatives []any
			for j := range 1 + w.random.IntN(3) {
				one := exactly()
				one["name"] = fmt.Sprintf("a%d", j)
				alternatives = append(alternatives, one)
			}
			request["firstAvailable"] = alternatives
		} else {
			request["exactly"] = exactly()
		}
		requests = append(requests, request)
	}
	return requests
}

func pick[T any](random *rand.Rand, choices ...T) T { return choices[random.IntN(len(choices))] }

// quota creates one that is counted already, or almost.
func (w quotaWorld) quota(t *testing.T, namespace, name string) {
	t.Helper()
	hard, used := tree{}, tree{}
	for _, resource := range quotaResources {
		if w.random.IntN(4) != 0 {
			continue
		}
		limit := pick(w.random, 0, 2, 5, 40, 100)
		hard[resource] = pick(w.random, fmt.Sprint(limit), fmt.Sprintf("%dk", limit))
		if w.random.IntN(12) != 0 {
			used[resource] = fmt.Sprint(w.random.IntN(limit + 1))
		}
	}
	spec := tree{"hard": hard}
	if _, pods := hard["pods"]; pods && len(hard) == 1 && w.random.IntN(2) == 0 {
		spec["scopes"] = []any{"BestEffort"}
	}
	path := "/api/v1/namespaces/" + namespace + "/resourcequotas"
	quota := tree{"metadata": tree{"name": name}, "spec": spec}
	w.o.mustCreate(t, path, text(t, quota))
	quota["status"] = tree{"hard": hard, "used": used}
	if status, answer, err := w.o.send(t.Context(), http.MethodPut, path+"/"+name+"/status", []byte(text(t, quota))); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %s %v", text(t, quota), status, answer, err)
	}
}

// waitUntilSeen returns when the server's admission has seen all quotas: it learns of them in the order of their making.
func (w quotaWorld) waitUntilSeen(t *testing.T) {
	t.Helper()
	w.o.mustCreate(t, "/api/v1/namespaces", `{"metadata":{"name":"last"}}`)
	path := "/api/v1/namespaces/last/resourcequotas"
	hard := tree{"hard": tree{"count/secrets": "0"}}
	w.o.mustCreate(t, path, text(t, tree{"metadata": tree{"name": "none"}, "spec": hard}))
	body := text(t, tree{"metadata": tree{"name": "none"}, "spec": hard, "status": tree{"hard": tree{"count/secrets": "0"}, "used": tree{"count/secrets": "0"}}})
	if status, answer, err := w.o.send(t.Context(), http.MethodPut, path+"/none/status", []byte(body)); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	w.o.waitFor(t, "the last quota to refuse", func() (bool, error) {
		status, _, err := w.o.post(t.Context(), "/api/v1/namespaces/last/secrets?dryRun=All", []byte(`{"metadata":{"name":"s"}}`))
		return status == http.StatusForbidden, err
	})
}

// foretell tells of each object whether the plugin finds quotas that refuse it.
func (w quotaWorld) foretell(t *testing.T, objects []tree) []bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "objects.json")
	if err := os.WriteFile(file, []byte(text(t, tree{"apiVersion": "v1", "kind": "List", "items": objects})), 0o600); err != nil {
		t.Fatal(err)
	}
	kubeconfig := w.o.as(t, harness.Admin).kubeconfig
	findings := runPluginWith(t, "", "--against", "cluster", "--kubeconfig", kubeconfig, "-f", file)[file]
	var refused []string
	for _, f := range findings {
		if f.Severity == "error" {
			if f.Type != "Forbidden" || f.Path != "" || !strings.Contains(f.Message, "resource quota quota-") {
				t.Errorf("%+v", f)
			}
			refused = append(refused, f.Object)
		}
	}
	foretold := make([]bool, len(objects))
	for i, object := range objects {
		meta := object["metadata"].(tree)
		foretold[i] = slices.Contains(refused, fmt.Sprintf("%s %s/%s", object["kind"], meta["namespace"], meta["name"]))
	}
	return foretold
}

// create returns why the server refuses the object, or nothing.
func (w quotaWorld) create(t *testing.T, object tree) string {
	t.Helper()
	plural := map[string]string{"ResourceClaim": "resourceclaims", "ResourceClaimTemplate": "resourceclaimtemplates"}[object["kind"].(string)]
	path := fmt.Sprintf("/apis/resource.k8s.io/v1/namespaces/%s/%s", object["metadata"].(tree)["namespace"], plural)
	status, answer, err := w.o.post(t.Context(), path, []byte(text(t, object)))
	if err != nil {
		t.Fatal(err)
	}
	if status == http.StatusCreated {
		return ""
	}
	var refusal metav1.Status
	if err := json.Unmarshal(answer, &refusal); err != nil || refusal.Reason != metav1.StatusReasonForbidden {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	return refusal.Message
}

// This file is about pods for device plugins: what convert makes of them must be accepted by the API server.

package validate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"kubectl-dra/tests/cluster/manifests"
)

// pluginResources are resources of device plugins, of every row of src/checks/convert/plugin_resources.cpp.
var pluginResources = []string{
	"amd.com/gpu", "amd.com/cpx_nps4", "aws.amazon.com/neuron", "aws.amazon.com/neurondevice", "google.com/tpu",
	"gpu.intel.com/i915", "gpu.intel.com/xe", "habana.ai/gaudi", "nvidia.com/gpu", "nvidia.com/mig-1g.10gb.me",
	"qat.intel.com/generic", "qat.intel.com/cy", "qat.intel.com/dc", "vpc.amazonaws.com/efa",
}

type tree = map[string]any

// podShapes are pods that ask for a resource in different ways, of TPUs for as many as hosts have.
func podShapes(resource string) map[string]tree {
	container := func(name string, amount any) tree {
		return tree{"name": name, "image": "registry.example/x:1",
			"resources": tree{"limits": tree{"memory": "1Gi", resource: amount}}}
	}
	bare := container("b", 1)
	bare["resources"] = tree{"limits": tree{resource: "1"}, "requests": tree{resource: "1"}}
	two := container("main", 2)
	two["resources"].(tree)["limits"].(tree)["nvidia.com/gpu"] = "2"
	sidecar := container("side", 1)
	sidecar["restartPolicy"] = "Always"
	claims := container("main", 1)
	claims["resources"].(tree)["claims"] = []any{tree{"name": "gpu"}}
	return map[string]tree{
		"one":            {"containers": []any{container("main", 4)}},
		"several":        {"containers": []any{container("a", 2), bare, container("c", 1)}},
		"two resources":  {"containers": []any{two}},
		"init":           {"initContainers": []any{container("init", 7), sidecar}, "containers": []any{container("a", 4), bare}},
		"claims already": {"containers": []any{claims}, "resourceClaims": []any{tree{"name": "gpu", "resourceClaimName": "mine"}}},
		"on GKE": {"containers": []any{container("a", 4)}, "tolerations": []any{tree{"key": "other", "operator": "Exists"}},
			"nodeSelector": tree{"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "cloud.google.com/gke-tpu-topology": "2x2"}},
	}
}

// workload is a kind with pods. The server that is asked serves no kinds of add-ons: of these it is asked about the
// template alone.
type workload struct {
	kind, apiVersion string
	make             func(template tree) tree // its spec
	addOn            func(spec tree) any      // its template, if it is of an add-on
}

func field(names ...any) func(tree) any {
	return func(spec tree) any {
		var at any = spec
		for _, name := range names {
			if i, ok := name.(int); ok {
				at = at.([]any)[i]
			} else {
				at = at.(tree)[name.(string)]
			}
		}
		return at
	}
}

var workloads = []workload{
	{"Pod", "v1", func(template tree) tree { return template["spec"].(tree) }, nil},
	{"Deployment", "apps/v1", selecting, nil},
	{"ReplicaSet", "apps/v1", selecting, nil},
	{"StatefulSet", "apps/v1", selecting, nil},
	{"DaemonSet", "apps/v1", selecting, nil},
	{"Job", "batch/v1", once, nil},
	{"CronJob", "batch/v1", func(template tree) tree {
		return tree{"schedule": "0 0 * * *", "jobTemplate": tree{"spec": once(template)}}
	}, nil},
	{"JobSet", "jobset.x-k8s.io/v1alpha2", func(template tree) tree {
		return tree{"replicatedJobs": []any{tree{"name": "w", "template": tree{"spec": once(template)}}}}
	}, field("replicatedJobs", 0, "template", "spec", "template")},
	{"LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", func(template tree) tree {
		return tree{"leaderWorkerTemplate": tree{"workerTemplate": template}}
	}, field("leaderWorkerTemplate", "workerTemplate")},
	{"RayCluster", "ray.io/v1", func(template tree) tree {
		return tree{"workerGroupSpecs": []any{tree{"groupName": "g", "template": template}}}
	}, field("workerGroupSpecs", 0, "template")},
	{"MPIJob", "kubeflow.org/v2beta1", func(template tree) tree {
		return tree{"mpiReplicaSpecs": tree{"Worker": tree{"template": template}}}
	}, field("mpiReplicaSpecs", "Worker", "template")},
}

func selecting(template tree) tree {
	return tree{"selector": tree{"matchLabels": tree{"app": "work"}}, "template": template}
}

func once(template tree) tree {
	template["spec"].(tree)["restartPolicy"] = "Never"
	return tree{"template": template}
}

// TestConvertedPods has the server try to create what becomes of pods for device plugins, and the plugin validate it.
func TestConvertedPods(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), t.TempDir()
	var written []workload
	var names []string
	for _, resource := range pluginResources {
		for shape, pod := range podShapes(resource) {
			for _, w := range workloads {
				writeWorkload(t, w, pod, filepath.Join(from, fmt.Sprintf("%06d.yaml", len(written))))
				written, names = append(written, w), append(names, fmt.Sprintf("%s, %s, %s", w.kind, resource, shape))
			}
		}
	}
	printed := convertPods(t, from)
	if len(printed) != 2*len(written) {
		t.Fatalf("%d documents for %d files", len(printed), len(written))
	}
	if err := os.WriteFile(filepath.Join(to, "all.yaml"), []byte(strings.Join(printed, "\n---\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	var asked []*manifests.Manifest
	for i, w := range written {
		asked = append(asked, templateAndUser(t, w, names[i], printed[2*i:2*i+2])...)
	}
	t.Logf("%d objects", len(asked))
	answers := newOracle(t, nil).askAll(t, asked)
	for i, m := range asked {
		if answers[i].phase != accepted {
			t.Errorf("%s: %v\n%s", m.Changes, answers[i].causes, m.Text)
		}
	}
	for file, findings := range runPlugin(t, to, "") {
		t.Errorf("%s: %v", file, findings)
	}
}

func writeWorkload(t *testing.T, w workload, pod tree, file string) {
	t.Helper()
	template := tree{"metadata": tree{"labels": tree{"app": "work"}}, "spec": copied(t, pod)}
	object := tree{"apiVersion": w.apiVersion, "kind": w.kind,
		"metadata": tree{"name": "work", "namespace": manifests.PlainNamespace}, "spec": w.make(template)}
	text, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func copied(t *testing.T, value tree) tree {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var other tree
	if err := json.Unmarshal(text, &other); err != nil {
		t.Fatal(err)
	}
	return other
}

// convertPods returns what becomes of each file, in the order of their names. It fails if one had to be written anew.
func convertPods(t *testing.T, dir string) []string {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Getenv(pluginEnv), "convert", "--from-device-plugin", "-f", dir)
	var said bytes.Buffer
	command.Stderr = &said
	printed, err := command.Output()
	if err != nil || strings.Contains(said.String(), "written anew") {
		t.Fatalf("%v: %s", err, &said)
	}
	return strings.Split(strings.TrimSuffix(string(printed), "\n"), "\n---\n")
}

// templateAndUser are what the server is asked about: the template, and the workload that uses it.
func templateAndUser(t *testing.T, w workload, name string, parts []string) []*manifests.Manifest {
	t.Helper()
	var all []*manifests.Manifest
	for _, part := range parts {
		var object tree
		if err := yaml.Unmarshal([]byte(part), &object); err != nil {
			t.Fatal(err)
		}
		if w.addOn != nil && object["kind"] == w.kind {
			template := w.addOn(object["spec"].(tree))
			object = tree{"apiVersion": "v1", "kind": "PodTemplate", "metadata": object["metadata"], "template": template}
		}
		asJSON, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &manifests.Manifest{Kind: object["kind"].(string), APIVersion: object["apiVersion"].(string),
			Namespace: manifests.PlainNamespace, Changes: name, Text: string(asJSON)})
	}
	if all[0].Kind != "ResourceClaimTemplate" || strings.Contains(parts[1], "nvidia.com/gpu:") {
		t.Fatalf("%s became\n%s", name, strings.Join(parts, "\n---\n"))
	}
	return all
}

// This file is about what `get` lists besides kinds and names: files, subresources, and paths of the server.

package agree_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kubectl-dra/tests/cluster/harness"
)

// manifests are files that name objects of the fixture. Only kind and names count, not what else is in them.
var manifests = map[string]string{
	"claim.yaml":   naming("ResourceClaim", "team-a", "c04-shared"),
	"bare.yaml":    naming("ResourceClaim", "", "c04-shared"),
	"pod.yaml":     naming("Pod", "team-a", "share-a"),
	"node.json":    `{"apiVersion":"v1","kind":"Node","metadata":{"name":"gke-gpu-pool-7e1d55aa-b6tz"}}`,
	"class.yaml":   naming("DeviceClass", "", "gpu.nvidia.com"),
	"none.yaml":    naming("ResourceClaim", "team-a", "no-such-claim"),
	"elsewhere":    naming("ResourceClaim", "no-such-namespace", "c04-shared"),
	"two.yaml":     naming("ResourceClaim", "team-a", "c04-shared") + "---\n" + naming("ResourceClaim", "team-a", "c01-pending-unused"),
	"one-of-two":   naming("ResourceClaim", "team-a", "c04-shared") + "---\n" + naming("ResourceClaim", "team-a", "no-such-claim"),
	"several.yaml": "---\n" + naming("ResourceClaim", "team-a", "c04-shared") + "---\n---\n" + naming("Pod", "team-a", "share-b") + "---\n" + naming("ResourceClaimTemplate", "team-a", "one-gpu"),
	"namespaces":   naming("ResourceClaim", "gpu-monitoring", "c06-dcgm-admin") + "---\n" + naming("ResourceClaim", "team-a", "c04-shared"),
	"back.yaml":    naming("ResourceClaim", "team-a", "c04-shared") + "---\n" + naming("Pod", "team-a", "share-a") + "---\n" + naming("ResourceClaim", "team-a", "c01-pending-unused"),
	"list.json": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"share-a","namespace":"team-a"}},` +
		`{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c04-shared","namespace":"team-a"}}]}`,
	"typed.yaml": "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimList\nitems:\n- {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c04-shared, namespace: team-a}}\n",
	"empty.yaml": "", "blank.yaml": "---\n# nothing\n", "kindless.yaml": "metadata: {name: x}\n", "broken.yaml": "kind: [\n", "scalar.yaml": "text\n",
	"half-broken.yaml": naming("ResourceClaim", "team-a", "c04-shared") + "---\nkind: [\n",
	"folder/a.yaml":    naming("ResourceClaim", "team-a", "c04-shared"), "folder/b.json": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"share-a","namespace":"team-a"}}`,
	"folder/c.txt": "not read", "folder/deep/d.yml": naming("DeviceClass", "", "gpu.nvidia.com"),
	"deep/er/one.yaml": naming("ResourceClaim", "team-a", "c04-shared"), "alone/one.yaml": naming("ResourceClaim", "team-a", "c04-shared"),
	"kustomization/kustomization.yaml": "resources: []\n",
}

func naming(kind, namespace, name string) string {
	version := "resource.k8s.io/v1"
	if kind == "Pod" {
		version = "v1"
	}
	text := "apiVersion: " + version + "\nkind: " + kind + "\nmetadata:\n  name: " + name + "\n"
	if namespace != "" {
		text += "  namespace: " + namespace + "\n"
	}
	return text
}

// fileLists are asked of each file in the formats that tell a List from an object.
func fileLists() []choice {
	var lists []choice
	for file := range manifests {
		for _, format := range []choice{{"-o", "name"}, {"-o", "json"}, {"-o", "custom-columns=K:.kind,N:.metadata.name"}, {"-o", "jsonpath={.kind} {.items[*].kind}", "--ignore-not-found"}} {
			lists = append(lists, append(choice{"-f", file}, format...))
		}
	}
	for _, list := range []string{
		"-f claim.yaml", "-f claim.yaml --show-kind", "-f two.yaml -o name --sort-by {.metadata.name}", "-f node.json", "-f class.yaml",
		"-f claim.yaml -A", "-f bare.yaml -A -o name", "-f bare.yaml -n team-a -o name", "-f bare.yaml -n team-a", "-f claim.yaml -n team-a -o yaml", "-f claim.yaml -n other -o name",
		"-f namespaces -n team-a -o name", "-f namespaces -A", "-f namespaces", "-f claim.yaml -f pod.yaml -o json", "-f claim.yaml,pod.yaml -o name", "-f claim.yaml -f claim.yaml -o name",
		"-f folder -o name", "-f folder -R -o name", "-f folder --recursive -o json", "-f deep -o name", "-f deep -R -o json", "-f alone -o json", "-f no-such-file", "-f folder/c.txt -o name",
		"-f folder/*.yaml -o name", "-f fold*/?.json -o json", "-f [ac]l*.yaml -o name", "-f t*.yaml -o name", "-f f*r -o name", "-f de* -R -o name", "-f no-such* -o name",
		"-f claim[.yaml -o name", "-f folder/* -o name", "-f two.*,pod.* -o name",
		"-f none.yaml", "-f none.yaml --ignore-not-found", "-f none.yaml -f claim.yaml -o json", "-f none.yaml -f none.yaml -o json", "-f none.yaml -f none.yaml -o json --ignore-not-found",
		"-f two.yaml -l app=no-such -o name", "-f two.yaml -l !app -o name", "-f two.yaml -l !app -o json", "-f claim.yaml -l a=(", "-f claim.yaml -l no-such=label",
		"-f claim.yaml --field-selector metadata.name=x -o name", "-f claim.yaml --subresource status -o name", "-f claim.yaml --subresource=none -o json",
		"resourceclaims -f claim.yaml", "resourceclaims c04-shared -f claim.yaml", "resourceclaims/c04-shared -f claim.yaml", "resourceclaims,pods -f claim.yaml", "-R", "",
		"-k kustomization -f claim.yaml", "-k kustomization -R", "-k no-such-folder", "-f two.yaml -w", "-f none.yaml -w", "-f none.yaml -w --ignore-not-found",
	} {
		lists = append(lists, strings.Fields(list))
	}
	return lists
}

// subresourceLists name subresources that objects have, and that they do not have.
func subresourceLists() []choice {
	var lists []choice
	for _, subject := range []string{"resourceclaims c04-shared -n team-a", "resourceclaims c04-shared no-such c01-pending-unused -n team-a", "pods share-a -n team-a", "pods/share-a -n team-a",
		"nodes gke-gpu-pool-7e1d55aa-b6tz", "deviceclasses gpu.nvidia.com", "resourceclaimtemplates one-gpu -n team-a", "resourceclaims -A", "pods,resourceclaims -n team-a",
		"resourceclaims/c04-shared pods/share-a -n team-a", "resourceclaims no-such -n team-a --ignore-not-found"} {
		for _, flags := range []string{"--subresource=status -o json", "--subresource status", "--subresource=status -o name", "--subresource=no-such -o yaml", "--subresource=resize -o name", "--subresource="} {
			if strings.Contains(subject, " pods/") && !strings.Contains(flags, "-o") {
				continue // tables of several kinds have columns of their own
			}
			lists = append(lists, strings.Fields(subject+" "+flags))
		}
	}
	return lists
}

// listVersion is the version of a list, which grows with each write to the cluster, whatever is written.
var listVersion = regexp.MustCompile(`^(\{"kind":"\w+List","apiVersion":"[^"]+","metadata":\{"resourceVersion":")\d+`)

// rawLists ask for paths whose answer does not change, but for the version of a list.
func rawLists() []choice {
	var lists []choice
	for _, list := range []string{"/version", "/healthz", "/apis/resource.k8s.io", "/apis/resource.k8s.io/v1/deviceclasses/gpu.nvidia.com", "/api/v1/namespaces/team-a/pods?labelSelector=a%3Db",
		"/apis/resource.k8s.io/v1/namespaces/team-a/resourceclaims/c04-shared", "/apis/resource.k8s.io/v1/namespaces/team-a/resourceclaims/no-such", "/no-such-path", "no-slash", "",
		"/version -o json", "/version -l a=b", "/version -w", "/version --watch-only", "/version -A", "/version --show-labels", "/version --no-headers", "/version -f x", "https://example.com/version"} {
		fields := strings.Fields(list)
		if len(fields) == 0 {
			fields = []string{""}
		}
		lists = append(lists, append(choice{"--raw", fields[0]}, fields[1:]...))
	}
	return append(lists, choice{"pods", "--raw", "/version"}, choice{"pods,nodes", "--raw=/version"}, choice{"--raw=/a b"}, choice{"--raw=/a\nb"})
}

// TestGetSources compares standard output and exit codes.
func TestGetSources(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	dir := t.TempDir()
	for name, text := range manifests {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	with(t, c, readFixture(t, "claims.yaml"), func() {
		for _, name := range []string{"claim.yaml", "two.yaml", "several.yaml", "list.json", "none.yaml", "empty.yaml", "half-broken.yaml"} {
			t.Run(name+" as standard input", func(t *testing.T) { c.sameFed(t, manifests[name]) })
		}
		t.Run("", func(t *testing.T) {
			theirs := &inProcess{kubeconfig: c.kubeconfig, cache: t.TempDir()}
			for _, list := range slices.Concat(fileLists(), subresourceLists(), rawLists()) {
				t.Run(strings.Join(list, " "), func(t *testing.T) {
					t.Parallel()
					c.sameGet(t, theirs, within(dir, list))
				})
			}
		})
	})
}

// sameFed compares what both list of manifests on standard input.
func (c *cluster) sameFed(t *testing.T, text string) {
	t.Helper()
	for _, list := range []choice{{"-f", "-", "-o", "name"}, {"-o", "json", "-f", "-"}, {"-f", "-", "-f", "-", "-o", "name"}} {
		args := append(choice{"get"}, list...)
		want := feed(t, text, program(t, kubectlEnv), c.kubeconfig, args...)
		sameList(t, list, want, feed(t, text, program(t, pluginEnv), c.kubeconfig, args...))
	}
}

// within puts a folder before the files of a list.
func within(dir string, list choice) choice {
	list = slices.Clone(list)
	for i := 1; i < len(list); i++ {
		if list[i-1] == "-f" || list[i-1] == "-k" {
			list[i] = filepath.Join(dir, strings.ReplaceAll(list[i], ",", ","+dir+"/"))
		}
	}
	return list
}

// sameGet compares one list of `get`.
func (c *cluster) sameGet(t *testing.T, theirs *inProcess, list choice) {
	t.Helper()
	got := c.plugin(t, append([]string{"get"}, list...)...)
	want := theirs.get(t, list...)
	if slices.Contains(list, "--raw") || slices.Contains(list, "-k") {
		want.stdout, got.stdout = listVersion.ReplaceAllString(want.stdout, "${1}N"), listVersion.ReplaceAllString(got.stdout, "${1}N")
		sameResult(t, want, got)
		return
	}
	sameList(t, list, want, got)
}

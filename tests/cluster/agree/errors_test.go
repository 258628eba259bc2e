// This file is about servers that refuse: what is said then, and what is never said.

package agree_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kubectl-dra/tests/cluster/harness"
)

// as returns the same plane asked by someone else.
func (c *cluster) as(t *testing.T, user string) *cluster {
	t.Helper()
	other := *c
	other.kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := c.Kubeconfig(other.kubeconfig, user); err != nil {
		t.Fatal(err)
	}
	return &other
}

// grant lets a user list some kinds of resource.k8s.io, and perhaps pods, everywhere, and waits until that
// is so.
func (c *cluster) grant(t *testing.T, user string, resources ...string) {
	t.Helper()
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: user}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{"", "resource.k8s.io"}, Resources: resources, Verbs: []string{"list"}}}}
	if _, err := c.client.RbacV1().ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	c.bind(t, user, role.Name)
	config, err := c.RESTConfig(user)
	if err != nil {
		t.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(config).ResourceV1().RESTClient()
	harness.Eventually(t, func(ctx context.Context) error {
		return client.Get().Resource(resources[0]).Do(ctx).Error()
	})
}

// grantIn lets a user list what pods and their claims are made of, in one namespace.
func (c *cluster) grantIn(t *testing.T, user, ns string) {
	t.Helper()
	rules := []rbacv1.PolicyRule{{APIGroups: []string{"", "resource.k8s.io"}, Verbs: []string{"list"},
		Resources: []string{"pods", "events", "resourceclaims", "resourceclaimtemplates"}}}
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: user, Namespace: ns}, Rules: rules}
	if _, err := c.client.RbacV1().Roles(ns).Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: user, Namespace: ns},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.UserKind, Name: user}},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: user}}
	if _, err := c.client.RbacV1().RoleBindings(ns).Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// bind gives a user a role.
func (c *cluster) bind(t *testing.T, user, role string) {
	t.Helper()
	binding := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: user + "-" + role},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.UserKind, Name: user}},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role}}
	if _, err := c.client.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.load(t, readFixture(t, "device-taints.yaml"))
	c.grant(t, "bob", "resourceclaims")
	c.grant(t, "carol", "resourceslices", "devicetaintrules")
	t.Run("what cannot be reached", func(t *testing.T) { cannotReach(t, c) })
	t.Run("user without any right", func(t *testing.T) { mayNothing(t, c.as(t, "alice")) })
	t.Run("user who may list claims only", func(t *testing.T) { mayListClaims(t, c, c.as(t, "bob")) })
	t.Run("user who may not list claims", func(t *testing.T) { mayNotListClaims(t, c.as(t, "carol")) })
	t.Run("client certificate", func(t *testing.T) {
		certain := c.as(t, harness.AdminCert)
		for _, command := range []string{"devices", "pools"} {
			if want, got := c.plugin(t, command), certain.ask(t, command); want != got {
				t.Errorf("%s: want %+v\ngot  %+v", command, want, got)
			}
		}
	})
	t.Run("the token is never shown", func(t *testing.T) { keepsSecrets(t, c) })
}

// isError tells whether a line is an error as kubectl begins them.
func isError(line string) bool {
	return strings.HasPrefix(line, "error: ") || strings.HasPrefix(line, "Error from server (")
}

// fails demands exit code 1, nothing on standard output, and one error with these words in it.
func fails(t *testing.T, got outcome, words ...string) {
	t.Helper()
	first, _, _ := strings.Cut(got.stderr, "\n")
	for _, word := range words {
		if !strings.Contains(first, word) {
			t.Errorf("the first line does not say %q", word)
		}
	}
	if got.exit != 1 || got.stdout != "" || !isError(first) || slices.ContainsFunc(strings.Split(got.stderr, "\n")[1:], isError) {
		t.Errorf("not one error: %+v", got)
	}
	if t.Failed() {
		t.Logf("%+v", got)
	}
}

// cannotReach is about addresses and credentials that lead nowhere.
func cannotReach(t *testing.T, c *cluster) {
	const closed = "https://127.0.0.1:1"
	otherCA := filepath.Join(c.Dir, "client-ca.crt") // signs clients, not the server
	for _, test := range []struct {
		name  string
		args  []string
		words []string
	}{
		{"nobody listens", []string{"--server", closed}, []string{"refused", strings.TrimPrefix(closed, "https://")}},
		{"another CA", []string{"--certificate-authority", otherCA}, []string{"certificate"}},
		{"a token that nobody has", []string{"--token", "0123456789abcdef"}, []string{"You must be logged in to the server"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, command := range []string{"claims", "devices", "snapshot"} {
				got := c.plugin(t, append([]string{command}, test.args...)...)
				fails(t, got, test.words...)
				if strings.Contains(got.stderr, "0123456789abcdef") {
					t.Errorf("the token is in %q", got.stderr)
				}
			}
			if c.kubectl(t, append([]string{"get", "resourceclaims"}, test.args...)...).exit != 1 {
				t.Error("kubectl can")
			}
		})
	}
	if got := c.plugin(t, "claims", "--certificate-authority", c.CAFile); got.exit != 0 {
		t.Errorf("the right CA: %+v", got)
	}
	if got := c.plugin(t, "claims", "-A", "--insecure-skip-tls-verify"); got.exit != 0 {
		t.Errorf("no check of the certificate: %+v", got)
	}
}

// mayNothing is about a user whom every list is forbidden.
func mayNothing(t *testing.T, alice *cluster) {
	for command, resource := range map[string]string{"claims": "resourceclaims", "slices": "resourceslices", "pods": "pods"} {
		want := alice.kubectl(t, "get", resource)
		fails(t, alice.plugin(t, command), strings.TrimSpace(want.stderr))
	}
	fails(t, alice.plugin(t, "devices"), `resourceslices.resource.k8s.io is forbidden: User "alice" cannot list resource`)
	fails(t, alice.plugin(t, "explain", "pod", "any"), `pods is forbidden: User "alice" cannot list resource`)
	// What was forbidden when the snapshot was taken is not absent when it is read.
	alice.record(t)
	for _, command := range [][]string{{"claims", "-A"}, {"slices"}, {"pods", "-A"}, {"devices"}, {"pools"}} {
		alice.ask(t, command...)
	}
}

// mayListClaims is about a user who sees claims and nothing that they refer to.
func mayListClaims(t *testing.T, c, bob *cluster) {
	bob.record(t)
	got := bob.ask(t, "claims", "-A")
	if want := c.plugin(t, "claims", "-A"); withoutAges(got.stdout) != withoutAges(want.stdout) || got.exit != 0 {
		t.Errorf("%s%s", difference(want.stdout, got.stdout), got.stderr)
	}
	if !strings.HasPrefix(got.stderr, "warning: deviceclasses cannot be read") || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("not one warning: %q", got.stderr)
	}
	if want := c.kubectl(t, "get", "resourceclaims", "-A", "-o", "json"); bob.plugin(t, "claims", "-A", "-o", "json").stdout != want.stdout {
		t.Error("the claims as JSON differ from kubectl's")
	}
	fails(t, bob.plugin(t, "devices"), "resourceslices.resource.k8s.io is forbidden")
}

// mayNotListClaims is about a user who sees devices, but not who holds them.
func mayNotListClaims(t *testing.T, carol *cluster) {
	carol.record(t)
	var devices list[deviceRow]
	got := carol.report(t, &devices, nil, "devices")
	if !strings.Contains(got.stderr, "warning: resourceclaims cannot be read") {
		t.Errorf("no warning: %q", got.stderr)
	}
	unknown := 0
	for _, device := range devices.Items {
		if device.State == "free" || device.State == "shared" {
			t.Errorf("%s is %s, and nobody can know", device.Device, device.State)
		}
		if device.State == "unknown" {
			unknown++
		}
	}
	if unknown == 0 {
		t.Errorf("of %d devices none is unknown", len(devices.Items))
	}
	var coverage struct {
		Missing []struct{ Kind, Reason string }
	}
	if err := json.Unmarshal(devices.Coverage, &coverage); err != nil || len(coverage.Missing) != 1 ||
		coverage.Missing[0].Kind != "ResourceClaim" || !strings.Contains(coverage.Missing[0].Reason, "forbidden") {
		t.Errorf("coverage %s: %v", devices.Coverage, err)
	}
	var pools list[poolRow]
	carol.report(t, &pools, nil, "pools")
	for _, pool := range pools.Items {
		if valueOf(pool.Free) > 0 {
			t.Errorf("pool %s has %d free, and nobody can know", pool.Pool, *pool.Free)
		}
	}
}

// keepsSecrets looks for the token in everything that can be printed about requests that succeed and
// that fail, and in what is written.
func keepsSecrets(t *testing.T, c *cluster) {
	file := filepath.Join(t.TempDir(), "snapshot.json")
	carol := c.as(t, "carol")
	for _, asked := range []*cluster{c, carol} {
		token := c.Tokens[harness.Admin]
		if asked == carol {
			token = c.Tokens["carol"]
		}
		for _, args := range [][]string{
			{"claims", "-A"}, {"devices", "-o", "json"}, {"explain", "pod", "t01-pod", "-n", "team-a"}, {"snapshot", file},
			{"claims", "--token", token}, {"claims", "--server", "https://127.0.0.1:1"}, {"version"}, {"claims", "no-such-claim"},
		} {
			got := asked.plugin(t, append(args, "-v", "9")...)
			if strings.Contains(got.stdout+got.stderr, token) {
				t.Errorf("%v prints the token: %+v", args, got)
			}
			if args[0] == "claims" && !strings.Contains(got.stderr, "GET ") {
				t.Errorf("%v logs no request: %+v", args, got)
			}
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{token, strings.TrimPrefix(c.URL, "https://"), `"carol`, "carol\\"} {
			if strings.Contains(string(text), secret) {
				t.Errorf("the snapshot has %q in it: %s", secret, around(string(text), secret))
			}
		}
	}
}

// around shows where a word stands in a text.
func around(text, word string) string {
	at := strings.Index(text, word)
	return text[max(0, at-150):min(len(text), at+150)]
}

func TestClusterWithoutTheAPI(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{Serve: harness.None})
	for _, args := range [][]string{{"claims"}, {"claims", "-A", "-o", "json"}, {"slices"}, {"devices"}, {"pools"}, {"explain", "claim", "any"}, {"snapshot"}} {
		got := c.plugin(t, args...)
		fails(t, got, "does not serve the DRA API, group resource.k8s.io", "v1.37.1")
		if !strings.Contains(got.stderr, "since Kubernetes v1.34") || !slices.Contains([]int{1, 2}, strings.Count(got.stderr, "\n")) {
			t.Errorf("%v: %s", args, got.stderr)
		}
	}
	if got := c.kubectl(t, "get", "resourceclaims"); got.exit != 1 {
		t.Error(fmt.Sprintf("kubectl finds claims: %+v", got))
	}
}

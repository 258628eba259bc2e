// This file is about credentials: which plugin runs, what it is told, and which configuration is
// refused, by kubectl and by us, for the same files and flags.

package differential

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const kubectlEnv = "KUBECTL_DRA_KUBECTL"

// refusedConnection is what kubectl says once it has credentials and asks a server that is not there.
const refusedConnection = "connection to the server 127.0.0.1:1 was refused"

const (
	v1     = "apiVersion: client.authentication.k8s.io/v1"
	v1beta = "apiVersion: client.authentication.k8s.io/v1beta1"
	byPath = v1 + ", interactiveMode: Never, command: ./plugin"
	byName = v1 + ", interactiveMode: Never, command: plugin"
	beta   = "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n"
	list   = beta + "credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: "
	pem    = "LS0tLS1CRUdJTiBY"
)

type credentialsCase struct {
	name    string
	user    string // YAML in flow style; $ is the directory
	cluster string
	kuberc  string
	answer  string // of the plugin; empty: a token
	args    []string
}

// Where we refuse more than kubectl, on purpose, is in include/dra/session/kubeconfig.h, and not here.
var credentialsCases = []credentialsCase{
	{name: "a plugin by its path", user: "exec: {" + byPath + "}"},
	{name: "a plugin by its name", user: "exec: {" + byName + "}"},
	{name: "a plugin that is missing", user: "exec: {" + v1 + ", interactiveMode: Never, command: nowhere}"},
	{name: "arguments and environment", user: "exec: {" + byPath + ", args: [a b, '$HOME', ''], env: [{name: T_A, value: x}, {name: T_OLD, value: new}]}"},
	{name: "cluster info", user: "exec: {" + byPath + ", provideClusterInfo: true}"},
	{name: "cluster info with everything", user: "exec: {" + byPath + ", provideClusterInfo: true}",
		cluster: `, tls-server-name: sn, disable-compression: true, insecure-skip-tls-verify: true, extensions: [{name: x, extension: 1},
    {name: client.authentication.k8s.io/exec, extension: {z: "<a&b>", a: 1.50, list: [on, 0o17, 1e3, null, -0.0, 12345678901234567890, 1.5e300], "é": "\u2028x", o: {b: {}, a: []}}}]`},
	{name: "cluster info of flags", user: "exec: {" + byPath + ", provideClusterInfo: true}",
		args: []string{"--server=https://127.0.0.1:1/b?q", "--tls-server-name=n", "--insecure-skip-tls-verify", "--disable-compression"}},
	{name: "v1beta1 by default", user: "exec: {" + v1beta + ", command: ./plugin}", answer: `{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential","status":{"token":"t"}}`},
	{name: "IfAvailable", user: "exec: {" + v1 + ", interactiveMode: IfAvailable, command: ./plugin}"},
	{name: "Always without a terminal", user: "exec: {" + v1 + ", interactiveMode: Always, command: ./plugin}"},
	{name: "no interactiveMode", user: "exec: {" + v1 + ", command: ./plugin}"},
	{name: "an unknown interactiveMode", user: "exec: {" + v1 + ", interactiveMode: Now, command: ./plugin}"},
	{name: "v1alpha1", user: "exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: ./plugin}"},
	{name: "no apiVersion", user: "exec: {interactiveMode: Never, command: ./plugin}"},
	{name: "no command", user: "exec: {" + v1 + ", interactiveMode: Never}"},
	{name: "a nameless variable", user: "exec: {" + byPath + ", env: [{value: x}]}"},
	{name: "a token and a plugin", user: "token: t, exec: {" + byPath + "}"},
	{name: "a token by flag and a plugin", user: "exec: {" + byPath + "}", args: []string{"--token=t"}},
	{name: "a token file and a plugin", user: "tokenFile: token, exec: {" + byPath + "}"},
	{name: "a missing token file", user: "tokenFile: nowhere"},
	{name: "an auth-provider and a plugin", user: "auth-provider: {name: oidc}, exec: {" + byPath + "}"},
	{name: "the auth-provider gcp", user: "auth-provider: {name: gcp}"},
	{name: "an unknown auth-provider", user: "auth-provider: {name: x}"},
	{name: "a server without TLS", user: "exec: {" + byPath + "}", args: []string{"--server=http://127.0.0.1:1"}},
	{name: "a server without a scheme", user: "exec: {" + byPath + "}", args: []string{"--server=127.0.0.1:1", "--insecure-skip-tls-verify"}},
	{name: "a certificate without a key", user: "client-certificate-data: " + pem},
	{name: "a certificate as data and as file", user: "client-certificate-data: " + pem + ", client-certificate: f, client-key-data: " + pem},
	{name: "a missing certificate by flag", user: "token: t", args: []string{"--client-certificate=/nowhere", "--client-key=/nowhere"}},
	{name: "a CA as data and as file", user: "token: t", cluster: ", certificate-authority: token, certificate-authority-data: " + pem},
	{name: "a UID without a user", user: "token: t", args: []string{"--as-uid=1"}},
	{name: "groups without a user", user: "token: t, as-groups: [g]"},
	{name: "groups with a user by flag", user: "token: t, as-groups: [g]", args: []string{"--as=me"}},

	{name: "an answer in YAML", user: "exec: {" + byPath + "}", answer: v1 + "\nkind: ExecCredential\nstatus: {token: t}"},
	{name: "an answer without a kind", user: "exec: {" + byPath + "}", answer: `{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}}`},
	{name: "an answer of another kind", user: "exec: {" + byPath + "}", answer: `{"apiVersion":"client.authentication.k8s.io/v1","kind":"Pod","status":{"token":"t"}}`},
	{name: "an answer of another version", user: "exec: {" + byPath + "}", answer: v1beta + "\nkind: ExecCredential\nstatus: {token: t}"},
	{name: "an answer that is expired", user: "exec: {" + byPath + "}", answer: v1 + "\nkind: ExecCredential\nstatus: {token: t, expirationTimestamp: '2020-01-01T00:00:00Z'}"},
	{name: "an answer with a bad time", user: "exec: {" + byPath + "}", answer: v1 + "\nkind: ExecCredential\nstatus: {token: t, expirationTimestamp: soon}"},
	{name: "an answer without a status", user: "exec: {" + byPath + "}", answer: v1 + "\nkind: ExecCredential"},
	{name: "an answer with an empty status", user: "exec: {" + byPath + "}", answer: v1 + "\nkind: ExecCredential\nstatus: {}"},
	{name: "an answer with half a pair", user: "exec: {" + byPath + "}", answer: v1 + "\nkind: ExecCredential\nstatus: {token: t, clientKeyData: k}"},
	{name: "an answer with a pair that is none", user: "exec: {" + byPath + "}", answer: v1 + "\nkind: ExecCredential\nstatus: {clientKeyData: k, clientCertificateData: c}"},
	{name: "no answer", user: "exec: {" + byPath + "}", answer: " "},
	{name: "an answer and more", user: "exec: {" + byPath + "}", answer: `{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}} x`},

	{name: "DenyAll", user: "exec: {" + byName + "}", kuberc: beta + "credentialPluginPolicy: DenyAll"},
	{name: "DenyAll without a plugin", user: "token: t", kuberc: beta + "credentialPluginPolicy: DenyAll"},
	{name: "DenyAll in v1alpha1", user: "exec: {" + byName + "}", kuberc: "apiVersion: kubectl.config.k8s.io/v1alpha1\nkind: Preference\ncredentialPluginPolicy: DenyAll"},
	{name: "a policy twice", user: "exec: {" + byName + "}", kuberc: beta + "credentialPluginPolicy: AllowAll\ncredentialPluginPolicy: DenyAll"},
	{name: "a policy that is a number", user: "exec: {" + byName + "}", kuberc: beta + "credentialPluginPolicy: 1"},
	{name: "an unknown policy", user: "exec: {" + byName + "}", kuberc: beta + "credentialPluginPolicy: Nope"},
	{name: "a list without a policy", user: "exec: {" + byName + "}", kuberc: beta + "credentialPluginAllowlist: [{command: plugin}]"},
	{name: "a policy without a list", user: "exec: {" + byName + "}", kuberc: beta + "credentialPluginPolicy: Allowlist"},
	{name: "an empty list", user: "exec: {" + byName + "}", kuberc: list + "[]"},
	{name: "an empty list with DenyAll", user: "exec: {" + byName + "}", kuberc: beta + "credentialPluginPolicy: DenyAll\ncredentialPluginAllowlist: []"},
	{name: "an empty entry", user: "exec: {" + byName + "}", kuberc: list + "[{command: plugin}, {}]"},
	{name: "an unclean path", user: "exec: {" + byName + "}", kuberc: list + "[{command: $/./plugin}]"},
	{name: "the name of the plugin", user: "exec: {" + byName + "}", kuberc: list + "[{command: plugin}]"},
	{name: "the path of the plugin", user: "exec: {" + byName + "}", kuberc: list + "[{command: $/plugin}]"},
	{name: "the name for the path", user: "exec: {" + byPath + "}", kuberc: list + "[{name: plugin}]"},
	{name: "an absolute path", user: "exec: {" + byPath + "}", kuberc: list + "[{command: $/plugin}]"},
	{name: "a relative path in the list", user: "exec: {" + byPath + "}", kuberc: list + "[{command: bin/plugin}]"},
	{name: "another program", user: "exec: {" + byName + "}", kuberc: list + "[{command: other}, {command: /bin/plugin}]"},
	{name: "name and command that differ", user: "exec: {" + byName + "}", kuberc: list + "[{name: other, command: plugin}]"},
	{name: "unknown fields", user: "exec: {" + byName + "}", kuberc: list + "[{command: other, x: 1}]\ny: 2"},
	{name: "the second document", user: "exec: {" + byName + "}", kuberc: "a: [\n---\napiVersion: v1\nkind: Pod\n--- # x\n" + beta + "credentialPluginPolicy: DenyAll"},
	{name: "a kuberc that is no YAML", user: "exec: {" + byName + "}", kuberc: "a: ["},
	{name: "a missing kuberc by flag", user: "exec: {" + byName + "}", args: []string{"--kuberc=/nowhere"}},
}

// side is a program under test, in surroundings of its own that look the same.
type side struct {
	path string
	dir  string
}

func newSide(t *testing.T, path string, c credentialsCase) side {
	t.Helper()
	s := side{path, t.TempDir()}
	fill := func(text string) string { return strings.ReplaceAll(text, "$/", s.dir+"/") }
	answer := c.answer
	if answer == "" {
		answer = v1 + "\nkind: ExecCredential\nstatus: {token: t}"
	}
	s.write(t, "answer", answer, 0o600)
	s.write(t, "token", "t", 0o600)
	s.write(t, "plugin", "#!/bin/sh\ncd "+s.dir+"\n{ printf '%s|' \"$@\"; printf '%s' \"$KUBERNETES_EXEC_INFO\"; env | grep ^T_ | sort; } >ran\ncat answer\n", 0o700)
	if c.kuberc != "" {
		s.write(t, ".kube/kuberc", fill(c.kuberc)+"\n", 0o600)
	}
	s.write(t, "kubeconfig", fill("current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"+
		"clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1/a?q'"+c.cluster+"}}]\n"+
		"users: [{name: u, user: {"+c.user+"}}]\n"), 0o600)
	return s
}

func (s side) write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// run returns what the plugin was given, if it ran, and what the program said.
func (s side) run(t *testing.T, args []string) (ran, said string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), s.path, append([]string{"--kubeconfig=" + s.dir + "/kubeconfig"}, args...)...)
	command.Dir = s.dir
	command.Env = []string{"HOME=" + s.dir, "PATH=" + s.dir + ":/usr/bin:/bin", "T_OLD=old"}
	output, _ := command.CombinedOutput()
	record, err := os.ReadFile(filepath.Join(s.dir, "ran"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(record), s.dir, "$"), string(output)
}

func TestCredentials(t *testing.T) {
	kubectl, answerer := os.Getenv(kubectlEnv), os.Getenv(answererEnv)
	if kubectl == "" || answerer == "" {
		t.Fatalf("%s and %s are not set: they must name what `.ci/test plane debug` builds", kubectlEnv, answererEnv)
	}
	ours := filepath.Join(filepath.Dir(answerer), "use_credentials")
	for _, c := range credentialsCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			wantRan, wantSaid := newSide(t, kubectl, c).run(t, append(c.args, "get", "--raw=/"))
			gotRan, gotSaid := newSide(t, ours, c).run(t, c.args)
			if gotRan != wantRan {
				t.Errorf("the plugin was given\n%q\nbut by kubectl\n%q\nkubectl said: %s\nwe said: %s", gotRan, wantRan, wantSaid, gotSaid)
			}
			want := strings.Contains(wantSaid, refusedConnection)
			if got := gotSaid == ""; got != want {
				t.Errorf("credentials: %v, but by kubectl: %v\nkubectl said: %s\nwe said: %s", got, want, wantSaid, gotSaid)
			}
		})
	}
}

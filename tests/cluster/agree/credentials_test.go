// This file is about credential plugins: what kubectl and the plugin run, what they tell it, and what they
// make of its answer.

package agree_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/clientcmd/api"
)

const (
	// helperName is what this test program is called where it plays a credential plugin.
	helperName = "credentials-helper"
	answersEnv = "HOME" // of the directory that has the answers, and gets a record of each run
	infoEnv    = "KUBERNETES_EXEC_INFO"
	runsFile   = "runs"
	answerFile = "answers"
)

func TestMain(m *testing.M) {
	if strings.HasPrefix(filepath.Base(os.Args[0]), helperName) {
		os.Exit(playHelper(os.Getenv(answersEnv)))
	}
	os.Exit(m.Run())
}

// answer is what the helper does at one run; the last one is repeated.
type answer struct {
	Stdout, Stderr string
	Exit           int
}

// helperRun is what the helper saw.
type helperRun struct {
	Args        []string
	Info        any
	Environment []string // its own variables
	Directory   string
}

// playHelper records the run and answers as a file says.
func playHelper(dir string) int {
	var answers []answer
	text, err := os.ReadFile(filepath.Join(dir, answerFile))
	if err == nil {
		err = json.Unmarshal(text, &answers)
	}
	run := helperRun{Args: os.Args[1:]}
	if err == nil {
		err = json.Unmarshal([]byte(os.Getenv(infoEnv)), &run.Info)
	}
	for _, variable := range os.Environ() {
		if strings.HasPrefix(variable, "HELPER_") {
			run.Environment = append(run.Environment, variable)
		}
	}
	slices.Sort(run.Environment)
	run.Directory, _ = os.Getwd()
	var line []byte
	if err == nil {
		line, err = json.Marshal(run)
	}
	before, _ := os.ReadFile(filepath.Join(dir, runsFile))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, runsFile), append(before, append(line, '\n')...), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	now := answers[min(bytes.Count(before, []byte("\n")), len(answers)-1)]
	fmt.Fprint(os.Stderr, now.Stderr)
	fmt.Print(now.Stdout)
	return now.Exit
}

// helperRuns returns what the helper saw since it was asked last, each once.
func (s *setting) helperRuns() []string {
	s.Helper()
	text, err := os.ReadFile(s.at(runsFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.Remove(s.at(runsFile))
	}
	if err != nil {
		s.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Sort(lines)
	return slices.Compact(lines)
}

// useHelper makes the user's credentials come from a helper that answers so. It can be found by name.
func (s *setting) useHelper(version string, answers ...answer) *api.ExecConfig {
	s.Helper()
	self, err := os.Executable()
	if err != nil {
		s.Fatal(err)
	}
	s.write("bin/readme", "")
	if err := os.Symlink(self, s.at("bin/"+helperName)); err != nil {
		s.Fatal(err)
	}
	text, err := json.Marshal(answers)
	if err != nil {
		s.Fatal(err)
	}
	s.write(answerFile, string(text))
	entry := &api.ExecConfig{Command: helperName, APIVersion: "client.authentication.k8s.io/" + version,
		InteractiveMode: api.IfAvailableExecInteractiveMode}
	*s.login() = api.AuthInfo{Exec: entry}
	return entry
}

// status is an answer with credentials, as JSON objects are written in Go.
func status(version string, fields map[string]any) answer {
	text, err := json.Marshal(map[string]any{"apiVersion": "client.authentication.k8s.io/" + version,
		"kind": "ExecCredential", "status": fields})
	if err != nil {
		panic(err)
	}
	return answer{Stdout: string(text)}
}

// token is an answer with a token.
func token(token string) answer { return status("v1", map[string]any{"token": token}) }

// certificate is an answer with a client certificate.
func certificate(name string) answer {
	pair := authority().clients[name]
	return status("v1", map[string]any{"clientCertificateData": string(pair.cert), "clientKeyData": string(pair.key)})
}

// answering is a trial of one answer that is not as it should be.
func answering(name string, answer answer) trial {
	return trial{name: name, set: func(s *setting) { s.useHelper("v1", answer) }, fails: true}
}

// helperTrials are about credential plugins.
var helperTrials = []trial{
	{name: "a token", set: func(s *setting) { s.useHelper("v1", token(s.AdminToken)) }},
	{name: "a token by v1beta1", set: func(s *setting) {
		s.useHelper("v1beta1", status("v1beta1", map[string]any{"token": s.AdminToken})).InteractiveMode = ""
	}},
	{name: "v1alpha1 is gone", set: func(s *setting) {
		s.useHelper("v1alpha1", status("v1alpha1", map[string]any{"token": s.AdminToken}))
	}, fails: true},
	{name: "a version that nobody knows", set: func(s *setting) { s.useHelper("v7", token("")).APIVersion = "example.com/v7" }, fails: true},
	{name: "no version", set: func(s *setting) { s.useHelper("v1", token("")).APIVersion = "" }, fails: true},
	{name: "no command", set: func(s *setting) { s.useHelper("v1", token("")).Command = "" }, fails: true},
	{name: "a client certificate", set: func(s *setting) { s.useHelper("v1", certificate("first")) }},
	{name: "a certificate and a token", set: func(s *setting) {
		pair := authority().clients["second"]
		s.useHelper("v1", status("v1", map[string]any{"token": s.AdminToken,
			"clientCertificateData": string(pair.cert), "clientKeyData": string(pair.key)}))
	}},
	{name: "an expired token", set: func(s *setting) {
		s.useHelper("v1", status("v1", map[string]any{"token": s.AdminToken, "expirationTimestamp": "2001-01-01T00:00:00Z"}))
	}},
	{name: "a token that expires later", set: func(s *setting) {
		s.useHelper("v1", status("v1", map[string]any{"token": s.AdminToken,
			"expirationTimestamp": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)}))
	}},
	{name: "a stale token first", set: func(s *setting) { s.useHelper("v1", token("stale"), token(s.AdminToken)) }},
	{name: "a stale token always", set: func(s *setting) { s.useHelper("v1", token("stale")) }, fails: true},
	{name: "words on standard error", set: func(s *setting) {
		answer := token(s.AdminToken)
		answer.Stderr = "log in, please\n"
		s.useHelper("v1", answer)
	}},
	{name: "arguments and variables", set: func(s *setting) {
		entry := s.useHelper("v1", token(s.AdminToken))
		entry.Args = []string{"get", "a b", "", "$HOME", "'\"\\", "--token=x"}
		entry.Env = []api.ExecEnvVar{{Name: "HELPER_ONE", Value: "1 = one"}, {Name: "HELPER_TWO", Value: "from the entry"},
			{Name: "HELPER_EMPTY", Value: ""}}
		s.env["HELPER_TWO"], s.env["HELPER_THREE"] = "from outside", "three"
	}},
	{name: "a variable without a name", set: func(s *setting) {
		s.useHelper("v1", token("")).Env = []api.ExecEnvVar{{Value: "1"}}
	}, fails: true},
	{name: "what is told is not taken from outside", set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken)).Env = []api.ExecEnvVar{{Name: infoEnv, Value: "{}"}}
	}},
	{name: "the cluster is told", set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken)).ProvideClusterInfo = true
	}},
	{name: "the cluster is told by v1beta1", set: func(s *setting) {
		s.useHelper("v1beta1", status("v1beta1", map[string]any{"token": s.AdminToken})).ProvideClusterInfo = true
		s.server().DisableCompression = true
	}},
	{name: "everything of the cluster is told", set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken)).ProvideClusterInfo = true
		s.write("ca.crt", string(authority().cert))
		*s.server() = api.Cluster{Server: s.server().Server + "/prefix", CertificateAuthority: "ca.crt", TLSServerName: "other.example.com",
			ProxyURL: "http://somebody:secret@" + newHTTPProxy(s.T, s.relay, "http"), DisableCompression: true, Extensions: map[string]runtime.Object{
				"client.authentication.k8s.io/exec": &runtime.Unknown{Raw: []byte(`{"b": [1, 2.5, null], "a": {"ü": "<&>"}}`), ContentType: runtime.ContentTypeJSON},
				"example.com/other":                 &runtime.Unknown{Raw: []byte(`{"c": 1}`), ContentType: runtime.ContentTypeJSON}}}
		s.relay.prefix = "/prefix"
	}},
	{name: "an insecure cluster is told", set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken)).ProvideClusterInfo = true
		s.server().CertificateAuthorityData, s.server().InsecureSkipTLSVerify = nil, true
	}},
	{name: "flags change what is told of the cluster", set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken)).ProvideClusterInfo = true
		s.setServer("https://127.0.0.1:1")
	}, args: []string{"--server=$SERVER", "--tls-server-name=other.example.com"}},
	{name: "never interactive", set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken)).InteractiveMode = api.NeverExecInteractiveMode
	}},
	{name: "always interactive needs a terminal", set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken)).InteractiveMode = api.AlwaysExecInteractiveMode
	}, fails: true},
	{name: "v1 must say whether it is interactive", set: func(s *setting) { s.useHelper("v1", token("")).InteractiveMode = "" }, fails: true},
	{name: "interactive in an unknown way", set: func(s *setting) { s.useHelper("v1", token("")).InteractiveMode = "Often" }, fails: true},
	{name: "a path beside the kubeconfig", set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken)).Command = "./bin/" + helperName
		s.writeConfig("one/config", &api.Config{CurrentContext: "relay"})
		s.env["KUBECONFIG"] = "one/config:kubeconfig"
		delete(s.env, "PATH")
	}},
	{name: "a path beside a kubeconfig elsewhere", set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken)).Command = "../bin/" + helperName
		s.writeConfig("one/config", s.config)
		s.env["KUBECONFIG"] = "one/config"
	}},
	{name: "an absolute path", set: func(s *setting) { s.useHelper("v1", token(s.AdminToken)).Command = s.at("bin/" + helperName) }},
	{name: "not on the path", set: func(s *setting) {
		s.useHelper("v1", token("")).InstallHint = "install it\nsomehow"
		s.env["PATH"] = "/nonexistent"
	}, fails: true},
	{name: "not in this directory", set: func(s *setting) {
		s.useHelper("v1", token("")).Command = "nothing"
		s.write("nothing", "#!/bin/sh\n")
	}, fails: true},
	{name: "no program", set: func(s *setting) { s.useHelper("v1", token("")).Command = s.at("bin/readme") }, fails: true},
	{name: "a token flag needs no helper", set: func(s *setting) { s.useHelper("v1", token("junk")) }, args: []string{"--token=$TOKEN"}},
	{name: "certificate flags need no helper", set: func(s *setting) {
		s.useHelper("v1", token("junk"))
		s.writeCertificate("second")
	}, args: []string{"--client-certificate=second.crt", "--client-key=second.key"}},
	{name: "a token beside a helper", set: func(s *setting) {
		s.useHelper("v1", token("junk"))
		s.login().Token = s.AdminToken
	}},
	{name: "impersonation by a helper's user", set: func(s *setting) { s.useHelper("v1", token(s.AdminToken)) },
		args: []string{"--as=somebody", "--as-group=system:masters"}},
	{name: "a server without TLS runs no helper", set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken))
		s.setServer("http://" + s.relay.Plain)
	}, fails: true},
	{name: "a helper and an auth provider", set: func(s *setting) {
		s.useHelper("v1", token(""))
		s.login().AuthProvider = &api.AuthProviderConfig{Name: "oidc"}
	}, fails: true},
	answering("fails", answer{Stdout: "secret", Stderr: "no\n", Exit: 3}),
	answering("nothing", answer{}),
	answering("no JSON", answer{Stdout: "secret words"}),
	answering("another kind", answer{Stdout: `{"apiVersion":"v1","kind":"Pod"}`}),
	answering("another version", status("v1beta1", map[string]any{"token": "t"})),
	answering("no status", answer{Stdout: `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"}`}),
	answering("an empty status", status("v1", map[string]any{})),
	answering("a certificate without its key", status("v1", map[string]any{"clientCertificateData": "c"})),
	answering("a key without its certificate", status("v1", map[string]any{"token": "t", "clientKeyData": "k"})),
	answering("a certificate that is none", status("v1", map[string]any{"clientCertificateData": "c", "clientKeyData": "k"})),
	answering("a time that is none", status("v1", map[string]any{"token": "t", "expirationTimestamp": "soon"})),
}

// preferring is a trial of a kuberc file, for a helper on the path.
func preferring(name, text string, fails bool, args ...string) trial {
	return trial{name: name, fails: fails, args: args, set: func(s *setting) {
		s.useHelper("v1", token(s.AdminToken))
		s.write("bin/other", "")
		s.write(".kube/kuberc", s.expand(text))
		s.write("denying", preference+"credentialPluginPolicy: DenyAll\n")
		s.write("empty", "")
	}}
}

const preference = "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n"

// policyTrials are about which credential plugins may run.
var policyTrials = []trial{
	preferring("no policy", preference, false),
	preferring("all", preference+"credentialPluginPolicy: AllowAll\n", false),
	preferring("none", preference+"credentialPluginPolicy: DenyAll\n", true),
	preferring("listed by name", preference+"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n- name: credentials-helper\n", false),
	preferring("listed by command", preference+"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n- command: other\n- command: credentials-helper\n", false),
	preferring("listed by path", preference+"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n- command: $DIR/bin/credentials-helper\n", false),
	preferring("listed by name and command", preference+"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n- name: other\n  command: credentials-helper\n", false),
	preferring("listed by a path that is not clean", preference+"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n- command: $DIR/bin/../bin/credentials-helper\n", true),
	preferring("another one is listed", preference+"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n- command: other\n", true),
	preferring("one of that name elsewhere is listed", preference+"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n- command: /usr/bin/credentials-helper\n", true),
	preferring("nothing is listed", preference+"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: []\n", true),
	preferring("there is no list", preference+"credentialPluginPolicy: Allowlist\n", true),
	preferring("an empty entry is listed", preference+"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n- {}\n", true),
	preferring("a list without its policy", preference+"credentialPluginAllowlist:\n- command: credentials-helper\n", true),
	preferring("a list although all may", preference+"credentialPluginPolicy: AllowAll\ncredentialPluginAllowlist:\n- command: credentials-helper\n", true),
	preferring("an unknown policy", preference+"credentialPluginPolicy: Sometimes\n", true),
	preferring("an unknown field", preference+"credentialPluginPolicy: DenyAll\nunknown: 1\n", true),
	preferring("a misspelt field", preference+"credentialPluginPolicys: DenyAll\n", false),
	preferring("the second document", "apiVersion: v1\nkind: Pod\n---\n"+preference+"credentialPluginPolicy: DenyAll\n", true),
	preferring("the first of two documents", preference+"---\n"+preference+"credentialPluginPolicy: DenyAll\n", false),
	preferring("v1alpha1", strings.Replace(preference, "v1beta1", "v1alpha1", 1)+"credentialPluginPolicy: DenyAll\n", false),
	preferring("a version that nobody knows", strings.Replace(preference, "v1beta1", "v7", 1)+"credentialPluginPolicy: DenyAll\n", false),
	preferring("no YAML", "a: [", false),
	preferring("empty", "", false),
	preferring("a file by flag", preference, true, "--kuberc=denying"),
	preferring("a file by flag counts alone", preference+"credentialPluginPolicy: DenyAll\n", false, "--kuberc", "empty"),
	preferring("a file by flag is not there", preference, true, "--kuberc", "nothing"),
	withEnvironment(preferring("a file by variable", preference, true), "KUBERC", "denying"),
	withEnvironment(preferring("a file by variable is not there", preference, true), "KUBERC", "nothing"),
	withEnvironment(preferring("the flag counts more than the variable", preference, false, "--kuberc=empty"), "KUBERC", "denying"),
	withEnvironment(preferring("off", preference+"credentialPluginPolicy: DenyAll\n", false), "KUBERC", "off"),
	withEnvironment(preferring("off by the feature", preference+"credentialPluginPolicy: DenyAll\n", false), "KUBECTL_KUBERC", "false"),
	withEnvironment(preferring("off, but the flag", preference, true, "--kuberc=denying"), "KUBERC", "off"),
}

// withEnvironment sets a variable in a trial.
func withEnvironment(test trial, name, value string) trial {
	set := test.set
	test.set = func(s *setting) {
		if set != nil {
			set(s)
		}
		s.env[name] = value
	}
	return test
}

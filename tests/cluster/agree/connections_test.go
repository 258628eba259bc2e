// This file is about whom the plugin asks and as whom, compared with kubectl: kubeconfigs and flags.

package agree_test

import (
	"testing"

	"k8s.io/client-go/tools/clientcmd/api"

	"kubectl-dra/tests/cluster/harness"
)

// TestKubectlConnections tries all ways to a server and to be known there, on one plane.
func TestKubectlConnections(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	c.load(t, readFixture(t, "claims.yaml"))
	for name, tests := range map[string][]trial{"entries": entryTrials, "files": fileTrials, "flags": flagTrials,
		"credential plugins": helperTrials, "policies": policyTrials, "ways": wayTrials} {
		t.Run(name, func(t *testing.T) {
			for _, test := range tests {
				c.try(t, test)
			}
		})
	}
	t.Run("compression", func(t *testing.T) { compareCompression(t, c) })
	t.Run("generated", func(t *testing.T) { addConfigs(t, c) })
}

// entryTrials are about single fields of a kubeconfig.
var entryTrials = []trial{
	{name: "as users have it"},
	{name: "namespace of the context", set: func(s *setting) { s.context().Namespace = "team-a" }},
	{name: "CA from a file beside the kubeconfig", set: func(s *setting) {
		s.write("ca.crt", string(authority().cert))
		s.server().CertificateAuthorityData, s.server().CertificateAuthority = nil, "ca.crt"
	}},
	{name: "CA as data and as a file", set: func(s *setting) {
		s.server().CertificateAuthority = s.write("ca.crt", string(authority().cert))
	}, fails: true},
	{name: "CA file is missing", set: func(s *setting) {
		s.server().CertificateAuthorityData, s.server().CertificateAuthority = nil, "nothing.crt"
	}, fails: true},
	{name: "CA is no certificate", set: func(s *setting) { s.server().CertificateAuthorityData = []byte("junk") }, fails: true},
	{name: "CA is another one", set: func(s *setting) {
		s.server().CertificateAuthorityData = authority().clients["first"].cert
	}, fails: true},
	{name: "no CA", set: func(s *setting) { s.server().CertificateAuthorityData = nil }, fails: true},
	{name: "insecure", set: func(s *setting) {
		s.server().CertificateAuthorityData, s.server().InsecureSkipTLSVerify = nil, true
	}},
	{name: "insecure and a CA", set: func(s *setting) { s.server().InsecureSkipTLSVerify = true }, fails: true},
	{name: "name of the server", set: func(s *setting) { s.server().TLSServerName = "other.example.com" }},
	{name: "name of the server that it does not have", set: func(s *setting) { s.server().TLSServerName = "wrong.example.com" }, fails: true},
	{name: "name of the server, insecure", set: func(s *setting) {
		s.server().CertificateAuthorityData, s.server().InsecureSkipTLSVerify = nil, true
		s.server().TLSServerName = "wrong.example.com"
	}},
	{name: "server below a path", set: func(s *setting) {
		s.relay.prefix = "/k8s/clusters/c-1"
		s.server().Server += s.relay.prefix
	}},
	{name: "server below a path that ends in a slash", set: func(s *setting) {
		s.relay.prefix = "/k8s"
		s.server().Server += "/k8s/"
	}},
	{name: "server below a path with a query", set: func(s *setting) {
		s.relay.prefix = "/k8s"
		s.server().Server += "/k8s?a=b"
	}},
	{name: "server with a slash", set: func(s *setting) { s.server().Server += "/" }},
	{name: "server without a scheme", set: func(s *setting) { s.setServer(s.relay.Address) }, fails: true}, // it means http
	{name: "server without TLS gets no credentials", set: func(s *setting) { s.setServer("http://" + s.relay.Plain) }, fails: true},
	{name: "server without a scheme or TLS", set: func(s *setting) {
		s.setServer(s.relay.Plain)
		s.server().CertificateAuthorityData = nil
	}, fails: true},
	{name: "server without a host", set: func(s *setting) { s.setServer("https://") }, fails: true},
	{name: "server is no address", set: func(s *setting) { s.setServer("https://a b") }, fails: true},
	{name: "server of a scheme that nobody has", set: func(s *setting) { s.setServer("ftp://" + s.relay.Address) }, fails: true},
	{name: "nobody listens", set: func(s *setting) { s.setServer("https://127.0.0.1:1") }, fails: true},
	{name: "no credentials", set: func(s *setting) { s.login().Token = "" }, fails: true},
	{name: "token that nobody has", set: func(s *setting) { s.login().Token = "0123456789abcdef" }, fails: true},
	{name: "token of somebody without rights", set: func(s *setting) { s.login().Token = s.Tokens["alice"] }, fails: true},
	{name: "token from a file", set: func(s *setting) {
		s.login().Token, s.login().TokenFile = "", s.write("token", s.AdminToken+"\n")
	}},
	{name: "token from a file beside the kubeconfig", set: func(s *setting) {
		s.write("secrets/token", s.AdminToken)
		s.login().Token, s.login().TokenFile = "", "secrets/token"
	}},
	{name: "token file is missing", set: func(s *setting) { s.login().Token, s.login().TokenFile = "", "nothing" }, fails: true},
	{name: "token file is empty", set: func(s *setting) {
		s.login().Token, s.login().TokenFile = "", s.write("token", "")
	}, fails: true},
	{name: "token and a file with another one", set: func(s *setting) {
		s.login().Token, s.login().TokenFile = s.Tokens["alice"], s.write("token", s.AdminToken)
	}},
	{name: "client certificate as data", set: func(s *setting) { s.useCertificate("first") }},
	{name: "client certificate from files beside the kubeconfig", set: func(s *setting) {
		s.writeCertificate("first")
		*s.login() = api.AuthInfo{ClientCertificate: "first.crt", ClientKey: "first.key"}
	}},
	{name: "client certificate as data and from files", set: func(s *setting) {
		s.useCertificate("first")
		s.writeCertificate("second")
		s.login().ClientCertificate, s.login().ClientKey = "second.crt", "second.key"
	}, fails: true},
	{name: "client certificate as data, key from a file", set: func(s *setting) {
		s.useCertificate("first")
		s.writeCertificate("first")
		s.login().ClientKeyData, s.login().ClientKey = nil, "first.key"
	}},
	{name: "client certificate without a key", set: func(s *setting) {
		s.useCertificate("first")
		s.login().ClientKeyData = nil
	}, fails: true},
	{name: "client key without a certificate", set: func(s *setting) {
		s.useCertificate("first")
		s.login().ClientCertificateData = nil
	}, fails: true},
	{name: "client key of another certificate", set: func(s *setting) {
		s.useCertificate("first")
		s.login().ClientKeyData = authority().clients["second"].key
	}, fails: true},
	{name: "client certificate file is missing", set: func(s *setting) {
		*s.login() = api.AuthInfo{ClientCertificate: "first.crt", ClientKey: "first.key"}
	}, fails: true},
	{name: "client certificate and a token", set: func(s *setting) {
		s.useCertificate("first")
		s.login().Token = s.AdminToken
	}},
	{name: "user name and password", set: func(s *setting) {
		*s.login() = api.AuthInfo{Username: "somebody", Password: "secret"}
	}, fails: true},
	{name: "user name and a token", set: func(s *setting) { s.login().Username = "somebody" }, fails: true},
	{name: "auth provider gcp", set: func(s *setting) {
		*s.login() = api.AuthInfo{AuthProvider: &api.AuthProviderConfig{Name: "gcp"}}
	}, fails: true},
	{name: "auth provider azure", set: func(s *setting) {
		*s.login() = api.AuthInfo{AuthProvider: &api.AuthProviderConfig{Name: "azure"}}
	}, fails: true},
	{name: "auth provider oidc without anything", set: func(s *setting) {
		*s.login() = api.AuthInfo{AuthProvider: &api.AuthProviderConfig{Name: "oidc"}}
	}, fails: true},
	{name: "auth provider that nobody knows", set: func(s *setting) {
		*s.login() = api.AuthInfo{AuthProvider: &api.AuthProviderConfig{Name: "unheard-of"}}
	}, fails: true},
	{name: "impersonation", set: func(s *setting) {
		s.login().Impersonate, s.login().ImpersonateGroups = "somebody", []string{"system:masters", "a,b"}
		s.login().ImpersonateUID = "1234"
		s.login().ImpersonateUserExtra = map[string][]string{"example.com/Reason": {"one", "two"}, "%odd key": {"ü"}}
	}},
	{name: "impersonation of a user without rights", set: func(s *setting) { s.login().Impersonate = "somebody" }, fails: true},
	{name: "impersonation of groups only", set: func(s *setting) { s.login().ImpersonateGroups = []string{"system:masters"} }, fails: true},
	{name: "impersonation by a user id only", set: func(s *setting) { s.login().ImpersonateUID = "1234" }, fails: true},
	{name: "current context is not there", set: func(s *setting) { s.config.CurrentContext = "elsewhere" }, fails: true},
	{name: "no current context", set: func(s *setting) { s.config.CurrentContext = "" }, fails: true},
	{name: "context of a cluster that is not there", set: func(s *setting) { s.context().Cluster = "elsewhere" }, fails: true},
	{name: "context of a user who is not there", set: func(s *setting) { s.context().AuthInfo = "nobody" }, fails: true},
	{name: "context without a cluster", set: func(s *setting) { s.context().Cluster = "" }, fails: true},
	{name: "context without a user", set: func(s *setting) { s.context().AuthInfo = "" }, fails: true},
	{name: "nothing is configured", set: func(s *setting) { s.config = nil }, fails: true},
	{name: "a service but no account", set: func(s *setting) {
		s.config = nil
		s.env["KUBERNETES_SERVICE_HOST"], s.env["KUBERNETES_SERVICE_PORT"] = "127.0.0.1", port(s.relay.Address)
	}, fails: true},
	{name: "a configuration counts more than a service", set: func(s *setting) {
		s.env["KUBERNETES_SERVICE_HOST"], s.env["KUBERNETES_SERVICE_PORT"] = "127.0.0.1", "1"
	}},
}

// useCertificate lets the user be known by a certificate alone.
func (s *setting) useCertificate(name string) {
	pair := authority().clients[name]
	*s.login() = api.AuthInfo{ClientCertificateData: pair.cert, ClientKeyData: pair.key}
}

// writeCertificate writes a certificate and its key to files.
func (s *setting) writeCertificate(name string) {
	pair := authority().clients[name]
	s.write(name+".crt", string(pair.cert))
	s.write(name+".key", string(pair.key))
}

// fileTrials are about which files are read, and what counts if several have a say.
var fileTrials = []trial{
	{name: "in the home directory", set: func(s *setting) {
		s.writeConfig(".kube/config", s.config)
		s.config = nil
		delete(s.env, "KUBECONFIG")
	}},
	{name: "an empty variable is none", set: func(s *setting) {
		s.writeConfig(".kube/config", s.config)
		s.config = nil
		s.env["KUBECONFIG"] = ""
	}},
	{name: "the flag counts more than the variable", set: func(s *setting) {
		s.writeConfig("given", s.config)
		s.env["KUBECONFIG"] = s.write("other", "{")
		s.config = nil
	}, args: []string{"--kubeconfig", "given"}},
	{name: "the flag names nothing", args: []string{"--kubeconfig", "nothing"}, fails: true},
	{name: "the flag takes no list", args: []string{"--kubeconfig", "kubeconfig:kubeconfig"}, fails: true},
	{name: "missing and empty files are skipped", set: func(s *setting) {
		s.write("empty", "")
		s.env["KUBECONFIG"] = "nothing::" + s.at("empty") + ":kubeconfig:kubeconfig:"
	}},
	{name: "all files are missing", set: func(s *setting) { s.env["KUBECONFIG"] = "a:b" }, fails: true},
	{name: "a file is not YAML", set: func(s *setting) { s.env["KUBECONFIG"] = s.write("broken", "a: [") + ":kubeconfig" }, fails: true},
	{name: "a file is of another kind", set: func(s *setting) {
		s.env["KUBECONFIG"] = s.write("other", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n") + ":kubeconfig"
	}, fails: true},
	{name: "a file of another version", set: func(s *setting) {
		s.env["KUBECONFIG"] = s.write("other", "apiVersion: v2\nkind: Config\n") + ":kubeconfig"
	}, fails: true},
	{name: "a file without kind and version", set: func(s *setting) {
		s.env["KUBECONFIG"] = s.write("other", "contexts:\n- name: relay\n  context: {cluster: relay, user: admin, namespace: team-b}\n") + ":kubeconfig"
	}},
	{name: "a file with unknown fields", set: func(s *setting) {
		s.env["KUBECONFIG"] = s.write("other", "apiVersion: v1\nkind: Config\nunknown: 1\nclusters: null\nusers: []\n") + ":kubeconfig"
	}},
	{name: "a file is a directory", set: func(s *setting) {
		s.write("directory/file", "")
		s.env["KUBECONFIG"] = s.at("directory") + ":kubeconfig"
	}, fails: true},
	{name: "a name twice in one file", set: func(s *setting) {
		s.env["KUBECONFIG"] = "kubeconfig:" + s.write("other", s.expand("users:\n- name: two\n  user: {token: $ALICE}\n- name: two\n  user: {token: $TOKEN}\n"))
		s.context().AuthInfo = "two"
	}, fails: true},
	{name: "the first entry of a name counts whole", set: func(s *setting) {
		first := &api.Config{AuthInfos: map[string]*api.AuthInfo{"admin": {Impersonate: "somebody"}}}
		s.env["KUBECONFIG"] = s.writeConfig("first", first) + ":kubeconfig"
	}, fails: true},
	{name: "the first current context counts", set: func(s *setting) {
		s.config.CurrentContext = ""
		s.config.Contexts["other"] = &api.Context{Cluster: "relay", AuthInfo: "admin", Namespace: "team-a"}
		s.writeConfig("a", &api.Config{CurrentContext: "other"})
		s.writeConfig("b", &api.Config{CurrentContext: "relay"})
		s.env["KUBECONFIG"] = "kubeconfig:a:b"
	}},
	{name: "paths belong to the file that has them", set: func(s *setting) {
		s.write("one/token", s.Tokens["alice"])
		s.write("two/token", s.AdminToken)
		s.write("token", "junk")
		s.writeConfig("one/config", &api.Config{AuthInfos: map[string]*api.AuthInfo{"other": {TokenFile: "token"}}})
		s.writeConfig("two/config", &api.Config{AuthInfos: map[string]*api.AuthInfo{"admin": {TokenFile: "../two/token"}}})
		s.env["KUBECONFIG"] = "one/config:" + s.at("two/config") + ":kubeconfig"
	}},
	{name: "JSON is YAML", set: func(s *setting) {
		s.env["KUBECONFIG"] = s.write("json", `{"current-context": "", "contexts": [{"name": "relay", "context": {"cluster": "relay", "user": "admin", "namespace": "team-a"}}]}`) + ":kubeconfig"
	}},
}

// flagTrials are about flags that replace what a kubeconfig says.
var flagTrials = []trial{
	{name: "context", set: func(s *setting) {
		s.config.Contexts["other"] = &api.Context{Cluster: "relay", AuthInfo: "admin", Namespace: "team-a"}
		s.config.CurrentContext = "nowhere"
	}, args: []string{"--context", "other"}},
	{name: "context that is not there", args: []string{"--context", "elsewhere"}, fails: true},
	{name: "cluster", set: func(s *setting) {
		s.config.Clusters["other"] = s.newCluster()
		s.config.Clusters["other"].TLSServerName = "other.example.com"
	}, args: []string{"--cluster", "other"}},
	{name: "cluster that is not there", args: []string{"--cluster", "elsewhere"}, fails: true},
	{name: "user", set: func(s *setting) {
		s.login().Token = "junk"
		s.config.AuthInfos["other"] = &api.AuthInfo{Token: s.AdminToken}
	}, args: []string{"--user=other"}},
	{name: "user who is not there", args: []string{"--user", "nobody"}, fails: true},
	{name: "namespace", set: func(s *setting) { s.context().Namespace = "team-b" }, args: []string{"-n", "team-a"}},
	{name: "namespace that is not there", args: []string{"--namespace=no-such-namespace"}},
	{name: "server", set: func(s *setting) { s.setServer("https://127.0.0.1:1") }, args: []string{"--server", "$SERVER"}},
	{name: "server drops the name", set: func(s *setting) { s.server().TLSServerName = "wrong.example.com" }, args: []string{"-s", "$SERVER"}},
	{name: "server and name", set: func(s *setting) { s.setServer("https://127.0.0.1:1") },
		args: []string{"--server=$SERVER", "--tls-server-name=other.example.com"}},
	{name: "server without TLS", args: []string{"--server", "$PLAIN"}, fails: true},
	{name: "server alone", set: func(s *setting) { s.config = nil }, args: []string{"--server", "$SERVER", "--insecure-skip-tls-verify", "--token", "$TOKEN"}},
	{name: "server alone with its CA", set: func(s *setting) {
		s.config = nil
		s.write("ca.crt", string(authority().cert))
	}, args: []string{"-s=$SERVER", "--certificate-authority=ca.crt", "--token=$TOKEN", "-A"}},
	{name: "token", set: func(s *setting) { s.login().Token = "junk" }, args: []string{"--token", "$TOKEN"}},
	{name: "token beside a file", set: func(s *setting) {
		s.login().Token, s.login().TokenFile = "", s.write("token", "junk")
	}, args: []string{"--token", "$TOKEN"}, fails: true}, // the file still counts more
	{name: "token beside a certificate", set: func(s *setting) { s.useCertificate("first") }, args: []string{"--token=$ALICE"}, fails: true},
	{name: "certificate of the client", set: func(s *setting) {
		s.useCertificate("first")
		s.writeCertificate("second")
	}, args: []string{"--client-certificate=second.crt", "--client-key=second.key"}},
	{name: "certificate of the client beside a token", set: func(s *setting) { s.writeCertificate("second") },
		args: []string{"--client-certificate", "second.crt", "--client-key", "$DIR/second.key"}},
	{name: "certificate of the client without its key", set: func(s *setting) { s.writeCertificate("second") },
		args: []string{"--client-certificate=second.crt"}, fails: true},
	{name: "flags name files from here", set: func(s *setting) {
		s.useCertificate("first")
		s.writeCertificate("second")
		s.writeConfig("elsewhere/config", s.config)
		s.env["KUBECONFIG"] = "elsewhere/config"
	}, args: []string{"--client-certificate=second.crt", "--client-key=second.key"}},
	{name: "certificate authority", set: func(s *setting) {
		s.server().CertificateAuthorityData = authority().clients["first"].cert
		s.write("ca.crt", string(authority().cert))
	}, args: []string{"--certificate-authority", "ca.crt"}},
	{name: "certificate authority instead of insecure", set: func(s *setting) {
		s.server().CertificateAuthorityData, s.server().InsecureSkipTLSVerify = nil, true
		s.write("ca.crt", string(authority().cert))
	}, args: []string{"--certificate-authority=ca.crt"}},
	{name: "certificate authority that is not there", args: []string{"--certificate-authority=nothing.crt"}, fails: true},
	{name: "insecure-skip-tls-verify", args: []string{"--insecure-skip-tls-verify"}},
	{name: "insecure-skip-tls-verify=true", set: func(s *setting) {
		s.server().CertificateAuthorityData, s.server().CertificateAuthority = nil, "nothing.crt"
	}, args: []string{"--insecure-skip-tls-verify=true"}},
	{name: "insecure-skip-tls-verify=false", set: func(s *setting) {
		s.server().CertificateAuthorityData, s.server().InsecureSkipTLSVerify = nil, true
	}, args: []string{"--insecure-skip-tls-verify=false"}},
	{name: "insecure and a certificate authority", set: func(s *setting) { s.write("ca.crt", string(authority().cert)) },
		args: []string{"--insecure-skip-tls-verify", "--certificate-authority=ca.crt"}, fails: true},
	{name: "name of the server", args: []string{"--tls-server-name", "other.example.com"}},
	{name: "request timeout in seconds", args: []string{"--request-timeout=50"}},
	{name: "request timeout", args: []string{"--request-timeout", "1m"}},
	{name: "request timeout of none", args: []string{"--request-timeout=0"}},
	{name: "request timeout that is no time", args: []string{"--request-timeout=soon"}, fails: true},
	{name: "as a user", args: []string{"--as=somebody"}, fails: true},
	{name: "as a user of a group", args: []string{"--as", "somebody", "--as-group", "system:masters", "--as-group=second,third"}},
	{name: "as a service account", args: []string{"--as=system:serviceaccount:default:default", "--as-group=system:masters"}},
	{name: "as a user with everything", args: []string{"--as=some body", "--as-group=system:masters", "--as-uid=1-2",
		"--as-user-extra=example.com/Why=a,b", "--as-user-extra=example.com/Why=c", "--as-user-extra=%=d"}},
	{name: "as a group of nobody", args: []string{"--as-group=system:masters"}, fails: true},
	{name: "as an id of nobody", args: []string{"--as-uid=1"}, fails: true},
	{name: "with something extra of nobody", args: []string{"--as-user-extra=a=b"}, fails: true},
	{name: "with something extra that has no value", args: []string{"--as=a", "--as-user-extra=a"}, fails: true},
	{name: "as somebody else than the kubeconfig says", set: func(s *setting) { s.login().Impersonate = "somebody" },
		args: []string{"--as=another", "--as-group=system:masters"}},
	{name: "as a group more than the kubeconfig says", set: func(s *setting) {
		s.login().Impersonate, s.login().ImpersonateGroups = "somebody", []string{"first"}
	}, args: []string{"--as-group=system:masters"}},
	{name: "user name and password", set: func(s *setting) { s.login().Token = "" },
		args: []string{"--username=somebody", "--password=secret"}, fails: true},
	{name: "user name beside a token", args: []string{"--username=somebody", "--password=secret"}, fails: true},
}

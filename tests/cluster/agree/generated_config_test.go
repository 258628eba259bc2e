// This file is about inventing kubeconfigs: entries spread over several files, said twice or not at all,
// and flags on top.

package agree_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"kubectl-dra/tests/cluster/harness"
)

// encoded matches certificates and keys, which are left out of logs.
var encoded = regexp.MustCompile(`\b[A-Za-z0-9+/=]{200,}`)

// configs is how many are invented.
const configs = 60

// addConfigs runs invented cases beside others.
func addConfigs(t *testing.T, c *cluster) {
	r := newRandom(t)
	var reached atomic.Int32
	t.Cleanup(func() {
		t.Logf("%d of %d kubeconfigs lead to the server", reached.Load(), configs)
		if reached.Load() < configs/5 {
			t.Errorf("only %d of %d kubeconfigs lead to the server", reached.Load(), configs)
		}
	})
	for i := range configs {
		seed := r.Uint64()
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, c)
			s.config = nil
			g := &configInventor{s: s, r: rand.New(rand.NewPCG(seed, 0))}
			args := g.invent()
			want, got := s.pair(args...)
			if len(objects(want.tape, s.relay.prefix)) > 0 {
				reached.Add(1)
			}
			if g.dangles(args) {
				t.Log("the context names what is not there: kubectl goes on without it")
				s.refuses(want, got)
			} else {
				s.compare(want, got)
			}
			if t.Failed() {
				t.Logf("arguments %q, environment %q, files:\n%s", args, s.env, strings.Join(g.written, "\n"))
			}
		})
	}
}

// configInventor invents what one case needs.
type configInventor struct {
	s          *setting
	r          *rand.Rand
	paths      []string // of the files
	tokenFiles bool     // some user has one
	written    []string // for the log of a case that fails
}

// invent writes kubeconfigs and returns flags.
func (g *configInventor) invent() []string {
	for i := range 1 + g.r.IntN(4) {
		path := oneOf(g.r, "", "one", "two/deep") + fmt.Sprintf("/config-%d", i)
		path = strings.TrimPrefix(path, "/")
		switch g.r.IntN(12) {
		case 0:
			g.paths = append(g.paths, "missing-"+fmt.Sprint(i))
		case 1:
			g.write(path, oneOf(g.r, "", "---\n", "{}", "# nothing\n"))
		default:
			g.writeConfig(path, i)
		}
		g.paths = append(g.paths, oneOf(g.r, path, g.s.at(path)))
	}
	args := g.flags()
	if len(g.paths) == 1 && chance(g.r, 50) {
		delete(g.s.env, "KUBECONFIG")
		return append(args, "--kubeconfig="+g.paths[0])
	}
	g.s.env["KUBECONFIG"] = strings.Join(g.paths, oneOf(g.r, ":", ":", "::"))
	return args
}

// dangles tells whether the context that counts names a cluster or a user that is not there, by client-go's
// rules of merging.
func (g *configInventor) dangles(args []string) bool {
	rules := clientcmd.ClientConfigLoadingRules{}
	for _, path := range g.paths {
		if path != "" && !filepath.IsAbs(path) {
			path = g.s.at(path)
		}
		rules.Precedence = append(rules.Precedence, path)
	}
	config, err := rules.Load()
	if err != nil {
		return false
	}
	current := config.CurrentContext
	if i := slices.Index(args, "--context"); i >= 0 {
		current = args[i+1]
	}
	context, known := config.Contexts[current]
	if !known {
		return false
	}
	flag := func(name string) bool {
		return slices.ContainsFunc(args, func(arg string) bool { return arg == name || strings.HasPrefix(arg, name+"=") })
	}
	_, cluster := config.Clusters[context.Cluster]
	_, user := config.AuthInfos[context.AuthInfo]
	return !cluster && !flag("--cluster") || !user && !flag("--user")
}

func (g *configInventor) write(path, text string) {
	g.s.write(path, text)
	g.written = append(g.written, "--- "+path+"\n"+encoded.ReplaceAllString(text, "..."))
}

// writeConfig invents a file that has some of all entries. Their contents differ from file to file.
func (g *configInventor) writeConfig(path string, number int) {
	config := api.NewConfig()
	dir := filepath.Dir(path)
	for _, name := range []string{"a", "b"} {
		if chance(g.r, 90) {
			config.Clusters[name] = g.cluster(dir)
		}
		if chance(g.r, 90) {
			config.AuthInfos[name] = g.user(dir)
		}
		if chance(g.r, 90) {
			config.Contexts[name] = &api.Context{Cluster: oneOf(g.r, "a", "b"), AuthInfo: oneOf(g.r, "a", "b"),
				Namespace: oneOf(g.r, "", "team-a", fmt.Sprintf("of-file-%d", number))}
		}
	}
	if chance(g.r, 85) {
		config.CurrentContext = oneOf(g.r, "a", "a", "a", "a", "b", "b", "b", "b", "c")
	}
	text, err := clientcmd.Write(*config)
	if err != nil {
		g.s.Fatal(err)
	}
	g.write(path, string(text))
}

// cluster invents an entry that most often leads to the relay.
func (g *configInventor) cluster(dir string) *api.Cluster {
	cluster := g.s.newCluster()
	switch g.r.IntN(8) {
	case 0:
		cluster.CertificateAuthorityData, cluster.InsecureSkipTLSVerify = nil, true
	case 1, 2:
		cluster.CertificateAuthorityData, cluster.CertificateAuthority = nil, g.file(dir, "ca.crt", authority().cert)
	case 3:
		if chance(g.r, 30) {
			cluster.CertificateAuthority = g.file(dir, "ca.crt", authority().cert)
		}
	}
	cluster.TLSServerName = oneOf(g.r, "", "", relayName, "other.example.com")
	if chance(g.r, 5) {
		cluster.Server = oneOf(g.r, "", "https://127.0.0.1:1")
	}
	cluster.DisableCompression = chance(g.r, 20)
	return cluster
}

// file writes a file beside a kubeconfig and returns how to name it there.
func (g *configInventor) file(dir, name string, text []byte) string {
	if chance(g.r, 5) {
		return "not-" + name
	}
	path := g.s.write(filepath.Join(dir, name), string(text))
	return oneOf(g.r, name, "./"+name, path)
}

// user invents credentials.
func (g *configInventor) user(dir string) *api.AuthInfo {
	user := &api.AuthInfo{}
	name := oneOf(g.r, "first", "second")
	certificate := authority().clients[name]
	switch g.r.IntN(8) {
	case 0, 1:
		user.Token = oneOf(g.r, g.s.AdminToken, g.s.AdminToken, g.s.Tokens["alice"])
	case 2, 3:
		g.tokenFiles = true
		user.TokenFile = g.file(dir, "token", []byte(g.s.Tokens[oneOf(g.r, harness.Admin, "alice")]))
	case 4:
		user.ClientCertificateData, user.ClientKeyData = certificate.cert, certificate.key
	case 5, 6:
		user.ClientCertificate, user.ClientKey = g.file(dir, name+".crt", certificate.cert), g.file(dir, name+".key", certificate.key)
	case 7:
		user.Token, user.ClientCertificateData, user.ClientKeyData = g.s.AdminToken, certificate.cert, certificate.key
	}
	if chance(g.r, 10) {
		user.ClientCertificateData, user.ClientKeyData = certificate.cert, certificate.key
	}
	if chance(g.r, 25) {
		user.Impersonate = oneOf(g.r, "somebody", "")
		user.ImpersonateGroups = oneOf(g.r, nil, []string{"system:masters"})
		user.ImpersonateUserExtra = oneOf(g.r, nil, map[string][]string{"Example.com/a b": {"1", "2"}})
	}
	return user
}

// flags invents some.
func (g *configInventor) flags() []string {
	var args []string
	add := func(percent int, flags ...string) {
		if chance(g.r, percent) {
			args = append(args, flags...)
		}
	}
	certificate := authority().clients["second"]
	add(30, "--context", oneOf(g.r, "a", "b", "a", "b", "a", "b", "c"))
	add(10, "--cluster="+oneOf(g.r, "a", "b", "c"))
	add(10, "--user", oneOf(g.r, "a", "b", "c"))
	add(20, oneOf(g.r, "-n=team-a", "-nteam-b", "--namespace=default", "-A"))
	if !g.tokenFiles { // beside one, kubectl ignores the flag
		add(15, "--token="+oneOf(g.r, g.s.AdminToken, g.s.Tokens["alice"]))
	}
	add(10, "--server="+oneOf(g.r, "https://"+g.s.relay.Address, g.s.relay.Address))
	add(10, "--tls-server-name", oneOf(g.r, relayName, "other.example.com"))
	add(10, "--insecure-skip-tls-verify"+oneOf(g.r, "", "=true", "=false"))
	if chance(g.r, 10) {
		args = append(args, "--certificate-authority="+g.file(".", "ca.crt", authority().cert))
	}
	if chance(g.r, 10) {
		args = append(args, "--client-certificate="+g.file(".", "flag.crt", certificate.cert), "--client-key="+g.file(".", "flag.key", certificate.key))
	}
	add(15, "--as", "another")
	add(15, "--as-group=system:masters", "--as-group", oneOf(g.r, "a", "b,c"))
	add(5, "--as-uid=7")
	return args
}

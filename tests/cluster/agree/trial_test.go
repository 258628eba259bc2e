// This file is about running kubectl and the plugin in the same surroundings, and what must then be the
// same: the requests for objects, standard output, and the exit code.

package agree_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"kubectl-dra/tests/cluster/harness"
)

// trialLimit is how long one program may take, so that one that hangs fails its own case.
const trialLimit = 2 * time.Minute

// trial is a case, as a difference from surroundings in which everything is as users have it.
type trial struct {
	name  string
	set   func(s *setting) // may be nil
	args  []string         // of both programs, after what they list; `$DIR` and the like are replaced
	fails bool             // kubectl does
}

// deviation is what the plugin does on purpose where kubectl does something else.
type deviation struct {
	why   string
	check func(s *setting, want, got taped)
}

// deviations are all of them, by the name of the trial.
var deviations = map[string]deviation{
	"a stale token first": {"a request that can be repeated is, with the credentials of now; kubectl hands the refusal on, " +
		"and only survives it because it asks what is served five times", (*setting).asksAgain},
	"token beside a file":                    {"a flag counts more than a kubeconfig; kubectl takes the file", (*setting).takesToken},
	"with something extra that has no value": {"kubectl passes it over, and acts with less than was asked for", (*setting).refuses},
	"user name and password":                 {"API servers take no passwords since v1.19; kubectl sends them all the same", (*setting).refuses},
}

// emptyList is what kubectl prints, in some format, although the list failed. The plugin prints nothing then:
// whoever reads only standard output must not take a failure for an empty cluster.
var emptyList = regexp.MustCompile(`^(\{\s*"apiVersion": "v1",\s*"items": \[\],[^\]]*\}\s*|apiVersion: v1\nitems: \[\]\nkind: List\n[^\[]*|[A-Z]+( +[A-Z]+)*\n|\{"resourceVersion":""\}|\[\s*\]\s*|\n?)$`)

// prompt is how kubectl asks, on standard output, for the name of a user of whom nothing is known. The
// plugin does not: API servers know no passwords any more, and whatever a script reads from standard
// output would have the question in it.
const prompt = "Please enter Username: "

// setting is what a trial happens in.
type setting struct {
	*testing.T
	*cluster
	relay  *relay
	dir    string            // where the programs run
	config *api.Config       // written to DIR/kubeconfig, unless it is nil
	env    map[string]string // of the programs, nothing else
	proxy  string            // where $PROXY is
}

// newSetting returns surroundings that lead to the relay by a token of the admin.
func newSetting(t *testing.T, c *cluster) *setting {
	t.Helper()
	s := &setting{T: t, cluster: c, relay: newRelay(t, c), dir: t.TempDir()}
	s.env = map[string]string{"HOME": s.dir, "KUBECONFIG": filepath.Join(s.dir, "kubeconfig"), "PATH": filepath.Join(s.dir, "bin")}
	s.config = &api.Config{
		CurrentContext: "relay",
		Clusters:       map[string]*api.Cluster{"relay": s.newCluster()},
		AuthInfos:      map[string]*api.AuthInfo{"admin": {Token: c.AdminToken}},
		Contexts:       map[string]*api.Context{"relay": {Cluster: "relay", AuthInfo: "admin"}},
	}
	return s
}

// newCluster is an entry that leads to the relay.
func (s *setting) newCluster() *api.Cluster {
	return &api.Cluster{Server: "https://" + s.relay.Address, CertificateAuthorityData: authority().cert}
}

// Shorter names for the entries that are there from the start.
func (s *setting) server() *api.Cluster     { return s.config.Clusters["relay"] }
func (s *setting) login() *api.AuthInfo     { return s.config.AuthInfos["admin"] }
func (s *setting) context() *api.Context    { return s.config.Contexts["relay"] }
func (s *setting) at(path string) string    { return filepath.Join(s.dir, path) }
func (s *setting) host(name string) string  { return name + ":" + port(s.relay.Address) }
func (s *setting) setServer(address string) { s.server().Server = address }

// write writes a file below the directory of the trial, and returns its path.
func (s *setting) write(path, text string) string {
	s.Helper()
	path = s.at(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return path
}

// writeConfig writes a kubeconfig.
func (s *setting) writeConfig(path string, config *api.Config) string {
	s.Helper()
	text, err := clientcmd.Write(*config)
	if err != nil {
		s.Fatal(err)
	}
	return s.write(path, string(text))
}

// expand puts values for what only a running case knows.
func (s *setting) expand(text string) string {
	return strings.NewReplacer("$DIR", s.dir, "$SERVER", "https://"+s.relay.Address, "$PORT", port(s.relay.Address), "$PLAIN", "http://"+s.relay.Plain,
		"$PROXY", s.proxy, "$TOKEN", s.Tokens[harness.Admin], "$ALICE", s.Tokens["alice"]).Replace(text)
}

// taped is what a program printed, what it asked, and what it ran.
type taped struct {
	outcome
	tape []asked
	runs []string
}

// perform runs a program in the setting.
func (s *setting) perform(path string, args ...string) taped {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), trialLimit)
	defer cancel()
	command := exec.CommandContext(ctx, path, args...)
	command.Dir = s.dir
	for _, name := range slices.Sorted(maps.Keys(s.env)) {
		command.Env = append(command.Env, name+"="+s.expand(s.env[name]))
	}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		s.Fatalf("%s %v: %v", filepath.Base(path), args, err)
	}
	return taped{outcome{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}, s.relay.rewind(), s.helperRuns()}
}

// nouns are the words for what both programs list: kubectl's, by the plugin's.
var nouns = map[string]string{"claims": "resourceclaims", "templates": "resourceclaimtemplates", "classes": "deviceclasses",
	"slices": "resourceslices", "taintrules": "devicetaintrules", "pods": "pods", "nodes": "nodes"}

// pair lets both programs list claims with the arguments.
func (s *setting) pair(args ...string) (want, got taped) {
	s.Helper()
	var more []string
	for _, arg := range args {
		more = append(more, s.expand(arg))
	}
	more = append(more, "-o", "json")
	want = s.perform(program(s.T, kubectlEnv), append([]string{"get", "resourceclaims"}, more...)...)
	got = s.perform(program(s.T, pluginEnv), append([]string{"claims"}, more...)...)
	return want, got
}

// try runs a trial as a subtest, beside others.
func (c *cluster) try(t *testing.T, test trial) {
	t.Run(test.name, func(t *testing.T) {
		t.Parallel()
		s := newSetting(t, c)
		if test.set != nil {
			test.set(s)
		}
		if s.config != nil {
			s.writeConfig("kubeconfig", s.config)
		}
		want, got := s.pair(test.args...)
		if (want.exit != 0) != test.fails {
			t.Fatalf("kubectl %+v", want.outcome)
		}
		if deviation, known := deviations[test.name]; known {
			t.Log(deviation.why)
			deviation.check(s, want, got)
			return
		}
		s.compare(want, got)
	})
}

// asksAgain demands that the plugin ends as kubectl does, and with the same credentials.
func (s *setting) asksAgain(want, got taped) {
	s.Helper()
	s.sameLines("the clients", clients(want.tape), clients(got.tape), got)
	if want.exit != got.exit || want.stdout != got.stdout {
		s.Errorf("want %s\ngot  %s", summary(want.outcome), summary(got.outcome))
	}
}

// takesToken demands that the plugin is known by the admin's token alone.
func (s *setting) takesToken(_, got taped) {
	s.Helper()
	s.sameLines("the clients", []string{asked{header: http.Header{"Authorization": {"Bearer " + s.AdminToken}}}.client()}, clients(got.tape), got)
	if got.exit != 0 {
		s.Errorf("got %s", summary(got.outcome))
	}
}

// refuses demands that the plugin asks for nothing and says what is wrong.
func (s *setting) refuses(_, got taped) {
	s.Helper()
	if lines := objects(got.tape, s.relay.prefix); len(lines) > 0 || got.exit != 1 || got.stdout != "" || !strings.Contains(got.stderr, "rror") {
		s.Errorf("should refuse: %+v\nasked %v", got.outcome, lines)
	}
}

// compare demands the same of both programs.
func (s *setting) compare(want, got taped) {
	s.Helper()
	if strings.HasPrefix(want.stdout, prompt) {
		s.staysAnonymous(got)
		return
	}
	lines := objects(want.tape, s.relay.prefix)
	// Where kubectl is refused already when it asks what is served, the plugin may be when it asks for objects.
	if len(lines) > 0 || want.exit == 0 {
		s.sameLines("the requests", lines, objects(got.tape, s.relay.prefix), got)
	}
	s.sameLines("the clients", clients(want.tape), clients(got.tape), got)
	s.sameLines("the runs of a credential plugin", want.runs, got.runs, got)
	nothing := want.exit != 0 && got.stdout == "" && emptyList.MatchString(want.stdout)
	if want.exit != got.exit || want.stdout != got.stdout && !nothing {
		s.Errorf("want %s\ngot  %s\n%s", summary(want.outcome), summary(got.outcome), difference(want.stdout, got.stdout))
	}
	if got.exit != 0 && !errorLine.MatchString(got.stderr) {
		s.Errorf("no error is named: %q", got.stderr)
	}
	s.keepsToken(got.outcome)
}

// staysAnonymous demands that the plugin sends no credentials, and is therefore refused.
func (s *setting) staysAnonymous(got taped) {
	s.Helper()
	for _, entry := range got.tape {
		if entry.header.Get("Authorization") != "" || entry.certificate != "" {
			s.Errorf("credentials out of nowhere: %s", entry.client())
		}
	}
	if got.exit != 1 || got.stdout != "" || !errorLine.MatchString(got.stderr) {
		s.Errorf("kubectl asks for a user name, the plugin: %s", summary(got.outcome))
	}
}

// errorLine is how a line begins that says what went wrong.
var errorLine = regexp.MustCompile(`(?m)^([Ee]rror[: ]|Unable to connect |The connection to the server )`)

// sameLines compares what was read from two tapes.
func (s *setting) sameLines(what string, want, got []string, run taped) {
	s.Helper()
	if !slices.Equal(want, got) {
		s.Errorf("%s differ:\nwant %s\ngot  %s\n%s", what, strings.Join(want, "\n     "), strings.Join(got, "\n     "), summary(run.outcome))
	}
}

// keepsToken looks for credentials in what the plugin printed.
func (s *setting) keepsToken(got outcome) {
	s.Helper()
	for user, token := range s.Tokens {
		if strings.Contains(got.stdout+got.stderr, token) {
			s.Errorf("the token of %s is shown: %s", user, summary(got))
		}
	}
}

// summary is an outcome without most of a long output.
func summary(o outcome) string {
	const some = 300
	if len(o.stdout) > some {
		o.stdout = o.stdout[:some] + "..."
	}
	return fmt.Sprintf("exit %d, stdout %q, stderr %q", o.exit, o.stdout, o.stderr)
}

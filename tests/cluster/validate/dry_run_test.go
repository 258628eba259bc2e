// This file is about --server-dry-run: the plugin asks the server itself, and tells where that differs.

package validate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/manifests"
	"kubectl-dra/tests/schema"
	"kubectl-dra/tests/soak"
)

const dryRunSample = 400 // manifests

// dryRunReport is what the plugin says of files.
type dryRunReport struct {
	Findings []struct {
		finding
		Server string
	}
	DryRun struct{ Asked, Refused, Differences int }
}

// said are the findings of which the server says that, as "server type path".
func (r dryRunReport) said(servers ...string) []string {
	var all []string
	for _, f := range r.Findings {
		if slices.Contains(servers, f.Server) {
			all = append(all, strings.TrimSpace(f.Server+" "+f.Type+" "+f.Path))
		}
	}
	return all
}

// user runs the plugin as somebody.
type user struct{ kubeconfig string }

func (o *oracle) as(t *testing.T, name string) user {
	t.Helper()
	u := user{filepath.Join(t.TempDir(), "kubeconfig")}
	if err := o.plane.Kubeconfig(u.kubeconfig, name); err != nil {
		t.Fatal(err)
	}
	return u
}

// run returns what the plugin prints, and its exit code.
func (u user) run(t *testing.T, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Getenv(pluginEnv), append([]string{"validate", "--server-dry-run"}, args...)...)
	command.Env = []string{"KUBECONFIG=" + u.kubeconfig, "HOME=" + t.TempDir()}
	var out, err bytes.Buffer
	command.Stdout, command.Stderr = &out, &err
	var code *exec.ExitError
	if failed := command.Run(); errors.As(failed, &code) {
		exit = code.ExitCode()
	} else if failed != nil {
		t.Fatal(failed)
	}
	return out.String(), err.String(), exit
}

func (u user) report(t *testing.T, args ...string) (dryRunReport, int) {
	t.Helper()
	var report dryRunReport
	stdout, stderr, exit := u.run(t, append([]string{"-o", "json"}, args...)...)
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatalf("%v: exit %d: %v\n%s%s", args, exit, err, stdout, stderr)
	}
	schema.ForTest(t).Check(t, strings.Join(args, " "), stdout)
	return report, exit
}

// TestServerDryRun asks about a sample of what is generated: the plugin says the same as the server, and knows it.
func TestServerDryRun(t *testing.T) {
	t.Parallel()
	_, drawn := generate(t)
	var all []*manifests.Manifest
	count := dryRunSample * soak.Times()
	for i := range count {
		all = append(all, drawn[i*len(drawn)/count])
	}
	files := writeManifests(t, t.TempDir(), all)
	for _, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			o := newOracle(t, s.gates)
			admin := o.as(t, harness.Admin)
			answers := o.askAllAs(t, all, (*manifests.Manifest).Sent)
			var reports dryRunReport
			for dir := 0; dir < len(files); dir += perDirectory {
				report, _ := admin.report(t, "-f", filepath.Dir(files[dir]))
				reports.DryRun.Asked += report.DryRun.Asked
				reports.DryRun.Refused += report.DryRun.Refused
				reports.Findings = append(reports.Findings, report.Findings...)
			}
			// Whether a node is there which a slice is for, admission asks of the cluster; no rule can know.
			ofCluster := map[string]bool{}
			for i, a := range answers {
				ofCluster[files[i]] = a.phase == other
			}
			for _, f := range reports.Findings {
				if f.Server == "nothing" || f.Server == "only" && !ofCluster[f.File] {
					t.Errorf("%s: %s %s %s: %s", f.File, f.Server, f.Type, f.Path, f.Message)
				}
			}
			refused := 0
			for _, a := range answers {
				if a.phase != accepted {
					refused++
				}
			}
			if reports.DryRun.Asked != len(all) || reports.DryRun.Refused < refused {
				t.Errorf("asked about %d, %d refused; want %d, at least %d", reports.DryRun.Asked, reports.DryRun.Refused, len(all), refused)
			}
			if same := len(reports.said("same")); same < refused {
				t.Errorf("only %d findings are the server's, too, of %d refused manifests", same, refused)
			}
		})
	}
}

const (
	plainClaim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":%q,"namespace":%q},
"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu.example.com"}}]}}}`
	listSlice = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"lists"},
"spec":{"driver":"gpu.example.com","nodeName":"n","pool":{"name":"n","generation":1,"resourceSliceCount":1},
"devices":[{"name":"gpu-0","attributes":{"links":{"ints":[1,2]}}}]}}`
	adminTemplate = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{"name":"t","namespace":"default"},
"spec":{"spec":{"devices":{"requests":[{"name":"all","exactly":{"deviceClassName":"gpu.example.com","allocationMode":"All","adminAccess":true}}]}}}}`
	refusingPolicy = `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"no-claims"},
"spec":{"failurePolicy":"Fail","matchConstraints":{"resourceRules":[{"apiGroups":["resource.k8s.io"],"apiVersions":["*"],
"operations":["CREATE"],"resources":["resourceclaims"]}]},"validations":[{"expression":"false","message":"ask the platform team"}]}}`
	refusingBinding = `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":"no-claims"},
"spec":{"policyName":"no-claims","validationActions":["Deny"],
"matchResources":{"namespaceSelector":{"matchLabels":{"claims":"refused"}}}}}`
)

// TestServerDryRunDiffers is about servers that say something else than the rules.
func TestServerDryRunDiffers(t *testing.T) {
	t.Parallel()
	file := func(t *testing.T, text string) string {
		t.Helper()
		name := filepath.Join(t.TempDir(), "manifest.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	expect := func(t *testing.T, u user, exit int, want []string, args ...string) {
		t.Helper()
		report, got := u.report(t, args...)
		if said := report.said("nothing", "only"); got != exit || !slices.Equal(said, want) || report.DryRun.Differences != len(want) {
			t.Errorf("%v: exit %d, %q, %d differences; want exit %d, %q", args, got, said, report.DryRun.Differences, exit, want)
		}
	}
	links := "spec.devices[0].attributes[links]"
	t.Run("gates", func(t *testing.T) {
		u := newOracle(t, nil).as(t, harness.Admin)
		slice := file(t, listSlice)
		expect(t, u, 2, []string{"only Invalid " + links}, "-f", slice, "--feature-gates=DRAListTypeAttributes=true")
		expect(t, u, 2, nil, "-f", slice)
		expect(t, u, 2, nil, "-f", file(t, adminTemplate))
		t.Run("on", func(t *testing.T) {
			u := newOracle(t, map[string]bool{"DRAListTypeAttributes": true}).as(t, harness.Admin)
			expect(t, u, 2, []string{"nothing Invalid " + links}, "-f", slice, "--feature-gates=DRAListTypeAttributes=false")
			expect(t, u, 0, nil, "-f", slice)
		})
	})
	t.Run("admission", func(t *testing.T) {
		o := newOracle(t, nil)
		u := o.as(t, harness.Admin)
		o.mustCreate(t, "/api/v1/namespaces", `{"metadata":{"name":"refusing","labels":{"claims":"refused"}}}`)
		o.mustCreate(t, "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", refusingPolicy)
		o.mustCreate(t, "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings", refusingBinding)
		claim := fmt.Sprintf(plainClaim, "c", "refusing")
		o.waitFor(t, "the policy to refuse", func() (bool, error) {
			status, _, err := o.post(t.Context(), "/apis/resource.k8s.io/v1/namespaces/refusing/resourceclaims?dryRun=All", []byte(claim))
			return status == http.StatusUnprocessableEntity || status == http.StatusForbidden, err
		})
		name := file(t, claim)
		stdout, _, exit := u.run(t, "-f", name)
		stdout = strings.Join(strings.Fields(stdout), " ")
		for _, want := range []string{"only the server says so", "ask the platform team", "it differs in 1 finding."} {
			if exit != 2 || !strings.Contains(stdout, want) {
				t.Errorf("exit %d, no %q in:\n%s", exit, want, stdout)
			}
		}
		expect(t, u, 0, nil, "-f", file(t, fmt.Sprintf(plainClaim, "c", "default")))
		expect(t, u, 2, []string{"only NotFound"}, "-f", file(t, fmt.Sprintf(plainClaim, "c", "not-there")))
		_, stderr, exit := o.as(t, "alice").run(t, "-f", file(t, fmt.Sprintf(plainClaim, "c", "default")))
		if exit != 1 || !strings.Contains(stderr, "forbidden") {
			t.Errorf("without rights: exit %d, %s", exit, stderr)
		}
		status, text, err := o.send(t.Context(), http.MethodGet, "/apis/resource.k8s.io/v1/resourceclaims", nil)
		if err != nil || status != http.StatusOK || !bytes.Contains(text, []byte(`"items":[]`)) {
			t.Errorf("something was created: %d %s %v", status, text, err)
		}
	})
}

func (o *oracle) mustCreate(t *testing.T, path, body string) {
	t.Helper()
	if status, text, err := o.post(t.Context(), path, []byte(body)); err != nil || status != http.StatusCreated {
		t.Fatalf("%s: %d %s %v", path, status, text, err)
	}
}

func (o *oracle) waitFor(t *testing.T, what string, done func() (bool, error)) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		is, err := done()
		if err != nil {
			t.Fatal(err)
		}
		if is {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited a minute for %s", what)
		}
		time.Sleep(20 * time.Millisecond) // between two questions
	}
}

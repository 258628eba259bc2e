// Package validate_test holds `kubectl dra validate` against the real API server: what the server refuses and why,
// asked by a dry run of thousands of manifests.
package validate_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/manifests"
)

// phase is where in the server a manifest fails.
type phase string

const (
	accepted phase = "accepted"
	decode   phase = "decode"   // a value of the wrong type
	strict   phase = "strict"   // fields unknown or twice
	validate phase = "validate" // the rules
	other    phase = "other"    // admission, or what is no rule of ours
)

// cause is one thing that is wrong.
type cause struct{ Type, Path, Message string }

// answer is what the server says of a manifest.
type answer struct {
	phase  phase
	causes []cause
	stored map[string]any // of what is accepted
}

// asks at once; more do not make the server faster.
const askers = 8

// oracle asks a server.
type oracle struct {
	plane  *harness.Plane
	client *http.Client
}

// newOracle starts a plane that serves every version, with both namespaces of the manifests.
func newOracle(t *testing.T, gates map[string]bool) *oracle {
	t.Helper()
	o := &oracle{plane: harness.ForTest(t, harness.Options{Serve: harness.All, FeatureGates: gates})}
	config, err := o.plane.RESTConfig(harness.Admin)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(config.CAData)
	o.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, MaxIdleConnsPerHost: askers}}
	// What manifests refer to and a server looks up: their namespaces, and with every gate a node.
	for _, object := range []struct{ path, name, rest string }{
		{"namespaces", manifests.PlainNamespace, "}"},
		{"namespaces", manifests.AdminNamespace, `,"labels":{"resource.kubernetes.io/admin-access":"true"}}`},
		{"nodes", manifests.Node, `},"status":{"declaredFeatures":["DRANodeAllocatableResources"]}`},
	} {
		body := fmt.Sprintf(`{"metadata":{"name":%q%s}`, object.name, object.rest)
		if status, text, err := o.post(t.Context(), "/api/v1/"+object.path, []byte(body)); err != nil || status != http.StatusCreated {
			t.Fatalf("%s: %d %s %v", body, status, text, err)
		}
	}
	return o
}

func (o *oracle) post(ctx context.Context, path string, body []byte) (int, []byte, error) {
	return o.send(ctx, http.MethodPost, path, body)
}

func (o *oracle) send(ctx context.Context, method, path string, body []byte) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, o.plane.URL+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+o.plane.AdminToken)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	response, err := o.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

// askAll asks about every manifest. The answers are in the same order.
func (o *oracle) askAll(t *testing.T, all []*manifests.Manifest) []answer {
	t.Helper()
	return o.askAllAs(t, all, (*manifests.Manifest).JSON)
}

// askAllAs asks with what body makes of each.
func (o *oracle) askAllAs(t *testing.T, all []*manifests.Manifest, body func(*manifests.Manifest) ([]byte, error)) []answer {
	t.Helper()
	answers := make([]answer, len(all))
	o.each(t, len(all), func(i int) error {
		var err error
		if answers[i], err = o.ask(t.Context(), all[i], body); err != nil {
			return fmt.Errorf("%s: %w\n%s", all[i].Changes, err, all[i].Text)
		}
		return nil
	})
	return answers
}

// each does something for each number below count, several at once.
func (o *oracle) each(t *testing.T, count int, do func(i int) error) {
	t.Helper()
	errs := make([]error, count)
	next := make(chan int)
	var group sync.WaitGroup
	for range askers {
		group.Go(func() {
			for i := range next {
				errs[i] = do(i)
			}
		})
	}
	for i := range count {
		next <- i
	}
	close(next)
	group.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// ask has the server try to create the object, as kubectl create does.
func (o *oracle) ask(ctx context.Context, m *manifests.Manifest, body func(*manifests.Manifest) ([]byte, error)) (answer, error) {
	sent, err := body(m)
	if err != nil {
		return answer{}, err
	}
	status, text, err := o.post(ctx, m.Path()+"?dryRun=All&fieldValidation=Strict&fieldManager=kubectl-create", sent)
	if err != nil {
		return answer{}, err
	}
	if status == http.StatusCreated {
		a := answer{phase: accepted}
		return a, json.Unmarshal(text, &a.stored)
	}
	var refusal metav1.Status
	if err := json.Unmarshal(text, &refusal); err != nil {
		return answer{}, fmt.Errorf("%d %s: %w", status, text, err)
	}
	return read(refusal), nil
}

// withoutLabel is what is said of admin access in a namespace without the label. Who reads a manifest cannot know the
// labels of namespaces, so this is no refusal of the manifest.
const withoutLabel = "label on the containing namespace"

func read(refusal metav1.Status) answer {
	if refusal.Reason != metav1.StatusReasonInvalid || refusal.Details == nil {
		return readMessage(refusal)
	}
	a := answer{phase: validate}
	for _, c := range refusal.Details.Causes {
		if strings.HasSuffix(c.Message, withoutLabel) {
			continue
		}
		kind := strings.TrimPrefix(string(c.Type), "FieldValue")
		a.causes = append(a.causes, cause{kind, c.Field, c.Message})
	}
	if len(a.causes) == 0 {
		a.phase = accepted
	}
	return a
}

var (
	strictPart  = regexp.MustCompile(`(unknown|duplicate) field "([^"]*)"`)
	strictBegin = "strict decoding error: "
	// embedded is the name of a Go type that stands in paths between fields of the API.
	embedded = ".DeviceConfiguration"
	goField  = regexp.MustCompile(`(?:json|strict decoding error): cannot unmarshal .* into Go struct field [^.]*\.([^ ]*) of type`)
)

// readMessage takes apart what is said of a manifest that cannot be decoded, for which there are no causes.
func readMessage(refusal metav1.Status) answer {
	if refusal.Reason != metav1.StatusReasonBadRequest {
		return answer{phase: other, causes: []cause{{string(refusal.Reason), "", refusal.Message}}}
	}
	if _, errors, isStrict := strings.Cut(refusal.Message, strictBegin); isStrict {
		a := answer{phase: strict}
		for _, part := range strictPart.FindAllStringSubmatch(errors, -1) {
			kind := map[string]string{"unknown": "UnknownField", "duplicate": "DuplicateField"}[part[1]]
			a.causes = append(a.causes, cause{kind, part[2], part[0]})
		}
		return a
	}
	a := answer{phase: decode, causes: []cause{{"Decode", "", refusal.Message}}}
	if path := goField.FindStringSubmatch(refusal.Message); path != nil {
		a.causes[0].Path = strings.ReplaceAll(path[1], embedded, "")
	}
	return a
}

// pairs are types and paths, sorted, each once.
func (a answer) pairs() []string {
	var pairs []string
	for _, c := range a.causes {
		pairs = append(pairs, c.Type+" "+c.Path)
	}
	slices.Sort(pairs)
	return slices.Compact(pairs)
}

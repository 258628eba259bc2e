// This file is about manifests of objects that exist: what the server says of them as updates.

package validate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/manifests"
)

const (
	changedTwice = 1500 // objects that are created with one change, and then are to have another
	leastUpdates = 3000
)

// conflict is of an update that was made for another object, or for another state of it. It comes before the rules.
const conflict phase = "conflict"

// updatesReach is what the updates must reach between them beside the rules for creation.
var updatesReach = []string{
	"DeviceClass Conflict metadata.uid",
	"DeviceTaintRule Invalid metadata.deletionTimestamp",
	"Pod Forbidden spec",
	"Pod Forbidden spec.containers",
	"ResourceClaim Invalid metadata.deletionGracePeriodSeconds",
	"ResourceClaim Invalid spec",
	"ResourceClaimTemplate Invalid spec",
	"ResourceSlice Forbidden metadata.finalizers",
	"ResourceSlice Invalid spec.driver",
	"ResourceSlice Invalid spec.nodeName",
	"ResourceSlice Invalid spec.pool.name",
}

// TestUpdates creates objects and asks about changes of them.
func TestUpdates(t *testing.T) {
	t.Parallel()
	updates, err := manifests.Updates(seeded(t, 1), changedTwice)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(updates, func(a, b *manifests.Update) int { return strings.Compare(a.Before.Kind, b.Before.Kind) })
	reached := map[string]bool{}
	for _, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			o := newOracle(t, s.gates)
			asked, answers := o.update(t, updates)
			t.Log(summary(asked, answers))
			if len(asked) < leastUpdates {
				t.Errorf("only %d updates were asked about", len(asked))
			}
			dir := os.Getenv(dumpEnv)
			if dir == "" {
				dir = t.TempDir()
			}
			files := writeManifests(t, filepath.Join(dir, "updates."+s.name), asked)
			o.expectAgreement(t, s, asked, files, answers)
			o.expectSameLive(t, s, asked, files, answers)
			for _, one := range reachedBy(asked, answers) {
				reached[one] = true
			}
		})
	}
	for _, one := range updatesReach {
		if !reached[one] {
			t.Errorf("no update reaches: %s", one)
		}
	}
}

// stored is an object that exists.
type stored struct{ path, version string }

// update creates what it can of the objects, and asks about the changes of these.
func (o *oracle) update(t *testing.T, updates []*manifests.Update) ([]*manifests.Manifest, []answer) {
	t.Helper()
	existing := o.create(t, updates)
	var asked []*manifests.Manifest
	var of []stored
	for _, u := range updates {
		if at, exists := existing[u.Before.Kind+" "+u.Name()]; exists {
			asked = append(asked, u.After)
			of = append(of, at)
		}
	}
	answers := make([]answer, len(asked))
	o.each(t, len(asked), func(i int) error {
		var err error
		answers[i], err = o.put(t, asked[i], of[i])
		return err
	})
	return asked, answers
}

// create creates objects, and returns those that the server took, by kind and name.
func (o *oracle) create(t *testing.T, updates []*manifests.Update) map[string]stored {
	t.Helper()
	var first []*manifests.Update
	seen := map[string]bool{}
	for _, u := range updates {
		if name := u.Before.Kind + " " + u.Name(); !seen[name] {
			seen[name] = true
			first = append(first, u)
		}
	}
	all := make([]stored, len(first))
	o.each(t, len(first), func(i int) error {
		m := first[i].Before
		body, err := m.JSON()
		if err != nil {
			return err
		}
		status, text, err := o.send(t.Context(), http.MethodPost, m.Path()+"?fieldValidation=Strict", body)
		if err != nil || status != http.StatusCreated {
			return err
		}
		path := m.Path() + "/" + first[i].Name()
		if first[i].Deleted {
			if _, text, err = o.send(t.Context(), http.MethodDelete, path, nil); err != nil {
				return err
			}
		}
		var object struct{ Metadata metav1.ObjectMeta }
		all[i] = stored{path: path}
		err = json.Unmarshal(text, &object)
		all[i].version = object.Metadata.ResourceVersion
		return err
	})
	existing := map[string]stored{}
	for i, u := range first {
		if all[i].path != "" {
			existing[u.Before.Kind+" "+u.Name()] = all[i]
		}
	}
	return existing
}

// put has the server try to replace the object, as kubectl replace does, which fills in the state that the object is at.
func (o *oracle) put(t *testing.T, m *manifests.Manifest, of stored) (answer, error) {
	body, err := m.JSON()
	if err != nil {
		return answer{}, err
	}
	if body, err = withVersion(body, of.version); err != nil {
		return answer{}, err
	}
	path := m.Path() + of.path[strings.LastIndexByte(of.path, '/'):]
	status, text, err := o.send(t.Context(), http.MethodPut, path+"?dryRun=All&fieldValidation=Strict&fieldManager=kubectl-replace", body)
	if err != nil {
		return answer{}, err
	}
	if status == http.StatusOK {
		return answer{phase: accepted}, nil
	}
	var refusal metav1.Status
	if err := json.Unmarshal(text, &refusal); err != nil {
		return answer{}, fmt.Errorf("%d %s: %w", status, text, err)
	}
	if refusal.Reason != metav1.StatusReasonConflict {
		a := read(refusal)
		if a.phase == validate && len(a.causes) == 1 && a.causes[0].Path == "metadata.resourceVersion" {
			a.phase = conflict
		}
		return a, nil
	}
	a := answer{phase: conflict, causes: []cause{{"Conflict", "metadata.resourceVersion", refusal.Message}}}
	if strings.Contains(refusal.Message, "UID in precondition") {
		a.causes[0].Path = "metadata.uid"
	}
	return a, nil
}

func withVersion(body []byte, version string) ([]byte, error) {
	var object map[string]json.RawMessage
	var metadata map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(object["metadata"], &metadata); err != nil {
		return body, nil // the server is to say what is wrong with it
	}
	if has := metadata["resourceVersion"]; len(has) > 0 && string(has) != "null" && string(has) != `""` {
		return body, nil
	}
	metadata["resourceVersion"] = json.RawMessage(`"` + version + `"`)
	var err error
	if object["metadata"], err = json.Marshal(metadata); err != nil {
		return nil, err
	}
	return json.Marshal(object)
}

// expectAgreement fails if the plugin, which is given what exists in a file for each kind, says something else.
func (o *oracle) expectAgreement(t *testing.T, s setting, asked []*manifests.Manifest, files []string, answers []answer) {
	t.Helper()
	findings := map[string][]finding{}
	existing := map[string]string{}
	for begin := 0; begin < len(files); {
		kind, end := asked[begin].Kind, begin
		for end < len(files) && asked[end].Kind == kind && filepath.Dir(files[end]) == filepath.Dir(files[begin]) {
			end++
		}
		if existing[kind] == "" {
			existing[kind] = o.writeExisting(t, asked[begin])
		}
		args := []string{"--against", existing[kind]}
		for _, file := range files[begin:end] {
			args = append(args, "-f", file)
		}
		maps.Copy(findings, runPluginWith(t, s.told, args...))
		begin = end
	}
	expectSame(t, s, asked, files, answers, func(file string) answer { return ourUpdate(findings[file]) })
}

// ofEachKind is how many updates of a kind the plugin looks up in the server itself.
const ofEachKind = 8

// expectSameLive fails if the plugin, which gets what exists from the server, says something else of some that are refused.
func (o *oracle) expectSameLive(t *testing.T, s setting, asked []*manifests.Manifest, files []string, answers []answer) {
	t.Helper()
	args := []string{"--against", "cluster", "--kubeconfig", o.as(t, harness.Admin).kubeconfig}
	var some []*manifests.Manifest
	var named []string
	var theirs []answer
	count := map[string]int{}
	for i, m := range asked {
		if answers[i].phase == validate && count[m.Kind] < ofEachKind {
			count[m.Kind]++
			some, named, theirs = append(some, m), append(named, files[i]), append(theirs, answers[i])
			args = append(args, "-f", files[i])
		}
	}
	findings := runPluginWith(t, s.told, args...)
	expectSame(t, s, some, named, theirs, func(file string) answer { return ourUpdate(findings[file]) })
}

// ourUpdate is ourAnswer, with what comes before the rules apart: whether another object is meant is asked first.
func ourUpdate(findings []finding) answer {
	ours := ourAnswer(findings)
	for _, path := range []string{"metadata.uid", "metadata.resourceVersion"} {
		i := slices.IndexFunc(ours.causes, func(c cause) bool { return c.Path == path })
		if ours.phase == validate && i >= 0 {
			return answer{phase: conflict, causes: []cause{ours.causes[i]}}
		}
	}
	return ours
}

// writeExisting writes all objects of the manifest's kind, and the namespaces, as they are.
func (o *oracle) writeExisting(t *testing.T, m *manifests.Manifest) string {
	t.Helper()
	list := map[string]any{"apiVersion": "v1", "kind": "List"}
	var items []json.RawMessage
	plural := m.Path()[strings.LastIndexByte(m.Path(), '/'):]
	path := "/apis/resource.k8s.io/v1" + plural
	if m.APIVersion == "v1" {
		path = "/api/v1" + plural
	}
	for _, path := range []string{"/api/v1/namespaces", path} {
		status, text, err := o.send(t.Context(), http.MethodGet, path, nil)
		if err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s %v", path, status, text, err)
		}
		var all struct {
			APIVersion, Kind string
			Items            []json.RawMessage
		}
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		typed := fmt.Sprintf(`{"apiVersion":%q,"kind":%q,`, all.APIVersion, strings.TrimSuffix(all.Kind, "List"))
		for _, item := range all.Items {
			items = append(items, append([]byte(typed), bytes.TrimPrefix(item, []byte("{"))...))
		}
	}
	list["items"] = items
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), m.Kind+".json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

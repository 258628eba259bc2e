// Package manifests makes manifests of everything that has to do with DRA: good ones of every kind in every
// version, and such as differ from these in one thing or two, as people get them wrong.
//
// What can be changed at a place follows from the Go type there, so new fields of the API need no change
// here: only a good manifest that has them.
package manifests

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"

	"sigs.k8s.io/yaml"
)

// Manifest is an object as a user writes it.
type Manifest struct {
	Kind, APIVersion string
	Namespace        string // where the object would be; empty for kinds that are in none
	Base             string // the good manifest that it was made of
	Changes          string // what was changed in it; empty if nothing was
	Text             string // YAML

	root *node
}

// Version is the version alone, without the group.
func (m *Manifest) Version() string { return m.APIVersion[strings.LastIndexByte(m.APIVersion, '/')+1:] }

// Sent is what kubectl makes of the manifest and sends. Of a key that stands twice it has the last.
func (m *Manifest) Sent() ([]byte, error) { return yaml.YAMLToJSON([]byte(m.Text)) }

// JSON is the same with every key that stands twice, each time with the last value: the server is to refuse the key, and
// nothing that kubectl does not send.
func (m *Manifest) JSON() ([]byte, error) {
	if _, err := yaml.YAMLToJSONStrict([]byte(m.Text)); err != nil {
		return []byte(m.root.asSent().json()), nil
	}
	return m.Sent()
}

func newManifest(t target, base string, root *node, changes ...string) *Manifest {
	m := &Manifest{Kind: t.kind, APIVersion: t.apiVersion, Base: base, Changes: strings.Join(changes, "; "), root: root}
	if namespace := root.find("metadata", "namespace"); namespace != nil {
		m.Namespace = namespace.str()
	} else if t.isNamespaced() {
		m.Namespace = "default"
	}
	m.Text = fmt.Sprintf("# %s: %s\n%s", base, strings.ReplaceAll(m.Changes, "\n", `\n`), root.yaml())
	return m
}

// Good returns the good manifests: every kind in every version.
func Good() ([]*Manifest, error) {
	bases, err := readBases()
	if err != nil {
		return nil, err
	}
	var good []*Manifest
	for _, b := range bases {
		good = append(good, newManifest(b.target, b.name, b.root))
	}
	return good, nil
}

// spot is something to change somewhere in a good manifest.
type spot struct {
	base   base
	site   int // of walk
	path   string
	change change
}

// make changes a copy of the manifest.
func (s spot) make(also ...spot) *Manifest {
	root := s.base.root.clone()
	names := []string{}
	for _, one := range append([]spot{s}, also...) {
		if !one.do(walk(root, s.base.typ)) {
			continue // the first change took the place of the second
		}
		names = append(names, strings.TrimSpace(one.path+": "+one.change.name))
	}
	return newManifest(s.base.target, s.base.name, root, names...)
}

// do makes the change, if it can still be made.
func (s spot) do(sites []site) bool {
	if s.site >= len(sites) || sites[s.site].path != s.path {
		return false
	}
	for _, c := range changesAt(sites[s.site]) {
		if c.name == s.change.name {
			c.do(sites[s.site])
			return true
		}
	}
	return false
}

// One returns manifests with one change each. Every field of a type is changed in every way that its type knows, once,
// in any of the good manifests which have it; of what is the same in several kinds and versions, and of metadata,
// it is a part, by chance.
func One(r *rand.Rand) ([]*Manifest, error) {
	return one(func(same []spot) (spot, bool) {
		s := same[r.IntN(len(same))]
		return s, r.IntN(100) < share(s.base.target, s.path)
	})
}

// All is One, with everything that is otherwise left to chance.
func All(r *rand.Rand) ([]*Manifest, error) {
	return one(func(same []spot) (spot, bool) { return same[r.IntN(len(same))], true })
}

func one(pick func(same []spot) (spot, bool)) ([]*Manifest, error) {
	spots, err := allSpots()
	if err != nil {
		return nil, err
	}
	var manifests []*Manifest
	for _, same := range alike(spots) {
		if s, picked := pick(same); picked {
			manifests = append(manifests, s.make())
		}
	}
	return manifests, nil
}

// Two returns so many manifests with two changes each.
func Two(r *rand.Rand, count int) ([]*Manifest, error) {
	spots, err := allSpots()
	if err != nil {
		return nil, err
	}
	byBase := map[*node][]spot{}
	for _, s := range spots {
		byBase[s.base.root] = append(byBase[s.base.root], s)
	}
	groups := alike(spots)
	var manifests []*Manifest
	for len(manifests) < count {
		same := groups[r.IntN(len(groups))]
		first := same[r.IntN(len(same))]
		others := byBase[first.base.root]
		manifests = append(manifests, first.make(others[r.IntN(len(others))]))
	}
	return manifests, nil
}

func allSpots() ([]spot, error) {
	bases, err := readBases()
	if err != nil {
		return nil, err
	}
	var spots []spot
	for _, b := range bases {
		for i, s := range walk(b.root, b.typ) {
			for _, c := range changesAt(s) {
				if b.changes(s, c) {
					spots = append(spots, spot{b, i, s.path, c})
				}
			}
		}
	}
	return spots, nil
}

// alike groups spots that do the same to the same field of the same kind and version, in the order of the first.
func alike(spots []spot) [][]spot {
	var groups [][]spot
	index := map[string]int{}
	for _, s := range spots {
		key := strings.Join([]string{s.base.kind, s.base.apiVersion, s.path, s.change.name}, "\n")
		at, found := index[key]
		if !found {
			at = len(groups)
			index[key] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], s)
	}
	return groups
}

// changes tells whether to make the change at all.
func (b base) changes(s site, c change) bool {
	switch {
	case s.path == "apiVersion", s.path == "kind", s.path == "metadata.namespace":
		return false // what is asked of the server depends on them
	case s.path == "metadata" && (strings.HasPrefix(c.name, "with namespace") || strings.HasPrefix(c.name, "is ")):
		return false
	case s.path == "metadata" && (c.name == "removed" || c.name == "twice"):
		return b.root.find("metadata", "namespace") == nil
	case s.parent == nil:
		return strings.HasPrefix(c.name, "with") // there must be something
	}
	if strings.HasPrefix(b.apiVersion, group) {
		return true
	}
	// Of pods, what has to do with claims; of the rest only that a manifest is decoded strictly.
	return strings.Contains(s.path, "resourceClaims") || strings.Contains(s.path, "resources.claims") ||
		strings.HasPrefix(c.name, "with an unknown") || c.name == "twice" && !s.inList() && !s.inMap() ||
		s.typ.Kind() == reflect.Int32 && c.name == `is "1"` || isList(s.typ) && c.name == `is "text"`
}

// share says how many of a hundred changes are made.
func share(t target, path string) int {
	written := t.apiVersion == group+"v1" || t.kind == "Pod"
	about, _, _ := strings.Cut(strings.TrimPrefix(path, "spec."), ".")
	switch {
	case about == "metadata" && written && t.kind == "ResourceClaim":
		return 50
	case about == "metadata" || about == "status":
		return 10
	case t.kind == "ResourceClaimTemplate":
		return 15
	case t.apiVersion == group+"v1beta1":
		return 50
	case written:
		return 100
	}
	return 15
}

// Path is where the server takes objects of the kind.
func (m *Manifest) Path() string {
	path := "/apis/" + m.APIVersion
	if m.APIVersion == "v1" {
		path = "/api/v1"
	}
	if m.Namespace != "" {
		path += "/namespaces/" + m.Namespace
	}
	plural := strings.ToLower(m.Kind) + "s"
	if strings.HasSuffix(m.Kind, "Class") {
		plural = strings.ToLower(m.Kind) + "es"
	}
	return path + "/" + plural
}

// This file is about changing what exists: a manifest that was created, and another one for the same object.

package manifests

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Update is an object as it was created, and what somebody makes of it.
type Update struct {
	Before, After *Manifest
	Deleted       bool // Before is being deleted, and waits for a finalizer
}

// Name is what Before is called, and After unless that was what changed.
func (u *Update) Name() string { return u.Before.root.find("metadata", "name").str() }

// Finalizers that keep an object while it is being deleted.
const keep, other = "example.com/keep", "example.com/other"

// Updates returns what the changes of One make of good objects, and so many objects that somebody changed, created so, and
// changed again in another way: as far as the server takes them. Names are unique within a kind.
func Updates(r *rand.Rand, twice int) ([]*Update, error) {
	spots, err := allSpots()
	if err != nil {
		return nil, err
	}
	spots = slices.DeleteFunc(spots, func(s spot) bool { return !s.isOfUpdate() })
	byObject := map[string][]spot{}
	for _, s := range spots {
		byObject[s.base.object()] = append(byObject[s.base.object()], s)
	}
	var updates []*Update
	groups := alike(spots)
	for _, same := range groups {
		s := same[r.IntN(len(same))]
		if r.IntN(200) >= share(s.base.target, s.path) {
			continue
		}
		before := spots[slices.IndexFunc(spots, func(o spot) bool { return o.base.object() == s.base.object() })]
		updates = append(updates, &Update{Before: before.base.manifest(), After: s.fresh(r).make()})
	}
	for _, s := range spots {
		if s.base.kind == "Pod" && s.path == "spec.resourceClaims" && s.change.name == "removed" {
			updates = append(updates, &Update{Before: s.base.manifest(), After: s.base.withContainer()})
		}
	}
	for i := range twice {
		same := groups[r.IntN(len(groups))]
		first := same[r.IntN(len(same))]
		others := byObject[first.base.object()]
		updates = append(updates, changedTwice(r, first, others[r.IntN(len(others))], i))
	}
	return updates, nil
}

// changedTwice returns an object that was created with one change and is to have another, instead or as well. Some are being
// deleted.
func changedTwice(r *rand.Rand, first, second spot, number int) *Update {
	name := fmt.Sprintf("object-%d", number)
	before, after := first.named(name), second.fresh(r).named(name)
	deleted := r.IntN(20) == 0
	if deleted {
		before.base.finalize(keep)
		after.base.finalize([]string{keep, other}[r.IntN(2)])
	}
	u := &Update{Before: before.make(), After: after.make(), Deleted: deleted}
	if first.base.target == second.base.target && r.IntN(2) == 0 {
		after.site, after.path, after.change = first.site, first.path, first.change
		u.After = after.make(second)
	}
	return u
}

func (b base) manifest() *Manifest { return newManifest(b.target, b.name, b.root.clone()) }

// object tells the good object apart from others, in whatever version it is written.
func (b base) object() string { return b.kind + " " + b.name }

// withContainer is the pod with one more container that uses its first claim.
func (b base) withContainer() *Manifest {
	b.root = b.root.clone()
	spec := b.root.get("spec")
	claim := object(field{"name", spec.get("resourceClaims").items[0].get("name").clone()})
	more := object(field{"name", text("more")}, field{"image", text("example.com/more")},
		field{"resources", object(field{"claims", list(claim)})})
	spec.get("containers").items = append(spec.get("containers").items, more)
	return newManifest(b.target, b.name, b.root, "with a container more")
}

func (b base) finalize(with string) {
	b.root.get("metadata").set("finalizers", list(text(with)))
}

// named is the same in an object of another name.
func (s spot) named(name string) spot {
	s.base.root = s.base.root.clone()
	s.base.root.get("metadata").set("name", text(name))
	return s
}

// fresh is the same in an object that, mostly, does not say which state of it is meant.
func (s spot) fresh(r *rand.Rand) spot {
	named := s.path == "metadata.uid" || s.path == "metadata.resourceVersion"
	if s.base.root.find("metadata", "uid") == nil || named || r.IntN(8) == 0 {
		return s
	}
	s.base.root = s.base.root.clone()
	for _, key := range []string{"uid", "resourceVersion"} {
		s.base.root.get("metadata").set(key, raw("null"))
	}
	return s
}

// isOfUpdate tells whether something can exist whatever is changed there: not what its name depends on. That a manifest is
// decoded strictly has nothing to do with updates.
func (s spot) isOfUpdate() bool {
	switch {
	case s.path == "metadata" || s.path == "metadata.name" || s.path == "" && !strings.HasPrefix(s.change.name, "with spec"):
		return false
	case s.change.name == "twice" || strings.HasPrefix(s.change.name, "with an unknown"):
		return false
	case s.base.kind == "Pod":
		return strings.Contains(s.path, "resourceClaims") || strings.Contains(s.path, "resources.claims")
	}
	return strings.HasPrefix(s.base.apiVersion, group)
}

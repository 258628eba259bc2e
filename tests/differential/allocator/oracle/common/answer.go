// Package common is what the oracles of all releases share: each answers, by one release's own allocator, what becomes
// of a pod's claims on every node. A question is a line of JSON on stdin, its answer one on stdout.
package common

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// Release is what differs from one release of Kubernetes to the next.
type Release struct {
	Version string
	// Gates has the default of each feature gate that the scheduler passes on to the allocator.
	Gates map[string]bool
	// Features is kubernetes' dynamicresources.AllocatorFeatures.
	Features func(on func(gate string) bool) structured.Features
	// CEL are the features of the cache that dynamicresources.New makes.
	CEL func(on func(gate string) bool) cel.Features
	// IsLocal says whether an error concerns just the node.
	IsLocal func(error) bool
	// Ordered says whether the release tries pools in order: all but the implementation named "stable".
	Ordered bool
}

// question is a cluster and a pod in it. Programs other than ours may ignore what they do not know.
type question struct {
	ID      int               `json:"id"`
	Version string            `json:"version"`
	Gates   string            `json:"gates"`
	Objects []json.RawMessage `json:"objects"`
	Pod     string            `json:"pod"`
	Runs    int               `json:"runs"` // 0: as many as usual
}

type answer struct {
	ID             int    `json:"id"`
	Error          string `json:"error,omitempty"` // the question cannot be answered
	Implementation string `json:"implementation"`  // stable, incubating or experimental
	Ordered        bool   `json:"ordered"`         // the allocation is the same in each run
	Nodes          []node `json:"nodes"`
}

// node is what becomes of the claims on a node in the first run, and all that differs from it in others.
type node struct {
	Name string `json:"name"`
	outcome
	Others []outcome `json:"others,omitempty"`
}

type outcome struct {
	Fits       bool     `json:"fits"`
	Aborts     bool     `json:"aborts"` // the error is fatal for the pod
	Local      bool     `json:"local"`  // the error concerns just this node
	Timeout    bool     `json:"timeout"`
	Panic      bool     `json:"panic"` // upstream's code fell over
	Error      string   `json:"error"`
	Steps      int64    `json:"steps"` // calls of allocateOne, where upstream counts them
	Allocation []result `json:"allocation,omitempty"`
}

type result struct {
	Claim            string            `json:"claim"`
	Request          string            `json:"request"`
	Driver           string            `json:"driver"`
	Pool             string            `json:"pool"`
	Device           string            `json:"device"`
	ShareID          bool              `json:"shareID,omitempty"`
	ConsumedCapacity map[string]string `json:"consumedCapacity,omitempty"`
	AdminAccess      bool              `json:"adminAccess,omitempty"`
}

const (
	timeout       = 5 * time.Second
	longest       = 10 * time.Second // for all runs of a node
	orderedRuns   = 2                // a second one shows what depends on the order of Go's maps
	unorderedRuns = 8
	cached        = 1000 // compiled expressions
)

// Main answers questions until there are no more.
func Main(release Release) {
	debug.SetGCPercent(400)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	p := program{release: release, caches: map[cel.Features]*cel.Cache{}}
	for in.Scan() {
		if err := encoder.Encode(p.answer(in.Bytes())); err != nil {
			fatal(err)
		}
		if err := out.Flush(); err != nil {
			fatal(err)
		}
	}
	if err := in.Err(); err != nil {
		fatal(err)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// program has what is kept from one question to the next. Upstream keeps one compiler of CEL and makes a new one
// whenever features change, so the caches are ours.
type program struct {
	release Release
	caches  map[cel.Features]*cel.Cache
}

func (p *program) answer(line []byte) answer {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		return answer{Error: err.Error()}
	}
	out := answer{ID: q.ID}
	if err := p.run(&q, &out); err != nil {
		out.Error = err.Error()
	}
	return out
}

func (p *program) run(q *question, out *answer) error {
	if q.Version != p.release.Version {
		return fmt.Errorf("this is %s, not %s", p.release.Version, q.Version)
	}
	on, err := p.gates(q.Gates)
	if err != nil {
		return err
	}
	c, err := newCluster(q.Objects)
	if err != nil {
		return err
	}
	claims, err := c.claimsOf(q.Pod)
	if err != nil {
		return err
	}
	if on("DRADeviceTaints") && on("DRADeviceTaintRules") {
		c.taint()
	}
	a := attempt{cluster: c, claims: claims, features: p.release.Features(on), cache: p.cache(p.release.CEL(on)), isLocal: p.release.IsLocal}
	a.allocated = c.allocated(on("DRAConsumableCapacity"))
	allocator, err := a.allocator()
	if err != nil {
		return err
	}
	out.Implementation = strings.TrimSuffix(strings.TrimPrefix(reflect.TypeOf(allocator).String(), "*"), ".Allocator")
	out.Ordered = p.release.Ordered && out.Implementation != "stable"
	if !out.Ordered {
		a.random = rand.New(rand.NewPCG(uint64(q.ID), 0))
	}
	runs := q.Runs
	if runs == 0 {
		runs = unorderedRuns
		if out.Ordered {
			runs = orderedRuns
		}
	}
	for _, n := range c.nodes {
		out.Nodes = append(out.Nodes, a.on(n, runs, out.Ordered))
	}
	return nil
}

// gates reads the form of --feature-gates.
func (p *program) gates(text string) (func(string) bool, error) {
	set := map[string]bool{}
	for name, value := range p.release.Gates {
		set[name] = value
	}
	for entry := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(entry, "=")
		if entry == "" {
			continue
		}
		if _, found := set[name]; !found || value != "true" && value != "false" {
			return nil, fmt.Errorf("%s has no gate for the allocator as in %q", p.release.Version, entry)
		}
		set[name] = value == "true"
	}
	return func(name string) bool { return set[name] }, nil
}

func (p *program) cache(features cel.Features) *cel.Cache {
	if p.caches[features] == nil {
		p.caches[features] = cel.NewCache(cached, features)
	}
	return p.caches[features]
}

// attempt is one pod's.
type attempt struct {
	cluster   *cluster
	claims    []*resourceapi.ResourceClaim
	features  structured.Features
	allocated structured.AllocatedState
	cache     *cel.Cache
	isLocal   func(error) bool
	random    *rand.Rand // nil where pools have an order
}

func (a *attempt) allocator() (structured.Allocator, error) {
	slices := a.cluster.slices
	if a.random != nil {
		slices = a.cluster.shuffledPools(a.random)
	}
	return structured.NewAllocator(context.Background(), a.features, a.allocated, a.cluster.classes, slices, a.cache)
}

// on says what becomes of the claims on a node. It makes an allocator for each run, where the scheduler has one for all
// nodes: upstream's keeps the counters that are left in a pool, and which generation they are of would then depend on
// the node that comes first.
func (a *attempt) on(n *corev1.Node, runs int, ordered bool) node {
	out := node{Name: n.Name, outcome: a.once(n)}
	deadline := time.Now().Add(longest)
	for range runs - 1 {
		if out.Timeout || time.Now().After(deadline) {
			break
		}
		if next := a.once(n); !out.has(&next, ordered) {
			out.Others = append(out.Others, next)
		}
	}
	return out
}

func (n *node) has(o *outcome, ordered bool) bool {
	if n.equals(o, ordered) {
		return true
	}
	for i := range n.Others {
		if n.Others[i].equals(o, ordered) {
			return true
		}
	}
	return false
}

// equals leaves out the text of errors, and the allocation where no order of pools is promised.
func (o *outcome) equals(other *outcome, ordered bool) bool {
	return o.Fits == other.Fits && o.Aborts == other.Aborts && o.Local == other.Local && o.Timeout == other.Timeout && o.Panic == other.Panic &&
		(!ordered || reflect.DeepEqual(o.Allocation, other.Allocation))
}

func (a *attempt) once(n *corev1.Node) (out outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			out = outcome{Panic: true, Error: fmt.Sprint(fault)}
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	allocator, err := a.allocator()
	if err != nil {
		return outcome{Aborts: true, Error: err.Error()}
	}
	results, err := allocator.Allocate(ctx, n, a.claims)
	out.Steps = steps(allocator)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		out.Timeout, out.Error = true, err.Error()
	case err != nil:
		out.Local, out.Error = a.isLocal(err), err.Error()
		out.Aborts = !out.Local
	case len(results) == len(a.claims):
		out.Fits, out.Allocation = true, a.results(results)
	}
	return out
}

// steps reads upstream's statistics, whose type is internal.
func steps(allocator structured.Allocator) int64 {
	method := reflect.ValueOf(allocator).MethodByName("GetStats")
	if !method.IsValid() {
		return 0
	}
	statistics := reflect.Indirect(method.Call(nil)[0]) // a pointer up to 1.35, which may be nil
	if statistics.Kind() != reflect.Struct {
		return 0
	}
	return statistics.FieldByName("NumAllocateOneInvocations").Int()
}

func (a *attempt) results(allocations []resourceapi.AllocationResult) (out []result) {
	for i := range allocations {
		for _, r := range allocations[i].Devices.Results {
			one := result{
				Claim: a.claims[i].Namespace + "/" + a.claims[i].Name, Request: r.Request, Driver: r.Driver, Pool: r.Pool, Device: r.Device,
				ShareID: r.ShareID != nil, AdminAccess: r.AdminAccess != nil && *r.AdminAccess,
			}
			for name, quantity := range r.ConsumedCapacity {
				if one.ConsumedCapacity == nil {
					one.ConsumedCapacity = map[string]string{}
				}
				one.ConsumedCapacity[string(name)] = quantity.String()
			}
			out = append(out, one)
		}
	}
	return out
}

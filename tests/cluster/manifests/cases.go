// This file is about manifests for rules that one change at one place does not reach: rules about several fields, about
// sums, and about numbers that depend on each other.

package manifests

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// edit sets what is at a path, whose steps are keys and indices with spaces between, to a value in JSON. A value that
// is empty removes what is there.
type edit struct{ path, value string }

// special is a good manifest with edits, and what they come to.
type special struct {
	kind, base, what string
	edits            []edit
}

const (
	firstExactly = "spec devices requests 0 exactly "
	bandwidth    = "spec devices 0 capacity bandwidth "
	queues       = "spec devices 0 capacity nic.example.com/queues "
	firstDevice  = "spec devices 0 "
)

// specials are made in every version of their kind; those of claims in templates as well.
var specials = []special{
	{"ResourceClaim", "choice", "both attributes of a constraint", []edit{{"spec devices constraints 0 distinctAttribute", `"gpu.example.com/slot"`}}},
	{"ResourceClaim", "exact", "an attribute without and one with a domain", []edit{
		{"spec devices constraints 2 matchAttribute", `"slot"`}, {"spec devices constraints 0 matchAttribute", `"gpu.example.com/slot"`}}},
	{"ResourceClaim", "exact", "all and a count", []edit{{firstExactly + "allocationMode", `"All"`}}},
	{"ResourceClaim", "exact", "operator Exists with a value", []edit{{firstExactly + "tolerations 0 operator", `"Exists"`}}},
	{"ResourceClaim", "exact", "a value, and no key", []edit{{firstExactly + "tolerations 0 key", ``}}},
	{"ResourceClaim", "exact", "dear derived attributes", []edit{{firstExactly + "derivedAttributes", `[
		{"name":"gpu.example.com/zone","expression":` + dear + `},{"name":"gpu.example.com/slot","expression":` + dear + `}]`}}},
	{"ResourceClaim", "choice", "a derived attribute that another request's constraint uses", []edit{
		{"spec devices constraints 0 requests", `["nic"]`}}},
	{"ResourceClaim", "choice", "a reference of three parts", []edit{{"spec devices constraints 0 requests", `["gpu/big/x"]`}}},
	{"ResourceClaim", "choice", "references to the same twice", []edit{{"spec devices config 0 requests", `["nic","gpu","gpu/small","nic"]`}}},
	{"ResourceClaim", "exact", "32 and 33 of requests", []edit{{"spec devices requests", many(33, `{"name":"r%d","exactly":{"deviceClassName":"a"}}`)}}},
	{"ResourceClaim", "least", "two controllers", []edit{{"metadata ownerReferences", `[
		{"apiVersion":"v1","kind":"Pod","name":"a","uid":"1","controller":true},{"apiVersion":"v1","kind":"Pod","name":"b","uid":"2","controller":true}]`}}},
	{"ResourceClaim", "least", "an event as owner", []edit{{"metadata ownerReferences", `[{"apiVersion":"v1","kind":"Event","name":"a","uid":"1"}]`}}},
	{"ResourceClaim", "least", "annotations of the longest size", []edit{{"metadata annotations", `{"a":"` + long(256*1024-1) + `"}`}}},
	{"ResourceClaim", "least", "annotations too long", []edit{{"metadata annotations", `{"a":"` + long(256*1024) + `"}`}}},
	{"ResourceClaim", "least", "finalizers that exclude each other", []edit{{"metadata finalizers", `["orphan","foregroundDeletion"]`}}},
	{"ResourceClaim", "least", "a finalizer without a domain", []edit{{"metadata finalizers", `["keep"]`}}},
	{"ResourceClaim", "least", "a subresource of 256 bytes", []edit{{"metadata managedFields", managed("kubectl", long(256))}}},
	{"ResourceClaim", "least", "a subresource of 257 bytes", []edit{{"metadata managedFields", managed("kubectl", long(257))}}},
	{"ResourceClaim", "least", "a manager of 128 bytes", []edit{{"metadata managedFields", managed(long(128), "")}}},
	{"ResourceClaim", "least", "a manager of 129 bytes", []edit{{"metadata managedFields", managed(long(129), "")}}},
	{"ResourceClaim", "least", "a manager in other letters", []edit{{"metadata managedFields", managed(`kübectl \u4e2d`, "")}}},
	{"ResourceClaim", "least", "a manager with what cannot be seen", []edit{{"metadata managedFields", managed(`kubectl\u200b`, "")}}},
	{"ResourceClaim", "least", "a manager with a bell", []edit{{"metadata managedFields", managed(`kubectl\u0007`, "")}}},
	{"ResourceClaim", "least", "a manager with another space", []edit{{"metadata managedFields", managed(`kubectl\u00a0`, "")}}},
	{"ResourceClaim", "least", "a generated name", []edit{{"metadata name", ``}, {"metadata generateName", `"train-"`}}},
	{"ResourceClaim", "least", "a generated name in upper case", []edit{{"metadata name", ``}, {"metadata generateName", `"Train-"`}}},

	{"DeviceClass", "gpu.example.com", "a resource of Kubernetes", []edit{{"spec extendedResourceName", `"kubernetes.io/gpu"`}}},
	{"DeviceClass", "gpu.example.com", "a resource of quotas", []edit{{"spec extendedResourceName", `"requests.example.com/gpu"`}}},

	{"ResourceSlice", "shareable", "ten valid values", []edit{{bandwidth + "requestPolicy validValues", many(10, `"%d"`)}, {bandwidth + "requestPolicy default", `"3"`}}},
	{"ResourceSlice", "shareable", "eleven valid values", []edit{{bandwidth + "requestPolicy validValues", many(11, `"%d"`)}, {bandwidth + "requestPolicy default", `"3"`}}},
	{"ResourceSlice", "shareable", "valid values out of order", []edit{{bandwidth + "requestPolicy validValues", `["1Gi","10Gi","5Gi"]`}}},
	{"ResourceSlice", "shareable", "valid values equal in other words", []edit{{bandwidth + "requestPolicy validValues", `["1Gi","1024Mi","10Gi"]`}}},
	{"ResourceSlice", "shareable", "valid values equal when rounded", []edit{
		{bandwidth + "requestPolicy validValues", `["1500m","2","3"]`}, {bandwidth + "requestPolicy default", `"3"`}}},
	{"ResourceSlice", "shareable", "values and a range", []edit{{bandwidth + "requestPolicy validRange", `{"min":"1Gi"}`}}},
	{"ResourceSlice", "shareable", "valid values without a default", []edit{{bandwidth + "requestPolicy default", ``}}},
	{"ResourceSlice", "shareable", "a difference beyond 64 bits", []edit{{queues + "value", `"10E"`}, {queues + "requestPolicy", `
		{"default":"-1","validRange":{"min":"9223372036854775.807","step":"1"}}`}}},
	{"ResourceSlice", "shareable", "a range without a default", []edit{{queues + "requestPolicy default", ``}}},
	{"ResourceSlice", "shareable", "a policy of a device that is not shared", []edit{{firstDevice + "allowMultipleAllocations", `false`}}},
	{"ResourceSlice", "empty", "32 attributes and capacities", []edit{{"spec devices", oneDevice(`"attributes":` + keyed(20, `{"int":1}`) + `,"capacity":` + keyed(12, `{"value":"1"}`))}}},
	{"ResourceSlice", "empty", "33 attributes and capacities", []edit{{"spec devices", oneDevice(`"attributes":` + keyed(20, `{"int":1}`) + `,"capacity":` + keyed(13, `{"value":"1"}`))}}},
	{"ResourceSlice", "empty", "48 values", []edit{{"spec devices", oneDevice(`"attributes":{"a":{"ints":` + many(30, `%d`) + `},"b":{"strings":` + many(18, `"%d"`) + `}}`)}}},
	{"ResourceSlice", "empty", "49 values", []edit{{"spec devices", oneDevice(`"attributes":{"a":{"ints":` + many(30, `%d`) + `},"b":{"strings":` + many(19, `"%d"`) + `}}`)}}},
	{"ResourceSlice", "empty", "128 devices", []edit{{"spec devices", many(128, `{"name":"d%d"}`)}}},
	{"ResourceSlice", "empty", "129 devices", []edit{{"spec devices", many(129, `{"name":"d%d"}`)}}},
	{"ResourceSlice", "empty", "64 devices with taints", []edit{{"spec devices", many(64, `{"name":"d%d","taints":[{"key":"a","effect":"None"}]}`)}}},
	{"ResourceSlice", "empty", "65 devices with taints", []edit{{"spec devices", many(65, `{"name":"d%d","taints":[{"key":"a","effect":"None"}]}`)}}},
	{"ResourceSlice", "empty", "65 devices with counters", []edit{{"spec devices", many(65, `{"name":"d%d","consumesCounters":[{"counterSet":"a","counters":{"b":{"value":"1"}}}]}`)}}},
	{"ResourceSlice", "empty", "65 devices with lists", []edit{{"spec devices", many(65, `{"name":"d%d","attributes":{"a":{"ints":[1]}}}`)}}},
	{"ResourceSlice", "empty", "no devices, and counters", []edit{{"spec devices", `[]`}, {"spec sharedCounters", `[{"name":"a","counters":{"b":{"value":"1"}}}]`}}},
	{"ResourceSlice", "empty", "no devices, and no counters", []edit{{"spec devices", `[]`}, {"spec sharedCounters", `[]`}}},
	{"ResourceSlice", "counters", "counters and devices", []edit{{"spec devices", `[{"name":"a"}]`}}},
	{"ResourceSlice", "partitions", "a set of counters twice", []edit{{"spec devices 0 consumesCounters 1 counterSet", `"gpu-0"`}}},
	{"ResourceSlice", "partitions", "a group twice", []edit{{"spec devices 0 consumesCounters 1 compatibilityGroups", `["mig","mig"]`}}},
	{"ResourceSlice", "partitions", "two places of a device", []edit{{firstDevice + "allNodes", `true`}}},
	{"ResourceSlice", "partitions", "a type that is a number", []edit{{firstDevice + "attributes profile", `{"int":1}`}}},
	{"ResourceSlice", "partitions", "a type in its driver's domain, declared twice", []edit{{firstDevice + "attributes gpu.example.com/profile", `{"int":1}`}}},
	{"ResourceSlice", "partitions", "a type in another domain", []edit{{"spec partitionTypeAttribute", `"example.com/profile"`}}},
	{"ResourceSlice", "node", "two places", []edit{{"spec allNodes", `true`}}},
	{"ResourceSlice", "node", "the same condition both ways", []edit{{firstDevice + "bindingFailureConditions", `["ready"]`}}},
	{"ResourceSlice", "node", "a condition without what tells a failure", []edit{{firstDevice + "bindingFailureConditions", ``}}},
	{"ResourceSlice", "node", "skips preparing alone", []edit{{"spec skipNodeOperations", `["NodePrepareResources"]`}}},
	{"ResourceSlice", "node", "skips preparing and all", []edit{{"spec skipNodeOperations", `["NodePrepareResources","*"]`}}},
	{"ResourceSlice", "node", "no capacity for a key", []edit{{"spec devices 1 capacity", ``}}},
	{"ResourceSlice", "node", "a mapping of both kinds", []edit{{"spec devices 1 nodeAllocatableResources cpu mapping deviceMultiplier", `"1"`}}},

	{"Pod", "train", "a mirror of a static pod", []edit{{"metadata annotations", `{"kubernetes.io/config.mirror":"a","kubernetes.io/config.source":"file"}`}, {"spec nodeName", `"node-1"`}}},
	{"Pod", "train", "claims of the whole pod", []edit{{"spec resources", `{"claims":[{"name":"gpu"}]}`}}},
	{"Pod", "train", "no claims of the pod", []edit{{"spec resourceClaims", ``}}},
	{"Pod", "train", "a claim of neither source", []edit{{"spec resourceClaims 0", `{"name":"gpu"}`}}},
	{"Pod", "train", "a claim of both sources", []edit{{"spec resourceClaims 0 resourceClaimName", `"gpu"`}}},
	{"Pod", "train", "a claim whole and in part", []edit{{"spec containers 0 resources claims 1", `{"name":"gpu"}`}}},
	{"Pod", "train", "a claim in part and whole", []edit{{"spec containers 0 resources claims", `[{"name":"gpu"},{"name":"gpu","request":"big"}]`}}},
	{"Pod", "train", "a group", []edit{{"spec schedulingGroup", `{"podGroupName":"train"}`}}},
}

// dear is an expression that costs more than half of what all of a claim may.
const dear = `"device.attributes.exists(d, device.attributes[d].exists(k, device.attributes.exists(e, device.attributes[e].exists(l, k == l)))) ? \"a\" : \"b\""`

// managed says that somebody made the object.
func managed(manager, subresource string) string {
	return fmt.Sprintf(`[{"manager":"%s","operation":"Update","apiVersion":"resource.k8s.io/v1","fieldsType":"FieldsV1",
		"fieldsV1":{"f:spec":{"f:devices":{}}},"subresource":"%s"}]`, manager, subresource)
}

// many is a list of so many values, of the format with the number in it.
func many(count int, format string) string {
	values := make([]string, count)
	for i := range values {
		values[i] = fmt.Sprintf(format, i+1)
	}
	return "[" + strings.Join(values, ",") + "]"
}

// keyed is a map of so many keys to the same value.
func keyed(count int, value string) string {
	values := make([]string, count)
	for i := range values {
		values[i] = fmt.Sprintf("%q:%s", fmt.Sprintf("k%d", i), value)
	}
	return "{" + strings.Join(values, ",") + "}"
}

func oneDevice(fields string) string { return `[{"name":"a",` + fields + `}]` }

// Special returns the manifests for rules about several fields.
func Special() ([]*Manifest, error) { return makeSpecial(specials) }

// Policies returns slices with so many request policies, whose numbers are drawn.
func Policies(r *rand.Rand, count int) ([]*Manifest, error) { return makeSpecial(policies(r, count)) }

func makeSpecial(specials []special) ([]*Manifest, error) {
	objects, err := readWritten()
	if err != nil {
		return nil, err
	}
	var made []*Manifest
	for _, s := range specials {
		object := findBase(objects, s.kind, s.base)
		if object == nil {
			return nil, fmt.Errorf("%s: no good %s is called %s", s.what, s.kind, s.base)
		}
		object = object.DeepCopy()
		for _, e := range s.edits {
			if err := e.apply(object.Object); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", s.what, e.path, err)
			}
		}
		bases, err := inKindsAndVersions(object)
		if err != nil {
			return nil, err
		}
		for _, b := range bases {
			made = append(made, newManifest(b.target, s.base, b.root, s.what))
		}
	}
	return made, nil
}

func findBase(objects []*unstructured.Unstructured, kind, name string) *unstructured.Unstructured {
	for _, object := range objects {
		if object.GetKind() == kind && object.GetName() == name {
			return object
		}
	}
	return nil
}

// apply makes the edit. Every step but the last must be there, or is made an object.
func (e edit) apply(value any) error {
	var set any
	if e.value != "" {
		if err := json.Unmarshal([]byte(e.value), &set); err != nil {
			return err
		}
	}
	steps := strings.Split(e.path, " ")
	for i, step := range steps {
		last := i == len(steps)-1
		switch inside := value.(type) {
		case []any:
			at, err := strconv.Atoi(step)
			if err != nil || at >= len(inside) {
				return fmt.Errorf("no item %s", step)
			}
			if last {
				inside[at] = set
			}
			value = inside[at]
		case map[string]any:
			if last && e.value == "" {
				delete(inside, step)
			} else if last {
				inside[step] = set
			}
			value = inside[step]
		default:
			return fmt.Errorf("nothing for %s to be in", step)
		}
	}
	return nil
}

// Quantities whose sums, remainders and roundings matter.
var (
	ordinary = []string{"0", "1", "2", "3", "4", "6", "7", "8", "10", "500m", "1500m", "2500m", "1k", "1Ki", "100u", "1m", "2m",
		"9223372036854775", "1e3"}
	negative = []string{"-1", "-500m", "-2"}
	beyond   = []string{"9223372036854775.807", "9223372036854775807", "9223372036854775808", "18446744073709551616", "10000000000000000000"}
)

// policies draws request policies. None has numbers of 19 digits and more together with negative ones: what upstream
// reads of these depends on what they were compared with (kubernetes#110653).
func policies(r *rand.Rand, count int) []special {
	var among []string
	number := func() string { return fmt.Sprintf("%q", among[r.IntN(len(among))]) }
	var drawn []special
	for i := range count {
		if among = slices.Concat(ordinary, negative); r.IntN(2) == 0 {
			among = slices.Concat(ordinary, beyond)
		}
		edits := []edit{{queues + "value", number()}, {queues + "requestPolicy default", number()}}
		if r.IntN(3) == 0 {
			edits = append(edits, edit{queues + "requestPolicy validRange", ``},
				edit{queues + "requestPolicy validValues", "[" + number() + "," + number() + "," + number() + "]"})
		} else {
			for _, bound := range []string{"min", "max", "step"} {
				value := number()
				if r.IntN(4) == 0 {
					value = ""
				}
				edits = append(edits, edit{queues + "requestPolicy validRange " + bound, value})
			}
		}
		drawn = append(drawn, special{"ResourceSlice", "shareable", fmt.Sprintf("policy %d", i), edits})
	}
	return drawn
}

// This file makes the devices that expressions are evaluated for: those of the fixtures, and generated ones with the
// names that real drivers publish.

package cel

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	apiservercel "k8s.io/apiserver/pkg/cel"
	dracel "k8s.io/dynamic-resource-allocation/cel"
	"sigs.k8s.io/yaml"
)

// device is one for which expressions are evaluated. Both sides read it from the same JSON.
type device struct {
	// For generators: the driver, "true" if it may be allocated many times, then "name kind text" for each attribute
	// and capacity. Texts of fixtures' lists are not told apart.
	fields   []string
	slice    string // a slice of this device
	upstream dracel.Device
}

// attributeKinds are the kinds of fields, as they are in the API; a capacity is a "quantity".
var attributeKinds = []string{"bool", "int", "string", "version", "bools", "ints", "strings", "versions"}

func newDevice(fields ...string) *device {
	attributes, capacity := map[string]any{}, map[string]any{}
	for _, field := range fields[2:] {
		name, kind, text := splitField(field)
		if kind == "quantity" {
			capacity[name] = map[string]any{"value": text}
		} else {
			attributes[name] = attributeJSON(kind, text)
		}
	}
	return readDevice(fields, encode(map[string]any{"name": "device", "allowMultipleAllocations": fields[1] == "true",
		"attributes": attributes, "capacity": capacity}))
}

func readDevice(fields []string, text []byte) *device {
	var read resourceapi.Device
	if err := json.Unmarshal(text, &read); err != nil {
		panic(err)
	}
	slice := encode(map[string]any{"spec": map[string]any{"driver": fields[0], "devices": []any{json.RawMessage(text)}}})
	return &device{fields, string(slice), dracel.Device{Driver: fields[0], AllowMultipleAllocations: read.AllowMultipleAllocations,
		Attributes: read.Attributes, Capacity: read.Capacity}}
}

// reordered is the same device with maps that Go goes through in any order. One map alone gives few orders: it begins
// anywhere, but each name stays behind the same one.
func (d *device) reordered() *device {
	out := *d
	out.upstream.Attributes = reordered(d.upstream.Attributes)
	out.upstream.Capacity = reordered(d.upstream.Capacity)
	return &out
}

func reordered[V any](of map[resourceapi.QualifiedName]V) map[resourceapi.QualifiedName]V {
	names := slices.Collect(maps.Keys(of))
	rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	out := map[resourceapi.QualifiedName]V{}
	for _, name := range names {
		out[name] = of[name]
	}
	return out
}

func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

func splitField(field string) (name, kind, text string) {
	name, rest, _ := strings.Cut(field, " ")
	kind, text, _ = strings.Cut(rest, " ")
	return name, kind, text
}

// attributeJSON is {} for an attribute of no kind that is known here, and has two values for "several".
func attributeJSON(kind, text string) map[string]any {
	if kind == "unknown" {
		return map[string]any{}
	}
	if kind == "several" {
		return map[string]any{"string": text, "version": text, "strings": []string{text}}
	}
	single, list := strings.CutSuffix(kind, "s")
	if !list {
		return map[string]any{kind: attributeValue(kind, text)}
	}
	var values []any
	for _, one := range strings.Split(text, ",") {
		values = append(values, attributeValue(single, one))
	}
	return map[string]any{kind: values}
}

func attributeValue(kind, text string) any {
	switch kind {
	case "bool":
		return text == "true"
	case "int":
		return json.Number(text)
	}
	return text
}

// fixtureDevices are those of the slices in tests/fixtures, each kind once.
var fixtureDevices = sync.OnceValue(func() []*device {
	var out []*device
	seen := map[string]bool{}
	paths, _ := filepath.Glob("../../fixtures/*.yaml")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		for _, document := range strings.Split(string(data), "\n---\n") {
			var slice struct {
				APIVersion, Kind string
				Spec             struct {
					Driver  string
					Devices []json.RawMessage
				}
			}
			if yaml.Unmarshal([]byte(document), &slice) != nil || slice.Kind != "ResourceSlice" || slice.APIVersion != "resource.k8s.io/v1" {
				continue
			}
			for _, text := range slice.Spec.Devices {
				one := readDevice([]string{slice.Spec.Driver}, text)
				one.fields = fieldsOf(&one.upstream)
				if key := strings.Join(one.fields, "\n"); !seen[key] {
					seen[key] = true
					out = append(out, one)
				}
			}
		}
	}
	return out
})

func fieldsOf(from *dracel.Device) []string {
	fields := []string{from.Driver, fmt.Sprint(from.AllowMultipleAllocations != nil && *from.AllowMultipleAllocations)}
	for name, attribute := range from.Attributes {
		var values map[string]any
		if err := json.Unmarshal(encode(attribute), &values); err != nil {
			panic(err)
		}
		for kind, value := range values {
			fields = append(fields, fmt.Sprint(name, " ", kind, " ", value))
		}
	}
	for name, capacity := range from.Capacity {
		fields = append(fields, string(name)+" quantity "+capacity.Value.String())
	}
	slices.Sort(fields[2:])
	return fields
}

// published is what a driver publishes: names with the kind they have, and values seen.
type published struct {
	driver string
	values []string // "name kind text|text"
}

var drivers = []published{
	{"tpu.google.com", []string{"tpuGen string v6e|v5p|v5litepod|tpu7x", "index int 0|3|10", "uuid string tpu-25541d5c-9d3a-5a2f", "brand string Google",
		"accelerator string tpu-v6e-slice|tpu-v5p-slice", "chipCount int 8|4|1", "topology string 2x4|2x2x4|16x16"}},
	{"google.com/tpu", []string{"topology string 2x2", "accel int 0"}},
	{"gpu.nvidia.com", []string{"type string gpu|mig|vfio", "uuid string GPU-e89d84ee-93b4-a63d-ac3f-8c242831ac09|MIG-4404041a", "productName string NVIDIA A100-SXM4-80GB|NVIDIA H100 80GB HBM3|NVIDIA L4",
		"brand string Nvidia", "architecture string Ampere|Hopper|Ada Lovelace", "cudaComputeCapability version 8.0.0|9.0.0|10.3.0", "driverVersion version 580.126.20|535.183.1",
		"cudaDriverVersion version 13.0.0", "addressingMode string None|HMM|ATS", "parentUUID string GPU-e89d84ee", "profile string 1g.5gb|3g.40gb", "iommuFDEnabled bool true|false",
		"gpuModuleID int 1|8", "partition2 int 0|1", "resource.kubernetes.io/pciBusID string 0000:8a:00.0", "resource.kubernetes.io/pcieRoot string pci0000:8a",
		"resource.kubernetes.io/numaNode int 0|1", "memory quantity 81920Mi|40Gi|81152Mi|0", "multiprocessors quantity 14|98", "copyEngines quantity 1", "memorySlice0 quantity 1", "addressableMemory quantity 79.25Gi"}},
	{"compute-domain.nvidia.com", []string{"type string daemon|channel", "id int 0"}},
	{"gpu.amd.com", []string{"type string amdgpu|amdgpu-partition", "pciAddr string 0000:03:00.0", "deviceID string 0x74a1", "family string AI", "productName string AMD Instinct MI300X", "cardIndex int 1",
		"renderIndex int 128", "partitionProfile string spx_nps1|cpx_nps4", "driverVersion version 6.12.12", "driverSrcVersion string 14EF7A3", "memory quantity 196592Mi", "computeUnits quantity 304", "simdUnits quantity 1216"}},
	{"gpu.intel.com", []string{"model string A770|Max 1550", "family string Arc|Max", "driver string i915|xe|", "type string gpu|vf", "pciId string 0x56a0", "health string Healthy|Unhealthy", "sriov bool true|false",
		"memory quantity 16288Mi|0", "millicores quantity 1k"}},
	{"gaudi.intel.com", []string{"model string Gaudi3", "serial string AN18009870", "healthy bool true|false", "resource.kubernetes.io/pcieRoot string pci0000:19"}},
	{"qat.intel.com", []string{"services string sym;asym|dc"}},
	{"dra.cpu", []string{"dra.cpu/socketID int 0|1", "dra.cpu/cacheL3ID int 0|7", "dra.cpu/coreID int 31", "dra.cpu/cpuID int 0|63", "dra.cpu/numCPUs int 16", "dra.cpu/numaNodeID int 0|1", "dra.cpu/coreType string standard|p-core|e-core",
		"dra.cpu/smtEnabled bool true|false", "dra.net/numaNode int 0", "resource.kubernetes.io/pcieRoot strings pci0000:00,pci0000:15|pci0000:8a", "dra.cpu/cpu quantity 16|1500m"}},
	{"dra.memory", []string{"resource.kubernetes.io/numaNode int 0|1", "resource.kubernetes.io/pageSize string 4Ki|2Mi|1Gi", "resource.kubernetes.io/hugeTLB bool true|false", "memory quantity 128Gi|2Mi"}},
	{"dra.net", []string{"dra.net/ifName string eth0|ens5f1np1", "dra.net/mac string 00:11:22:33:44:55", "dra.net/pciVendor string Mellanox Technologies", "dra.net/ipv4 string 10.0.0.5/24", "dra.net/ipv6 string 2001:db8::1/64",
		"dra.net/rdmaDevice string mlx5_0", "dra.net/numaNode int 0|-1", "dra.net/mtu int 1500|9000", "dra.net/sriovVfs int 0|127", "dra.net/ebpf bool false", "dra.net/rdma bool true|false", "dra.net/virtual bool true|false",
		"dra.net/state string up|down", "gce.dra.net/networkProjectNumber int 123456789012", "gce.dra.net/block string 7d2a", "resource.kubernetes.io/pcieRoot string pci0000:8a", "resource.aws.com/devicegroup4_id string 0b1c"}},
	{"sriovnetwork.k8snetworkplumbingwg.io", []string{"pciAddress string 0000:08:00.2", "PFName string ens8f0", "EswitchMode string legacy|switchdev", "vendor string 15b3", "vfID int 0|7", "rdmaCapable bool true|false",
		"k8s.cni.cncf.io/resourceName string openshift.io/mlxnics"}},
	{"neuron.aws.com", []string{"deviceId int 0|15", "instanceType string trn2.48xlarge", "neuronDriverVersion string 2.21.37.0", "draDriverVersion version 0.1.0", "topology_x int 0|3", "topology_y int 3", "networkNodeLayer1 string nn-1",
		"resource.aws.com/devicegroup16_id string a1b2"}},
	{"gpu.example.com", []string{"index int 0|7", "uuid string gpu-18db0e85-99e9-c746-8531-ffeb86328b39", "model string LATEST-GPU-MODEL", "driverVersion version 1.0.0", "partition int 0", "partitionable bool true", "memory quantity 80Gi",
		"compute quantity 100", "vfs quantity 1", "ingressBandwidth quantity 10G"}},
	{"fabric.example.com", []string{"rack string r1|r2", "links ints 1,2,4|8", "up bools true,false|true", "firmware versions 1.0.0,2.0.0-rc.1|3.1.4+b5", "names strings a,é,gpu-0|b", "bandwidth quantity 400G"}},
}

// edgeValues are what attributes of a kind can be at most, and what is easily taken for something else.
var edgeValues = map[string][]string{
	"bool":     {"true", "false"},
	"int":      {"0", "1", "-1", "3", "9223372036854775807", "-9223372036854775808", "9007199254740993", "255"},
	"string":   {"", "gpu", "a", "abc", "é日本", " \t x\u00a0", "1.2.3", "40Gi", "true", "3", "10.0.0.1", "a,b,,c", "0123456789012345678901234567890123456789012345678901234567890123", "[", "%s", "2024-02-29T12:00:00Z", "90m"},
	"version":  {"0.0.0", "1.2.3", "1.2.3-rc.1", "1.2.3+build.5", "10.0.0", "18446744073709551615.0.1", "1.0.0-alpha.1.x-y"},
	"quantity": {"0", "1", "-1", "1500m", "40Gi", "40G", "1.5Gi", "1.0", "10E", "7Ei", "8Ei", "9Ei", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "0.1n", "1e100", "1e-9", "999999999999999999", "1k", "0.5", "1e3", "100e-2"},
}

// plainDevices have something of each kind under names that expressions made for any device refer to.
var plainDevices = []*device{
	newDevice("dra.example.com", "true", "a int 5", "type string gpu", "b strings abc,é,b", "other.example.com/a bool true", "memory quantity 40Gi"),
	newDevice("dra.example.com", "true", "a string abc", "b ints 3,1,2"),
	newDevice("dra.example.com", "true", "a bools true,false", "version version 1.2.3-rc.1", "memory quantity 1500m"),
	newDevice("dra.example.com", "true", "a version 10.0.0", "b versions 1.0.0,2.0.0", "other quantity 1"),
	newDevice("dra.example.com", "false"),
}

func generateDevice(r *rand.Rand) *device {
	if r.IntN(4) == 0 {
		return pick(r, fixtureDevices()...)
	}
	of := drivers[r.IntN(len(drivers))]
	fields := []string{of.driver, fmt.Sprint(r.IntN(2) == 0)}
	for _, value := range of.values {
		if r.IntN(6) == 0 {
			continue // drivers leave out what they do not know
		}
		name, kind, seen := splitField(value)
		text := pick(r, strings.Split(seen, "|")...)
		if kind != "quantity" && r.IntN(8) == 0 {
			kind = pick(r, attributeKinds...)
			text = edgeValue(r, kind)
		} else if r.IntN(3) == 0 {
			text = edgeValue(r, kind)
		}
		fields = append(fields, name+" "+kind+" "+text)
	}
	for _, kind := range attributeKinds {
		if r.IntN(3) == 0 {
			fields = append(fields, "x_"+kind+" "+kind+" "+edgeValue(r, kind))
		}
	}
	if r.IntN(8) == 0 { // the same name twice: either value is upstream's
		fields = append(fields, "x_twice string bare", of.driver+"/x_twice string qualified")
	}
	if r.IntN(20) == 0 {
		fields = append(fields, "x_several several "+pick(r, edgeValues["string"]...))
	}
	if r.IntN(30) == 0 {
		fields = append(fields, unreadable(r))
	}
	return newDevice(fields...)
}

// unreadable is an attribute that is in the way of all expressions.
func unreadable(r *rand.Rand) string {
	return pick(r, "bad version 1.2", "bad version v1.2.3", "bad version 01.2.3", "bad version ", "bad version 1.2.3-",
		"bad versions 1.2.3,1.2.x", "bad unknown ")
}

func edgeValue(r *rand.Rand, kind string) string {
	one := func(kind string) string {
		if kind == "quantity" && r.IntN(2) == 0 {
			if text := quantityText(r); isQuantity(text) {
				return text
			}
		}
		return pick(r, edgeValues[kind]...)
	}
	single, list := strings.CutSuffix(kind, "s")
	if !list {
		return one(kind)
	}
	var elements []string
	for range 1 + r.IntN(3) {
		elements = append(elements, strings.ReplaceAll(one(single), ",", ";"))
	}
	return strings.Join(elements, ",")
}

func isQuantity(text string) bool {
	_, err := resource.ParseQuantity(text)
	return err == nil
}

// variables are what the scheduler makes of a device. Upstream: DeviceMatches, which gives a bool only.
func (d *device) variables(env *cel.Env) (map[string]any, error) {
	attributes, capacity := map[string]any{}, map[string]any{}
	put := func(all map[string]any, name resourceapi.QualifiedName, value any) {
		domain, id, qualified := strings.Cut(string(name), "/")
		if !qualified {
			domain, id = d.upstream.Driver, string(name)
		}
		if all[domain] == nil {
			all[domain] = map[string]any{}
		}
		all[domain].(map[string]any)[id] = value
	}
	for name, attribute := range d.upstream.Attributes {
		value, err := plainValue(&attribute)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		put(attributes, name, value)
	}
	for name, capacityOf := range d.upstream.Capacity {
		put(capacity, name, apiservercel.Quantity{Quantity: &capacityOf.Value})
	}
	adapter := env.CELTypeAdapter()
	empty := adapter.NativeToValue(map[string]any{})
	return map[string]any{"device": map[string]any{
		"driver":                   d.upstream.Driver,
		"allowMultipleAllocations": d.upstream.AllowMultipleAllocations != nil && *d.upstream.AllowMultipleAllocations,
		"attributes":               domains{types.NewStringInterfaceMap(adapter, attributes), empty},
		"capacity":                 domains{types.NewStringInterfaceMap(adapter, capacity), empty},
	}}, nil
}

// plainValue is what CEL sees of an attribute. Upstream: getAttributeValue.
func plainValue(attribute *resourceapi.DeviceAttribute) (any, error) {
	version := func(text string) (apiservercel.Semver, error) {
		read, err := semver.Parse(text)
		if err != nil {
			err = fmt.Errorf("parse semantic version: %w", err)
		}
		return apiservercel.Semver{Version: read}, err
	}
	switch {
	case attribute.IntValues != nil:
		return attribute.IntValues, nil
	case attribute.BoolValues != nil:
		return attribute.BoolValues, nil
	case attribute.StringValues != nil:
		return attribute.StringValues, nil
	case attribute.VersionValues != nil:
		var all []apiservercel.Semver
		for _, text := range attribute.VersionValues {
			one, err := version(text)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		return all, nil
	case attribute.IntValue != nil:
		return *attribute.IntValue, nil
	case attribute.BoolValue != nil:
		return *attribute.BoolValue, nil
	case attribute.StringValue != nil:
		return *attribute.StringValue, nil
	case attribute.VersionValue != nil:
		return version(*attribute.VersionValue)
	}
	return nil, errors.New("unsupported attribute value")
}

// domains is a map of maps that has an empty one for every key.
type domains struct {
	traits.Mapper
	empty ref.Val
}

func (d domains) Find(key ref.Val) (ref.Val, bool) {
	if value, found := d.Mapper.Find(key); found {
		return value, true
	}
	return d.empty, true
}

// This file makes the devices that expressions are evaluated for: those of the fixtures, and generated ones with the
// names that real drivers publish.

package cel

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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

// device is one for which expressions are evaluated. Its fields are what tests/support/device_values_cel.h reads:
// the driver, "true" if it may be allocated many times, then "name kind text" for each attribute and capacity.
type device struct {
	fields   []string
	upstream dracel.Device
}

// attributeKinds are the kinds of fields, as they are in the API; a capacity is a "quantity".
var attributeKinds = []string{"bool", "int", "string", "version", "bools", "ints", "strings", "versions"}

func newDevice(fields ...string) *device {
	multiple := fields[1] == "true"
	d := &device{fields: fields, upstream: dracel.Device{Driver: fields[0], AllowMultipleAllocations: &multiple,
		Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{},
		Capacity:   map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{}}}
	for _, field := range fields[2:] {
		name, kind, text := splitField(field)
		if kind == "quantity" {
			d.upstream.Capacity[resourceapi.QualifiedName(name)] = resourceapi.DeviceCapacity{Value: resource.MustParse(text)}
		} else {
			d.upstream.Attributes[resourceapi.QualifiedName(name)] = newAttribute(kind, text)
		}
	}
	return d
}

func splitField(field string) (name, kind, text string) {
	name, rest, _ := strings.Cut(field, " ")
	kind, text, _ = strings.Cut(rest, " ")
	return name, kind, text
}

func newAttribute(kind, text string) (out resourceapi.DeviceAttribute) {
	list := strings.Split(text, ",")
	switch kind {
	case "bool":
		out.BoolValue = new(text == "true")
	case "int":
		out.IntValue = new(parseInt(text))
	case "string":
		out.StringValue = &text
	case "version":
		out.VersionValue = &text
	case "bools":
		for _, one := range list {
			out.BoolValues = append(out.BoolValues, one == "true")
		}
	case "ints":
		for _, one := range list {
			out.IntValues = append(out.IntValues, parseInt(one))
		}
	case "strings":
		out.StringValues = list
	case "versions":
		out.VersionValues = list
	}
	return out
}

func parseInt(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
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
			var slice resourceapi.ResourceSlice
			if yaml.Unmarshal([]byte(document), &slice) != nil || slice.Kind != "ResourceSlice" || slice.APIVersion != "resource.k8s.io/v1" {
				continue
			}
			for _, one := range slice.Spec.Devices {
				fields := fieldsOf(slice.Spec.Driver, &one)
				if key := strings.Join(fields, "\n"); fields != nil && !seen[key] {
					seen[key] = true
					out = append(out, newDevice(fields...))
				}
			}
		}
	}
	return out
})

// fieldsOf has no fields for a device with a list whose elements could not be told apart.
func fieldsOf(driver string, from *resourceapi.Device) []string {
	multiple := from.AllowMultipleAllocations != nil && *from.AllowMultipleAllocations
	fields := []string{driver, fmt.Sprint(multiple)}
	for name, a := range from.Attributes {
		field := string(name)
		switch {
		case a.BoolValue != nil:
			field += fmt.Sprint(" bool ", *a.BoolValue)
		case a.IntValue != nil:
			field += fmt.Sprint(" int ", *a.IntValue)
		case a.StringValue != nil:
			field += " string " + *a.StringValue
		case a.VersionValue != nil:
			field += " version " + *a.VersionValue
		case a.StringValues != nil && !strings.Contains(strings.Join(a.StringValues, ""), ","):
			field += " strings " + strings.Join(a.StringValues, ",")
		default:
			return nil
		}
		fields = append(fields, field)
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
	if r.IntN(40) == 0 {
		fields = append(fields, "badVersion version "+pick(r, "1.2", "v1.2.3", "01.2.3", "", "1.2.3-"))
	}
	return newDevice(fields...)
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
	in := func(all map[string]any, domain string) map[string]any {
		if all[domain] == nil {
			all[domain] = map[string]any{}
		}
		return all[domain].(map[string]any)
	}
	for _, field := range d.fields[2:] {
		name, kind, text := splitField(field)
		domain, id, qualified := strings.Cut(name, "/")
		if !qualified {
			domain, id = d.fields[0], name
		}
		if kind == "quantity" {
			value := resource.MustParse(text)
			in(capacity, domain)[id] = apiservercel.Quantity{Quantity: &value}
			continue
		}
		value, err := attributeValue(kind, text)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: parse semantic version: %w", name, err)
		}
		in(attributes, domain)[id] = value
	}
	adapter := env.CELTypeAdapter()
	empty := adapter.NativeToValue(map[string]any{})
	return map[string]any{"device": map[string]any{
		"driver":                   d.fields[0],
		"allowMultipleAllocations": d.fields[1] == "true",
		"attributes":               domains{types.NewStringInterfaceMap(adapter, attributes), empty},
		"capacity":                 domains{types.NewStringInterfaceMap(adapter, capacity), empty},
	}}, nil
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

func attributeValue(kind, text string) (any, error) {
	a := newAttribute(kind, text)
	switch kind {
	case "bool":
		return *a.BoolValue, nil
	case "int":
		return *a.IntValue, nil
	case "bools":
		return a.BoolValues, nil
	case "ints":
		return a.IntValues, nil
	case "strings":
		return a.StringValues, nil
	case "version":
		version, err := semver.Parse(text)
		return apiservercel.Semver{Version: version}, err
	case "versions":
		var all []apiservercel.Semver
		for _, one := range a.VersionValues {
			version, err := semver.Parse(one)
			if err != nil {
				return nil, err
			}
			all = append(all, apiservercel.Semver{Version: version})
		}
		return all, nil
	}
	return text, nil
}

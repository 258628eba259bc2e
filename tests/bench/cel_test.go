package bench

import (
	"context"
	"fmt"
	"testing"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	dracel "k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/utils/ptr"
)

// The selectors that are measured, as in programs/measure_cel.cpp.
var (
	selector       = `device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'`
	fleetSelectors = []string{selector,
		`device.attributes['gpu.nvidia.com'].productName == 'NVIDIA H100 80GB HBM3' && ` +
			`device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0`,
		`has(device.attributes['resource.kubernetes.io'].pcieRoot) && ` +
			`device.attributes['gpu.nvidia.com'].driverVersion.isGreaterThan(semver('550.0.0'))`}
)

const fleetSize = 40_000

// upstream is the compiler of the scheduler, with the gates of a plain control plane.
func upstream() interface {
	CompileCELExpression(string, dracel.Options) dracel.CompilationResult
} {
	return dracel.GetCompiler(dracel.Features{EnableConsumableCapacity: true})
}

// gpu is a device as its driver publishes it.
func gpu(i int) dracel.Device {
	text := func(value string) resourceapi.DeviceAttribute {
		return resourceapi.DeviceAttribute{StringValue: &value}
	}
	version := func(value string) resourceapi.DeviceAttribute {
		return resourceapi.DeviceAttribute{VersionValue: &value}
	}
	return dracel.Device{Driver: "gpu.nvidia.com",
		Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
			"architecture": text("Hopper"), "brand": text("Nvidia"), "cudaComputeCapability": version("9.0.0"),
			"cudaDriverVersion": version("13.0.0"), "driverVersion": version("580.95.5"),
			"index": {IntValue: ptr.To(int64(i % 8))}, "productName": text("NVIDIA H100 80GB HBM3"),
			"resource.kubernetes.io/pcieRoot": text(fmt.Sprint("pci0000:", i%8)), "type": text("gpu"),
			"uuid": text(fmt.Sprint("GPU-4404041a-04cf-1ccf-9e70-", i))},
		Capacity: map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{"memory": {Value: resource.MustParse("81559Mi")}}}
}

// compile fails the test unless the selector can be evaluated.
func compile(t *testing.T, expression string) dracel.CompilationResult {
	t.Helper()
	result := upstream().CompileCELExpression(expression, dracel.Options{})
	if result.Error != nil {
		t.Fatal(result.Error)
	}
	return result
}

// matches fails the test unless the device matches.
func matches(t *testing.T, compiled dracel.CompilationResult, device dracel.Device) {
	t.Helper()
	if ok, _, err := compiled.DeviceMatches(context.Background(), device); err != nil || !ok {
		t.Fatal(ok, err)
	}
}

// ours is how long measure_cel takes for something, once.
func ours(t *testing.T, what string, count int) time.Duration {
	t.Helper()
	return timeOf(t, "KUBECTL_DRA_MEASURE_CEL", what, count)
}

func TestCompilesSelectorsTenTimesAsFast(t *testing.T) {
	compile(t, selector) // what is made once
	hold(t, "compile a selector", 7, 1.0/10, inTurn(
		func() time.Duration { return ours(t, "compile", 5000) },
		func() time.Duration { return average(500, func() { compile(t, selector) }) }))
}

func TestEvaluatesASelectorTwentyTimesAsFast(t *testing.T) {
	compiled, device := compile(t, selector), gpu(0)
	hold(t, "one selector on one device", 7, 1.0/20, inTurn(
		func() time.Duration { return ours(t, "evaluate", 200_000) },
		func() time.Duration { return average(20_000, func() { matches(t, compiled, device) }) }))
}

func TestAFleetTakesAHundredth(t *testing.T) {
	var devices []dracel.Device
	for i := range fleetSize {
		devices = append(devices, gpu(i))
	}
	hold(t, "3 selectors on 40,000 devices", 7, 1.0/100, inTurn(
		func() time.Duration { return ours(t, "fleet", 20) },
		func() time.Duration {
			return average(1, func() {
				for _, expression := range fleetSelectors {
					compiled := compile(t, expression)
					for _, device := range devices {
						matches(t, compiled, device)
					}
				}
			})
		}))
}

// This file is about what an API server has: objects that it would not let in show nothing.

package allocator

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	internal "k8s.io/kubernetes/pkg/apis/resource"
	resourcev1 "k8s.io/kubernetes/pkg/apis/resource/v1"
	"k8s.io/kubernetes/pkg/apis/resource/validation"
)

var scheme = func() *runtime.Scheme {
	out := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{internal.AddToScheme, resourcev1.AddToScheme} {
		if err := add(out); err != nil {
			panic(err)
		}
	}
	// Policies of parts of units are let in by a gate only.
	if err := utilfeature.DefaultMutableFeatureGate.Set("DRAFractionalCapacityRange=true"); err != nil {
		panic(err)
	}
	return out
}()

// invalid says what upstream's validation has against the objects of a case, or which default is missing.
func invalid(of *testCase) error {
	c, err := decode(of.Objects)
	if err != nil {
		return err
	}
	for _, claim := range c.claims {
		if err := problems(claim, validation.ValidateResourceClaim); err != nil {
			return fmt.Errorf("claim %s: %w", claim.Name, err)
		}
	}
	for _, class := range c.classes {
		if err := problems(class, validation.ValidateDeviceClass); err != nil {
			return fmt.Errorf("class %s: %w", class.Name, err)
		}
	}
	for _, rule := range c.rules {
		if err := problems(rule, validation.ValidateDeviceTaintRule); err != nil {
			return fmt.Errorf("rule %s: %w", rule.Name, err)
		}
	}
	for _, slice := range c.slices {
		if releaseOf(of.Version).minor < 35 {
			slice.Spec.SharedCounters = nil // stood beside devices
		}
		if err := problems(slice, validation.ValidateResourceSlice); err != nil {
			return fmt.Errorf("slice %s: %w", slice.Name, err)
		}
	}
	if err := disagreeing(c); err != nil {
		return err
	}
	return dangling(c)
}

// disagreeing says which objects have one name or none, and which slices of a pool are not of one mind about how many
// there are: upstream believes one of them, by chance.
func disagreeing(c *cluster) error {
	names := map[string]bool{"Node ": true, "ResourceSlice ": true}
	counts := map[string]int64{}
	unique := func(kind, name string) error {
		if names[kind+name] {
			return fmt.Errorf("%s%q twice, or without a name", kind, name)
		}
		names[kind+name] = true
		return nil
	}
	for _, node := range c.nodes {
		if err := unique("Node ", node.Name); err != nil {
			return err
		}
	}
	for _, slice := range c.slices {
		if err := unique("ResourceSlice ", slice.Name); err != nil {
			return err
		}
		pool := fmt.Sprint(slice.Spec.Driver, " ", slice.Spec.Pool.Name, " ", slice.Spec.Pool.Generation)
		if count, found := counts[pool]; found && count != slice.Spec.Pool.ResourceSliceCount {
			return fmt.Errorf("slices of %s are %d or %d", pool, count, slice.Spec.Pool.ResourceSliceCount)
		}
		counts[pool] = slice.Spec.Pool.ResourceSliceCount
	}
	return nil
}

func problems[T any](object runtime.Object, validate func(*T) field.ErrorList) error {
	defaulted := object.DeepCopyObject()
	scheme.Default(defaulted)
	if !equality.Semantic.DeepEqual(object, defaulted) {
		return fmt.Errorf("is missing a default")
	}
	var converted T
	if err := scheme.Convert(object, &converted, nil); err != nil {
		return err
	}
	return validate(&converted).Filter(ofExpression).ToAggregate()
}

// ofExpression is whether an error is of CEL. Which expressions are stored depends on gates and releases, and some are
// there although they do not compile now.
func ofExpression(err error) bool {
	var of *field.Error
	return errors.As(err, &of) && strings.HasSuffix(of.Field, "xpression")
}

// dangling says which claim or class is not there: the scheduler would not ask its allocator then.
func dangling(c *cluster) error {
	if got, want := len(c.claimsOfPod()), len(c.pod.Spec.ResourceClaims); got != want {
		return fmt.Errorf("%d of %d claims", got, want)
	}
	classes := map[string]bool{}
	for _, class := range c.classes {
		classes[class.Name] = true
	}
	for _, claim := range c.claims {
		if allocation := claim.Status.Allocation; allocation != nil {
			for _, result := range allocation.Devices.Results {
				if result.Request == "" || result.Driver == "" || result.Pool == "" || result.Device == "" {
					return fmt.Errorf("allocation of %s", claim.Name)
				}
			}
		}
		for _, request := range claim.Spec.Devices.Requests {
			if request.Exactly != nil && !classes[request.Exactly.DeviceClassName] {
				return fmt.Errorf("no class %s", request.Exactly.DeviceClassName)
			}
			for _, alternative := range request.FirstAvailable {
				if !classes[alternative.DeviceClassName] {
					return fmt.Errorf("no class %s", alternative.DeviceClassName)
				}
			}
		}
	}
	return nil
}

// TestGenerator holds generated objects to upstream's validation.
func TestGenerator(t *testing.T) {
	random := rand.New(rand.NewPCG(seed(), 1<<32))
	for i := range 2000 {
		one := generate(random, i)
		if err := invalid(one); err != nil {
			t.Fatalf("%s %q: %v", one.Version, one.Gates, err)
		}
	}
}

// This file is about the languages in which releases compile selectors, so far as upstream's newest code can be asked
// for them: its environments of older releases have the functions, the types and the limits of those, but evaluate with
// the newest cel-go. What cel-go itself changed since (0.26 in 1.34 and 1.35) is not compared.

package cel

import (
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/util/compatibility"
	basecompatibility "k8s.io/component-base/compatibility"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// language is one of them.
type language struct {
	name     string // as tests/differential/answer_cel.cpp reads it
	release  uint   // the newest minor release whose functions there are, for new expressions
	features dracel.Features
	envType  environment.Type
}

// The scheduler compiles with all that its release knows. Upstream can be asked for that of its own release only; that
// of an older one declares what new expressions may use where the release is the oldest to be gone back to.
var languages = []*language{
	{"stored v1.37.1", 36, dracel.Features{EnableConsumableCapacity: true}, environment.StoredExpressions},
	{"new v1.37.1", 36, dracel.Features{EnableConsumableCapacity: true}, environment.NewExpressions},
	{"new v1.36.2", 35, dracel.Features{EnableConsumableCapacity: true}, environment.NewExpressions},
	{"new v1.35.0", 34, dracel.Features{}, environment.NewExpressions},
	{"new v1.34.3", 33, dracel.Features{}, environment.NewExpressions},
	{"new v1.33.0", 32, dracel.Features{}, environment.NewExpressions},
	{"new v1.32.0", 31, dracel.Features{}, environment.NewExpressions},
	{"36 shares lists includes", 36, dracel.Features{EnableConsumableCapacity: true, EnableListTypeAttributes: true}, environment.NewExpressions},
	{"stored v1.35.0", 35, dracel.Features{EnableConsumableCapacity: true}, environment.NewExpressions},
	{"stored v1.34.0", 34, dracel.Features{EnableConsumableCapacity: true}, environment.NewExpressions},
	{"stored v1.33.0", 33, dracel.Features{}, environment.NewExpressions},
	{"stored v1.32.0", 32, dracel.Features{}, environment.NewExpressions},
	{"36 lists includes", 36, dracel.Features{EnableListTypeAttributes: true}, environment.NewExpressions},
	{"35 shares lists includes", 35, dracel.Features{EnableConsumableCapacity: true, EnableListTypeAttributes: true}, environment.NewExpressions},
}

var (
	stored = languages[0] // what the scheduler compiles
	fresh  = languages[1] // what the API server takes
	// What it takes where attributes may be lists.
	withLists = languages[7]
)

// compilers are upstream's, for each language.
var compilers = sync.OnceValue(func() map[*language]func(string) dracel.CompilationResult {
	effective := compatibility.DefaultComponentGlobalsRegistry.EffectiveVersionFor(basecompatibility.DefaultKubeComponent).(basecompatibility.MutableEffectiveVersion)
	before := effective.MinCompatibilityVersion()
	defer effective.SetMinCompatibilityVersion(before)
	if before.Minor() != 36 {
		panic(fmt.Sprint("upstream's expressions can be gone back to ", before))
	}
	out := map[*language]func(string) dracel.CompilationResult{}
	for _, one := range languages {
		// Upstream keeps the last compiler, and makes another for other features only.
		dracel.GetCompiler(dracel.Features{EnableConsumableCapacity: !one.features.EnableConsumableCapacity})
		effective.SetMinCompatibilityVersion(version.MajorMinor(1, one.release))
		compiler := dracel.GetCompiler(one.features)
		out[one] = func(expression string) dracel.CompilationResult {
			return compiler.CompileCELExpression(expression, dracel.Options{EnvType: &one.envType})
		}
	}
	dracel.GetCompiler(dracel.Features{})
	return out
})

func (l *language) compile(expression string) dracel.CompilationResult {
	return compilers()[l](expression)
}

var knownEnvironments sync.Map

func (l *language) environment() *cel.Env {
	if known, found := knownEnvironments.Load(l); found {
		return known.(*cel.Env)
	}
	result := l.compile("true")
	if result.Error != nil {
		panic(result.Error)
	}
	knownEnvironments.Store(l, result.Environment)
	return result.Environment
}

// isSyntax is whether an expression that does not compile is not even read.
func (l *language) isSyntax(expression string) bool {
	_, issues := l.environment().Parse(expression)
	return issues != nil && issues.Err() != nil
}

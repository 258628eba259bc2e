// This file makes expressions that use every function, macro and operator of an environment about equally often,
// with arguments of the right types and of wrong ones.

package cel

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// manner is how the arguments of an expression are chosen.
type manner int

const (
	rightTypes   manner = iota
	dynamicTypes        // some values have another type, which the checker does not see
	wrongTypes          // some have another type, or are missing
)

// production is one way to write an expression: a call of an overload, a macro, a selection.
type production struct {
	feature string
	args    []*types.Type
	result  *types.Type
	write   func(c *call) string
}

// call is a production while it is written. Type parameters are bound.
type call struct {
	*generator
	production
	bound map[string]*types.Type
	depth int
}

// feature is what a run must reach often enough.
type reach struct{ compiled, misused int }

type variable struct {
	name string
	of   *types.Type
}

type generator struct {
	*rand.Rand
	device      *device
	productions []production
	fitting     map[string][]int // by type: the productions that make it
	reached     map[string]*reach

	// Of the current expression.
	manner        manner
	variables     []variable
	exact         int // within literals, whose elements must have one type: nothing dynamic
	used, misused map[string]bool
}

func newGenerator(env *cel.Env, random *rand.Rand) *generator {
	g := &generator{Rand: random, productions: slices.Concat(calls(env), macros), fitting: map[string][]int{}, reached: map[string]*reach{}}
	for _, p := range g.productions {
		g.reached[p.feature] = &reach{}
	}
	return g
}

// expression is one for the device, and most often of type bool.
func (g *generator) expression(of *device) string {
	g.device, g.manner = of, pick(g.Rand, rightTypes, rightTypes, rightTypes, dynamicTypes, wrongTypes, wrongTypes)
	g.variables, g.exact, g.used, g.misused = nil, 0, map[string]bool{}, map[string]bool{}
	switch g.IntN(80) {
	case 0:
		return g.dear()
	case 1, 2:
		return g.reference(pick(g.Rand, attributeKinds...))
	}
	text := g.clause()
	for clauses := 1; g.IntN(2) == 0 || g.manner != rightTypes && clauses < 3; clauses++ {
		symbol := pick(g.Rand, "_&&_", "_&&_", "_||_")
		g.used[symbol] = true
		text = "(" + text + ")" + strings.Trim(symbol, "_") + " (" + g.clause() + ")"
	}
	return text
}

// clause is one part of a selector.
func (g *generator) clause() string {
	depth := 1 + g.IntN(4)
	text, result := g.produce(g.choose(nil), nil, depth)
	if result.Kind() == types.BoolKind || g.IntN(12) == 0 {
		return text
	}
	symbol := pick(g.Rand, "_==_", "_!=_")
	g.used[symbol] = true
	return "(" + text + ") " + strings.Trim(symbol, "_") + " " + g.value(result, depth-1)
}

// dear costs about as much as an evaluation may.
func (g *generator) dear() string {
	long := strings.Repeat("b", 80+g.IntN(60))
	return `cel.bind(s, "` + strings.Repeat("a", 80+g.IntN(60)) + `".replace("a", "` + long + `"), s.contains(s))`
}

// tally counts what the last expression reached.
func (g *generator) tally(compiled bool) {
	for feature := range g.used {
		if compiled {
			g.reached[feature].compiled++
		}
	}
	for feature := range g.misused {
		g.reached[feature].misused++
	}
}

// choose takes what was reached least; of all productions if there is no list.
func (g *generator) choose(of []int) int {
	weight := func(i int) float64 {
		r := g.reached[g.productions[i].feature]
		count := r.compiled
		if g.manner != rightTypes {
			count = r.misused
		}
		return math.Pow(1+float64(count), -2)
	}
	if of == nil {
		of = make([]int, len(g.productions))
		for i := range of {
			of[i] = i
		}
	}
	sum := 0.0
	for _, i := range of {
		sum += weight(i)
	}
	at := g.Float64() * sum
	for _, i := range of {
		if at -= weight(i); at < 0 {
			return i
		}
	}
	return of[len(of)-1]
}

// produce writes a production; where its result is asked for, `bound` says what that binds.
func (g *generator) produce(number int, bound map[string]*types.Type, depth int) (string, *types.Type) {
	p := g.productions[number]
	if bound == nil {
		bound = map[string]*types.Type{}
	}
	g.used[p.feature] = true
	c := &call{generator: g, production: p, bound: bound, depth: depth}
	text := p.write(c)
	return text, c.bind(p.result)
}

// bind gives type parameters a type.
func (c *call) bind(t *types.Type) *types.Type {
	switch t.Kind() {
	case types.TypeParamKind:
		if c.bound[t.TypeName()] == nil {
			c.bound[t.TypeName()] = c.anyType()
		}
		return c.bound[t.TypeName()]
	case types.ListKind:
		return types.NewListType(c.bind(t.Parameters()[0]))
	case types.MapKind:
		return types.NewMapType(c.bind(t.Parameters()[0]), c.bind(t.Parameters()[1]))
	case types.OpaqueKind:
		if len(t.Parameters()) == 1 {
			return types.NewOptionalType(c.bind(t.Parameters()[0]))
		}
	}
	return t
}

// argument is a value for the call: of the type, or one that it misuses.
func (c *call) argument(t *types.Type) string {
	t = c.bind(t)
	if c.exact == 0 && c.manner != rightTypes && c.IntN(2) == 0 {
		other := c.anyType()
		if other.String() != t.String() {
			c.misused[c.feature] = true
		}
		if c.manner == wrongTypes {
			return c.value(other, c.depth-1)
		}
		if kind := kindOf(other); kind != "" && kind != "quantity" && c.IntN(2) == 0 {
			return c.reference(kind)
		}
		return "dyn(" + c.value(other, c.depth-1) + ")"
	}
	return c.value(t, c.depth-1)
}

// element is an argument of a literal: exactly of the type, as they all must be.
func (c *call) element(t *types.Type) string {
	if c.manner == wrongTypes && c.IntN(6) == 0 {
		c.misused[c.feature] = true
		return c.value(c.anyType(), c.depth-1)
	}
	c.exact++
	defer func() { c.exact-- }()
	return c.value(c.bind(t), c.depth-1)
}

// with adds variables while something is written in which they are seen.
func (g *generator) with(variables []variable, write func() string) string {
	before := len(g.variables)
	g.variables = append(g.variables, variables...)
	defer func() { g.variables = g.variables[:before] }()
	return write()
}

var anyTypes = []*types.Type{types.IntType, types.StringType, types.BoolType, types.UintType, types.DoubleType, types.BytesType, types.NullType, types.DynType,
	types.TimestampType, types.DurationType, quantityType, semverType, types.NewListType(types.StringType), types.NewListType(types.IntType),
	types.NewMapType(types.StringType, types.IntType), types.NewOptionalType(types.IntType), types.NewOptionalType(types.StringType), emptyType}

var (
	quantityType = types.NewObjectType("kubernetes.Quantity")
	semverType   = types.NewObjectType("kubernetes.Semver")
	emptyType    = types.NewObjectType("google.protobuf.Empty")
)

func (g *generator) anyType() *types.Type {
	for {
		t := pick(g.Rand, anyTypes...)
		if g.exact == 0 || t.Kind() != types.DynKind {
			return t
		}
	}
}

// value is an expression of the type, in parentheses where it needs them.
func (g *generator) value(t *types.Type, depth int) string {
	if depth <= 0 || g.IntN(3) == 0 {
		return g.atom(t, depth)
	}
	candidates, known := g.fitting[t.String()]
	if !known {
		for i, p := range g.productions {
			if fits(p.result, t, map[string]*types.Type{}) {
				candidates = append(candidates, i)
			}
		}
		g.fitting[t.String()] = candidates
	}
	if len(candidates) == 0 {
		return g.atom(t, depth)
	}
	number := g.choose(candidates)
	bound := map[string]*types.Type{}
	fits(g.productions[number].result, t, bound)
	text, _ := g.produce(number, bound, depth)
	return "(" + text + ")"
}

// fits binds the parameters of a type so that it becomes the wanted one.
func fits(t, wanted *types.Type, bound map[string]*types.Type) bool {
	if t.Kind() == types.TypeParamKind {
		if bound[t.TypeName()] == nil {
			bound[t.TypeName()] = wanted
		}
		return bound[t.TypeName()].String() == wanted.String()
	}
	if t.Kind() == types.TypeKind && wanted.Kind() == types.TypeKind {
		return true
	}
	if t.Kind() != wanted.Kind() || len(t.Parameters()) != len(wanted.Parameters()) || t.TypeName() != wanted.TypeName() {
		return false
	}
	for i, parameter := range t.Parameters() {
		if !fits(parameter, wanted.Parameters()[i], bound) {
			return false
		}
	}
	return true
}

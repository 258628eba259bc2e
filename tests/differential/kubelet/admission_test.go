// This file is about pods that the kubelet does not admit: the reasons and the beginning of the message are read from the
// source of each release, and explain has to say that the kubelet refused the pod, for which reason, and what to do.

package kubelet

import (
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// unforeseen are reasons that name no cause: what to do is in the message.
var unforeseen = []string{"UnexpectedAdmissionError", "UnknownReason", "UnexpectedPredicateFailureType", "InvalidNodeInfo"}

// filters are plugins of the scheduler that the kubelet asks again: their names are reasons, too.
var filters = []string{"NodeAffinity", "NodeName", "NodePorts", "TaintToleration"}

// admission is what the source of a kubelet says about refusals.
type admission struct {
	constants map[string]string // by folder and name
	used      map[string]bool   // constants that are reasons, by folder and name
	begins    string            // the message
}

func (a *admission) look(folder string, node ast.Node) {
	switch node := node.(type) {
	case *ast.ValueSpec:
		for i, name := range node.Names {
			if i < len(node.Values) {
				a.constants[folder+name.Name] = literal(node.Values[i])
			}
		}
	case *ast.CompositeLit:
		for _, element := range node.Elts {
			if isResult(node.Type) {
				a.field(folder, element)
			}
		}
	case *ast.FuncDecl: // of an error of admission
		if node.Recv != nil && node.Name.Name == "Type" && len(node.Body.List) == 1 {
			if end, ok := node.Body.List[0].(*ast.ReturnStmt); ok {
				a.use(folder, end.Results[0])
			}
		}
	case *ast.AssignStmt: // reason = OutOfCPU
		name, ok := node.Lhs[0].(*ast.Ident)
		if ok && name.Name == "reason" && strings.HasSuffix(folder, "/lifecycle/") {
			a.use(folder, node.Rhs[0])
		}
	case *ast.BinaryExpr:
		if words := literal(node.X); node.Op == token.ADD && strings.HasPrefix(words, "Pod was rejected") {
			a.begins = words
		}
	}
}

// isResult holds of lifecycle.PodAdmitResult, which its own package calls PodAdmitResult.
func isResult(kind ast.Expr) bool {
	if selected, ok := kind.(*ast.SelectorExpr); ok {
		kind = selected.Sel
	}
	name, ok := kind.(*ast.Ident)
	return ok && name.Name == "PodAdmitResult"
}

func (a *admission) field(folder string, element ast.Expr) {
	if pair, ok := element.(*ast.KeyValueExpr); ok {
		if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Reason" {
			a.use(folder, pair.Value)
		}
	}
}

func (a *admission) use(folder string, value ast.Expr) {
	if name, ok := value.(*ast.Ident); ok {
		a.used[folder+name.Name] = true
	}
}

func literal(value ast.Expr) string {
	if basic, ok := value.(*ast.BasicLit); ok && basic.Kind == token.STRING {
		return text(basic)
	}
	return ""
}

// reasons are those of a release, sorted.
func (a *admission) reasons() []string {
	found := map[string]bool{}
	for name := range a.used {
		if reason := a.constants[name]; reason != "" {
			found[reason] = true
		}
	}
	for _, reason := range filters {
		found[reason] = true
	}
	return slices.Sorted(maps.Keys(found))
}

func admissionOf(t *testing.T, oracle string) *admission {
	t.Helper()
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes")
	list.Dir = oracle
	module, err := list.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v", oracle, err)
	}
	found := &admission{constants: map[string]string{}, used: map[string]bool{}}
	root := filepath.Join(strings.TrimSpace(string(module)), "pkg/kubelet")
	for _, folder := range []string{"", "cm", "eviction", "lifecycle", "nodeshutdown", "sysctl"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && folder == "" && path != root {
				return fs.SkipDir
			}
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			ast.Inspect(parse(t, path), func(node ast.Node) bool { found.look(filepath.Dir(path)+"/", node); return true })
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func TestAdmission(t *testing.T) {
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			source := admissionOf(t, filepath.Join("oracle", release))
			reasons := source.reasons()
			for _, reason := range []string{"TopologyAffinityError", "OutOfcpu", "NodeShutdown", "UnexpectedAdmissionError"} {
				if !slices.Contains(reasons, reason) {
					t.Errorf("%s is not among the reasons that were found: %q", reason, reasons)
				}
			}
			if source.begins == "" {
				t.Fatal("it is not found how the message begins")
			}
			for _, reason := range reasons {
				t.Run(reason, func(t *testing.T) { refuse(t, release, reason, source.begins) })
			}
		})
	}
}

func refuse(t *testing.T, release, reason, begins string) {
	claim := "gpu-claim"
	pod := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "trainer", Namespace: "ml", UID: "pod-uid"},
		Spec: corev1.PodSpec{
			NodeName: node, Containers: []corev1.Container{{Name: "main"}},
			ResourceClaims: []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &claim}},
		},
		Status: corev1.PodStatus{Phase: corev1.PodFailed, Reason: reason, Message: begins + "that is why"},
	}
	got := said{Version: "v1." + strings.TrimPrefix(release, "v1") + ".0", Pod: pod}.explain(t)
	for _, found := range got.After {
		if found.Code != "PodFailed" {
			continue
		}
		if want := "the kubelet refused the pod (" + reason + "): that is why"; found.Message != want {
			t.Errorf("explain says %q, want %q", found.Message, want)
		}
		if named := !strings.HasPrefix(found.Remedy, "Repair what the message names"); named == slices.Contains(unforeseen, reason) {
			t.Errorf("%s: the advice is %q", reason, found.Remedy)
		}
		return
	}
	t.Errorf("explain does not say that the kubelet refused the pod: %+v", got)
}

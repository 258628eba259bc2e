// This file is about advice: the scheduler must bind each pod for which what the plugin advises is done.

package agree_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"kubectl-dra/tests/changes"
	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/cluster/scene"
)

const (
	adviceScenes = 204 // twelve of each stage
	atOnce       = 16
	leastAdvised = 10 // scenes in which advice of a kind was followed
)

// adviceReport is what the plugin says of a pod that fits nowhere.
type adviceReport struct {
	explanation
	Conflicts [][]struct{ Kind string }
	Advice    []changes.Advice
	Bounded   bool `json:"adviceBounded"`

	asked  int    // of the advice, which one was asked about
	whatIf string // what the plugin says would be then; empty if it was not asked
}

// following is a fresh copy of a scene in which advice is followed, or less than that.
type following struct {
	*adviceScene
	base   *adviceScene
	advice changes.Advice
	lacks  []string         // claims that are not released, though they should be
	later  []changes.Change // what happens once pods run
	whatIf *explanation     // what the plugin said would be
}

func TestAdvice(t *testing.T) {
	t.Parallel()
	c := newCluster(t, harness.Options{})
	for name, value := range advicePriorities {
		class := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: value}
		if _, err := c.client.SchedulingV1().PriorityClasses().Create(t.Context(), class, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	r := newRandom(t)
	seed := r.Uint64()
	var all []*following
	for first := 0; first < adviceScenes; first += atOnce {
		var scenes []*adviceScene
		for number := first; number < min(first+atOnce, adviceScenes); number++ {
			scenes = append(scenes, newAdviceScene(number, seed, 0))
		}
		for i, report := range c.adviceFor(t, scenes) {
			all = append(all, followAll(t, scenes[i], report, first+i, seed)...)
		}
	}
	c.follow(t, all)
	c.compareWhatIf(t, all)
	scenesOf := map[string]map[string]bool{}
	for _, one := range all {
		kind := one.advice.Change.Kind()
		if scenesOf[kind] == nil {
			scenesOf[kind] = map[string]bool{}
		}
		scenesOf[kind][one.base.prefix] = true
	}
	for _, kind := range changes.Kinds {
		t.Logf("%s: in %d scenes", kind, len(scenesOf[kind]))
		if len(scenesOf[kind]) < leastAdvised {
			t.Errorf("%s: in %d scenes only", kind, len(scenesOf[kind]))
		}
	}
}

// state has the objects in the order in which they need each other, without the pod that waits if that comes later.
func (s *adviceScene) state(t *testing.T, withPod bool) *scene.Scene {
	b := &builder{t: t}
	for _, node := range s.Nodes {
		b.add(node)
	}
	for _, class := range s.Classes {
		b.add(class)
	}
	for _, slice := range s.Slices {
		b.add(slice)
	}
	for _, pod := range s.Pods {
		b.add(pod)
	}
	for _, claim := range s.Claims {
		if withPod || claim.Status.Allocation != nil {
			b.add(claim)
		}
	}
	if withPod {
		b.add(s.Pod)
	}
	return &b.Scene
}

// loadAll loads scenes beside each other.
func (c *cluster) loadAll(t *testing.T, states []*scene.Scene) []*scene.Loaded {
	t.Helper()
	loaded := make([]*scene.Loaded, len(states))
	eachAtOnce(len(states), func(i int) {
		var err error
		if loaded[i], err = states[i].Load(t.Context(), c.config); err != nil {
			t.Error(err)
		}
	})
	if slices.Contains(loaded, nil) {
		t.FailNow()
	}
	return loaded
}

// eachAtOnce calls back for each number, for some at once.
func eachAtOnce(count int, use func(i int)) {
	var all sync.WaitGroup
	numbers := make(chan int)
	for range min(atOnce, count) {
		all.Go(func() {
			for i := range numbers {
				use(i)
			}
		})
	}
	for i := range count {
		numbers <- i
	}
	close(numbers)
	all.Wait()
}

// adviceFor asks the plugin about scenes that are there for as long as that takes.
func (c *cluster) adviceFor(t *testing.T, scenes []*adviceScene) []adviceReport {
	t.Helper()
	var states []*scene.Scene
	for _, one := range scenes {
		states = append(states, one.state(t, true))
	}
	loaded := c.loadAll(t, states)
	reports := make([]adviceReport, len(scenes))
	t.Run("ask", func(t *testing.T) {
		for i, one := range scenes {
			t.Run(one.prefix, func(t *testing.T) {
				t.Parallel()
				got := c.plugin(t, "explain", "pod", one.Pod.Name, "-n", namespace, "-o", "json")
				if got.exit != verdictExits["DoesNotFit"] {
					t.Fatalf("made for %s: %+v", one.wants, got)
				}
				decode(t, got.stdout, &reports[i])
				if len(reports[i].Conflicts) == 0 && !slices.ContainsFunc(reports[i].Nodes, func(node nodeReport) bool { return node.Aborts }) {
					t.Errorf("made for %s: no conflicts", one.wants)
				}
				c.askWhatIf(t, one, &reports[i])
			})
		}
	})
	eachAtOnce(len(loaded), func(i int) {
		if err := loaded[i].Remove(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return reports
}

// followAll makes fresh copies of a scene: one for each piece of advice, and for each part of a release that could be
// left out.
func followAll(t *testing.T, base *adviceScene, report adviceReport, number int, seed uint64) (all []*following) {
	t.Helper()
	fresh := func(advice changes.Advice) *following {
		one := &following{adviceScene: newAdviceScene(number, seed, 1+len(all)), base: base}
		text, err := json.Marshal(advice)
		if err != nil {
			t.Fatal(err)
		}
		decode(t, strings.ReplaceAll(string(text), base.prefix, one.prefix), &one.advice)
		all = append(all, one)
		return one
	}
	var kinds []string
	for index, advice := range report.Advice {
		kinds = append(kinds, advice.Change.Kind())
		one := fresh(advice)
		if report.whatIf != "" && index == report.asked {
			one.whatIf = whatIfFor(t, base, one, report.whatIf)
		}
		one.prepare(t, one.advice.All())
		if advice.Change.Op != "release" || len(advice.Changes) > 0 {
			continue
		}
		groups := one.Groups(&one.advice.Change)
		for i := range groups {
			if len(groups) == 1 {
				break
			}
			less := fresh(advice)
			groups := less.Groups(&less.advice.Change)
			less.lacks = groups[i].Claims
			less.prepare(t, slices.Delete(groups, i, i+1))
		}
	}
	if base.wants != "" && !slices.Contains(kinds, base.wants) || len(kinds) == 0 && !report.Bounded {
		t.Errorf("%s is made for %q, advised is %q: %s", base.prefix, base.wants, kinds, report.Summary)
	}
	if i := slices.Index(kinds, "release"); i >= 0 && base.spared != "" && slices.Contains(report.Advice[i].Change.Pods, base.spared) {
		t.Errorf("%s: of pods with less priority there are enough: %s", base.prefix, report.Advice[i].Message)
	}
	return all
}

// prepare makes what can be changed before the pod is there.
func (f *following) prepare(t *testing.T, all []changes.Change) {
	t.Helper()
	for _, one := range all {
		if one.Op == "release" {
			f.later = append(f.later, one)
		} else if err := f.MakeAll([]changes.Change{one}); err != nil {
			t.Fatalf("%s: %v", f.prefix, err)
		}
	}
}

// follow lets the scheduler decide on all copies.
func (c *cluster) follow(t *testing.T, all []*following) {
	t.Helper()
	var states []*scene.Scene
	for _, one := range all {
		states = append(states, one.state(t, len(one.later) == 0))
	}
	c.loadAll(t, states)
	if err := c.GoLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	eachAtOnce(len(all), func(i int) {
		for _, release := range all[i].later {
			if err := c.release(t.Context(), all[i], release); err != nil {
				t.Error(err)
			}
		}
	})
	harness.Eventually(t, func(ctx context.Context) error { return c.released(ctx, all) })
	var pods []*scene.Scene
	for _, one := range all {
		if len(one.later) > 0 {
			pods = append(pods, one.waiting(t))
		}
	}
	c.loadAll(t, pods)
	harness.Eventually(t, func(ctx context.Context) error { return c.adviceDecided(ctx, all) })
	c.passSentinel(t)
	if err := c.adviceDecided(t.Context(), all); err != nil {
		t.Error(err)
	}
}

// waiting has the pod that waits, and its claims.
func (f *following) waiting(t *testing.T) *scene.Scene {
	b := &builder{t: t}
	for _, claim := range f.Claims {
		if claim.Status.Allocation == nil {
			b.add(claim)
		}
	}
	b.add(f.Pod)
	return &b.Scene
}

// release deletes the pods, and claims that nobody has reserved.
func (c *cluster) release(ctx context.Context, of *following, release changes.Change) error {
	now := metav1.DeleteOptions{GracePeriodSeconds: ptr.To(int64(0))}
	for _, name := range release.Pods {
		if err := c.client.CoreV1().Pods(namespace).Delete(ctx, strings.TrimPrefix(name, namespace+"/"), now); err != nil {
			return err
		}
	}
	for _, claim := range of.Claims {
		if len(claim.Status.ReservedFor) > 0 || !slices.Contains(release.Claims, namespace+"/"+claim.Name) {
			continue
		}
		if err := c.client.ResourceV1().ResourceClaims(namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// released complains of claims that are still allocated although they should be free.
func (c *cluster) released(ctx context.Context, all []*following) error {
	claims := c.client.ResourceV1().ResourceClaims(namespace)
	for _, one := range all {
		for _, release := range one.later {
			for _, name := range release.Claims {
				claim, err := claims.Get(ctx, strings.TrimPrefix(name, namespace+"/"), metav1.GetOptions{})
				if apierrors.IsNotFound(err) || err == nil && claim.Status.Allocation == nil {
					continue
				}
				return fmt.Errorf("%s still holds devices, error %v", name, err)
			}
		}
	}
	return nil
}

// adviceDecided complains of pods of which the scheduler has not made what it should.
func (c *cluster) adviceDecided(ctx context.Context, all []*following) error {
	list, err := c.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	pods := map[string]*corev1.Pod{}
	for i := range list.Items {
		pods[list.Items[i].Name] = &list.Items[i]
	}
	var wrong []string
	for _, one := range all {
		if problem := one.problem(pods[one.Pod.Name]); problem != "" {
			wrong = append(wrong, fmt.Sprintf("%s, made for %s, %q without %q: %s", one.prefix, one.base.wants, one.advice.Message, one.lacks, problem))
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%d of %d pods:\n%s", len(wrong), len(all), strings.Join(wrong, "\n"))
	}
	return nil
}

// problem says how what became of the pod differs from what was foreseen.
func (f *following) problem(pod *corev1.Pod) string {
	if pod == nil {
		return "there is no pod"
	}
	condition, node := scheduled(pod), pod.Spec.NodeName
	if condition == nil {
		return "not decided"
	}
	switch {
	case len(f.lacks) > 0 && node != "":
		return "bound, although less was released"
	case len(f.lacks) > 0 && condition.Reason != corev1.PodReasonUnschedulable:
		return condition.Reason
	case len(f.lacks) == 0 && node == "":
		return condition.Message
	case node != "" && f.advice.Change.Op == "addNode" && node != f.advice.Change.Like+changes.Added:
		return "bound to " + node
	case node != "" && f.advice.Nodes == len(f.advice.Examples) && f.advice.Nodes > 0 && !slices.Contains(f.advice.Examples, node):
		return fmt.Sprintf("bound to %s instead of %q", node, f.advice.Examples)
	}
	return ""
}

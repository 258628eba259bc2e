// This file is about figures for Prometheus: they are read by its own parser, pass the linter of promtool, and are the
// figures of the reports. No server is needed.

package agree_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"kubectl-dra/tests/cluster/scene"
)

// TestMetrics reads the figures of every fixture.
func TestMetrics(t *testing.T) {
	t.Parallel()
	for _, name := range scene.Good {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ask := func(args ...string) outcome {
				return run(t, program(t, pluginEnv), "/nonexistent/kubeconfig", append(args, "--snapshot", fixturePath(name))...)
			}
			compareTopMetrics(t, readMetrics(t, ask("top", "-o", "openmetrics")), ask)
			compareIdleMetrics(t, ask)
			compareDoctorMetrics(t, readMetrics(t, ask("doctor", "-o", "openmetrics", "--exit-zero")), ask)
		})
	}
}

// readMetrics parses figures and holds their names to the conventions.
func readMetrics(t *testing.T, got outcome) map[string]float64 {
	t.Helper()
	text, whole := strings.CutSuffix(got.stdout, "# EOF\n")
	if got.exit != 0 || !whole {
		t.Fatal(summary(got))
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("%v: %v", problems, err)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	samples := map[string]float64{}
	for name, family := range families {
		if family.GetType() != dto.MetricType_GAUGE || family.GetHelp() == "" {
			t.Errorf("%s is a %s with help %q", name, family.GetType(), family.GetHelp())
		}
		for _, metric := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range metric.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			key := sampleKey(name, labels)
			if _, twice := samples[key]; twice {
				t.Errorf("%s twice", key)
			}
			samples[key] = metric.GetGauge().GetValue()
		}
	}
	return samples
}

// sampleKey names a sample by its labels in the order of their names.
func sampleKey(name string, labels map[string]string) string {
	key := name
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		key += fmt.Sprintf(" %s=%q", label, labels[label])
	}
	return key
}

// compareTopMetrics expects a sample for every figure of every `top -o json`, and no other.
func compareTopMetrics(t *testing.T, got map[string]float64, ask func(...string) outcome) {
	t.Helper()
	want := map[string]float64{}
	set := func(name string, figure any, labels map[string]string) {
		if number, known := figure.(float64); known {
			want[sampleKey("kube_dra_"+name, labels)] = number
		}
	}
	for by, one := range map[string]string{"drivers": "driver", "classes": "deviceclass", "nodes": "node", "nodepools": "nodepool"} {
		for _, item := range topItems(t, by, ask) {
			name, _ := item["name"].(string) // null of several
			labels := map[string]string{one: name}
			if driver, several := item["driver"].(string); several {
				labels["driver"] = driver
			}
			set(one+"_devices_published", item["devices"], labels)
			set(one+"_largest_request_devices", item["largestRequest"].(map[string]any)["devices"], labels)
			for _, state := range []string{"allocated", "free", "blocked", "tainted", "unusable", "missing"} {
				with := maps.Clone(labels)
				with["state"] = state
				set(one+"_devices", item[state], with)
			}
		}
	}
	for _, item := range topItems(t, "namespaces", ask) {
		labels := map[string]string{"namespace": item["name"].(string)}
		for figure, name := range map[string]string{"claims": "claims", "pending": "claims_pending", "pods": "pods", "gone": "devices_missing"} {
			set("namespace_"+name, item[figure], labels)
		}
		drivers, _ := item["drivers"].(map[string]any)
		for driver, count := range drivers {
			set("namespace_devices_allocated", count, map[string]string{"namespace": labels["namespace"], "driver": driver})
		}
	}
	if !maps.Equal(want, got) {
		t.Errorf("want %v\ngot  %v", want, got)
	}
}

// compareIdleMetrics expects the devices of every row by driver, and their time.
func compareIdleMetrics(t *testing.T, ask func(...string) outcome) {
	t.Helper()
	for {
		want := idleMetrics(t, ask)
		got := readMetrics(t, ask("top", "workloads", "--idle", "-o", "openmetrics"))
		if maps.Equal(want, got) {
			return
		}
		if maps.Equal(want, idleMetrics(t, ask)) { // else the clock has moved on
			t.Errorf("want %v\ngot  %v", want, got)
			return
		}
	}
}

func idleMetrics(t *testing.T, ask func(...string) outcome) map[string]float64 {
	t.Helper()
	var report idleReport
	decode(t, ask("top", "workloads", "--idle", "-o", "json").stdout, &report)
	want := map[string]float64{}
	for _, item := range report.Items {
		labels := map[string]string{"namespace": item.Namespace, "workload_kind": item.Kind, "workload": item.Name}
		for driver, count := range item.Drivers {
			with := maps.Clone(labels)
			with["driver"] = driver
			want[sampleKey("kube_dra_workload_devices_idle", with)] = count
		}
		want[sampleKey("kube_dra_workload_devices_idle_seconds", labels)] = math.Round(item.DeviceHours * 3600)
	}
	return want
}

func topItems(t *testing.T, by string, ask func(...string) outcome) []map[string]any {
	t.Helper()
	var report struct{ Items []map[string]any }
	decode(t, ask("top", by, "-o", "json").stdout, &report)
	return report.Items
}

// compareDoctorMetrics counts problems, and pods that `explain --pending` has.
func compareDoctorMetrics(t *testing.T, got map[string]float64, ask func(...string) outcome) {
	t.Helper()
	var report struct {
		Problems []struct{ Code, Severity string }
		LookedAt []struct {
			Kind  string
			Count float64
		}
	}
	decode(t, ask("doctor", "-o", "json").stdout, &report)
	want := map[string]float64{}
	for _, problem := range report.Problems {
		want[sampleKey("kube_dra_problems", map[string]string{"code": problem.Code, "severity": problem.Severity})]++
	}
	for _, kind := range report.LookedAt {
		want[sampleKey("kube_dra_objects_examined", map[string]string{"kind": kind.Kind})] = kind.Count
	}
	var waiting float64
	for key, value := range got {
		if strings.HasPrefix(key, "kube_dra_pods_waiting ") {
			waiting += value
			delete(got, key)
		}
	}
	if !maps.Equal(want, got) {
		t.Errorf("want %v\ngot  %v", want, got)
	}
	var pending struct{ Waiting float64 }
	decode(t, ask("explain", "--pending", "-A", "-o", "json").stdout, &pending)
	if pending.Waiting != waiting {
		t.Errorf("%v pods wait instead of %v", waiting, pending.Waiting)
	}
}

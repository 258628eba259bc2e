package hostile

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// This file is about time: what is many times as large must not take that many times squared.

const (
	growthClass = `{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},"spec":{"selectors":[{"cel":{"expression":"true"}}]}}`
	growthNode  = `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n%[1]d","labels":{"host":"n%[1]d"}},"status":{"allocatable":{"cpu":"8","memory":"32Gi","pods":"110"}}},
{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s%[1]d"},"spec":{"driver":"gpu.example.com","nodeName":"n%[1]d","pool":{"name":"n%[1]d","generation":1,"resourceSliceCount":1},"devices":[{"name":"a"},{"name":"b"}]}}`
)

func each(count int, one func(i int) string) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = one(i)
	}
	return strings.Join(parts, ",")
}

func growthClaim(name string, requests, devices int) string {
	return fmt.Sprintf(`{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"%s","namespace":"d"},"spec":{"devices":{"requests":[%s]}}}`,
		name, each(requests, func(i int) string {
			return fmt.Sprintf(`{"name":"r%d","exactly":{"deviceClassName":"gpu","count":%d}}`, i, devices)
		}))
}

// growing is a cluster with so many nodes, and pod p with so many claims of so many requests.
func growing(nodes, claims, requests, devices, terms int) string {
	pod := fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"d"},"spec":{"containers":[{"name":"c"}],"resourceClaims":[%s]%s},"status":{"phase":"Pending"}}`,
		each(claims, func(i int) string { return fmt.Sprintf(`{"name":"c%[1]d","resourceClaimName":"c%[1]d"}`, i) }),
		affinity(terms))
	return `{"apiVersion":"v1","kind":"List","items":[` + strings.Join([]string{growthClass, pod,
		each(claims, func(i int) string { return growthClaim(fmt.Sprint("c", i), requests, devices) }),
		each(nodes, func(i int) string { return fmt.Sprintf(growthNode, i) })}, ",") + `]}`
}

// localVolumes is a cluster whose nodes have ten local volumes each, and as many devices of one slice, and so many pods that
// wait, each with so many claims of such a volume.
func localVolumes(nodes, pods, claims int) string {
	const volume = `{"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v%[1]d"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],` +
		`"storageClassName":"local","nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"host","operator":"In","values":["n%[2]d"]}]}]}}},"status":{"phase":"Available"}}`
	const wants = `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"w%d","namespace":"d"},"spec":{"accessModes":["ReadWriteOnce"],` +
		`"storageClassName":"local","resources":{"requests":{"storage":"1Gi"}}},"status":{"phase":"Pending"}}`
	const class = `{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"local"},"provisioner":"kubernetes.io/no-provisioner","volumeBindingMode":"WaitForFirstConsumer"}`
	return `{"apiVersion":"v1","kind":"List","items":[` + strings.Join([]string{growthClass, class,
		each(nodes, func(i int) string { return fmt.Sprintf(growthNode, i) }),
		each(10*nodes, func(i int) string { return fmt.Sprintf(volume, i, i%nodes) }),
		each(pods*claims, func(i int) string { return fmt.Sprintf(wants, i) }),
		each(pods, func(i int) string { return growthClaim(fmt.Sprint("c", i), 1, 3) }),
		each(pods, func(i int) string {
			return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%[1]d","namespace":"d"},"spec":{"containers":[{"name":"c"}],"resourceClaims":[{"name":"c","resourceClaimName":"c%[1]d"}],"volumes":[%[2]s]},"status":{"phase":"Pending"}}`,
				i, each(claims, func(j int) string {
					return fmt.Sprintf(`{"name":"v%d","persistentVolumeClaim":{"claimName":"w%d"}}`, j, i*claims+j)
				}))
		})}, ",") + `]}`
}

func affinity(terms int) string {
	if terms == 0 {
		return ""
	}
	return `,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[` + each(terms, func(i int) string {
		return fmt.Sprintf(`{"matchExpressions":[{"key":"host","operator":"In","values":["x%d"]}]}`, i)
	}) + `]}}}`
}

// TestGrowth bounds the time of what took minutes while it was quadratic, or had no end.
func TestGrowth(t *testing.T) {
	nodes := write(t, "nodes.json", growing(40_000, 1, 1, 3, 0))
	claims := write(t, "claims.json", growing(3, 1000, 32, 1, 0))
	terms := write(t, "terms.json", growing(20_000, 1, 1, 1, 500))
	devices := write(t, "devices.json", strings.ReplaceAll(growing(50, 1000, 1, 32, 0), `{"name":"b"}`, each(127, func(i int) string { return fmt.Sprintf(`{"name":"b%d"}`, i) })))
	volumes, ofOne := write(t, "volumes.json", localVolumes(500, 40, 1)), write(t, "ofOne.json", localVolumes(500, 1, 100))
	few := write(t, "few.json", growing(2000, 1, 1, 1, 0))
	files := write(t, "files.json", `{"apiVersion":"v1","kind":"List","items":[`+each(1000, func(i int) string { return growthClaim(fmt.Sprint("m", i), 1, 1) })+`]}`)
	for _, arguments := range []string{
		"explain p -n d --snapshot " + nodes, "explain p -n d --snapshot " + claims, "explain p -n d --snapshot " + terms,
		"explain -n d --snapshot " + few + " -f " + files,
		"explain p -n d --snapshot " + devices, "doctor --snapshot " + volumes, "plan -A --snapshot " + volumes,
		"explain p0 -n d --snapshot " + ofOne, "doctor --snapshot " + ofOne,
	} {
		result := run(t, "exec $dra "+arguments)
		t.Logf("%d MiB, %v: %s", result.memory>>10, result.busy.Round(time.Millisecond), arguments)
		if result.code != 2 || result.busy > 30*time.Second || result.memory > 2*mostMemory {
			t.Errorf("%s: exit code %d after %v with %d MiB: %.300s", arguments, result.code, result.busy, result.memory>>10, result.output)
		}
	}
}

func TestTemplatesWithoutAnEnd(t *testing.T) {
	t.Parallel()
	for loops, words := range map[int]string{40: "each {range} needs an {end}", 5000: "loops inside each other"} {
		file := write(t, "template", strings.Repeat("{range .items[*]}", loops)+"x")
		refused(t, "exec $dra get nodes --demo -o jsonpath-file="+file, words)
	}
}

// TestNamesLikeFlags looks for commands in which a name of the cluster would be read as a flag.
func TestNamesLikeFlags(t *testing.T) {
	t.Parallel()
	const name = "--kubeconfig=x"
	text := strings.NewReplacer(`"n0"`, `"`+name+`"`, `"p"`, `"`+name+`"`, `"c0"`, `"`+name+`"`, `"gpu"`, `"`+name+`"`, `"d"`, `"`+name+`"`, `"a"`, `"`+name+`"`).
		Replace(growing(1, 1, 1, 3, 0))
	file := write(t, "names.json", text)
	bare := regexp.MustCompile(` '?--kubeconfig=x`)
	commands := 0
	for _, arguments := range []string{"overview", "doctor", "explain --pending -A", "explain -n=" + name + " -- " + name, "describe pod -n=" + name + " -- " + name,
		"describe claim -n=" + name + " -- " + name, "describe node -- " + name, "describe class -- " + name, "top", "topology", "eval true", "devices -o wide"} {
		result := run(t, "exec $dra "+arguments+" --snapshot "+file)
		if strings.Contains(arguments, " -- ") {
			result = run(t, "exec $dra --snapshot "+file+" "+arguments)
		}
		if result.code < 0 || result.code == 1 {
			t.Errorf("%s: exit code %d: %.300s", arguments, result.code, result.output)
		}
		for line := range strings.Lines(result.output) {
			at := strings.Index(line, "kubectl ")
			if at < 0 || !strings.Contains(line[at:], name) {
				continue
			}
			commands++
			found := bare.FindStringIndex(line[at:])
			if end := strings.Index(line[at:], " -- "); found != nil && (end < 0 || end > found[0]) {
				t.Errorf("%s: %s", arguments, line)
			}
		}
	}
	t.Logf("%d commands", commands)
	if commands == 0 {
		t.Error("no command has the name")
	}
}

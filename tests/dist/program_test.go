// This file is about the program: what is in its file, and that it runs where nothing else is.

package dist

import (
	"bytes"
	"debug/elf"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"kubectl-dra/tests/cluster/harness"
	"kubectl-dra/tests/program"
)

func TestProgramFile(t *testing.T) {
	for _, arch := range arches(t) {
		t.Run(arch, func(t *testing.T) { checkProgramFile(t, arch) })
	}
}

func checkProgramFile(t *testing.T, arch string) {
	path := programFor(t, arch)
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if needed, err := file.ImportedLibraries(); err != nil || len(needed) > 0 {
		t.Errorf("needs libraries: %q, %v", needed, err)
	}
	program.ExpectProtected(t, file)
	if slices.ContainsFunc(file.Progs, func(part *elf.Prog) bool { return part.Type == elf.PT_INTERP }) {
		t.Error("needs a dynamic linker")
	}
	if symbols, err := file.Symbols(); err == nil && len(symbols) > 0 {
		t.Error("not stripped")
	}
	// A stripped program has no names. What its functions print, or how they begin, shows that they are linked.
	bytesOf := func(section string) []byte {
		data, err := file.Section(section).Data()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	constants := bytesOf(".rodata")
	for _, message := range []string{"stack smashing detected", "buffer overflow detected"} {
		if !bytes.Contains(constants, []byte(message)) {
			t.Errorf("nothing prints %q", message)
		}
	}
	// Each function that is called through a pointer begins so; the functions of the program alone are thousands.
	machine, landing := elf.EM_X86_64, []byte{0xf3, 0x0f, 0x1e, 0xfa} // endbr64, of CET
	if arch == "arm64" {
		machine, landing = elf.EM_AARCH64, []byte{0x3f, 0x23, 0x03, 0xd5} // paciasp, which BTI lands on, too
	}
	if landings := bytes.Count(bytesOf(".text"), landing); file.Machine != machine || landings < 5000 {
		t.Errorf("for %s; only %d functions begin with a landing", file.Machine, landings)
	}
	folder, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(whole, []byte(folder+"/")) {
		t.Errorf("has the name of the folder that it was built in, %s", folder)
	}
}

func TestRunsAlone(t *testing.T) {
	for _, arch := range arches(t) {
		t.Run(arch, func(t *testing.T) { runsAlone(t, arch) })
	}
}

func runsAlone(t *testing.T, arch string) {
	root := emptyRoot(t, arch, nil)
	version := alone(t, root, "--version")
	commit := strings.TrimSpace(succeed(t, os.Environ(), "git", "rev-parse", "--short=12", "HEAD"))
	wants(t, version.stdout, "kubectl-dra v", "commit "+commit, "Kubernetes 1.34 to 1.37")
	wants(t, alone(t, root, "version", "-o", "json").stdout, `"commit": "`+commit)
	for _, args := range [][]string{{"--demo"}, {"pools", "--demo"}, {"claims", "--demo", "-A"}, {"topology", "--demo=tpu"},
		{"version", "--client"}} {
		if ran := alone(t, root, args...); ran.code != 0 || ran.stdout == "" {
			t.Errorf("%q ends with %d: %s", args, ran.code, ran.stderr)
		}
	}
	explained := alone(t, root, "explain", "pod", "vllm-gpu-7b9f6c5d44-w8pjn", "--demo")
	if explained.code != 2 {
		t.Errorf("explain ends with %d: %s", explained.code, explained.stderr)
	}
	wants(t, explained.stdout, "Pending")
}

// The program answers as this machine's does, byte for byte. Before `make dist` packs it, its objects have passed the golden
// test.
func TestAnswersAreEqual(t *testing.T) {
	for _, arch := range arches(t) {
		if arch == runtime.GOARCH {
			continue // what the others are compared with
		}
		// In folders of their own, as a program names itself by its file in what is there to paste.
		ours := filepath.Join(emptyRoot(t, runtime.GOARCH, nil), "kubectl-dra")
		theirs := filepath.Join(emptyRoot(t, arch, nil), "kubectl-dra")
		for _, args := range [][]string{{"version"}, {"--demo"}, {"doctor", "--demo"}, {"devices", "--demo", "-A", "-o", "json"},
			{"topology", "--demo=tpu"}, {"explain", "pod", "vllm-gpu-7b9f6c5d44-w8pjn", "--demo"}, {"plan", "-A", "--demo"},
			{"validate", "-f", "../../demo/crash.yaml"}, {"explain", "--code", "NoSuchCode"}} {
			here := finish(t, commandFor(t, runtime.GOARCH, ours, args...))
			there := finish(t, commandFor(t, arch, theirs, args...))
			if here.stdout+here.stderr == "" {
				t.Errorf("%q prints nothing", args)
			}
			if here != there {
				a, b := firstDifference(here.stdout+here.stderr, there.stdout+there.stderr)
				t.Errorf("%q: here it ends with %d and says %q, on %s with %d and %q", args, here.code, a, arch, there.code, b)
			}
		}
	}
}

// firstDifference is the first line of each text that is not the other's.
func firstDifference(here, there string) (string, string) {
	ours, theirs := strings.Split(here, "\n"), strings.Split(there, "\n")
	for i := range min(len(ours), len(theirs)) {
		if ours[i] != theirs[i] {
			return ours[i], theirs[i]
		}
	}
	return fmt.Sprintf("%d lines", len(ours)), fmt.Sprintf("%d lines", len(theirs))
}

func TestReadsAServer(t *testing.T) {
	plane := harness.ForTest(t, harness.Options{})
	for _, arch := range arches(t) {
		t.Run(arch+" by its name", func(t *testing.T) { readsByName(t, arch, plane) })
		t.Run(arch+" from a pod", func(t *testing.T) { readsFromAPod(t, arch, plane) })
	}
}

// The server has a name that only /etc/hosts knows, and a certificate that only a file of the machine trusts, where Alpine
// has it. The C library's own way to look up a name would need modules of the machine's C library.
func readsByName(t *testing.T, arch string, plane *harness.Plane) {
	kubeconfig := filepath.Join(t.TempDir(), "config")
	if err := plane.Kubeconfig(kubeconfig, harness.Admin); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.LoadFromFile(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(plane.URL)
	if err != nil {
		t.Fatal(err)
	}
	cluster := config.Clusters[config.Contexts[config.CurrentContext].Cluster]
	trusted := string(cluster.CertificateAuthorityData)
	cluster.CertificateAuthorityData = nil
	asks := func(host string, files map[string]string, args ...string) ended {
		cluster.Server = "https://" + host + ":" + address.Port()
		text, err := clientcmd.Write(*config)
		if err != nil {
			t.Fatal(err)
		}
		files["config"] = string(text)
		return alone(t, emptyRoot(t, arch, files), append(args, "--kubeconfig=/config")...)
	}
	const host = "kubernetes.default.svc" // which API servers have in their certificate
	const hosts = "127.0.0.1 localhost\n127.0.0.1 " + host + "\n"
	read := asks(host, map[string]string{"etc/hosts": hosts, "etc/ssl/cert.pem": trusted}, "version", "--with-server", "-o", "json")
	if read.code != 0 {
		t.Errorf("ends with %d: %s", read.code, read.stderr)
	}
	wants(t, read.stdout, `"serverVersion": "v1.37.1"`, `"serverAssumed": false`)
	if read = asks(host, map[string]string{"etc/hosts": hosts, "etc/ssl/cert.pem": trusted}, "claims", "-A"); read.code != 0 {
		t.Errorf("claims: ends with %d: %s", read.code, read.stderr)
	}
	if read = asks(host, map[string]string{"etc/hosts": hosts}, "claims", "-A"); read.code != 1 {
		t.Errorf("a certificate that nothing trusts: ends with %d: %s", read.code, read.stdout)
	}
	wants(t, read.stderr, "certificate")
	// Without a server of names: what the machine would ask is not reached.
	read = asks("unknown.invalid", map[string]string{"etc/hosts": hosts, "etc/ssl/cert.pem": trusted, "etc/nsswitch.conf": "hosts: files\n"},
		"claims", "-A")
	if read.code != 1 {
		t.Errorf("a name that nothing knows: ends with %d: %s", read.code, read.stdout)
	}
	wants(t, read.stderr, "unknown.invalid")
}

// In a container's image there is the program alone: the cluster's address is in variables, and its certificate and the token
// of the service account in files.
func readsFromAPod(t *testing.T, arch string, plane *harness.Plane) {
	config, err := plane.RESTConfig(harness.Admin)
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(plane.URL)
	if err != nil {
		t.Fatal(err)
	}
	const account = "var/run/secrets/kubernetes.io/serviceaccount/"
	root := emptyRoot(t, arch, map[string]string{account + "token": config.BearerToken, account + "ca.crt": string(config.CAData),
		account + "namespace": "default"})
	environment := []string{"KUBERNETES_SERVICE_HOST=" + address.Hostname(), "KUBERNETES_SERVICE_PORT=" + address.Port()}
	read := within(t, root, 0, environment, "/kubectl-dra", "version", "--with-server", "-o", "json")
	if read.code != 0 {
		t.Errorf("ends with %d: %s", read.code, read.stderr)
	}
	wants(t, read.stdout, `"serverVersion": "v1.37.1"`, `"serverAssumed": false`)
}

// A plugin starts at each press of Tab.
func TestStartsInATwentiethOfKubectlsTime(t *testing.T) {
	ours, kubectl := made(t, "kubectl-dra"), tool(t, "KUBECTL_DRA_KUBECTL")
	args := []string{"version", "--client"}
	// As kubectl comes: what collects its garbage later would make it faster.
	environment := slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "GOGC=") })
	took := func(program string) time.Duration {
		command := exec.Command(program, args...)
		command.Env = environment
		start := time.Now()
		if err := command.Run(); err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		return time.Since(start)
	}
	took(ours)
	took(kubectl)
	const most, bar = 1.0 / 20, 1.25 / 20 // what a busy machine adds is not the program's
	var our, their []time.Duration
	for batch := 0; batch == 0 || batch < 3 && middle(our) > most*middle(their); batch++ { // a neighbour goes away
		for range 21 { // in turn, so that what disturbs one disturbs the other
			our, their = append(our, took(ours)), append(their, took(kubectl))
		}
	}
	said(t, "start of the static program against kubectl", middle(our), middle(their), "ms", bar)
	said(t, "its memory against kubectl", float64(memory(t, ours, args...)), float64(memory(t, kubectl, args...)), "KiB", 1.0/4)
}

// middle is the median in milliseconds.
func middle(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2]) / 1e6
}

func said(t *testing.T, what string, ours, theirs float64, unit string, bar float64) {
	t.Helper()
	fmt.Printf("BENCH %-52s %8.1f %s against %.1f, ratio %.3g, at most %.3g\n", what, ours, unit, theirs, ours/theirs, bar)
	if ours/theirs > bar {
		t.Errorf("%s: ratio %.3g is above %.3g", what, ours/theirs, bar)
	}
}

// memory is the most that a program had, in KiB. It is stopped at its end, where the kernel still knows: what wait()
// reports also counts the memory of the process that started it.
func memory(t *testing.T, program string, args ...string) int64 {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	command := exec.Command(program, args...)
	command.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	pid := command.Process.Pid
	var status syscall.WaitStatus
	wait := func() {
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	wait()
	if err := syscall.PtraceSetOptions(pid, syscall.PTRACE_O_TRACEEXIT); err != nil {
		t.Fatal(err)
	}
	for signal := 0; ; {
		if err := syscall.PtraceCont(pid, signal); err != nil {
			t.Fatal(err)
		}
		wait()
		if !status.Stopped() {
			t.Fatalf("%s ended without a stop", program)
		}
		if status.TrapCause() == syscall.PTRACE_EVENT_EXIT {
			break
		}
		signal = int(status.StopSignal())
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.PtraceDetach(pid); err != nil {
		t.Fatal(err)
	}
	wait()
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	amount, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return amount
}

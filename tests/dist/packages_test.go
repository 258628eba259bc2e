// This file is about packages: Debian's, RPM, and what krew and Homebrew install.

package dist

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestDebianPackage(t *testing.T) {
	for _, arch := range arches(t) {
		t.Run(arch, func(t *testing.T) { checkDebianPackage(t, arch) })
	}
}

func checkDebianPackage(t *testing.T, arch string) {
	path := made(t, "kubectl-dra_*_"+arch+".deb")
	if depends := succeed(t, os.Environ(), "dpkg-deb", "-f", path, "Depends"); strings.TrimSpace(depends) != "" {
		t.Errorf("depends on %s", depends)
	}
	if words := succeed(t, os.Environ(), "lintian", "--fail-on", "error", "--allow-root", path); strings.Contains(words, "W: ") {
		t.Errorf("lintian warns:\n%s", words)
	}
	if of := succeed(t, os.Environ(), "dpkg-deb", "-f", path, "Architecture"); strings.TrimSpace(of) != arch {
		t.Errorf("for %s", of)
	}
	root := t.TempDir()
	for _, folder := range []string{"var/lib/dpkg/info", "var/lib/dpkg/updates"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	succeed(t, os.Environ(), "dpkg", "--root="+root, "--force-not-root", "--force-architecture", "--log=/dev/null", "-i", path)
	if hashOf(t, filepath.Join(root, "usr/bin/kubectl-dra")) != hashOf(t, programFor(t, arch)) {
		t.Error("has another program")
	}
	wants(t, finish(t, commandFor(t, arch, filepath.Join(root, "usr/bin/kubectl-dra"), "--version")).stdout, "kubectl-dra v")
	for _, name := range []string{"usr/bin/kubectl_complete-dra", "usr/share/man/man1/kubectl-dra.1.gz", "usr/share/doc/kubectl-dra/copyright",
		"usr/share/bash-completion/completions/kubectl-dra", "usr/share/zsh/vendor-completions/_kubectl-dra"} {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	succeed(t, os.Environ(), "dpkg", "--root="+root, "--force-not-root", "--log=/dev/null", "-r", "kubectl-dra")
	if _, err := os.Stat(filepath.Join(root, "usr/bin/kubectl-dra")); err == nil {
		t.Error("is still there after it was removed")
	}
}

// rpm2cpio of a package gives what rpm would install; to install it, rpm wants a database.
func TestRPM(t *testing.T) {
	for _, arch := range arches(t) {
		t.Run(arch, func(t *testing.T) { checkRPM(t, arch) })
	}
}

func checkRPM(t *testing.T, arch string) {
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[arch]
	path := made(t, "kubectl-dra-*."+machine+".rpm")
	said := succeed(t, os.Environ(), "rpm", "-qp", "--qf", "%{NAME} %{ARCH} %{LICENSE} %{BUILDHOST} %{BUILDTIME} [%{FILEUSERNAME}]\n", path)
	committed := strings.TrimSpace(succeed(t, os.Environ(), "git", "log", "-1", "--format=%ct"))
	wants(t, said, "kubectl-dra "+machine+" Apache-2.0 kubectl-dra.invalid "+committed+" ")
	wants(t, succeed(t, os.Environ(), "rpm", "-qp", "--qf", "%{DESCRIPTION}", path), "It only reads from the cluster.")
	if strings.ReplaceAll(strings.Fields(said)[5], "root", "") != "" {
		t.Errorf("owned by others than root: %s", said)
	}
	for line := range strings.Lines(succeed(t, os.Environ(), "rpm", "-qp", "--requires", path)) {
		if !strings.HasPrefix(line, "rpmlib(") {
			t.Errorf("requires %s", line)
		}
	}
	// What other packages have, too, is not this one's; of folders only its own are.
	for line := range strings.Lines(succeed(t, os.Environ(), "rpm", "-qp", "--qf", "[%{FILEMODES:perms} %{FILENAMES}\n]", path)) {
		mode, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if mode[0] == 'd' && filepath.Base(name) != "kubectl-dra" && filepath.Base(name) != "licenses" || strings.HasSuffix(mode[:9], "w-") {
			t.Errorf("has %s", line)
		}
	}
	root := t.TempDir()
	succeed(t, os.Environ(), "rpm", "--root", root, "--dbpath", "/db", "--ignorearch", "--nosignature", "--noscripts", "-i", path)
	if hashOf(t, filepath.Join(root, "usr/bin/kubectl-dra")) != hashOf(t, programFor(t, arch)) {
		t.Error("has another program")
	}
	for _, name := range []string{"usr/bin/kubectl_complete-dra", "usr/share/man/man1/kubectl-dra.1.gz", "usr/share/licenses/kubectl-dra/LICENSE",
		"usr/share/licenses/kubectl-dra/libssl-dev", "usr/share/bash-completion/completions/kubectl-dra",
		"usr/share/zsh/site-functions/_kubectl-dra"} {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	succeed(t, os.Environ(), "rpm", "--root", root, "--dbpath", "/db", "-e", "kubectl-dra")
	if _, err := os.Stat(filepath.Join(root, "usr/bin/kubectl-dra")); err == nil {
		t.Error("is still there after it was removed")
	}
}

func TestKrewInstallsIt(t *testing.T) {
	manifest, archive := made(t, "dra.yaml"), made(t, "kubectl-dra_*_linux_"+runtime.GOARCH+".tar.gz")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for _, arch := range arches(t) {
		wants(t, string(text), "arch: "+arch, hashOf(t, made(t, "kubectl-dra_*_linux_"+arch+".tar.gz")))
	}
	root := t.TempDir()
	environment := append(os.Environ(), "KREW_ROOT="+root, "HOME="+root)
	succeed(t, environment, tool(t, "KUBECTL_DRA_KREW_VALIDATION"), "-manifest", manifest, "-skip-install")
	krew := tool(t, "KUBECTL_DRA_KREW")
	succeed(t, environment, krew, "install", "--manifest="+manifest, "--archive="+archive)
	plugins := append(environment, "PATH="+filepath.Join(root, "bin")+":/usr/bin:/bin")
	wants(t, succeed(t, plugins, tool(t, "KUBECTL_DRA_KUBECTL"), "dra", "--version"), "kubectl-dra v")
	wants(t, succeed(t, plugins, tool(t, "KUBECTL_DRA_KUBECTL"), "dra", "pools", "--demo"), "gpu.nvidia.com")
	// An archive that was changed on its way is refused.
	root = t.TempDir()
	environment = append(os.Environ(), "KREW_ROOT="+root, "HOME="+root)
	changed := filepath.Join(root, "changed.tar.gz")
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(changed, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if ran := refused(t, environment, krew, "install", "--manifest="+manifest, "--archive="+changed); !strings.Contains(ran.stderr, "checksum") {
		t.Errorf("krew says of a changed archive: %s", ran.stderr)
	}
}

// Homebrew itself cannot be here. testdata/brew.rb does what the words of a formula mean, for each architecture.
func TestFormula(t *testing.T) {
	formula := made(t, "kubectl-dra.rb")
	wants(t, succeed(t, os.Environ(), "ruby", "-wc", formula), "Syntax OK")
	for _, arch := range arches(t) {
		prefix := t.TempDir()
		said := succeed(t, os.Environ(), "ruby", "-w", "testdata/brew.rb", formula, arch, prefix)
		archive := made(t, "kubectl-dra_*_linux_"+arch+".tar.gz")
		wants(t, said, "url file://"+archive+"\n", "sha256 "+hashOf(t, archive)+"\n", "license Apache-2.0\n")
		for _, name := range []string{"bin/kubectl-dra", "bin/kubectl_complete-dra", "share/man/man1/kubectl-dra.1", "share/man/man7/kubectl-dra-codes.7",
			"etc/bash_completion.d/kubectl-dra", "share/zsh/site-functions/_kubectl-dra", "share/fish/vendor_completions.d/kubectl-dra.fish",
			"share/kubectl-dra/k9s.yaml", "share/kubectl-dra/licenses/libssl-dev"} {
			if _, err := os.Stat(filepath.Join(prefix, name)); err != nil {
				t.Error(err)
			}
		}
		if arch == runtime.GOARCH {
			wants(t, said, "test passed\n")
		}
	}
}

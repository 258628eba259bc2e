// This file is about what is around the program: the archive, the list of inputs, the packages.

package dist

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func hashOf(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Everything that is published has its hash in the list, and nothing else is in it.
func TestSums(t *testing.T) {
	list, err := os.ReadFile(made(t, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	listed := []string{"SHA256SUMS"}
	for line := range strings.Lines(string(list)) {
		hash, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		listed = append(listed, name)
		if hashOf(t, made(t, name)) != hash {
			t.Errorf("%s has another hash", name)
		}
	}
	entries, err := os.ReadDir(os.Getenv("KUBECTL_DRA_DIST"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !slices.Contains(listed, entry.Name()) {
			t.Errorf("%s is not in SHA256SUMS", entry.Name())
		}
	}
}

func TestArchive(t *testing.T) {
	path := made(t, "kubectl-dra_*_linux_amd64.tar.gz")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if !unzipped.ModTime.IsZero() || unzipped.Name != "" {
		t.Errorf("gzip says when it was made (%s), or of what (%q)", unzipped.ModTime, unzipped.Name)
	}
	committed, err := strconv.ParseInt(strings.TrimSpace(succeed(t, os.Environ(), "git", "log", "-1", "--format=%ct")), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	folder := strings.TrimSuffix(filepath.Base(path), ".tar.gz") + "/"
	var names []string
	reader := tar.NewReader(unzipped)
	for {
		entry, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(entry.Name, folder)
		names = append(names, name)
		if entry.Uid != 0 || entry.Gid != 0 || entry.Uname != "" || entry.ModTime.Unix() != committed || entry.Mode&0o7022 != 0 ||
			name == entry.Name {
			t.Errorf("%s: owner %d:%d %q, time %s, mode %o", entry.Name, entry.Uid, entry.Gid, entry.Uname, entry.ModTime, entry.Mode)
		}
		if name == "kubectl-dra" {
			sum := sha256.New()
			if _, err := io.Copy(sum, reader); err != nil {
				t.Fatal(err)
			}
			if hex.EncodeToString(sum.Sum(nil)) != hashOf(t, made(t, "kubectl-dra")) || entry.Mode&0o111 != 0o111 {
				t.Error("the program in the archive is another, or cannot be run")
			}
		}
	}
	for _, name := range []string{"kubectl-dra", "kubectl_complete-dra", "LICENSE", "man/man1/kubectl-dra-explain.1",
		"man/man7/kubectl-dra-codes.7", "completions/kubectl-dra.bash", "completions/k9s.yaml", "licenses/libssl-dev", "licenses/curl"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is missing", name)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("not sorted: %q", names)
	}
}

// The parts of an SPDX document that a reader of it needs.
type spdxDocument struct {
	SPDXVersion, DataLicense, SPDXID, Name, DocumentNamespace string
	Packages                                                  []struct {
		SPDXID, Name, VersionInfo, DownloadLocation, LicenseConcluded string
		Checksums                                                     []struct{ Algorithm, ChecksumValue string }
	}
	Relationships []struct{ SPDXElementID, RelationshipType, RelatedSPDXElement string }
}

func TestListOfInputs(t *testing.T) {
	text, err := os.ReadFile(made(t, "*.spdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document spdxDocument
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	if document.SPDXVersion != "SPDX-2.3" || document.DataLicense != "CC0-1.0" || document.SPDXID != "SPDXRef-DOCUMENT" ||
		document.Name == "" || document.DocumentNamespace == "" {
		t.Errorf("not SPDX 2.3: %+v", document)
	}
	ids := []string{"SPDXRef-DOCUMENT"}
	linked := map[string]string{}
	for _, input := range document.Packages {
		if slices.Contains(ids, input.SPDXID) || input.Name == "" || input.VersionInfo == "" || input.LicenseConcluded == "" ||
			input.DownloadLocation == "" || len(input.Checksums) != 1 || len(input.Checksums[0].ChecksumValue) != 64 {
			t.Errorf("incomplete, or twice: %+v", input)
		}
		ids = append(ids, input.SPDXID)
	}
	for _, relation := range document.Relationships {
		if !slices.Contains(ids, relation.SPDXElementID) || !slices.Contains(ids, relation.RelatedSPDXElement) {
			t.Errorf("of nothing in the document: %+v", relation)
		}
		if relation.RelationshipType == "STATIC_LINK" {
			linked[relation.RelatedSPDXElement] = relation.SPDXElementID
		}
	}
	for _, id := range []string{"SPDXRef-source-curl", "SPDXRef-source-simdjson", "SPDXRef-binary-libssl-dev", "SPDXRef-binary-libc6-dev",
		"SPDXRef-binary-libc-ares-dev", "SPDXRef-binary-libre2-dev", "SPDXRef-binary-libyaml-dev", "SPDXRef-binary-libyaml-cpp-dev",
		"SPDXRef-binary-zlib1g-dev"} {
		if linked[id] != "SPDXRef-kubectl-dra" {
			t.Errorf("%s is linked, and not in the list", id)
		}
	}
}

func TestDebianPackage(t *testing.T) {
	path := made(t, "kubectl-dra_*_amd64.deb")
	if depends := succeed(t, os.Environ(), "dpkg-deb", "-f", path, "Depends"); strings.TrimSpace(depends) != "" {
		t.Errorf("depends on %s", depends)
	}
	if words := succeed(t, os.Environ(), "lintian", "--fail-on", "error", "--allow-root", path); strings.Contains(words, "W: ") {
		t.Errorf("lintian warns:\n%s", words)
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
	succeed(t, os.Environ(), "dpkg", "--root="+root, "--force-not-root", "--log=/dev/null", "-i", path)
	wants(t, succeed(t, nil, filepath.Join(root, "usr/bin/kubectl-dra"), "--version"), "kubectl-dra v")
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

func TestKrewInstallsIt(t *testing.T) {
	manifest, archive := made(t, "dra.yaml"), made(t, "kubectl-dra_*_linux_amd64.tar.gz")
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

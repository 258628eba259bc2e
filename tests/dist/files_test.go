// This file is about what is around the program: the archive, the hashes, the list of inputs.

package dist

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	spdx "github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdxlib"
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
	for _, arch := range arches(t) {
		t.Run(arch, func(t *testing.T) { checkArchive(t, arch) })
	}
}

func checkArchive(t *testing.T, arch string) {
	path := made(t, "kubectl-dra_*_linux_"+arch+".tar.gz")
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
			if hex.EncodeToString(sum.Sum(nil)) != hashOf(t, programFor(t, arch)) || entry.Mode&0o111 != 0o111 {
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

func TestListOfInputs(t *testing.T) {
	for _, arch := range arches(t) {
		t.Run(arch, func(t *testing.T) { checkListOfInputs(t, arch) })
	}
}

// Read by the library of the SPDX project, which knows the format.
func checkListOfInputs(t *testing.T, arch string) {
	file, err := os.Open(made(t, "kubectl-dra_*_linux_"+arch+".spdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	document, err := spdx.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := spdxlib.ValidateDocument(document); err != nil {
		t.Error(err)
	}
	if document.SPDXVersion != "SPDX-2.3" || document.DataLicense != "CC0-1.0" || document.DocumentName == "" || document.DocumentNamespace == "" {
		t.Errorf("not SPDX 2.3: %+v", document)
	}
	linked := map[string]bool{}
	for _, relation := range document.Relationships {
		if relation.Relationship == "STATIC_LINK" && relation.RefA.ElementRefID == "kubectl-dra" {
			linked[string(relation.RefB.ElementRefID)] = true
		}
	}
	for _, input := range document.Packages {
		if input.PackageName == "" || input.PackageVersion == "" || input.PackageLicenseConcluded == "" || input.PackageDownloadLocation == "" ||
			len(input.PackageChecksums) != 1 || len(input.PackageChecksums[0].Value) != 64 {
			t.Errorf("incomplete: %+v", input)
		}
		if input.PackageName == "kubectl-dra" && input.PackageChecksums[0].Value != hashOf(t, programFor(t, arch)) {
			t.Error("of another program")
		}
	}
	for _, id := range []string{"source-curl", "source-simdjson", "binary-libssl-dev", "binary-libc6-dev", "binary-libc-ares-dev",
		"binary-libre2-dev", "binary-libyaml-dev", "binary-libyaml-cpp-dev", "binary-zlib1g-dev"} {
		if !linked[id] {
			t.Errorf("%s is linked, and not in the list", id)
		}
	}
}

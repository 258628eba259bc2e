// This file is about the container image.

package dist

import (
	"archive/tar"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	registry "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// named is what the layout's only name, which is the version, stands for.
func named(t *testing.T, index registry.ImageIndex) registry.Descriptor {
	t.Helper()
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(manifest.Manifests) != 1 {
		t.Fatalf("has %d things with names: %+v", len(manifest.Manifests), manifest.Manifests)
	}
	version := strings.Fields(alone(t, emptyRoot(t, runtime.GOARCH, nil), "--version").stdout)[1]
	if name := manifest.Manifests[0].Annotations["org.opencontainers.image.ref.name"]; name != version {
		t.Errorf("its name is %q instead of %q", name, version)
	}
	return manifest.Manifests[0]
}

// images are those of a layout, by architecture: one alone, or those of an index.
func images(t *testing.T, path string) map[string]registry.Image {
	t.Helper()
	index, err := layout.ImageIndexFromPath(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil { // that all is there, and that sizes and hashes are right
		t.Fatal(err)
	}
	if first := named(t, index); first.MediaType.IsIndex() {
		if index, err = index.ImageIndex(first.Digest); err != nil {
			t.Fatal(err)
		}
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]registry.Image{}
	for _, one := range manifest.Manifests {
		if one.Platform == nil || one.Platform.OS != "linux" {
			t.Fatalf("of no platform: %+v", one)
		}
		if all[one.Platform.Architecture], err = index.Image(one.Digest); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// unpack writes the files of an image into a folder, and returns their names.
func unpack(t *testing.T, image registry.Image, root string) []string {
	t.Helper()
	files := mutate.Extract(image)
	defer files.Close()
	var names []string
	for reader := tar.NewReader(files); ; {
		entry, err := reader.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		if entry.Uid != 0 || entry.Gid != 0 || entry.Mode&0o7022 != 0 {
			t.Errorf("%s: owner %d:%d, mode %o", entry.Name, entry.Uid, entry.Gid, entry.Mode)
		}
		if entry.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, entry.Name)
		write(t, filepath.Join(root, filepath.FromSlash(filepath.Clean("/"+entry.Name))), string(content), os.FileMode(entry.Mode))
	}
}

func TestImage(t *testing.T) {
	folder := t.TempDir()
	succeed(t, os.Environ(), "tar", "-C", folder, "-xf", made(t, "kubectl-dra_*_oci.tar"))
	all := images(t, folder)
	if len(all) != len(arches(t)) {
		t.Errorf("has images for %d architectures instead of %q", len(all), arches(t))
	}
	for _, arch := range arches(t) {
		t.Run(arch, func(t *testing.T) { checkImage(t, arch, all[arch]) })
	}
}

func checkImage(t *testing.T, arch string, image registry.Image) {
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	commit := strings.TrimSpace(succeed(t, os.Environ(), "git", "rev-parse", "--short=12", "HEAD"))
	committed := strings.TrimSpace(succeed(t, os.Environ(), "git", "log", "-1", "--format=%ct"))
	if config.Architecture != arch || strconv.FormatInt(config.Created.Unix(), 10) != committed ||
		!strings.HasPrefix(config.Config.Labels["org.opencontainers.image.revision"], commit) || len(config.RootFS.DiffIDs) != 1 {
		t.Errorf("wrong: %+v", config)
	}
	root := readable(t)
	names := unpack(t, image, root)
	for _, name := range []string{"kubectl-dra", "licenses/LICENSE", "licenses/libssl-dev", "licenses/curl"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is missing in %q", name, names)
		}
	}
	if hashOf(t, filepath.Join(root, "kubectl-dra")) != hashOf(t, programFor(t, arch)) {
		t.Error("has another program")
	}
	addEmulator(t, root, arch)
	// As a container's user, who is nobody.
	id, _, _ := strings.Cut(config.Config.User, ":")
	user, err := strconv.Atoi(id)
	if err != nil || user == 0 {
		t.Fatalf("runs as %q", config.Config.User)
	}
	ran := within(t, root, user, config.Config.Env, config.Config.Entrypoint[0], "doctor", "--demo")
	if ran.code != 2 || ran.stderr != "" {
		t.Errorf("ends with %d: %s", ran.code, ran.stderr)
	}
}

// readable is a folder that every user can read. t.TempDir() is in one that only its owner can.
func readable(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "image")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

# `make demo` and `make test` do everything on a fresh machine; the rest is for those who work on it.

GO_LDFLAGS := -s -w $(foreach p,k8s.io/component-base/version k8s.io/client-go/pkg/version,\
	-X $(p).gitVersion=v1.37.1 -X $(p).gitMajor=1 -X $(p).gitMinor=37 -X $(p).gitTreeState=clean)
# The same everywhere, as they are part of the key of Go's build cache.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath -buildvcs=false
export GOTOOLCHAIN := auto

DRA := build/release/kubectl-dra

.PHONY: demo build dist install test soak bench cluster plane docs golden format

demo: build ## build the program and show it on a built-in cluster
	@.ci/demo $(DRA)

build: ## the release binary, build/release/kubectl-dra
	@.ci/deps build
	@cmake -S . -B build/release -G Ninja -DCMAKE_BUILD_TYPE=Release -DDRA_TESTS=OFF -DDRA_COMMIT= >/dev/null
	@cmake --build build/release

# make dist CHECK=1 URL=https://where.the.archives/will/be ARCH="amd64 arm64"
dist: ## build/dist: a static binary, its archive, packages, image, manifest of krew, formula, list of inputs, hashes
	@.ci/deps dist
	@ARCH="$(ARCH)" URL=$(URL) .ci/dist $(if $(CHECK),--check)

# make install PREFIX=/usr DESTDIR=/tmp/package
PREFIX ?= /usr/local
install: build ## the program, its manual pages and completion scripts
	@DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX) >/dev/null
	@echo "installed in $(DESTDIR)$(PREFIX)"

test: ## install, build and run every test
	@.ci/test

# make soak SOAK=20
SOAK ?= 4
soak: ## the generated tests and fuzzers, so many times as long and with random seeds
	@SOAK=$(SOAK) .ci/test

bench: ## measure, and write the table of PERFORMANCE.md (ten minutes, on a quiet machine)
	@KUBECTL_DRA_FIGURES=$(CURDIR)/PERFORMANCE.md .ci/test plane release bench

plane: ## the Kubernetes control plane and kubectl that the tests run against
	@mkdir -p build/go
	@go -C tests build -ldflags "$(GO_LDFLAGS)" -o $(CURDIR)/build/go/ ./cluster/plane ./cluster/kubectl

# make cluster SCENE=tests/fixtures/claims.yaml LIVE=1
SCENE ?= demo/gpu.yaml
cluster: plane ## start a control plane, load a scene, print the KUBECONFIG line, wait for Ctrl-C
	@KUBECTL_DRA_PLANE=$(CURDIR)/build/go/plane go -C tests run ./cluster/cmd/cluster \
		-scene $(CURDIR)/$(SCENE) $(if $(LIVE),-live) $(if $(SERVE),-serve $(SERVE))

docs: ## write the man pages and completion scripts
	@UPDATE_GENERATED=1 build/debug/tests/test_style

golden: ## accept what the golden scenes print now; read the diff
	@UPDATE_GOLDEN=1 build/debug/tests/test_golden

format:
	@git ls-files '*.cpp' '*.h' | xargs clang-format-14 -i
	@gofmt -w tests

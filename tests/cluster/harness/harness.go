// Package harness starts a real Kubernetes control plane for a test and takes it away again.
//
// A plane begins frozen: etcd and the API server run, nothing else does, so what a test writes
// stays as written. GoLive adds the scheduler and the controllers. Scenes are loaded while frozen;
// on a live plane the claim controller would generate claims of its own for pods whose status, with
// the names of their claims, is not written yet.
package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// BinaryEnv names the environment variable with the path of the plane binary.
const BinaryEnv = "KUBECTL_DRA_PLANE"

// startLimit is how long one program may take until it is ready. It is far above the three seconds
// that it takes on an idle machine, because tests share their machine.
const startLimit = 90 * time.Second

// Options says which plane to start. The zero value is a cluster as users have it.
type Options struct {
	Binary       string          // path of the plane binary; empty means $KUBECTL_DRA_PLANE
	Serve        Serve           // served versions of resource.k8s.io; empty means V1
	FeatureGates map[string]bool // for every program
}

// Serve says which versions of resource.k8s.io a plane serves.
type Serve string

const (
	V1      Serve = "v1"      // what a cluster serves by default
	V1beta2 Serve = "v1beta2" // only that
	V1beta1 Serve = "v1beta1" // only that; it has no DeviceTaintRule
	All     Serve = "all"     // v1, v1beta2, v1beta1, v1alpha3, and every other beta API
	None    Serve = "none"    // no version, like a cluster that is too old for it
)

// runtimeConfig is the value of the API server's flag of that name.
func (s Serve) runtimeConfig() (string, error) {
	switch s {
	case "", V1:
		return "", nil
	case V1beta2, V1beta1:
		return "resource.k8s.io/v1=false,resource.k8s.io/" + string(s) + "=true", nil
	case All:
		return "api/beta=true,resource.k8s.io/v1alpha3=true", nil
	case None:
		return "resource.k8s.io/v1=false", nil
	}
	return "", fmt.Errorf("unknown API versions %q: known are %s, %s, %s, %s, %s", s, V1, V1beta2, V1beta1, All, None)
}

// Plane is a running control plane.
type Plane struct {
	URL        string            // of the API server
	CAFile     string            // what the API server's certificate is verified with
	AdminToken string            // bearer token of Admin
	Tokens     map[string]string // bearer tokens of Admin and of each of Users
	Dir        string            // holds everything the plane writes, the logs as NAME.log

	options  Options
	lock     *os.File
	etcdURL  string
	ca       []byte
	children []*child
	pick     func(n int) ([]int, error) // of ports; replaced where a test takes ports away
}

// Start returns a frozen plane that is ready for requests. ctx bounds the start, not the life of the
// plane; the caller must Stop it.
func Start(ctx context.Context, options Options) (*Plane, error) {
	binary, err := findBinary(options.Binary)
	if err != nil {
		return nil, err
	}
	options.Binary = binary
	if _, err := options.Serve.runtimeConfig(); err != nil {
		return nil, err
	}
	dir, lock, err := newDir()
	if err != nil {
		return nil, err
	}
	p := &Plane{Dir: dir, options: options, lock: lock, pick: freePorts}
	if err := p.start(ctx); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

func (p *Plane) start(ctx context.Context) error {
	if err := p.writeCredentials(); err != nil {
		return err
	}
	if err := p.startEtcd(ctx); err != nil {
		return err
	}
	return p.startAPIServer(ctx)
}

// GoLive starts the scheduler and the controllers, and returns once they have seen every object that
// the API server holds.
func (p *Plane) GoLive(ctx context.Context) error {
	if s := p.options.Serve; s == V1beta1 || s == V1beta2 || s == None {
		return fmt.Errorf("a plane that serves %s of resource.k8s.io cannot go live: its scheduler needs v1", s)
	}
	kubeconfig := p.path("controllers.kubeconfig")
	if err := p.Kubeconfig(kubeconfig, Admin); err != nil {
		return err
	}
	if err := p.startScheduler(ctx, kubeconfig); err != nil {
		return err
	}
	return p.startControllers(ctx, kubeconfig)
}

// Stop ends every program and removes what they wrote. It may be called twice.
func (p *Plane) Stop() error {
	for _, c := range p.children {
		c.kill()
	}
	p.children = nil
	err := os.RemoveAll(p.Dir)
	return errors.Join(err, closeOnce(&p.lock))
}

// Logs returns the last lines of each program's log, for the report of a test that failed.
func (p *Plane) Logs(lines int) string {
	var text string
	for _, c := range p.children {
		text += fmt.Sprintf("--- %s\n%s\n", c.name, c.tail(lines))
	}
	return text
}

func (p *Plane) path(name string) string { return filepath.Join(p.Dir, name) }

func findBinary(path string) (string, error) {
	if path == "" {
		path = os.Getenv(BinaryEnv)
	}
	if path == "" {
		return "", fmt.Errorf("no control plane to start: %s is not set; `make plane` builds the binary it names", BinaryEnv)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("no control plane to start: %w; `make plane` builds it", err)
	}
	return filepath.Abs(path)
}

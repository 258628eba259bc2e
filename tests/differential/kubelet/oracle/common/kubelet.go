// Package common lets the kubelet of a release prepare the claims of pods, and prints what it says when it cannot:
// one line of JSON for each case.
package common

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	drapb "k8s.io/kubelet/pkg/apis/dra/v1"
)

// Kubelet is the part of a release's kubelet that has to do with claims.
type Kubelet struct {
	Prepare      func(context.Context, *corev1.Pod) error
	Unprepare    func(context.Context, *corev1.Pod) error
	GetResources func(*corev1.Pod, *corev1.Container) error
	Register     func(ctx context.Context, driver, socket string, services []string, timeout *time.Duration) error
	Deregister   func(ctx context.Context, driver, socket string)
}

// Release is what differs between releases.
type Release struct {
	Version string
	Reason  string // of the event
	// New starts a kubelet that keeps its state in a folder.
	New func(ctx context.Context, client kubernetes.Interface, folder string) (Kubelet, error)
	UID func(*drapb.Claim) string // the field has several names
	// SkipPrepare lets a device do without being prepared, which later releases know.
	SkipPrepare func(*resourceapi.DeviceRequestAllocationResult)
}

// said is what came of a case.
type said struct {
	Case    string                        `json:"case"`
	Version string                        `json:"version"`
	Event   *event                        `json:"event,omitempty"`   // if the pod could not be prepared
	Waiting *corev1.ContainerStateWaiting `json:"waiting,omitempty"` // if the container could not be configured
	Pod     *corev1.Pod                   `json:"pod"`
	Claims  []*resourceapi.ResourceClaim  `json:"claims"`
}

type event struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// scene is what a case acts on.
type scene struct {
	ctx      context.Context
	release  Release
	kubelet  Kubelet
	server   *server
	driver   *driver
	folder   string // of the kubelet's state
	socket   string // of the driver
	pod      *corev1.Pod
	claims   []*resourceapi.ResourceClaim
	stopping func()
	failing  error // of the test itself
}

// register makes the driver known. Without a server at the socket nothing answers there.
func (s *scene) register(answers bool, timeout time.Duration) error {
	if answers {
		stop, err := s.driver.serve(s.socket)
		if err != nil {
			return err
		}
		s.stopping = stop
	}
	return s.kubelet.Register(s.ctx, driverName, s.socket, []string{drapb.DRAPluginService}, &timeout)
}

// Main runs all cases. Its arguments are what the release writes around errors, in functions that cannot be called
// without the rest of a kubelet: the format of the event's message, and the reason of a container that waits.
func Main(release Release) {
	if len(os.Args) != 3 {
		log.Fatal("usage: oracle FORMAT REASON")
	}
	out := json.NewEncoder(os.Stdout)
	for _, c := range cases {
		result, err := run(release, c)
		if err != nil {
			log.Fatalf("%s: %v", c.name, err)
		}
		if err := out.Encode(result); err != nil {
			log.Fatal(err)
		}
	}
}

func run(release Release, c testCase) (*said, error) {
	folder, err := os.MkdirTemp("", "kubelet")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &scene{
		ctx: ctx, release: release, server: &server{}, driver: &driver{uid: release.UID}, stopping: func() {},
		folder: filepath.Join(folder, "state"), socket: filepath.Join(folder, "dra.sock"),
	}
	if err := os.Mkdir(s.folder, 0o700); err != nil {
		return nil, err
	}
	web := httptest.NewServer(s.server)
	defer web.Close()
	client, err := kubernetes.NewForConfig(&rest.Config{Host: web.URL})
	if err != nil {
		return nil, err
	}
	if s.kubelet, err = release.New(ctx, client, s.folder); err != nil {
		return nil, err
	}
	claim := newClaim("gpu-claim", "claim-uid")
	s.pod, s.claims = newPod(claim.Name), []*resourceapi.ResourceClaim{claim}
	s.server.set(s.claims...)
	prepared, container, err := c.act(s)
	s.stopping()
	if err != nil {
		return nil, err
	}
	result := &said{Case: c.name, Version: release.Version, Pod: s.pod, Claims: s.claims}
	if prepared != nil {
		result.Event = &event{Reason: release.Reason, Message: fmt.Sprintf(os.Args[1], prepared)}
	}
	if container != nil {
		result.Waiting = &corev1.ContainerStateWaiting{Reason: os.Args[2], Message: container.Error()}
	}
	return result, nil
}

package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
	"kubectl-dra/tests/cluster/harness"
)

const (
	nodes          = 5000
	devicesPerNode = 8
	pageSize       = 500 // what kubectl-dra asks for
)

// reader asks one plane as kubectl-dra, kubectl and curl do.
type reader struct {
	plane      *harness.Plane
	kubeconfig string
	ours       string
}

func newReader(t *testing.T) *reader {
	t.Helper()
	r := &reader{plane: harness.ForTest(t, harness.Options{}), ours: program(t, "KUBECTL_DRA_RELEASE")}
	// A slice for each node, with devices as a GPU driver publishes them.
	client := r.client(t)
	inParallel(t, nodes, func(ctx context.Context, i int) error {
		_, err := client.ResourceV1().ResourceSlices().Create(ctx, slice(i), metav1.CreateOptions{})
		return err
	})
	r.kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := r.plane.Kubeconfig(r.kubeconfig, harness.Admin); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *reader) run(t *testing.T, name string, args ...string) func() time.Duration {
	return func() time.Duration { return command(t, []string{"KUBECONFIG=" + r.kubeconfig}, name, args...) }
}

// curl reads all slices as kubectl-dra does: the same pages, in the same form.
func (r *reader) curl(t *testing.T, form string) func() time.Duration {
	return func() time.Duration {
		return average(1, func() {
			if err := curlPages(r.plane, form); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Reading 40,000 devices takes little longer than their bytes take to arrive, and little more memory than what is
// kept of them.
func TestReadsFortyThousandDevicesAsFastAsTheWire(t *testing.T) {
	r := newReader(t)
	hold(t, "devices against curl, protobuf", 5, 1.25, inTurn(r.run(t, r.ours, "devices"), r.curl(t, asProtobuf)))
	hold(t, "slices against kubectl's table", 5, 1, inTurn(r.run(t, r.ours, "slices"),
		r.run(t, program(t, "KUBECTL_DRA_KUBECTL"), "get", "resourceslices")))
	hold(t, "slices -o json against curl, JSON", 5, 1.3, inTurn(r.run(t, r.ours, "slices", "-o", "json"), r.curl(t, asJSON)))
	for _, args := range [][]string{{"devices"}, {"slices"}, {"slices", "-o", "json"}, {"slices", "-o", "yaml"}} {
		memory(t, 100, []string{"KUBECONFIG=" + r.kubeconfig}, r.ours, args...)
	}
	answersAsFastAsTheWire(t, r)
	pagesAreAsFast(t, r)
}

func (r *reader) client(t *testing.T) kubernetes.Interface {
	t.Helper()
	config, err := r.plane.RESTConfig(harness.Admin)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Burst = -1, -1
	return kubernetes.NewForConfigOrDie(config)
}

// inParallel does something for each of a count of numbers.
func inParallel(t *testing.T, count int, do func(context.Context, int) error) {
	t.Helper()
	work, failures := make(chan int), make(chan error, count)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for i := range work {
				if err := do(context.Background(), i); err != nil {
					failures <- err
				}
			}
		})
	}
	for i := range count {
		work <- i
	}
	close(work)
	workers.Wait()
	close(failures)
	for err := range failures {
		t.Fatal(err)
	}
}

func nodeName(i int) string { return fmt.Sprintf("gke-gpu-pool-7e1d55aa-%05d", i) }

func slice(i int) *resourceapi.ResourceSlice {
	node := nodeName(i)
	devices := make([]resourceapi.Device, devicesPerNode)
	for d := range devices {
		devices[d] = device(i, d)
	}
	return &resourceapi.ResourceSlice{
		ObjectMeta: metav1.ObjectMeta{Name: "00000-gpu.nvidia.com-" + node},
		Spec: resourceapi.ResourceSliceSpec{
			Driver:   "gpu.nvidia.com",
			Pool:     resourceapi.ResourcePool{Name: node, Generation: 1, ResourceSliceCount: 1},
			NodeName: &node,
			Devices:  devices,
		},
	}
}

// device has twelve attributes and a capacity.
func device(i, d int) resourceapi.Device {
	text := func(s string) resourceapi.DeviceAttribute { return resourceapi.DeviceAttribute{StringValue: &s} }
	version := func(s string) resourceapi.DeviceAttribute { return resourceapi.DeviceAttribute{VersionValue: &s} }
	return resourceapi.Device{
		Name: fmt.Sprintf("gpu-%d", d),
		Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
			"addressingMode":                  text("HMM"),
			"architecture":                    text("Ampere"),
			"brand":                           text("Nvidia"),
			"cudaComputeCapability":           version("8.0.0"),
			"cudaDriverVersion":               version("13.0.0"),
			"driverVersion":                   version("580.126.20"),
			"index":                           {IntValue: ptr.To(int64(d))},
			"productName":                     text("NVIDIA A100-SXM4-80GB"),
			"resource.kubernetes.io/pcieRoot": text(fmt.Sprintf("pci0000:%02x", d)),
			"resource.kubernetes.io/pciBusID": text(fmt.Sprintf("0000:%02x:00.0", d)),
			"type":                            text("gpu"),
			"uuid":                            text(fmt.Sprintf("GPU-%08x-%04x-a63d-ac3f-8c242831ac09", i, d)),
		},
		Capacity: map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{
			"memory": {Value: resource.MustParse("80Gi")},
		},
	}
}

// Forms in which a server sends lists.
const (
	asJSON     = "application/json"
	asProtobuf = "application/vnd.kubernetes.protobuf"
)

// curlPages reads the slices page after page, as the continue token demands.
func curlPages(plane *harness.Plane, form string) error {
	body, err := os.CreateTemp("", "page")
	if err != nil {
		return err
	}
	defer os.Remove(body.Name())
	next := ""
	for {
		query := fmt.Sprintf("%s/apis/resource.k8s.io/v1/resourceslices?limit=%d", plane.URL, pageSize)
		if next != "" {
			query += "&continue=" + url.QueryEscape(next)
		}
		command := exec.Command("curl", "-sSf", "--noproxy", "*", "--cacert", plane.CAFile, "-H", "Authorization: Bearer "+plane.AdminToken,
			"-H", "Accept: "+form, "-o", body.Name(), query)
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		if next, err = continueToken(body.Name(), form); err != nil || next == "" {
			return err
		}
	}
}

// continueToken reads only the head of a page, where the server puts the token, so that the time measured
// is the transfer's.
func continueToken(path, form string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if form == asProtobuf {
		return tokenOfMessage(file)
	}
	decoder := json.NewDecoder(file)
	for {
		token, err := decoder.Token()
		if err != nil {
			return "", err
		}
		if token != "metadata" {
			continue
		}
		var meta struct{ Continue string }
		err = decoder.Decode(&meta)
		return meta.Continue, err
	}
}

// tokenOfMessage reads the metadata of a list in Kubernetes' envelope: the fields 1 (metadata) of 2 (the list) behind four
// bytes, and in it 3 (continue).
func tokenOfMessage(page io.Reader) (string, error) {
	head := make([]byte, 4096)
	n, err := io.ReadFull(page, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	list, err := behindTag(head[min(4, n):n], 2)
	if err != nil {
		return "", err
	}
	_, size := protowire.ConsumeVarint(list)
	meta, err := behindTag(list[max(size, 0):], 1)
	if err != nil {
		return "", err
	}
	fields, size := protowire.ConsumeBytes(meta)
	if size < 0 {
		return "", protowire.ParseError(size)
	}
	token, err := behindTag(fields, 3)
	if err != nil || len(token) == 0 {
		return "", err
	}
	text, size := protowire.ConsumeBytes(token)
	return string(text), protowire.ParseError(min(size, 0))
}

// behindTag returns what stands behind the tag of a field; nothing if the message has none.
func behindTag(message []byte, want protowire.Number) ([]byte, error) {
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return nil, protowire.ParseError(size)
		}
		if number == want {
			return message[size:], nil
		}
		value := protowire.ConsumeFieldValue(number, kind, message[size:])
		if value < 0 {
			return nil, protowire.ParseError(value)
		}
		message = message[size+value:]
	}
	return nil, nil
}

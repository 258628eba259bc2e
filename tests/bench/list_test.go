package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

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

// Listing 40,000 devices takes little longer than their bytes take to arrive.
func TestListsFortyThousandDevicesAsFastAsTheWire(t *testing.T) {
	ours := program(t, "KUBECTL_DRA_RELEASE")
	plane := harness.ForTest(t, harness.Options{})
	fill(t, plane)
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := plane.Kubeconfig(kubeconfig, harness.Admin); err != nil {
		t.Fatal(err)
	}
	hold(t, "devices against curl", 5, 2.5, inTurn(
		func() time.Duration { return command(t, []string{"KUBECONFIG=" + kubeconfig}, ours, "devices") },
		func() time.Duration {
			return average(1, func() {
				if err := curlPages(plane); err != nil {
					t.Fatal(err)
				}
			})
		}))
}

// fill creates one slice for each node, with devices as a GPU driver publishes them.
func fill(t *testing.T, plane *harness.Plane) {
	t.Helper()
	config, err := plane.RESTConfig(harness.Admin)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Burst = -1, -1
	client := kubernetes.NewForConfigOrDie(config)
	work, failures := make(chan int), make(chan error, nodes)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for i := range work {
				if _, err := client.ResourceV1().ResourceSlices().Create(context.Background(), slice(i), metav1.CreateOptions{}); err != nil {
					failures <- err
				}
			}
		})
	}
	for i := range nodes {
		work <- i
	}
	close(work)
	workers.Wait()
	close(failures)
	for err := range failures {
		t.Fatal(err)
	}
}

func slice(i int) *resourceapi.ResourceSlice {
	node := fmt.Sprintf("gke-gpu-pool-7e1d55aa-%05d", i)
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

// curlPages reads the same slices with the same query, page after page, as the continue token demands.
func curlPages(plane *harness.Plane) error {
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
		command := exec.Command("curl", "-sSf", "--noproxy", "*", "--cacert", plane.CAFile, "-H", "Authorization: Bearer "+plane.AdminToken, "-o", body.Name(), query)
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		if next, err = continueToken(body.Name()); err != nil || next == "" {
			return err
		}
	}
}

// continueToken reads only the head of a page, where the server puts the token, so that the time measured
// is the transfer's.
func continueToken(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
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

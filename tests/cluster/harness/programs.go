// This file is about the command line of each program of a plane, and how to tell that it is ready.

package harness

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
)

// controllers are those that act on claims and on what owns pods, the one that fills the roles view,
// edit and admin, the one that counts the devices of pools, which needs the gate
// DRAResourcePoolStatus, and the one that counts what quotas limit. The node lifecycle controller is left out: without kubelets it would taint
// every node.
var controllers = []string{
	"clusterrole-aggregation-controller",
	"daemonset-controller",
	"deployment-controller",
	"device-taint-eviction-controller",
	"garbage-collector-controller",
	"job-controller",
	"namespace-controller",
	"replicaset-controller",
	"resourceclaim-controller",
	"resourcepoolstatusrequest-controller",
	"resourcequota-controller",
	"statefulset-controller",
}

func (p *Plane) startEtcd(ctx context.Context) error {
	name, err := randomHex(8) // also what the member calls itself, to tell it from other planes'
	if err != nil {
		return err
	}
	url := func(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }
	ports, err := p.launch(ctx, "etcd", 2, func(ports []int) []string {
		client, peer := url(ports[0]), url(ports[1])
		return []string{
			"--name=" + name,
			"--data-dir=" + p.path("etcd"),
			"--listen-client-urls=" + client,
			"--advertise-client-urls=" + client,
			"--listen-peer-urls=" + peer,
			"--initial-advertise-peer-urls=" + peer,
			"--initial-cluster=" + name + "=" + peer,
			"--unsafe-no-fsync",
			"--log-level=warn",
		}
	}, func(ctx context.Context, ports []int) error { return etcdReady(ctx, url(ports[0]), name) })
	if err != nil {
		return err
	}
	p.etcdURL = url(ports[0])
	return nil
}

// etcdReady asks who the members are, which only a member with a leader answers. The name is
// compared because another plane's etcd may have taken the port and would answer as well.
func etcdReady(ctx context.Context, url, name string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v3/cluster/member/list", strings.NewReader("{}"))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var list struct{ Members []struct{ Name string } }
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
		return fmt.Errorf("%s: %w", response.Status, err)
	}
	if len(list.Members) != 1 || list.Members[0].Name != name {
		return fmt.Errorf("%s: members %v instead of %s", response.Status, list.Members, name)
	}
	return nil
}

func (p *Plane) startAPIServer(ctx context.Context) error {
	runtimeConfig, err := p.options.Serve.runtimeConfig()
	if err != nil {
		return err
	}
	p.CAFile = p.path(serverCACert)
	if p.ca, err = os.ReadFile(p.CAFile); err != nil {
		return err
	}
	ports, err := p.launch(ctx, "kube-apiserver", 1, func(ports []int) []string {
		args := []string{
			"--etcd-servers=" + p.etcdURL,
			"--bind-address=127.0.0.1",
			"--advertise-address=127.0.0.1",
			fmt.Sprintf("--secure-port=%d", ports[0]),
			"--tls-cert-file=" + p.path(apiServerCert),
			"--tls-private-key-file=" + p.path(apiServerKey),
			"--client-ca-file=" + p.path(clientCACert),
			"--token-auth-file=" + p.path(tokensName),
			"--authorization-mode=RBAC",
			"--service-account-issuer=https://kubernetes.default.svc",
			"--service-account-key-file=" + p.path(serviceAccountKey),
			"--service-account-signing-key-file=" + p.path(serviceAccountKey),
			"--service-cluster-ip-range=10.96.0.0/24",
			// Nobody makes the service accounts that this plugin wants pods to have.
			"--disable-admission-plugins=ServiceAccount",
			// The endpoint of the service "kubernetes" must not be a loopback address, ours is.
			"--endpoint-reconciler-type=none",
		}
		if runtimeConfig != "" {
			args = append(args, "--runtime-config="+runtimeConfig)
		}
		return append(args, p.featureGates()...)
	}, func(ctx context.Context, ports []int) error {
		url := fmt.Sprintf("https://127.0.0.1:%d", ports[0])
		if err := probe(ctx, url+"/readyz", p.ca, p.AdminToken); err != nil {
			return err
		}
		// The server makes the system's namespaces once it is ready, this one last.
		return probe(ctx, url+"/api/v1/namespaces/default", p.ca, p.AdminToken)
	})
	if err != nil {
		return err
	}
	p.URL = fmt.Sprintf("https://127.0.0.1:%d", ports[0])
	return nil
}

func (p *Plane) startScheduler(ctx context.Context, kubeconfig string) error {
	return p.startClient(ctx, "kube-scheduler", "/readyz", kubeconfig)
}

func (p *Plane) startControllers(ctx context.Context, kubeconfig string) error {
	return p.startClient(ctx, "kube-controller-manager", "/healthz", kubeconfig,
		"--controllers="+strings.Join(controllers, ","))
}

// startClient starts a program that works through the API server. The limits on requests are raised
// for tests to see results soon.
func (p *Plane) startClient(ctx context.Context, name, ready, kubeconfig string, more ...string) error {
	ca, err := os.ReadFile(p.path(clientCACert))
	if err != nil {
		return err
	}
	_, err = p.launch(ctx, name, 1, func(ports []int) []string {
		args := []string{
			"--kubeconfig=" + kubeconfig,
			"--bind-address=127.0.0.1",
			fmt.Sprintf("--secure-port=%d", ports[0]),
			"--tls-cert-file=" + p.path(servingCert),
			"--tls-private-key-file=" + p.path(servingKey),
			"--leader-elect=false",
			"--kube-api-qps=1000",
			"--kube-api-burst=1000",
		}
		return append(append(args, more...), p.featureGates()...)
	}, func(ctx context.Context, ports []int) error {
		return probe(ctx, fmt.Sprintf("https://127.0.0.1:%d%s", ports[0], ready), ca, "")
	})
	return err
}

func (p *Plane) featureGates() []string {
	if len(p.options.FeatureGates) == 0 {
		return nil
	}
	var gates []string
	for _, name := range slices.Sorted(maps.Keys(p.options.FeatureGates)) {
		gates = append(gates, fmt.Sprintf("%s=%t", name, p.options.FeatureGates[name]))
	}
	return []string{"--feature-gates=" + strings.Join(gates, ",")}
}

// probe asks for url with a bearer token, if there is one. It must be served with a certificate of ca:
// another plane's program, which may have taken the port, has no such certificate.
func probe(ctx context.Context, url string, ca []byte, token string) error {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(response.Body) // lists what is not ready
		return fmt.Errorf("%s: %s", response.Status, body)
	}
	return nil
}

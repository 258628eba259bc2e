// This file is about a server that stands before the plane and writes down how it is asked, so that
// requests of two programs can be compared.

package agree_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kubectl-dra/tests/cluster/harness"
)

// relayName is a name that the relay's certificate has. No resolver knows it, so that only a proxy can
// lead there.
const relayName = "relay.example.com"

// pair is a certificate and its key, as PEM.
type pair struct{ cert, key []byte }

// authority signs what the relays of all tests need; it vouches for servers and clients alike.
var authority = sync.OnceValue(newRelayAuthority)

type relayAuthority struct {
	pair
	serving tls.Certificate
	clients map[string]pair // by common name
	pool    *x509.CertPool
}

func newRelayAuthority() *relayAuthority {
	root := &x509.Certificate{Subject: pkix.Name{CommonName: "relay-ca"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign}
	own, rootKey := sign(root, root, nil)
	a := &relayAuthority{pair: own, clients: map[string]pair{}, pool: x509.NewCertPool()}
	a.pool.AppendCertsFromPEM(own.cert)
	serving, _ := sign(&x509.Certificate{Subject: pkix.Name{CommonName: "relay"},
		DNSNames:    []string{relayName, "other.example.com"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4zero},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, root, rootKey)
	var err error
	if a.serving, err = tls.X509KeyPair(serving.cert, serving.key); err != nil {
		panic(err)
	}
	for _, name := range []string{"first", "second"} {
		a.clients[name], _ = sign(&x509.Certificate{Subject: pkix.Name{CommonName: name},
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, root, rootKey)
	}
	return a
}

// sign completes a certificate, which may be its own parent.
func sign(cert, parent *x509.Certificate, parentKey *ecdsa.PrivateKey) (pair, *ecdsa.PrivateKey) {
	must := func(err error) {
		if err != nil {
			panic(err) // no input of ours can be the reason
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	cert.SerialNumber, err = rand.Int(rand.Reader, big.NewInt(1<<62))
	must(err)
	cert.NotBefore, cert.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	if parentKey == nil {
		parentKey = key
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, parent, key.Public(), parentKey)
	must(err)
	private, err := x509.MarshalECPrivateKey(key)
	must(err)
	encode := func(kind string, bytes []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes})
	}
	return pair{encode("CERTIFICATE", der), encode("EC PRIVATE KEY", private)}, key
}

// asked is one request as the relay saw it.
type asked struct {
	way         string // how it came: empty, or what the proxy between saw
	name        string // which name the client expects the server to have (SNI)
	certificate string // the common name of the client's certificate
	method      string
	path        string
	query       url.Values
	header      http.Header
}

// relay is a server that hands requests on to a plane. Who has a certificate of the relay's authority
// and no token acts as the plane's admin: the plane itself knows nothing of that authority.
type relay struct {
	Address string // of the TLS server: host and port
	Plain   string // of the same without TLS

	prefix string // of every path; the plane does not see it
	refuse func(*http.Request) bool
	mutex  sync.Mutex
	tape   []asked
	ways   map[string]string // of connections from proxies, by remote address
}

// newRelay starts a relay that ends with the test.
func newRelay(t *testing.T, c *cluster) *relay {
	t.Helper()
	config, err := c.RESTConfig(harness.Admin)
	if err != nil {
		t.Fatal(err)
	}
	plane, err := url.Parse(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(config.CAData)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableCompression: true}
	r := &relay{ways: map[string]string{}}
	forward := &httputil.ReverseProxy{Transport: transport, Rewrite: func(p *httputil.ProxyRequest) {
		p.SetURL(plane)
		p.Out.URL.Path = strings.TrimPrefix(p.In.URL.Path, r.prefix)
		p.Out.URL.RawPath = strings.TrimPrefix(p.In.URL.RawPath, r.prefix)
		if r.commonName(p.In) != "" && p.In.Header.Get("Authorization") == "" {
			p.Out.Header.Set("Authorization", "Bearer "+config.BearerToken)
		}
	}}
	handler := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.record(request)
		if r.refuse != nil && r.refuse(request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}`)
			return
		}
		forward.ServeHTTP(w, request)
	})
	r.Address = serve(t, handler, &tls.Config{Certificates: []tls.Certificate{authority().serving},
		ClientAuth: tls.RequestClientCert, NextProtos: []string{"h2", "http/1.1"}})
	r.Plain = serve(t, handler, nil)
	t.Cleanup(transport.CloseIdleConnections)
	return r
}

// serve starts an HTTP server, with TLS if it is configured, and returns its address.
func serve(t *testing.T, handler http.Handler, config *tls.Config) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler, TLSConfig: config, ErrorLog: quietLog}
	go func() {
		if config == nil {
			server.Serve(listener)
		} else {
			server.ServeTLS(listener, "", "")
		}
	}()
	t.Cleanup(func() { server.Close() })
	return listener.Addr().String()
}

// port returns the port of an address.
func port(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// commonName returns that of the client's certificate, if it has one that the authority signed.
func (r *relay) commonName(request *http.Request) string {
	if request.TLS == nil || len(request.TLS.PeerCertificates) == 0 {
		return ""
	}
	leaf := request.TLS.PeerCertificates[0]
	options := x509.VerifyOptions{Roots: authority().pool, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	if _, err := leaf.Verify(options); err != nil {
		return ""
	}
	return leaf.Subject.CommonName
}

func (r *relay) record(request *http.Request) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	entry := asked{way: r.ways[request.RemoteAddr], certificate: r.commonName(request), method: request.Method,
		path: request.URL.EscapedPath(), query: request.URL.Query(), header: request.Header.Clone()}
	if request.TLS != nil {
		entry.name = request.TLS.ServerName
	} else if entry.way == "" {
		entry.way = "no TLS"
	}
	r.tape = append(r.tape, entry)
}

// cameBy notes how a connection reached the relay, which sees of it only where it comes from.
func (r *relay) cameBy(connection net.Conn, way string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.ways[connection.LocalAddr().String()] = way
}

// rewind returns what was recorded, and begins anew.
func (r *relay) rewind() []asked {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	tape := r.tape
	r.tape = nil
	return tape
}

// objects are the requests for objects, each as a line, in order and without those that are said twice.
func objects(tape []asked, prefix string) []string {
	var lines []string
	for _, entry := range tape {
		// If an object is not there, kubectl looks whether its namespace is.
		if plural := entry.resource(prefix); plural != "" && plural != "namespaces" {
			lines = append(lines, entry.String())
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// resource returns which resource a request is about, or nothing if it is discovery.
func (a asked) resource(prefix string) string {
	path, _ := strings.CutPrefix(a.path, prefix)
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		parts = parts[3:]
	default:
		return ""
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		parts = parts[2:]
	}
	return parts[0]
}

// String is what must be the same of two programs.
func (a asked) String() string {
	query := url.Values{}
	for name, values := range a.query {
		// The last is about tables that the server makes, which the plugin does itself.
		if !slices.Contains([]string{"continue", "resourceVersion", "resourceVersionMatch", "limit", "includeObject"}, name) {
			query[name] = values
		}
	}
	return fmt.Sprintf("%s %s?%s %s", a.method, a.path, query.Encode(), a.client())
}

// clients are the clients of all requests, each once.
func clients(tape []asked) []string {
	var lines []string
	for _, entry := range tape {
		lines = append(lines, entry.client())
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// client is who asked, and how.
func (a asked) client() string {
	line := fmt.Sprintf("authorization=%q", a.header.Values("Authorization"))
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		if strings.HasPrefix(name, "Impersonate-") {
			line += fmt.Sprintf(" %s=%q", name, a.header.Values(name))
		}
	}
	return line + fmt.Sprintf(" name=%q certificate=%q way=%q", a.name, a.certificate, a.way)
}

// compressed tells whether the answer may be compressed.
func (a asked) compressed() bool { return strings.Contains(a.header.Get("Accept-Encoding"), "gzip") }

// This file is about the keys, certificates and tokens of a plane. Each plane makes its own.

package harness

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"strings"
	"time"
)

// Files in the directory of a plane. The CA of the API server's certificate is another than the one for clients, as in a
// user's cluster. A key that the server made itself would be for RSA: a quarter of a second at each start, and a
// millisecond for each connection.
const (
	serverCACert      = "server-ca.crt"
	apiServerCert     = "apiserver.crt"
	apiServerKey      = "apiserver.key"
	clientCACert      = "client-ca.crt"
	adminCert         = "admin.crt"
	adminKey          = "admin.key"
	servingCert       = "serving.crt"
	servingKey        = "serving.key"
	serviceAccountKey = "service-account.key"
	tokensName        = "tokens.csv"
)

func (p *Plane) writeCredentials() error {
	if err := p.writeTokens(); err != nil {
		return err
	}
	if _, err := p.newKey(serviceAccountKey); err != nil {
		return err
	}
	if err := p.writeServerCert(); err != nil {
		return err
	}
	authority, err := p.newAuthority(clientCACert)
	if err != nil {
		return err
	}
	key, err := p.newKey(adminKey)
	if err != nil {
		return err
	}
	if err := p.writeCert(adminCert, &x509.Certificate{
		Subject:     pkix.Name{CommonName: AdminCert, Organization: []string{mastersGroup}},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, authority, key); err != nil {
		return err
	}
	if key, err = p.newKey(servingKey); err != nil {
		return err
	}
	return p.writeCert(servingCert, &x509.Certificate{
		Subject:     pkix.Name{CommonName: "localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, authority, key)
}

// writeServerCert writes the certificate of the API server, for the names by which pods know it, too.
func (p *Plane) writeServerCert() error {
	authority, err := p.newAuthority(serverCACert)
	if err != nil {
		return err
	}
	key, err := p.newKey(apiServerKey)
	if err != nil {
		return err
	}
	return p.writeCert(apiServerCert, &x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, authority, key)
}

// authority is a certificate authority. Its key is never written.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// newAuthority writes the certificate of a new authority to the file.
func (p *Plane) newAuthority(file string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	ca := &authority{key: key, cert: &x509.Certificate{
		Subject:               pkix.Name{CommonName: "plane-" + strings.TrimSuffix(file, ".crt")},
		IsCA:                  true,
		BasicConstraintsValid: true,
	}}
	return ca, p.writeCert(file, ca.cert, ca, key)
}

// writeCert completes the certificate, lets ca sign it (which may be the certificate itself) and
// writes it to the file.
func (p *Plane) writeCert(file string, cert *x509.Certificate, ca *authority, key *ecdsa.PrivateKey) error {
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return err
	}
	cert.SerialNumber = serial
	cert.NotBefore = time.Now().Add(-time.Hour) // for clocks that differ
	cert.NotAfter = cert.NotBefore.Add(30 * 24 * time.Hour)
	cert.KeyUsage = x509.KeyUsageDigitalSignature
	if cert.IsCA {
		cert.KeyUsage = x509.KeyUsageCertSign
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, ca.cert, key.Public(), ca.key)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return p.writePEM(file, "CERTIFICATE", der)
}

func (p *Plane) newKey(file string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, p.writePEM(file, "EC PRIVATE KEY", der)
}

func (p *Plane) writePEM(file, kind string, der []byte) error {
	return os.WriteFile(p.path(file), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}

// writeTokens makes a token for each user and writes the API server's list of them.
func (p *Plane) writeTokens() error {
	p.Tokens = map[string]string{}
	var list string
	for _, user := range append([]string{Admin}, Users...) {
		token, err := randomHex(16)
		if err != nil {
			return err
		}
		group := ""
		if user == Admin {
			group = mastersGroup
		}
		p.Tokens[user] = token
		list += fmt.Sprintf("%s,%s,%s,%q\n", token, user, user, group)
	}
	p.AdminToken = p.Tokens[Admin]
	return os.WriteFile(p.path(tokensName), []byte(list), 0o600)
}

func randomHex(bytes int) (string, error) {
	buffer := make([]byte, bytes)
	if _, err := rand.Read(buffer); err != nil {
		return "", err
	}
	return hex.EncodeToString(buffer), nil
}

// This file is about who a test can be towards a plane, and the configuration it then needs.

package harness

import (
	"fmt"
	"os"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

const (
	Admin     = "admin"      // may do everything; authenticates with a token
	AdminCert = "admin-cert" // may do everything; authenticates with a client certificate

	mastersGroup = "system:masters"
)

// Users authenticate with tokens and may do no more than anyone who is authenticated: discovery, and
// reviews of their own access. Tests give them what they need by role bindings.
var Users = []string{"alice", "bob", "carol"}

// RESTConfig is for client-go to act as user. It does not limit the rate of requests.
func (p *Plane) RESTConfig(user string) (*rest.Config, error) {
	config := &rest.Config{Host: p.URL, QPS: -1, TLSClientConfig: rest.TLSClientConfig{CAData: p.ca}}
	if user == AdminCert {
		config.CertFile, config.KeyFile = p.path(adminCert), p.path(adminKey)
		return config, nil
	}
	token, known := p.Tokens[user]
	if !known {
		return nil, unknownUser(user)
	}
	config.BearerToken = token
	return config, nil
}

// Kubeconfig writes a kubeconfig that acts as user. It holds all data itself and names no file, so it
// stays usable wherever it is copied, as long as the plane runs.
func (p *Plane) Kubeconfig(path, user string) error {
	auth := &api.AuthInfo{Token: p.Tokens[user]}
	if user == AdminCert {
		var err error
		if auth.ClientCertificateData, err = os.ReadFile(p.path(adminCert)); err != nil {
			return err
		}
		if auth.ClientKeyData, err = os.ReadFile(p.path(adminKey)); err != nil {
			return err
		}
	} else if auth.Token == "" {
		return unknownUser(user)
	}
	const name = "plane"
	return clientcmd.WriteToFile(api.Config{
		CurrentContext: name,
		Clusters:       map[string]*api.Cluster{name: {Server: p.URL, CertificateAuthorityData: p.ca}},
		AuthInfos:      map[string]*api.AuthInfo{user: auth},
		Contexts:       map[string]*api.Context{name: {Cluster: name, AuthInfo: user}},
	}, path)
}

func unknownUser(user string) error {
	return fmt.Errorf("the plane has no user %q: it has %s, %s and %v", user, Admin, AdminCert, Users)
}

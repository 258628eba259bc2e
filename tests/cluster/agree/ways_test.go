// This file is about the way to the server: proxies, and whether answers may be compressed.

package agree_test

import (
	"slices"
	"testing"
)

// byProxy is a trial whose kubeconfig has a proxy of that scheme. The target is the host that is asked for;
// loopback addresses are proxied too if the kubeconfig says so.
func byProxy(name, scheme, login, target string) trial {
	return trial{name: name, set: func(s *setting) {
		s.setServer("https://" + s.host(target))
		s.server().ProxyURL = scheme + "://" + login + s.newProxy(scheme)
	}}
}

// newProxy starts a proxy of that kind.
func (s *setting) newProxy(scheme string) string {
	if scheme == "socks5" {
		return newSOCKS(s.T, s.relay)
	}
	return newHTTPProxy(s.T, s.relay, scheme)
}

// byVariable is a trial in which variables name a proxy, as $PROXY. They count for no loopback address,
// which 0.0.0.0 is not.
func byVariable(name, target string, fails bool, variables ...string) trial {
	return trial{name: name, fails: fails, set: func(s *setting) {
		s.setServer("https://" + s.host(target))
		for i := 0; i < len(variables); i += 2 {
			s.env[variables[i]] = variables[i+1]
		}
		s.proxy = newHTTPProxy(s.T, s.relay, "http")
	}}
}

// wayTrials are about proxies.
var wayTrials = []trial{
	byProxy("http", "http", "", "127.0.0.1"),
	byProxy("http by name", "http", "", relayName),
	byProxy("http with a password", "http", "some%20body:sec%3Aret@", relayName),
	byProxy("http with a user name", "http", "somebody@", relayName),
	byProxy("socks5", "socks5", "", "127.0.0.1"),
	byProxy("socks5 by name", "socks5", "", relayName),
	byProxy("socks5 with a password", "socks5", "somebody:secret@", relayName),
	{name: "https", set: func(s *setting) {
		s.server().ProxyURL = "https://" + s.newProxy("https")
		s.server().CertificateAuthorityData, s.server().InsecureSkipTLSVerify = nil, true
	}},
	{name: "https of an unknown authority", set: func(s *setting) {
		s.server().ProxyURL = "https://" + s.newProxy("https")
		s.server().TLSServerName = relayName
	}},
	{name: "nobody listens", set: func(s *setting) { s.server().ProxyURL = "http://127.0.0.1:1" }, fails: true},
	{name: "a scheme that nobody has", set: func(s *setting) { s.server().ProxyURL = "ftp://127.0.0.1:1" }, fails: true},
	{name: "socks4", set: func(s *setting) { s.server().ProxyURL = "socks4://127.0.0.1:1" }, fails: true},
	{name: "no scheme", set: func(s *setting) { s.server().ProxyURL = "127.0.0.1:1" }, fails: true},
	{name: "a server without TLS", set: func(s *setting) {
		s.setServer("http://" + s.relay.Plain)
		s.server().ProxyURL = "http://" + s.newProxy("http")
	}, fails: true},
	{name: "the kubeconfig counts more than variables", set: func(s *setting) {
		s.setServer("https://" + s.host(relayName))
		s.server().ProxyURL = "http://" + s.newProxy("http")
		s.env["HTTPS_PROXY"], s.env["NO_PROXY"] = "http://127.0.0.1:1", "*"
	}},
	{name: "a flag changes the server, not the proxy", set: func(s *setting) {
		s.setServer("https://127.0.0.1:1")
		s.server().ProxyURL = "http://" + s.newProxy("http")
	}, args: []string{"--server=$SERVER"}},
	byVariable("HTTPS_PROXY", relayName, false, "HTTPS_PROXY", "http://$PROXY"),
	byVariable("https_proxy", relayName, false, "https_proxy", "http://$PROXY"),
	byVariable("upper case counts more", relayName, false, "HTTPS_PROXY", "http://$PROXY", "https_proxy", "http://127.0.0.1:1"),
	byVariable("without a scheme", relayName, false, "HTTPS_PROXY", "$PROXY"),
	byVariable("with a password", relayName, false, "HTTPS_PROXY", "http://somebody:secret@$PROXY"),
	byVariable("HTTP_PROXY is for http", "0.0.0.0", false, "HTTP_PROXY", "http://$PROXY"),
	byVariable("ALL_PROXY is nothing", "0.0.0.0", false, "ALL_PROXY", "http://$PROXY"),
	byVariable("loopback", "127.0.0.1", false, "HTTPS_PROXY", "http://127.0.0.1:1"),
	byVariable("an address", "0.0.0.0", false, "HTTPS_PROXY", "http://$PROXY"),
	byVariable("a proxy where nobody listens", "0.0.0.0", true, "HTTPS_PROXY", "http://127.0.0.1:1"),
	byVariable("a proxy that is no address", "0.0.0.0", true, "HTTPS_PROXY", "http://a b"),
	byVariable("except everything", "0.0.0.0", false, "HTTPS_PROXY", "http://$PROXY", "NO_PROXY", "*"),
	byVariable("except this", "0.0.0.0", false, "HTTPS_PROXY", "http://$PROXY", "NO_PROXY", "example.org, 0.0.0.0"),
	byVariable("except this in lower case", "0.0.0.0", false, "HTTPS_PROXY", "http://$PROXY", "no_proxy", "0.0.0.0"),
	byVariable("except this port", "0.0.0.0", false, "HTTPS_PROXY", "http://$PROXY", "NO_PROXY", "0.0.0.0:$PORT"),
	byVariable("except another port", "0.0.0.0", false, "HTTPS_PROXY", "http://$PROXY", "NO_PROXY", "0.0.0.0:1"),
	byVariable("except this network", "0.0.0.0", false, "HTTPS_PROXY", "http://$PROXY", "NO_PROXY", "10.0.0.0/8,0.0.0.0/8"),
	byVariable("except another network", "0.0.0.0", false, "HTTPS_PROXY", "http://$PROXY", "NO_PROXY", "10.0.0.0/8"),
	byVariable("except part of a name", relayName, false, "HTTPS_PROXY", "http://$PROXY", "NO_PROXY", "lay.example.com"),
	byVariable("except names below this one", relayName, false, "HTTPS_PROXY", "http://$PROXY", "NO_PROXY", ".relay.example.com,relay.example.com:1"),
	byVariable("except another star", relayName, false, "HTTPS_PROXY", "http://$PROXY", "NO_PROXY", "*.example.org"),
	byVariable("in a CGI program", relayName, false, "HTTPS_PROXY", "http://$PROXY", "REQUEST_METHOD", "GET"),
}

// compareCompression asks a server that is not on the loopback interface by its address, as the plugin
// wants nothing compressed that costs no more than memory.
func compareCompression(t *testing.T, c *cluster) {
	for _, test := range []trial{
		{name: "by default"},
		{name: "disabled by the kubeconfig", set: func(s *setting) { s.server().DisableCompression = true }},
		{name: "disabled by a flag", args: []string{"--disable-compression"}},
		{name: "enabled by a flag", set: func(s *setting) { s.server().DisableCompression = true }, args: []string{"--disable-compression=false"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, c)
			s.setServer("https://" + s.host("0.0.0.0"))
			if test.set != nil {
				test.set(s)
			}
			s.writeConfig("kubeconfig", s.config)
			want, got := s.pair(test.args...)
			s.compare(want, got)
			for _, entry := range got.tape {
				same := slices.ContainsFunc(want.tape, func(other asked) bool { return other.compressed() == entry.compressed() })
				if entry.resource("") != "" && !same {
					t.Errorf("%s: compressed %v", entry, entry.compressed())
				}
			}
		})
	}
}

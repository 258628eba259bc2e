// This file is about proxies that lead to a relay, whatever address they are asked for.

package agree_test

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"
)

// quietLog is for servers whose clients are meant to break connections.
var quietLog = log.New(io.Discard, "", 0)

// listen serves connections with a function, until the test ends, and returns the address.
func listen(t *testing.T, config *tls.Config, handle func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if config != nil {
		listener = tls.NewListener(listener, config)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close()
				handle(connection)
			}()
		}
	}()
	return address
}

// newHTTPProxy starts a proxy that tunnels on CONNECT and forwards what is asked without TLS.
func newHTTPProxy(t *testing.T, r *relay, scheme string) string {
	t.Helper()
	var config *tls.Config
	if scheme == "https" {
		config = &tls.Config{Certificates: []tls.Certificate{authority().serving}}
	}
	return listen(t, config, func(client net.Conn) {
		reader := bufio.NewReader(client)
		request, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		way := fmt.Sprintf("%s proxy: %s %s", scheme, request.Method, request.URL.Host)
		if login := request.Header.Values("Proxy-Authorization"); login != nil {
			way += fmt.Sprintf(" as %q", login)
		}
		if leaked := request.Header.Values("Authorization"); leaked != nil && request.Method == http.MethodConnect {
			way += fmt.Sprintf(" which was told %q", leaked)
		}
		if request.Method == http.MethodConnect {
			if server := dial(r, r.Address, way); server != nil {
				fmt.Fprint(client, "HTTP/1.1 200 Connection established\r\n\r\n")
				pipe(client, reader, server)
			}
			return
		}
		if server := dial(r, r.Plain, way); server != nil {
			defer server.Close()
			request.Header.Del("Proxy-Connection")
			request.Header.Set("Connection", "close")
			request.Close = true
			if request.Write(server) == nil {
				io.Copy(client, server)
			}
		}
	})
}

// newSOCKS starts a SOCKS5 proxy (RFC 1928, and RFC 1929 for user names).
func newSOCKS(t *testing.T, r *relay) string {
	t.Helper()
	return listen(t, nil, func(client net.Conn) {
		reader := bufio.NewReader(client)
		login, err := socksLogin(reader, client)
		if err != nil {
			return
		}
		target, err := socksTarget(reader)
		if err != nil {
			return
		}
		if server := dial(r, r.Address, "socks5 proxy: "+target+login); server != nil {
			client.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
			pipe(client, reader, server)
		}
	})
}

// socksLogin lets a client in that has a name and a password, or neither.
func socksLogin(reader *bufio.Reader, client net.Conn) (string, error) {
	methods, err := readCounted(reader, 1) // after the version
	if err != nil {
		return "", err
	}
	if !strings.Contains(methods, "\x02") {
		_, err = client.Write([]byte{5, 0})
		return "", err
	}
	if _, err = client.Write([]byte{5, 2}); err != nil {
		return "", err
	}
	user, err := readCounted(reader, 1)
	if err != nil {
		return "", err
	}
	password, err := readCounted(reader, 0)
	if err != nil {
		return "", err
	}
	_, err = client.Write([]byte{1, 0})
	return fmt.Sprintf(" as %s:%s", user, password), err
}

// socksTarget reads where the client wants to be connected to.
func socksTarget(reader *bufio.Reader) (string, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(reader, head); err != nil {
		return "", err
	}
	var host string
	switch head[3] {
	case 3:
		name, err := readCounted(reader, 0)
		if err != nil {
			return "", err
		}
		host = "name " + name
	case 1, 4:
		address := make([]byte, map[byte]int{1: net.IPv4len, 4: net.IPv6len}[head[3]])
		if _, err := io.ReadFull(reader, address); err != nil {
			return "", err
		}
		host = "address " + net.IP(address).String()
	}
	var port uint16
	err := binary.Read(reader, binary.BigEndian, &port)
	return host, err
}

// readCounted skips some bytes, and reads as many as the next one says.
func readCounted(reader *bufio.Reader, skip int) (string, error) {
	if _, err := reader.Discard(skip); err != nil {
		return "", err
	}
	count, err := reader.ReadByte()
	if err != nil {
		return "", err
	}
	text := make([]byte, count)
	_, err = io.ReadFull(reader, text)
	return string(text), err
}

// dial connects to the relay and tells it which way the connection came.
func dial(r *relay, address, way string) net.Conn {
	server, err := net.Dial("tcp", address)
	if err != nil {
		return nil
	}
	r.cameBy(server, way)
	return server
}

// pipe carries bytes both ways until the client or the server has had enough.
func pipe(client net.Conn, fromClient io.Reader, server net.Conn) {
	go func() {
		io.Copy(server, fromClient)
		server.Close()
	}()
	io.Copy(client, server)
}

package mcp

import (
	"io"
	"net"
	"testing"
)

// silent is the address of a server that says nothing. It tells when the first client has come, and when that has gone.
func silent(t *testing.T) (address string, connected, released <-chan struct{}) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	came, gone := make(chan struct{}), make(chan struct{})
	go func() {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		close(came)
		io.Copy(io.Discard, client)
		close(gone)
	}()
	return "http://" + listener.Addr().String(), came, gone
}

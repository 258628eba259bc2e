// This file is about ways to read a list that kubectl-dra does not use.

package bench

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"testing"
	"time"
)

// How much longer pages may take. A list that may be stale is in the cache as it is sent, but its devices may be taken.
const (
	thanStale    = 2
	thanStreamed = 1.25
)

const listOfSlices = "/apis/resource.k8s.io/v1/resourceslices"

// pagesAreAsFast holds pages, as kubectl-dra reads them, against a list from the cache of the API server, which may be
// stale, and against a list that is streamed as events of a watch (WatchList). All are protobuf, and thrown away.
func pagesAreAsFast(t *testing.T, r *reader) {
	t.Helper()
	client := r.httpClient(t)
	timed := func(read func() error) func() time.Duration {
		return func() time.Duration {
			return average(1, func() {
				if err := read(); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
	pages := timed(func() error { return r.readPages(client) })
	stale := timed(func() error { return r.readUntil(client, listOfSlices+"?resourceVersion=0", "") })
	streamed := timed(func() error {
		return r.readUntil(client, listOfSlices+"?watch=true&sendInitialEvents=true"+
			"&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", "k8s.io/initial-events-end")
	})
	hold(t, "pages against a list that may be stale", 5, thanStale, inTurn(pages, stale))
	hold(t, "pages against WatchList", 5, thanStreamed, inTurn(pages, streamed))
}

func (r *reader) readPages(client *http.Client) error {
	for next := ""; ; {
		response, err := r.get(context.Background(), client, fmt.Sprintf("%s?limit=%d&continue=%s", listOfSlices, pageSize, url.QueryEscape(next)))
		if err != nil {
			return err
		}
		page, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			return err
		}
		if next, err = tokenOfMessage(bytes.NewReader(page)); err != nil || next == "" {
			return err
		}
	}
}

func (r *reader) httpClient(t *testing.T) *http.Client {
	t.Helper()
	ca, err := os.ReadFile(r.plane.CAFile)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
}

func (r *reader) get(ctx context.Context, client *http.Client, path string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.plane.URL+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.plane.AdminToken)
	request.Header.Set("Accept", asProtobuf)
	response, err := client.Do(request)
	if err == nil && response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, fmt.Errorf("%s: %s", path, response.Status)
	}
	return response, err
}

// readUntil reads an answer to its end, or until it has this text.
func (r *reader) readUntil(client *http.Client, path, until string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	response, err := r.get(ctx, client, path)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	buffer := make([]byte, 1<<16)
	kept := 0 // the end of what came before, in which the text may begin
	for {
		n, err := response.Body.Read(buffer[kept:])
		if until != "" && bytes.Contains(buffer[:kept+n], []byte(until)) {
			return nil
		}
		if err == io.EOF && until == "" {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		end := kept + n
		kept = min(end, max(len(until)-1, 0))
		copy(buffer, buffer[end-kept:end])
	}
}

package hostile

import (
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const anyList = `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"%s},"items":[%s]}`

// discovered are the answers to the questions that come before lists.
var discovered = map[string]string{
	"/version": `{"major":"1","minor":"34","gitVersion":"v1.34.0"}`,
	"/apis/resource.k8s.io": `{"kind":"APIGroup","apiVersion":"v1","name":"resource.k8s.io","versions":[{"groupVersion":"resource.k8s.io/v1","version":"v1"}],` +
		`"preferredVersion":{"groupVersion":"resource.k8s.io/v1","version":"v1"}}`,
	"/apis/resource.k8s.io/v1": `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"resource.k8s.io/v1","resources":[` +
		`{"name":"resourceclaims","namespaced":true,"kind":"ResourceClaim","verbs":["list"]},{"name":"resourceslices","kind":"ResourceSlice","verbs":["list"]},` +
		`{"name":"deviceclasses","kind":"DeviceClass","verbs":["list"]}]}`,
}

// serve answers questions for lists.
func serve(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if text, known := discovered[r.URL.Path]; known {
			fmt.Fprint(w, text)
			return
		}
		if r.URL.Query().Get("limit") == "" {
			http.NotFound(w, r)
			return
		}
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestBomb sends a gigabyte in a megabyte.
func TestBomb(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		zip, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		fmt.Fprint(zip, `{"kind":"List","apiVersion":"v1","x":"`)
		block := []byte(strings.Repeat("x", 1<<20))
		for range 1 << 10 {
			if _, err := zip.Write(block); err != nil {
				return
			}
		}
		fmt.Fprint(zip, `"}`)
		zip.Close()
	})
	refused(t, "exec $dra claims -A --server "+url, "KUBECTL_DRA_MAX_READ=")
}

// TestEndlessPages sends lists of which each page names another one.
func TestEndlessPages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		items int
		words string
		most  int64 // pages
	}{
		{"full", 500, "KUBECTL_DRA_MAX_READ=", 1000},
		{"all but empty", 1, "the server's list does not end", 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var pages atomic.Int64
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				page := pages.Add(1)
				list := each(c.items, func(i int) string {
					return fmt.Sprintf(`{"metadata":{"name":"c%d-%d","namespace":"d","uid":"%d-%d"},"spec":{}}`, page, i, page, i)
				})
				fmt.Fprintf(w, anyList, fmt.Sprintf(`,"continue":"t%d"`, page), list)
			})
			refused(t, "exec $dra claims -A --server "+url, c.words)
			if pages.Load() > c.most {
				t.Errorf("read %d pages", pages.Load())
			}
		})
	}
}

// TestDrip sends a byte now and then, so that no single wait is long.
func TestDrip(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"kind":"List",`)
		for r.Context().Err() == nil {
			fmt.Fprint(w, " ")
			w.(http.Flusher).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	})
	if result := refused(t, "exec $dra claims -A --request-timeout 2s --server "+url, "did not answer within 2000 ms"); result.took > 20*time.Second {
		t.Errorf("waited %v", result.took)
	}
}

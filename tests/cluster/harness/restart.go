// This file is about a control plane of which a program goes away and comes back.

package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

// RestartAPIServer ends the API server as a crash does and starts it again at its old address. In
// between, `meanwhile` is called, if it is not nil.
func (p *Plane) RestartAPIServer(ctx context.Context, meanwhile func() error) error {
	i := slices.IndexFunc(p.children, func(c *child) bool { return c.name == "kube-apiserver" })
	if i < 0 {
		return fmt.Errorf("there is no API server to restart")
	}
	p.children[i].kill()
	p.children = slices.Delete(p.children, i, i+1)
	if meanwhile != nil {
		if err := meanwhile(); err != nil {
			return err
		}
	}
	address, err := url.Parse(p.URL)
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(address.Port())
	if err != nil {
		return err
	}
	pick := p.pick
	defer func() { p.pick = pick }()
	p.pick = func(int) ([]int, error) { return []int{port}, nil }
	return p.startAPIServer(ctx)
}

// RestartScheduler ends the scheduler and starts another one, which then tries what waits in the order of its queue. In
// between, `meanwhile` is called.
func (p *Plane) RestartScheduler(ctx context.Context, meanwhile func() error) error {
	i := slices.IndexFunc(p.children, func(c *child) bool { return c.name == "kube-scheduler" })
	if i < 0 {
		return fmt.Errorf("there is no scheduler to restart")
	}
	p.children[i].kill()
	p.children = slices.Delete(p.children, i, i+1)
	if err := meanwhile(); err != nil {
		return err
	}
	return p.startScheduler(ctx, p.path("controllers.kubeconfig"))
}

// Compact makes etcd forget all versions but the newest of each object.
func (p *Plane) Compact(ctx context.Context) error {
	var answer struct {
		Header struct {
			Revision string `json:"revision"`
		} `json:"header"`
	}
	if err := p.askEtcd(ctx, "/v3/kv/range", map[string]any{"key": []byte("/")}, &answer); err != nil {
		return err
	}
	return p.askEtcd(ctx, "/v3/kv/compaction", map[string]any{"revision": answer.Header.Revision, "physical": true}, nil)
}

func (p *Plane) askEtcd(ctx context.Context, path string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.etcdURL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd: %s: %s: %s", path, response.Status, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

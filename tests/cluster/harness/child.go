// This file is about one program of a plane: starting it, knowing when it is ready, and saying why
// it is not.

package harness

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	pollInterval = 50 * time.Millisecond
	portAttempts = 5
	tailLines    = 15
)

// child is a running program whose output goes to a file.
type child struct {
	name   string
	log    string
	cmd    *exec.Cmd
	exited chan struct{} // closed once err is set
	err    error
}

// launch starts a program on free ports and waits until probe has no complaint. A free port is only
// known by having listened on it, and may be gone when the program wants it; then others are tried.
func (p *Plane) launch(ctx context.Context, name string, ports int, args func(ports []int) []string,
	probe func(ctx context.Context, ports []int) error) (chosen []int, err error) {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for range portAttempts {
		if chosen, err = p.pick(ports); err != nil {
			return nil, err
		}
		var c *child
		if c, err = startChild(p.options.Binary, name, p.path(name+".log"), args(chosen)); err != nil {
			return nil, err
		}
		if err = c.await(ctx, func() error { return probe(ctx, chosen) }); err == nil {
			p.children = append(p.children, c)
			return chosen, nil
		}
		c.kill()
		if !errors.Is(err, errPortTaken) {
			break
		}
	}
	return nil, err
}

func startChild(binary, name, log string, args []string) (*child, error) {
	output, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer output.Close() // the program has its own copy
	cmd := exec.Command(binary, append([]string{name}, args...)...)
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = dieWithParent()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c := &child{name: name, log: log, cmd: cmd, exited: make(chan struct{})}
	go func() {
		c.err = cmd.Wait()
		close(c.exited)
	}()
	return c, nil
}

var errPortTaken = errors.New("a port was taken in the meantime")

// await polls probe until it has no complaint, the program exits, or ctx is done.
func (c *child) await(ctx context.Context, probe func() error) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		complaint := probe()
		select {
		case <-c.exited: // first: another program may have answered the probe on our port
			if strings.Contains(c.tail(tailLines), "address already in use") {
				return fmt.Errorf("%s: %w", c.name, errPortTaken)
			}
			return fmt.Errorf("%s ended while starting: %v; the end of its log:\n%s", c.name, c.err, c.tail(tailLines))
		default:
		}
		if complaint == nil {
			return nil
		}
		select {
		case <-c.exited:
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w: %v; the end of its log:\n%s", c.name, ctx.Err(), complaint, c.tail(tailLines))
		}
	}
}

// kill does not ask first: whatever the program would still write is about to be removed.
func (c *child) kill() {
	_ = c.cmd.Process.Kill() // fails only if it has ended already
	<-c.exited
}

func (c *child) tail(lines int) string {
	text, err := os.ReadFile(c.log)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// freePorts returns ports of the loopback interface that nobody listens on at the moment.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close() // held until all are found, so that they differ
		ports[i] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

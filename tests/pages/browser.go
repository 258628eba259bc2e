// Package pages opens what -o html and -o svg write in a real browser: Chromium, without a window, by the DevTools
// protocol over a pair of pipes.
package pages

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long an answer of the browser may take.
const patience = time.Minute

// browser is one Chromium. Its tabs may be used from different goroutines.
type browser struct {
	to io.Writer

	mutex   sync.Mutex
	next    int
	waiting map[int]chan message
	tabs    map[string]*tab
}

type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// startBrowser starts one for the test; it ends with it.
func startBrowser(t *testing.T) *browser {
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("chromium is missing: run .ci/deps test")
	}
	theirInput, toThem, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromThem, theirOutput, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.ExtraFiles = []*os.File{theirInput, theirOutput}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	theirInput.Close()
	theirOutput.Close()
	b := &browser{to: toThem, waiting: map[int]chan message{}, tabs: map[string]*tab{}}
	go b.listen(fromThem)
	t.Cleanup(func() {
		toThem.Close()
		syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		command.Wait()
		os.RemoveAll(profile)
	})
	return b
}

// listen hands out what the browser says: answers to who asked, events to their tab.
func (b *browser) listen(from io.Reader) {
	reader := bufio.NewReader(from)
	for {
		text, err := reader.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m) != nil {
			continue
		}
		b.mutex.Lock()
		if answer := b.waiting[m.ID]; m.ID != 0 && answer != nil {
			delete(b.waiting, m.ID)
			answer <- m
		} else if tab := b.tabs[m.SessionID]; tab != nil {
			tab.note(m)
		}
		b.mutex.Unlock()
	}
}

// call asks and waits for the answer.
func (b *browser) call(session, method string, params, result any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer := make(chan message, 1)
	b.mutex.Lock()
	b.next++
	request, err := json.Marshal(message{ID: b.next, SessionID: session, Method: method, Params: text})
	b.waiting[b.next] = answer
	if err == nil {
		_, err = b.to.Write(append(request, 0))
	}
	b.mutex.Unlock()
	if err != nil {
		return err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-time.After(patience):
		return fmt.Errorf("%s: no answer", method)
	}
}

// tab shows one page, and keeps what it complains of and what it asks for.
type tab struct {
	browser    *browser
	session    string
	loaded     chan struct{}
	complaints []string
	requests   []string
}

type object = map[string]any

// open shows a page, of such a size and in light or dark, and waits until it is there.
func (b *browser) open(t *testing.T, url string, width int, scheme string) *tab {
	t.Helper()
	var target struct{ TargetID string }
	b.must(t, "", "Target.createTarget", object{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.must(t, "", "Target.attachToTarget", object{"targetId": target.TargetID, "flatten": true}, &attached)
	page := &tab{browser: b, session: attached.SessionID, loaded: make(chan struct{}, 1)}
	b.mutex.Lock()
	b.tabs[page.session] = page
	b.mutex.Unlock()
	t.Cleanup(func() { b.call("", "Target.closeTarget", object{"targetId": target.TargetID}, nil) })
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		page.must(t, domain+".enable", object{}, nil)
	}
	page.must(t, "Emulation.setDeviceMetricsOverride",
		object{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	page.must(t, "Emulation.setFocusEmulationEnabled", object{"enabled": true}, nil)
	page.must(t, "Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	page.must(t, "Page.navigate", object{"url": url}, nil)
	select {
	case <-page.loaded:
	case <-time.After(patience):
		t.Fatalf("%s: not loaded", url)
	}
	return page
}

// print has the page laid out as on paper.
func (p *tab) print(t *testing.T) {
	t.Helper()
	p.must(t, "Emulation.setEmulatedMedia", object{"media": "print"}, nil)
}

func (b *browser) must(t *testing.T, session, method string, params, result any) {
	t.Helper()
	if err := b.call(session, method, params, result); err != nil {
		t.Fatal(err)
	}
}

func (p *tab) must(t *testing.T, method string, params, result any) {
	t.Helper()
	p.browser.must(t, p.session, method, params, result)
}

// note keeps an event. The browser's lock is held.
func (p *tab) note(m message) {
	switch m.Method {
	case "Page.loadEventFired":
		p.loaded <- struct{}{}
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
		p.complaints = append(p.complaints, m.Method+": "+string(m.Params))
	case "Network.requestWillBeSent":
		var event struct{ Request struct{ URL string } }
		json.Unmarshal(m.Params, &event)
		p.requests = append(p.requests, event.Request.URL)
	}
}

// heard returns what the page complained of and asked for.
func (p *tab) heard() (complaints, requests []string) {
	p.browser.mutex.Lock()
	defer p.browser.mutex.Unlock()
	return p.complaints, p.requests
}

// eval evaluates an expression in the page.
func (p *tab) eval(t *testing.T, expression string, into any) {
	t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails any
	}
	p.must(t, "Runtime.evaluate", object{"expression": expression, "returnByValue": true}, &answer)
	if answer.ExceptionDetails != nil {
		t.Fatalf("%s: %v", expression, answer.ExceptionDetails)
	}
	if err := json.Unmarshal(answer.Result.Value, into); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
}

// until evaluates an expression until it has no complaint, and returns the last one if it always has: what a finger or the
// mouse brings about is not there at once. What is to be done before is done each time.
func (p *tab) until(t *testing.T, expression string, before ...func()) (complaint string) {
	t.Helper()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for end := time.Now().Add(patience); ; <-ticker.C {
		for _, do := range before {
			do()
		}
		if p.eval(t, expression, &complaint); complaint == "" || time.Now().After(end) {
			return complaint
		}
	}
}

// press presses the tabulator key.
func (p *tab) press(t *testing.T) {
	t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		p.must(t, "Input.dispatchKeyEvent", object{"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}, nil)
	}
}

// point moves the mouse to a point of the window.
func (p *tab) point(t *testing.T, x, y float64) {
	t.Helper()
	p.must(t, "Input.dispatchMouseEvent", object{"type": "mouseMoved", "x": x, "y": y}, nil)
}

// tap touches a point of the window with a finger.
func (p *tab) tap(t *testing.T, x, y float64) {
	t.Helper()
	p.must(t, "Input.dispatchTouchEvent", object{"type": "touchStart", "touchPoints": []object{{"x": x, "y": y}}}, nil)
	p.must(t, "Input.dispatchTouchEvent", object{"type": "touchEnd", "touchPoints": []object{}}, nil)
}

// shoot writes a picture of what the page looks like.
func (p *tab) shoot(t *testing.T, file string) {
	t.Helper()
	var shot struct{ Data []byte }
	p.must(t, "Page.captureScreenshot", object{"captureBeyondViewport": true}, &shot)
	if err := os.WriteFile(file, shot.Data, 0o644); err != nil {
		t.Fatal(err)
	}
}

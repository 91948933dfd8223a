package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"billfold/walletcore/testwallet"
)

// heldServer is a wallet server of which the second transaction of a payout is held.
type heldServer struct {
	*httptest.Server
	sent    atomic.Int32
	before  bool          // it is held before the server gets it, not its answer
	lasts   time.Duration // how long it is held; 0 = until the caller leaves
	reached chan struct{} // gets a value once it is held
}

func holdServer(t *testing.T, url string) *heldServer {
	s := &heldServer{reached: make(chan struct{}, 1)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		must(t, err)
		hold := func() bool {
			s.reached <- struct{}{}
			if s.lasts > 0 {
				time.Sleep(s.lasts)
				return true
			}
			<-r.Context().Done()
			return false
		}
		held := bytes.Contains(body, []byte(`"pay_many"`)) && !bytes.Contains(body, []byte("dry_run")) && s.sent.Add(1) == 2
		if held && s.before && !hold() {
			return
		}
		answer, err := http.Post(url, "application/json", bytes.NewReader(body)) //nolint:noctx // the server goes on when the caller has left
		must(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		must(t, err)
		if !held || s.before || hold() {
			w.WriteHeader(answer.StatusCode)
			_, _ = w.Write(text)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// A payout through a server is interrupted while its second transaction is under way. It says what it knows and ends with that code; the
// second signal ends it at once; and when it is run again, it pays exactly the rest.
func TestAnInterruptedPayoutSaysWhatWasSent(t *testing.T) {
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s", "--fund=alice=1000000 DCT")
	r := payoutRun{t, box.line(`^websocket +(ws://\S+)$`), testwallet.Folder(t), filepath.Join(testwallet.Folder(t), "may.csv"), 130}
	r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
	r.writeFile()
	server := start(t, "--daemon-url="+r.daemon, "--data-dir="+r.folder, "--rpc-http=127.0.0.1:0")
	api := remote{t, server.line(`^wallet API over HTTP on (http://\S+)$`)}
	api.ok("unlock", "killed")
	for label, c := range map[string]struct {
		before  bool
		lasts   time.Duration
		signals []os.Signal
		code    int // -1 = a signal ended it
		told    string
	}{
		"answered":  {lasts: 300 * time.Millisecond, signals: []os.Signal{os.Interrupt}, code: 1, told: "interrupted: 2 of 3 transactions were sent (lines 2 to 101: 100 payments)"},
		"ended":     {lasts: 300 * time.Millisecond, signals: []os.Signal{syscall.SIGTERM, syscall.SIGTERM}, code: 1, told: "interrupted: 2 of 3 transactions were sent"}, // as timeout(1) sends it
		"lost":      {signals: []os.Signal{os.Interrupt}, code: 1, told: "interrupted: 2 of 3 transactions were sent"},
		"not known": {before: true, signals: []os.Signal{os.Interrupt}, code: 3, told: "whether lines 52 to 101 were sent is not known"},
		"at once":   {before: true, signals: []os.Signal{os.Interrupt, nil, os.Interrupt}, code: -1, told: "interrupt once more to end at once"},
	} {
		held := holdServer(t, api.url)
		held.before, held.lasts = c.before, c.lasts
		cmd := processOf([]string{"--data-dir=" + r.folder, "pay", r.file, "--yes", "--label=" + label, "--to=" + held.URL + "/rpc"})
		var out, told bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &told
		must(t, cmd.Start())
		<-held.reached
		for _, signal := range c.signals {
			if signal == nil {
				time.Sleep(time.Second)
			} else {
				must(t, cmd.Process.Signal(signal))
			}
		}
		began := time.Now()
		err := cmd.Wait()
		took := time.Since(began)
		code := 0
		if ended, is := errors.AsType[*exec.ExitError](err); is {
			code = ended.ExitCode()
		}
		if code != c.code || !strings.Contains(told.String(), c.told) || strings.Contains(told.String(), "went away") {
			t.Errorf("%s ends with %d, want %d:\n%s%s", label, code, c.code, out.String(), told.String())
		}
		if took > 12*time.Second || c.code < 0 && took > 3*time.Second {
			t.Errorf("%s took %s", label, took)
		}
		before := len(keysOf(api))
		again, problems, code := runToEnd(t, "", "--data-dir="+r.folder, "pay", r.file, "--yes", "--label="+label, "--to="+api.url)
		if code != 0 || len(keysOf(api))%3 != 0 || !strings.Contains(again, "in a block: 130 of 130 payments") {
			t.Errorf("%s, run again, ends with %d; %d transactions before, %d after:\n%s%s", label, code, before, len(keysOf(api)), again, problems)
		}
	}
	if got := len(keysOf(api)); got != 15 {
		t.Errorf("%d transactions were made, want 15", got)
	}
}

// keysOf returns the request keys of the payments that happen.
func keysOf(api remote) (keys []string) {
	var list []struct {
		Key   string `json:"request_key"`
		State string `json:"state"`
	}
	must(api.t, json.Unmarshal([]byte(api.ok("list_payments", "100")), &list))
	for _, paid := range list {
		if paid.State != "expired" && paid.State != "rejected" {
			keys = append(keys, paid.Key)
		}
	}
	return keys
}

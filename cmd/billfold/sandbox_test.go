package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The ledger continues where it stopped, with the clock that was set.
func TestSandboxKeepsItsStateInAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state")
	p := start(t, "sandbox", "--listen=127.0.0.1:0", "--state="+file, "--block-time=0", "--time=2040-01-01T00:00:00",
		"--fund=alice=1000 DCT", "--mine=3")
	chain := p.line(`^chain id +([0-9a-f]{64})$`)
	box := remote{t, p.line(`^HTTP +(http://\S+)$`)}
	var before, after struct {
		Number uint32 `json:"head_block_number"`
		Time   string `json:"head_block_time"`
	}
	must(t, json.Unmarshal([]byte(box.ok("sandbox_info")), &before))
	if before.Number < 3 || !strings.HasPrefix(before.Time, "2040-01-01T00:00:0") {
		t.Errorf("the head is %+v", before)
	}
	must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	for range p.seen { // until it has ended
	}
	again := start(t, "sandbox", "--listen=127.0.0.1:0", "--state="+file, "--block-time=0")
	if now := again.line(`^chain id +([0-9a-f]{64})$`); now != chain {
		t.Errorf("the chain is %s, was %s", now, chain)
	}
	box = remote{t, again.line(`^HTTP +(http://\S+)$`)}
	must(t, json.Unmarshal([]byte(box.ok("sandbox_info")), &after))
	if after != before {
		t.Errorf("the head is %+v, was %+v", after, before)
	}
}

// The developer calls of a ledger cannot be made through a wallet.
func TestWalletPortsHaveNoDeveloperCalls(t *testing.T) {
	t.Parallel()
	p := start(t, "--sandbox", "--rpc-http=127.0.0.1:0")
	wallet := remote{t, p.line(`^wallet API over HTTP on (http://.*)$`)}
	for _, method := range []string{
		"sandbox_info", "sandbox_mine", "sandbox_set_time", "sandbox_jump", "sandbox_snapshot", "sandbox_revert",
		"sandbox_fork", "sandbox_kill", "sandbox_end", "sandbox_fund", "sandbox_push", "sandbox_drop_after", "sandbox_pose_as", "sandbox_clear_faults",
	} {
		if out := wallet.call(method); out.Error == nil || out.Error.Code != -32601 {
			t.Errorf("%s is answered %s %+v", method, out.Result, out.Error)
		}
	}
}

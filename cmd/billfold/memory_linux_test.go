package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"billfold/internal/stories"
	"billfold/ledger"

	"github.com/gorilla/websocket"
)

// After lock, the memory of the process holds no key that was imported, used, derived from and shown, and no password, in
// any form: bytes, numbers of the curve's arithmetic, wallet import format, hex.
func TestLockLeavesNoSecretInMemory(t *testing.T) {
	stories.Long(t)
	const password = "correct-horse-battery-77"
	program := buildProgram(t)
	box := launch(t, program, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s") // shorter ones run ahead of the clock
	daemon, wif := box.line(`^websocket +(ws://\S+)$`), box.line(`^demo key +alice +(\w+)$`)
	key, err := ledger.ParseWIF(wif)
	must(t, err)
	w := launch(t, program, "--daemon-url="+daemon, "--data-dir="+t.TempDir(), "--rpc-http=127.0.0.1:0", "--rpc-ws=127.0.0.1:0")
	api := remote{t, w.line(`^wallet API over HTTP on (http://\S+)$`)}
	ws, _, err := websocket.DefaultDialer.Dial(w.line(`^wallet API over websocket on (ws://\S+)$`), nil)
	must(t, err)
	defer ws.Close()
	overWS := func(method string, params ...string) {
		t.Helper()
		must(t, ws.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
		var out reply
		must(t, ws.ReadJSON(&out))
		if out.Error != nil {
			t.Fatalf("%s: %d %s", method, out.Error.Code, out.Error.Message)
		}
	}

	api.ok("set_password", password)
	overWS("unlock", password)
	api.until("1.2.", "get_account", "alice")
	api.ok("import_key", "alice", wif)
	api.ok("lock")
	api.ok("unlock", password)
	overWS("import_single_key", "alice", wif)
	var load sync.WaitGroup
	for range 4 {
		load.Go(func() {
			for range 10 {
				api.ok("transfer", "alice", "bobby", "0.001", "DCT", "a memo", "true")
				api.ok("get_public_key", wif)
				api.ok("get_private_key", key.Public().String())
			}
		})
	}
	load.Wait()
	overWS("dump_private_keys")
	api.ok("unlock", password)
	api.ok("import_key", "alice", wif)
	api.ok("lock")

	var secret [32]byte
	key.PutSecret(&secret)
	var limbs []byte // of secp256k1.ModNScalar, little endian
	for i := 28; i >= 0; i -= 4 {
		part := slices.Clone(secret[i : i+4])
		slices.Reverse(part)
		limbs = append(limbs, part...)
	}
	for name, form := range map[string][]byte{"the key": secret[:], "the key as a number": limbs, "its wallet import format": []byte(wif), "its hex": []byte(hex.EncodeToString(secret[:])), "the password": []byte(password)} {
		if found := w.holding(form); len(found) > 0 {
			t.Errorf("%s is in memory %d times: %q", name, len(found), found)
		}
	}
}

// holding returns the surroundings of a text wherever it is in the process's memory.
func (p *process) holding(text []byte) (found [][]byte) {
	p.t.Helper()
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", p.cmd.Process.Pid))
	must(p.t, err)
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", p.cmd.Process.Pid))
	if os.IsPermission(err) {
		p.t.Skip("this system does not show the memory of a process: ", err)
	}
	must(p.t, err)
	defer memory.Close()
	read := 0
	for line := range strings.Lines(string(maps)) {
		var from, to int64
		var mode string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); n != 3 || !strings.HasPrefix(mode, "rw") {
			continue
		}
		part := make([]byte, to-from)
		n, err := memory.ReadAt(part, from)
		if err != nil && err != io.EOF { // such as memory of a device
			continue
		}
		read += n
		for rest, at := part[:n], 0; ; {
			i := bytes.Index(rest[at:], text)
			if i < 0 {
				break
			}
			at += i
			found = append(found, slices.Clone(rest[max(0, at-32):min(len(rest), at+len(text)+32)]))
			at += len(text)
		}
	}
	if read < 1<<20 {
		p.t.Fatalf("only %d bytes of its memory could be read", read)
	}
	return found
}

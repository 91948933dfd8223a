package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/walletcore/testwallet"
)

// Content is published and bought by commands that are killed again and again: it is offered once, paid once, and extracted whole.
func TestContentByCommandsThatAreKilled(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // not used for secrets
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s", "--seeders=2", "--fund=alice=1000 DCT")
	r := payoutRun{T: t, daemon: box.line(`^websocket +(ws://\S+)$`), folder: testwallet.Folder(t)}
	address := box.line(`^IPFS +(http://\S+)$`)
	r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
	song, out := filepath.Join(testwallet.Folder(t), "song"), filepath.Join(testwallet.Folder(t), "out")
	must(t, os.MkdirAll(filepath.Join(song, "deep"), 0o700))
	for name, size := range map[string]int{"one.txt": 10, "deep/two.bin": 3 << 20} {
		text := make([]byte, size)
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		must(t, os.WriteFile(filepath.Join(song, name), text, 0o600))
	}
	command := func(words ...string) *exec.Cmd {
		cmd := processOf(append([]string{"--daemon-url=" + r.daemon, "--data-dir=" + r.folder, "--ipfs-api=" + address, "content"}, words...))
		cmd.Stdin = strings.NewReader("killed\n")
		return cmd
	}
	again := func(words ...string) {
		t.Helper()
		for range 4 {
			cmd := command(words...)
			must(t, cmd.Start())
			time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		for range 3 {
			if text, err := command(words...).CombinedOutput(); err == nil {
				return
			} else if strings.Contains(string(text), "already, at") || strings.Contains(string(text), "is not empty") { // it was through before the last kill
				return
			} else {
				t.Logf("%v: %v: %s", words, err, text)
			}
		}
		t.Fatalf("%v does not get through", words)
	}
	again("publish", song, "--price=2 DCT", "--yes", "--json")
	var offers []struct{ URI string }
	found, err := command("list", "--search", "", "--json").Output()
	must(t, err)
	if must(t, json.Unmarshal(found, &offers)); len(offers) != 1 {
		t.Fatalf("%d offers, not one", len(offers))
	}
	again("buy", offers[0].URI, out, "--yes")
	for _, name := range []string{"one.txt", "deep/two.bin"} {
		was, err := os.ReadFile(filepath.Join(song, name))
		must(t, err)
		if got, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(got) != string(was) {
			t.Errorf("%s was not extracted as it was: %v", name, err)
		}
	}
	text, err := command("list", "--json").Output()
	must(t, err)
	var listed struct {
		Published, Bought, Tasks []json.RawMessage
	}
	must(t, json.Unmarshal(text, &listed))
	if len(listed.Published) != 1 || len(listed.Bought) != 1 {
		t.Errorf("%s", text)
	}
}

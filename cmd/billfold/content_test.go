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

	"billfold/cmd/billfold/shell"
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

// Content is published, bought and its tasks are canceled by commands whose standard output takes nothing: what was sent is not called failed.
func TestContentUntold(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	for name := range lostWriters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s", "--seeders=2", "--mine=3", "--content="+testwallet.Folder(t))
			r := payoutRun{T: t, daemon: box.line(`^websocket +(ws://\S+)$`), folder: testwallet.Folder(t)}
			address := box.line(`^IPFS +(http://\S+)$`)
			r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
			folder := testwallet.Folder(t)
			writeFile(t, folder, "song", "la la la")
			words := map[string]string{"FOLDER": folder, "WALLET": "--daemon-url=" + r.daemon + " --data-dir=" + r.folder}
			online := "WALLET --ipfs-api=" + address + " "
			for _, run := range []changingRun{
				{"content publish", online + "content publish FOLDER/song --price=2|DCT --yes", "killed\n", `on offer: (ipfs:\w+)\n`, shell.Done},
				{"content buy", online + "content buy THAT FOLDER/out --yes", "killed\n", `(?s)paid\n.*the content is in .*out\n`, shell.Done},
			} {
				runUntold(t, run, name, words)
			}
			text, problems := new(strings.Builder), new(strings.Builder)
			list := func() {
				runHere(t, &output{out: text, problems: problems}, "", strings.Fields("--daemon-url="+r.daemon+" --data-dir="+r.folder+" content list --json")...)
			}
			var all struct {
				Published []struct{ URI string }
				Bought    []struct{ Hash string }
				Tasks     []struct{ ID string }
			}
			list()
			must(t, json.Unmarshal([]byte(text.String()), &all))
			hash := all.Bought[0].Hash
			away := []string{"--daemon-url=" + r.daemon, "--data-dir=" + r.folder, "--ipfs-api=http://127.0.0.1:1", "call"}
			for _, call := range [][]string{{"remove_package", hash}, {"download_package", all.Published[0].URI}} {
				if code := runHere(t, &output{out: text, problems: problems}, "killed\n", append(away, call...)...); code != shell.Done {
					t.Fatalf("%s: exit code %d: %s", call[0], code, problems)
				}
			}
			text.Reset()
			list()
			must(t, json.Unmarshal([]byte(text.String()), &all))
			if len(all.Bought) != 1 || len(all.Tasks) != 1 {
				t.Fatalf("%s", text)
			}
			words["THAT"] = all.Tasks[0].ID
			runUntold(t, changingRun{"content cancel", "WALLET content cancel THAT", "killed\n", `canceled; what was sent`, shell.Done}, name, words)
		})
	}
}

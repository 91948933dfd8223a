package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/walletcore/cosign"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
)

// What tx sign signed alone is known to the journal: once somebody has sent it, it is on the ledger and is not missed.
func TestWhatTxSignSignsAloneIsNotMissed(t *testing.T) {
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	r := payoutRun{T: t, daemon: box.line(`^websocket +(ws://\S+)$`), folder: testwallet.Folder(t)}
	r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
	file := filepath.Join(t.TempDir(), "rent.json")
	for _, words := range [][]string{
		{"export", "--out", file, "transfer", "alice", "bobby", "1", "DCT", "", "true"},
		{"sign", file, "--yes"},
	} {
		out, told, code := runToEnd(t, "killed\n", append([]string{"--daemon-url=" + r.daemon, "--data-dir=" + r.folder, "tx"}, words...)...)
		if code != 0 {
			t.Fatalf("%q: %s%s", words, out, told)
		}
		if words[0] == "sign" && !strings.Contains(out, "it can be broadcast") {
			t.Fatal(out)
		}
	}
	text, err := os.ReadFile(file)
	must(t, err)
	signed, err := cosign.Parse(text)
	must(t, err)
	own, err := sqlite.Open(filepath.Join(r.folder, sqlite.Name))
	must(t, err)
	defer own.Close()
	if known, err := own.Journal.Knows(t.Context(), signed.ID); err != nil || !known {
		t.Errorf("the journal knows it: %v, %v", known, err)
	}
}

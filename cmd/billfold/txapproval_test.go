package main

import (
	"path/filepath"
	"strings"
	"testing"

	"billfold/internal/stories"
	"billfold/walletcore/testwallet"
)

// Signing and sending a large payment to an unknown account takes more than a yes: at a terminal its id and total are typed, elsewhere
// they are given as flags.
func TestFileOfALargePaymentNeedsMoreThanYes(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s", "--fund=alice=1000000 DCT")
	r := payoutRun{T: t, daemon: box.line(`^websocket +(ws://\S+)$`), folder: testwallet.Folder(t)}
	r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
	tx := func(words ...string) (out, told string, code int) {
		t.Helper()
		return runToEnd(t, "killed\n", append([]string{"--daemon-url=" + r.daemon, "--data-dir=" + r.folder, "tx"}, words...)...)
	}
	file, signed := filepath.Join(t.TempDir(), "rent.json"), filepath.Join(t.TempDir(), "signed.json")
	if _, told, code := tx("export", "--out", file, "transfer", "alice", "miner-c", "2000", "DCT", "", "true"); code != 0 {
		t.Fatal(told)
	}
	expect := func(words []string, want int, says string) {
		t.Helper()
		out, told, code := tx(words...)
		if code != want || !strings.Contains(out+told, says) {
			t.Fatalf("%q ends with %d: %s%s", words, code, out, told)
		}
	}
	const id = "1.2.6"
	sign := func(more ...string) []string { return append([]string{"sign", file, "--out", signed}, more...) }
	expect(sign("--yes"), 1, "a yes is not enough for it: it takes the total in DCT (a large payment")
	expect(sign("--yes"), 1, "for          miner-c 1.2.6")
	expect(sign("--yes"), 1, "add --yes --confirm 2000.001 --confirm "+id)
	expect(sign("--yes", "--confirm=2000.001"), 1, "add --yes --confirm "+id)
	expect(sign("--yes", "--confirm=2000.001", "--confirm=1.2.7"), 1, `"1.2.7" is not what this transaction does`)
	expect(sign("--confirm=2000.001", "--confirm="+id), 1, "then add --yes")
	expect(sign("--yes", "--confirm=2000.001", "--confirm="+id), 0, "it can be broadcast")

	atSigned := func() *typist {
		w := atTerminal(t, 50, 100, nil, "--daemon-url="+r.daemon, "--data-dir="+r.folder, "tx", "broadcast", signed)
		w.sees(`type the total in DCT: $`)
		w.says("2000.001", `type the object id of the recipient: $`)
		return w
	}
	atSigned().says("1.2.7", "that is not the object id of the recipient")
	if said := atSigned().interrupted(); !strings.Contains(said, "nothing was done") {
		t.Errorf("interrupted it says %q", said)
	}
	w := atSigned()
	w.says(id, `broadcast it\? type yes: $`)
	w.says("no", "you did not agree")
	expect([]string{"broadcast", signed, "--yes"}, 1, "a yes is not enough for it")
	expect([]string{"broadcast", signed, "--yes", "--confirm=2000.001", "--confirm=" + id}, 0, "is sent")
}

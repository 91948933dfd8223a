package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"billfold/internal/stories"
	"billfold/keystore"
)

// A wallet that does not exist yet answers like a locked one, and its first password can be set over RPC, which makes
// the folder and the logs. Guessing the password is as hard as it should be, which the long stories check: making a key
// as shipped takes two seconds of processor time.
func TestNewWalletOverRPC(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "not", "there")
	program, err := os.Executable()
	must(t, err)
	as := "1"
	if stories.Played() {
		as = asShipped
	}
	p := begin(t, as, exec.Command(program, "--data-dir="+folder, "--daemon-url=ws://127.0.0.1:1", "--rpc-http=127.0.0.1:0"))
	wallet := remote{t, p.line(`^wallet API over HTTP on (http://.*)$`)}
	for _, call := range [][]string{
		{"transfer", "alice", "bobby", "1", "DCT", "", "true"}, {"dump_private_keys"}, {"import_key", "alice", "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"},
	} {
		if out := wallet.call(call[0], call[1:]...); out.Error == nil || out.Error.Code != 507 {
			t.Errorf("%s is answered %+v", call[0], out.Error)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, keystoreName)); !os.IsNotExist(err) {
		t.Error("there is a key file already")
	}
	if out := wallet.call("set_password", "correct horse battery staple"); out.Error != nil {
		t.Errorf("set_password is answered %+v", out.Error)
	}
	if out := wallet.call("is_new"); string(out.Result) != "false" {
		t.Errorf("is_new is answered %s", out.Result)
	}
	keys, err := keystore.Open(filepath.Join(folder, keystoreName))
	must(t, err)
	if cost := keys.Params(); as == asShipped && (cost.MemoryKiB < 64*1024 || cost.Time < 3) {
		t.Errorf("trying a password costs %+v", cost)
	}
}

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"billfold/cmd/billfold/setting"
	"billfold/tui/screen"

	"github.com/spf13/cobra"
)

// A command that the UI shows is for the same wallet and ledger, wherever the settings came from: parsed again, it has the same settings.
func TestShownCommandUsesTheSameSettings(t *testing.T) {
	t.Setenv("BILLFOLD_DAEMON_URL", "wss://node.example")
	t.Setenv("BILLFOLD_RPC_SPENDS", "ask")
	s, err := readSettings(t, "max-fee: 2 DCT", "--daemon-fingerprint="+strings.Repeat("9f", 32), "--tui", "--rpc-http=127.0.0.1:9000")
	if err != nil {
		t.Fatal(err)
	}
	line := shellOf(s).Line(screen.ShellCommand{Words: []string{"call", "info"}})
	want := "billfold --daemon-url=wss://node.example --daemon-fingerprint=" + strings.Repeat("9f", 32) + " --data-dir=" + s.dataDir + " call info"
	if line != want {
		t.Errorf("a call is %q,\nwant %q", line, want)
	}
	start := shellOf(s).Line(screen.ShellCommand{Start: true, Words: []string{"--theme=dark"}, Sets: []string{"theme", "tui"}})
	t.Setenv("BILLFOLD_DAEMON_URL", "")
	t.Setenv("BILLFOLD_RPC_SPENDS", "")
	must(t, errors.Join(os.Unsetenv("BILLFOLD_DAEMON_URL"), os.Unsetenv("BILLFOLD_RPC_SPENDS")))
	again, cmd := newSettings(), &cobra.Command{}
	again.values.Define(cmd)
	must(t, errors.Join(cmd.ParseFlags(append(strings.Fields(start)[1:], "--tui")), again.read()))
	if !slices.Equal(again.daemonURLs, s.daemonURLs) || again.dataDir != s.dataDir || again.spends != s.spends ||
		again.maxFee != s.maxFee || again.daemonPin != s.daemonPin || again.rpcHTTP != s.rpcHTTP || again.theme != "dark" {
		t.Errorf("%q means %+v", start, again)
	}
}

// There is no command that calls a sandbox: it would call a real wallet. No command contains a password.
func TestShownCommandForSandboxesAndPasswords(t *testing.T) {
	t.Chdir(t.TempDir())
	call := screen.ShellCommand{Words: []string{"call", "transfer", "alice", "bobby", "1", "DCT"}}
	start := screen.ShellCommand{Start: true, Words: []string{"--theme=dark"}}
	s, err := readSettings(t, "", "--sandbox")
	if err != nil {
		t.Fatal(err)
	}
	if at := shellOf(s); at.Line(call) != "" || at.Why == "" || !strings.HasPrefix(at.Line(start), "billfold --sandbox --data-dir=") {
		t.Errorf("the sandbox has %q and %q: %s", at.Line(call), at.Line(start), at.Why)
	}
	if s, err = readSettings(t, ""); err != nil {
		t.Fatal(err)
	}
	s.sandbox = true // as when it is chosen on the first page
	if at := shellOf(s); !strings.HasPrefix(at.Line(start), "billfold --sandbox ") || at.Line(call) != "" {
		t.Errorf("%q and %q", at.Line(start), at.Line(call))
	}
	t.Setenv("BILLFOLD_STORE", "postgres://me:hunter2@db.example/wallet")
	if s, err = readSettings(t, ""); err != nil {
		t.Fatal(err)
	}
	if at := shellOf(s); at.Line(call)+at.Line(start) != "" || at.Why == "" || strings.Contains(at.Why, "hunter2") {
		t.Errorf("with a password it has %q and %q: %s", at.Line(call), at.Line(start), at.Why)
	}
	if got := flagOf(setting.Setting{Name: "data-dir", Value: setting.Path(&s.dataDir)}, "w"); !filepath.IsAbs(got) {
		t.Errorf("a folder is %q", got)
	}
}

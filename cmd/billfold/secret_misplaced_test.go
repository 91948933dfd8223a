package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/cmd/billfold/setting"
	"billfold/ledger"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// misplaced are secrets as people put them where the name of their file belongs.
func misplaced() map[string]string {
	wif := ledger.DeriveKey("misplaced", 0).WIF()
	return map[string]string{
		"key": wif, "damaged key": wif[:30] + wif[31:], "token": "billfold_abcdefg2_" + strings.Repeat("k3x7", 13),
		"phrase":   "abandon ability able about above absent absorb abstract absurd abuse access accident",
		"password": "xK7vQ2mP9wR4tZ8b", "address": "http://exchange:xK7vQ2mP9wR4tZ8b@wallet.example:8093", "daemon": "ws://exchange:xK7vQ2mP9wR4tZ8b@node.example:8090",
		"identity": "AGE-SECRET-KEY-1" + strings.Repeat("QPZRY9X8", 7) + "GF", "small identity": "age-secret-key-1" + strings.Repeat("qpzry9x8", 7) + "gf",
		"listener": "exchange:xK7vQ2mP9wR4tZ8b@127.0.0.1:8093", "query": "wss://node.example/?token=xK7vQ2mP9wR4tZ8b", "settings": "host=db password=xK7vQ2mP9wR4tZ8b",
	}
}

// printed runs a command line for half a second, and returns all that it printed, with its error.
func printed(t *testing.T, args ...string) string {
	return printedWithin(t, 500*time.Millisecond, args...)
}

func printedWithin(t *testing.T, limit time.Duration, args ...string) string {
	root := rootCommand(throwAwayKeystore())
	var out bytes.Buffer
	root.SetArgs(args)
	root.SetIn(strings.NewReader(""))
	root.SetOut(&out)
	root.SetErr(&out)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	if err := nameFlag(root.ExecuteContext(ctx), args); err != nil {
		fmt.Fprintln(&out, sentence(err))
	}
	return out.String()
}

func repeatsSecret(out, secret string) bool {
	for _, part := range []string{"QPZRY9X8", "qpzry9x8", "xK7vQ2mP", "abcdefg2_k3x7", "abandon ability", secret[:12]} {
		if strings.Contains(secret, part) && strings.Contains(out, part) && part != "http://exchan" && !strings.HasPrefix(part, "http") && !strings.HasPrefix(part, "ws:") {
			return true
		}
	}
	return false
}

// A secret that stands where its file, a folder, an address or a name belongs is repeated by nothing: no argument, no flag, no setting.
func TestNoErrorRepeatsAMisplacedSecret(t *testing.T) {
	t.Chdir(t.TempDir())
	table := newSettings().values
	isSetting := map[string]bool{}
	for _, s := range table.Settings() {
		isSetting[s.Name] = true
	}
	folder := func() string { return "--data-dir=" + filepath.Join(t.TempDir(), "wallet") }
	try := func(secret string, args ...string) {
		t.Helper()
		if out := printed(t, args...); repeatsSecret(out, secret) {
			t.Errorf("billfold %q: %s", args, out)
		}
	}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		path, extra := strings.Fields(cmd.CommandPath())[1:], []string(nil)
		if cmd.Annotations[noSettings] == "" {
			extra = []string{folder()}
		}
		if needs := map[string][]string{"token new": {"x"}, "tx merge": {"a.json"}, "content buy": {"http://a"}, "store claim": nil, "call": {"info"},
			"tx export": {"transfer"}}[strings.Join(path, " ")]; needs != nil {
			extra = append(extra, needs...)
		}
		for kind, secret := range misplaced() {
			if cmd.CommandPath() == "billfold token new" && kind != "password" {
				try(secret, append(path, folder(), secret)...)
			}
			if cmd.Runnable() && cmd.Name() != "manual" && !(kind == "password" && (cmd.Name() == "explain" || cmd.Name() == "cancel")) { // ids look like that
				try(secret, append(append(path, extra...), secret)...)
				cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
					if f.Value.Type() != "bool" && !isSetting[f.Name] && !(kind == "password" && f.Value.Type() == "stringArray") {
						try(secret, append(append(path, extra...), "--"+f.Name+"="+secret)...)
						try(secret, append(append(path, extra...), "--"+f.Name+"="+secret, "file.json")...)
					}
				})
			}
		}
		for _, below := range cmd.Commands() {
			walk(below)
		}
	}
	for _, below := range rootCommand(nil).Commands() {
		walk(below)
	}
	for kind, secret := range misplaced() {
		try(secret, secret, folder())
		try(secret, "--daemon", secret)
		for i := range table.Settings() {
			s := &table.Settings()[i]
			certain := kind == "key" || kind == "damaged key" || kind == "token" || kind == "phrase"
			if out := printed(t, folder(), "--"+s.Name+"="+secret); certain && !s.Secret && !strings.Contains(out, "not repeated here") && !strings.Contains(out, "not shown") {
				t.Errorf("--%s takes %s: %s", s.Name, kind, out)
			}
			if s.Name == "data-dir" || s.Name == "server-name" { // folders that are made, and a name that is shown
				continue
			}
			try(secret, folder(), "--"+s.Name+"="+secret)
			t.Run("environment", func(t *testing.T) {
				t.Setenv(s.Variable(environmentPrefix), secret)
				try(secret, folder())
			})
			if !s.Early {
				w := walker{t.TempDir()}
				if err := w.attempt(t, []byte(fmt.Sprintf("%s: %q\n", s.Name, secret))); err != nil && repeatsSecret(sentence(err), secret) {
					t.Errorf("%s in the file: %s", s.Name, sentence(err))
				}
			}
		}
		for _, option := range []string{"-s", "-r", "-t", "-H", "-c", "-w", "-f", "-u", "-p", "--chain-id", "--ipfs-api", "--packages-path"} {
			try(secret, "migrate", "cli_wallet "+option+" '"+secret+"'")
		}
	}
	for option, word := range map[string]string{"-r": "hunter2", "-t": "hunter2", "-H": "hunter2", "--chain-id": "hunter2"} {
		if out := printed(t, "migrate", "cli_wallet "+option+" "+word); strings.Contains(out, word) {
			t.Errorf("%s: %s", option, out)
		}
	}
}

// A short password, which looks like the name of a file, is repeated by nothing that names the file of a secret, unless there is such a file; a path
// and a name with an extension are.
func TestNoShortPasswordIsRepeatedInPlaceOfItsFile(t *testing.T) {
	t.Chdir(t.TempDir())
	places := [][]string{{"status", "--to=socket", "--token-file"}, {"--rpc-http=127.0.0.1:0", "--daemon-user=me", "--daemon-password-file"},
		{"--rpc-http=127.0.0.1:0", "--rpc-tls", "--rpc-tls-cert=a.pem", "--rpc-tls-key"}}
	for _, place := range places {
		for value, hidden := range map[string]bool{"hunter2": true, "correct horse": true, "p@ss.w0rd": true, "./hunter2": false, "hunter2.txt": false} {
			args := append(append([]string{"--data-dir=" + filepath.Join(t.TempDir(), "wallet")}, place[:len(place)-1]...), place[len(place)-1]+"="+value)
			if out := printed(t, args...); hidden == strings.Contains(out, value) || value == "hunter2" && !strings.Contains(out, "names no file that exists") {
				t.Errorf("billfold %q: %s", args, out)
			}
		}
	}
	for _, where := range []string{"--password-from", "--wallet-password-from", "--unlock-from"} {
		if got := setting.HideSecret(errors.New("there is no file hunter2"), setting.Given{Where: where, Text: "hunter2", Place: true}); strings.Contains(got.Error(), "hunter2") {
			t.Errorf("%s: %v", where, got)
		}
	}
}

// A place of a password as other programs name it is told with what to write here, and never repeated: a password may be a part of it.
func TestPlacesOfOtherProgramsAreTold(t *testing.T) {
	for place, want := range map[string]string{
		"file:/etc/hunter2": "a file is named by its path alone", "file:///etc/hunter2": "a file is named by its path alone", "FILE:hunter2": "a file is named by its path alone",
		"pass:hunter2": "a password itself does not belong here", "env:hunter2": "no password is read from the environment", "-": "standard input is named fd:0",
		"stdin": "standard input is named fd:0", "stdin:hunter2": "standard input is named fd:0", "cmd:echo hunter2": "a program is named behind command:",
		"vault:hunter2": "write the path of a file, fd:3, credential:NAME or command:PROGRAM", "fd:hunter2": "write the path of a file, fd:3",
	} {
		out := printed(t, "--rpc-http=127.0.0.1:0", "--data-dir="+filepath.Join(t.TempDir(), "wallet"), "--unlock-from="+place)
		if !strings.Contains(out, want) || strings.Contains(out, "hunter2") {
			t.Errorf("%s: %s", place, out)
		}
	}
	for _, flag := range []string{"--rpc-tls-cert", "--packages-path", "--daemon-ca"} {
		if out := printed(t, "--data-dir="+filepath.Join(t.TempDir(), "wallet"), flag+"=file:///etc/x.pem"); !strings.Contains(out, "write the path alone") {
			t.Errorf("%s: %s", flag, out)
		}
	}
}

// Names of files and machines are repeated: they are what somebody looks for.
func TestNamesAreRepeated(t *testing.T) {
	for _, name := range []string{"payout-2026-11-30.csv", "/srv/wallet/xK7vQ2mP9wR4tZ8b", "wallet-backup-2026-11-30T05-19-16Z", "my-exchange-hot-wallet-token-file", "xK7vQ2mP9wR4tZ8b.json",
		"550e8400-e29b-41d4-a716-446655440000", "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG", "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
		"node-1.eu-west-1.example", "http://127.0.0.1:8093/rpc", "postgres://billfold@db.example/wallet", "2026-11-30", "hot_wallet_password_v2", "ExchangeTokenFile"} {
		err := fmt.Errorf("there is no %s", name)
		if got := setting.HideSecret(err, setting.Given{Where: "argument 1", Text: name, Place: true}); got.Error() != err.Error() {
			t.Errorf("%s: %v", name, got)
		}
	}
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every option of cli_wallet means the same in each of its spellings, and with its value in each of its places.
func TestOptionsOfCLIWalletInAllSpellings(t *testing.T) {
	t.Parallel()
	value := map[string]string{
		"wallet-file": "/w/a.json", "log-level": "W", "server-rpc-endpoint": "ws://a:1", "server-rpc-user": "me", "rpc-endpoint": "127.0.0.1:1",
		"rpc-tls-endpoint": "127.0.0.1:2", "rpc-tls-certificate": "/w/a.pem", "rpc-http-endpoint": "127.0.0.1:3", "from-command-file": "/w/f.txt",
	}
	want := map[string]string{
		"version": "version", "generate-keys": "call suggest_brain_key", "log-level": "console", "wallet-file": "--data-dir=/w/a.billfold console",
		"daemon": "", "server-rpc-endpoint": "--daemon-url=ws://a:1 console", "server-rpc-user": "--daemon-user=me console",
		"rpc-endpoint": "--rpc-ws=127.0.0.1:1", "rpc-tls-endpoint": "--rpc-ws=127.0.0.1:2 --rpc-tls-cert=server.pem --rpc-tls-key=server.pem",
		"rpc-tls-certificate": "console", "rpc-http-endpoint": "--rpc-http=127.0.0.1:3", "from-command-file": "console --yes /w/f.txt",
	}
	spellings := 0
	for _, o := range cliWalletOptions() {
		if spellings++; o.short != "" {
			spellings++
		}
		if o.apply == nil || o.short == "p" {
			continue
		}
		given := value[o.long]
		lines := [][]string{{"--" + o.long}, {"-" + o.short}}
		if o.takes != noArgument {
			lines = [][]string{{"--" + o.long, given}, {"--" + o.long + "=" + given}, {"-" + o.short, given}, {"-" + o.short + given}}
		}
		for _, line := range lines {
			if line[0] == "-" {
				continue // it has no letter
			}
			c, err := readCLIWallet(line, flagsOfRoot(rootCommand(nil)))
			must(t, err)
			own, err := c.ownWords(true)
			if got := strings.Join(own, " "); err != nil || got != want[o.long] || len(c.given) != 1 {
				t.Errorf("%q is %q (%d options), %v", line, got, len(c.given), err)
			}
		}
	}
	if spellings != 13*2+4 {
		t.Errorf("%d spellings are known", spellings)
	}
}

// What options are together: implied values, what excludes what, what stands among our own flags, and what is no option.
func TestCommandLinesOfCLIWallet(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"-s -r -H":     "--daemon-url=ws://127.0.0.1:8090 --rpc-ws=127.0.0.1:8091 --rpc-http=127.0.0.1:8093",
		"-H -w":        "--data-dir=wallet.billfold --rpc-http=127.0.0.1:8093",
		"-t -c /p.pem": "--rpc-ws=127.0.0.1:8092 --rpc-tls-cert=/p.pem --rpc-tls-key=/p.pem",
		"-H --data-dir /x --packages-path /p -w a.json --chain-id=ab": "--data-dir=/x --packages-path=/p --chain-id=ab --rpc-http=127.0.0.1:8093",
		"-r 127.0.0.1:1 -f x.txt":                                     "console --yes x.txt",
		"-s ws://a:1 call info -s":                                    "--daemon-url=ws://a:1 call info -s",
		"-s ws://a:1 --rpc-socket":                                    "--rpc-socket --daemon-url=ws://a:1",
		"-u  -p  -H":                                                  "--rpc-http=127.0.0.1:8093",
		"-s ws://a:1 -t -H":                                           "error: -t of cli_wallet does not go with -r or -H",
		"-H -H":                                                       "error: -H of cli_wallet is given twice",
		"-l":                                                          "error: -l of cli_wallet needs a value",
		"-gx":                                                         "error: -g of cli_wallet takes no value",
		"--rpc-http -l W":                                             "--rpc-http --log-level=warn",
		"-r -lO --log-level debug":                                    "--log-level=debug --rpc-ws=127.0.0.1:8091",
		"--log-level E -s --rpc-socket":                               "--rpc-socket --daemon-url=ws://127.0.0.1:8090 --log-level=error",
		"--log-level=info --rpc-ws -s":                                "--log-level=info --rpc-ws --daemon-url=ws://127.0.0.1:8090",
		"--log-level D -f x.txt":                                      "console --yes x.txt",
		"-H -l info":                                                  "error: the log level of cli_wallet is one of the letters",
		"--data-dir -s --linear":                                      "--data-dir=-s --linear",
		"-- -s":                                                       "-- -s",
		"-rpc-http":                                                   "error: flags begin with two dashes; did you mean --rpc-http?",
		"-packages-path=/p":                                           "error: flags begin with two dashes; did you mean --packages-path?",
		"-server-rpc-endpont":                                         "error: flags begin with two dashes; did you mean --server-rpc-endpoint?",
		"--sandbox --theme dark --help -Z x":                          "--sandbox --theme=dark --help -Z x",
	} {
		c, err := readCLIWallet(strings.Split(line, " "), flagsOfRoot(rootCommand(nil)))
		own := []string(nil)
		if err == nil {
			if own, err = c.ownWords(true); len(c.given) == 0 {
				own = slices.Concat(c.before, c.rest)
			}
		}
		got := strings.Join(own, " ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want && !(err != nil && strings.HasPrefix(got, want)) {
			t.Errorf("%s is\n%s, not\n%s", line, got, want)
		}
	}
}

// No flag of ours has the name or the letter of an option of cli_wallet, unless it means the same.
func TestFlagsDoNotCollideWithCLIWallet(t *testing.T) {
	t.Parallel()
	root := rootCommand(nil)
	ours := flagsOfRoot(root)
	for _, o := range cliWalletOptions() {
		if is := ours.Lookup(o.long) != nil; is != (o.apply == nil || o.values != "") {
			t.Errorf("--%s is a flag of ours: %v; the table says otherwise", o.long, is)
		}
	}
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Shorthand != "" && f.Name != "help" {
				t.Errorf("%s has -%s, and letters are those of cli_wallet", cmd.CommandPath(), f.Shorthand)
			}
		})
		for _, below := range cmd.Commands() {
			look(below)
		}
	}
	look(root)
}

const (
	optionsBegin = "<!-- the options of cli_wallet; make docs writes this table -->\n"
	optionsEnd   = "<!-- end of the table -->\n"
)

// The documentation lists what became of every option.
func TestMigrationDocsAreFresh(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "migrate.md")
	old, err := os.ReadFile(path)
	must(t, err)
	before, rest, found := strings.Cut(string(old), optionsBegin)
	_, after, closed := strings.Cut(rest, optionsEnd)
	if !found || !closed {
		t.Fatalf("%s has no place for the table", path)
	}
	fresh := []byte(before + optionsBegin + cliWalletMarkdown() + optionsEnd + after)
	if bytes.Equal(fresh, old) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the table of options says; run make docs", path)
	}
	must(t, os.WriteFile(path, fresh, 0o644))
}

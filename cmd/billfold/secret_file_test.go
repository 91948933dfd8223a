package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"billfold/cmd/billfold/access"
	"billfold/cmd/billfold/remotewallet"
	"billfold/ledger"
	"billfold/walletcore/testwallet"
)

// No file of a secret that is empty, or has more than one line, is read as if there were none, or one with a line end in it.
func TestFilesOfSecretsHaveOneLine(t *testing.T) {
	folder := testwallet.Folder(t)
	s := &settings{daemonURLs: []string{"ws://127.0.0.1:1"}, daemonUsers: []string{"exchange"}}
	readers := map[string]func(path string) (string, error){
		"--token-file": func(path string) (string, error) { return target{tokenFile: path}.token(access.Trust{}) },
		"--password-from": func(path string) (string, error) {
			return s.backupPassword(t.Context(), "--password-from", path, nil)
		},
		"--daemon-password-file": func(path string) (string, error) {
			s.daemonPasswords = []string{path}
			user, err := s.daemonUserAt(s.daemonURLs[0])
			return user.Password, err
		},
		"--unlock-from": func(path string) (string, error) {
			line, err := s.passwordFrom(t.Context(), path)
			return string(line), err
		},
	}
	for name, read := range readers {
		for text, want := range map[string]string{
			"": "it is empty", "\n": "it is empty", "\ufeff\r\n": "it is empty", "\x00": "it is empty",
			"\ufeff\r\nmine\n": "its first line is empty",
			"mine\nsecond\n":   "there are several lines", "mine\r\rsecond": "there are several lines", "\xff\xfes\x00": "UTF-16",
			"secret\n": "", "secret\r\n\r\n": "", "\ufeffsecret": "", "secret\x1a": "",
		} {
			path := writeFile(t, folder, "secret", text)
			got, err := read(path)
			switch {
			case want == "" && (err != nil || got != "secret"):
				t.Errorf("%s with %q: %q, %v", name, text, got, err)
			case want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "mine")):
				t.Errorf("%s with %q: %v, want %q", name, text, err, want)
			}
		}
		for _, text := range []string{"\nmine\n", "\r\n\r\nmine", " \t\nmine"} { // what is around a token is left out, a password keeps its blanks
			path := writeFile(t, folder, "secret", text)
			if _, err := read(path); name != "--token-file" && (err == nil || !strings.Contains(err.Error(), path+": its first line is empty")) {
				t.Errorf("%s with %q: %v", name, text, err)
			}
		}
	}
}

// A token that cannot stand in a header is refused before anything is sent, with the file and what is wrong with it.
func TestTokensThatCannotBeSent(t *testing.T) {
	folder := testwallet.Folder(t)
	for text, want := range map[string]string{
		"Bearer billfold_a_b\n": "without Bearer", "bearer billfold_a_b": "without Bearer", "Authorization: Bearer billfold_a_b": "without Bearer",
		`"billfold_a_b"`: "quotes", "“billfold_a_b”": "quotes", "billfold_a_b # mine": "it has a blank in it", "\u200b": "it is empty",
		"billfold_a\u200b_b": "its character 11 is U+200B", "billfold_ä": "its character 10 is U+00E4", "billfold\x01": "its character 9 is U+0001",
		"billfold_a\xff":                       "its character 11 is U+FFFD",
		ledger.DeriveKey("misplaced", 0).WIF(): "a private key in it, which is sent to nobody", ledger.DeriveKey("misplaced", 0).WIF()[2:]: "which is sent to nobody",
		" billfold_a_b \n": "", "billfold_a_b\x00": "", "\u00a0billfold_a_b": "",
	} {
		path := writeFile(t, folder, "token", text)
		got, err := target{tokenFile: path}.token(access.Trust{})
		switch {
		case want == "" && (err != nil || got != "billfold_a_b"):
			t.Errorf("%q: %q, %v", text, got, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) ||
			strings.Contains(strings.ReplaceAll(err.Error(), path, ""), "billfold_")):
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A flag that names a file or a place is never left out by an empty value, as of a variable that is not set.
func TestFlagsThatNameAFileAreNotEmpty(t *testing.T) {
	for _, args := range [][]string{
		{"call", "--token-file=", "info"}, {"call", "--to=", "info"}, {"pay", "--token-file=", "x.csv"}, {"console", "--server-cert="},
		{"status", "--token-file= "}, {"backup", "--password-from=", "file"}, {"restore", "--password-from=", "file"},
		{"restore", "--check", "--wallet-password-from=", "file"},
		{"pay", "--verify=", "x.csv"}, {"pay", "--label=", "x.csv"},
	} {
		root := rootCommand(nil)
		root.SetArgs(append(args, "--data-dir", filepath.Join(testwallet.Folder(t), "wallet")))
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		if err := root.Execute(); err == nil || !strings.Contains(err.Error(), "it is empty; leave it out") {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// A server that does not know a token says so: it is not told as one that requires a token.
func TestATokenThatTheServerDoesNotKnow(t *testing.T) {
	t.Parallel()
	folder := testwallet.Folder(t)
	server := start(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--rpc-auth").line(`^wallet API over HTTP on (http://\S+)$`)
	for token, want := range map[string]string{
		"": "the wallet server requires a token",
		"billfold_aaaaaaaa_" + strings.Repeat("a", 52): "the wallet server does not accept the token of --token-file: This token is not known",
	} {
		args := []string{"call", "--to", server, "is_locked"}
		if token != "" {
			args = append([]string{"call", "--token-file", writeFile(t, folder, "token", token)}, args[1:]...)
		}
		if _, problems, code := runToEnd(t, "", args...); code != 1 || !strings.Contains(problems, want) {
			t.Errorf("%q: %d, %s; want %s", token, code, problems, want)
		}
	}
}

// An address with a query is none of a wallet server: the query would be dropped.
func TestAServerHasNoQuery(t *testing.T) {
	for _, address := range []string{"http://127.0.0.1:8093/rpc?x=1", "http://127.0.0.1:8093?", "https://wallet.example/rpc#a"} {
		if _, err := remotewallet.OpenURL(address, "", ""); err == nil || !strings.Contains(err.Error(), "has a ? or # in it") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

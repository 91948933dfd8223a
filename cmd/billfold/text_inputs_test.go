package main

import (
	"bufio"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/cmd/billfold/setting"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/ledger/usertext"
	"billfold/sandbox"
	"billfold/walletcore/commandline"
	"billfold/walletcore/cosign"
	"billfold/walletcore/payout"
)

// otherTexts are the functions that read bytes which this program, its system or another program on the wire wrote, and no person.
var otherTexts = map[string]string{
	"sandbox/state_file.go read": "its own state", "walletcore/store/postgres/mark.go": "its own mark", "walletcore/store/postgres/mark.go lockFolder": "the system's boot id",
	"walletcore/store/sqlite/mark.go": "its own mark", "tui/lastview/lastview.go": "its own note", "keystore/memory_linux.go": "the system's limits",
	"keystore/copy.go": "its own key file", "keystore/backup.go": "its own backups", "keystore/backup_age.go OpenBackupWith": "its own backups", "cmd/billfold/remotewallet/remote.go": "a server's answer", "cmd/billfold/shell/history.go": "its own history",
	"rpcserver/attack/client.go": "a server's answer", "sandbox/serve.go": "what the node's clients send, judged as the node does",
	"cmd/billfold/access/access.go": "its callers decode", "cmd/billfold/shell/read.go": "its callers decode", "walletcore/vault/legacy.go": "keystore.ReadLegacy decodes",
	"cmd/billfold/txfile.go": "cosign.Parse decodes", "tui/files.go": "cosign.Parse decodes", "cmd/billfold/payrun/errors.go": "payout decodes",
	"cmd/billfold/console.go": "secrets.line decodes", "cmd/billfold/sandbox.go": "the readers it is given decode", "tui/terminal/lines.go": "typed lines",
	"cmd/billfold/settings.go": "setting.Table decodes", "cmd/billfold/unlock_from.go": "secretIn decodes", "cmd/billfold/daemon_users.go": "secretIn decodes", "cmd/billfold/target.go": "tokenIn decodes",
	"content/archive/reader.go": "a package", "content/ipfs/client.go": "an IPFS daemon's answer", "content/ipfs/upload.go": "an IPFS daemon's answer",
	"sandbox/ipfs/folder.go": "its own list of names", "rpcserver/auth/certificate/certificate.go": "the reader it is given decodes", "cmd/billfold/index_dir.go": "its own note",
}

// Whoever reads text that people or other programs wrote has it decoded by usertext: another way of reading is named above, with why.
func TestEveryTextIsReadByTheOneReader(t *testing.T) {
	root := filepath.Join("..", "..")
	used := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(rel, "internal") || strings.HasPrefix(d.Name(), ".") && rel != "." || strings.HasSuffix(rel, "test") || d.Name() == "testdata" ||
			rel == "walletcore/testwallet"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go"):
			return nil
		}
		source, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, declared := range source.Decls {
			f, is := declared.(*ast.FuncDecl)
			if !is {
				continue
			}
			reads, decodes := "", false
			ast.Inspect(f, func(n ast.Node) bool {
				if s, is := n.(*ast.SelectorExpr); is {
					from := s.X
					if field, is := from.(*ast.SelectorExpr); is {
						from = field.Sel
					}
					name := fmt.Sprint(from, ".", s.Sel)
					switch name {
					case "os.ReadFile", "io.ReadAll", "access.Read", "trust.Read", "bufio.NewReader", "bufio.NewReaderSize", "bufio.NewScanner", "fs.ReadFile", "shell.ReadFile":
						reads = name
					}
					decodes = decodes || strings.HasPrefix(name, "usertext.Decode")
				}
				return true
			})
			place := rel
			if otherTexts[rel+" "+f.Name.Name] != "" {
				place += " " + f.Name.Name
			}
			switch {
			case reads == "" || decodes || f.Name.Name == "newSecrets":
			case otherTexts[place] != "":
				used[place] = true
			default:
				t.Errorf("%s: %s reads with %s; decode what people write with usertext, or say in otherTexts who wrote it", rel, f.Name.Name, reads)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for place := range otherTexts {
		if !used[place] {
			t.Errorf("%s reads nothing else than the one reader does; take it off the list", place)
		}
	}
}

// textInput is a place that reads text.
type textInput struct {
	text string
	read func(text []byte) (string, error) // returns what was understood
}

// textInputs returns the places that read text, each with a text that it reads.
func textInputs(t *testing.T) map[string]textInput {
	wallet, err := os.ReadFile("testdata/wallet-legacy.json")
	must(t, err)
	genesis, err := os.ReadFile("testdata/genesis.json")
	must(t, err)
	wif := ledger.DeriveKey("text", 0).WIF()
	commands := func(text []byte) (string, error) {
		in, all := &secrets{lines: bufio.NewReader(strings.NewReader(string(text)))}, []string{}
		for {
			line, _, err := in.line()
			if errors.Is(err, io.EOF) {
				return strings.Join(all, " | "), nil
			} else if err != nil {
				return "", err
			}
			if commandline.IsEmpty(line) {
				continue
			}
			c, err := commandline.Parse(line)
			if err != nil {
				return "", err
			}
			all = append(all, fmt.Sprintf("%s %s", c.Method, c.Params))
		}
	}
	return map[string]textInput{
		"payout": {"account,amount,asset\nbobby,1.5,DCT\n", func(text []byte) (string, error) {
			f := payout.Read(text)
			if len(f.Faults) > 0 {
				return "", fmt.Errorf("%v", f.Faults)
			}
			return fmt.Sprint(f.Rows), nil
		}},
		"command file": {"# payments\ntransfer alice bobby 1 DCT a true\nlock\n", commands},
		"private key": {wif + "\n", func(text []byte) (string, error) {
			key, err := ledger.ParseWIF(string(text))
			return key.Public().String(), err
		}},
		"phrase":      {"ginger plume cactus\n", func(text []byte) (string, error) { return ledger.BrainKeyForms(string(text))[0], nil }},
		"wallet.json": {string(wallet), func(text []byte) (string, error) { return "", keystore.CheckLegacy(text) }},
		"genesis": {string(genesis), func(text []byte) (string, error) {
			_, err := sandbox.ReadGenesis(text)
			return "", err
		}},
		"transaction file": {`{"billfold_transaction": 0}`, func(text []byte) (string, error) {
			_, err := cosign.Parse(text)
			if err != nil && strings.Contains(err.Error(), "it has version 0") {
				err = nil
			}
			return "", err
		}},
		"settings": {"log-level: debug\n", func(text []byte) (string, error) {
			var level string
			table := setting.New("BILLFOLD_", []setting.Setting{{Name: "log-level", Value: setting.Choice(&level, "info", "debug")}})
			err := table.ReadFile(func() ([]byte, string, error) { return text, "config.yaml", nil })
			return level, err
		}},
	}
}

// lockFile returns the file that Word (162 bytes) and Excel (165) keep beside one that is open.
func lockFile(name string, size int) string {
	wide := ""
	for _, r := range name {
		wide += string(r) + "\x00"
	}
	begin := string(rune(len(name))) + name + strings.Repeat(" ", 53+size%2-len(name)) + string(rune(len(name))) + "\x00" + wide
	return begin + strings.Repeat(" \x00", (size-len(begin))/2)
}

// Every place that reads text names what other programs leave in place of one.
func TestFilesOfOtherProgramsAreNamed(t *testing.T) {
	const lock = "the lock file of a program that has another file open"
	for name, input := range textInputs(t) {
		if name == "phrase" || name == "private key" { // a line of standard input
			continue
		}
		for text, want := range map[string]string{
			"\r\n<!DOCTYPE html>\n<html><body>log-level: debug</body></html>\n": "a web page (HTML)", "<html lang=\"en\">": "a web page (HTML)",
			`{\rtf1\ansi{\fonttbl} log-level: debug\par}`: "a document of a word processor (RTF)", usertext.Mark + `{\rtf1 a}`: "a document of a word processor (RTF)",
			lockFile("Alice", 162): lock, lockFile("Robin Smith", 165): lock, ",alice,desk,01.12.2026 04:30,file:///home/alice/.config/libreoffice/4;": lock,
		} {
			if _, err := input.read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "no JSON") {
				t.Errorf("%s: %.20q: %v, want %s", name, text, err, want)
			}
		}
	}
}

// A line ends at a carriage return, too, whether it holds an operation or a secret: a password is never what stands behind it.
func TestSecretsEndWhereLinesEnd(t *testing.T) {
	in := &secrets{ctx: t.Context(), in: strings.NewReader(""), lines: bufio.NewReader(strings.NewReader("unlock\rfirst\nset_password\rn3w\rlock\n\ufeffis_locked\x1a\n"))}
	for i, want := range []string{"unlock", "+first", "set_password", "+n3w", "lock", "is_locked"} {
		secret, is := strings.CutPrefix(want, "+")
		got, number, err := "", i+1, error(nil)
		if is {
			got, err = in.Ask("Password")
		} else {
			got, number, err = in.line()
		}
		if got != secret || number != i+1 || err != nil {
			t.Errorf("line %d is %q (%d, %v), want %q", i+1, got, number, err, secret)
		}
	}
	if _, err := in.Ask("Password"); err == nil || !strings.Contains(err.Error(), "standard input has ended") {
		t.Errorf("after the end: %v", err)
	}
}

// Every place that reads text reads it with a mark in front and with other line ends as without, and names UTF-16.
func TestTextOfOtherProgramsIsRead(t *testing.T) {
	for name, input := range textInputs(t) {
		want, err := input.read([]byte(input.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		ends := map[string]string{"a mark": usertext.Mark + input.text, "CRLF": strings.ReplaceAll(input.text, "\n", "\r\n"),
			"a mark and CRLF": usertext.Mark + strings.ReplaceAll(input.text, "\n", "\r\n"), "no last line end": strings.TrimRight(input.text, "\n"),
			"an end of DOS": input.text + "\x1a", "an end of DOS on the last line": strings.TrimRight(input.text, "\n") + "\x1a\x1a\r\n"}
		if name == "payout" || name == "command file" { // texts of lines, which other texts are joined to
			ends["CR"], ends["a mark and CR"] = strings.ReplaceAll(input.text, "\n", "\r"), usertext.Mark+strings.ReplaceAll(input.text, "\n", "\r")
		}
		for how, text := range ends {
			if got, err := input.read([]byte(text)); err != nil || got != want {
				t.Errorf("%s with %s: %q, %v; want %q", name, how, got, err, want)
			}
		}
		if name == "phrase" || name == "private key" { // a line of standard input, which has been read
			continue
		}
		for _, mark := range []string{"\xff\xfe", ""} {
			if _, err := input.read([]byte(mark + strings.Join(strings.Split(input.text, ""), "\x00") + "\x00")); err == nil || !strings.Contains(err.Error(), "UTF-16") {
				t.Errorf("%s in UTF-16: %v", name, err)
			}
		}
	}
}

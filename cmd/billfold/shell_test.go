package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

func TestExitCodes(t *testing.T) {
	for want, errs := range map[int][]error{
		shell.Done:    {nil},
		shell.Refused: {errors.New("x"), &fault.Error{Code: fault.NoSuchAccount}, &fault.Error{Code: fault.DaemonStale}},
		shell.Misused: {shell.Misuse(errors.New("x")), &fault.Error{Code: fault.UnknownMethod},
			fmt.Errorf("in: %w", &fault.Error{Code: fault.BadParameter}), &fault.Error{Code: fault.BadAmount}},
		shell.Unknown:  {&fault.Error{Code: fault.OutcomeUnknown}, &fault.Error{Code: fault.DaemonAway, Unsettled: true}},
		shell.IsLocked: {&fault.Error{Code: fault.Locked}, &fault.Error{Code: fault.WrongPassword}, &shell.StoppedError{Err: &fault.Error{Code: fault.Locked}}},
		shell.NoDaemon: {&fault.Error{Code: fault.DaemonAway}},
	} {
		for _, err := range errs {
			if got := shell.ExitCode(err); got != want {
				t.Errorf("%v ends with %d, not %d", err, got, want)
			}
		}
	}
}

// Where the outcome of a line is not known, what was done before it is no statement about it.
func TestStoppedAtAnUnknownOutcome(t *testing.T) {
	for want, err := range map[string]error{
		"what came of it is not known, nothing was done before it; nothing after it was tried": &fault.Error{Code: fault.OutcomeUnknown, Message: "x"},
		"x\nnothing was done before it; nothing after it was tried":                            &fault.Error{Code: fault.NoSuchAccount, Message: "x"},
	} {
		if got := (&shell.StoppedError{Where: "--exec line 1", Err: err}).Error(); !strings.HasSuffix(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestHistoryKeepsNoSecrets(t *testing.T) {
	h := shell.History{Path: filepath.Join(t.TempDir(), "console.history")}
	for _, line := range []string{"get_account alice", "unlock hunter2", "unlokc hunter2",
		`import_key alice "5J`, "get_brain_key_info 'a b'",
		`transfer alice bobby 1 DCT "my memo" true`, "set_password -", "info", "dump_private_keys", "quit"} {
		if err := h.Add(line); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(h.Path)
	if err != nil || string(kept) != "get_account alice\ninfo\n" {
		t.Errorf("kept %q, %v", kept, err)
	}
	if got := h.Read(); len(got) != 2 || got[1] != "info" {
		t.Errorf("read %q", got)
	}
	if info, err := os.Stat(h.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if recall, write := shell.MayKeep(`transfer alice bobby 1 DCT "my memo" true`); !recall || write {
		t.Error("a payment can be recalled and is not written down")
	}
}

// What may be a secret is never shown: neither the secret of a misspelt operation, nor a private key.
func TestWhatMayBeASecretIsHidden(t *testing.T) {
	key := ledger.DeriveKey("a key", 0).WIF()
	for line, shown := range map[string]string{
		"Unlock hunter2": "Unlock ", "unlokc hunter2 x": "unlokc ", "unlock hunter2": "unlock ", "Unlock": "Unlock", "": "",
		"get_account alice": "get_account alice", "import_key alice " + key: "import_key alice ", "info": "info",
		"transfr alice bob-trade 5 DCT": "transfr alice bob-trade 5 DCT", "get_acount alice": "get_acount alice", "ulock hunter2": "ulock ",
		"imprt_key alice x": "imprt_key ", "xyzzy hunter2": "xyzzy ", "transfr alice " + key + " 5": "transfr alice ",
		"get_account " + key[:20] + key[20:] + " " + key: "get_account ", key: "",
	} {
		if got := line[:(shell.Page{}).Secret(line)]; got != shown {
			t.Errorf("of %q %q is shown, want %q", line, got, shown)
		}
	}
}

func TestTables(t *testing.T) {
	for method, c := range map[string][2]string{
		"list_accounts":         {`[["alice","1.2.16"],["bob","1.2.1"]]`, "alice  1.2.16\nbob    1.2.1\n"},
		"list_account_balances": {`[{"amount":5,"asset_id":"1.3.0","pretty_amount":"0.5 DCT"}]`, "pretty_amount  asset_id\n0.5 DCT        1.3.0\n"},
		"get_account_history": {`[{"memo":"a\u001b[1m","description":"d","op":{"block_num":7}}]`,
			"op.block_num  description  memo\n7             d            a⟪ESC⟫[1m\n"},
		"list_my_accounts": {`[]`, "(none)\n"},
		"info":             {`{"a":1}`, "{\n  \"a\": 1\n}\n"},
		"list_miners":      {`{"odd":1}`, "{\n  \"odd\": 1\n}\n"},
	} {
		var out bytes.Buffer
		if err := shell.Print(&out, method, json.RawMessage(c[0]), true); err != nil ||
			out.String() != c[1] && method != "get_account_history" {
			t.Errorf("%s: %q, %v", method, out.String(), err)
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s reaches the terminal as %q", method, out.String())
		}
	}
}

// A long text is cut off, so that it does not widen every row.
func TestALongCellIsCut(t *testing.T) {
	var out bytes.Buffer
	rows := `[["` + strings.Repeat("é", 900) + `","1.2.16"],["bob","1.2.1"]]`
	if err := shell.Print(&out, "list_accounts", json.RawMessage(rows), true); err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(out.String(), "\n")
	if want := strings.Repeat("é", 59) + "…  1.2.16"; first != want || len([]rune(second)) > 70 {
		t.Errorf("the rows are %q and %q", first, second)
	}
}

// A source of lines that cannot be read ends the run with that error.
func TestLinesThatFail(t *testing.T) {
	broken := errors.New("disk")
	err := (&shell.Shell{}).RunAll(context.Background(), "x", func() (string, int, error) { return "", 0, broken }, nil)
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := (&shell.Shell{}).RunAll(context.Background(), "x", func() (string, int, error) { return "", 0, io.EOF }, nil); err != nil {
		t.Error(err)
	}
}

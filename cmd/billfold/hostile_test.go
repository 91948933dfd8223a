package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/printable"
)

// hostile is text that takes over a terminal, or hides or reverses the text around it.
const hostile = "pay \x1b]0;owned\a\x1b[2J \u009b31m \u202etxt\u202c \u200b\u2066 \U000e0041 \r end"

// onlySafe fails if text has characters that are invisible or control a terminal.
func onlySafe(t *testing.T, what, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && (!unicode.IsPrint(r) || printable.Invisible(r)) {
			t.Errorf("%s: %q has %U", what, text, r)
			return
		}
	}
}

// Hostile text on the ledger never reaches a terminal unescaped: not in the plain output
// for pipes, not in the JSON of call, not in an error.
func TestHostileTextIsEscaped(t *testing.T) {
	s := newSettings()
	s.sandbox, s.dataDir = true, t.TempDir()
	p, err := newProgram(s)
	must(t, err)
	defer p.close()
	must(t, p.run(t.Context(), func(ctx context.Context) error {
		memo := ledger.PlainMemo(hostile)
		_, err := p.box.PushUnsigned(ledger.NewOperation(&ledger.TransferObsoleteOp{From: 18, To: 16,
			Amount: ledger.AssetAmount{Amount: 1}, Memo: &memo}))
		must(t, err)
		_, err = p.box.Mine()
		must(t, err)
		var page, history, text bytes.Buffer
		must(t, p.printPlain(ctx, &page))
		sh := shell.Shell{Wallet: ownWallet{p: p}, Yes: true}
		result, err := sh.Run(ctx, shell.Command{Method: "get_account_history", Params: []json.RawMessage{json.RawMessage(`"alice"`), json.RawMessage("1")}})
		must(t, err)
		must(t, shell.PrintJSON(&history, result))
		for what, out := range map[string]string{"page": page.String(), "history": history.String()} {
			onlySafe(t, what, out)
			if !strings.Contains(out, "owned") {
				t.Errorf("%s: %q does not show the memo", what, out)
			}
		}
		var rows []struct {
			Memo        string `json:"memo"`
			Description string `json:"description"`
		}
		must(t, json.Unmarshal(history.Bytes(), &rows))
		if len(rows) != 1 || !strings.Contains(rows[0].Memo+rows[0].Description, hostile) {
			t.Errorf("the JSON %q has another value", history.String())
		}
		value, err := json.Marshal(hostile)
		must(t, err)
		must(t, shell.PrintJSON(&text, value))
		onlySafe(t, "text", text.String())
		return nil
	}))
}

func TestHostileArgumentsAreEscaped(t *testing.T) {
	for _, args := range [][]string{{hostile}, {"--" + hostile}, {"--theme=" + hostile}, {"call", hostile}, {"call", "get_help", hostile},
		{"--data-dir=" + hostile}, {"import", hostile}, {"token", "new", hostile}, {"token", "revoke", hostile}} {
		p := start(t, args...)
		p.dumped = true // it ends with an error
		said := ""
		for line := range p.seen {
			said += line + "\n"
		}
		if said == "" {
			t.Errorf("%q: nothing is said", args)
		}
		onlySafe(t, strings.Join(args, " "), said)
	}
}

package send

import (
	"context"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/walletcore"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// noted keeps the request that the form builds.
type noted struct{ built *txbuild.TransferParams }

func (n *noted) Prepare(_ context.Context, req txbuild.TransferParams) (screen.Built, error) {
	n.built = &req
	return nil, context.Canceled
}

func (n *noted) Resend(context.Context, ledger.TransactionID) error { return nil }

// amountForm is the form with everything filled in but the amount.
func amountForm() (*Model, *noted, screen.Env) {
	core, alice := &noted{}, ledgerview.AccountRef{ID: 34, Name: "alice"}
	var seq uint64
	m := New(Core{Payer: core}, screen.NewTasks(context.Background(), screen.Send, &seq))
	m.form.funds.balances = []ledgerview.Balance{{Asset: ledgerview.AssetRef{Symbol: "DCT", Precision: 8}, Amount: 1248050310000},
		{Asset: ledgerview.AssetRef{ID: 13, Symbol: "USDX", Precision: 2}, Amount: 25000}}
	m.form.funds.feeAsset, m.form.funds.fee, m.form.funds.feeKnown = m.form.funds.balances[0].Asset, 500000, true
	m.form.fields[fieldTo].Set("1.2.57")
	m.form.focus = fieldAmount
	return m, core, screen.Env{Now: time.Unix(1, 0), Class: layout.Home, W: 80, H: 20, Account: alice,
		Accounts: []vault.OwnAccount{{AccountRef: alice, Ownership: vault.OwnershipFull}},
		Status:   walletcore.Status{Status: vault.Status{Lock: vault.Unlocked}, Daemon: walletcore.DaemonOnline}}
}

// strictly is the reading of the text that a person sees: digits with at most one
// point, then blanks and a symbol or nothing. It shares no code with the form.
var strictly = regexp.MustCompile(`^ *([0-9]*)\.?([0-9]*?)0*(?: +([A-Za-z]+))? *$`)

// units is the visible text in units of the asset with the symbol; ok is false
// when it is no amount of it that can be paid.
func units(visible, symbol string) (n *big.Int, ok bool) {
	precision, held := 8, big.NewInt(1248050310000-500000)
	if symbol == "USDX" {
		precision, held = 2, big.NewInt(25000)
	}
	m := strictly.FindStringSubmatch(visible)
	if m == nil || !strings.ContainsAny(visible, "0123456789") || len(m[2]) > precision ||
		m[3] != "" && !strings.EqualFold(m[3], symbol) {
		return nil, false
	}
	n, _ = new(big.Int).SetString("0"+m[1]+m[2]+strings.Repeat("0", precision-len(m[2])), 10)
	return n, n.Sign() > 0 && n.Cmp(held) <= 0
}

// Whatever is typed and pasted: what is built is what can be read in the field,
// to the last unit, or nothing is built and an error is shown.
func FuzzAmountField(f *testing.F) {
	for _, text := range []string{"1.5", "1,5", "1.000,50", "12.5 DCT", "12.5 usdx", "1 000", "0x10", "1e5", "+1", "-1", "１２",
		"1\u200b5", "1\n5", "1\t5",
		"1\u202e5", "5.", ".5", "1..5", "0.000000001", "0", "12480.50310000", "1'000", "1_000", "1\u0301", "1\x1b[31m5", "999999999999999999999999", "12.5 DCTX",
		"1.50000000000", " 5 ", "5\u00a0", "5 D\u0421T", "5 DCT DCT", "5.\n"} {
		f.Add(text, []byte{})
		f.Add(text, []byte{0, 2, 1, 7, 3, 4, 5, 9, 11, 13, 0, 1})
	}
	f.Fuzz(func(t *testing.T, text string, how []byte) {
		if len(text) > 200 { // the field splits its text anew for each key
			return
		}
		m, core, env := amountForm()
		keys := []tea.KeyMsg{
			{},
			{Type: tea.KeyLeft},
			{Type: tea.KeyRight},
			{Type: tea.KeyBackspace},
			{Type: tea.KeyDelete},
			{Type: tea.KeyHome},
			{Type: tea.KeyEnd},
			{Type: tea.KeyCtrlW},
			{Type: tea.KeyRunes, Runes: []rune("b"), Alt: true},
			{Type: tea.KeyCtrlU},
		}
		var pasted []rune
		press := func(k tea.KeyMsg) { m.Update(env, screen.Text{Key: k}) }
		for i, r := range []rune(text) {
			var at byte
			if i < len(how) {
				at = how[i]
			}
			if pasted = append(pasted, r); at&1 == 0 { // else it is part of a longer paste
				press(tea.KeyMsg{Type: tea.KeyRunes, Runes: pasted, Paste: len(pasted) > 1 || r < ' '})
				pasted = nil
				press(keys[int(at/2)%len(keys)])
			}
		}
		press(tea.KeyMsg{Type: tea.KeyRunes, Runes: pasted, Paste: true})

		visible := strings.TrimSuffix(m.form.fields[fieldAmount].Line(10000, true).String(), " ")
		if cmd := m.buildPayment(env); cmd != nil {
			cmd()
		}
		symbol := m.form.text(fieldAsset)
		want, ok := units(visible, symbol)
		switch {
		case core.built == nil && ok:
			t.Fatalf("%q reads as %s units of %s, and is refused: %s", visible, want, symbol, m.form.problem(fieldAmount))
		case core.built == nil && m.form.problem(fieldAmount)+m.form.fault == "":
			t.Fatalf("%q is refused, and nothing says why", visible)
		case core.built == nil:
			return
		case !ok:
			t.Fatalf("%q is not an amount of %s that can be paid, and %q was built", visible, symbol, core.built.Amount)
		}
		if got, good := units(core.built.Amount, core.built.Asset); !good || core.built.Asset != symbol || got.Cmp(want) != 0 {
			t.Fatalf("%q of %s was built as %+v", visible, symbol, *core.built)
		}
	})
}

func (*noted) HasKey(context.Context, string) bool { return false }

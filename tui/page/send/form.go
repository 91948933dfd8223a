package send

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/walletcore"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// fieldID is a field of the form, in reading order.
type fieldID int

const (
	fieldTo fieldID = iota
	fieldAmount
	fieldAsset
	fieldMemo
	fieldCount
)

func (f fieldID) name() string { return [...]string{"To", "Amount", "Asset", "Memo"}[f] }

// memoLimit is how many bytes of memo the form takes.
const memoLimit = 2048

// Form is the typed text of a payment, kept while the wallet is locked.
type Form struct {
	To, Amount, Asset, Memo string
	Plain                   bool
}

// Form returns what is typed.
func (m *Model) Form() Form {
	return Form{m.fields[fieldTo].Value(), m.fields[fieldAmount].Value(), m.fields[fieldAsset].Value(), m.fields[fieldMemo].Value(), m.plain}
}

// Restore types a kept form again. It is no draft's any more.
func (m *Model) Restore(f Form) {
	m.draftOf = 0
	for i, text := range []string{f.To, f.Amount, f.Asset, f.Memo} {
		m.fields[i].Set(text)
	}
	m.plain = f.Plain
}

// prefill types what another page knows of the payment.
func (m *Model) prefill(p screen.Payment) {
	f := Form{To: p.To.Name, Asset: p.Asset.Symbol, Memo: p.Memo}
	if p.To.Name == "" && p.To.ID != 0 {
		f.To = p.To.ID.String()
	}
	if p.Amount != 0 {
		f.Amount = format.Digits(p.Asset, p.Amount)
	}
	if p.To.ID == 0 { // only another asset was chosen
		f = m.Form()
		f.Asset = p.Asset.Symbol
	}
	m.Restore(f)
	m.focus, m.typing, m.fault = fieldTo, true, ""
}

// text is what is typed in a field, without blanks around it.
func (m *Model) text(f fieldID) string { return strings.Trim(m.fields[f].Value(), " ") }

// isAsset reports whether text can be the symbol or the id of an asset.
func isAsset(text string) bool {
	_, err := ledger.ParseAssetID(text)
	return err == nil || ledger.ValidSymbol(strings.ToUpper(text)) == nil
}

// lookAsset asks whether there is the asset that is typed and not held.
func (m *Model) lookAsset(env screen.Env) tea.Cmd {
	symbol := strings.ToUpper(m.text(fieldAsset))
	if _, known := m.asset(); known || symbol == "" || !isAsset(symbol) || !env.Online() {
		m.noAsset = ""
		m.tasks.Forget("asset")
		return nil
	}
	return m.tasks.Start(env, "asset", askLimit, func(ctx context.Context) (any, error) {
		_, err := m.core.Asset(ctx, symbol)
		if fault.CodeOf(err) == fault.NoSuchAsset {
			return missing(symbol), nil
		}
		return missing(""), err
	})
}

// missing is the symbol of an asset that the ledger does not have.
type missing string

// balance finds what the account holds of the asset typed.
func (m *Model) balance() (walletcore.Balance, bool) {
	want := m.text(fieldAsset)
	for _, b := range m.balances {
		if strings.EqualFold(b.Asset.Symbol, want) || b.Asset.ID.String() == want {
			return b, true
		}
	}
	return walletcore.Balance{}, false
}

// asset finds the asset typed: among those held, or DCT, which is always the same.
func (m *Model) asset() (walletcore.AssetRef, bool) {
	if b, ok := m.balance(); ok {
		return b.Asset, true
	}
	core := walletcore.AssetRef{ID: ledger.CoreAsset, Symbol: "DCT", Precision: 8}
	want := m.text(fieldAsset)
	return core, strings.EqualFold(want, core.Symbol) || want == core.ID.String()
}

// amount reads the amount typed, when the asset is known.
func (m *Model) amount() (int64, walletcore.AssetRef, bool) {
	a, ok := m.asset()
	if !ok {
		return 0, a, false
	}
	n, err := ledger.ParseAmountOf(m.text(fieldAmount), a.Symbol, a.Precision)
	return n, a, err == nil
}

// followSymbol makes the symbol that was typed behind an amount the asset, when
// it is one that the account holds.
func (m *Model) followSymbol() {
	_, symbol := ledger.SplitAmount(m.text(fieldAmount))
	for _, b := range m.balances {
		if strings.EqualFold(b.Asset.Symbol, symbol) {
			m.fields[fieldAsset].Set(b.Asset.Symbol)
		}
	}
}

// feeIn is the fee when it is paid in the given asset, else nothing.
func (m *Model) feeIn(a walletcore.AssetRef) int64 {
	if m.feeKnown && m.feeAsset.ID == a.ID {
		return m.fee
	}
	return 0
}

// most types the largest amount that leaves the fee.
func (m *Model) most() {
	if b, ok := m.balance(); ok {
		m.fields[fieldAmount].Set(format.Digits(b.Asset, max(b.Amount-m.feeIn(b.Asset), 0)))
	}
}

// problem is what is wrong with a field, as far as the form itself can tell;
// empty while nothing was typed.
func (m *Model) problem(f fieldID) string {
	if m.fields[f].Empty() {
		return ""
	}
	if f == fieldAmount && !m.fields[f].HoldsKey() { // it says more of what an amount cannot hold
		return m.amountProblem()
	}
	if failure := m.fields[f].Fault(); failure != "" {
		return failure
	}
	text := m.text(f)
	switch f {
	case fieldTo:
		if _, err := ledger.ParsePublicKey(text); err == nil {
			return "that is a public key, not an account; write an account name or id"
		}
		if lower := strings.ToLower(text); lower != text {
			return "names are written in small letters; write " + format.Clean(lower)
		}
	case fieldAsset:
		if _, ok := m.balance(); !ok && len(m.balances) > 0 {
			if m.noAsset == strings.ToUpper(text) || !isAsset(text) {
				return "there is no such asset"
			}
			return "you hold none of this asset"
		}
	case fieldMemo:
		if n := len(m.fields[f].Value()); n > memoLimit {
			return "longer than " + format.Count(memoLimit) + " bytes"
		}
	}
	return ""
}

// amountProblem is what is wrong with the amount. Its digits are checked also
// while the asset is not known.
func (m *Model) amountProblem() string {
	text := m.text(fieldAmount)
	a, known := m.asset()
	if !known {
		text, _ = ledger.SplitAmount(text)
		a = walletcore.AssetRef{Precision: ledger.MaxPrecision}
	}
	n, err := ledger.ParseAmountOf(text, a.Symbol, a.Precision)
	b, held := m.balance()
	switch {
	case err != nil:
		return format.AmountFault(err)
	case n <= 0:
		return "an amount above zero is needed"
	case !held:
		return ""
	case n > b.Amount:
		return "more than there is: " + format.Money{}.Amount(b.Asset, b.Amount).String()
	case n > b.Amount-m.feeIn(b.Asset):
		return "more than there is with the fee: " + format.Money{}.Amount(b.Asset, b.Amount).String() + ", fee " +
			format.Money{}.Amount(m.feeAsset, m.fee).String()
	}
	return ""
}

// build asks the core for the operation; nothing is signed by that.
func (m *Model) build(env screen.Env) tea.Cmd {
	m.fault = ""
	for f := fieldTo; f < fieldCount; f++ {
		missing := f != fieldMemo && m.text(f) == ""
		if missing || m.problem(f) != "" {
			m.focus, m.typing = f, true
			if missing {
				m.fault = "Fill in " + f.name() + "."
			}
			return nil
		}
	}
	switch {
	case len(env.Accounts) == 0:
		m.fault = "This wallet has no account to pay from. On Home, i imports a key or a wallet.json."
		return nil
	case env.Status.JournalFault != "":
		m.fault = format.Clean(env.Status.JournalFault) + ". " + advice.Journal
		return nil
	case !env.Unlocked():
		return screen.Request(screen.NeedUnlock{Back: screen.Send})
	case !env.Online():
		m.fault = "No node answers: a payment cannot be built now. What you typed stays; esc, then d, keeps it as a draft."
		return nil
	}
	req := m.request(env)
	return m.tasks.Start(env, "build", askLimit, func(ctx context.Context) (any, error) { return m.core.BuildTransfer(ctx, req) })
}

// request is what the form asks for.
func (m *Model) request(env screen.Env) walletcore.TransferRequest {
	amount := m.text(fieldAmount)
	if _, _, ok := m.amount(); ok {
		amount, _ = ledger.SplitAmount(amount) // the symbol is the asset's
	}
	return walletcore.TransferRequest{From: env.Account.Name, To: m.text(fieldTo), Amount: amount, Asset: m.text(fieldAsset),
		Memo: m.fields[fieldMemo].Value(), Plain: m.plain}
}

// built turns to the review, or says why there is none.
func (m *Model) built(env screen.Env, msg screen.Result) tea.Cmd {
	if msg.Err == nil {
		m.stage, m.typing = stageReview, true
		m.draft = msg.Body.(Draft)
		m.review = review.New(env, m.draft.Review(), review.Ask{Key: "S", Word: "Sign and send", Back: "Back, change it"})
		return m.review.Wake()
	}
	m.fault = advice.Said(msg.Err)
	switch fault.CodeOf(msg.Err) {
	case fault.Locked:
		return screen.Request(screen.NeedUnlock{Back: screen.Send})
	case fault.NoSuchAccount, fault.NoSuchRecipient, fault.EmptyAccount:
		m.focus = fieldTo
	case fault.BadAmount, fault.InsufficientBalance:
		m.focus = fieldAmount
	case fault.NoSuchAsset, fault.EmptyAsset:
		m.focus = fieldAsset
	}
	return nil
}

// clear empties the form; once more brings the text back.
func (m *Model) clear() {
	if m.cleared != nil && m.Form() == (Form{Asset: "DCT"}) {
		m.Restore(*m.cleared)
		m.cleared = nil
		return
	}
	old := m.Form()
	m.cleared = &old
	m.Restore(Form{Asset: "DCT"})
	m.focus, m.fault = fieldTo, ""
}

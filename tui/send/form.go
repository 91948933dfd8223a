package send

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/review"
	"billfold/tui/screen"
	"billfold/tui/show"
	"billfold/walletcore"

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

// Form gives what is typed.
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
func (m *Model) prefill(p screen.Pay) {
	f := Form{To: p.To.Name, Asset: p.Asset.Symbol, Memo: p.Memo}
	if p.To.Name == "" && p.To.ID != 0 {
		f.To = p.To.ID.String()
	}
	if p.Amount != 0 {
		f.Amount = show.Digits(p.Asset, p.Amount)
	}
	if p.To.ID == 0 { // only another asset was chosen
		f = m.Form()
		f.Asset = p.Asset.Symbol
	}
	m.Restore(f)
	m.focus, m.typing, m.fault = fieldTo, true, ""
}

// balance finds what the account holds of the asset typed.
func (m *Model) balance() (walletcore.Balance, bool) {
	want := strings.TrimSpace(m.fields[fieldAsset].Value())
	for _, b := range m.balances {
		if strings.EqualFold(b.Asset.Symbol, want) || b.Asset.ID.String() == want {
			return b, true
		}
	}
	return walletcore.Balance{}, false
}

// amount reads the amount typed, when the asset is known.
func (m *Model) amount() (int64, walletcore.Balance, bool) {
	b, ok := m.balance()
	if !ok {
		return 0, b, false
	}
	n, err := ledger.ParseAmount(show.PlainDigits(m.fields[fieldAmount].Value()), b.Asset.Precision)
	return n, b, err == nil
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
		m.fields[fieldAmount].Set(show.Digits(b.Asset, max(b.Amount-m.feeIn(b.Asset), 0)))
	}
}

// problem is what is wrong with a field, as far as the form itself can tell;
// empty while nothing was typed.
func (m *Model) problem(f fieldID) string {
	text := m.fields[f].Value()
	if strings.TrimSpace(text) == "" {
		return ""
	}
	switch f {
	case fieldAmount:
		return m.amountProblem(text)
	case fieldAsset:
		if _, ok := m.balance(); !ok && len(m.balances) > 0 {
			return "you hold none of this asset"
		}
	case fieldMemo:
		if len(text) > memoLimit {
			return "longer than " + show.Count(memoLimit) + " bytes"
		}
	}
	return ""
}

func (m *Model) amountProblem(text string) string {
	b, ok := m.balance()
	if !ok {
		return ""
	}
	n, err := ledger.ParseAmount(show.PlainDigits(text), b.Asset.Precision)
	switch {
	case err != nil:
		return show.Clean(err.Error())
	case n <= 0:
		return "an amount above zero"
	case n > b.Amount-m.feeIn(b.Asset):
		return "more than there is: " + show.Money{}.Amount(b.Asset, b.Amount).String() + " and the fee"
	}
	return ""
}

// build asks the core for the operation; nothing is signed by that.
func (m *Model) build(env screen.Env) tea.Cmd {
	m.fault = ""
	for f := fieldTo; f < fieldCount; f++ {
		missing := f != fieldMemo && strings.TrimSpace(m.fields[f].Value()) == ""
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
		m.fault = "This wallet has no account to pay from."
		return nil
	case !env.Unlocked():
		return screen.Ask(screen.NeedUnlock{Back: screen.Send})
	case !env.Online():
		m.fault = "No node answers: a payment cannot be built now. What you typed stays; esc, then d, keeps it as a draft."
		return nil
	}
	req := m.request(env)
	return m.desk.Ask(env, "build", askLimit, func(ctx context.Context) (any, error) { return m.core.BuildTransfer(ctx, req) })
}

// request is what the form asks for.
func (m *Model) request(env screen.Env) walletcore.TransferRequest {
	return walletcore.TransferRequest{From: env.Account.Name, To: strings.TrimSpace(m.fields[fieldTo].Value()),
		Amount: show.PlainDigits(m.fields[fieldAmount].Value()), Asset: strings.TrimSpace(m.fields[fieldAsset].Value()),
		Memo: m.fields[fieldMemo].Value(), Plain: m.plain}
}

// built turns to the review, or says why there is none.
func (m *Model) built(env screen.Env, msg screen.Mail) tea.Cmd {
	if msg.Err == nil {
		m.stage, m.typing = stageReview, true
		m.draft = msg.Body.(Draft)
		m.review = review.New(env, m.draft.Review(), review.Ask{Key: "S", Word: "Sign and send", Back: "Back, change it"})
		return m.review.Wake()
	}
	what, next := advice.Of(msg.Err)
	m.fault = what + " " + next
	switch walletcore.CodeOf(msg.Err) {
	case walletcore.CodeLocked:
		return screen.Ask(screen.NeedUnlock{Back: screen.Send})
	case walletcore.CodeNoSuchAccount, walletcore.CodeNoSuchRecipient, walletcore.CodeEmptyAccount:
		m.focus = fieldTo
	case walletcore.CodeBadAmount, walletcore.CodeInsufficientBalance:
		m.focus = fieldAmount
	case walletcore.CodeNoSuchAsset, walletcore.CodeEmptyAsset:
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

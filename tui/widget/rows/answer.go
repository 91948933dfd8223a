package rows

import (
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// NoPayment is the reason why a row cannot be answered with a payment.
const NoPayment = "only a payment can be repeated or paid back"

// Answer returns the payment that answers a row: a payment from the account in focus once more, without its memo, or one to the sender
// of a payment to it, in the same asset and without an amount. ok is false if the row is neither.
func Answer(e history.Entry) (pay screen.Payment, ok bool) {
	switch {
	case !e.Pays() || e.Amount == 0:
	case e.Direction == history.Out:
		return screen.Payment{To: e.To, Asset: e.Asset, Amount: e.Amount}, true
	case e.Direction == history.In:
		return screen.Payment{To: e.From, Asset: e.Asset}, true
	}
	return screen.Payment{}, false
}

// AnswerWord returns what Answer does with a row, for the hint line.
func AnswerWord(e history.Entry) string {
	if e.Direction == history.In {
		return "pay back"
	}
	return "repeat"
}

// PayAgain opens the payment form with the answer to a row, a repeated payment with its memo. Nothing is signed.
func PayAgain(e history.Entry) tea.Cmd {
	pay, ok := Answer(e)
	if !ok {
		return screen.NotNow(NoPayment)
	}
	var without tea.Cmd
	if e.Direction == history.Out {
		switch e.MemoState {
		case vault.MemoNone:
		case vault.MemoOpen, vault.MemoPlain:
			pay.Memo = e.Memo
		case vault.MemoLocked, vault.MemoForeign, vault.MemoDamaged:
			without = screen.Request(screen.Toast{Urgent: true, Line: canvas.Text("Its memo was left out: it cannot be read now")})
		}
	}
	return tea.Batch(screen.Request(screen.Navigate{To: screen.Send, With: pay}), without)
}

// Partner returns the other side of a row; ok is false if there is none but the account in focus.
func Partner(env screen.Env, e history.Entry) (who ledgerview.AccountRef, ok bool) {
	return e.With, e.With.ID != env.Account.ID && e.With.Name != ""
}

// WriteTo opens a message to the other side of a row.
func WriteTo(env screen.Env, e history.Entry) tea.Cmd {
	who, ok := Partner(env, e)
	if !ok {
		return screen.NotNow(NoPartner)
	}
	return screen.Request(screen.Navigate{To: screen.Messages, With: screen.Recipient{Account: who}})
}

// NoPartner is the reason why a row has nobody to write to.
const NoPartner = "the row is with no other account"

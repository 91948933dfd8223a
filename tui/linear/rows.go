package linear

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/progress"
	"billfold/tui/widget/rows"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// rowLine describes a row on one line: when, what, with whom.
func rowLine(env screen.Env, e history.Entry) canvas.Line {
	out := canvas.Text(env.Times().Stamp(e.Time) + ", ")
	sign, asset, amount, moved := rows.Moved(env, e)
	word := map[string]string{"+": "in ", "-": "out "}[sign]
	switch {
	case e.Direction == history.Other || e.Amount == 0 || !e.Pays():
		out = canvas.Join(out, canvas.Text(format.Clean(e.Name)))
		switch {
		case e.Amount != 0:
			out = canvas.Join(out, canvas.Text(", "+word), amounts(env, e))
		case moved:
			out = canvas.Join(out, canvas.Text(", fee only, out "), env.Money().Amount(asset, amount))
		}
		return canvas.Join(out, otherSide(env, e), memoShort(e))
	case sign == "+":
		out = canvas.Join(out, canvas.Text(word), amounts(env, e), canvas.Text(", from "), format.Account(e.From))
	default:
		out = canvas.Join(out, canvas.Text(word), amounts(env, e), canvas.Text(", to "), format.Account(e.To))
	}
	return canvas.Join(out, memoShort(e))
}

// amounts returns what a row moves of each asset.
func amounts(env screen.Env, e history.Entry) canvas.Line {
	out := env.Money().Amount(e.Asset, e.Amount)
	for _, also := range e.Also {
		out = canvas.Join(out, canvas.Text(" and "), env.Money().Amount(also.Asset, also.Amount))
	}
	return out
}

// otherSide returns with whom a row is that is no payment, and in which direction what it moves went.
func otherSide(env screen.Env, e history.Entry) canvas.Line {
	word := ", with "
	switch {
	case e.With == (ledgerview.AccountRef{}) && !e.Pays():
		return canvas.Text(", with the ledger")
	case e.With.ID == env.Account.ID || e.With.Name == "":
		return nil
	case e.Direction == history.In, e.Name == history.MessageName && e.To.ID != e.With.ID:
		word = ", from "
	case e.Direction != history.Other, e.Name == history.MessageName:
		word = ", to "
	}
	return canvas.Join(canvas.Text(word), format.Account(e.With))
}

// memoCells is the maximum width of a memo in a row, in cells.
const memoCells = 40

func memoShort(e history.Entry) canvas.Line {
	if e.MemoState != vault.MemoOpen && e.MemoState != vault.MemoPlain {
		return nil
	}
	return canvas.Join(canvas.Text(", memo "), format.Quote(e.Memo, memoCells))
}

// sayRow prints everything about a row.
func (d *Conversation) sayRow(env screen.Env, e history.Entry) {
	d.Tell("Operation", format.Clean(e.Name)+" "+e.ID.String())
	d.Tell("Time", env.Times().Stamp(e.Time)+", "+format.Age(env.Now.Sub(e.Time.Time()))+" ago")
	final := "not final yet"
	if e.Final || e.Block != 0 && e.Block <= env.Status.Irreversible {
		final = "irreversible"
	}
	d.Tell("Block", fmt.Sprintf("%s, transaction %d, %s", format.Block(e.Block), e.TrxInBlock, final))
	if (e.Direction == history.Other || !e.Pays()) && e.Name != history.MessageName {
		d.Fact("By", format.Account(e.From))
	} else {
		d.Fact("From", format.Account(e.From))
		d.Fact("To", format.Account(e.To))
	}
	if e.Amount != 0 {
		d.Fact("Amount", amounts(env, e))
	}
	d.Fact("Fee", canvas.Join(env.Money().Amount(e.FeeAsset, e.Fee), canvas.Text(", by the sender")))
	if e.Sentence != "" && !env.Hidden && (e.Direction == history.Other || !e.Pays()) {
		d.Tell("Does", format.Clean(e.Sentence))
	}
	d.sayMemo(e.MemoState, e.Memo)
}

// sayMemo prints the kind of a memo and, if it can be read, its whole text.
func (d *Conversation) sayMemo(state vault.MemoState, text string) {
	kind := map[vault.MemoState]string{
		vault.MemoNone: "none", vault.MemoOpen: "encrypted, opened here. Text by others:", vault.MemoPlain: "plain, anyone can read it. Text by others:",
		vault.MemoLocked: "encrypted, wallet locked", vault.MemoForeign: "encrypted, the key is not in this wallet",
		vault.MemoDamaged: "damaged: checksum does not match",
	}[state]
	d.Tell("Memo", kind)
	if state == vault.MemoOpen || state == vault.MemoPlain {
		d.quote(text)
	}
}

// quote prints text by others line by line, each between quotes.
func (d *Conversation) quote(text string) {
	for _, l := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		d.Under(format.Quote(l, math.MaxInt))
	}
}

// paymentText returns what a payment does, such as 10 DCT to bob.
func paymentText(env screen.Env, p payment.Payment) canvas.Line {
	if !p.Review.Pays() {
		return format.Summary(env.Money(), p.Review)
	}
	return canvas.Join(env.Money().Amount(p.Review.Asset, p.Review.Amount), canvas.Text(" to "), format.Recipient(p.Review))
}

// pending prints the pending payments.
func (d *Conversation) pending(context.Context, string) error {
	env := d.env()
	all := progress.Underway(env)
	if len(all) == 0 {
		d.Say("No pending payments.")
	}
	for i, p := range all {
		d.Item(i+1, canvas.Join(paymentText(env, p), canvas.Text(": "), progress.Short(env, progress.Known(env, p))))
		if p.State == payment.Unknown && p.ID != (payment.Payment{}).ID {
			d.Under(canvas.Text("send, then resend sends the very same bytes and cannot pay twice."))
		}
	}
	return nil
}

// rowAnswers answers rows of the history: with a payment, or with a message.
type rowAnswers struct {
	*Conversation
	payments *sendPage
	messages *messagesPage
}

// pay starts the payment that answers a row; it asks for what is not known of it.
func (r rowAnswers) pay(ctx context.Context, e history.Entry) error {
	answer, ok := rows.Answer(e)
	if !ok {
		return refuse("That row is neither a payment of yours nor one to you.", "again, with another number.")
	}
	form, known := txbuild.TransferParams{To: answer.To.ID.String(), Asset: answer.Asset.Symbol}, given{to: true, amount: answer.Amount != 0}
	if known.amount {
		form.Amount = format.Digits(answer.Asset, answer.Amount)
		if e.MemoState != vault.MemoNone {
			r.Say("Its memo is not copied.")
		}
	}
	r.at = screen.Send
	return r.payments.repeat(ctx, form, known)
}

// write starts a message to the other side of a row.
func (r rowAnswers) write(ctx context.Context, e history.Entry) error {
	who, ok := rows.Partner(r.env(), e)
	if !ok {
		return refuse("That row is with no other account.", "reply, with another number.")
	}
	r.at = screen.Messages
	return r.messages.write(ctx, who.ID.String())
}

// numberedRow returns the printed row with the number that was typed after word; first is the position of the first of rows.
func numberedRow(printed []history.Entry, first int, text, word string) (history.Entry, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	at := n - 1 - first
	if err != nil || at < 0 || at >= len(printed) {
		return history.Entry{}, misuse("Which row?", word+" and the number of a row in the list.")
	}
	return printed[at], nil
}

package linear

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/walletcore/draft"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
	"billfold/walletcore/paytable"
	"billfold/walletcore/txbuild"
)

// tableForm is a table of payments that is entered line by line.
type tableForm struct {
	*sendPage
	lines        []string
	asset, label string
	number       int64 // of the draft that it continues; 0: none
	sent         bool  // all of it was sent
}

// several asks for the lines of a table, has all payments reviewed together, and sends them. The label tells payouts of the same content apart.
func (p *sendPage) several(ctx context.Context, label string) error {
	return p.enterTable(ctx, &tableForm{sendPage: p, asset: ledgerview.DCT().Symbol, label: strings.TrimSpace(label)})
}

// enterTable asks for a table that has some lines already, or pays it.
func (p *sendPage) enterTable(ctx context.Context, t *tableForm) error {
	if err := p.waitForNode(ctx); err != nil {
		return err
	}
	env, err := p.account()
	if err == nil {
		err = unable(env)
	}
	if err == nil {
		err = p.needUnlock(ctx)
	}
	if err != nil {
		return err
	}
	p.Fact("From", accountLine(env, env.Account.ID))
	return t.keepIfLeft(ctx, t.run(ctx))
}

// run asks for lines until an empty one, and for those that are wrong again, and has the table paid.
func (t *tableForm) run(ctx context.Context) error {
	if len(t.lines) == 0 {
		t.Say("One payment a line: name, amount, and if wanted asset and memo. An empty line ends the table.")
	}
	for ended := len(t.lines) > 0; !ended; {
		line, err := t.Text(ctx, fmt.Sprintf("Line %d", len(t.lines)+1), "a name, an amount, and if wanted asset and memo; empty ends the table; or stop", "")
		if err != nil {
			return err
		}
		if ended = line == ""; !ended {
			t.lines = append(t.lines, line)
		}
	}
	if len(t.lines) == 0 {
		return refuse("The table is empty.", "several, and a line for each payment.")
	}
	for {
		built, err := within(ctx, t.Conversation, "Building", func(ctx context.Context) (screen.Built, error) { return t.opt.Core.Send.Tables.Build(ctx, t.request()) })
		wrong, is := errors.AsType[*paytable.FaultsError](err)
		switch {
		case !is && err != nil:
			return err
		case !is:
			return t.spend(ctx, t.keeping(built.(screen.Several)))
		}
		if err := t.correct(ctx, wrong); err != nil {
			return err
		}
	}
}

// request returns the table as it is built.
func (t *tableForm) request() paytable.Request {
	return paytable.Request{From: t.env().Account.Name, Text: strings.Join(t.lines, "\n"), Asset: t.asset, Label: t.label}
}

// correct asks for the lines that are wrong again, after what is wrong with them.
func (t *tableForm) correct(ctx context.Context, wrong *paytable.FaultsError) error {
	var lines []int
	for _, f := range wrong.Faults {
		t.Say(sentence(format.Clean(capital(f.String()))))
		if f.Line > 0 && !slices.Contains(lines, f.Line) {
			lines = append(lines, f.Line)
		}
	}
	why := refuse("The table was not built.", "send several, with lines that are right.")
	if t.script || len(lines) == 0 {
		return why
	}
	for _, n := range lines {
		if n > len(t.lines) {
			continue
		}
		text, err := t.Text(ctx, fmt.Sprintf("Line %d again, drop leaves it out", n), "the line as it should be, drop, or stop", secretHidden(t.lines[n-1]))
		if err != nil {
			return err
		}
		if strings.EqualFold(text, "drop") {
			text = "" // a blank line pays nobody, and the others keep their numbers
		}
		t.lines[n-1] = text
	}
	return nil
}

// secretHidden returns a line that can be offered again: nothing, if it contains a private key or a phrase.
func secretHidden(line string) string {
	if ledger.SecretIn(line) != "" {
		return ""
	}
	return line
}

// capital returns a text with its first letter in upper case.
func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// draft returns the table as a draft.
func (t *tableForm) draft() draft.Draft {
	r := t.request()
	return draft.Draft{Request: txbuild.TransferParams{From: r.From, To: r.Text, Asset: r.Asset}, Several: true, Label: r.Label}
}

// keepIfLeft keeps what was typed as a draft if it was not sent, and returns why it was left.
func (t *tableForm) keepIfLeft(ctx context.Context, why error) error {
	if why == nil || t.sent || t.script || len(t.lines) == 0 || !t.env().Unlocked() || ledger.SecretIn(strings.Join(t.lines, "\n")+t.label) != "" {
		return why
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askLimit)
	defer cancel()
	if err := (drafts{t.Conversation}).save(ctx, t.draft(), t.number); err != nil {
		t.Say("The table is not kept as a draft.")
		return why
	}
	t.Say("The table is kept as a draft. send drafts lists it.")
	return why
}

// tableOnPage is a built table whose draft is kept until the last of it is sent.
type tableOnPage struct {
	screen.Several
	form *tableForm
}

func (t *tableForm) keeping(built screen.Several) screen.Built { return tableOnPage{built, t} }

// Send implements screen.Built.
func (b tableOnPage) Send(ctx context.Context) (payment.Payment, error) {
	t := b.form
	pay := func(ctx context.Context) (any, error) { return b.Several.Send(ctx) }
	var body any
	var err error
	if t.script {
		body, err = pay(draft.Spent(ctx, t.number))
	} else {
		body, err = send.SendKeepingDraft(ctx, t.opt.Core.Send.Drafts, t.env().Account.ID, t.draft(), t.number, pay)
	}
	t.sent = err == nil
	paid, _ := body.(payment.Payment)
	return paid, err
}

// Reread implements screen.Rereader.
func (b tableOnPage) Reread(ctx context.Context, shown txbuild.Review) (screen.Reread, error) {
	r, _, err := screen.Rereview(ctx, b.Several, shown)
	if many, is := r.Built.(screen.Several); is {
		r.Built = tableOnPage{many, b.form}
	}
	return r, err
}

// payTable sends a table and follows its transactions until a block has each.
func (s reviewer) payTable(ctx context.Context, built screen.Several) error {
	_, err := withProgress(ctx, s.Conversation, "Sending", built.Send)
	s.followParts(ctx, built)
	if err == nil {
		return nil
	}
	left, all, unknown := 0, 0, false
	for _, p := range built.Parts() {
		state, known := send.PartState(s.env(), p)
		all += p.Rows
		unknown = unknown || known && state == payment.Unknown
		if p.Payment.ID == (ledger.TransactionID{}) || known && (state == payment.Rejected || state == payment.Expired) {
			left += p.Rows
		}
	}
	r := *refusalOf(err)
	r.What, r.Money = "Broken off. "+r.What, printable.PartWere(all-left, all, "payment")+" sent."
	if unknown {
		r.Code, r.Money = Unknown, r.Money+" The outcome of some is not known yet."
	}
	r.Next = "send several with the same lines, or its draft: it looks first what was paid, and pays exactly the rest."
	return &r
}

// followParts prints where each transaction stands, until a block has all that were sent.
func (s reviewer) followParts(ctx context.Context, built screen.Several) {
	printed := map[int]string{}
	for waited := time.Duration(0); waited < blockWait; waited += pollTime {
		open := false
		for i, p := range built.Parts() {
			state, known := send.PartState(s.env(), p)
			said := ""
			switch {
			case p.Payment.ID == (ledger.TransactionID{}):
				said = "not sent"
			case !known:
				said = "sent before"
			case state == payment.InBlock, state == payment.Irreversible:
				said = "in a block"
			case state == payment.Rejected, state == payment.Expired:
				said = "did not happen, nothing of it was spent"
			case state == payment.Unknown:
				said = "unknown; it is looked up. Do not send it in another way"
			default:
				said, open = "sent", true
			}
			if s.notices.payments[p.Payment.ID] = state; printed[i] != said {
				printed[i] = said
				s.Say(capital(p.Lines) + ": " + said + ".")
			}
		}
		if !open {
			return
		}
		select {
		case <-time.After(pollTime):
		case <-ctx.Done():
			return
		}
	}
	s.Say("Some are in no block yet. You may go on; events will follow.")
}

// ofDraft goes on with the table of a draft.
func (p *sendPage) ofDraft(ctx context.Context, d draft.Draft) error {
	t := &tableForm{sendPage: p, asset: d.Request.Asset, label: d.Label, number: d.Number, lines: strings.Split(strings.TrimRight(d.Request.To, "\n"), "\n")}
	p.Say(printable.Many(len(payout.ReadTable(d.Request.To, d.Request.Asset).Rows), "payment") + " in the table.")
	return p.enterTable(ctx, t)
}

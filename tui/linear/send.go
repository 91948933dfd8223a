package linear

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/progress"
	"billfold/walletcore/draft"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// knownRows is the number of rows of the history that are read to find whom the account paid before.
const knownRows = 100

func (p *sendPage) words() []word {
	return []word{
		{say: "pay", help: "enter a payment", row: "send.form/send.review",
			do: func(ctx context.Context, _ string) error { return p.enter(ctx) }},
		{say: "several [LABEL]", row: "send.form/send.several", help: "pay several, a line for each; a label tells payouts of the same content apart",
			also: []string{"send.type/send.several", "send.table/send.review", "send.table/send.several"}, do: p.several},
		{say: "resend", row: "sending/sending.resend", do: p.resend},
		{say: "steps", help: "where the latest payment stands, step by step", do: p.saySteps},
		{say: "again", row: "sending/sending.again", help: "enter another payment like the latest", do: p.again},
		{say: "drafts", row: "send.form/send.drafts", help: "list the drafts", do: drafts{p.Conversation}.list},
		{say: "draft N", row: "send.drafts/enter", help: "go on with the payment of draft N", do: p.draft},
		{say: "delete N", row: "send.drafts/drafts.delete", help: "delete draft N", do: drafts{p.Conversation}.drop},
	}
}

// enter starts a new payment.
func (p *sendPage) enter(ctx context.Context) error {
	return p.ask(ctx, txbuild.TransferParams{Asset: ledgerview.DCT().Symbol}, given{})
}

// enterWith takes a payment typed after the name of the page: send carol 5 DCT two coffees.
func (p *sendPage) enterWith(ctx context.Context, rest string) error {
	first, more := cutWord(rest)
	if w, is := findWord(p.words(), first); is {
		return w.do(ctx, more)
	}
	number, more := cutWord(more)
	symbol, memo := cutWord(more)
	if len(memo) > 1 && memo[0] == '"' && memo[len(memo)-1] == '"' {
		memo = memo[1 : len(memo)-1]
	}
	amount := strings.TrimSpace(number + " " + symbol)
	return p.ask(ctx, txbuild.TransferParams{To: first, Amount: amount, Memo: memo, Asset: ledgerview.DCT().Symbol},
		given{to: true, amount: amount != "", memo: memo != ""})
}

// ask asks the questions that are not answered yet and has the payment reviewed. back returns to the previous
// question, stop leaves.
func (p *sendPage) ask(ctx context.Context, form txbuild.TransferParams, known given) error {
	defer p.clear()
	if err := p.waitForNode(ctx); err != nil {
		return err
	}
	env, err := p.account()
	if err != nil {
		return err
	}
	if err := unable(env); err != nil {
		return err
	}
	if own, _ := env.Listed(env.Account.ID); own.Ownership == vault.OwnershipWatch && len(send.Payers(env)) == 0 {
		p.Say("This wallet watches " + format.Clean(own.Name) + " and has no key to pay from it: " +
			"a payment becomes a file that others sign.")
	}
	if err := p.needUnlock(ctx); err != nil {
		return err
	}
	p.form, p.name, p.given = form, form.To, known
	p.form.From = env.Account.Name
	p.Fact("From", accountLine(env, env.Account.ID))
	if err := p.readBalancesAndFee(ctx, env); err != nil {
		return err
	}
	return p.keepIfLeft(ctx, p.runLockableSteps(ctx, p.askTo, p.askAmount, p.askMemo, p.askKind, p.backOnFailure(p.reviewAndSend)))
}

// readBalancesAndFee reads what a payment needs: the balances, the transfer fee, and whom the account paid before.
func (p *sendPage) readBalancesAndFee(ctx context.Context, env screen.Env) error {
	core := p.opt.Core.Send
	_, err := within(ctx, p.Conversation, "Reading balances", func(ctx context.Context) (bool, error) {
		var err error
		if p.balances, err = core.Finder.Balances(ctx, env.Account.ID); err != nil {
			return false, err
		}
		if p.feeAsset, p.fee, err = core.Finder.TransferFee(ctx); err != nil {
			return false, err
		}
		var rows []history.Entry
		rows, err = core.History.Entries(ctx, env.Account.ID, 0, knownRows)
		p.knownRecipients = send.KnownRecipientsFrom(rows, knownRows)
		return true, err
	})
	return err
}

// balance returns the balance of an asset, named by symbol or id.
func (p *sendPage) balance(symbol string) (ledgerview.Balance, bool) {
	for _, b := range p.balances {
		if strings.EqualFold(b.Asset.Symbol, symbol) || b.Asset.ID.String() == symbol {
			return b, true
		}
	}
	return ledgerview.Balance{}, false
}

// askAmount asks for the amount; a symbol after it selects the asset.
func (p *sendPage) askAmount(ctx context.Context) error {
	for {
		if p.given.amount {
			p.given.amount = false
			p.countAnswered()
			wrong, next := p.takeAmount(p.form.Amount)
			if wrong == "" {
				return nil
			}
			if err := p.amountRefused(wrong, next); err != nil {
				return err
			}
		}
		prompt := "Amount in " + format.Clean(p.form.Asset)
		b, held := p.balance(p.form.Asset)
		if held {
			most := b.Amount
			if b.Asset.ID == p.feeAsset.ID {
				most = max(most-p.fee, 0)
			}
			prompt += ", max " + format.Exact(b.Asset, most)
		}
		text, err := p.Text(ctx, prompt, "an amount such as 250 or 250.5, with a symbol for another asset, max, or back", p.form.Amount)
		if err != nil {
			return err
		}
		if wrong, next := p.takeAmount(text); wrong != "" {
			if err := p.amountRefused(wrong, next); err != nil {
				return err
			}
			continue
		}
		return nil
	}
}

// amountRefused clears the amount and prints what is wrong with it, and what to type instead.
func (p *sendPage) amountRefused(wrong, next string) error {
	p.form.Amount = ""
	return p.report(misuse(sentence(wrong), next))
}

// takeAmount accepts an amount as typed, or returns what is wrong with it and what to type instead.
func (p *sendPage) takeAmount(text string) (wrong, next string) {
	const digits = "type the amount in digits, or back."
	number, symbol := ledger.SplitAmount(text)
	if symbol == "" || strings.EqualFold(text, "max") {
		symbol = p.form.Asset
	}
	b, held := p.balance(symbol)
	fee := int64(0)
	if b.Asset.ID == p.feeAsset.ID {
		fee = p.fee
	}
	if held && strings.EqualFold(text, "max") {
		if b.Amount <= fee {
			return send.TooMuch(b.Amount-fee+1, b, fee), "add funds first, type an amount of another asset with its symbol, or back."
		}
		p.form.Amount = format.Digits(b.Asset, b.Amount-fee)
		return "", ""
	}
	if why := format.DoubtedDecimals(p.balances, symbol); why != "" {
		return why, "type an amount of another asset with its symbol, or back."
	}
	if !held {
		return "you hold no " + format.Clean(strings.ToUpper(symbol)), "type an amount of an asset that you hold, with its symbol, or back."
	}
	n, err := ledger.ParseAmountOf(number, b.Asset.Symbol, b.Asset.Precision)
	switch {
	case err != nil:
		return format.AmountFault(err), digits
	case n <= 0:
		return "an amount above zero is needed", digits
	}
	if much := send.TooMuch(n, b, fee); much != "" {
		return much, "type a smaller amount, max for all that can be sent, or back."
	}
	p.form.Amount, p.form.Asset = number, b.Asset.Symbol
	return "", ""
}

func (p *sendPage) askMemo(ctx context.Context) error {
	if p.given.memo {
		p.given.memo = false
		p.countAnswered()
		if send.MemoProblem(p.form.Memo) == "" {
			return nil
		}
	}
	prompt := "Memo, empty for none"
	if p.form.Memo != "" {
		prompt = "Memo, none for none"
	}
	return p.untilAccepted(ctx, func(ctx context.Context) error {
		text, err := p.Text(ctx, prompt, "text for the recipient, empty for none, or back", p.form.Memo)
		if err != nil {
			return err
		}
		if strings.EqualFold(text, "none") {
			text = ""
		}
		if wrong := field.InvalidCharacter(text); wrong != "" {
			return misuse("In the memo, "+wrong+".", "type it without that character, or back.")
		}
		if wrong := send.MemoProblem(text); wrong != "" {
			return misuse(sentence("the memo is "+wrong), "type a shorter one, or back.")
		}
		p.form.Memo = text
		return nil
	})
}

func (p *sendPage) askKind(ctx context.Context) error {
	if p.form.Memo == "" {
		return nil
	}
	if p.given.kind {
		p.given.kind = false
		p.countAnswered()
		return nil
	}
	usual := 1
	if p.form.Plain {
		usual = 2
	}
	n, err := p.Choose(ctx, "Memo kind, 1 encrypted, 2 plain", 2, usual)
	if err == nil {
		p.form.Plain = n == 2
	}
	return err
}

// reviewAndSend builds the payment and has it reviewed, signed and sent. It becomes a proposal or a file if the keys
// of this wallet do not suffice.
func (p *sendPage) reviewAndSend(ctx context.Context) error {
	env, err := p.account()
	if err != nil {
		return err
	}
	if p.fromDraft.Proposes {
		p.Say("This draft is a proposal: others approve it before it pays.")
		return p.propose(ctx)
	}
	core, req, payers := p.opt.Core.Send, send.ProposalOf(env, p.form), send.Payers(env)
	built, err := within(ctx, p.Conversation, "Building", func(ctx context.Context) (screen.Built, error) {
		return send.Build(ctx, core.Payer, core.Propose, req, payers)
	})
	if err != nil {
		return err
	}
	if built.Review().Operation == txbuild.Title(ledger.CodeProposalCreate) {
		p.Say("Others have to sign as well, so this becomes a proposal.")
		return p.spendProposal(ctx, built,
			choice{word: "payment", help: "write a file of the payment itself instead, for the others to sign", do: p.savePayment})
	}
	if u, is := built.(screen.Unsigned); is {
		return p.spendFile(ctx, u, p.keepChoice())
	}
	more := []choice{
		{word: "propose", help: "have others approve", do: p.propose},
		{word: "save", help: "write a file", of: p.saveFile},
		p.keepChoice(),
	}
	if err := p.spend(ctx, p.track(built), more...); err != nil {
		return err
	}
	if p.at == screen.Send && len(unknownPayments(p.Conversation)) == 0 {
		p.at = screen.Home
	}
	return nil
}

// keepChoice returns the word that keeps the payment as a draft.
func (p *sendPage) keepChoice() choice {
	return choice{word: "keep", help: "keep a draft", do: func(ctx context.Context) error {
		return drafts{p.Conversation}.keep(ctx, p.typed(), p.draftNumber())
	}}
}

// propose builds the payment as a proposal that others approve.
func (p *sendPage) propose(ctx context.Context) error {
	env, core := p.env(), p.opt.Core.Send
	req, payers := send.ProposalOf(env, p.form), send.Payers(env)
	if len(payers) == 0 {
		return refuse("No account of this wallet can pay the fee of a proposal.", "back, or import a key.")
	}
	built, err := within(ctx, p.Conversation, "Building", func(ctx context.Context) (screen.Built, error) {
		return send.Propose(ctx, core.Propose, req, payers)
	})
	if err != nil {
		return err
	}
	return p.spendProposal(ctx, built)
}

// spendProposal has the proposal of the payment signed and sent, or saved as it was heard.
func (p *sendPage) spendProposal(ctx context.Context, built screen.Built, more ...choice) error {
	save := choice{word: "save", help: "write a file of the proposal", of: p.saveFile}
	return p.spend(ctx, p.track(built), append([]choice{save}, more...)...)
}

// savePayment writes the payment, which became a proposal only because the keys here do not suffice, to a file that others sign.
func (p *sendPage) savePayment(ctx context.Context) error {
	return p.writeFile(ctx, func(ctx context.Context) (screen.Saved, error) {
		return p.opt.Core.Send.Propose.Unsigned(ctx, p.form)
	})
}

// saveFile writes what is under review to a file that others sign.
func (p *sendPage) saveFile(ctx context.Context, reviewed screen.Built) error {
	by, can := reviewed.(screen.Saver)
	if !can {
		return refuse("This cannot be saved.", "back.")
	}
	return p.writeFile(ctx, by.Save)
}

// draft continues the payment of a draft.
func (p *sendPage) draft(ctx context.Context, rest string) error {
	chosen, err := drafts{p.Conversation}.numbered(ctx, rest)
	if err != nil {
		return err
	}
	if chosen.Several {
		return p.ofDraft(ctx, chosen)
	}
	p.fromDraft = chosen
	form := chosen.Request
	return p.ask(ctx, form, given{to: form.To != "", amount: form.Amount != "", memo: true, kind: true})
}

// repeat starts a payment with the values of an earlier one. If they are not changed, nothing is kept as a draft.
func (p *sendPage) repeat(ctx context.Context, form txbuild.TransferParams, known given) error {
	p.fromDraft = draft.Draft{Request: form}
	return p.ask(ctx, form, known)
}

// again starts a payment like the latest one; it refuses while the outcome of that one is unknown.
func (p *sendPage) again(ctx context.Context, _ string) error {
	last, err := p.latest()
	if err != nil {
		return err
	}
	r := last.Review
	switch {
	case progress.Known(p.env(), last).State == payment.Unknown:
		return &Refusal{What: "Not while the outcome is unknown.", Money: "the payment may still go through. Do not send again.",
			Next: "resend, or wait for the event.", Code: Unknown}
	case !r.Pays():
		return refuse("again repeats payments; the latest pays nobody.", "pay makes one.")
	}
	form := txbuild.TransferParams{To: format.RecipientID(r), Amount: format.Digits(r.Asset, r.Amount), Asset: r.Asset.Symbol}
	known := given{to: true, amount: true, memo: r.MemoState != vault.MemoLocked && r.MemoState != vault.MemoForeign, kind: true}
	if r.MemoState == vault.MemoOpen || r.MemoState == vault.MemoPlain {
		form.Memo, form.Plain = r.Memo, r.MemoState == vault.MemoPlain
	}
	return p.repeat(ctx, form, known)
}

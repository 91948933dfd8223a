package linear

import (
	"context"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/page/home"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/progress"
	"billfold/walletcore/history"
)

// homePage shows the account in focus, the network, the balances and the pending payments.
type homePage struct {
	*Conversation
	answers rowAnswers
	latest  []history.Entry // the rows that recent printed
}

// recentRows is the number of rows of the history that the word recent prints.
const recentRows = 5

func (h *homePage) words() []word {
	return []word{
		{say: "recent", help: "the latest rows of the history", row: "home/enter", do: h.recent},
		{say: "again N", row: "home/home.again", help: "pay again: enter a payment like row N of recent, or one to its sender",
			do: h.answer("again", h.answers.pay)},
		{say: "reply N", row: "home/home.message", help: "write a message to the other side of row N of recent",
			do: h.answer("reply", h.answers.write)},
		{say: "card N", row: "home/home.card", help: "account card of the other side of row N of recent",
			do: h.answer("card", func(ctx context.Context, e history.Entry) error { return h.sayCard(ctx, e.With.ID) })},
		{say: "import", row: "home/home.import", do: h.importKeys},
		{
			say:  "remove N",
			row:  "home/home.remove",
			help: "remove account N from the list; its keys stay",
			do:   func(ctx context.Context, rest string) error { return removeAccount(ctx, h.Conversation, rest) },
		},
	}
}

func (h *homePage) enter(ctx context.Context) error {
	if err := h.waitForNode(ctx); err != nil {
		return err
	}
	env := h.env()
	h.sayMisregistered(env)
	h.sayOwnChanged(env)
	if len(env.Accounts) == 0 {
		err := registrations{h.Conversation}.sayNoAccount(ctx, false)
		h.sayNetwork(env)
		h.sayWords()
		return err
	}
	h.Fact("Account", accountLine(env, env.Account.ID))
	if n := len(env.Accounts); n > 1 {
		h.Tell("Accounts", format.Count(n)+". account lists them.")
	}
	h.sayNetwork(env)
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	balances, err := h.opt.Core.Home.Balances(ctx, env.Account.ID)
	switch {
	case err != nil:
		h.sayMissing("Balances", err)
	case len(balances) == 0:
		h.Tell("Balances", "none.")
	}
	trends := map[ledger.AssetID]string{}
	if !env.Hidden {
		trends = home.Sentences(ctx, h.opt.Core.Home, env.Account.ID, env.Now, balances)
	}
	for i, b := range balances {
		h.put(fact{Item: i + 1, Label: plainText(format.Symbol(b.Asset), h.utf8),
			Text: lineText(
				canvas.Join(env.Money().Number(format.Column{}, "", theme.Text, b.Asset, b.Amount), canvas.Text(" available")),
				h.utf8,
			)})
		if trend := trends[b.Asset.ID]; trend != "" {
			h.Tell(plainText(format.Symbol(b.Asset), h.utf8)+" balance", trend+".")
		}
	}
	h.sayHold(ctx, env)
	h.sayPending(env)
	h.sayDrafts(ctx, env)
	h.sayWords()
	return nil
}

// sayMissing prints what could not be read, and why. The page goes on without it; a script ends with the code of the
// last such error.
func (d *Conversation) sayMissing(what string, err error) {
	why := refusalOf(err)
	d.partialCode = why.Code
	if d.json {
		d.Wrong(why)
	} else {
		d.Tell(what, "not known. "+sentence(why.What))
	}
}

// sayHold prints the funds that cannot be spent yet, and until when.
func (h *homePage) sayHold(ctx context.Context, env screen.Env) {
	if h.opt.Core.Home.Extras == nil {
		return
	}
	held, err := h.opt.Core.Home.Extras.Held(ctx, env.Account.ID)
	if err != nil { // the balances have already reported that no node answers
		return
	}
	for _, one := range held {
		until := "until it has been held long enough"
		if !one.Until.IsZero() {
			until = "until " + env.Times().DayIn(one.Until)
		}
		h.Fact("On hold", canvas.Join(env.Money().Amount(one.Asset, one.Amount), canvas.Text(" "+one.ID.String()+", "+until)))
	}
}

// sayDrafts prints how many drafts the account has. Only an unlocked wallet can read them.
func (h *homePage) sayDrafts(ctx context.Context, env screen.Env) {
	if !env.Unlocked() || h.opt.Core.Home.Drafts == nil {
		return
	}
	if list, err := h.opt.Core.Home.Drafts.List(ctx, env.Account.ID); err == nil && len(list) > 0 { // send drafts reports the error
		h.Tell("Drafts", format.Count(len(list))+". Type send drafts to hear them.")
	}
}

func (s *Conversation) sayPending(env screen.Env) {
	if n := len(progress.Underway(env)); n > 0 {
		s.Tell("Pending", format.Count(n)+". Type pending to hear them.")
	} else {
		s.Tell("Pending", "none.")
	}
	if n := len(env.Approvals); n > 0 {
		s.Tell("Waiting approvals", format.Count(n)+". Type approvals to hear them.")
	}
}

func (h *homePage) recent(ctx context.Context, _ string) error {
	env, err := h.account()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	rows, err := h.opt.Core.Home.Entries(ctx, env.Account.ID, 0, recentRows)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		h.Say("No payments yet.")
	}
	h.latest = rows
	for i, e := range rows {
		h.Item(i+1, rowLine(env, e))
	}
	h.Say("history has all of them.")
	return nil
}

// answer returns what runs a word that answers one of the rows that recent printed.
func (h *homePage) answer(word string, do func(ctx context.Context, e history.Entry) error) func(context.Context, string) error {
	return func(ctx context.Context, rest string) error {
		if len(h.latest) == 0 {
			return misuse("No rows are listed yet.", "recent lists them.")
		}
		e, err := numberedRow(h.latest, 0, rest, word)
		if err != nil {
			return err
		}
		return do(ctx, e)
	}
}

func (h *homePage) importKeys(ctx context.Context, _ string) error {
	if err := h.needUnlock(ctx); err != nil {
		return err
	}
	return importer{h.Conversation}.importKeys(ctx)
}

func (h *homePage) forget() { h.latest = nil }

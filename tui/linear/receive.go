package linear

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/qr"
	"billfold/walletcore/history"
	"billfold/walletcore/paylink"
)

// receivePage shows how to pay the account in focus and makes payment requests.
type receivePage struct {
	*Conversation
	link paylink.Link
}

func (a *receivePage) words() []word {
	return []word{
		{
			say:  "request AMOUNT ASSET MEMO",
			row:  "receive/receive.edit",
			help: "ask for an amount, with a memo; request alone asks for no amount",
			also: []string{"receive/receive.clear"},
			do:   a.request,
		},
		{say: "copy link", row: "everywhere/copy", help: "put the link on the clipboard, where the terminal has one", do: a.copy},
		{say: "save qr FILE", row: "receive/receive.save", do: a.save},
		{say: "incoming", help: "the payments that arrived lately", row: "receive/enter", do: a.incoming},
	}
}

func (a *receivePage) enter(ctx context.Context) error {
	env := a.env()
	if len(env.Accounts) == 0 {
		err := registrations{a.Conversation}.sayNoAccount(ctx, true)
		a.sayWords()
		return err
	}
	a.link = paylink.Link{To: env.Account.Name}
	if a.link.To == "" {
		a.link.To = env.Account.ID.String()
	}
	a.Fact("Account", format.Name(env.Account))
	a.Tell("Object id", env.Account.ID.String())
	a.Tell("Network", format.Clean(env.Status.Network))
	a.Tell("Link", a.link.String())
	a.sayWords()
	return nil
}

// refreshLink starts a new link if the account in focus has changed.
func (a *receivePage) refreshLink(ctx context.Context) error {
	env, err := a.account()
	if err == nil && a.link.To != env.Account.Name && a.link.To != env.Account.ID.String() {
		return a.enter(ctx)
	}
	return err
}

func (a *receivePage) request(ctx context.Context, rest string) error {
	if err := a.refreshLink(ctx); err != nil {
		return err
	}
	amount, more := cutWord(rest)
	symbol, memo := cutWord(more)
	link := paylink.Link{To: a.link.To}
	if amount != "" {
		if ledger.NumberGoesOn(symbol) {
			return misuse("The number has blanks in it.", "request 1000 DCT.")
		}
		if symbol == "" {
			symbol = "DCT"
		}
		asset, err := within(ctx, a.Conversation, "Looking", func(ctx context.Context) (*ledger.Asset, error) {
			return a.opt.Core.Receive.Assets.Asset(ctx, strings.ToUpper(symbol))
		})
		if err != nil {
			return err
		}
		n, err := ledger.ParseAmountOf(amount, asset.Symbol, asset.Precision)
		switch {
		case err != nil:
			return misuse(sentence(format.AmountFault(err)), "request 5 DCT.")
		case n <= 0:
			return misuse("An amount above zero is needed.", "request 5 DCT.")
		}
		link.Amount, link.Asset, link.Memo = amount, asset.Symbol, withoutQuotes(memo)
	}
	a.link = link
	a.Tell("Link", link.String())
	return nil
}

// withoutQuotes removes the quotes around a text, if one pair encloses all of it.
func withoutQuotes(text string) string {
	if inner, opens := strings.CutPrefix(text, `"`); opens && strings.Count(inner, `"`) == 1 && strings.HasSuffix(inner, `"`) {
		return strings.TrimSuffix(inner, `"`)
	}
	return text
}

func (a *receivePage) copy(ctx context.Context, rest string) error {
	if err := a.refreshLink(ctx); err != nil {
		return err
	}
	if rest != "" && rest != "link" {
		return misuse("Only the link can be copied here.", "copy link.")
	}
	if a.opt.Clipboard == nil {
		return refuse(
			"There is no clipboard that can be reached without escape bytes.",
			"save qr FILE, or read the link: "+a.link.String(),
		)
	}
	if err := a.opt.Clipboard(a.link.String()); err != nil {
		return err
	}
	a.Say("The link is on the clipboard.")
	return nil
}

// save writes the QR code of the link to a new SVG file.
func (a *receivePage) save(ctx context.Context, rest string) error {
	if err := a.refreshLink(ctx); err != nil {
		return err
	}
	what, path := cutWord(rest)
	if what != "qr" || path == "" {
		return misuse("A file name is needed.", "save qr FILE, such as save qr alice.svg.")
	}
	code, err := qr.New(a.link.String())
	if err != nil {
		return refuse("The request is too long for a QR code.", "request, with less in it.")
	}
	if err := writeNew(path, code.SVG()); err != nil {
		return err
	}
	a.Tell("Saved", format.Clean(path))
	return nil
}

func (a *receivePage) incoming(ctx context.Context, _ string) error {
	env, err := a.account()
	if err != nil {
		return err
	}
	rows, err := within(ctx, a.Conversation, "Reading the history", func(ctx context.Context) ([]history.Entry, error) {
		return a.opt.Core.Receive.History.Entries(ctx, env.Account.ID, 0, knownRows)
	})
	if err != nil {
		return err
	}
	n := 0
	for _, e := range rows {
		if e.Direction == history.In && e.Amount != 0 && n < historyRows {
			n++
			a.Item(n, rowLine(env, e))
		}
	}
	if n == 0 {
		a.Line(canvas.Text("No payment arrived lately."))
	}
	return nil
}

package linear

import (
	"context"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/card"
	"billfold/tui/page/assets"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
)

// assetsPage lists the assets and tokens of the account in focus.
type assetsPage struct {
	*Conversation
	held   []ledgerview.Balance
	tokens []ledgerview.OwnedToken
}

func (h *assetsPage) words() []word {
	return []word{
		{say: "find TEXT", row: "assets/assets.find", help: "find any asset of the ledger", do: h.find},
		{say: "about SYMBOL", help: "what an asset is", row: "assets/assets.history", do: h.about},
	}
}

func (h *assetsPage) enter(ctx context.Context) error {
	env, err := h.account()
	if err != nil {
		return err
	}
	core, id := h.opt.Core.Assets, env.Account.ID
	h.held, err = within(
		ctx,
		h.Conversation,
		"Reading assets",
		func(ctx context.Context) ([]ledgerview.Balance, error) { return core.Balances(ctx, id) },
	)
	if err != nil {
		return err
	}
	if len(h.held) == 0 {
		h.Say("This account holds nothing. find finds any asset of the ledger.")
	}
	for i, b := range h.held {
		h.Item(i+1, canvas.Join(env.Money().Amount(b.Asset, b.Amount), canvas.Text(", "+b.Asset.ID.String())))
	}
	h.tokens, err = within(
		ctx,
		h.Conversation,
		"Reading tokens",
		func(ctx context.Context) ([]ledgerview.OwnedToken, error) { return core.OwnedBy(ctx, id) },
	)
	if err != nil {
		return err
	}
	for i, t := range h.tokens {
		h.Item(len(h.held)+i+1, canvas.Text("token "+t.ID.String()+" of "+format.Clean(t.Kind.Symbol)+" "+t.NFTID.String()))
	}
	h.sayWords()
	return nil
}

// open prints the card of an asset or token in the list.
func (h *assetsPage) open(ctx context.Context, n int) error {
	switch {
	case n >= 1 && n <= len(h.held):
		return h.about(ctx, h.held[n-1].Asset.ID.String())
	case n > len(h.held) && n <= len(h.held)+len(h.tokens):
		h.sayRows(assets.OfToken(h.tokens[n-len(h.held)-1]).Rows(h.env()))
		return nil
	}
	return misuse("There is no asset or token with that number.", "assets lists them.")
}

func (h *assetsPage) about(ctx context.Context, symbol string) error {
	if symbol == "" {
		return misuse("Which asset?", "about and its symbol.")
	}
	core := h.opt.Core.Assets
	a, err := within(ctx, h.Conversation, "Reading the asset", func(ctx context.Context) (card.Asset, error) {
		return card.ReadAsset(ctx, core, symbol)
	})
	if err != nil {
		return err
	}
	var held *ledgerview.Balance
	for _, b := range h.held {
		if b.Asset.ID == a.ID {
			held = &b
		}
	}
	h.Tell("Asset", format.Clean(a.Symbol)+" "+a.ID.String())
	h.sayRows(a.Rows(h.env(), held))
	return nil
}

// maxFound is the most assets that find lists.
const maxFound = 20

func (h *assetsPage) find(ctx context.Context, text string) error {
	found, err := within(ctx, h.Conversation, "Looking", func(ctx context.Context) ([]*ledger.Asset, error) {
		return h.opt.Core.Assets.FindAssets(ctx, text, maxFound)
	})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		h.Say("No asset begins with that.")
	}
	for _, a := range found {
		h.Say(format.Clean(a.Symbol) + " " + a.ID.String())
	}
	return nil
}

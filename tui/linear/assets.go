package linear

import (
	"context"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
)

// assetsPage lists the assets and tokens of the account in focus.
type assetsPage struct {
	*Conversation
	held []ledgerview.Balance
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
	tokens, err := within(
		ctx,
		h.Conversation,
		"Reading tokens",
		func(ctx context.Context) ([]ledgerview.OwnedToken, error) { return core.OwnedBy(ctx, id) },
	)
	if err != nil {
		return err
	}
	for i, t := range tokens {
		h.Item(len(h.held)+i+1, canvas.Text("token "+t.ID.String()+" of "+format.Clean(t.Kind.Symbol)+" "+t.NFTID.String()))
	}
	h.sayWords()
	return nil
}

// open prints the details of an asset in the list.
func (h *assetsPage) open(ctx context.Context, n int) error {
	if n < 1 || n > len(h.held) {
		return misuse("There is no asset with that number.", "assets lists them.")
	}
	return h.about(ctx, h.held[n-1].Asset.ID.String())
}

func (h *assetsPage) about(ctx context.Context, symbol string) error {
	if symbol == "" {
		return misuse("Which asset?", "about and its symbol.")
	}
	core := h.opt.Core.Assets
	a, err := within(
		ctx,
		h.Conversation,
		"Reading the asset",
		func(ctx context.Context) (*ledger.Asset, error) { return core.Asset(ctx, symbol) },
	)
	if err != nil {
		return err
	}
	h.Tell("Asset", format.Clean(a.Symbol)+" "+a.ID.String())
	issuer, err := within(ctx, h.Conversation, "Reading the issuer", func(ctx context.Context) (ledgerview.AccountRef, error) {
		return core.AccountNamed(ctx, a.Issuer.String())
	})
	if err == nil {
		h.Fact("Issued by", format.Account(issuer))
	}
	h.Tell("Decimals", format.Count(int(a.Precision)))
	if a.Description != "" {
		h.Say("Text by others:")
		h.quote(a.Description)
	}
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

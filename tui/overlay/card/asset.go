package card

import (
	"context"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
)

// AssetLedger reads assets, who issued them, and balances.
type AssetLedger interface {
	Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error)
	AccountNamed(ctx context.Context, nameOrID string) (ledgerview.AccountRef, error)
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
}

// Asset is an asset with the account that issued it.
type Asset struct {
	*ledger.Asset
	Issuer ledgerview.AccountRef
}

// ReadAsset reads an asset and its issuer.
func ReadAsset(ctx context.Context, from AssetLedger, symbolOrID string) (Asset, error) {
	a, err := from.Asset(ctx, symbolOrID)
	if err != nil {
		return Asset{}, err
	}
	issuer, err := from.AccountNamed(ctx, a.Issuer.String())
	return Asset{a, issuer}, err
}

// OfAsset returns what reads the card of an asset, with what the account own holds of it. A card whose asset cannot be read shows the error.
func OfAsset(ref ledgerview.AssetRef) Reader {
	return func(ctx context.Context, core Core, own ledger.AccountID) Card { return readAsset(ctx, core, own, ref) }
}

func readAsset(ctx context.Context, core Core, own ledger.AccountID, ref ledgerview.AssetRef) Card {
	a, err := ReadAsset(ctx, core.Assets, ref.ID.String())
	if err != nil {
		unread := []Row{{Label: "Asset", Line: canvas.Join(canvas.Text(format.Symbol(ref)+"  "), canvas.In(theme.Muted, ref.ID.String()))},
			{Line: canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(advice.Sentence(err)))}}
		return Card{Title: "Asset card", Rows: func(screen.Env) []Row { return unread },
			Can: func(env screen.Env) []Offer { return ofAsset(env, ref) }, Copies: []screen.Value{{Name: "Asset id", Text: ref.ID.String()}}}
	}
	var held *ledgerview.Balance
	balances, _ := core.Assets.Balances(ctx, own) // what cannot be read is not on the card
	for _, b := range balances {
		if b.Asset.ID == a.ID {
			held = &b
		}
	}
	name := Row{Label: "Asset", Line: canvas.Join(canvas.Text(format.Clean(a.Symbol)+"  "), canvas.In(theme.Muted, a.ID.String()))}
	return Card{Title: "Asset card",
		Rows:   func(env screen.Env) []Row { return append([]Row{name}, a.Rows(env, held)...) },
		Can:    func(env screen.Env) []Offer { return ofAsset(env, ledgerview.AssetRefOf(a.Asset)) },
		Copies: a.Copies()}
}

// ofAsset returns what can be done with an asset.
func ofAsset(env screen.Env, ref ledgerview.AssetRef) []Offer {
	off := ""
	if len(env.Accounts) == 0 {
		off = "this wallet has no account yet"
	}
	return []Offer{
		{Do: Pay, Off: off, Then: screen.Navigate{To: screen.Send, With: screen.Typed{Asset: ref.Symbol}}, Word: "send"},
		{Do: Receive, Off: off, Then: screen.Navigate{To: screen.Receive}},
		{Do: History, Off: off, Then: screen.Navigate{To: screen.History, With: screen.Filter("asset:" + ref.Symbol)}},
		{Do: Assets, Then: screen.Navigate{To: screen.Assets, With: screen.Filter(ref.Symbol)}},
	}
}

// Copies returns the values of the asset that can be copied.
func (a Asset) Copies() []screen.Value {
	return []screen.Value{{Name: "Symbol", Text: a.Symbol}, {Name: "Asset id", Text: a.ID.String()}, {Name: "Issuer", Text: a.Issuer.Name}}
}

// Rows returns what is known about the asset; held is how much of it the account in focus has, nil if none.
func (a Asset) Rows(env screen.Env, held *ledgerview.Balance) (rows []Row) {
	put := func(label string, text canvas.Line) { rows = append(rows, Row{Label: label, Line: text}) }
	ref := ledgerview.AssetRefOf(a.Asset)
	if held != nil {
		put("Yours", env.Money().Amount(held.Asset, held.Amount))
	}
	put("Precision", canvas.Text(format.Many(int(a.Precision), "decimal")+", smallest unit "+format.Digits(ref, 1)))
	put("Max supply", format.Money{}.Amount(ref, a.Options.MaxSupply))
	if a.ID == ledgerview.DCT().ID {
		put("Issuer", canvas.Text("none, made by block rewards"))
	} else {
		rows = append(rows, Named("Issuer", a.Issuer))
	}
	put("Kind", canvas.Text(a.kind()))
	if a.Description != "" {
		rows = append(rows, Row{Label: "Says", Quote: a.Description})
	}
	return rows
}

// kind returns what is special about an asset.
func (a Asset) kind() string {
	switch {
	case a.ID == ledgerview.DCT().ID:
		return "core asset, pays all fees"
	case a.MonitoredAssetOpts != nil:
		return "monitored by the miners' prices; fees can be paid in it"
	case a.Options.IsExchangeable:
		return "issued by an account; fees can be paid in it"
	}
	return "issued by an account"
}

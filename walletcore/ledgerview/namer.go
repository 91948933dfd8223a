package ledgerview

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"billfold/ledger"
)

// Mentions collects the accounts, assets and kinds of token that operations mention.
// To collect them, the sentences are made once with it as the namer.
type Mentions struct {
	Accounts []ledger.AccountID
	Assets   []ledger.AssetID
	Kinds    []ledger.NFTID
	Tokens   []ledger.NFTDataID // whose kinds are looked up; no sentence needs them
}

// MentionsOf returns what operations mention, sorted and each once.
func MentionsOf(ops ...ledger.Operation) *Mentions {
	m := new(Mentions)
	for _, op := range ops {
		m.Add(op)
	}
	m.Distinct()
	return m
}

// Add collects what an operation mentions.
func (m *Mentions) Add(op ledger.Operation) {
	if op.Body == nil {
		return
	}
	m.AccountName(op.Body.FeePayer())
	m.AssetName(op.Fee().AssetID)
	ledger.Sentence(op, m)
}

// Distinct sorts what was collected and drops repetitions.
func (m *Mentions) Distinct() {
	slices.Sort(m.Accounts)
	slices.Sort(m.Assets)
	slices.Sort(m.Kinds)
	slices.Sort(m.Tokens)
	m.Accounts, m.Assets, m.Kinds = slices.Compact(m.Accounts), slices.Compact(m.Assets), slices.Compact(m.Kinds)
	m.Tokens = slices.Compact(m.Tokens)
}

// AccountName implements ledger.Namer.
func (m *Mentions) AccountName(id ledger.AccountID) string {
	m.Accounts = append(m.Accounts, id)
	return ""
}

// AssetName implements ledger.Namer.
func (m *Mentions) AssetName(id ledger.AssetID) string {
	m.Assets = append(m.Assets, id)
	return ""
}

// KindName implements ledger.Namer.
func (m *Mentions) KindName(id ledger.NFTID) string {
	m.Kinds = append(m.Kinds, id)
	return ""
}

// AmountText implements ledger.Namer.
func (m *Mentions) AmountText(a ledger.AssetAmount) string { return m.AssetName(a.AssetID) }

// Namer names accounts, assets and kinds of token. If a name is not known, the id takes its place.
type Namer struct {
	Ref    func(ledger.AccountID) AccountRef // never fails
	Assets map[ledger.AssetID]AssetRef
	Kinds  map[ledger.NFTID]string           // symbols; those that are not known are missing
	Tokens map[ledger.NFTDataID]ledger.NFTID // their kinds; those that are not known are missing
}

// Knows reports whether everything that m mentions has a name.
func (n *Namer) Knows(m *Mentions) bool {
	for _, id := range m.Accounts {
		if n.Ref(id).Name == id.String() {
			return false
		}
	}
	for _, id := range m.Assets {
		if n.Assets[id].Symbol == id.String() {
			return false
		}
	}
	for _, id := range m.Kinds {
		if n.Kinds[id] == "" {
			return false
		}
	}
	for _, id := range m.Tokens {
		if kind, known := n.Tokens[id]; !known || n.Kinds[kind] == "" {
			return false
		}
	}
	return true
}

// AccountName implements ledger.Namer.
func (n *Namer) AccountName(id ledger.AccountID) string { return n.Ref(id).Name }

// AssetName implements ledger.Namer. It returns the symbol.
func (n *Namer) AssetName(id ledger.AssetID) string { return n.Assets[id].Symbol }

// KindName implements ledger.Namer. It returns the symbol with the id, because only the id is in the operation.
func (n *Namer) KindName(id ledger.NFTID) string {
	if symbol := n.Kinds[id]; symbol != "" {
		return symbol + " (" + id.String() + ")"
	}
	return id.String()
}

// KindSymbol returns the symbol of a kind of token, without the id.
func (n *Namer) KindSymbol(id ledger.NFTID) string { return cmp.Or(n.Kinds[id], id.String()) }

// TokenName returns the symbol of a token's kind with the token's id, such as "CARDS (1.11.0)".
func (n *Namer) TokenName(id ledger.NFTDataID) string {
	kind, known := n.Tokens[id]
	if !known {
		return id.String()
	}
	return n.KindSymbol(kind) + " (" + id.String() + ")"
}

// AmountText implements ledger.Namer. It returns the amount with all decimals and the symbol.
func (n *Namer) AmountText(a ledger.AssetAmount) string { return n.Assets[a.AssetID].Format(a.Amount) }

// Pretty returns an amount as the reference shows it: without decimals if they are zero.
func (n *Namer) Pretty(a ledger.AssetAmount) string {
	ref := n.Assets[a.AssetID]
	return ledger.FormatAmount(a.Amount, ref.Precision) + " " + ref.Symbol
}

// ObjectName returns the name of a transfer's recipient: an account's name, or the id of content.
func (n *Namer) ObjectName(id ledger.ObjectID) string {
	if account, err := ledger.ParseAccountID(id.String()); err == nil {
		return n.AccountName(account)
	}
	return id.String()
}

// Namer returns a namer for everything that m mentions. Names come from the key file, the pins and the history index, or else from the
// daemon; without a daemon, ids take the place of unknown names. Assets are read once per head block in any case: one that contradicts
// its pin has precision 0, and a symbol that shows the doubt.
func (v *View) Namer(ctx context.Context, m *Mentions) (*Namer, error) {
	m.Distinct()
	refs := v.Recall(ctx, m)
	unknown := false
	for _, id := range m.Assets {
		if _, known := refs[id]; !known {
			refs[id] = v.Pins.AssetOr(AssetRef{ID: id, Symbol: id.String()})
			unknown = true
		}
	}
	n := &Namer{Ref: v.Accounts.Ref, Assets: refs, Tokens: v.NFTs.knownKinds(m.Tokens)}
	if !v.Chain.IsOnline() {
		n.Kinds = v.NFTs.knownSymbols(slices.AppendSeq(m.Kinds, maps.Values(n.Tokens)))
		return n, nil
	}
	err := v.Accounts.loadNames(ctx, m.Accounts)
	if err != nil {
		return nil, err
	}
	if n.Tokens, err = v.NFTs.readKinds(ctx, m.Tokens); err != nil {
		return nil, err
	}
	m.Kinds = slices.AppendSeq(m.Kinds, maps.Values(n.Tokens))
	m.Distinct()
	if n.Kinds, err = v.NFTs.readSymbols(ctx, m.Kinds); err != nil {
		return nil, err
	}
	found, err := v.Assets.ByID(ctx, m.Assets)
	if err != nil && unknown {
		return nil, err
	}
	for id, ref := range found {
		if ref.Symbol != id.String() { // keep the name if the daemon no longer has the asset
			refs[id] = ref
		}
	}
	return n, nil
}

// Recall loads the names that m mentions from the key file, the pins and the index, and
// returns the assets that are in the index. Pins take precedence over the index.
func (v *View) Recall(ctx context.Context, m *Mentions) map[ledger.AssetID]AssetRef {
	out := map[ledger.AssetID]AssetRef{}
	unnamed := v.Accounts.unnamed(m.Accounts)
	var assets []ledger.AssetID
	for _, id := range m.Assets {
		if _, known := v.Pins.assets.recall(id); !known && id != ledger.CoreAsset {
			assets = append(assets, id)
		}
	}
	if err := v.Pins.preload(ctx, unnamed, assets); err != nil {
		v.log.Debug("store: reading pins", "error", err)
	}
	names, refs, err := v.index.Names(ctx, unnamed, m.Assets)
	if err != nil {
		v.log.Debug("history index: reading names", "error", err)
	}
	v.Accounts.rememberNames(names)
	for id, a := range refs {
		out[id] = v.Pins.AssetOr(a)
	}
	return out
}

// PrettyBalance is one row of list_account_balances.
type PrettyBalance struct {
	ledger.AssetAmount
	Pretty string `json:"pretty_amount"` // such as "1.50000000 DCT"; no decimals if they are zero
}

// PrettyBalances reads what an account, given by name or id, holds, in the daemon's order.
func (v *View) PrettyBalances(ctx context.Context, account string) ([]PrettyBalance, error) {
	a, err := v.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	held, err := v.Assets.Holdings(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	out := make([]PrettyBalance, len(held))
	for i, b := range held {
		out[i] = PrettyBalance{ledger.AssetAmount{Amount: b.Amount, AssetID: b.Asset.ID},
			ledger.FormatAmount(b.Amount, b.Asset.Precision) + " " + b.Asset.Symbol}
	}
	return out, nil
}

package ledgerview

import (
	"cmp"
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

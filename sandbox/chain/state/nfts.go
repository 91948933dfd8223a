package state

import (
	"iter"
	"slices"

	"billfold/ledger"
)

// NFT is the object 1.10.N: a kind of non-fungible token.
type NFT struct {
	ID            ledger.NFTID               `json:"id"`
	Symbol        string                     `json:"symbol"`
	Options       ledger.NFTOptions          `json:"options"`
	Definitions   []ledger.NFTDataDefinition `json:"definitions"`
	Transferable  bool                       `json:"transferable"`
	CurrentSupply uint32                     `json:"current_supply"`
}

// NFTData is the object 1.11.N: one token. A burnt one belongs to 1.2.1.
type NFTData struct {
	ID    ledger.NFTDataID `json:"id"`
	NFTID ledger.NFTID     `json:"nft_id"`
	Owner ledger.AccountID `json:"owner"`
	Data  []ledger.Variant `json:"data"` // one for each definition of the kind
}

// NFTs are the kinds of tokens, 1.10.N, with their tokens, 1.11.N.
type NFTs struct {
	table[ledger.NFTID, NFT]
	tokens   table[ledger.NFTDataID, NFTData]
	bySymbol index[string, ledger.NFTID]
	symbols  names
	byKind   lists[ledger.NFTID, ledger.NFTDataID]
	held     lists[ledger.AccountID, ledger.NFTDataID] // in the order in which the account received them
}

func newNFTs(j *journal) NFTs {
	n := NFTs{
		bySymbol: newIndex[string, ledger.NFTID](j), byKind: newLists[ledger.NFTID, ledger.NFTDataID](j),
		held: newLists[ledger.AccountID, ledger.NFTDataID](j),
	}
	n.table.j, n.tokens.j, n.symbols.j = j, j, j
	return n
}

// BySymbol returns the kind with that exact symbol, or nil.
func (n *NFTs) BySymbol(symbol string) *NFT {
	if id, ok := n.bySymbol.find(symbol); ok {
		return n.Get(id)
	}
	return nil
}

// Symbols returns at most limit symbols in order, starting at lower.
func (n *NFTs) Symbols(lower string, limit int) []string { return n.symbols.from(lower, limit) }

// Token returns 1.11.N, or nil.
func (n *NFTs) Token(id ledger.NFTDataID) *NFTData { return n.tokens.Get(id) }

// TokenCount returns the number of tokens, burnt ones included.
func (n *NFTs) TokenCount() uint64 { return n.tokens.Count() }

// Tokens returns the tokens of a kind that are not burnt, oldest first.
func (n *NFTs) Tokens(kind ledger.NFTID) []*NFTData {
	list := []*NFTData{}
	for token := range n.Issued(kind) {
		if token.Owner != ledger.NullAccount {
			list = append(list, token)
		}
	}
	return list
}

// Issued yields the tokens of a kind, burnt ones included, oldest first.
func (n *NFTs) Issued(kind ledger.NFTID) iter.Seq[*NFTData] {
	return func(yield func(*NFTData) bool) {
		for _, id := range n.byKind.of(kind) {
			if !yield(n.Token(id)) {
				return
			}
		}
	}
}

// Held returns the account's tokens of the given kinds, or of all kinds if none is
// given, in the order in which it received them.
func (n *NFTs) Held(owner ledger.AccountID, kinds []ledger.NFTID) []*NFTData {
	list := []*NFTData{}
	for _, id := range n.held.of(owner) {
		if token := n.Token(id); len(kinds) == 0 || slices.Contains(kinds, token.NFTID) {
			list = append(list, token)
		}
	}
	return list
}

// Add inserts a kind of token under the next id.
func (n *NFTs) Add(kind NFT) ledger.NFTID {
	kind.ID = n.Next()
	n.insert(&kind)
	n.bySymbol.set(kind.Symbol, kind.ID)
	n.symbols.insert(kind.Symbol)
	return kind.ID
}

// AddToken inserts a token under the next id.
func (n *NFTs) AddToken(kind ledger.NFTID, owner ledger.AccountID, data []ledger.Variant) ledger.NFTDataID {
	id := n.tokens.Next()
	n.tokens.insert(&NFTData{ID: id, NFTID: kind, Owner: owner, Data: data})
	n.byKind.add(kind, id)
	n.held.add(owner, id)
	return id
}

// SetData replaces the values of a token.
func (n *NFTs) SetData(id ledger.NFTDataID, data []ledger.Variant) {
	n.tokens.Change(id, func(token *NFTData) { token.Data = data })
}

// Move transfers a token to another account.
func (n *NFTs) Move(id ledger.NFTDataID, to ledger.AccountID) {
	n.held.remove(n.Token(id).Owner, id)
	n.held.add(to, id)
	n.tokens.Change(id, func(token *NFTData) { token.Owner = to })
}

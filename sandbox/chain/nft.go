package chain

import (
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
	Data  []ledger.Variant `json:"data"` // as many as the kind has definitions
}

// NFT gives 1.10.N, or nil.
func (s *State) NFT(id ledger.NFTID) *NFT { return s.nfts.get(uint64(id)) }

// NFTBySymbol gives the kind of that exact symbol, or nil.
func (s *State) NFTBySymbol(symbol string) *NFT {
	if id, ok := s.nftBySymbol[symbol]; ok {
		return s.NFT(id)
	}
	return nil
}

// NFTCount is the number of kinds of tokens.
func (s *State) NFTCount() uint64 { return s.nfts.next() }

// NFTSymbols gives at most limit symbols in order, beginning at lower.
func (s *State) NFTSymbols(lower string, limit int) []string {
	symbols := from(s.nftSymbols, lower)
	return symbols[:min(limit, len(symbols))]
}

// NFTData gives 1.11.N, or nil.
func (s *State) NFTData(id ledger.NFTDataID) *NFTData { return s.nftData.get(uint64(id)) }

// NFTDataCount is the number of tokens, burnt ones included.
func (s *State) NFTDataCount() uint64 { return s.nftData.next() }

// NFTDataOf gives the tokens of a kind that are not burnt, oldest first.
func (s *State) NFTDataOf(kind ledger.NFTID) []*NFTData {
	list := []*NFTData{}
	for _, id := range s.tokensOf[kind] {
		if d := s.NFTData(id); d.Owner != ledger.NullAccount {
			list = append(list, d)
		}
	}
	return list
}

// NFTDataHeld gives the account's tokens of the kinds, or of all kinds when
// none is named, in the order it got them.
func (s *State) NFTDataHeld(owner ledger.AccountID, kinds []ledger.NFTID) []*NFTData {
	list := []*NFTData{}
	for _, id := range s.tokensHeld[owner] {
		if d := s.NFTData(id); len(kinds) == 0 || slices.Contains(kinds, d.NFTID) {
			list = append(list, d)
		}
	}
	return list
}

// addNFTData makes a token.
func (s *State) addNFTData(kind ledger.NFTID, owner ledger.AccountID, data []ledger.Variant) ledger.NFTDataID {
	id := ledger.NFTDataID(s.nftData.next())
	s.nftData.insert(&NFTData{ID: id, NFTID: kind, Owner: owner, Data: data})
	appendKey(&s.j, s.tokensOf, kind, id)
	appendKey(&s.j, s.tokensHeld, owner, id)
	return id
}

// moveNFTData gives a token to another account.
func (s *State) moveNFTData(id ledger.NFTDataID, to ledger.AccountID) {
	from := s.NFTData(id).Owner
	held := slices.DeleteFunc(slices.Clone(s.tokensHeld[from]), func(other ledger.NFTDataID) bool { return other == id })
	setKey(&s.j, s.tokensHeld, from, held)
	appendKey(&s.j, s.tokensHeld, to, id)
	s.nftData.change(uint64(id), func(d *NFTData) { d.Owner = to })
}

package ledger

// NFT is the object 1.10.N: a kind of non-fungible token.
type NFT struct {
	ID            NFTID               `json:"id"`
	Symbol        string              `json:"symbol"`
	Options       NFTOptions          `json:"options"`
	Definitions   []NFTDataDefinition `json:"definitions"`
	Transferable  bool                `json:"transferable"`
	CurrentSupply uint32              `json:"current_supply"`
}

// NFTData is the object 1.11.N: one token. A burnt one belongs to 1.2.1.
type NFTData struct {
	ID    NFTDataID `json:"id"`
	NFTID NFTID     `json:"nft_id"`
	Owner AccountID `json:"owner"`
	Data  []Variant `json:"data"` // one for each definition of the kind
}

// NFTCount is how many tokens of a kind an account has.
type NFTCount struct {
	_     struct{} `fc:"pair"`
	NFTID NFTID    `json:"nft_id"`
	Count uint32   `json:"count"`
}

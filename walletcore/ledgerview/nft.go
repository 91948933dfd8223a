package ledgerview

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"

	lru "github.com/hashicorp/golang-lru/v2"
)

// nftReader is the part of the daemon that tokens and their kinds are read from.
type nftReader interface {
	nftLister
	GetNFTs(ctx context.Context, ids []ledger.NFTID) ([]json.RawMessage, error)
	GetNFTData(ctx context.Context, ids []ledger.NFTDataID) ([]json.RawMessage, error)
	GetNFTsBySymbol(ctx context.Context, symbols []string) ([]json.RawMessage, error)
	NFTHistory(ctx context.Context, token ledger.NFTDataID) ([]json.RawMessage, error)
}

// nftLister lists kinds, or the tokens of a kind or an account.
type nftLister interface {
	ListNFTs(ctx context.Context, lower string, limit uint32) ([]json.RawMessage, error)
	ListNFTData(ctx context.Context, kind ledger.NFTID) ([]json.RawMessage, error)
	NFTSummary(ctx context.Context, owner ledger.AccountID) (json.RawMessage, error)
	NFTBalances(ctx context.Context, owner ledger.AccountID, kinds []ledger.NFTID) ([]json.RawMessage, error)
}

// NFTs reads non-fungible tokens and their kinds.
type NFTs struct {
	daemon      nftReader
	accounts    *Accounts
	symbolCache *lru.Cache[ledger.NFTID, string]           // a symbol never changes
	kindCache   *lru.Cache[ledger.NFTDataID, ledger.NFTID] // nor does a token's kind
}

// maxKinds is the maximum number of cached symbols, and of tokens whose kinds are cached.
const maxKinds = 10_000

func newNFTs(daemon nftReader, accounts *Accounts) *NFTs {
	symbols, _ := lru.New[ledger.NFTID, string](maxKinds) // fails only for a size below one
	kinds, _ := lru.New[ledger.NFTDataID, ledger.NFTID](maxKinds)
	return &NFTs{daemon, accounts, symbols, kinds}
}

// knownKinds returns the kinds of tokens that were read before.
func (s *NFTs) knownKinds(tokens []ledger.NFTDataID) map[ledger.NFTDataID]ledger.NFTID {
	kinds := map[ledger.NFTDataID]ledger.NFTID{}
	for _, id := range tokens {
		if kind, read := s.kindCache.Get(id); read {
			kinds[id] = kind
		}
	}
	return kinds
}

// readKinds returns the kinds of tokens, and reads those that are not cached. Tokens that do not exist are missing.
func (s *NFTs) readKinds(ctx context.Context, tokens []ledger.NFTDataID) (map[ledger.NFTDataID]ledger.NFTID, error) {
	kinds := s.knownKinds(tokens)
	var missing []ledger.NFTDataID
	for _, id := range tokens {
		if _, known := kinds[id]; !known {
			missing = append(missing, id)
		}
	}
	for some := range slices.Chunk(missing, maxListed) {
		rows, err := s.daemon.GetNFTData(ctx, some)
		if err != nil {
			return nil, fault.Daemon("reading tokens", err)
		}
		for _, raw := range rows {
			if IsNull(raw) {
				continue
			}
			var token ledger.NFTData
			if err := codec.Unmarshal(raw, &token); err != nil {
				return nil, fault.Daemon("reading tokens", err)
			}
			kinds[token.ID] = token.NFTID
			s.kindCache.Add(token.ID, token.NFTID)
		}
	}
	return kinds, nil
}

// knownSymbols returns the symbols of kinds that were read before.
func (s *NFTs) knownSymbols(kinds []ledger.NFTID) map[ledger.NFTID]string {
	symbols := map[ledger.NFTID]string{}
	for _, id := range kinds {
		if symbol, read := s.symbolCache.Get(id); read {
			symbols[id] = symbol
		}
	}
	return symbols
}

// readSymbols returns the symbols of kinds, and reads those that are not cached. Kinds that do not exist are missing.
func (s *NFTs) readSymbols(ctx context.Context, kinds []ledger.NFTID) (map[ledger.NFTID]string, error) {
	symbols := s.knownSymbols(kinds)
	var missing []ledger.NFTID
	for _, id := range kinds {
		if symbols[id] == "" {
			missing = append(missing, id)
		}
	}
	for some := range slices.Chunk(missing, maxListed) {
		rows, err := s.daemon.GetNFTs(ctx, some)
		if err != nil {
			return nil, fault.Daemon("reading kinds of tokens", err)
		}
		for _, raw := range rows {
			if IsNull(raw) {
				continue
			}
			var kind ledger.NFT
			if err := codec.Unmarshal(raw, &kind); err != nil {
				return nil, fault.Daemon("reading kinds of tokens", err)
			}
			symbols[kind.ID] = kind.Symbol
			s.symbolCache.Add(kind.ID, kind.Symbol)
		}
	}
	return symbols, nil
}

// maxListed is the maximum number of kinds read at once.
const maxListed = 100

// List lists kinds of token sorted by symbol, starting at lower, at most limit (100).
func (s *NFTs) List(ctx context.Context, lower string, limit uint32) ([]json.RawMessage, error) {
	found, err := s.daemon.ListNFTs(ctx, lower, limit)
	return found, daemonFault("listing kinds of tokens", err)
}

// Get finds a kind of token by symbol or id. It returns it as the daemon wrote it. Error: fault.NoSuchNFT, or the daemon's.
func (s *NFTs) Get(ctx context.Context, symbolOrID string) (json.RawMessage, error) {
	var found []json.RawMessage
	id, err := nftID(symbolOrID)
	if err == nil {
		found, err = s.daemon.GetNFTs(ctx, []ledger.NFTID{id})
	} else {
		found, err = s.daemon.GetNFTsBySymbol(ctx, []string{symbolOrID})
	}
	return single(found, err, "looking up the kind of tokens", &fault.Error{Code: fault.NoSuchNFT, Op: "get_non_fungible_token",
		Message: "no kind of token is called " + fault.Quote(symbolOrID), Hint: "list_non_fungible_tokens shows every kind"})
}

func nftID(text string) (id ledger.NFTID, err error) {
	o, err := ledger.ParseObjectID(text)
	if err == nil && ledger.NFTID(o.Instance()).Object() != o {
		err = &fault.Error{Code: fault.NoSuchNFT, Message: text + " is an id of something else"}
	}
	return ledger.NFTID(o.Instance()), err
}

// Kind is Get, but decodes the kind.
func (s *NFTs) Kind(ctx context.Context, symbolOrID string) (*ledger.NFT, error) {
	raw, err := s.Get(ctx, symbolOrID)
	if err != nil {
		return nil, err
	}
	found := new(ledger.NFT)
	if err := codec.Unmarshal(raw, found); err != nil {
		return nil, fault.Daemon("looking up the kind of tokens", err)
	}
	return found, nil
}

// Token reads a token. Error: fault.NoSuchNFT, or the daemon's.
func (s *NFTs) Token(ctx context.Context, id ledger.NFTDataID) (*ledger.NFTData, error) {
	raws, err := s.daemon.GetNFTData(ctx, []ledger.NFTDataID{id})
	raw, err := single(raws, err, "reading the token", &fault.Error{Code: fault.NoSuchNFT, Op: "get_non_fungible_token_data",
		Message: "there is no token " + id.String(), Hint: "get_non_fungible_token_balances shows those of an account"})
	if err != nil {
		return nil, err
	}
	found := new(ledger.NFTData)
	if err := codec.Unmarshal(raw, found); err != nil {
		return nil, fault.Daemon("reading the token", err)
	}
	return found, nil
}

// Tokens lists the tokens of a kind, given by symbol or id, without burnt ones.
func (s *NFTs) Tokens(ctx context.Context, symbolOrID string) ([]json.RawMessage, error) {
	kind, err := s.Kind(ctx, symbolOrID)
	if err != nil {
		return nil, err
	}
	found, err := s.daemon.ListNFTData(ctx, kind.ID)
	return found, daemonFault("listing tokens", err)
}

// Summary returns how many tokens of each kind an account, given by name or id, has.
func (s *NFTs) Summary(ctx context.Context, owner string) (json.RawMessage, error) {
	account, err := s.accounts.Get(ctx, owner)
	if err != nil {
		return nil, err
	}
	raw, err := s.daemon.NFTSummary(ctx, account.ID)
	return raw, daemonFault("counting tokens", err)
}

// Held lists the tokens of an account, given by name or id, of the named kinds, or of all kinds if none are named.
func (s *NFTs) Held(ctx context.Context, owner string, symbolsOrIDs []string) ([]json.RawMessage, error) {
	account, err := s.accounts.Get(ctx, owner)
	if err != nil {
		return nil, err
	}
	kinds := make([]ledger.NFTID, len(symbolsOrIDs))
	for i, ref := range symbolsOrIDs {
		kind, err := s.Kind(ctx, ref)
		if err != nil {
			return nil, err
		}
		kinds[i] = kind.ID
	}
	found, err := s.daemon.NFTBalances(ctx, account.ID, kinds)
	return found, daemonFault("listing tokens", err)
}

// History lists what happened to a token, oldest first.
func (s *NFTs) History(ctx context.Context, token ledger.NFTDataID) ([]json.RawMessage, error) {
	rows, err := s.daemon.NFTHistory(ctx, token)
	return rows, daemonFault("reading the token's history", err)
}

// OwnedToken is a token with its kind.
type OwnedToken struct {
	ledger.NFTData
	Kind ledger.NFT
}

// OwnedBy lists the tokens of an account with their kinds.
func (s *NFTs) OwnedBy(ctx context.Context, owner ledger.AccountID) ([]OwnedToken, error) {
	rows, err := s.daemon.NFTBalances(ctx, owner, nil)
	if err != nil {
		return nil, daemonFault("listing tokens", err)
	}
	owned := make([]OwnedToken, len(rows))
	kinds := map[ledger.NFTID]ledger.NFT{}
	for i, row := range rows {
		if err := codec.Unmarshal(row, &owned[i].NFTData); err != nil {
			return nil, fault.Daemon("listing tokens", err)
		}
		kinds[owned[i].NFTID] = ledger.NFT{}
	}
	found, err := s.daemon.GetNFTs(ctx, slices.Sorted(maps.Keys(kinds)))
	if err != nil {
		return nil, daemonFault("looking up kinds of tokens", err)
	}
	for _, row := range found {
		var kind ledger.NFT
		if err := codec.Unmarshal(row, &kind); err != nil {
			return nil, fault.Daemon("looking up kinds of tokens", err)
		}
		kinds[kind.ID] = kind
	}
	for i := range owned {
		owned[i].Kind = kinds[owned[i].NFTID]
	}
	return owned, nil
}

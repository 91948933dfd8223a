package ledgerview

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/store"
)

// PinStore stores what daemons said, so that a later contradiction is noticed.
type PinStore interface {
	AccountPinStore
	AssetPinStore
	ContentPinStore
	SeenAccountStore
	FactStore
}

// AccountPinStore stores the ids and names of accounts.
type AccountPinStore interface {
	AccountPins(ctx context.Context, chain ledger.ChainID, ids []ledger.AccountID, names []string) ([]store.AccountPin, error)
	PinAccounts(ctx context.Context, chain ledger.ChainID, pins ...store.AccountPin) ([]store.AccountPin, error)
}

// AssetPinStore stores the ids, symbols and precisions of assets.
type AssetPinStore interface {
	AssetPins(ctx context.Context, chain ledger.ChainID, ids []ledger.AssetID, symbols []string) ([]store.AssetPin, error)
	PinAssets(ctx context.Context, chain ledger.ChainID, pins ...store.AssetPin) ([]store.AssetPin, error)
}

// ContentPinStore stores the authors of content.
type ContentPinStore interface {
	PinContentAuthor(ctx context.Context, chain ledger.ChainID, a store.ContentAuthor) (store.ContentAuthor, error)
}

// SeenAccountStore stores the keys of accounts as they were accepted.
type SeenAccountStore interface {
	SeenAccount(ctx context.Context, chain ledger.ChainID, id ledger.AccountID) (*store.SeenAccount, error)
	SetSeenAccount(ctx context.Context, chain ledger.ChainID, a store.SeenAccount) error
}

// FactStore stores what else is signed on a daemon's word, as it was last accepted.
type FactStore interface {
	Facts(ctx context.Context, chain ledger.ChainID, subjects, values []string) ([]store.AcceptedFact, error)
	KeepFacts(ctx context.Context, chain ledger.ChainID, facts ...store.AcceptedFact) error
	AcceptFacts(ctx context.Context, chain ledger.ChainID, facts ...store.AcceptedFact) error
}

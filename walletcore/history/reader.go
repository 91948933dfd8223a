package history

import (
	"context"
	"encoding/json"
	"log/slog"

	lru "github.com/hashicorp/golang-lru/v2"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// What the history asks a daemon itself.
type (
	records interface {
		AccountHistoryRaw(
			ctx context.Context,
			account ledger.AccountID,
			stop ledger.HistoryID,
			limit uint32,
			start ledger.HistoryID,
		) ([]json.RawMessage, error)
		RelativeAccountHistoryRaw(ctx context.Context, account ledger.AccountID, stop, limit, start uint32) ([]json.RawMessage, error)
	}
	searches interface {
		SearchAccountHistory(ctx context.Context, account ledger.AccountID, order string, from ledger.ObjectID,
			limit uint32) ([]json.RawMessage, error)
		SearchAccountBalanceHistory(ctx context.Context, account ledger.AccountID, s daemonclient.BalanceSearch) ([]json.RawMessage, error)
		AccountBalanceForTransaction(ctx context.Context, account ledger.AccountID, id ledger.HistoryID) (json.RawMessage, error)
	}
	blocks interface {
		DynamicGlobalProperties(ctx context.Context) (ledger.DynamicGlobalProperties, error)
		GetBlockHeader(ctx context.Context, number uint32) (*ledger.BlockHeader, error)
		GetBlock(ctx context.Context, number uint32) (json.RawMessage, error)
	}
	objects interface {
		GetObjects(ctx context.Context, ids []ledger.ObjectID) ([]json.RawMessage, error)
		GetAccounts(ctx context.Context, ids []ledger.AccountID) ([]*ledger.Account, error)
		GetAssets(ctx context.Context, ids []ledger.AssetID) ([]*ledger.Asset, error)
	}
)

// Daemon is what the history asks a daemon itself.
type Daemon interface {
	records
	searches
	blocks
	objects
	Status() daemonclient.Status
}

// Vault is what the history needs of the wallet's keys.
type Vault interface {
	OpenMemo(m *ledger.Memo) (text string, state vault.MemoState)
	Listed() []ledgerview.AccountRef
	AccountOf(nameOrID string) (account ledgerview.AccountRef, listed bool)
	ChainID() ledger.ChainID // zero while the keys belong to none
}

// Config is what a history is read from.
type Config struct {
	View   *ledgerview.View
	Vault  Vault
	Daemon Daemon
	Index  *historyindex.Index // nil: each page is asked for
	Labels *label.Labels       // that the person wrote on rows; nil: none
	Logger *slog.Logger
}

// Reader reads histories, from the index as far as it has them, else from the
// daemon. It may be used by many goroutines concurrently.
type Reader struct {
	Config
	times  *lru.Cache[uint32, ledger.Time] // of irreversible blocks, which never change
	newest newestRows
	shown  *shownRows
	memos  memory
	ids    *lru.Cache[historyindex.TrxPosition, ledger.TransactionID] // of irreversible blocks
	moved  movedAccounts
}

// mostTimes is how many times of blocks are kept.
const mostTimes = 100_000

// mostIDs is how many ids of transactions are kept.
const mostIDs = 100_000

// NewReader returns a reader.
func NewReader(cfg Config) *Reader {
	times, _ := lru.New[uint32, ledger.Time](mostTimes) // fails for a negative size alone
	ids, _ := lru.New[historyindex.TrxPosition, ledger.TransactionID](mostIDs)
	return &Reader{Config: cfg, times: times, ids: ids, newest: newNewestRows(cfg.Index), shown: newShownRows()}
}

// Wipe forgets the memos that were opened; it is called when the wallet locks.
func (r *Reader) Wipe() {
	r.shown.wipe()
	r.memos.wipe()
}

// Indexed reports whether there is an index of the wallet's chain.
func (r *Reader) Indexed() bool {
	if r.Index == nil {
		return false
	}
	chain := r.Index.Chain()
	return chain != (ledger.ChainID{}) && chain == r.Vault.ChainID()
}

// MovedSince returns the accounts whose rows in the index changed after change number since, as far as that is
// remembered, and the number of the latest change. Without an index nobody knows, and ok is false.
func (r *Reader) MovedSince(since uint64) (ids []ledger.AccountID, last uint64, ok bool) {
	ids, last = r.moved.since(since)
	return ids, last, r.Indexed()
}

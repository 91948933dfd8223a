package history

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"

	lru "github.com/hashicorp/golang-lru/v2"
)

// The parts of Daemon.
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

// Daemon offers what the history reads from a daemon directly.
type Daemon interface {
	records
	searches
	blocks
	objects
	Status() daemonclient.Status
}

// Vault offers what the history needs from the wallet's vault.
type Vault interface {
	OpenMemo(m *ledger.Memo) (text string, state vault.MemoState)
	Listed() []ledgerview.AccountRef
	AccountOf(nameOrID string) (account ledgerview.AccountRef, listed bool)
	ChainID() ledger.ChainID // zero while the wallet belongs to no chain
}

// Config holds what a history is read from.
type Config struct {
	View   *ledgerview.View
	Vault  Vault
	Daemon Daemon
	Index  *historyindex.Index // nil: every page is read from the daemon
	Labels *label.Labels       // the person's labels on rows; nil: none
	Logger *slog.Logger
}

// Reader reads histories from the index as far as it has them, otherwise from the
// daemon. It is safe for concurrent use.
type Reader struct {
	Config
	times   *lru.Cache[uint32, ledger.Time] // of irreversible blocks, which never change
	newest  newestRows
	details *detailCache
	memos   memoCache
	ids     *lru.Cache[historyindex.TrxPosition, ledger.TransactionID] // of irreversible blocks
	moved   movedAccounts
}

// maxTimes is the maximum number of cached block times.
const maxTimes = 100_000

// maxIDs is the maximum number of cached transaction ids.
const maxIDs = 100_000

// NewReader returns a reader.
func NewReader(cfg Config) *Reader {
	times, _ := lru.New[uint32, ledger.Time](maxTimes) // it fails only for a size below one
	ids, _ := lru.New[historyindex.TrxPosition, ledger.TransactionID](maxIDs)
	return &Reader{Config: cfg, times: times, ids: ids, newest: newNewestRows(cfg.Index), details: newDetailCache()}
}

// Wipe forgets the memos that were decrypted. It must be called when the wallet locks.
func (r *Reader) Wipe() {
	r.details.wipe()
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

// MovedSince returns the accounts whose rows in the index changed after the change numbered since, as far as that is
// remembered, and the number of the latest change. ok is false without an index.
func (r *Reader) MovedSince(since uint64) (ids []ledger.AccountID, last uint64, ok bool) {
	ids, last = r.moved.since(since)
	return ids, last, r.Indexed()
}

// maxMoved is the maximum number of changes that movedAccounts remembers.
const maxMoved = 1 << 16

// movedAccounts remembers the accounts whose rows changed lately.
type movedAccounts struct {
	mu   sync.Mutex
	last uint64             // how many changes there were, which is the number of the latest one
	ids  []ledger.AccountID // of the latest changes, oldest first
}

func (m *movedAccounts) note(id ledger.AccountID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.ids) == maxMoved {
		m.ids = slices.Delete(m.ids, 0, maxMoved/4)
	}
	m.last++
	m.ids = append(m.ids, id)
}

func (m *movedAccounts) since(number uint64) (ids []ledger.AccountID, last uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	after := min(m.last-min(number, m.last), uint64(len(m.ids)))
	return slices.Clone(m.ids[uint64(len(m.ids))-after:]), m.last
}

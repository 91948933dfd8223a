package deposit

import (
	"log/slog"
	"maps"
	"sync"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/finality"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// MemoOpener reads memos with the keys of the wallet.
type MemoOpener interface {
	OpenMemo(m *ledger.Memo) (text string, state vault.MemoState)
}

// Anchors returns what the miners' signatures have proven.
type Anchors interface {
	Anchor() finality.Anchor
	LatestBlock() ledger.Time // the latest time that a block may have
}

// ProverConfig holds the dependencies of a Prover.
type ProverConfig struct {
	View    *ledgerview.View
	Memos   MemoOpener
	Anchors Anchors
	Daemon  *daemonclient.Client
	Index   *historyindex.Index // may be nil
	Logger  *slog.Logger
}

// Prover compares history rows with the blocks that they name. It is safe for concurrent use.
type Prover struct {
	ProverConfig
	proofs   provenTransfers
	withheld loggedOnce
}

// NewProver returns a Prover that has read no block yet.
func NewProver(cfg ProverConfig) *Prover { return &Prover{ProverConfig: cfg} }

// provenTransfers remembers the transfers of blocks that the miners' signatures prove.
type provenTransfers struct {
	mu      sync.Mutex
	byBlock map[uint32]blockTransfers
}

// blockTransfers are the transfers of a block by their place in it, and where in it proposals may have been carried out.
type blockTransfers struct {
	id           ledger.BlockID
	at           map[blockPlace]provenTransfer
	approvals    map[blockPlace]bool
	updates      map[blockPlace]provenUpdate
	transactions uint32
}

// provenUpdate is a change of an account, and the transaction that made it.
type provenUpdate struct {
	transaction ledger.TransactionID
	op          *ledger.AccountUpdateOp
}

type blockPlace struct{ trx, op uint32 }

type provenTransfer struct {
	history.Movement
	memo        *ledger.Memo
	transaction ledger.TransactionID
}

const (
	maxBlocksKept = 20_000 // in memory
	maxLinked     = 20_000 // blocks read to link an old one to the last proven one
	linkedAtOnce  = 12
)

func (p *provenTransfers) find(num uint32) (blockTransfers, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b, ok := p.byBlock[num]
	return b, ok
}

func (p *provenTransfers) keep(blocks map[uint32]blockTransfers) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byBlock == nil || len(p.byBlock)+len(blocks) > maxBlocksKept {
		p.byBlock = map[uint32]blockTransfers{}
	}
	maps.Copy(p.byBlock, blocks)
}

// sameTransfer reports whether a row matches what its block holds.
func (p *Prover) sameTransfer(account ledger.AccountID, row *history.Entry, found provenTransfer) bool {
	amount := ledger.AssetAmount{Amount: row.Amount, AssetID: row.Asset.ID}
	if found.To != account.Object() || found.From != row.From.ID || found.Amount != amount {
		return false
	}
	text, state := p.Memos.OpenMemo(found.memo)
	if state == vault.MemoLocked || row.MemoState == vault.MemoLocked { // at least one of them was not read
		return state != vault.MemoNone && row.MemoState != vault.MemoNone
	}
	return text == row.Memo && state == row.MemoState
}

// mayBeProposal reports whether a proposal may have been carried out at a place: at the last approval that it needed or,
// by time, after all transactions.
func (b *blockTransfers) mayBeProposal(at blockPlace) bool {
	return b.approvals[at] || at.trx == b.transactions
}

// maxLogged limits what is logged, because a daemon can invent any number of rows.
const maxLogged = 1000

// loggedOnce are the rows that were logged.
type loggedOnce struct {
	mu   sync.Mutex
	rows map[string]struct{}
}

func (t *loggedOnce) shouldLog(what string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, logged := t.rows[what]
	if logged || len(t.rows) >= maxLogged {
		return false
	}
	if t.rows == nil {
		t.rows = map[string]struct{}{}
	}
	t.rows[what] = struct{}{}
	return true
}

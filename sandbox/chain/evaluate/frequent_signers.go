package evaluate

import (
	"sync"

	"billfold/ledger"
)

// frequentSigners remembers the keys that sign for frequent payers: recovering the key of a signature
// is most of the work that a transaction takes.
type frequentSigners struct {
	mu     sync.Mutex
	signer map[ledger.AccountID]signer
	tables int
}

// signer is the key that first signed for an account.
type signer struct {
	key   ledger.PublicKey
	times int
	table *ledger.ExpectedKey // nil if the key is not worth one
}

const (
	maxSigners         = 1000 // accounts whose signatures are counted
	maxTables          = 16
	signaturesForTable = 50 // after which a table is worth making
)

// recover is ledger.RecoverKey for a signature of a transaction that payer pays for.
func (f *frequentSigners) recover(payer ledger.AccountID, digest [32]byte, sig ledger.Signature) (ledger.PublicKey, error) {
	if table := f.tableOf(payer); table != nil && table.Made(digest, sig) {
		return table.Key(), nil
	}
	key, err := ledger.RecoverKey(digest, sig)
	if err == nil && f.count(payer, key) {
		if table, err := ledger.NewExpectedKey(key); err == nil {
			f.setTable(payer, table)
		}
	}
	return key, err
}

func (f *frequentSigners) tableOf(payer ledger.AccountID) *ledger.ExpectedKey {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.signer[payer].table
}

// count counts a signature and reports whether its key is now worth a table.
func (f *frequentSigners) count(payer ledger.AccountID, key ledger.PublicKey) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.signer == nil {
		f.signer = map[ledger.AccountID]signer{}
	}
	s, known := f.signer[payer]
	switch {
	case !known && len(f.signer) >= maxSigners:
		return false
	case !known:
		s.key = key
	case s.key != key || s.table != nil:
		return false
	}
	s.times++
	f.signer[payer] = s
	if s.times != signaturesForTable || f.tables >= maxTables {
		return false
	}
	f.tables++
	return true
}

func (f *frequentSigners) setTable(payer ledger.AccountID, table *ledger.ExpectedKey) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.signer[payer]
	s.table = table
	f.signer[payer] = s
}

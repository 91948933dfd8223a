package evaluate

import (
	"sync"

	"billfold/ledger"
)

// frequent remembers the keys that sign for those who pay often: recovering the key of a signature is
// most of what a transaction costs the node.
type frequent struct {
	mu     sync.Mutex
	signer map[ledger.AccountID]signer
	tables int
}

// signer is the key that signed first for an account.
type signer struct {
	key   ledger.PublicKey
	times int
	table *ledger.ExpectedKey // nil: it is not worth one
}

const (
	mostSigners = 1000 // that are counted
	mostTables  = 16
	oftenEnough = 50 // signatures by which a table pays
)

// recover is ledger.RecoverKey for a signature of a transaction that payer pays for.
func (f *frequent) recover(payer ledger.AccountID, digest [32]byte, sig ledger.Signature) (ledger.PublicKey, error) {
	if table := f.expected(payer); table != nil && table.Made(digest, sig) {
		return table.Key(), nil
	}
	key, err := ledger.RecoverKey(digest, sig)
	if err == nil && f.count(payer, key) {
		if table, err := ledger.NewExpectedKey(key); err == nil {
			f.keep(payer, table)
		}
	}
	return key, err
}

func (f *frequent) expected(payer ledger.AccountID) *ledger.ExpectedKey {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.signer[payer].table
}

// count notes a signature and reports whether its key is worth a table now.
func (f *frequent) count(payer ledger.AccountID, key ledger.PublicKey) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.signer == nil {
		f.signer = map[ledger.AccountID]signer{}
	}
	s, known := f.signer[payer]
	switch {
	case !known && len(f.signer) >= mostSigners:
		return false
	case !known:
		s.key = key
	case s.key != key || s.table != nil:
		return false
	}
	s.times++
	f.signer[payer] = s
	if s.times != oftenEnough || f.tables >= mostTables {
		return false
	}
	f.tables++
	return true
}

func (f *frequent) keep(payer ledger.AccountID, table *ledger.ExpectedKey) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.signer[payer]
	s.table = table
	f.signer[payer] = s
}

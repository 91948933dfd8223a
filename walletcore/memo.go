package walletcore

import (
	"sync"

	"billfold/keystore"
	"billfold/ledger"
)

// mostSecrets bounds the cache of shared secrets; beyond it the cache starts anew.
const mostSecrets = 10_000

// sharedSecrets keeps the secret of each pair of keys while the wallet is
// unlocked: deriving one costs a hundred times what opening a memo does.
type sharedSecrets struct {
	mu sync.RWMutex
	by map[secretPair]*ledger.SharedSecret
}

type secretPair struct{ own, other ledger.PublicKey }

// get gives the secret of key and other, from the cache if it is there.
func (s *sharedSecrets) get(key ledger.PrivateKey, pair secretPair) (*ledger.SharedSecret, error) {
	s.mu.RLock()
	secret := s.by[pair]
	s.mu.RUnlock()
	if secret != nil {
		return secret, nil
	}
	made, err := key.SharedSecret(pair.other)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil || len(s.by) >= mostSecrets {
		s.by = map[secretPair]*ledger.SharedSecret{}
	}
	s.by[pair] = &made
	return &made, nil
}

// wipe forgets every secret.
func (s *sharedSecrets) wipe() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.by {
		secret.Wipe()
	}
	s.by = nil
}

func (s *sharedSecrets) encrypt(key ledger.PrivateKey, own, other ledger.PublicKey, text string) (ledger.Memo, error) {
	secret, err := s.get(key, secretPair{own, other})
	if err != nil {
		return ledger.Memo{}, err
	}
	return ledger.EncryptMemoWith(*secret, own, other, 0, text)
}

// openMemo reads a memo with whatever key of the wallet fits: the recipient's
// side first, as the reference does. Plain memos need no key.
func (w *Wallet) openMemo(store *keystore.Store, memo *ledger.Memo) (string, MemoState) {
	if memo == nil {
		return "", MemoNone
	}
	if text, plain, err := memo.Plain(); plain {
		if err != nil {
			return "", MemoDamaged
		}
		return text, MemoPlain
	}
	if store == nil || store.IsLocked() {
		return "", MemoLocked
	}
	for _, pair := range []secretPair{{memo.To, memo.From}, {memo.From, memo.To}} {
		key, held := store.Key(pair.own)
		if !held {
			continue
		}
		return w.openWith(key, pair, memo)
	}
	return "", MemoForeign
}

func (w *Wallet) openWith(key ledger.PrivateKey, pair secretPair, memo *ledger.Memo) (string, MemoState) {
	secret, err := w.secrets.get(key, pair)
	if err != nil {
		return "", MemoDamaged
	}
	text, err := memo.DecryptWith(*secret)
	if err != nil {
		return "", MemoDamaged
	}
	return text, MemoOpen
}

// memoOf gives the memo an operation carries, nil when it has none.
func memoOf(body ledger.Body) *ledger.Memo {
	switch op := body.(type) {
	case *ledger.TransferOp:
		return op.Memo
	case *ledger.TransferObsoleteOp:
		return op.Memo
	case *ledger.AssetIssueOp:
		return op.Memo
	case *ledger.WithdrawPermissionClaimOp:
		return op.Memo
	case *ledger.NFTIssueOp:
		return op.Memo
	case *ledger.NFTTransferOp:
		return op.Memo
	}
	return nil
}

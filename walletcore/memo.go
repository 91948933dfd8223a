package walletcore

import (
	"sync"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/vault"
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

// use gives the secret of key and other to act, from the cache if it is there;
// it is not wiped while act runs.
func (s *sharedSecrets) use(key ledger.PrivateKey, pair secretPair, act func(ledger.SharedSecret) error) error {
	if found, err := s.useKept(pair, act); found {
		return err
	}
	made, err := key.SharedSecret(pair.other)
	if err != nil {
		return err
	}
	err = act(made)
	s.keep(pair, &made)
	return err
}

func (s *sharedSecrets) useKept(pair secretPair, act func(ledger.SharedSecret) error) (found bool, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if secret := s.by[pair]; secret != nil {
		return true, act(*secret)
	}
	return false, nil
}

func (s *sharedSecrets) keep(pair secretPair, made *ledger.SharedSecret) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by[pair] != nil { // somebody else was faster
		made.Wipe()
		return
	}
	if len(s.by) >= mostSecrets {
		s.wipeLocked()
	}
	if s.by == nil {
		s.by = map[secretPair]*ledger.SharedSecret{}
	}
	s.by[pair] = made
}

// wipe forgets every secret.
func (s *sharedSecrets) wipe() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipeLocked()
}

func (s *sharedSecrets) wipeLocked() {
	for _, secret := range s.by {
		secret.Wipe()
	}
	s.by = nil
}

func (s *sharedSecrets) encrypt(key ledger.PrivateKey, own, other ledger.PublicKey, text string) (memo ledger.Memo, err error) {
	err = s.use(key, secretPair{own, other}, func(secret ledger.SharedSecret) (err error) {
		memo, err = ledger.EncryptMemoWith(secret, own, other, 0, text)
		return err
	})
	return memo, err
}

// openMemo reads a memo with whatever key of the wallet fits: the recipient's
// side first, as the reference does. Plain memos need no key.
func (w *Wallet) openMemo(store *keystore.Store, memo *ledger.Memo) (string, vault.MemoState) {
	if memo == nil {
		return "", vault.MemoNone
	}
	if text, plain, err := memo.Plain(); plain {
		if err != nil {
			return "", vault.MemoDamaged
		}
		return text, vault.MemoPlain
	}
	if store == nil {
		return "", vault.MemoLocked
	}
	text, state := "", vault.MemoForeign
	if store.View(func(keys *keystore.Secrets) error { // the keys stay while it is read
		text, state = w.openWith(keys, memo)
		return nil
	}) != nil {
		return "", vault.MemoLocked
	}
	return text, state
}

func (w *Wallet) openWith(keys *keystore.Secrets, memo *ledger.Memo) (text string, state vault.MemoState) {
	for _, pair := range []secretPair{{memo.To, memo.From}, {memo.From, memo.To}} {
		key, held := keys.Key(pair.own)
		if !held {
			continue
		}
		if w.secrets.use(key, pair, func(secret ledger.SharedSecret) (err error) {
			text, err = memo.DecryptWith(secret)
			return err
		}) != nil {
			return "", vault.MemoDamaged
		}
		return text, vault.MemoOpen
	}
	return "", vault.MemoForeign
}

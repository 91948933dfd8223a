// Package vault keeps the wallet's keys: the lock, what is encrypted for them, and what they may do.
package vault

import (
	"sync"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"

	lru "github.com/hashicorp/golang-lru/v2"
)

// MemoState is the readability of a memo.
type MemoState int

// The memo states.
const (
	MemoNone    MemoState = iota // the operation carries none
	MemoOpen                     // encrypted, opened with a key of this wallet
	MemoPlain                    // anyone can read it
	MemoLocked                   // encrypted, the wallet is locked
	MemoForeign                  // encrypted, the key is not in this wallet
	MemoDamaged                  // checksum or padding does not match
)

// Lasting reports whether a memo reads the same as long as the wallet is not locked: no key imported later changes it.
func (s MemoState) Lasting() bool { return s == MemoNone || s == MemoOpen || s == MemoPlain }

// OpenMemo reads a memo with whichever key of the wallet fits: the recipient's first, as the reference does. Plain memos need no key.
func (v *Vault) OpenMemo(memo *ledger.Memo) (string, MemoState) {
	if memo == nil {
		return "", MemoNone
	}
	if text, plain, err := memo.Plain(); plain {
		if err != nil {
			return "", MemoDamaged
		}
		return text, MemoPlain
	}
	store := v.keys()
	if store == nil {
		return "", MemoLocked
	}
	text, state := "", MemoForeign
	if store.View(func(keys *keystore.Secrets) error { // the keys stay while it is read
		text, state = v.decryptWith(keys, memo)
		return nil
	}) != nil {
		return "", MemoLocked
	}
	return text, state
}

func (v *Vault) decryptWith(keys *keystore.Secrets, memo *ledger.Memo) (text string, state MemoState) {
	for _, pair := range []secretPair{{memo.To, memo.From}, {memo.From, memo.To}} {
		key, held := keys.Key(pair.own)
		if !held {
			continue
		}
		if v.secrets.use(key, pair, func(secret ledger.SharedSecret) (err error) {
			text, err = memo.DecryptWith(secret)
			return err
		}) != nil {
			return "", MemoDamaged
		}
		return text, MemoOpen
	}
	return "", MemoForeign
}

// EncryptMemo encrypts text from own, whose private key the wallet must hold, to other. Errors: fault.Locked,
// fault.KeyNotInWallet, and fault.BadPublicKey if other is not a valid key.
func (v *Vault) EncryptMemo(op string, own, other ledger.PublicKey, text string) (memo ledger.Memo, err error) {
	store, err := v.Unlocked(op)
	if err != nil {
		return ledger.Memo{}, err
	}
	err = store.View(func(keys *keystore.Secrets) (err error) { // the key stays while it is used
		key, held := keys.Key(own)
		if !held {
			return &fault.Error{Code: fault.KeyNotInWallet, Op: op, Message: "the key " + own.String() + " is not in this wallet"}
		}
		if memo, err = v.secrets.encrypt(key, own, other, text); err != nil {
			return &fault.Error{Code: fault.BadPublicKey, Op: op,
				Message: "the recipient's memo key cannot be used: " + err.Error(), Hint: "send without a memo"}
		}
		return nil
	})
	if err != nil {
		return ledger.Memo{}, fault.Own(op, err)
	}
	return memo, nil
}

// EncryptForSelf encrypts text with the first key of the wallet, so that OpenMemo can read it again. Errors:
// fault.Locked, fault.KeyNotInWallet.
func (v *Vault) EncryptForSelf(op, text string) (memo ledger.Memo, err error) {
	store, err := v.Unlocked(op)
	if err != nil {
		return ledger.Memo{}, err
	}
	err = store.View(func(keys *keystore.Secrets) error {
		own := keys.PublicKeys()
		if len(own) == 0 {
			return &fault.Error{Code: fault.KeyNotInWallet, Op: op,
				Message: "what only this wallet can read is encrypted with one of its keys, and it has none yet",
				Hint:    "import a key first"}
		}
		key, _ := keys.Key(own[0])
		memo, err = v.secrets.encrypt(key, own[0], own[0], text)
		return err
	})
	if err != nil {
		return ledger.Memo{}, fault.Own(op, err)
	}
	return memo, nil
}

// maxSecrets limits the cache of shared secrets.
const maxSecrets = 10_000

// sharedSecrets caches the secret of each pair of keys while the wallet is unlocked: deriving one costs a
// hundred times as much as opening a memo.
type sharedSecrets struct {
	mu sync.RWMutex // held for reading while a secret is used, for writing while one is wiped
	by *lru.Cache[secretPair, ledger.SharedSecret]
}

type secretPair struct{ own, other ledger.PublicKey }

func newSharedSecrets(most int) *sharedSecrets {
	by, err := lru.NewWithEvict(most, func(_ secretPair, s ledger.SharedSecret) { s.Wipe() })
	if err != nil {
		panic(err) // it fails only for a size below one
	}
	return &sharedSecrets{by: by}
}

// use calls act with the secret of key and other, from the cache if it is there. The secret is not wiped while act runs.
func (s *sharedSecrets) use(key ledger.PrivateKey, pair secretPair, act func(ledger.SharedSecret) error) error {
	if found, err := s.useKept(pair, act); found {
		return err
	}
	made, err := key.SharedSecret(pair.other)
	if err != nil {
		return err
	}
	err = act(made)
	s.keep(pair, made)
	return err
}

func (s *sharedSecrets) useKept(pair secretPair, act func(ledger.SharedSecret) error) (found bool, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	secret, found := s.by.Get(pair)
	if !found {
		return false, nil
	}
	return true, act(secret)
}

func (s *sharedSecrets) keep(pair secretPair, made ledger.SharedSecret) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by.Contains(pair) { // another goroutine was faster
		made.Wipe()
		return
	}
	s.by.Add(pair, made)
}

// wipe drops and wipes every secret.
func (s *sharedSecrets) wipe() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.by.Purge()
}

func (s *sharedSecrets) encrypt(key ledger.PrivateKey, own, other ledger.PublicKey, text string) (memo ledger.Memo, err error) {
	err = s.use(key, secretPair{own, other}, func(secret ledger.SharedSecret) (err error) {
		memo, err = ledger.EncryptMemoWith(secret, own, other, 0, text)
		return err
	})
	return memo, err
}

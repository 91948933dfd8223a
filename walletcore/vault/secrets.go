package vault

import (
	"sync"

	"billfold/ledger"

	lru "github.com/hashicorp/golang-lru/v2"
)

// mostSecrets limits the cache of shared secrets.
const mostSecrets = 10_000

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

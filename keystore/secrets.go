package keystore

import (
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"sync"

	"billfold/ledger"
)

// Secrets holds private keys in memory. The zero value is empty and ready to use; it must not be copied. It keeps
// copies of what is added to it; the keys it returns are its own and become null keys when it is wiped. It is not safe
// for concurrent use. No way of printing shows what is inside.
type Secrets struct {
	keys            map[ledger.PublicKey]ledger.PrivateKey
	proven          sync.Map                     // keys whose public key was computed and compared
	elGamal         map[string]ledger.ElGamalKey // by decimal public number
	pendingAccounts map[string][]ledger.PrivateKey
	pendingMiners   map[string]ledger.PrivateKey
}

// Pending holds keys for an account, or a miner, that is not on the ledger yet.
type Pending struct {
	Name string // account name, or for miners the owner as it was given
	Keys []ledger.PrivateKey
}

// AddKey keeps a copy of key and returns its public key. A null key is an ErrInvalid.
func (s *Secrets) AddKey(key ledger.PrivateKey) (ledger.PublicKey, error) {
	public := key.Public()
	if _, held := s.keys[public]; held {
		return public, nil
	}
	own, err := copyKey(key)
	if err != nil {
		return ledger.PublicKey{}, err
	}
	if s.keys == nil {
		s.keys = map[ledger.PublicKey]ledger.PrivateKey{}
	}
	s.keys[public] = own
	s.proven.Store(public, true)
	return public, nil
}

// RemoveKey wipes and removes a key.
func (s *Secrets) RemoveKey(public ledger.PublicKey) {
	s.keys[public].Wipe()
	delete(s.keys, public)
}

// Key returns the private key of a public one. Several goroutines may call it at once.
func (s *Secrets) Key(public ledger.PublicKey) (ledger.PrivateKey, bool) {
	key, ok := s.keys[public]
	if !ok {
		return key, false
	}
	if _, done := s.proven.Load(public); !done {
		if key.Public() != public { // wiped, or of another public key
			return ledger.PrivateKey{}, false
		}
		s.proven.Store(public, true)
	}
	return key, true
}

// PublicKeys lists the held keys, sorted by ledger.ComparePublicKeys.
func (s *Secrets) PublicKeys() []ledger.PublicKey {
	keys := slices.AppendSeq(make([]ledger.PublicKey, 0, len(s.keys)), maps.Keys(s.keys))
	slices.SortFunc(keys, ledger.ComparePublicKeys)
	return keys
}

// AddElGamal keeps a copy of a pair that no held private key yields; the pairs of the held keys need not be added.
func (s *Secrets) AddElGamal(pair ledger.ElGamalKey) error {
	if pair.Public == nil || pair.Private == nil || pair.Public.Sign() <= 0 || pair.Private.Sign() <= 0 {
		return invalidError("an El Gamal pair lacks a number")
	}
	if s.elGamal == nil {
		s.elGamal = map[string]ledger.ElGamalKey{}
	}
	name := pair.Public.String()
	if old, held := s.elGamal[name]; held {
		old.Wipe()
	}
	s.elGamal[name] = copyPair(pair)
	return nil
}

// ElGamalKeys returns the pairs of all held keys and the added ones, ascending public numbers. They are copies: the
// caller wipes them.
func (s *Secrets) ElGamalKeys() []ledger.ElGamalKey {
	pairs := make([]ledger.ElGamalKey, 0, len(s.keys)+len(s.elGamal))
	for _, key := range s.keys {
		pairs = append(pairs, key.ElGamal())
	}
	for _, pair := range s.elGamal {
		pairs = append(pairs, copyPair(pair))
	}
	slices.SortStableFunc(pairs, comparePairs)
	return slices.CompactFunc(pairs, func(a, b ledger.ElGamalKey) bool { return comparePairs(a, b) == 0 })
}

// AddPendingAccount appends keys that wait for an account of this name.
func (s *Secrets) AddPendingAccount(name string, keys ...ledger.PrivateKey) error {
	if s.pendingAccounts == nil {
		s.pendingAccounts = map[string][]ledger.PrivateKey{}
	}
	for _, key := range keys {
		own, err := copyKey(key)
		if err != nil {
			return err
		}
		s.pendingAccounts[name] = append(s.pendingAccounts[name], own)
	}
	return nil
}

// PendingAccounts lists the accounts with keys that wait, by name.
func (s *Secrets) PendingAccounts() []Pending {
	var list []Pending
	for _, name := range slices.Sorted(maps.Keys(s.pendingAccounts)) {
		list = append(list, Pending{name, slices.Clone(s.pendingAccounts[name])})
	}
	return list
}

// RemovePendingAccount wipes the keys that wait for name.
func (s *Secrets) RemovePendingAccount(name string) {
	wipeKeys(s.pendingAccounts[name])
	delete(s.pendingAccounts, name)
}

// SetPendingMiner keeps the signing key of a miner that is not on the ledger yet.
func (s *Secrets) SetPendingMiner(owner string, key ledger.PrivateKey) error {
	own, err := copyKey(key)
	if err != nil {
		return err
	}
	if s.pendingMiners == nil {
		s.pendingMiners = map[string]ledger.PrivateKey{}
	}
	s.pendingMiners[owner].Wipe()
	s.pendingMiners[owner] = own
	return nil
}

// PendingMiners lists the miners with keys that wait, by owner; each has one key.
func (s *Secrets) PendingMiners() []Pending {
	var list []Pending
	for _, owner := range slices.Sorted(maps.Keys(s.pendingMiners)) {
		list = append(list, Pending{owner, []ledger.PrivateKey{s.pendingMiners[owner]}})
	}
	return list
}

// RemovePendingMiner wipes the key that waits for owner.
func (s *Secrets) RemovePendingMiner(owner string) {
	s.pendingMiners[owner].Wipe()
	delete(s.pendingMiners, owner)
}

// Wipe overwrites every key, including the copies returned, and empties s. A nil s is empty.
func (s *Secrets) Wipe() {
	if s == nil {
		return
	}
	for _, key := range s.keys {
		key.Wipe()
	}
	for _, pair := range s.elGamal {
		pair.Wipe()
	}
	s.wipePending()
	*s = Secrets{}
}

func (s *Secrets) wipePending() {
	for _, keys := range s.pendingAccounts {
		wipeKeys(keys)
	}
	for _, key := range s.pendingMiners {
		key.Wipe()
	}
}

// Format writes a placeholder instead of the secrets.
func (s *Secrets) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "(secrets hidden)") }

// MarshalJSON always fails: a placeholder could end up in a file in place of the keys.
func (s *Secrets) MarshalJSON() ([]byte, error) {
	return nil, invalidError("private keys are not written as JSON")
}

func copyKey(key ledger.PrivateKey) (ledger.PrivateKey, error) {
	var secret [32]byte
	key.PutSecret(&secret)
	defer clear(secret[:])
	own, err := ledger.NewPrivateKey(secret)
	if err != nil {
		return ledger.PrivateKey{}, invalidError("a private key is empty, or was wiped")
	}
	return own, nil
}

func copyPair(pair ledger.ElGamalKey) ledger.ElGamalKey {
	return ledger.ElGamalKey{Private: new(big.Int).Set(pair.Private), Public: new(big.Int).Set(pair.Public)}
}

func comparePairs(a, b ledger.ElGamalKey) int { return a.Public.Cmp(b.Public) }

func wipeKeys(keys []ledger.PrivateKey) {
	for _, key := range keys {
		key.Wipe()
	}
}

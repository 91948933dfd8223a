package produce

import (
	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

// Keys are the keys with which miners sign blocks.
type Keys struct {
	byPublic map[ledger.PublicKey]ledger.PrivateKey
	fallback ledger.PublicKey // one of them, publicly known, for miners whose key is not among them
}

// NewKeys returns the given keys and a publicly known one.
func NewKeys(given ...ledger.PrivateKey) *Keys {
	fallback := ledger.DeriveKey("billfold sandbox miner", 0)
	k := &Keys{byPublic: map[ledger.PublicKey]ledger.PrivateKey{fallback.Public(): fallback}, fallback: fallback.Public()}
	for _, key := range given {
		k.byPublic[key.Public()] = key
	}
	return k
}

// Replace replaces signing keys that are not among k by the publicly known one, so
// that blocks are signed with the keys in the miners' objects.
func (k *Keys) Replace(s *state.State) {
	for _, m := range s.Miners.Candidates() {
		if _, ok := k.byPublic[m.SigningKey]; !ok {
			s.Miners.Change(m.ID, func(m *state.Miner) { m.SigningKey = k.fallback })
		}
	}
}

// Seal fills in the header and signs it for the miner whose turn it is.
func (k *Keys) Seal(s *state.State, b *ledger.Block, now ledger.Time) (err error) {
	b.Miner, b.SigningKey, b.Timestamp = k.signer(s, now)
	b.Previous = s.Dynamic().HeadBlockID
	if b.TransactionMerkleRoot, err = ledger.MerkleRoot(b.Transactions); err != nil {
		return err
	}
	digest, err := b.BlockHeader.Digest()
	if err != nil {
		return err
	}
	b.MinerSignature = k.byPublic[b.SigningKey].SignAsReference(digest)
	b.BlockID, err = b.SignedBlockHeader.ID()
	return err
}

// signer returns the miner that makes the next block, the key that signs it, and
// its time, which is now unless somebody misses a turn. A miner whose key was
// changed to one not among k misses its turn: the slot passes without a block. If
// that is true of all miners, the chain continues with blocks signed with the
// publicly known key.
func (k *Keys) signer(s *state.State, now ledger.Time) (ledger.MinerID, ledger.PublicKey, ledger.Time) {
	slots := slotsUntil(s, now)
	for missed := range uint64(len(s.Miners.Schedule().CurrentShuffledMiners)) {
		id := scheduledMiner(s, slots, missed)
		key := s.Miners.Get(id).SigningKey
		if _, ok := k.byPublic[key]; !ok {
			continue
		}
		if missed > 0 {
			now = max(now, slotTime(s, slots+missed))
		}
		return id, key, now
	}
	return scheduledMiner(s, slots, 0), k.fallback, now
}

package produce

import (
	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

// Keys are what miners sign blocks with.
type Keys struct {
	byPublic map[ledger.PublicKey]ledger.PrivateKey
	own      ledger.PublicKey // one of them: of miners whose key in the genesis nobody here has
}

// NewKeys returns the keys given and one that everybody knows.
func NewKeys(given ...ledger.PrivateKey) *Keys {
	own := ledger.DeriveKey("billfold sandbox miner", 0)
	k := &Keys{byPublic: map[ledger.PublicKey]ledger.PrivateKey{own.Public(): own}, own: own.Public()}
	for _, key := range given {
		k.byPublic[key.Public()] = key
	}
	return k
}

// Replace sets the key of miners whose own is not here to the well-known one, so
// that what the miners' objects say is what blocks are signed with.
func (k *Keys) Replace(s *state.State) {
	for _, m := range s.Miners.Candidates() {
		if _, ok := k.byPublic[m.SigningKey]; !ok {
			s.Miners.Change(m.ID, func(m *state.Miner) { m.SigningKey = k.own })
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

// signer returns the miner that makes the next block, the key that signs it and
// its time, which is now if nobody misses a turn. A miner whose key was changed
// to one that nobody here has does: its slot passes without a block. When that
// is true of all, the chain continues with blocks that are not signed as their
// miners' objects say.
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
	return scheduledMiner(s, slots, 0), k.own, now
}

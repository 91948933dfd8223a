package finality

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"billfold/ledger"

	"pgregory.net/rapid"
)

const slotSeconds = 5

// network makes signed headers as a ledger's miners do: a schedule that is
// shuffled every round, slots that pass without a block, and the ledger's own
// rule over the miners that are really active.
type network struct {
	start     ledger.Time
	slot      uint32
	active    []ledger.MinerID
	turn      []ledger.MinerID
	version   map[ledger.MinerID]int // of the key
	down      map[ledger.MinerID]bool
	confirmed map[ledger.MinerID]uint32
	headers   []ledger.SignedBlockHeader // block num is headers[num-1]
	ids       []ledger.BlockID
	final     uint32 // by the ledger's rule
	before    uint32 // by the rule over the miners that were active up to two rounds ago
	sets      []activeSet
	nextMiner ledger.MinerID
	shuffle   func([]ledger.MinerID) []ledger.MinerID
}

func newNetwork(miners int, shuffle func([]ledger.MinerID) []ledger.MinerID) *network {
	n := &network{
		start: 1_600_000_000, version: map[ledger.MinerID]int{}, down: map[ledger.MinerID]bool{},
		confirmed: map[ledger.MinerID]uint32{}, nextMiner: 1, shuffle: shuffle,
	}
	for range miners {
		n.elect()
	}
	n.turn = slices.Clone(n.active)
	return n
}

func shuffled(t *rapid.T) func([]ledger.MinerID) []ledger.MinerID {
	return func(list []ledger.MinerID) []ledger.MinerID { return rapid.Permutation(list).Draw(t, "turn") }
}

func inOrder(list []ledger.MinerID) []ledger.MinerID { return list }

// activeSet holds the miners that were active until a change, and the block up to which they count.
type activeSet struct {
	miners []ledger.MinerID
	over   uint32 // block
}

func (n *network) changed() {
	n.sets = append(n.sets, activeSet{slices.Clone(n.active), n.head() + uint32(2*len(n.active))})
}

// rule is the ledger's over the miners.
func (n *network) rule(miners []ledger.MinerID) uint32 {
	var confirmed []uint32
	for _, m := range miners {
		confirmed = append(confirmed, n.confirmed[m])
	}
	return ledger.LastIrreversible(confirmed)
}

// elect adds a miner nobody knew.
func (n *network) elect() {
	n.changed()
	n.active = append(n.active, n.nextMiner)
	n.nextMiner++
}

// retire takes the miner out.
func (n *network) retire(id ledger.MinerID) {
	n.changed()
	n.active = slices.DeleteFunc(n.active, func(m ledger.MinerID) bool { return m == id })
}

func minerKey(id ledger.MinerID, version int) ledger.PrivateKey {
	return ledger.DeriveKey(fmt.Sprintf("miner %d", id), version)
}

func (n *network) key(id ledger.MinerID) ledger.PrivateKey { return minerKey(id, n.version[id]) }

// anchor pins what is true now.
func (n *network) anchor(t testing.TB) Anchor {
	var miners []Miner
	for _, id := range n.active {
		miners = append(miners, Miner{id, n.key(id).Public()})
	}
	a, err := Pin(ledger.ChainID{1}, miners, slotSeconds)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// pass lets a slot pass, which makes a block unless its miner is down.
func (n *network) pass() {
	n.slot++
	miner := n.turn[int(n.slot)%len(n.turn)]
	if n.down[miner] {
		return
	}
	h := ledger.SignedBlockHeader{}
	if len(n.ids) > 0 {
		h.Previous = n.ids[len(n.ids)-1]
	}
	h.Timestamp, h.Miner = n.start+ledger.Time(n.slot*slotSeconds), miner
	sign(&h, n.key(miner))
	id, _ := h.ID()
	n.headers, n.ids = append(n.headers, h), append(n.ids, id)
	num := uint32(len(n.ids))
	n.confirmed[miner] = num
	n.final = max(n.final, n.rule(n.active))
	n.before = max(n.before, n.final)
	n.sets = slices.DeleteFunc(n.sets, func(s activeSet) bool { return s.over < num })
	for _, s := range n.sets {
		n.before = max(n.before, n.rule(s.miners))
	}
	if len(n.ids)%len(n.active) == 0 {
		n.turn = n.shuffle(slices.Clone(n.active))
	}
}

// mine makes that many blocks.
func (n *network) mine(blocks int) {
	for until := len(n.ids) + blocks; len(n.ids) < until; {
		n.pass()
	}
}

func (n *network) now() ledger.Time { return n.start + ledger.Time(n.slot*slotSeconds) }

func (n *network) head() uint32 { return uint32(len(n.ids)) }

// Headers makes it a Source.
func (n *network) Headers(_ context.Context, from, to uint32) ([]ledger.SignedBlockHeader, error) {
	return n.headers[from-1 : to], nil
}

func sign(h *ledger.SignedBlockHeader, key ledger.PrivateKey) {
	digest, err := h.Digest()
	if err != nil {
		panic(err)
	}
	h.MinerSignature = key.Sign(digest)
}

// feed adds the headers from … to.
func (n *network) feed(t testing.TB, tr *Tracker, from, to uint32) {
	t.Helper()
	for num := from; num <= to; num++ {
		if err := tr.Add(&n.headers[num-1], n.now()); err != nil {
			t.Fatal(err)
		}
	}
}

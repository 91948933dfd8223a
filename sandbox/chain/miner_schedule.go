package chain

import (
	"math/big"
	"slices"

	"billfold/ledger"
)

// MinerSchedule is the object 2.10.0: whose turn it is, slot by slot.
type MinerSchedule struct {
	ID                    ledger.ObjectID  `json:"id"`
	CurrentShuffledMiners []ledger.MinerID `json:"current_shuffled_miners"`
}

const (
	typeMinerSchedule = 10

	maintenanceFlag = 1 // in dynamic_flags: the head block ran the maintenance

	missedIncrement, missedDecrement = 4, 3 // of recently_missed_count
)

// Schedule gives 2.10.0.
func (s *State) Schedule() *MinerSchedule { return s.schedule }

func (s *State) setSchedule(miners []ledger.MinerID) {
	old := s.schedule
	s.schedule = &MinerSchedule{ID: ledger.NewObjectID(2, typeMinerSchedule, 0), CurrentShuffledMiners: miners}
	s.j.add(func() { s.schedule = old })
}

// slotTime is when the slot begins that is that many after the head block's.
func (s *State) slotTime(slots uint64) ledger.Time {
	interval := ledger.Time(s.global.Parameters.BlockInterval)
	first := s.HeadTime()
	if s.dynamic.HeadBlockNumber > 0 {
		first -= first % interval
	}
	if s.dynamic.DynamicFlags&maintenanceFlag != 0 {
		first += ledger.Time(s.global.Parameters.MaintenanceSkipSlots) * interval
	}
	return first + ledger.Time(slots)*interval
}

// slotsUntil is how many slots after the head block a block of that time
// stands. It is at least 1: here a block may also come before its slot begins.
func (s *State) slotsUntil(t ledger.Time) uint64 {
	first := s.slotTime(1)
	if t < first {
		return 1
	}
	return uint64(t-first)/uint64(s.global.Parameters.BlockInterval) + 1
}

// scheduledMiner is whose turn it is that many slots after the head block, and
// missed slots on. In a chain whose miners take turns by block only the missed
// ones count: the next in order follows the miner of the head block.
func (s *State) scheduledMiner(slots, missed uint64) ledger.MinerID {
	turn := s.schedule.CurrentShuffledMiners
	at := s.dynamic.CurrentAslot + slots + missed
	if s.turnsByBlock {
		at = uint64(slices.Index(turn, s.dynamic.CurrentMiner)+1) + missed
	}
	return turn[at%uint64(len(turn))]
}

// missSlots notes who let slots pass before the block of the miner.
func (s *State) missSlots(missed uint64, by ledger.MinerID) {
	turn := uint64(len(s.schedule.CurrentShuffledMiners))
	if s.turnsByBlock {
		missed = 0
		for missed < turn && s.scheduledMiner(0, missed) != by {
			missed++
		}
		for i := range missed % turn {
			s.miners.change(uint64(s.scheduledMiner(0, i)), func(m *Miner) { m.TotalMissed++ })
		}
		return
	}
	for i := uint64(1); i <= min(missed, turn); i++ {
		if late := s.scheduledMiner(i, 0); late != by {
			s.miners.change(uint64(late), func(m *Miner) { m.TotalMissed += int64((missed-i)/turn) + 1 })
		}
	}
}

// missedCount is the new recently_missed_count.
func missedCount(old uint32, missed uint64, first bool) uint32 {
	switch {
	case first:
		return 0
	case missed > 0:
		return uint32(min(uint64(old)+missedIncrement*missed, 1<<32-1))
	case old > missedIncrement:
		return old - missedDecrement
	case old > 0:
		return old - 1
	}
	return 0
}

// slotsFilled shifts a filled slot and the missed ones before it into 128 bits.
func slotsFilled(old string, missed uint64) string {
	bits, ok := new(big.Int).SetString(old, 10)
	if !ok || missed >= 128 {
		return "0"
	}
	bits.Lsh(bits, 1).SetBit(bits, 0, 1).Lsh(bits, uint(missed))
	most := new(big.Int).Lsh(big.NewInt(1), 128)
	return bits.And(bits, most.Sub(most, big.NewInt(1))).String()
}

// shuffleMiners draws a new order when every miner had a turn. The numbers are
// an xorshift generator's, seeded with the time of the head block.
func (s *State) shuffleMiners() {
	active := s.global.ActiveMiners
	if s.turnsByBlock {
		if !slices.Equal(active, s.schedule.CurrentShuffledMiners) {
			s.setSchedule(active)
		}
		return
	}
	if uint64(s.dynamic.HeadBlockNumber)%uint64(len(active)) != 0 {
		return
	}
	const star = 2685821657736338717
	turn := append([]ledger.MinerID(nil), active...)
	seed := uint64(s.HeadTime()) << 32
	for i := range turn {
		k := seed + uint64(i)*star
		k ^= k >> 12
		k ^= k << 25
		k ^= k >> 27
		j := i + int(k*star%uint64(len(turn)-i))
		turn[i], turn[j] = turn[j], turn[i]
	}
	s.setSchedule(turn)
}

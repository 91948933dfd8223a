package produce

import (
	"math/big"
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

const (
	maintenanceFlag = 1 // in dynamic_flags: the head block ran a maintenance

	missedIncrement, missedDecrement = 4, 3 // of recently_missed_count
)

// slotTime returns the start of the slot that is that many slots after the head block's.
func slotTime(s *state.State, slots uint64) ledger.Time {
	interval := ledger.Time(s.Parameters().BlockInterval)
	first := s.HeadTime()
	if s.Dynamic().HeadBlockNumber > 0 {
		first -= first % interval
	}
	if s.Dynamic().DynamicFlags&maintenanceFlag != 0 {
		first += ledger.Time(s.Parameters().MaintenanceSkipSlots) * interval
	}
	return first + ledger.Time(slots)*interval
}

// slotsUntil returns how many slots after the head block's a block at time t is.
// It is at least 1: here a block may also come before its slot begins.
func slotsUntil(s *state.State, t ledger.Time) uint64 {
	first := slotTime(s, 1)
	if t < first {
		return 1
	}
	return uint64(t-first)/uint64(s.Parameters().BlockInterval) + 1
}

// scheduledMiner returns whose turn it is that many slots after the head block,
// plus missed ones. If miners take turns by block, only missed counts: the next in
// order follows the miner of the head block.
func scheduledMiner(s *state.State, slots, missed uint64) ledger.MinerID {
	turn := s.Miners.Schedule().CurrentShuffledMiners
	at := s.Dynamic().CurrentAslot + slots + missed
	if s.Miners.TurnsByBlock {
		at = uint64(slices.Index(turn, s.Dynamic().CurrentMiner)+1) + missed
	}
	return turn[at%uint64(len(turn))]
}

// recordMissedSlots counts the slots that other miners missed before the block of
// by.
func recordMissedSlots(s *state.State, missed uint64, by ledger.MinerID) {
	turn := uint64(len(s.Miners.Schedule().CurrentShuffledMiners))
	if s.Miners.TurnsByBlock {
		missed = 0
		for missed < turn && scheduledMiner(s, 0, missed) != by {
			missed++
		}
		for i := range missed % turn {
			s.Miners.Change(scheduledMiner(s, 0, i), func(m *state.Miner) { m.TotalMissed++ })
		}
		return
	}
	for i := uint64(1); i <= min(missed, turn); i++ {
		if late := scheduledMiner(s, i, 0); late != by {
			s.Miners.Change(late, func(m *state.Miner) { m.TotalMissed += int64((missed-i)/turn) + 1 })
		}
	}
}

// missedCount returns the new recently_missed_count.
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

// shuffleMiners draws a new order after every miner had a turn. The random numbers
// are from an xorshift generator, seeded with the time of the head block.
func shuffleMiners(s *state.State) {
	active := s.Global().ActiveMiners
	if s.Miners.TurnsByBlock {
		if !slices.Equal(active, s.Miners.Schedule().CurrentShuffledMiners) {
			s.Miners.SetSchedule(active)
		}
		return
	}
	if uint64(s.Dynamic().HeadBlockNumber)%uint64(len(active)) != 0 {
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
	s.Miners.SetSchedule(turn)
}

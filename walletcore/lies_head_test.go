package walletcore_test

import (
	"time"

	"billfold/ledger"
)

// headLies returns the lies about the head block.
func headLies() []lie {
	type head = ledger.DynamicGlobalProperties
	ahead := func(by time.Duration) func(*scene) teller {
		return dynamic(func(d *head) { d.Time = ledger.TimeOf(time.Now().Add(by)) })
	}
	return []lie{
		{name: "head-5m", says: "the head block is 5 minutes ahead of the clock", must: asAsked, tell: ahead(5 * time.Minute)},
		{name: "head-23h", says: "the head block is 23 hours ahead", must: asAsked, tell: ahead(23 * time.Hour)},
		{name: "head-2106", says: "the head block is of the last second there is", must: asAsked, tell: dynamic(func(d *head) { d.Time = 1<<32 - 1 })},
		{name: "head-1970", says: "the head block is of 1970", must: asAsked, tell: dynamic(func(d *head) { d.Time = 0 })},
		{name: "head-year-back", says: "the head block is a year old", must: asAsked, tell: ahead(-365 * 24 * time.Hour)},
		{name: "own-clock", says: "a head of a year ago, and that this ledger has a clock of its own", must: asAsked, tell: both(
			ahead(-365*24*time.Hour),
			change(func(_ *question, v any) any {
				if o, ok := v.(object); ok {
					o["own_clock"] = true
				}
				return v
			}, "about"),
		)},
		{name: "own-clock-ahead", says: "a head of tomorrow, and a clock of its own", must: asAsked, tell: both(
			ahead(23*time.Hour),
			change(func(_ *question, v any) any {
				if o, ok := v.(object); ok {
					o["own_clock"] = true
				}
				return v
			}, "about"),
		)},
		{name: "head-number", says: "a head number that is not its id's", must: asAsked, tell: dynamic(func(d *head) { d.HeadBlockNumber += 1000 })},
		{name: "head-id", says: "a head id of no block", must: unsettled, tell: dynamic(func(d *head) {
			for i := 4; i < len(d.HeadBlockID); i++ {
				d.HeadBlockID[i] ^= 0x5a
			}
		})},
		{name: "head-zero", says: "no block yet", must: unsettled, tell: dynamic(func(d *head) {
			d.HeadBlockNumber, d.HeadBlockID, d.LastIrreversibleBlockNum = 0, ledger.BlockID{}, 0
		})},
		{name: "head-last", says: "a head number of 4 billion", must: unsettled, tell: dynamic(func(d *head) {
			d.HeadBlockNumber, d.LastIrreversibleBlockNum = 1<<32-1, 1<<32-2
			copy(d.HeadBlockID[:4], []byte{255, 255, 255, 255})
		})},
		{name: "irreversible-above", says: "what is above the head is irreversible", must: unsettled, tell: dynamic(func(d *head) { d.LastIrreversibleBlockNum = d.HeadBlockNumber + 500 })},
		{name: "irreversible-head", says: "the head is irreversible at once", must: unsettled, tell: dynamic(func(d *head) { d.LastIrreversibleBlockNum = d.HeadBlockNumber })},
		{name: "irreversible-none", says: "nothing is irreversible", must: passes, tell: dynamic(func(d *head) { d.LastIrreversibleBlockNum = 0 })},
		{name: "head-frozen", says: "always the head of the beginning", must: asAsked, tell: func(s *scene) teller {
			d := s.head()
			return dynamically(func(now *head) { *now = d })
		}},
		{name: "head-jumps", says: "now this head, now one of long ago", must: asAsked, tell: func(s *scene) teller {
			turn := newCounter()
			return dynamically(func(d *head) {
				if turn.next()%2 == 0 {
					b := s.block(3)
					d.HeadBlockNumber, d.HeadBlockID, d.Time, d.LastIrreversibleBlockNum = 3, b.BlockID, b.Timestamp, 1
				}
			})
		}},
		{name: "fewer-blocks", says: "ten blocks fewer than before, as after a restart", must: asAsked, tell: func(s *scene) teller {
			b := s.block(s.head().HeadBlockNumber - 10)
			return compose([]teller{dynamically(func(d *head) {
				d.HeadBlockNumber, d.HeadBlockID, d.Time, d.LastIrreversibleBlockNum = b.BlockID.Num(), b.BlockID, b.Timestamp,
					b.BlockID.Num()-2
			}), blocksAbove(b.BlockID.Num(), nil)})
		}},
		{name: "dynamic-null", says: "null for the head", must: asAsked, tell: answered("null", "get_dynamic_global_properties")},
		{name: "dynamic-empty", says: "an empty object for the head", must: asAsked, tell: answered("{}", "get_dynamic_global_properties")},
		{name: "dynamic-list", says: "a list for the head", must: asAsked, tell: answered("[]", "get_dynamic_global_properties")},
		{name: "maintenance-far", says: "impossible counters", must: asAsked, tell: dynamic(func(d *head) {
			d.CurrentAslot, d.RecentSlotsFilled, d.NextMaintenanceTime = 1<<63, "9999999999999999999999999999999999999999999999999999", 0
		})},
	}
}

package payment

import (
	"context"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/event"
)

// recordBlock adds a block to those of the run and marks the payments that it holds.
func (f *follower) recordBlock(num uint32, block *followedBlock) {
	holds := make(map[ledger.TransactionID]bool, len(block.ids))
	for i, id := range block.ids {
		e := f.p.list.find(id)
		if e == nil {
			continue
		}
		holds[id] = true
		if f.p.list.isWatched(id) {
			f.blockOf[id] = block.id
		}
		if own := e.madeBy(block.signatures[i]); own {
			f.p.list.update(e, func(e *entry) { e.markInBlock(num, uint32(i), f.p.Now()) })
		} else {
			f.p.list.update(e, func(e *entry) { e.markElsewhere(num) })
		}
		f.p.Events.Publish(event.Event{Kind: event.Payment, Payment: id})
	}
	f.compare(num, block, holds)
	block.ids, block.signatures = nil, nil
	f.blocks[num] = *block
}

// compare compares the payments with a block that was read: which of them refer to it, and which are no longer in it.
// Another run may have seen them there on another fork.
func (f *follower) compare(num uint32, block *followedBlock, holds map[ledger.TransactionID]bool) {
	at, prefix := ledger.BlockRef(block.id)
	gone := func(e *entry) bool { return !holds[e.ID] && (e.isIn(num) || e.LastIn.Block == num) }
	for _, e := range f.p.list.watchedWhere(f.chain(), func(e *entry) bool {
		if e.refBlock == num && e.tx.RefBlockNum == at && e.tx.RefBlockPrefix == prefix {
			f.refBlockSeen[e.ID] = num
		}
		return gone(e)
	}) {
		left := false
		f.p.list.update(e, func(e *entry) {
			if left = e.isIn(num); left {
				e.leaveBlock(leftReason)
			}
			if e.LastIn.Block == num {
				e.LastIn, e.changed = Position{}, true
			}
		})
		if left {
			f.p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
		}
	}
}

// conclude moves payments to their final state where the run's irreversible blocks prove it.
func (f *follower) conclude(ctx context.Context, dyn *ledger.DynamicGlobalProperties) {
	f.findIrreversible()
	for num := range f.blocks {
		if num < f.final { // f.final itself stays: later blocks must link to it
			delete(f.blocks, num)
		}
	}
	open := f.p.list.watchedOn(f.chain())
	for _, e := range open {
		if f.quorumConfirms(ctx, e) {
			f.concludeOne(e, dyn)
		}
	}
	if len(open) == 0 { // maps keep the room for the most that was in them
		f.refBlockSeen, f.blockOf = map[ledger.TransactionID]uint32{}, map[ledger.TransactionID]ledger.BlockID{}
	}
	if f.notified != dyn.HeadBlockNumber { // once per block, not once per payment
		f.notified = dyn.HeadBlockNumber
		f.p.Events.Publish(event.Event{Kind: event.Payment})
	}
}

// quorumConfirms reports whether the quorum rule lets a payment be called irreversible: for a large one in a proven block,
// several daemons have to agree on that block. Until they do, the payment stays in its block and its reason says why.
func (f *follower) quorumConfirms(ctx context.Context, e *entry) bool {
	if f.p.Daemon.Quorum() <= 1 {
		return true
	}
	now := f.p.list.update(e, func(*entry) {})
	if now.State != InBlock || now.Block > f.final || !now.isLarge() {
		return true
	}
	id, known := f.blockOf[now.ID]
	if !known {
		return false
	}
	err := f.p.View.Quorum.Block(ctx, now.Block, id)
	if err == nil {
		return true
	}
	f.p.list.update(e, func(e *entry) {
		if e.State == InBlock && e.Reason != err.Error() {
			e.Reason, e.changed = err.Error(), true
		}
	})
	return false
}

// findIrreversible updates the last irreversible block of the run: the one that the miners' signatures prove.
func (f *follower) findIrreversible() {
	at := f.tracker.Irreversible()
	if at.ID != f.anchor.Block.ID {
		f.anchor = f.tracker.Anchor()
		f.publishProven()
	}
	if f.tracker.Proven(at.Num()) {
		f.final, f.finalTime = at.Num(), at.Time
	}
}

// concludeOne concludes one payment. In an irreversible block it happened for good. If the run holds it in no block,
// from the first that could hold it up to an irreversible one later than its expiration, it never will.
func (f *follower) concludeOne(e *entry, dyn *ledger.DynamicGlobalProperties) {
	if f.p.list.conclude(e, func(e *entry) (over bool) {
		e.Head, e.Last = dyn.HeadBlockNumber, max(f.final, f.anchor.Block.Num())
		late := f.final > 0 && f.finalTime > e.Expiration && f.covers(e)
		e.ByNodesWord = e.State == InBlock && e.Block > f.final && e.Block <= dyn.LastIrreversibleBlockNum
		switch {
		case e.elsewhere > 0:
			if e.elsewhere <= f.final {
				e.concludeElsewhere()
				return true
			}
		case e.State == InBlock:
			if e.Block <= f.final {
				e.State, e.Final, e.changed = Irreversible, dyn.Time.Time(), true
				return true
			}
		case late && e.refused():
			e.State, e.proven, e.changed = Rejected, true, true
			return true
		case late && e.open():
			e.State, e.changed = Expired, true
			e.Reason = "it expired at " + e.Expiration.String() + " without getting into a block; nothing was spent"
			return true
		case late: // never sent, as far as this program knows, and in none of the blocks
			e.proven, e.changed = true, true
			return true
		case e.open() && f.final > 0 && f.finalTime > e.Expiration && f.lastUnreadable >= e.firstBlock():
			e.Reason = fmt.Sprintf("block %d, as the daemon at %s shows it, holds what this program cannot read, so this may be in it; "+
				"it is read again over the next connection", f.lastUnreadable, f.daemon.URL)
		case e.State == Unknown && dyn.Time > e.Expiration && !e.refused():
			e.Reason = "by the node's word it expired at " + e.Expiration.String() +
				"; the miners' signatures do not prove that yet, so it may still have happened"
		}
		return false
	}) {
		delete(f.blockOf, e.ID)
		delete(f.refBlockSeen, e.ID)
		f.p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
	}
}

// covers reports whether the run has every block that could hold the payment.
func (f *follower) covers(e *entry) bool {
	first, ref := e.firstBlock(), f.refBlockSeen[e.ID]
	return f.first <= first && f.lastUnreadable < first && (f.first == 1 || e.lastProven > 0 || ref > 0 && ref <= f.final)
}

package payment

import (
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// entry is one transaction with all that is known about it. Everything that
// changes is changed by list.update.
type entry struct {
	Payment
	tx       ledger.SignedTransaction
	chain    ledger.ChainID
	refBlock uint32     // it cannot be in this block or an earlier one
	request  string     // the mark of what was asked under its request key
	code     fault.Code // why it was rejected
	tries    int        // how often its bytes may have left this program, in this run or an earlier one
	resend   bool       // its bytes are to be sent again
	ending   bool       // that it was never sent is being written down: it is not sent again
	proven   bool       // it is rejected, and no block that could hold it does
	sure     uint32     // the last block that was proven irreversible when it was signed; 0 = none was
	changed  bool       // set by a change that the journal must learn
	adding   bool       // the journal has not said that it has it: nobody remembers it
	held     bool       // the journal may not have it: it is not sent
	compared int64      // the generation of a shared journal whose found payments it was compared with
	owner    string     // of a payment that was read from a shared journal: the server that follows it
	origin   store.Origin
}

// open reports whether the outcome is not known yet.
func (e *entry) open() bool {
	switch e.State {
	case Prepared, Sent, InBlock, Unknown:
		return true
	case Irreversible, Rejected, Expired:
	}
	return false
}

// refused reports whether a daemon had its bytes and refused them. It may have passed
// them on all the same, so the outcome is open.
func (e *entry) refused() bool {
	return e.State == Unknown && e.code != "" && e.code != fault.OutcomeUnknown
}

// waits reports whether it is to be sent again while it is in no block.
func (e *entry) waits() bool {
	return e.State == Sent || e.State == Unknown && !e.refused()
}

// of reports whether the payment is one of this chain; records of old journals do not
// tell theirs.
func (e *entry) of(chain ledger.ChainID) bool {
	return e.chain == chain || e.chain == ledger.ChainID{}
}

// largePayment is what is called large, in smallest units of DCT: 1,000 DCT.
// Payments in other assets, whose worth is nobody's word, all are.
const largePayment = 1000 * 1_0000_0000

// isLarge reports whether a quorum has to agree on the block of a payment before it is
// called irreversible.
func (e *entry) isLarge() bool {
	large := func(asset ledger.AssetID, amount int64) bool {
		return amount > 0 && (asset != ledger.CoreAsset || amount >= largePayment)
	}
	for r := &e.Review; r != nil; r = r.Approves {
		if large(r.Asset.ID, r.Amount) || r.Amount == 0 && slices.ContainsFunc(r.Outgoing, func(o build.Outgoing) bool {
			return large(o.Asset.ID, o.Amount-o.Fee)
		}) {
			return true
		}
	}
	return false
}

// seen notes that a block holds the payment. That is the truth also about one
// that a daemon refused and passed on all the same.
func (e *entry) seen(num, index uint32, now time.Time) {
	if !e.open() && e.State != Rejected || e.State == InBlock && e.Block == num {
		return
	}
	e.State, e.Block, e.TrxInBlock, e.InBlock, e.Reason, e.code = InBlock, num, index, now, "", ""
	e.resend, e.changed = false, true
	if e.Sent.IsZero() {
		e.Sent = now
	}
}

// Why a payment waits again that was in a block.
const (
	leftReason   = "its block left the chain in a fork; it waits for another"
	beyondReason = "the chain of the node in use does not reach its block; it waits for one"
)

// leave makes it wait again after its block left the chain.
func (e *entry) leave(reason string) {
	e.putBack(reason)
	e.changed = true
}

// putBack makes it a payment that waits for a block.
func (e *entry) putBack(reason string) {
	e.State, e.Reason, e.Block, e.TrxInBlock, e.InBlock = Sent, reason, 0, 0, time.Time{}
	e.resend = true
}

// firstBlock is where to begin in order to prove something of the payment: behind the block
// that was proven irreversible when it was signed. Without one it is the
// reference block, whose number is a daemon's word: what is read from there on
// counts when that block has the id that the bytes name.
func (e *entry) firstBlock() uint32 {
	switch {
	case e.sure > 0:
		return e.sure + 1
	case e.refBlock <= shortChain:
		return 1
	}
	return e.refBlock
}

// shortChain is how many blocks are read rather than left to a daemon's word.
const shortChain = 300

// mentioned collects the accounts and assets of payments whose names are not known.
func mentioned(open []*entry) *ledgerview.Mentions {
	m := new(ledgerview.Mentions)
	for _, e := range open {
		for _, op := range e.tx.Operations {
			m.Add(op)
		}
	}
	m.Distinct()
	return m
}

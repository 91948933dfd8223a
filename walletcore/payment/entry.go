package payment

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// entry is one transaction with everything that is known about it. Fields that change are changed by list.update only.
type entry struct {
	Payment
	tx              ledger.SignedTransaction
	chain           ledger.ChainID
	number          int             // counts those that came onto the list
	refBlock        uint32          // it cannot be in this block or an earlier one
	requestMark     string          // mark of the request that was made under its key
	code            fault.Code      // why it was rejected
	daemon          json.RawMessage // where code is of a daemon: its own error, of an earlier run its number and name alone
	tries           int             // how many times its bytes may have left this program, in this run or an earlier one
	single          bool            // this call signed it, so nobody else has its bytes before it is sent
	resend          bool            // its bytes are to be sent again
	rejecting       bool            // it is being recorded as never sent, and must not be sent meanwhile
	elsewhere       uint32          // the block that holds the same transaction as another wallet made it; 0 = none known
	readAgain       bool            // a block that was read before it was on the list may hold it, as another wallet made it
	proven          bool            // it is rejected, and proven to be in no block that could hold it
	lastProven      uint32          // last block that was proven irreversible when it was signed; 0 = none
	changed         bool            // set by a change that the journal must record
	adding          bool            // the journal has not confirmed it yet, so nothing remembers it
	held            bool            // the journal may not have it, so it is not sent
	foundGeneration int64           // generation of the shared journal whose found payments it was compared with
	owner           string          // of a payment read from a shared journal: the server that follows it
	origin          store.Origin
	givenUp         string               // the archive, given up, that had what was signed; "" = it is known
	with            []store.Change       // of a new payment: what is written in the same commit, or not at all
	objects         []txbuild.ObjectRows // what a new one makes of objects

	// What the log says of it. Those of earlier runs begin with the state in which they were found.
	logged      bool
	loggedState State
	loggedBlock uint32
}

// open reports whether the outcome is not final yet.
func (e *entry) open() bool {
	switch e.State {
	case Prepared, Sent, InBlock, Unknown:
		return true
	case Irreversible, Rejected, Expired:
	}
	return false
}

// refused reports whether a daemon had the bytes and refused them. It may have passed them on anyway, so the outcome is open.
func (e *entry) refused() bool {
	return e.State == Unknown && e.code != "" && e.code != fault.OutcomeUnknown
}

// longestDaemonError is the maximum length of a daemon's own error that is kept whole.
const longestDaemonError = 8 << 10

// refuseFor sets why the payment was refused.
func (e *entry) refuseFor(why *fault.Error) {
	e.Reason, e.code, e.daemon = why.Message, why.Code, why.Data
	if len(e.daemon) > longestDaemonError {
		_, e.daemon = parseCode(codeText(e.code, e.daemon))
	}
}

// refusal returns the reason without the words that a daemon refused it, for a sentence that says so itself.
func (e *entry) refusal() string { return strings.TrimPrefix(e.Reason, fault.DaemonRefusal) }

// mayResend reports whether the payment is to be sent again while it is in no block.
func (e *entry) mayResend() bool {
	return e.elsewhere == 0 && (e.State == Sent || e.State == Unknown && !e.refused())
}

// onChain reports whether the payment belongs to the chain. Records of old journals do not name theirs and match any.
func (e *entry) onChain(chain ledger.ChainID) bool {
	return e.chain == chain || e.chain == ledger.ChainID{}
}

// largePayment is the amount from which a payment counts as large, in smallest units of DCT: 1,000 DCT. Payments in
// other assets, whose value nobody vouches for, all count as large.
const largePayment = 1000 * 1_0000_0000

// isLarge reports whether a quorum of daemons has to agree on the payment's block before it is called irreversible.
func (e *entry) isLarge() bool {
	large := func(asset ledger.AssetID, amount int64) bool {
		return amount > 0 && (asset != ledger.CoreAsset || amount >= largePayment)
	}
	for r := &e.Review; r != nil; r = r.Approves {
		if large(r.Asset.ID, r.Amount) || r.Amount == 0 && slices.ContainsFunc(r.Outgoing, func(o txbuild.Outgoing) bool {
			return large(o.Asset.ID, o.Amount-o.Fee)
		}) {
			return true
		}
	}
	return false
}

// madeBy reports whether the signatures of the same transaction in a block are the payment's own. Another wallet with the
// same keys can make the very same transaction, but not the same signatures (vault.Vault.Sign), and the ledger takes only
// one of the two: the one in a block is the other wallet's payment if the same keys have signed it, each of them another
// time. Nobody else can make it look so: whoever has no key cannot change who signed, nor the nonce of a signature.
func (e *entry) madeBy(theirs []ledger.Signature) bool {
	for _, ours := range e.tx.Signatures {
		if slices.ContainsFunc(theirs, ours.SameMaker) {
			return true
		}
	}
	digest, err := e.tx.Digest(e.chain)
	if err != nil || len(theirs) != len(e.tx.Signatures) {
		return true
	}
	own, other := signersOf(digest, e.tx.Signatures), signersOf(digest, theirs)
	return len(own) == 0 || !maps.Equal(own, other)
}

// signersOf returns the keys that made signatures, nil if one was made by none.
func signersOf(digest [32]byte, signatures []ledger.Signature) map[ledger.PublicKey]bool {
	keys := map[ledger.PublicKey]bool{}
	for _, sig := range signatures {
		key, err := ledger.RecoverKey(digest, sig)
		if err != nil {
			return nil
		}
		keys[key] = true
	}
	return keys
}

// markElsewhere records that a block holds the same transaction as another wallet made it.
func (e *entry) markElsewhere(num uint32) {
	if e.elsewhere == num || !e.open() && e.State != Rejected {
		return
	}
	if e.State == InBlock {
		e.returnToSent("")
	}
	e.elsewhere, e.resend = num, false
	if e.State == Sent || e.State == Unknown {
		e.Reason, e.changed = fmt.Sprintf("block %d holds this very transaction as another wallet with the same keys made it; "+
			"this payment does not happen unless a fork takes that back", num), true
	}
}

// clearElsewhere returns the payment to waiting after the block that held the other wallet's left the chain.
func (e *entry) clearElsewhere(reason string) {
	if e.elsewhere = 0; e.State == Sent || e.State == Unknown {
		e.Reason, e.resend, e.changed = reason, e.mayResend(), true
	}
}

// concludeElsewhere makes it a payment that is proven never to happen, because the ledger has the other wallet's.
func (e *entry) concludeElsewhere() {
	e.State, e.code, e.proven, e.changed = Rejected, fault.MadeElsewhere, true, true
	e.Reason, e.daemon = madeElsewhere, nil
}

// madeElsewhere is the reason why a payment was not made.
const madeElsewhere = "another wallet with the same keys made this very transaction at the same time, and the ledger has that one; " +
	"nothing was spent for this payment"

// markInBlock records that a block holds the payment. This holds even for one that a daemon refused but passed on.
func (e *entry) markInBlock(num, index uint32, now time.Time) {
	if !e.open() && e.State != Rejected || e.State == InBlock && e.Block == num {
		return
	}
	e.State, e.Block, e.TrxInBlock, e.InBlock, e.Reason, e.code = InBlock, num, index, now, "", ""
	e.daemon = nil
	e.LastIn = Position{}
	e.elsewhere, e.resend, e.changed = 0, false, true
	if e.Sent.IsZero() {
		e.Sent = now
	}
}

// Why a payment that was in a block is waiting again.
const (
	leftReason   = "its block left the chain in a fork; it waits for another"
	beyondReason = "the chain of the node in use does not reach its block; it waits for one"
)

// isIn reports whether the payment, or the same transaction of another wallet, is in block num.
func (e *entry) isIn(num uint32) bool {
	return e.State == InBlock && e.Block == num || e.elsewhere == num && num > 0
}

// leaveBlock returns the payment to waiting after the block that held it, or the same transaction of another wallet, left
// the chain, and has the journal record that.
func (e *entry) leaveBlock(reason string) {
	if e.elsewhere > 0 {
		e.clearElsewhere(reason)
		return
	}
	e.returnToSent(reason)
	e.changed = true
}

// returnToSent makes it a sent payment that is in no block and is to be sent again.
func (e *entry) returnToSent(reason string) {
	e.State, e.Reason, e.Block, e.TrxInBlock, e.InBlock = Sent, reason, 0, 0, time.Time{}
	e.LastIn = Position{}
	e.resend = true
}

// firstBlock returns the block from which reading must start to prove anything about the payment: the one after the block
// that was proven irreversible when it was signed. Without a proven block it is the reference block, whose number only a
// daemon vouches for: what is read from there on counts once that block turns out to have the id that the bytes name.
func (e *entry) firstBlock() uint32 {
	switch {
	case e.lastProven > 0:
		return e.lastProven + 1
	case e.refBlock <= shortChain:
		return 1
	}
	return e.refBlock
}

// shortChain is the length, in blocks, up to which a chain is read from its first block rather than
// trusting a daemon for the reference block.
const shortChain = 300

// mentioned returns the accounts and assets that the operations of the payments mention.
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

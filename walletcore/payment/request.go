package payment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/ledger/usertext"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// Sending says what is done with a signed transaction.
type Sending struct {
	Broadcast bool             // false: it is only signed
	Key       string           // request key: the same key with the same content returns the first outcome; "" = none
	Judge     txbuild.Judge    // decides on what was built, and on what a repeated request would return; nil = everything passes
	Approve   txbuild.Approver // nil = no approval is needed

	// Last is called right before it is signed, and refuses it if something that neither Judge nor Approve sees has changed; nil = nothing does.
	// A repeated request, which signs nothing, does not call it.
	Last func() error

	// With returns what the journal writes together with the payment, or refuses together with it; nil = nothing.
	With Recorder
}

// Recorder returns what the journal writes in the same commit as a payment of these operations.
type Recorder func(ops []ledger.Operation) []store.Change

// checkKey refuses a request key for a transaction that is not sent: nothing would remember the key, and two
// transactions signed under it could both be sent. Error: fault.RequestKey.
func (how Sending) checkKey(op string) error {
	if how.Broadcast || how.Key == "" {
		return nil
	}
	return &fault.Error{Code: fault.RequestKey, Op: op, Hint: "nothing was signed; leave the key out, or let the wallet broadcast",
		Message: "a request key is for payments that the wallet broadcasts, and this one is only signed"}
}

// checkNewKey refuses a key that no payment was made under yet: one that the journal cannot keep, or that a KeyProblem makes another key than the
// one that somebody reads. It never becomes valid, so the same request would never be paid. Error: fault.RequestKey.
func (p *Payments) checkNewKey(ctx context.Context, op, key string) error {
	why := KeyProblem(key)
	if !store.IsKey(key) {
		why = fmt.Sprintf("the request key is not UTF-8 text of at most %d bytes without a NUL", store.LongestKey)
	}
	if id, err := ledger.ParseTransactionID(key); why == "" && err == nil { // get_payment would answer about the other payment
		known := p.list.read(id) != nil
		if !known && p.Journal != nil {
			if known, err = p.Journal.Knows(ctx, id); err != nil {
				return unreadable(op, err)
			}
		}
		if known {
			why = "the request key " + fault.Quote(key) + " is the id of a payment of this wallet, about which get_payment would answer; write more before it, such as refund-…"
		}
	}
	if why == "" {
		return nil
	}
	return &fault.Error{Code: fault.RequestKey, Op: op, RequestKey: fault.KeyNew, Message: why,
		Hint: "nothing was sent; make the request under another key"}
}

// KeyProblem returns why a request key may be taken for another one, "" if nothing is wrong with it: `order-31` from a file with CRLF is another
// key than `order-31`, and pays again, and so does `order–31` from a word processor. One with such a sign at an end was to be an option, or the end
// of a memo. Payments that were made under such a key before keep it.
func KeyProblem(key string) string {
	if sign := cmp.Or(usertext.DashInFront(key), usertext.QuoteAround(key)); sign != "" {
		return "the request key has " + sign + ", so that it may be an option or a part of the memo"
	}
	if sign, at := usertext.SignIn(key); sign != "" {
		return fmt.Sprintf("character %d of the request key is %s; %s", at, sign, usertext.PlainSigns)
	}
	return usertext.Problem("the request key", key)
}

// judge calls Judge, if there is one.
func (how Sending) judge(ctx context.Context, ops []ledger.Operation) error {
	if how.Judge == nil {
		return nil
	}
	return how.Judge(ctx, ops)
}

// Spend builds and signs the request and broadcasts it if asked. Every operation of the wallet that signs goes through
// it. A request key acts once: a repeated request returns the outcome of the first, and errors say which key may be used
// next, also while the wallet is locked. Errors: fault.Locked before those of the spend and of Send.
func (p *Payments) Spend(ctx context.Context, r txbuild.Request, how Sending) (signed *txbuild.Signed, err error) {
	if how.Broadcast && how.Key != "" {
		defer func() { err = fault.ForKey(err) }()
	}
	if err := p.Vault.CheckOpen(r.Op); err != nil {
		if how.Broadcast && p.HasKey(ctx, how.Key) {
			return p.lockedOutcome(ctx, r, how)
		}
		return nil, err
	}
	if err := how.checkKey(r.Op); err != nil {
		return nil, err
	}
	switch {
	case !how.Broadcast:
		return p.signOnly(ctx, r, how)
	case how.Key == "":
		return p.signAndSend(ctx, r, how)
	case !store.IsKey(how.Key):
		return nil, p.checkNewKey(ctx, r.Op, how.Key)
	case p.Journal == nil:
		return nil, noJournal(r.Op)
	}
	unlock, err := p.keys.lock(ctx, how.Key)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := p.storeUnreachable(); err != nil {
		return nil, err
	}
	if first, err := p.firstOutcome(ctx, r, how); first != nil || err != nil {
		return first, err
	}
	if err := p.checkNewKey(ctx, r.Op, how.Key); err != nil {
		return nil, err
	}
	for {
		signed, err = p.signAndSend(ctx, r, how)
		if !errors.Is(err, store.ErrKeyTaken) {
			return signed, err
		}
		// Another program that shares the journal has it; unless that program withdrew it at the last moment.
		if first, err := p.firstOutcome(ctx, r, how); first != nil || err != nil {
			return first, err
		}
	}
}

// noJournal returns the error for a request key of a wallet that has no journal.
func noJournal(op string) error {
	return &fault.Error{Code: fault.RequestKey, Op: op, Hint: "nothing was sent",
		Message: "a request key needs the payment journal, and this wallet has none"}
}

// DryRun builds and reviews the request and has it judged. Nothing is signed, and no approval is asked for.
func (p *Payments) DryRun(ctx context.Context, r txbuild.Request, how Sending) (txbuild.DryRun, error) {
	if err := p.Vault.CheckOpen(r.Op); err != nil {
		return txbuild.DryRun{}, err
	}
	err := how.checkKey(r.Op)
	if err == nil && how.Key != "" && p.Journal != nil {
		var first *entry
		switch first, err = p.firstWithKey(ctx, r, how.Key); { // the key may belong to another request
		case err != nil:
		case first == nil:
			err = p.checkNewKey(ctx, r.Op, how.Key)
		default:
			err = first.dryOutcome(r.Op)
		}
	}
	if err != nil {
		return txbuild.DryRun{}, err
	}
	tried, err := p.Build.DryRun(ctx, r)
	if err != nil {
		return txbuild.DryRun{}, err
	}
	return tried, how.judge(ctx, tried.Operations)
}

// Export builds the transaction of a request without signatures, for others to sign; it expires after life seconds. It is judged
// and approved as if it were signed. Errors: fault.BadValue for a life that the ledger does not accept, and those of DryRun.
func (p *Payments) Export(ctx context.Context, r txbuild.Request, life uint32, how Sending) (ledger.Transaction, error) {
	if how.Broadcast = false; how.Key != "" { // it is not sent, whatever the call says
		return ledger.Transaction{}, how.checkKey(r.Op)
	}
	if err := p.Build.CheckLife(ctx, r.Op, life); err != nil {
		return ledger.Transaction{}, err
	}
	tried, err := p.DryRun(ctx, r, how)
	if err == nil && how.Approve != nil {
		err = how.Approve(ctx, tried.Review)
	}
	if err == nil {
		err = p.Build.HandOut(ctx, tried, how.Approve != nil)
	}
	if err != nil {
		return ledger.Transaction{}, err
	}
	tx, err := p.Build.Unsigned(ctx, tried.Operations, life)
	if err != nil {
		return tx, err
	}
	states, err := p.Build.StatesOf(tried, &tx)
	if err == nil {
		err = p.keepSigned(ctx, states) // on which states it was made
	}
	if errors.Is(err, store.ErrObjectChanged) {
		err = &fault.Error{Code: fault.StateChanged, Op: r.Op, Message: "what this changes was changed meanwhile",
			Hint: "nothing was made; export it again"}
	}
	return tx, err
}

// signOnly signs a transaction for somebody else to send, whoever holds it, so the journal must be the wallet's own
// and the daemon one that a payment could be sent through. No request key is used, so the comparison with the ledger is not waited for.
func (p *Payments) signOnly(ctx context.Context, r txbuild.Request, how Sending) (*txbuild.Signed, error) {
	if err := p.lossFault(); err != nil {
		return nil, err
	}
	if err := p.View.Chain.CheckSynced("sign"); err != nil {
		return nil, err
	}
	built, err := p.Build.Build(ctx, r, false)
	if err != nil {
		return nil, err
	}
	made, err := p.approve(ctx, built, how)
	if err != nil {
		return nil, err
	}
	for outdated := false; ; {
		if made, err = p.refresh(ctx, made, how, outdated); err != nil {
			return nil, err
		}
		signed, err := sign(ctx, p, made)
		if err != nil {
			return nil, err
		}
		err = p.keepSigned(ctx, made.NextStates(store.ObjectSigned, signed, p.Now()))
		if outdated = errors.Is(err, store.ErrObjectChanged); outdated {
			continue
		}
		if err == nil {
			err = p.NoteSigned(signed.TransactionID, signed.Expiration)
		}
		if err != nil {
			return nil, err
		}
		return signed, nil
	}
}

// NoteSigned records that a transaction was signed for others to send: on the ledger it is not missed from the journal.
func (p *Payments) NoteSigned(id ledger.TransactionID, expiration ledger.Time) error {
	if p.Journal == nil {
		return nil
	}
	return p.Journal.NoteSigned(id, expiration)
}

// keepSigned records what a transaction that is only signed makes of objects, so that it is recognized if its owner sends it.
func (p *Payments) keepSigned(ctx context.Context, objects []txbuild.ObjectRows) error {
	for _, o := range objects {
		if err := p.Build.Objects.Write(ctx, o.Base, o.Rows, o.Undoing); err != nil {
			if errors.Is(err, store.ErrObjectChanged) {
				return err
			}
			return notWritten(err)
		}
	}
	return nil
}

// refresh builds a request that replaces parts of objects again right before it is signed: a person may have read its review for ten
// minutes, and what it writes back would be ten minutes old. What comes out the same is signed as approved; anything else is
// judged and approved like a new request. outdated means that another change of the object was faster.
func (p *Payments) refresh(ctx context.Context, made approved, how Sending, outdated bool) (approved, error) {
	for !made.Fresh(p.Now(), tooFastToRead) || outdated {
		now, err := p.Build.Build(ctx, made.Request(), false)
		if err == nil {
			err = p.Build.Complete(ctx, now, how.Broadcast)
		}
		switch {
		case err != nil:
			return made, err
		case now.SameAs(made.Prepared):
			if made.IsSeen() {
				now.Seen()
			}
			return approved{now, made.locks}, nil
		}
		was := made.Review()
		if made, err = p.askApproval(ctx, now, how, &was); err != nil {
			return made, err
		}
		outdated = false
	}
	return made, nil
}

// approve completes what was built and asks for approval. If the review became graver while a person was reading it, it
// asks again. What was approved is what is signed, except for the reference block and the expiration.
func (p *Payments) approve(ctx context.Context, made *txbuild.Prepared, how Sending) (approved, error) {
	if err := p.Build.Complete(ctx, made, how.Broadcast); err != nil {
		return approved{}, err
	}
	return p.askApproval(ctx, made, how, nil)
}

// askApproval is approve for what was completed; agreed is the other request that was approved before it, or nil. How many times the wallet had
// been locked is counted when approval was given: a locked wallet may be unlocked in order to answer.
func (p *Payments) askApproval(ctx context.Context, made *txbuild.Prepared, how Sending, agreed *txbuild.Review) (approved, error) {
	by := approved{made, p.Vault.Locks()}
	err := how.judge(ctx, made.Operations())
	if err != nil || how.Approve == nil {
		return by, err
	}
	review, err := p.Build.Review(ctx, made)
	review.Again, review.Agreed = agreed != nil, agreed
	for err == nil {
		asked := p.Now()
		made.Seen()
		err = how.Approve(ctx, review)
		if by.locks = p.Vault.Locks(); err != nil || p.Now().Sub(asked) < tooFastToRead {
			return by, err
		}
		was := review
		if review, err = p.Build.Review(ctx, made); err == nil && !review.HasNewWarnings(was) {
			return by, nil
		}
		review.Again = true
	}
	return by, err
}

// tooFastToRead is the time in which nobody reads a review: a faster approval comes from a policy, and nothing changed meanwhile.
const tooFastToRead = 500 * time.Millisecond

// signAndSend has the request approved, signs and sends it.
func (p *Payments) signAndSend(ctx context.Context, r txbuild.Request, how Sending) (*txbuild.Signed, error) {
	built, err := p.Build.Build(ctx, r, false)
	if err != nil {
		return nil, err
	}
	if err := p.checkTrusted(ctx); err != nil {
		if p.holdReason() != "" { // a payment that was found and pays the same says more
			_, found := checkFoundPayments(ctx, p, built.Operations(), how.Key)
			err = cmp.Or(found, err)
		}
		return nil, err
	}
	made, err := p.approve(ctx, built, how)
	if err != nil {
		return nil, err
	}
	_, signed, err := p.sendApproved(ctx, made, how.Key,
		func(made approved, outdated bool) (approved, error) {
			made, err := p.refresh(ctx, made, how, outdated)
			if err == nil && how.Last != nil {
				err = how.Last()
			}
			return made, err
		},
		func(made *txbuild.Prepared, signed *txbuild.Signed) *entry {
			e := p.entryOf(ctx, signed, p.Build.FactsOf(signed.Operations), how.Key)
			if how.Key != "" {
				e.requestMark = markOf(p.Vault, r, made)
			}
			if how.With != nil {
				e.with = how.With(signed.Operations)
			}
			return e
		})
	if err != nil {
		return nil, err
	}
	return signed, nil
}

// markOf returns the mark by which the same request is recognized. It returns "" where no key of the wallet signs; then
// the operations are compared instead.
func markOf(keys Vault, r txbuild.Request, made *txbuild.Prepared) string {
	signers := made.Signers()
	if len(signers) == 0 {
		return ""
	}
	mark, _ := keys.MarkRequest(r.Words(), signers[0])
	return mark
}

// firstOutcome returns the outcome of an earlier request under the key; nil, nil if there was none. What that request
// did is judged like a new request.
func (p *Payments) firstOutcome(ctx context.Context, r txbuild.Request, how Sending) (*txbuild.Signed, error) {
	e, err := p.firstWithKey(ctx, r, how.Key)
	if e == nil || err != nil {
		return nil, err
	}
	if e.givenUp == "" { // else the answer says no more than get_payment
		if err := how.judge(ctx, e.tx.Operations); err != nil {
			return nil, err
		}
	}
	if err := p.Journal.NoteAnswered(ctx, &store.Entry{ID: e.ID, Origin: e.origin}); err != nil {
		return nil, unreadable("transfer", err)
	}
	return e.outcome()
}

// HasKey reports whether a payment was made under a request key: repeating its request needs no key of the wallet.
func (p *Payments) HasKey(ctx context.Context, key string) bool {
	if key == "" || p.Journal == nil {
		return false
	}
	if p.list.heldByKey(key) != nil {
		return true
	}
	_, err := p.Journal.ByKey(ctx, key)
	return err == nil
}

// lockedOutcome is firstOutcome while the wallet is locked. Where the wallet's keys are needed to tell whether the request is the same,
// because it has a memo or there is no daemon, the error says so.
func (p *Payments) lockedOutcome(ctx context.Context, r txbuild.Request, how Sending) (*txbuild.Signed, error) {
	unlock, err := p.keys.lock(ctx, how.Key)
	if err != nil {
		return nil, err
	}
	defer unlock()
	first, err := p.firstOutcome(ctx, r, how)
	if err == nil && first == nil || fault.CodeOf(err) == fault.Locked || fault.CodeOf(err) == fault.DaemonAway {
		failure := fault.WalletLocked(r.Op)
		failure.Message += ", and whether this is the payment that was made under the request key " + fault.Quote(how.Key) + " cannot be told without its keys"
		failure.Hint = "nothing was sent now; get_payment " + how.Key + " reports on that payment; or unlock the wallet and make the same request again"
		return nil, failure
	}
	return first, err
}

// firstWithKey returns the payment of an earlier request under key; nil, nil if there was none. A request in the same
// words needs no daemon; one in other words may still mean the same, which only the ledger can show. Error:
// fault.RequestKey if it means something else.
func (p *Payments) firstWithKey(ctx context.Context, r txbuild.Request, key string) (*entry, error) {
	if e := p.list.heldByKey(key); e != nil {
		return e, nil
	}
	kept, err := p.Journal.ByKey(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err == nil {
		kept, err = p.awaitSent(ctx, kept)
	}
	if err != nil {
		return nil, unreadable("transfer", err)
	}
	e, err := p.latest(kept)
	if err != nil {
		return nil, err
	}
	same := p.Vault.IsMarked(kept.Request, r.Words())
	if !same && e.givenUp != "" {
		return nil, e.notKnown("it is not known whether this is the request that was made under the key " + fault.Quote(key))
	}
	if !same {
		if same, err = p.sameContent(ctx, r, e); err != nil {
			return nil, err
		}
	}
	if !same {
		return nil, &fault.Error{
			Code:    fault.RequestKey,
			Op:      "transfer",
			Message: "the request key " + fault.Quote(key) + " was used for another payment",

			RequestKey: fault.KeyTaken,

			Hint: "nothing was sent; get_payment " + key + " reports on that one; use a new key for a new payment",
		}
	}
	return e, nil
}

// sameContent reports whether the request would do what the payment did.
func (p *Payments) sameContent(ctx context.Context, r txbuild.Request, e *entry) (bool, error) {
	made, err := p.Build.Build(ctx, r, true)
	switch fault.CodeOf(err) {
	case fault.DaemonAway, fault.DaemonGarbage, fault.WrongChain:
		return false, &fault.Error{Code: fault.DaemonAway, Op: "transfer", Err: err, RequestKey: fault.KeySame,
			Hint: "nothing was sent now; get_payment " + e.Key + " reports the outcome of the first request",
			Message: "the request key " + fault.Quote(e.Key) + " belongs to a payment that was requested in other words; " +
				"without a daemon the wallet cannot tell whether both mean the same"}
	}
	if err != nil {
		return false, err
	}
	same, err := p.Build.SameContent(e.tx.Operations, made.Operations())
	if errors.Is(err, txbuild.ErrUnreadableText) {
		return false, nil // it is not this request, as far as anybody can tell
	}
	return same, err
}

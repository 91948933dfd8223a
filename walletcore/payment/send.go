package payment

import (
	"context"
	"errors"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// Prepare builds a request and reviews it, for a person who looks at it before it is sent with Send. Nothing is signed.
// Errors: fault.Locked, those of the spend, fault.MissingAuthority and the daemon's.
func (p *Payments) Prepare(ctx context.Context, r txbuild.Request) (*txbuild.Prepared, error) {
	if err := p.Vault.CheckOpen(r.Op); err != nil {
		return nil, err
	}
	if err := p.compare.await(ctx); err != nil && fault.CodeOf(err) != fault.DaemonStale { // which Send finds again, if it is so then
		return nil, err
	}
	if err := p.JournalFault(); err != nil {
		return nil, err
	}
	made, err := p.Build.Build(ctx, r, false)
	if err == nil {
		err = p.Build.Complete(ctx, made, true)
	}
	if err == nil {
		_, err = p.Build.Review(ctx, made)
	}
	if err != nil {
		return nil, err
	}
	return made, nil
}

// Again reviews a prepared request once more: somebody else may have paid meanwhile, or keys may have changed. made is
// not modified. Errors: those of Prepare.
func (p *Payments) Again(ctx context.Context, made *txbuild.Prepared) (txbuild.Review, error) {
	if !made.GoesStale() {
		again := *made
		return p.Build.Review(ctx, &again)
	}
	again, err := p.Build.Build(ctx, made.Request(), false)
	if err == nil {
		err = p.Build.Complete(ctx, again, true)
	}
	if err != nil {
		return txbuild.Review{}, err
	}
	return p.Build.Review(ctx, again)
}

// Send signs a prepared request, writes it to the journal, broadcasts it and follows it. It returns once a daemon has
// accepted it. After fault.OutcomeUnknown the payment is still followed and sent again. After another error that is
// Unsettled it is followed, because a daemon had the bytes and refused them. All other errors mean that nothing was
// spent, including fault.Locked if the wallet was locked before signing, even if it has been unlocked again.
func (p *Payments) Send(ctx context.Context, made *txbuild.Prepared) (Payment, error) {
	return p.sendSeen(ctx, made, "", nil)
}

// SendPart is Send for a transaction of a payout, under its request key: what the journal has under that key is returned, and nothing is
// signed again. Errors: those of Send; fault.Denied and fault.StateChanged if other payouts paid what this one pays, see OfPayout; fault.RequestKey.
func (p *Payments) SendPart(ctx context.Context, made *txbuild.Prepared, key string, terms PayoutTerms) (Payment, error) {
	return p.sendUnder(ctx, made, key, p.OfPayout(key, terms))
}

// SendUnder is Send under a request key: what the journal has under that key is returned, and nothing is signed again. Errors: those of
// Send, and fault.RequestKey.
func (p *Payments) SendUnder(ctx context.Context, made *txbuild.Prepared, key string) (Payment, error) {
	return p.sendUnder(ctx, made, key, nil)
}

func (p *Payments) sendUnder(ctx context.Context, made *txbuild.Prepared, key string, with Recorder) (Payment, error) {
	if p.Journal == nil {
		return Payment{}, noJournal(made.Request().Op)
	}
	unlock, err := p.keys.lock(ctx, key)
	if err != nil {
		return Payment{}, err
	}
	defer unlock()
	for {
		if first, err := p.firstWithKey(ctx, made.Request(), key); first != nil || err != nil {
			if err == nil {
				return first.Payment, nil
			}
			return Payment{}, err
		}
		sent, err := p.sendSeen(ctx, made, key, with)
		if !errors.Is(err, store.ErrKeyTaken) { // by another program that shares the journal
			return sent, err
		}
	}
}

// sendSeen sends what a person has read: under a request key, unless that is empty, and with what the journal writes beside it.
func (p *Payments) sendSeen(ctx context.Context, made *txbuild.Prepared, key string, with Recorder) (Payment, error) {
	made.Seen() // a person has read the review, which says what changed
	sent, _, err := p.sendApproved(ctx, approved{Prepared: made, locks: p.Vault.Locks()}, key,
		func(made approved, outdated bool) (now approved, err error) {
			now = made
			now.Prepared, err = p.refreshSeen(ctx, made.Prepared, outdated)
			return now, err
		},
		func(made *txbuild.Prepared, signed *txbuild.Signed) *entry {
			e := p.entryOf(ctx, signed, made.Review(), key)
			if key != "" {
				e.requestMark = markOf(p.Vault, made.Request(), made)
			}
			if with != nil {
				e.with = with(signed.Operations)
			}
			return e
		})
	return sent, err
}

// approved is a transaction that was approved when the wallet had been locked so many times.
type approved struct {
	*txbuild.Prepared
	locks uint64
}

// sendApproved signs what was approved, journals and broadcasts it. It refreshes it before that, and does all of it again where another change of
// an object was faster (outdated), or where an earlier run or another wallet made the very same transaction: with another reference block or
// expiration. key is the request key, "" for none.
func (p *Payments) sendApproved(
	ctx context.Context, made approved, key string, refresh func(made approved, outdated bool) (approved, error),
	entryOf func(made *txbuild.Prepared, signed *txbuild.Signed) *entry,
) (Payment, *txbuild.Signed, error) {
	for outdated := false; ; {
		err := p.checkTrusted(ctx) // a person may have taken long to approve
		if err == nil {
			made, err = refresh(made, outdated)
		}
		if err != nil {
			return Payment{}, nil, err
		}
		compared, err := checkFoundPayments(ctx, p, made.Operations(), key)
		if err != nil {
			return Payment{}, nil, err
		}
		signed, err := sign(ctx, p, made)
		if err == nil {
			err = p.Build.HandOn(ctx, signed)
		}
		if err != nil {
			return Payment{}, nil, err
		}
		e := entryOf(made.Prepared, signed)
		e.foundGeneration, e.objects = compared, made.NextStates(store.ObjectChanged, signed, p.Now())
		sent, err := p.sender.send(ctx, e)
		if outdated = errors.Is(err, store.ErrObjectChanged); !outdated && !isSignedAnew(err) {
			return sent, signed, err
		}
	}
}

// refreshSeen is refresh for a review that a person has read. If the request comes out otherwise now, the person has to read it
// again, and nothing is signed. Error: fault.StateChanged.
func (p *Payments) refreshSeen(ctx context.Context, made *txbuild.Prepared, outdated bool) (*txbuild.Prepared, error) {
	if !outdated && made.Fresh(p.Now(), tooFastToRead) {
		return made, nil
	}
	now, err := p.Build.Build(ctx, made.Request(), false)
	if err == nil {
		err = p.Build.Complete(ctx, now, true)
	}
	if err != nil {
		return nil, err
	}
	if !now.SameAs(made) {
		return nil, &fault.Error{Code: fault.StateChanged, Op: made.Request().Op,
			Message: made.Stale(), Hint: "nothing was signed; build it once more and read the new review"}
	}
	now.Seen()
	now.KeepReview(made)
	return now, nil
}

// sign signs what was approved. If the wallet was locked since, the signature is discarded: whoever locked it wants none, and unlocking it again
// does not revive the payment.
func sign(ctx context.Context, p *Payments, made approved) (*txbuild.Signed, error) {
	signed, err := p.Build.Sign(ctx, made.Prepared)
	if err == nil && p.Vault.Locks() != made.locks {
		return nil, &fault.Error{Code: fault.Locked, Op: "sign", Message: "the wallet was locked before this was signed",
			Hint: "nothing was sent; unlock it and ask again"}
	}
	return signed, err
}

// isSignedAnew reports whether err means that a payment needs another id, because its own is taken.
func isSignedAnew(err error) bool {
	return errors.Is(err, store.ErrIDTaken) || errors.Is(err, errMadeElsewhere)
}

// MayHaveBeenSent reports whether the payment that Send returned was made or may be, because a daemon may have its bytes.
// Otherwise nothing was spent.
func MayHaveBeenSent(p Payment, err error) bool {
	refused := p.State == Rejected || p.State == Expired
	return err == nil || p.ID != (ledger.TransactionID{}) && !refused || MayHappen(err)
}

// MayHappen reports whether the payment may still happen despite the error of sending it.
func MayHappen(err error) bool {
	e, is := errors.AsType[*fault.Error](err)
	return is && (e.Code == fault.OutcomeUnknown || e.Unsettled)
}

func (p *Payments) entryOf(ctx context.Context, signed *txbuild.Signed, r txbuild.Review, key string) *entry {
	return &entry{
		tx:         signed.SignedTransaction,
		chain:      p.View.Pins.Chain(),
		single:     true,
		refBlock:   signed.RefBlock(),
		lastProven: p.lastProven(ctx),
		Payment: Payment{
			ID: signed.TransactionID, Key: key, State: Prepared, Review: r, Expiration: signed.Expiration, Prepared: p.Now(),
		},
	}
}

// lastProven returns the last block that is proven irreversible; before the follower's first pass, the one that an
// earlier run saved. Without it, a payment could not be proven to have expired once a fork removed its reference block.
func (p *Payments) lastProven(ctx context.Context) uint32 {
	if at := p.View.Chain.Proven(); at > 0 || p.Anchors == nil {
		return at
	}
	kept, err := p.Anchors.Anchor(ctx, p.View.Pins.Chain())
	if kept == nil || err != nil {
		return 0
	}
	return kept.Block.Num()
}

// Resend sends the same bytes of an open payment again immediately, unless a block of the daemon in use holds them.
// Nothing is sent if its blocks cannot be read, because a daemon that was killed takes the same bytes a second time.
// Errors: fault.NoSuchPayment, also if the outcome is known already, and those of the daemon.
func (p *Payments) Resend(ctx context.Context, id ledger.TransactionID) error {
	e := p.list.find(id)
	if e == nil {
		return &fault.Error{
			Code:    fault.NoSuchPayment,
			Op:      "resend",
			Message: "no payment " + id.String() + " is on its way",
			Hint:    "list_payments shows them",
		}
	}
	if now := p.list.update(e, func(*entry) {}); !now.open() || now.rejecting {
		return &fault.Error{
			Code:    fault.NoSuchPayment,
			Op:      "resend",
			Message: "payment " + id.String() + " is no longer on its way",
			Hint:    "get_payment reports its outcome",
			Err:     errOver,
		}
	}
	ask := resendRequest{payment: e, answer: make(chan error, 1)}
	select {
	case p.resends <- ask:
	case <-ctx.Done():
		return fault.Daemon("resend", ctx.Err())
	}
	select {
	case err := <-ask.answer:
		if err != nil {
			return fault.Daemon("resend", err) // the outcome of the first broadcast stays open
		}
		return nil
	case <-ctx.Done():
		return fault.Daemon("resend", ctx.Err())
	}
}

package payment

import (
	"context"
	"errors"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// Prepare builds a request and reviews it, for a person who looks at it before it is
// sent with Send; nothing is signed. Errors: fault.Locked, those of the spend,
// fault.MissingAuthority and the daemon's.
func (p *Payments) Prepare(ctx context.Context, r build.Request) (*build.Prepared, error) {
	if err := p.Vault.CheckOpen(r.Op); err != nil {
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

// Again reviews once more what was prepared: somebody else may have paid meanwhile, or keys may have changed. made stays as it is.
// Errors: those of Prepare.
func (p *Payments) Again(ctx context.Context, made *build.Prepared) (build.Review, error) {
	again := *made
	return p.Build.Review(ctx, &again)
}

// Send signs what was prepared, writes it to the journal, broadcasts it and follows it.
// It returns once the daemon took it. Errors: fault.OutcomeUnknown, where the
// payment is followed and sent again all the same; others mean that nothing was
// spent, also fault.Locked where the wallet was locked before it was signed and is open again.
func (p *Payments) Send(ctx context.Context, made *build.Prepared) (Payment, error) {
	if err := p.checkTrusted(); err != nil {
		return Payment{}, err
	}
	locks := p.Vault.Locks()
	made.Seen() // the review says what changed
	for {
		compared, err := checkFound(ctx, p, made.Operations(), "")
		if err != nil {
			return Payment{}, err
		}
		signed, err := sign(ctx, p, made, locks)
		if err != nil {
			return Payment{}, err
		}
		e := p.entryOf(ctx, signed, made.Review(), "")
		e.compared = compared
		sent, err := p.sender.send(ctx, e)
		if !errors.Is(err, store.ErrIDTaken) {
			return sent, err
		}
	}
}

// sign signs what somebody agreed to when the wallet had been locked so often. Whoever locked it since wants no signature, and
// opening it again completes nothing.
func sign(ctx context.Context, p *Payments, made *build.Prepared, locks uint64) (*build.Signed, error) {
	signed, err := p.Build.Sign(ctx, made)
	if err == nil && p.Vault.Locks() != locks {
		return nil, &fault.Error{Code: fault.Locked, Op: "sign", Message: "the wallet was locked before this was signed",
			Hint: "nothing was sent; unlock it and ask again"}
	}
	return signed, err
}

// OnItsWay reports whether what Send answered was made, or may be: the daemon may have its bytes. Else nothing was spent.
func OnItsWay(p Payment, err error) bool {
	refused := p.State == Rejected || p.State == Expired
	return err == nil || p.ID != (ledger.TransactionID{}) && !refused || MayHappen(err)
}

// MayHappen reports whether a payment may still happen, whatever the error of sending it is.
func MayHappen(err error) bool {
	e, is := errors.AsType[*fault.Error](err)
	return is && (e.Code == fault.OutcomeUnknown || e.Unsettled)
}

func (p *Payments) entryOf(ctx context.Context, signed *build.Signed, r build.Review, key string) *entry {
	return &entry{
		tx:       signed.SignedTransaction,
		chain:    p.View.Pins.Chain(),
		refBlock: signed.Head(),
		sure:     p.lastProven(ctx),
		Payment: Payment{
			ID: signed.TransactionID, Key: key, State: Prepared, Review: r, Expiration: signed.Expiration, Prepared: p.Now(),
		},
	}
}

// lastProven returns the last block that is proven irreversible: before the follower's first look, what an
// earlier run kept. Without it a payment could not be proven to have expired once a fork took its reference block.
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

// Resend has the same bytes of an open payment sent again at once, unless a block of the
// daemon in use holds them. Nothing is sent when its blocks cannot be read:
// a daemon that was killed takes the same bytes a second time. Errors: fault.NoSuchPayment, also
// when the outcome is known already, and those of the daemon.
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
	if now := p.list.update(e, func(*entry) {}); !now.open() || now.ending {
		return &fault.Error{
			Code:    fault.NoSuchPayment,
			Op:      "resend",
			Message: "payment " + id.String() + " is not on its way any more",
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
			return fault.Daemon("resend", err) // the outcome of the first sending stays open
		}
		return nil
	case <-ctx.Done():
		return fault.Daemon("resend", ctx.Err())
	}
}

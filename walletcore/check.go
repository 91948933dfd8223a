package walletcore

import (
	"context"
	"fmt"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// spend is what was asked for as operations, with what they must be.
type spend struct {
	ops []ledger.Operation
	to  *ledger.Account // whose keys are compared with those accepted before; nil where nobody's matter
	// holds compares operations with the words of the request and what is
	// pinned, and with nothing else a daemon said. A spend without it is never signed.
	holds func(context.Context, []ledger.Operation) error
}

// one is the holds of a request for a single operation.
func one(holds func(context.Context, ledger.Operation) error) func(context.Context, []ledger.Operation) error {
	return func(ctx context.Context, ops []ledger.Operation) error {
		if len(ops) != 1 {
			return notAsked("it is more than one operation, or none")
		}
		return holds(ctx, ops[0])
	}
}

// check is the last thing before a signature, whatever is signed: the bytes that
// will be signed are read back and held against what was asked. Errors:
// fault.Internal where they differ, fault.FeeTooHigh, fault.KeysChanged, fault.DaemonContradicts.
func (w *Wallet) check(ctx context.Context, b built, info *SignedInfo) error {
	packed, err := info.Transaction.Pack()
	if err != nil {
		return &fault.Error{Code: fault.UnsupportedOperation, Op: "sign", Message: err.Error(), Err: err}
	}
	var tx ledger.Transaction
	if err := codec.Unpack(packed, &tx); err != nil {
		return &fault.Error{Code: fault.Internal, Op: "sign", Message: "the built transaction cannot be read back: " + err.Error(), Err: err}
	}
	switch {
	case b.spend.holds == nil:
		return notAsked("nobody asked for it")
	case tx.Expiration > w.window(info.headTime).bound:
		return notAsked("it could be used until " + tx.Expiration.String())
	}
	for _, op := range tx.Operations {
		if err := w.checkFee(op); err != nil {
			return err
		}
	}
	if err := b.spend.holds(ctx, tx.Operations); err != nil {
		return err
	}
	return w.checkKeys(ctx, b)
}

// checkKeys refuses keys that nobody accepted, and keeps those that are used.
func (w *Wallet) checkKeys(ctx context.Context, b built) error {
	if b.spend.to == nil {
		return nil
	}
	return w.View.Pins.CheckKeys(ctx, b.spend.to, b.accepted || w.acceptChanges)
}

// notAsked is the error of an operation that is not what was asked for.
func notAsked(how string) *fault.Error {
	return &fault.Error{Code: fault.Internal, Op: "sign", Message: "what was built is not what was asked for: " + how,
		Hint: "nothing was signed; this is a fault of this program, please report it"}
}

// holdTransfer compares a transfer with what was asked, and its memo with the key
// it was to be encrypted to.
func (w *Wallet) holdTransfer(req TransferRequest, memoTo ledger.PublicKey) func(context.Context, []ledger.Operation) error {
	return one(func(ctx context.Context, op ledger.Operation) error {
		m, ok := history.MovementOf(op.Body)
		if !ok {
			return notAsked("it is no transfer")
		}
		from, err := w.pinnedAccount(ctx, req.From)
		if err != nil {
			return err
		}
		to, err := w.pinnedRecipient(ctx, req.To)
		if err != nil {
			return err
		}
		asset, err := w.pinnedAsset(ctx, req.Asset)
		if err != nil {
			return err
		}
		amount, err := parseAmount(req.Amount, asset)
		switch {
		case err != nil:
			return err
		case m.From != from:
			return notAsked(fmt.Sprintf("it pays from %s, and %s is %s", m.From, fault.Quote(req.From), from))
		case m.To != to:
			return notAsked(fmt.Sprintf("it pays %s, and %s is %s", m.To, fault.Quote(req.To), to))
		case m.Amount != ledger.AssetAmount{Amount: amount, AssetID: asset.ID}:
			return notAsked(fmt.Sprintf("it pays %d of %s, and %s %s is %d of %s", m.Amount.Amount, m.Amount.AssetID,
				fault.Quote(req.Amount), fault.Quote(req.Asset), amount, asset.ID))
		}
		return w.holdMemo(req, op.Memo(), memoTo)
	})
}

// holdMemo compares a memo with what was asked: it never says what is in it.
func (w *Wallet) holdMemo(req TransferRequest, memo *ledger.Memo, to ledger.PublicKey) error {
	switch {
	case (memo == nil) != (req.Memo == ""):
		return notAsked("it has a memo, or none, against what was asked")
	case memo == nil:
		return nil
	case !req.Plain && memo.To != to:
		return notAsked("its memo is encrypted to " + memo.To.String() + ", not to " + to.String())
	}
	store, err := w.unlocked("transfer")
	if err != nil {
		return err
	}
	var text string
	var state vault.MemoState
	if err := store.View(func(keys *keystore.Secrets) error {
		if plain, is, failure := memo.Plain(); is && failure == nil {
			text, state = plain, vault.MemoPlain
			return nil
		}
		text, state = w.openWith(keys, memo)
		return nil
	}); err != nil {
		return fault.Own("transfer", err)
	}
	if text != req.Memo || (state == vault.MemoPlain) != req.Plain {
		return notAsked("its memo says something else")
	}
	return nil
}

// holdRegistration compares the creation of an account with what was asked.
func (w *Wallet) holdRegistration(
	name string, owner, active ledger.PublicKey, registrar string,
) func(context.Context, []ledger.Operation) error {
	return one(func(ctx context.Context, op ledger.Operation) error {
		body, ok := op.Body.(*ledger.AccountCreateOp)
		if !ok {
			return notAsked("it registers no account")
		}
		payer, err := w.pinnedAccount(ctx, registrar)
		switch {
		case err != nil:
			return err
		case body.Registrar != payer:
			return notAsked(fmt.Sprintf("it is paid by %s, and %s is %s", body.Registrar, fault.Quote(registrar), payer))
		case body.Name != name:
			return notAsked("it registers another name")
		case ledgerview.AuthorityText(body.Owner) != owner.String() || ledgerview.AuthorityText(body.Active) != active.String() || body.Options.MemoKey != active:
			return notAsked("it registers other keys")
		}
		return nil
	})
}

// pinnedAccount gives the account that words mean, by what is pinned alone.
func (w *Wallet) pinnedAccount(ctx context.Context, nameOrID string) (ledger.AccountID, error) {
	if nameOrID == "" {
		return 0, notAsked("no account was named")
	}
	id, known, err := w.View.Pins.AccountID(ctx, nameOrID)
	if err == nil && !known {
		err = notAsked("nothing is known of " + fault.Quote(nameOrID))
	}
	return id, err
}

func (w *Wallet) pinnedRecipient(ctx context.Context, text string) (ledger.ObjectID, error) {
	if id, ok := contentID(text); ok {
		return id, nil
	}
	id, err := w.pinnedAccount(ctx, text)
	return id.Object(), err
}

// pinnedAsset gives the asset that words mean, by what is pinned alone.
func (w *Wallet) pinnedAsset(ctx context.Context, symbolOrID string) (ledgerview.AssetRef, error) {
	asset, known, err := w.View.Pins.Asset(ctx, symbolOrID)
	if err == nil && !known {
		err = notAsked("nothing is known of " + fault.Quote(symbolOrID))
	}
	return asset, err
}

// The fee ceiling where none is set: 1 DCT, or so many times the built-in fee of
// the operation.
const (
	leastCeiling   = 1_0000_0000
	ceilingFactors = 10
)

// ceiling is the largest fee of op that is signed, in smallest units of DCT.
func (w *Wallet) ceiling(op ledger.Operation) int64 {
	if w.maxFee > 0 {
		return w.maxFee
	}
	var builtIn ledger.FeeSchedule
	builtIn.Scale = fullScale
	fee, err := builtIn.Required(op)
	if err != nil || fee > ledger.MaxShareSupply/ceilingFactors {
		return leastCeiling
	}
	return max(leastCeiling, ceilingFactors*fee)
}

// fullScale is 100 % in a fee schedule.
const fullScale = 10_000

// checkFee refuses a fee above the ceiling, and one in another asset than DCT: its
// worth would be what a daemon says.
func (w *Wallet) checkFee(op ledger.Operation) error {
	fee := op.Fee()
	if fee == nil {
		return notAsked("it has no fee")
	}
	most := w.ceiling(op)
	switch {
	case fee.AssetID != ledgerview.DCT().ID:
		return &fault.Error{Code: fault.FeeTooHigh, Op: "sign", Hint: "nothing was signed",
			Message: "the fee is in " + fee.AssetID.String() + "; fees are paid in DCT, whose worth no daemon can change"}
	case fee.Amount < 0 || fee.Amount > most:
		return &fault.Error{Code: fault.FeeTooHigh, Op: "sign",
			Message: fmt.Sprintf("the daemon at %s asks a fee of %s for this, and no more than %s is paid (--max-fee)",
				fault.Address(w.daemon.Status().URL), ledgerview.DCT().Format(fee.Amount), ledgerview.DCT().Format(most)),
			Hint: "nothing was signed; ask another daemon, or raise --max-fee if the ledger really asks so much"}
	}
	return nil
}

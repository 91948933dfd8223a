package walletcore

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"billfold/ledger"
	"billfold/walletcore/journal"
)

// Sending says what becomes of a signed transaction.
type Sending struct {
	Broadcast bool   // false: it is only signed
	Key       string // request key: the same key and content give the first outcome again; "" = none
}

// longestKey is in bytes.
const longestKey = 200

// keyLocks lets one call at a time act for a request key.
type keyLocks struct {
	mu   sync.Mutex
	held map[string]*keyLock
}

type keyLock struct {
	mu    sync.Mutex
	users int
}

// lock waits for the key's turn; the function gives it free.
func (k *keyLocks) lock(key string) (unlock func()) {
	k.mu.Lock()
	if k.held == nil {
		k.held = map[string]*keyLock{}
	}
	l := k.held[key]
	if l == nil {
		l = new(keyLock)
		k.held[key] = l
	}
	l.users++
	k.mu.Unlock()
	l.mu.Lock()
	return func() {
		l.mu.Unlock()
		k.mu.Lock()
		defer k.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(k.held, key)
		}
	}
}

// repeats says that the request was made before under its key.
func (s Sending) repeats(ctx context.Context, w *Wallet) bool {
	if s.Key == "" || w.journal == nil {
		return false
	}
	_, err := w.journal.ByKey(ctx, s.Key)
	return err == nil
}

// finish signs ops and broadcasts them if asked. With a request key it acts
// once: a repeated request gets what became of the first.
func (w *Wallet) finish(ctx context.Context, how Sending, ops ...ledger.Operation) (*SignedInfo, error) {
	if !how.Broadcast {
		info, _, err := w.buildAndSign(ctx, ops...)
		return info, err
	}
	if how.Key != "" {
		if w.journal == nil || len(how.Key) > longestKey {
			return nil, &Error{Code: CodeRequestKey, Op: "transfer", Message: fmt.Sprintf("the request key cannot be used: it has at most %d bytes, and the wallet needs its payment journal", longestKey), Hint: "nothing was sent"}
		}
		defer w.keys.lock(how.Key)()
		if first, err := w.firstOutcome(ctx, how.Key, ops); first != nil || err != nil {
			return first, err
		}
	}
	info, missing, err := w.buildAndSign(ctx, ops...)
	if err != nil {
		return nil, err
	}
	if !missing.Empty() {
		return nil, w.missingFault(missing)
	}
	if _, err := w.send(ctx, w.newPayment(info, w.reviewFacts(info.Operations), how.Key)); err != nil {
		return nil, err
	}
	return info, nil
}

// firstOutcome gives what became of an earlier request under key; nil, nil when
// there was none.
func (w *Wallet) firstOutcome(ctx context.Context, key string, ops []ledger.Operation) (*SignedInfo, error) {
	e, err := w.journal.ByKey(ctx, key)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{Code: CodeFile, Op: "transfer", Message: "the payment journal cannot be read: " + err.Error(), Hint: "nothing was sent", Err: err}
	}
	p, err := w.paymentOf(e)
	if err != nil {
		return nil, err
	}
	same, err := w.sameContent(p.tx.Operations, ops)
	if err != nil {
		return nil, err
	}
	if !same {
		return nil, &Error{Code: CodeRequestKey, Op: "transfer", Message: "the request key " + quote(key) + " was used for another payment, " + e.ID.String(), Hint: "nothing was sent; use a new key for a new payment"}
	}
	return p.outcome()
}

// outcome is what a repeated request is answered.
func (p *payment) outcome() (*SignedInfo, error) {
	switch p.State {
	case PaymentRejected:
		return nil, &Error{Code: p.code, Op: "transfer", Message: "the first request under this key was refused: " + p.Reason, Hint: "nothing was spent; use a new key to try again"}
	case PaymentExpired:
		return nil, &Error{Code: CodeExpired, Op: "transfer", Message: "the first request under this key did not happen: " + p.Reason, Hint: "use a new key to try again"}
	case PaymentUnknown, PaymentPrepared:
		return nil, &Error{Code: CodeOutcomeUnknown, Op: "transfer", Message: "transaction " + p.ID.String() + " of the first request under this key may still happen", Hint: "do not send it again; get_payment tells what became of it"}
	}
	return &SignedInfo{SignedTransaction: p.tx, TransactionID: p.ID}, nil
}

// sameContent compares what operations do: fees and the cipher text of memos
// differ each time, what the memos say must not.
func (w *Wallet) sameContent(a, b []ledger.Operation) (bool, error) {
	if len(a) != len(b) {
		return false, nil
	}
	store, err := w.unlocked("transfer")
	if err != nil {
		return false, err
	}
	for i := range a {
		left, err := contentOf(a[i])
		if err != nil {
			return false, err
		}
		right, err := contentOf(b[i])
		if err != nil {
			return false, err
		}
		leftMemo, leftState := w.openMemo(store, memoOf(a[i].Body))
		rightMemo, rightState := w.openMemo(store, memoOf(b[i].Body))
		if string(left) != string(right) || leftMemo != rightMemo || leftState != rightState {
			return false, nil
		}
	}
	return true, nil
}

// contentOf packs an operation without its fee and memo.
func contentOf(op ledger.Operation) ([]byte, error) {
	packed, err := ledger.Pack(op)
	if err != nil {
		return nil, err
	}
	var bare ledger.Operation
	if err := ledger.Unpack(packed, &bare); err != nil {
		return nil, err
	}
	*bare.Fee() = ledger.AssetAmount{}
	switch body := bare.Body.(type) {
	case *ledger.TransferObsoleteOp:
		body.Memo = nil
	case *ledger.TransferOp:
		body.Memo = nil
	}
	return ledger.Pack(bare)
}

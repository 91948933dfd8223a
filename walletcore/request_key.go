package walletcore

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// Sending says what becomes of a signed transaction.
type Sending struct {
	Broadcast bool   // false: it is only signed
	Key       string // request key: the same key and content give the first outcome again; "" = none
	Agree     Agree  // nil = nobody needs to
}

// Agree is asked with what will be signed, read back from its bytes, before it
// is signed. It may wait for a person; its error is the call's, and nothing was
// signed then.
type Agree func(ctx context.Context, r Review) error

// longestKey is in bytes.
const longestKey = 200

// keyLocks lets one call at a time act for a request key.
type keyLocks struct {
	mu   sync.Mutex
	held map[string]*keyLock
}

type keyLock struct {
	turn  chan struct{} // holds one element while somebody acts
	users int
}

// lock waits for the key's turn; the function gives it free. Error: fault.Canceled
// when ctx ends first.
func (k *keyLocks) lock(ctx context.Context, key string) (unlock func(), err error) {
	l := k.enter(key)
	select {
	case l.turn <- struct{}{}:
		return func() {
			<-l.turn
			k.leave(key, l)
		}, nil
	case <-ctx.Done():
		k.leave(key, l)
		return nil, &fault.Error{Code: fault.Canceled, Op: "transfer", Message: "another call with this request key did not end in time", Hint: "get_payment tells what became of it", Err: ctx.Err()}
	}
}

func (k *keyLocks) enter(key string) *keyLock {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held == nil {
		k.held = map[string]*keyLock{}
	}
	l := k.held[key]
	if l == nil {
		l = &keyLock{turn: make(chan struct{}, 1)}
		k.held[key] = l
	}
	l.users++
	return l
}

func (k *keyLocks) leave(key string, l *keyLock) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(k.held, key)
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

// asked is a request as its caller wrote it, and how it becomes operations, which
// needs the ledger.
type asked struct {
	words []string // the method and its parameters
	spend func(context.Context) (spend, error)
}

// finish signs what was asked for and broadcasts it if asked. With a request key
// it acts once: a repeated request gets what became of the first.
func (w *Wallet) finish(ctx context.Context, how Sending, what asked) (*SignedInfo, error) {
	switch {
	case !how.Broadcast:
		return w.finishUnsent(ctx, how, what)
	case how.Key == "":
		return w.finishOnce(ctx, how, what)
	case w.journal == nil || len(how.Key) > longestKey:
		return nil, &fault.Error{Code: fault.RequestKey, Op: "transfer", Message: fmt.Sprintf("the request key cannot be used: it has at most %d bytes, and the wallet needs its payment journal", longestKey), Hint: "nothing was sent"}
	}
	unlock, err := w.keys.lock(ctx, how.Key)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if first, err := w.firstOutcome(ctx, how.Key, what); first != nil || err != nil {
		return first, err
	}
	info, err := w.finishOnce(ctx, how, what)
	if errors.Is(err, store.ErrKeyTaken) { // by another program that shares the journal
		return w.firstOutcome(ctx, how.Key, what)
	}
	return info, err
}

// finishUnsent signs for somebody else to send.
func (w *Wallet) finishUnsent(ctx context.Context, how Sending, what asked) (*SignedInfo, error) {
	s, err := what.spend(ctx)
	if err != nil {
		return nil, err
	}
	b, err := w.agreed(ctx, how, s)
	if err != nil {
		return nil, err
	}
	return w.stampAndSign(ctx, b)
}

// finishOnce signs what was asked for and sends it, with another stamp when an
// earlier run made the very same transaction.
func (w *Wallet) finishOnce(ctx context.Context, how Sending, what asked) (*SignedInfo, error) {
	s, err := what.spend(ctx)
	if err == nil {
		err = w.trusted()
	}
	if err != nil {
		return nil, err
	}
	b, err := w.agreed(ctx, how, s)
	if err != nil {
		return nil, err
	}
	for {
		if err := w.trusted(); err != nil { // a person may have thought about it for long
			return nil, err
		}
		info, err := w.stampAndSign(ctx, b)
		if err != nil {
			return nil, err
		}
		p := w.newPayment(info, w.reviewFacts(info.Operations), how.Key)
		if how.Key != "" && len(b.keys) > 0 {
			p.request, _ = w.markRequest(what.words, b.keys[0]) // without it the operations are compared
		}
		_, err = w.send(ctx, p)
		switch {
		case err == nil:
			return info, nil
		case !errors.Is(err, store.ErrIDTaken):
			return nil, err
		}
	}
}

// firstOutcome gives what became of an earlier request under key; nil, nil when
// there was none. A request in the same words needs no daemon; one in other words
// may still mean the same, which only the ledger can tell.
func (w *Wallet) firstOutcome(ctx context.Context, key string, what asked) (*SignedInfo, error) {
	if p := w.payments.heldUnder(key); p != nil {
		return p.outcome()
	}
	e, err := w.journal.ByKey(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable("transfer", err)
	}
	p, err := w.latest(e)
	if err != nil {
		return nil, err
	}
	same := w.isMarked(e.Request, what.words)
	if !same {
		if same, err = w.sameDeed(ctx, p, what); err != nil {
			return nil, err
		}
	}
	if !same {
		return nil, &fault.Error{Code: fault.RequestKey, Op: "transfer", Message: "the request key " + fault.Quote(key) + " was used for another payment",
			Hint: "nothing was sent; get_payment " + key + " tells of that one; use a new key for a new payment"}
	}
	return p.outcome()
}

// sameDeed compares what was asked for with what was done.
func (w *Wallet) sameDeed(ctx context.Context, p *payment, what asked) (bool, error) {
	s, err := what.spend(ctx)
	switch fault.CodeOf(err) {
	case fault.DaemonAway, fault.DaemonGarbage, fault.WrongChain:
		return false, &fault.Error{Code: fault.DaemonAway, Op: "transfer", Err: err, Hint: "nothing was sent now; get_payment " + p.Key + " tells what became of the first request",
			Message: "the request key " + fault.Quote(p.Key) + " stands for a payment that was asked for in other words; without a daemon it cannot be told whether both mean the same"}
	}
	if err != nil {
		return false, err
	}
	return w.sameContent(p.tx.Operations, s.ops)
}

// outcome is what a repeated request is answered.
func (p *payment) outcome() (*SignedInfo, error) {
	switch p.State {
	case PaymentRejected:
		return nil, &fault.Error{Code: p.code, Op: "transfer", Message: "the first request under this key was refused: " + p.Reason, Hint: "nothing was spent; use a new key to try again"}
	case PaymentExpired:
		return nil, &fault.Error{Code: fault.Expired, Op: "transfer", Message: "the first request under this key did not happen: " + p.Reason, Hint: "use a new key to try again"}
	case PaymentUnknown, PaymentPrepared:
		if p.refused() {
			return nil, &fault.Error{Code: p.code, Op: "transfer", Message: "the first request under this key was refused: " + p.Reason, Hint: mayHappen(p.Expiration), Unsettled: true}
		}
		return nil, &fault.Error{Unsettled: true, Code: fault.OutcomeUnknown, Op: "transfer", Message: "transaction " + p.ID.String() + " of the first request under this key may still happen", Hint: "do not send it again; get_payment tells what became of it"}
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
		leftMemo, leftState := w.openMemo(store, a[i].Memo())
		rightMemo, rightState := w.openMemo(store, b[i].Memo())
		if string(left) != string(right) || leftMemo != rightMemo || leftState != rightState {
			return false, nil
		}
	}
	return true, nil
}

// contentOf packs an operation without its fee and memo.
func contentOf(op ledger.Operation) ([]byte, error) {
	packed, err := codec.Pack(op)
	if err != nil {
		return nil, err
	}
	var bare ledger.Operation
	if err := codec.Unpack(packed, &bare); err != nil {
		return nil, err
	}
	*bare.Fee() = ledger.AssetAmount{}
	bare.RemoveMemo()
	return codec.Pack(bare)
}

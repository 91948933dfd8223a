package walletcore

import (
	"context"
	"sync"
	"time"

	"billfold/keystore"
	"billfold/ledger"
)

const (
	transactionLife = 30              // seconds from the head block's time to the expiration, as the reference
	recentLife      = 2 * time.Minute // how long an id must not be made again
)

// SignedInfo is a signed transaction with its id, as the reference answers it.
type SignedInfo struct {
	ledger.SignedTransaction
	TransactionID ledger.TransactionID `json:"transaction_id"`

	head uint32 // number of the head block when it was stamped
}

// recentIDs are the ids of transactions made lately: the same operation asked
// for twice on purpose must not give the same transaction. Two generations of
// them are held, so that forgetting the old ones costs nothing.
type recentIDs struct {
	mu         sync.Mutex
	young, old map[ledger.TransactionID]struct{}
	since      time.Time // when young began
}

// take notes id; false when it was made before.
func (r *recentIDs) take(id ledger.TransactionID, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.since) >= recentLife {
		r.young, r.old, r.since = map[ledger.TransactionID]struct{}{}, r.young, now
	}
	if _, made := r.young[id]; made {
		return false
	}
	if _, made := r.old[id]; made {
		return false
	}
	r.young[id] = struct{}{}
	return true
}

// setFees puts the least fee in DCT into each operation.
func (w *Wallet) setFees(ctx context.Context, ops []ledger.Operation) error {
	props, err := w.globalProperties(ctx)
	if err != nil {
		return err
	}
	for _, op := range ops {
		if _, err := props.Parameters.CurrentFees.SetFee(op); err != nil {
			return invalid(err)
		}
	}
	return nil
}

func invalid(err error) *Error {
	return &Error{Code: CodeInvalidOperation, Op: "build", Message: err.Error(), Hint: "nothing was signed", Err: err}
}

// validate makes the stateless checks of every operation.
func validate(ops []ledger.Operation) error {
	for _, op := range ops {
		if err := op.Validate(); err != nil {
			return invalid(err)
		}
	}
	return nil
}

// stamp gives the transaction its reference block, an expiration that makes its
// id one that was not made before, and that id.
func (w *Wallet) stamp(ctx context.Context, info *SignedInfo) error {
	dyn, err := w.dynamicProperties(ctx)
	if err != nil {
		return err
	}
	info.head = dyn.HeadBlockNumber
	info.RefBlockNum, info.RefBlockPrefix = ledger.BlockRef(dyn.HeadBlockID)
	for info.Expiration = dyn.Time + transactionLife; ; info.Expiration++ {
		if info.TransactionID, err = info.ID(); err != nil {
			return &Error{Code: CodeUnsupported, Op: "sign", Message: err.Error(), Err: err}
		}
		if w.recent.take(info.TransactionID, w.now()) {
			return nil
		}
	}
}

// signers chooses the keys that sign ops: the smallest sufficient set of those
// in the wallet, and says what they do not satisfy.
func (w *Wallet) signers(ctx context.Context, ops []ledger.Operation) ([]ledger.PublicKey, ledger.Needs, error) {
	store, err := w.unlocked("sign")
	if err != nil {
		return nil, ledger.Needs{}, err
	}
	if _, err := w.chainOf(store); err != nil {
		return nil, ledger.Needs{}, err
	}
	props, err := w.globalProperties(ctx)
	if err != nil {
		return nil, ledger.Needs{}, err
	}
	needs := ledger.NeedsOf(ops)
	accounts, err := w.authorityTree(ctx, needs, int(props.Parameters.MaxAuthorityDepth))
	if err != nil {
		return nil, ledger.Needs{}, err
	}
	lookup := func(id ledger.AccountID) *ledger.Account { return accounts[id] }
	var keys []ledger.PublicKey
	var missing ledger.Needs
	err = store.View(func(s *keystore.Secrets) error { // all keys or none are there while they are counted
		have := func(k ledger.PublicKey) bool {
			_, held := s.Key(k)
			return held
		}
		keys, missing = ledger.SmallestKeys(needs, have, lookup, int(props.Parameters.MaxAuthorityDepth))
		return nil
	})
	if err != nil {
		return nil, ledger.Needs{}, fileFault("sign", err)
	}
	return keys, missing, nil
}

// authorityTree reads the accounts that needs name and those that they name,
// level by level.
func (w *Wallet) authorityTree(ctx context.Context, needs ledger.Needs, depth int) (map[ledger.AccountID]*ledger.Account, error) {
	all := map[ledger.AccountID]*ledger.Account{}
	next := append(append([]ledger.AccountID{}, needs.Active...), needs.Owner...)
	for level := 0; level <= depth && len(next) > 0; level++ {
		found, err := w.accountsByID(ctx, next)
		if err != nil {
			return nil, err
		}
		next = nil
		for id, a := range found {
			all[id] = a
			for _, auth := range []ledger.Authority{a.Active, a.Owner} {
				for _, nested := range auth.AccountAuths {
					if all[nested.Account] == nil {
						next = append(next, nested.Account)
					}
				}
			}
		}
	}
	return all, nil
}

// sign adds the signatures of keys to a stamped transaction.
func (w *Wallet) sign(tx *ledger.SignedTransaction, keys []ledger.PublicKey) error {
	store, err := w.unlocked("sign")
	if err != nil {
		return err
	}
	chain, err := w.chainOf(store)
	if err != nil {
		return err
	}
	digest, err := tx.Digest(chain)
	if err != nil {
		return &Error{Code: CodeUnsupported, Op: "sign", Message: err.Error(), Err: err}
	}
	tx.Signatures = make([]ledger.Signature, 0, len(keys))
	for _, pub := range keys {
		key, _ := store.Key(pub)
		sig := key.Sign(digest)
		if sig == (ledger.Signature{}) { // locked in the middle: the key is wiped
			return lockedFault("sign")
		}
		tx.Signatures = append(tx.Signatures, sig)
	}
	return nil
}

// chainOf gives the daemon's chain if the keys of store are for it.
func (w *Wallet) chainOf(store *keystore.Store) (ledger.ChainID, error) {
	chain := w.daemon.Status().ChainID
	if err := store.Public().CheckChain(chain); err != nil {
		return chain, &Error{Code: CodeWrongChain, Op: "sign", Message: err.Error(), Err: err}
	}
	return chain, nil
}

// built are operations with their fees, checked, and the keys that sign them.
type built struct {
	ops     []ledger.Operation
	keys    []ledger.PublicKey
	missing ledger.Needs // what the keys do not satisfy
}

// build completes ops as the reference does.
func (w *Wallet) build(ctx context.Context, ops []ledger.Operation) (built, error) {
	if err := w.setFees(ctx, ops); err != nil {
		return built{}, err
	}
	if err := validate(ops); err != nil {
		return built{}, err
	}
	keys, missing, err := w.signers(ctx, ops)
	return built{ops, keys, missing}, err
}

// agreed builds ops and asks whoever has to agree. What was agreed to is what is
// signed, but for its reference block and expiration. A transaction that is
// broadcast needs all its signatures; one that is not may lack some.
func (w *Wallet) agreed(ctx context.Context, how Sending, ops []ledger.Operation) (built, error) {
	b, err := w.build(ctx, ops)
	if err == nil && how.Broadcast && !b.missing.Empty() {
		err = w.missingFault(b.missing)
	}
	if err != nil || how.Agree == nil {
		return b, err
	}
	r, err := w.review(ctx, ops, b.keys)
	if err != nil {
		return b, err
	}
	return b, how.Agree(ctx, r)
}

// stampAndSign makes a transaction of b: reference block, expiration, the
// signatures of the keys at hand.
func (w *Wallet) stampAndSign(ctx context.Context, b built) (*SignedInfo, error) {
	info := &SignedInfo{SignedTransaction: ledger.SignedTransaction{Transaction: ledger.Transaction{Operations: b.ops}}}
	if err := w.stamp(ctx, info); err != nil {
		return nil, err
	}
	if err := w.sign(&info.SignedTransaction, b.keys); err != nil {
		return nil, err
	}
	return info, nil
}

// missingFault says whose authority the wallet's keys do not satisfy.
func (w *Wallet) missingFault(n ledger.Needs) *Error {
	who := "another party"
	for _, list := range [][]ledger.AccountID{n.Active, n.Owner} {
		for _, id := range list {
			r := w.ref(id)
			who = r.Name + " " + id.String()
		}
	}
	return &Error{Code: CodeMissingAuthority, Op: "sign", Message: "the keys in this wallet may not act for " + who, Hint: "import a key of that account; nothing was sent"}
}

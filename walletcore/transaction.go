package walletcore

import (
	"context"
	"sync"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// recentLife is how long an id must not be made again.
const recentLife = 2 * time.Minute

// SignedInfo is a signed transaction with its id, as the reference answers it.
type SignedInfo struct {
	ledger.SignedTransaction
	TransactionID ledger.TransactionID `json:"transaction_id"`

	head     uint32      // number of the head block when it was stamped
	headTime ledger.Time // and its time
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

// setFees puts the least fee in DCT into each operation. Error: fault.FeeTooHigh.
func (w *Wallet) setFees(ctx context.Context, ops []ledger.Operation) error {
	fees, err := w.View.Quorum.Fees(ctx)
	if err != nil {
		return err
	}
	for _, op := range ops {
		if _, err := fees.SetFee(op); err != nil {
			return invalid(err)
		}
		if err := w.checkFee(op); err != nil {
			return err
		}
	}
	return nil
}

func invalid(err error) *fault.Error {
	return &fault.Error{Code: fault.InvalidOperation, Op: "build", Message: err.Error(), Hint: "nothing was signed", Err: err}
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
	props, err := w.View.Chain.Parameters(ctx)
	if err != nil {
		return nil, ledger.Needs{}, err
	}
	needs := ledger.NeedsOf(ops)
	accounts, err := w.View.Accounts.AuthorityTree(ctx, needs, int(props.Parameters.MaxAuthorityDepth))
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
		return nil, ledger.Needs{}, fault.KeyFile("sign", err)
	}
	return keys, missing, nil
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
		return &fault.Error{Code: fault.UnsupportedOperation, Op: "sign", Message: err.Error(), Err: err}
	}
	tx.Signatures = make([]ledger.Signature, 0, len(keys))
	for _, pub := range keys {
		key, _ := store.Key(pub)
		sig := key.Sign(digest)
		if sig == (ledger.Signature{}) { // locked in the middle: the key is wiped
			return fault.WalletLocked("sign")
		}
		tx.Signatures = append(tx.Signatures, sig)
	}
	return nil
}

// chainOf gives the chain of the keys in store, which is the one that is signed
// for, if the daemon is of that chain too. Keys that belong to no chain yet are
// bound to the daemon's first, for ever.
func (w *Wallet) chainOf(store *keystore.Store) (ledger.ChainID, error) {
	own, told := store.ChainID(), w.daemon.Status().ChainID
	if own == (ledger.ChainID{}) && told != own {
		if err := store.Update(w.bindChain); err != nil {
			return own, fault.KeyFile("sign", err)
		}
		own = store.ChainID()
	}
	if own == told {
		return own, nil
	}
	if err := store.Public().CheckChain(told); err != nil {
		return own, &fault.Error{Code: fault.WrongChain, Op: "sign", Message: err.Error(), Err: err}
	}
	return own, nil
}

// built is a spend with its fee, checked, and the keys that sign it.
type built struct {
	spend    spend
	keys     []ledger.PublicKey
	missing  ledger.Needs // what the keys do not satisfy
	accepted bool         // somebody saw the review, and what changed of the recipient in it
}

// build completes a spend as the reference does.
func (w *Wallet) build(ctx context.Context, s spend) (built, error) {
	if err := w.setFees(ctx, s.ops); err != nil {
		return built{}, err
	}
	for _, op := range s.ops {
		if err := op.Validate(); err != nil { // the stateless checks
			return built{}, invalid(err)
		}
	}
	keys, missing, err := w.signers(ctx, s.ops)
	return built{spend: s, keys: keys, missing: missing}, err
}

// agreed builds a spend and asks whoever has to agree. What was agreed to is what is
// signed, but for its reference block and expiration. A transaction that is
// broadcast needs all its signatures; one that is not may lack some.
func (w *Wallet) agreed(ctx context.Context, how Sending, s spend) (built, error) {
	b, err := w.build(ctx, s)
	if err == nil && how.Broadcast && !b.missing.Empty() {
		err = w.missingFault(b.missing)
	}
	if err != nil || how.Agree == nil {
		return b, err
	}
	r, err := w.review(ctx, b)
	if err != nil {
		return b, err
	}
	b.accepted = true
	return b, how.Agree(ctx, r)
}

// stampAndSign makes a transaction of b: reference block, expiration, the
// signatures of the keys at hand. Nothing else signs a transaction.
func (w *Wallet) stampAndSign(ctx context.Context, b built) (*SignedInfo, error) {
	info := &SignedInfo{SignedTransaction: ledger.SignedTransaction{Transaction: ledger.Transaction{Operations: b.spend.ops}}}
	if err := w.stamp(ctx, info); err != nil {
		return nil, err
	}
	if err := w.check(ctx, b, info); err != nil {
		return nil, err
	}
	if err := w.sign(&info.SignedTransaction, b.keys); err != nil {
		return nil, err
	}
	return info, nil
}

// missingFault says whose authority the wallet's keys do not satisfy.
func (w *Wallet) missingFault(n ledger.Needs) *fault.Error {
	who := "another party"
	for _, list := range [][]ledger.AccountID{n.Active, n.Owner} {
		for _, id := range list {
			r := w.View.Accounts.Ref(id)
			who = r.Name + " " + id.String()
		}
	}
	return &fault.Error{Code: fault.MissingAuthority, Op: "sign", Message: "the keys in this wallet may not act for " + who, Hint: "import a key of that account; nothing was sent"}
}

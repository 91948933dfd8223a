package payment

import (
	"context"
	"slices"
	"sync"

	"billfold/ledger"
)

// notedSigners are the keys that the journal knows the wallet to have. A file that comes back from an earlier time knows keys that a
// key file from an even earlier one lacks: what they paid since counts as this wallet's, because it may have them again tomorrow.
type notedSigners struct {
	mu   sync.Mutex
	keys []ledger.PublicKey // as the vault returned them when they were last noted
}

// forget has the keys noted again.
func (n *notedSigners) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.keys = nil
}

// noteSigners records keys that the wallet has and the journal does not know. It is called before a payment is written, with each block, and
// when a program begins and ends.
func (p *Payments) noteSigners(ctx context.Context) error {
	if p.Journal == nil || p.shared() || p.compare.isLost() {
		return nil
	}
	keys := p.Vault.PublicKeys()
	p.noted.mu.Lock()
	defer p.noted.mu.Unlock()
	if slices.Equal(keys, p.noted.keys) {
		return nil
	}
	known, err := p.Journal.Signers(ctx)
	if err == nil {
		isKnown := func(key ledger.PublicKey) bool { return slices.Contains(known, key) }
		err = p.Journal.NoteSigners(slices.DeleteFunc(slices.Clone(keys), isKnown))
	}
	if err == nil {
		p.noted.keys = keys
	}
	return err
}

// tryNoteSigners is noteSigners for whoever tries again later.
func (p *Payments) tryNoteSigners(ctx context.Context) {
	if err := p.noteSigners(ctx); err != nil && ctx.Err() == nil { // a command that ends leaves it to the next program
		p.Logger.Warn("payments: the journal does not know the wallet's keys yet", "error", err)
	}
}

// ownKeys returns what reports whether a key is this wallet's, in its key file or known to the journal, and those that only the journal knows.
func (p *Payments) ownKeys(ctx context.Context) (own func(ledger.PublicKey) bool, missing []ledger.PublicKey, err error) {
	known, err := p.Journal.Signers(ctx)
	if err != nil {
		return nil, nil, unreadable("journal", err)
	}
	missing = slices.DeleteFunc(known, p.Vault.Holds)
	return func(key ledger.PublicKey) bool { return p.Vault.Holds(key) || slices.Contains(missing, key) }, missing, nil
}

// signers reports whether own keys signed a transaction, and whether other keys did.
func (p *Payments) signers(tx *ledger.SignedTransaction, own func(ledger.PublicKey) bool) (ours, others bool) {
	digest, err := tx.Digest(p.View.Pins.Chain())
	if err != nil {
		return false, false
	}
	for _, sig := range tx.Signatures {
		if key, err := ledger.RecoverKey(digest, sig); err == nil && own(key) {
			ours = true
		} else {
			others = true
		}
	}
	return ours, others
}

package postgres

import (
	"slices"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"

	"github.com/jackc/pgx/v5"
)

// A transaction that writes a payment authorized by a token holds this lock shared until the commit; one that changes
// tokens holds it alone. So what is read about a token under the lock stays true. It is not a row lock: shared row locks
// would let further sharers in before a waiting writer, and a token in constant use could never be revoked.
const (
	shareTokens     = `SELECT pg_advisory_xact_lock_shared(1652124780)`
	aloneWithTokens = `SELECT pg_advisory_xact_lock(1652124780)`
	readTokens      = `SELECT id, hash, scope FROM tokens WHERE id = ANY($1)`
)

// tokenUse describes what a batch does with tokens.
type tokenUse struct {
	ids     []string // tokens that authorize payments
	changes bool     // tokens are made or revoked
}

func tokensOf(batch []*commits.Change) (use tokenUse) {
	for _, c := range batch {
		for _, part := range c.Parts {
			if part.Proof != nil {
				use.ids = append(use.ids, part.Proof.Row.ID)
			}
			use.changes = use.changes || part.Tokens
		}
	}
	slices.Sort(use.ids)
	use.ids = slices.Compact(use.ids)
	return use
}

// ask locks the tokens and then reads them, in separate statements: a single one would read them as they were before the lock.
func (u tokenUse) ask(b *pgx.Batch) {
	switch {
	case u.changes:
		b.Queue(aloneWithTokens)
	case len(u.ids) > 0:
		b.Queue(shareTokens)
	}
	if len(u.ids) > 0 {
		b.Queue(readTokens, u.ids)
	}
}

func (u tokenUse) answer(results pgx.BatchResults) (map[string]store.TokenRow, error) {
	found := map[string]store.TokenRow{}
	if u.changes || len(u.ids) > 0 {
		if _, err := results.Exec(); err != nil {
			return nil, err
		}
	}
	if len(u.ids) == 0 {
		return found, nil
	}
	rows, err := results.Query()
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r store.TokenRow, err error) {
		return r, row.Scan(&r.ID, &r.Hash, &r.Scope)
	})
	for _, r := range list {
		found[r.ID] = r
	}
	return found, err
}

// refuseUnproven refuses the payments whose token is gone or has changed. They were written already and are deleted again.
func (t *transaction) refuseUnproven(batch []*commits.Change, found map[string]store.TokenRow) {
	for _, c := range batch {
		for _, part := range c.Parts {
			if c.Err != nil || part.Proof == nil {
				continue
			}
			var there *store.TokenRow
			if row, known := found[part.Proof.Row.ID]; known {
				there = &row
			}
			if !part.Proof.Holds(there, t.time) {
				c.Err = part.Proof.Refusal
				t.withdrawAdds(c)
			}
		}
	}
}

// withdrawAdds marks the new payments of a refused change for deletion.
func (t *transaction) withdrawAdds(c *commits.Change) {
	for _, part := range c.Parts {
		if part.Add != nil {
			t.withdraw = append(t.withdraw, part.Add.ID.String())
		}
	}
}

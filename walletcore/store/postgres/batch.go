package postgres

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"

	"github.com/jackc/pgx/v5"
)

// execute writes a batch; the caller commits it.
func (t *transaction) execute(batch []*commits.Change) error {
	for _, c := range batch {
		c.Err = nil
	}
	o := opening{adds: addsOf(batch), updates: updatesOf(batch), tokens: tokensOf(batch)}
	if err := t.openRound(&o); err != nil {
		return err
	}
	t.refuseUnproven(batch, o.found)
	if err := t.lockTokens(batch); err != nil {
		return err
	}
	for _, c := range batch {
		if err := t.apply(c); err != nil {
			return err
		}
	}
	if err := t.deleteWithdrawn(); err != nil {
		return err
	}
	for _, c := range batch {
		if err := t.applyLast(c); err != nil {
			return err
		}
	}
	return t.writeRecords()
}

// apply makes those parts of a change that are neither payments nor marked Last. If one is refused, the others are undone.
func (t *transaction) apply(c *commits.Change) error {
	var parts []store.Change
	for _, part := range c.Parts {
		if part.Add == nil && part.Update == nil && !part.Last {
			parts = append(parts, part)
		}
	}
	if c.Err != nil || len(parts) == 0 {
		return nil
	}
	if len(parts) > 1 {
		if _, err := t.Exec(`SAVEPOINT parts`); err != nil {
			return err
		}
	}
	for _, part := range parts {
		refusal, failure := part.Apply(t)
		if failure != nil {
			return failure
		}
		if c.Err = refusal; refusal != nil {
			break
		}
	}
	if c.Err == nil {
		return nil
	}
	t.withdrawAdds(c)
	if len(parts) > 1 {
		_, err := t.Exec(`ROLLBACK TO SAVEPOINT parts`)
		return err
	}
	return nil
}

func (t *transaction) applyLast(c *commits.Change) error {
	for _, part := range c.Parts {
		if c.Err != nil || !part.Last {
			continue
		}
		refusal, failure := part.Apply(t)
		if failure == nil {
			failure = refusal // Last promises that there is none
		}
		if failure != nil {
			return failure
		}
	}
	return nil
}

// deleteWithdrawn removes payments whose other parts were refused; nobody else has seen them.
func (t *transaction) deleteWithdrawn() error {
	if len(t.withdraw) == 0 {
		return nil
	}
	return t.w.raw(func(c *pgx.Conn) error {
		_, err := c.Exec(context.Background(), `DELETE FROM payments WHERE id = ANY($1)`, t.withdraw)
		return err
	})
}

// lockTokens locks the tokens that limits are counted against, in the same order on all servers.
func (t *transaction) lockTokens(batch []*commits.Change) error {
	tokens := map[string]bool{}
	for _, c := range batch {
		for _, part := range c.Parts {
			if c.Err == nil && part.Token != "" {
				tokens[part.Token] = true
			}
		}
	}
	for _, token := range slices.Sorted(maps.Keys(tokens)) {
		if err := t.LockToken(token); err != nil {
			return err
		}
	}
	return nil
}

// addsOf returns the new payments of a batch in an order that all servers share: two that write the same keys must not deadlock.
func addsOf(batch []*commits.Change) (adds []add) {
	for _, c := range batch {
		for _, part := range c.Parts {
			if part.Add != nil {
				adds = append(adds, add{c, part.Add})
			}
		}
	}
	slices.SortStableFunc(adds, func(a, b add) int {
		return cmp.Or(cmp.Compare(a.entry.Key, b.entry.Key), slices.Compare(a.entry.ID[:], b.entry.ID[:]))
	})
	return adds
}

// updatesOf returns the new states ordered by payment; those of one payment stay in the order of the batch.
func updatesOf(batch []*commits.Change) (updates []update) {
	for _, c := range batch {
		for _, part := range c.Parts {
			for i := range part.Update {
				updates = append(updates, update{c, &part.Update[i]})
			}
		}
	}
	slices.SortStableFunc(updates, func(a, b update) int { return slices.Compare(a.entry.ID[:], b.entry.ID[:]) })
	return updates
}

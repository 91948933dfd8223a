package postgres

import (
	"context"
	"errors"

	"billfold/walletcore/store"
)

// Claim is Journal.ClaimFound on the store at address. It does not insist on a standby: what a failover loses of it is asked for again.
func (o Options) Claim(ctx context.Context, address string, try bool, claims ...store.Claim) error {
	kept, err := o.OpenAside(ctx, address)
	if err != nil {
		return err
	}
	return errors.Join(kept.Journal.ClaimFound(ctx, try, claims...), kept.Close())
}

// Unclaim is Journal.UnclaimFound on the store at address.
func (o Options) Unclaim(ctx context.Context, address, key, id string, answered bool) (found string, err error) {
	kept, err := o.OpenAside(ctx, address)
	if err != nil {
		return "", err
	}
	found, err = kept.Journal.UnclaimFound(ctx, key, id, answered)
	return found, errors.Join(err, kept.Close())
}

// Claimed has new payments compared again after a claim was taken back.
func (d *adminStore) Claimed(tx store.Tx, undone bool) error {
	if !undone {
		return nil
	}
	_, err := tx.Exec(`UPDATE store_meta SET generation = generation + 1`)
	return err
}

// NoteAnswered records that a request under the key of a claimed payment is answered with it: from then on the claim stays.
func (f *file) NoteAnswered(ctx context.Context, id string) error {
	return f.Write(ctx, store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		done, failure := tx.Exec(`UPDATE payments SET origin = 3 WHERE id = ? AND origin IN (2, 3)`, id)
		if failure != nil {
			return nil, failure
		}
		if n, failure := done.RowsAffected(); n == 0 || failure != nil {
			return store.ErrNotClaimed, failure
		}
		return nil, nil
	}})
}

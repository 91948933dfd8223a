package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"billfold/walletcore/store"
)

// Forget takes a server that is gone for good, given by its name or the beginning of its id, off the list, together with the changes that
// with returns for it. What it had confirmed stays in the store, which is compared with it and lists it again if it ever comes back.
// It refuses a server that may be alive, that has open payments or that a hold waits for.
func (o Options) Forget(ctx context.Context, address, name string, with func(*store.Store, Server) store.Change) (one Server, err error) {
	at, err := o.Status(ctx, address)
	if err != nil {
		return one, err
	}
	if one, err = at.find(name); err != nil {
		return one, err
	}
	if err := at.forgettable(one); err != nil {
		return one, err
	}
	l, err := o.openReadOnly(ctx, address, strictIdle)
	if err != nil {
		return one, err
	}
	desk := &adminStore{l}
	kept := store.New(desk)
	forget := store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		done, failure := tx.Exec(`UPDATE servers SET started_at = 0, epoch = epoch + 1, expires_at = LEAST(expires_at, 0)
			WHERE id = ? AND started_at > 0 AND `+leaseOver+` AND NOT EXISTS (SELECT 1 FROM held_for WHERE server = servers.id)
			AND NOT EXISTS (SELECT 1 FROM payments WHERE owner = servers.id AND `+openPayments+`)`, one.ID)
		if failure != nil {
			return nil, failure
		}
		if n, failure := done.RowsAffected(); n == 0 || failure != nil {
			return errMeanwhile, failure
		}
		return nil, nil
	}}
	return one, errors.Join(desk.Write(ctx, forget, with(kept, one)), kept.Close())
}

var errMeanwhile = errors.New("the server came back meanwhile, or was forgotten; nothing was changed")

// find returns the listed server with that name, or whose id begins so.
func (s *Status) find(name string) (one Server, err error) {
	found := 0
	for _, v := range s.Servers {
		if v.Name == name || len(name) >= 8 && strings.HasPrefix(v.ID, name) {
			one, found = v, found+1
		}
	}
	switch found {
	case 0:
		return one, fmt.Errorf("there is no server %q; billfold servers lists them", name)
	case 1:
		return one, nil
	}
	return one, fmt.Errorf("%d servers are called %q; give the id instead, as billfold servers --json lists it", found, name)
}

// forgettable returns why a server cannot be forgotten now.
func (s *Status) forgettable(v Server) error {
	switch {
	case v.Alive:
		return fmt.Errorf("the server %s is alive; end it first", v.Name)
	case v.Unheard:
		return fmt.Errorf("nobody can know yet whether the server %s is alive: no server can have reported since the database stopped confirming, or came back", v.Name)
	case v.Open > 0:
		return fmt.Errorf("nobody has taken over the open payments of the server %s (%d); start another one with a daemon, which does it within seconds", v.Name, v.Open)
	case s.HeldWhy != "":
		return fmt.Errorf("the store is held, and may need what the server %s knows; billfold store status says how that ends", v.Name)
	}
	return nil
}

package ledgerview

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// Hold is an amount of an account that cannot be spent yet.
type Hold struct {
	ID     ledger.ObjectID // a vesting balance, or a purchase whose content was not delivered
	Asset  AssetRef
	Amount int64     // all of it, in smallest units
	Free   int64     // what may be withdrawn now
	Until  time.Time // when all of it may be withdrawn, or is returned if not delivered; zero if that depends on how long it is held
	Bought bool      // it pays for a purchase once the content is delivered
}

// Held lists what an account has on hold: its vesting balances, then its purchases that wait for delivery.
func (v *View) Held(ctx context.Context, id ledger.AccountID) ([]Hold, error) {
	list, err := v.Vesting.holds(ctx, id)
	if err != nil {
		return nil, err
	}
	open, err := buyings(v.Purchases.daemon.OpenBuyingsBy(ctx, id))
	if err != nil {
		return nil, err
	}
	for _, b := range open {
		if b.Consumer == id && b.Price.Amount > 0 && !b.Delivered && !b.Expired {
			list = append(list, Hold{ID: b.ID.Object(), Asset: AssetRef{ID: b.Price.AssetID}, Amount: b.Price.Amount,
				Until: b.ExpirationTime.Time(), Bought: true})
		}
	}
	var ids []ledger.AssetID
	for _, h := range list {
		ids = append(ids, h.Asset.ID)
	}
	names, err := v.Assets.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Asset = names[list[i].Asset.ID]
	}
	return list, nil
}

// holds lists the vesting balances of an account. Their assets have only an id.
func (s *Vesting) holds(ctx context.Context, id ledger.AccountID) ([]Hold, error) {
	found, err := s.daemon.VestingBalances(ctx, id)
	if err != nil || len(found) == 0 {
		return nil, daemonFault("reading vesting balances", err)
	}
	head, err := s.chain.Head(ctx)
	if err != nil {
		return nil, err
	}
	var list []Hold
	for _, raw := range found {
		var b ledger.VestingBalance
		if err := codec.Unmarshal(raw, &b); err != nil {
			return nil, fault.Daemon("reading a vesting balance", err)
		}
		free, err := b.Free(head.Time)
		if err != nil {
			return nil, fault.Daemon("reading a vesting balance", err)
		}
		if b.Owner != id || b.Balance.Amount <= 0 {
			continue
		}
		h := Hold{ID: b.ID.Object(), Asset: AssetRef{ID: b.Balance.AssetID}, Amount: b.Balance.Amount, Free: free}
		if p := b.Policy.Linear; p != nil {
			h.Until = p.BeginTimestamp.Time().Add(time.Duration(max(p.VestingDurationSeconds, p.VestingCliffSeconds)) * time.Second)
		}
		list = append(list, h)
	}
	return list, nil
}

// Permission describes what an account may withdraw from another.
type Permission struct {
	ID       ledger.WithdrawPermissionID
	From, To AccountRef
	Limit    Balance // in each period
	Left     int64   // of the limit, in this period
	Period   time.Duration
	Periods  int // the number of periods left, including this one
	Until    time.Time
}

// Permissions reads withdraw permissions. Those that have expired as of the head block, or do not exist, are left out.
func (v *View) Permissions(ctx context.Context, ids []ledger.ObjectID) ([]Permission, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	raws, err := v.Objects.Get(ctx, ids)
	if err != nil {
		return nil, err
	}
	head, err := v.Chain.Head(ctx)
	if err != nil {
		return nil, err
	}
	var found []ledger.WithdrawPermission
	var m Mentions
	for _, raw := range raws {
		var p ledger.WithdrawPermission
		if IsNull(raw) {
			continue
		}
		if err := codec.Unmarshal(raw, &p); err != nil {
			return nil, fault.Daemon("reading a withdraw permission", err)
		}
		if p.Expiration > head.Time {
			found = append(found, p)
			m.Accounts = append(m.Accounts, p.WithdrawFromAccount, p.AuthorizedAccount)
			m.Assets = append(m.Assets, p.WithdrawalLimit.AssetID)
		}
	}
	names, err := v.Namer(ctx, &m)
	if err != nil {
		return nil, err
	}
	out := make([]Permission, len(found))
	for i, p := range found {
		limit := Balance{Asset: names.Assets[p.WithdrawalLimit.AssetID], Amount: p.WithdrawalLimit.Amount}
		out[i] = Permission{ID: p.ID, From: v.Accounts.Ref(p.WithdrawFromAccount), To: v.Accounts.Ref(p.AuthorizedAccount), Limit: limit,
			Left: p.Available(head.Time), Period: time.Duration(p.WithdrawalPeriodSec) * time.Second,
			Periods: p.Periods(head.Time), Until: p.Expiration.Time()}
	}
	return out, nil
}

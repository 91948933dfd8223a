package historyindex

import (
	"context"
	"database/sql"
	"math/big"
	"strings"

	"billfold/ledger"
)

// Dealings sums up the payments between an account and another one.
type Dealings struct {
	Out, In uint64      // how many payments
	Last    ledger.Time // of the newest outgoing one; 0 = none
	Sums    []Sum
}

// maxDealings bounds the accounts in one statement.
const maxDealings = 500

// Dealings adds up the payments between an account and others, by the other account. Accounts
// without payments are missing.
func (x *Index) Dealings(
	ctx context.Context, account ledger.AccountID, with []ledger.AccountID,
) (map[ledger.AccountID]Dealings, error) {
	out := map[ledger.AccountID]Dealings{}
	err := x.reading(ctx, func(tx *sql.Tx) error {
		s, err := readStatus(tx, account)
		if err != nil || !s.Known() {
			return err
		}
		for len(with) > 0 {
			n := min(len(with), maxDealings)
			if err := dealings(tx, s, with[:n], out); err != nil {
				return err
			}
			with = with[n:]
		}
		return nil
	})
	return out, err
}

func dealings(tx *sql.Tx, s Status, with []ledger.AccountID, out map[ledger.AccountID]Dealings) error {
	args := []any{sumUnit, sumUnit, uint64(s.Account), s.Bottom, In, Out, none}
	for _, id := range with {
		args = append(args, uint64(id))
	}
	groups, err := tx.Query(`SELECT o.counterparty, o.direction, o.asset, COUNT(*), SUM(o.amount / ?), SUM(o.amount % ?), MAX(o.seq)
		FROM operations o WHERE o.account = ? AND o.seq >= ? AND o.direction IN (?, ?) AND o.asset <> ?
		AND o.counterparty IN (`+strings.Repeat(", ?", len(with))[2:]+`)
		GROUP BY o.counterparty, o.direction, o.asset ORDER BY o.counterparty, o.asset`, args...)
	if err != nil {
		return err
	}
	last := map[ledger.AccountID]uint64{}
	defer groups.Close()
	for groups.Next() {
		var with ledger.AccountID
		var asset, high, low int64
		var direction Direction
		var n, seq uint64
		if err := groups.Scan(&with, &direction, &asset, &n, &high, &low, &seq); err != nil {
			return err
		}
		d := out[with]
		d.add(ledger.AssetID(asset), direction, n, high, low)
		out[with] = d
		if direction == Out {
			last[with] = max(last[with], seq)
		}
	}
	if err := groups.Err(); err != nil {
		return err
	}
	return lastTimes(tx, s.Account, last, out)
}

func (d *Dealings) add(asset ledger.AssetID, direction Direction, n uint64, high, low int64) {
	if k := len(d.Sums); k == 0 || d.Sums[k-1].Asset != asset { // the groups are ordered by asset
		d.Sums = append(d.Sums, Sum{asset, new(big.Int), new(big.Int)})
	}
	moved := new(big.Int).Mul(big.NewInt(high), big.NewInt(sumUnit))
	moved.Add(moved, big.NewInt(low))
	sum := d.Sums[len(d.Sums)-1]
	if direction == Out {
		d.Out += n
		sum.Out.Add(sum.Out, moved)
		return
	}
	d.In += n
	sum.In.Add(sum.In, moved)
}

// lastTimes sets Last in out from the counts of the newest outgoing rows.
func lastTimes(tx *sql.Tx, account ledger.AccountID, last map[ledger.AccountID]uint64, out map[ledger.AccountID]Dealings) error {
	for with, seq := range last {
		d := out[with]
		err := tx.QueryRow(`SELECT time FROM operations WHERE account = ? AND seq = ?`, uint64(account), seq).Scan(&d.Last)
		if err != nil {
			return err
		}
		out[with] = d
	}
	return nil
}

// PaidAccounts returns the accounts that an account paid and whose stored name matches.
func (x *Index) PaidAccounts(
	ctx context.Context, account ledger.AccountID, match func(name string) bool,
) (map[ledger.AccountID]string, error) {
	out := map[ledger.AccountID]string{}
	err := x.reading(ctx, func(tx *sql.Tx) error {
		s, err := readStatus(tx, account)
		if err != nil || !s.Known() {
			return err
		}
		named, err := namesMatching(tx, match)
		if err != nil {
			return err
		}
		for id, name := range named {
			var paid bool
			if err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM operations
				WHERE account = ? AND counterparty = ? AND seq >= ? AND direction = ? AND asset <> ?)`,
				uint64(account), uint64(id), s.Bottom, Out, none).Scan(&paid); err != nil {
				return err
			}
			if paid {
				out[id] = name
			}
		}
		return nil
	})
	return out, err
}

// namesMatching returns the stored names of accounts that match.
func namesMatching(tx *sql.Tx, match func(name string) bool) (map[ledger.AccountID]string, error) {
	all, err := tx.Query(`SELECT id, name FROM account_names`)
	if err != nil {
		return nil, err
	}
	defer all.Close()
	out := map[ledger.AccountID]string{}
	for all.Next() {
		var id ledger.AccountID
		var name string
		if err := all.Scan(&id, &name); err != nil {
			return nil, err
		}
		if match(name) {
			out[id] = name
		}
	}
	return out, all.Err()
}

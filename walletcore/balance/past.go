package balance

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/historyindex"
)

// Index keeps the rows and the sums of hours.
type Index interface {
	Hours(ctx context.Context, account ledger.AccountID, from int64) (historyindex.Hours, error)
	AddHours(ctx context.Context, was, now historyindex.Run, sums []historyindex.Hour) error
	Span(ctx context.Context, account ledger.AccountID, low, high uint64, limit int, newest bool) (historyindex.Page, error)
}

// How many rows are read at once, and how many final ones may remain outside the sums.
const (
	rowsAtOnce  = 1000
	maxUnsummed = 100
)

// Past is the history of an account's balances.
type Past struct {
	Known bool      // anything is known at all
	Since time.Time // everything since then is known
	More  bool      // time ran out before all was read: ask again to continue
	moves map[ledger.AssetID][]move
}

// move is the change of a balance in an hour.
type move struct {
	hour int64
	net  *big.Int
}

// Read reads what happened since from, taking no longer than patience.
func Read(ctx context.Context, index Index, id ledger.AccountID, from time.Time, patience time.Duration) (Past, error) {
	p := Past{moves: map[ledger.AssetID][]move{}}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	unsummed, err := catchUp(limited, index, id, hourOf(from))
	if p.More = err != nil && limited.Err() != nil && ctx.Err() == nil; err != nil && !p.More {
		return p, err
	}
	h, err := index.Hours(ctx, id, hourOf(from))
	if err != nil || !h.Known() {
		return p, err
	}
	if p.More { // the newest rows are needed in any case
		var moved bool
		if unsummed, moved, err = sumNewer(ctx, index, h); err != nil || moved {
			return p, err
		}
	}
	p.Known, p.Since = true, from
	switch first, err := knownSince(ctx, index, h); {
	case err != nil:
		return p, err
	case first.After(from):
		p.Since = first
	}
	for _, s := range h.Sums {
		p.add(s.Asset, s.Hour, big.NewInt(s.Net))
	}
	for _, s := range unsummed {
		p.add(s.Asset, s.Hour, big.NewInt(s.Net))
	}
	for _, list := range p.moves {
		slices.SortFunc(list, func(a, b move) int { return cmp.Compare(a.hour, b.hour) })
	}
	return p, nil
}

// Levels returns the balances of an asset at the given times, oldest first, the last of which is now: amount is what is
// held now. Times before Since are left out, so there may be fewer levels than times. A time that is not a full hour
// counts as the one before.
func (p Past) Levels(asset ledger.AssetID, amount int64, at []time.Time) []int64 {
	var out []int64
	level, list := big.NewInt(amount), p.moves[asset]
	for i := len(at) - 1; i >= 0 && p.Known && !at[i].Before(p.Since); i-- {
		for i < len(at)-1 && len(list) > 0 && list[len(list)-1].hour >= hourOf(at[i]) {
			level.Sub(level, list[len(list)-1].net)
			list = list[:len(list)-1]
		}
		out = append(out, held(level))
	}
	slices.Reverse(out)
	return out
}

// held converts a balance to int64: never below zero, as it may be if rows and balance are of two blocks.
func held(n *big.Int) int64 {
	switch {
	case n.Sign() < 0:
		return 0
	case !n.IsInt64():
		return math.MaxInt64
	}
	return n.Int64()
}

func hourOf(t time.Time) int64 { return max(t.Unix(), 0) / 3600 }

// First returns the hour of the first operation that moved something; zero if none is known.
func (p Past) First() (first time.Time) {
	for _, list := range p.moves {
		if at := time.Unix(list[0].hour*3600, 0).UTC(); first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first
}

func (p *Past) add(asset ledger.AssetID, hour int64, net *big.Int) {
	p.moves[asset] = append(p.moves[asset], move{hour, net})
}

// knownSince returns since when everything is known: after the newest row that was not summed, or since the account exists.
func knownSince(ctx context.Context, index Index, h historyindex.Hours) (time.Time, error) {
	low := h.Top + 1
	if h.Run.Any() {
		low = h.Run.Low
	}
	for _, part := range []struct {
		low, high uint64
		newest    bool
	}{{h.Bottom, max(low, 1) - 1, true}, {low, h.Top, false}} {
		page, err := index.Span(ctx, h.Account, part.low, part.high, 1, part.newest)
		if err != nil || len(page.Rows) > 0 {
			return timeOf(page.Rows), err
		}
		if h.Whole {
			return time.Time{}, nil
		}
	}
	return h.HeadTime.Time(), nil
}

func timeOf(rows []historyindex.Row) time.Time {
	if len(rows) == 0 {
		return time.Time{}
	}
	return rows[0].Time.Time()
}

// catchUp sums the rows that became final, and older ones down to the hour from. It returns the effects of the rows
// that are not to be kept yet.
func catchUp(ctx context.Context, index Index, id ledger.AccountID, from int64) (unsummed []historyindex.Hour, err error) {
	for {
		h, err := index.Hours(ctx, id, from)
		if err != nil || !h.Known() || h.Top < h.Bottom {
			return nil, err
		}
		moved := false
		if unsummed, moved, err = sumNewer(ctx, index, h); err == nil && !moved {
			moved, err = sumOlder(ctx, index, h, from)
		}
		switch {
		case errors.Is(err, historyindex.ErrMoved): // somebody else summed them first
		case err != nil || !moved:
			return unsummed, err
		}
	}
}

// sumNewer sums the rows above the run if they are many and final; moved reports whether it did. Otherwise it returns
// their sums.
func sumNewer(ctx context.Context, index Index, h historyindex.Hours) (unsummed []historyindex.Hour, moved bool, err error) {
	low := max(h.Run.High+1, h.Bottom)
	if !h.Run.Any() {
		low = max(h.Top, rowsAtOnce) - rowsAtOnce + 1 // the newest first: older ones follow when they are asked for
		low = max(low, h.Bottom)
	}
	page, err := index.Span(ctx, h.Account, low, h.Top, rowsAtOnce, false)
	if err != nil {
		return nil, false, err
	}
	final := 0
	for final < len(page.Rows) && page.Rows[final].Final {
		final++
	}
	if final <= maxUnsummed && final < rowsAtOnce && (h.Run.Any() || final == 0) {
		t := newHourSums()
		if stuck := t.add(h.Account, page.Rows); stuck != nil {
			return nil, true, index.AddHours(ctx, h.Run, historyindex.Run{Account: h.Account, Low: stuck.Seq + 1, High: stuck.Seq,
				Stuck: true}, nil)
		}
		return t.hours(), false, nil
	}
	return nil, true, keepSums(ctx, index, h, page.Rows[:final])
}

// keepSums adds final rows to the kept sums. Whatever lies before a row that does not state what it moved is dropped.
func keepSums(ctx context.Context, index Index, h historyindex.Hours, rows []historyindex.Row) error {
	now := h.Run
	t := newHourSums()
	for stuck := t.add(h.Account, rows); stuck != nil; stuck = t.add(h.Account, rows) {
		t, now.Stuck, now.Low = newHourSums(), true, stuck.Seq+1
		rows = rows[stuck.Seq+1-rows[0].Seq:]
		now.High = stuck.Seq
	}
	if len(rows) > 0 {
		if !now.Any() {
			now.Low = rows[0].Seq
		}
		now.High = rows[len(rows)-1].Seq
	}
	return index.AddHours(ctx, h.Run, now, t.hours())
}

// sumOlder sums the rows below the run, down to the hour from; moved reports whether it did.
func sumOlder(ctx context.Context, index Index, h historyindex.Hours, from int64) (moved bool, err error) {
	if !h.Run.Any() || h.Run.Stuck || h.Run.Low <= h.Bottom {
		return false, nil
	}
	page, err := index.Span(ctx, h.Account, h.Bottom, h.Run.Low-1, rowsAtOnce, true)
	if err != nil || len(page.Rows) == 0 || hourOf(page.Rows[0].Time.Time()) < from {
		return false, err
	}
	t, now := newHourSums(), h.Run
	now.Low = page.Rows[len(page.Rows)-1].Seq
	if stuck := t.add(h.Account, page.Rows); stuck != nil {
		now.Stuck, now.Low = true, stuck.Seq+1
	}
	return true, index.AddHours(ctx, h.Run, now, t.hours())
}

// hourSums are the sums of what rows do, by hour and asset.
type hourSums map[int64]map[ledger.AssetID]*big.Int

func newHourSums() hourSums { return hourSums{} }

// add adds rows up to the first that does not state what it moved, which it returns.
func (t hourSums) add(id ledger.AccountID, rows []historyindex.Row) (stuck *historyindex.Row) {
	for i := range rows {
		var record ledger.HistoryRecord
		if err := codec.Unmarshal(rows[i].Raw, &record); err != nil {
			return &rows[i]
		}
		e, known := EffectOf(id, record.Op)
		if !known {
			return &rows[i]
		}
		hour := hourOf(rows[i].Time.Time())
		if t[hour] == nil {
			t[hour] = map[ledger.AssetID]*big.Int{}
		}
		for asset, n := range e.net() {
			if t[hour][asset] == nil {
				t[hour][asset] = new(big.Int)
			}
			t[hour][asset].Add(t[hour][asset], n)
		}
	}
	return nil
}

// hours returns the sums, oldest first. One that does not fit 64 bits cannot come from honest amounts; it counts as zero.
func (t hourSums) hours() (out []historyindex.Hour) {
	for hour, assets := range t {
		for asset, n := range assets {
			if n.IsInt64() && n.Sign() != 0 {
				out = append(out, historyindex.Hour{Hour: hour, Asset: asset, Net: n.Int64()})
			}
		}
	}
	slices.SortFunc(out, func(a, b historyindex.Hour) int {
		return cmp.Or(cmp.Compare(a.Hour, b.Hour), cmp.Compare(a.Asset, b.Asset))
	})
	return out
}

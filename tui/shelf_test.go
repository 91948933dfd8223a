package tui

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/history"
	historyexport "billfold/walletcore/history/export"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// shelf is a real wallet without a daemon, over a real history index in a file,
// which the test fills.
type shelf struct {
	t      testing.TB
	index  *historyindex.Index
	wallet *walletcore.Wallet
	first  uint64 // how many rows it had first
	top    uint64 // and has now
	blocks uint32 // how many blocks at the end are not final
}

var everybody = []ledgerview.AccountRef{alice, savings, carol, caro1, bob, merchant}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// shelve makes a wallet of alice with an index of so many rows.
func shelve(t testing.TB, rows uint64) *shelf {
	t.Helper()
	dir, chain := t.TempDir(), ledger.ChainID{0x47, 0x77}
	path := filepath.Join(dir, "wallet.keys")
	secrets := new(keystore.Secrets)
	_, err := secrets.AddKey(ledger.DeriveKey("golden screens", 0))
	must(t, err)
	_, err = keystore.Create(path, password, keystore.Public{ChainID: chain, Accounts: []keystore.Account{{ID: alice.ID, Name: alice.Name}}}, secrets,
		&keystore.Options{Params: keystore.Params{MemoryKiB: 64, Time: 1, Threads: 1}, AllowWeak: true})
	must(t, err)
	s := &shelf{t: t, first: rows, top: rows, blocks: 17}
	s.index, err = historyindex.Open(filepath.Join(dir, "history.db"))
	must(t, err)
	must(t, s.index.Bind(chain))
	t.Cleanup(func() { _ = s.index.Close() })
	s.wallet, err = walletcore.Open(walletcore.Config{Path: path, Daemon: daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"}), Index: s.index})
	must(t, err)
	names := historyindex.Names{Accounts: map[ledger.AccountID]string{}, Assets: map[ledger.AssetID]historyindex.Asset{
		0: {Symbol: "DCT", Precision: 8}, 14: {Symbol: "POINTS"}}}
	for _, a := range everybody {
		names.Accounts[a.ID] = a.Name
	}
	must(t, s.index.PutNames(context.Background(), names))
	if rows > 0 {
		s.fill(rows)
	}
	return s
}

// headOf is the block of the newest of so many rows.
const headOf = 18204508

// fill writes rows 1 … n, backward from the newest, in parts.
func (s *shelf) fill(n uint64) {
	const part = 5000
	ctx := context.Background()
	low := max(n, part) - part + 1
	must(s.t, s.index.Extend(ctx, historyindex.Standing{Account: alice.ID}, historyindex.Step{From: low, Rows: s.rows(low, n), Final: headOf - s.blocks, Head: headOf, HeadTime: ledger.TimeOf(start.Add(-48 * time.Second)), Total: n}))
	for {
		was, err := s.index.Standing(ctx, alice.ID)
		must(s.t, err)
		if was.Whole {
			return
		}
		must(s.t, s.index.Prepend(ctx, was, s.rows(max(was.Bottom, part+1)-part, was.Bottom-1), false))
	}
}

// arrive adds n newer rows, in the blocks behind the newest.
func (s *shelf) arrive(n uint64) {
	s.step(s.top+1, s.top+n)
}

// step writes the rows from first on anew, up to last.
func (s *shelf) step(first, last uint64) {
	s.t.Helper()
	ctx := context.Background()
	was, err := s.index.Standing(ctx, alice.ID)
	must(s.t, err)
	rows := s.rows(first, last)
	must(s.t, s.index.Extend(ctx, was, historyindex.Step{From: first, Rows: rows, Final: was.Final, Head: headOf + uint32(last), HeadTime: ledger.TimeOf(start), Total: last}))
	s.top = last
}

// rows are those of a shop: row n is the n-th operation of alice. The newest of
// the first filling is 48 s old, and each one before is 5 h older.
func (s *shelf) rows(first, last uint64) []historyindex.Row {
	out := make([]historyindex.Row, 0, last-first+1)
	for n := first; n <= last; n++ {
		out = append(out, s.row(n))
	}
	return out
}

func (s *shelf) row(n uint64) historyindex.Row {
	age := int64(s.first) - int64(n) // of the first filling; less than zero is newer
	with, asset := everybody[2+n*2654435761%4], dct
	direction := historyindex.Direction(1 + n%2)
	amount := int64(n*40503%100_000_000) * 1000
	if n%10 == 0 {
		asset, amount = points, int64(n%5000)+1
	}
	seconds := start.Unix() - 48 - age*s.spacing()
	r := historyindex.Row{Seq: n, ID: ledger.HistoryID(n * 7), Block: uint32(int64(headOf) - age*2), Time: ledger.Time(seconds),
		Direction: direction, With: &with.ID, Asset: &asset.ID, Amount: amount}
	from, to := alice.ID, with.ID
	if direction == historyindex.In {
		from, to = to, from
	}
	memo := ""
	if n%3 == 0 {
		r.Memo = historyindex.PlainMemo
		memo = fmt.Sprintf(`"memo":{"from":"DCT1111111111111111111111111111111114T1Anm","to":"DCT1111111111111111111111111111111114T1Anm","nonce":"0","message":"%x"},`, "\x00\x00\x00\x00"+fmt.Sprint("invoice ", n))
	}
	r.Raw = fmt.Appendf(nil, `{"id":"1.7.%d","op":[0,{"fee":{"amount":500000,"asset_id":"1.3.0"},"from":"%s","to":"%s","amount":{"amount":%d,"asset_id":"%s"},%s"extensions":[]}],"result":[0,{}],"block_num":%d,"trx_in_block":0,"op_in_trx":0,"virtual_op":0}`,
		r.ID, from, to, amount, asset.ID, memo, r.Block)
	return r
}

// spacing is how many seconds lie between two rows: few enough that the first
// one is not older than the ledger.
func (s *shelf) spacing() int64 { return min(5*3600, 300_000_000/int64(max(s.first, 1))+1) }

// onShelf is the wallet on paper with the history of a shelf.
func onShelf(s *shelf) *paper {
	p := sample()
	p.shelf = s.wallet
	return p
}

// The history of a wallet on paper comes from its shelf, if it has one.

func (p *paper) Progress(ctx context.Context, id ledger.AccountID) (history.Progress, error) {
	if p.shelf == nil || p.shelfErr != nil {
		return history.Progress{}, p.shelfErr
	}
	return p.shelf.History.Progress(ctx, id)
}

func (p *paper) Find(ctx context.Context, id ledger.AccountID, words string, now time.Time) (historyindex.Filter, error) {
	return p.shelf.Filter.Find(ctx, id, words, now)
}

func (p *paper) Page(ctx context.Context, id ledger.AccountID, f historyindex.Filter, win historyindex.Window) ([]history.Entry, error) {
	return p.shelf.History.Page(ctx, id, f, win)
}

func (p *paper) Count(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (uint64, error) {
	return p.shelf.History.Count(ctx, id, f)
}

func (p *paper) Totals(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (history.Totals, error) {
	time.Sleep(p.slowTally)
	return p.shelf.History.Totals(ctx, id, f)
}

func (p *paper) Position(ctx context.Context, id ledger.AccountID, f historyindex.Filter, row ledger.HistoryID) (uint64, error) {
	return p.shelf.History.Position(ctx, id, f, row)
}

func (p *paper) Jump(ctx context.Context, id ledger.AccountID, f historyindex.Filter, at ledger.Time) (historyindex.Place, bool, error) {
	return p.shelf.History.Jump(ctx, id, f, at)
}

func (p *paper) Export(ctx context.Context, id ledger.AccountID, e historyexport.Request, told func(uint64)) (uint64, error) {
	time.Sleep(p.slowExport)
	return historyexport.New(p.shelf.History).Export(ctx, id, e, told)
}

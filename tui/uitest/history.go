package uitest

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
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// History is a real wallet without a daemon, over a real history index in a file,
// which the test fills.
type History struct {
	Index *historyindex.Index
	First uint64 // how many rows it had first
	Top   uint64 // and has now

	t      testing.TB
	wallet *walletcore.Wallet
	blocks uint32 // how many blocks at the end are not final
}

var everybody = []ledgerview.AccountRef{Alice, Savings, Carol, Caro1, Bob, Merchant}

// Must ends the test at an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// NewHistory makes a wallet of alice with an index of so many rows.
func NewHistory(t testing.TB, rows uint64) *History {
	t.Helper()
	dir, chain := t.TempDir(), ledger.ChainID{0x47, 0x77}
	path := filepath.Join(dir, "wallet.keys")
	secrets := new(keystore.Secrets)
	_, err := secrets.AddKey(ledger.DeriveKey("golden screens", 0))
	Must(t, err)
	_, err = keystore.Create(
		path,
		Password,
		keystore.Public{ChainID: chain, Accounts: []keystore.Account{{ID: Alice.ID, Name: Alice.Name}}},
		secrets,
		&keystore.Options{Params: keystore.Params{MemoryKiB: 64, Time: 1, Threads: 1}, AllowWeak: true},
	)
	Must(t, err)
	s := &History{t: t, First: rows, Top: rows, blocks: 17}
	s.Index, err = historyindex.Open(filepath.Join(dir, "history.db"))
	Must(t, err)
	Must(t, s.Index.Bind(chain))
	t.Cleanup(func() { _ = s.Index.Close() })
	s.wallet, err = walletcore.Open(
		walletcore.Config{Path: path, Daemon: daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"}), Index: s.Index},
	)
	Must(t, err)
	names := historyindex.Names{Accounts: map[ledger.AccountID]string{}, Assets: map[ledger.AssetID]historyindex.Asset{
		0: {Symbol: "DCT", Precision: 8}, 3: {Symbol: "POINTS"}}}
	for _, a := range everybody {
		names.Accounts[a.ID] = a.Name
	}
	Must(t, s.Index.PutNames(context.Background(), names))
	if rows > 0 {
		s.Fill(rows)
	}
	return s
}

// HeadOf is the block of the newest of so many rows.
const HeadOf = 18204508

// Fill writes rows 1 … n, backward from the newest, in parts.
func (s *History) Fill(n uint64) {
	const part = 5000
	ctx := context.Background()
	low := max(n, part) - part + 1
	Must(
		s.t,
		s.Index.Extend(
			ctx,
			historyindex.Status{Account: Alice.ID},
			historyindex.Batch{
				From:     low,
				Rows:     s.Rows(low, n),
				Final:    HeadOf - s.blocks,
				Head:     HeadOf,
				HeadTime: ledger.TimeOf(Start.Add(-48 * time.Second)),
				Total:    n,
			},
		),
	)
	for {
		was, err := s.Index.Status(ctx, Alice.ID)
		Must(s.t, err)
		if was.Whole {
			return
		}
		Must(s.t, s.Index.Prepend(ctx, was, s.Rows(max(was.Bottom, part+1)-part, was.Bottom-1), false))
	}
}

// Arrive adds n newer rows, in the blocks behind the newest.
func (s *History) Arrive(n uint64) {
	s.Extend(s.Top+1, s.Top+n)
}

// Extend writes the rows from first on again, up to last.
func (s *History) Extend(first, last uint64) {
	s.t.Helper()
	ctx := context.Background()
	was, err := s.Index.Status(ctx, Alice.ID)
	Must(s.t, err)
	rows := s.Rows(first, last)
	Must(
		s.t,
		s.Index.Extend(
			ctx,
			was,
			historyindex.Batch{
				From:     first,
				Rows:     rows,
				Final:    was.Final,
				Head:     HeadOf + uint32(last),
				HeadTime: ledger.TimeOf(Start),
				Total:    last,
			},
		),
	)
	s.Top = last
}

// Rows are those of a shop: row n is the n-th operation of alice. The newest of
// the first filling is 48 s old, and each one before is 5 h older.
func (s *History) Rows(first, last uint64) []historyindex.Row {
	out := make([]historyindex.Row, 0, last-first+1)
	for n := first; n <= last; n++ {
		out = append(out, s.row(n))
	}
	return out
}

func (s *History) row(n uint64) historyindex.Row {
	age := int64(s.First) - int64(n) // of the first filling; less than zero is newer
	with, asset := everybody[2+n*2654435761%4], DCT
	direction := historyindex.Direction(1 + n%2)
	amount := int64(n*40503%100_000_000) * 1000
	if n%10 == 0 {
		asset, amount = Points, int64(n%5000)+1
	}
	seconds := Start.Unix() - 48 - age*s.spacing()
	r := historyindex.Row{Seq: n, ID: ledger.HistoryID(n * 7), Block: uint32(int64(HeadOf) - age*2), Time: ledger.Time(seconds),
		Direction: direction, With: &with.ID, Asset: &asset.ID, Amount: amount}
	from, to := Alice.ID, with.ID
	if direction == historyindex.In {
		from, to = to, from
	}
	memo := ""
	if n%3 == 0 {
		r.Memo = historyindex.PlainMemo
		memo = fmt.Sprintf(
			`"memo":{"from":"DCT1111111111111111111111111111111114T1Anm",`+
				`"to":"DCT1111111111111111111111111111111114T1Anm","nonce":"0","message":"%x"},`,
			"\x00\x00\x00\x00"+fmt.Sprint("invoice ", n),
		)
	}
	r.Raw = fmt.Appendf(
		nil,
		`{"id":"1.7.%d","op":[0,{"fee":{"amount":500000,"asset_id":"1.3.0"},"from":"%s","to":"%s",`+
			`"amount":{"amount":%d,"asset_id":"%s"},%s"extensions":[]}],"result":[0,{}],`+
			`"block_num":%d,"trx_in_block":0,"op_in_trx":0,"virtual_op":0}`,
		r.ID,
		from,
		to,
		amount,
		asset.ID,
		memo,
		r.Block,
	)
	return r
}

// spacing is how many seconds lie between two rows: few enough that the first
// one is not older than the ledger.
func (s *History) spacing() int64 { return min(5*3600, 300_000_000/int64(max(s.First, 1))+1) }

// WithHistory returns a fake wallet with the given history.
func WithHistory(s *History) *FakeWallet {
	p := Drawn()
	p.Index = s.wallet
	return p
}

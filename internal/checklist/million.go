package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/historyindex"
)

// many is how many rows the long history has. No ledger makes so many in the time of a check, so they are written into the index.
const many = 1_000_000

// others are the other sides of those rows.
func others() map[ledger.AccountID]string {
	return map[ledger.AccountID]string{18: "carol", 90: "caro1", 21: "bob-trade", 19: "merchant-7"}
}

// million returns the folder of a wallet of alice with that history; it is made once for all sizes.
func (t *terminal) million() string {
	k := t.kit
	if k.million != "" || t.err != nil {
		return k.million
	}
	dir := filepath.Join(t.home, "million")
	if err := longHistory(dir); err != nil {
		t.fail("making a long history: %v", err)
		return ""
	}
	k.million = dir
	return dir
}

func longHistory(dir string) error {
	chain, alice := ledger.ChainID{0x47, 0x77}, ledger.AccountID(16)
	public := keystore.Public{ChainID: chain, Accounts: []keystore.Account{{ID: alice, Name: "alice"}}}
	cheap := &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true} // it holds nothing
	if _, err := keystore.Create(filepath.Join(dir, "wallet.keys"), password, public, new(keystore.Secrets), cheap); err != nil {
		return err
	}
	index, err := historyindex.Open(filepath.Join(dir, "history.db"))
	if err != nil {
		return err
	}
	if err = index.Bind(chain); err == nil {
		err = fillIndex(index, alice)
	}
	if err != nil {
		return fmt.Errorf("%w (%v)", err, index.Close())
	}
	return index.Close()
}

// fillIndex writes the rows backward from the newest, in parts.
func fillIndex(index *historyindex.Index, alice ledger.AccountID) error {
	const part, head = 5000, 18_000_000
	ctx, now := context.Background(), ledger.TimeOf(time.Now())
	names := historyindex.Names{Accounts: map[ledger.AccountID]string{alice: "alice"},
		Assets: map[ledger.AssetID]historyindex.Asset{0: {Symbol: "DCT", Precision: 8}}}
	for id, name := range others() {
		names.Accounts[id] = name
	}
	if err := index.PutNames(ctx, names); err != nil {
		return err
	}
	rows := func(first, last uint64) (out []historyindex.Row) {
		for n := first; n <= last; n++ {
			out = append(out, longRow(n, alice, head-uint32(many-n)*2, now-ledger.Time(many-n)*301))
		}
		return out
	}
	err := index.Extend(ctx, historyindex.Status{Account: alice}, historyindex.Batch{From: many - part + 1,
		Rows: rows(many-part+1, many), Final: head, Head: head, HeadTime: now, Total: many})
	for err == nil {
		var was historyindex.Status
		if was, err = index.Status(ctx, alice); err != nil || was.Whole {
			return err
		}
		err = index.Prepend(ctx, was, rows(was.Bottom-part, was.Bottom-1), false)
	}
	return err
}

// longRow is a payment: each second one comes in, each fourth is of the same other side.
func longRow(n uint64, alice ledger.AccountID, block uint32, at ledger.Time) historyindex.Row {
	with := []ledger.AccountID{18, 90, 21, 19}[n*2654435761%4]
	from, to, way := alice, with, historyindex.Out
	if n%2 == 0 {
		from, to, way = with, alice, historyindex.In
	}
	asset := ledger.AssetID(0)
	r := historyindex.Row{Seq: n, ID: ledger.HistoryID(n * 7), Block: block, Time: at, Direction: way, With: &with, Asset: &asset,
		Amount: int64(n%977+1) * 1_234_567}
	r.Raw = fmt.Appendf(nil, `{"id":"1.7.%d","op":[0,{"fee":{"amount":100000,"asset_id":"1.3.0"},"from":"%s","to":"%s",`+
		`"amount":{"amount":%d,"asset_id":"1.3.0"},"extensions":[]}],"result":[0,{}],`+
		`"block_num":%d,"trx_in_block":0,"op_in_trx":0,"virtual_op":0}`, r.ID, from, to, r.Amount, block)
	return r
}

// longList goes through a million rows, without a node. How long a key takes, make bench measures.
func longList(t *terminal) {
	t.start("", "--data-dir="+t.million(), "--daemon-url=ws://127.0.0.1:1")
	t.wait(`Password`)
	t.text(password)
	t.keys("Enter")
	t.wait(`Recent activity`)
	t.keys("2")
	t.wait(`row 1 of 1,000,000`)
	t.keys("G")
	t.wait(`row 1,000,000 of 1,000,000`)
	t.wait(`1\.7\.7 `)
	t.framed()
	t.shot("end")
	t.keys("g")
	t.wait(`row 1 of 1,000,000`)
	t.wait(`1\.7\.7000000 `)
	t.keys("t")
	t.text(time.Now().UTC().AddDate(-3, 0, 0).Format(time.DateOnly))
	t.keys("Enter")
	t.wait(`row 31\d,\d{3} of 1,000,000`)
	t.shot("date")
	t.keys("/")
	t.text("with:carol")
	t.wait(`250,000 of 1,000,000 rows`)
	t.keys("Enter")
	t.wait(`row [\d,]+ of 250,000`)
	t.framed()
	t.shot("filter")
}

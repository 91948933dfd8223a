package history_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// many is the number of rows in the history of the benchmark: more than a sandbox makes in the
// time of a test, so they are written into the index.
const many = 1_000_000

// million opens an unlocked wallet of alice without a daemon, with that history in its index.
func million(b *testing.B) tui.Core {
	b.Helper()
	dir := millionFolder(b, 1, cheapKeys())
	index, err := historyindex.Open(filepath.Join(dir, "history.db"))
	uitest.Must(b, err)
	b.Cleanup(func() { _ = index.Close() })
	wallet, err := walletcore.Open(walletcore.Config{Path: filepath.Join(dir, "wallet.keys"), Index: index, Keystore: cheapKeys(),
		Daemon: daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"})})
	uitest.Must(b, err)
	uitest.Must(b, wallet.Vault.Unlock(b.Context(), uitest.Password))
	return tui.CoreOf(wallet)
}

func cheapKeys() *keystore.Options {
	return &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true}
}

// TestLongHistoryForTheCheckList leaves a wallet with that history where the check list of the UI asks for it.
func TestLongHistoryForTheCheckList(t *testing.T) {
	dir := os.Getenv("MILLION")
	if dir == "" {
		t.Skip("make checklist runs it")
	}
	fillFolder(t, dir, 1, cheapKeys())
}

// millionFolder makes the folder of a wallet with that history of alice, and some more accounts.
func millionFolder(t testing.TB, accounts int, keys *keystore.Options) string {
	t.Helper()
	dir := t.TempDir()
	fillFolder(t, dir, accounts, keys)
	return dir
}

func fillFolder(t testing.TB, dir string, accounts int, keys *keystore.Options) {
	t.Helper()
	chain := ledger.ChainID{0x47, 0x77}
	list := []keystore.Account{{ID: uitest.Alice.ID, Name: uitest.Alice.Name}}
	for i := range accounts - 1 {
		list = append(list, keystore.Account{ID: ledger.AccountID(5000 + i), Name: fmt.Sprintf("savings-%03d", i)})
	}
	_, err := keystore.Create(filepath.Join(dir, "wallet.keys"), uitest.Password, keystore.Public{ChainID: chain, Accounts: list},
		new(keystore.Secrets), keys)
	uitest.Must(t, err)
	index, err := historyindex.Open(filepath.Join(dir, "history.db"))
	uitest.Must(t, err)
	uitest.Must(t, index.Bind(chain))
	nameAll(t, index)
	fill(t, index)
	uitest.Must(t, index.Close())
}

func nameAll(b testing.TB, index *historyindex.Index) {
	names := historyindex.Names{Accounts: map[ledger.AccountID]string{}, Assets: map[ledger.AssetID]historyindex.Asset{}}
	for _, a := range []ledgerview.AccountRef{uitest.Alice, uitest.Carol, uitest.Caro1, uitest.Bob, uitest.Merchant} {
		names.Accounts[a.ID] = a.Name
	}
	for _, a := range []ledgerview.AssetRef{uitest.DCT, uitest.Points} {
		names.Assets[a.ID] = historyindex.Asset{Symbol: a.Symbol, Precision: a.Precision}
	}
	uitest.Must(b, index.PutNames(context.Background(), names))
}

// headOf is the block of the newest row.
const headOf = 18204508

// fill writes the rows backward from the newest, in parts.
func fill(b testing.TB, index *historyindex.Index) {
	const part = 5000
	ctx, id := context.Background(), uitest.Alice.ID
	uitest.Must(b, index.Extend(ctx, historyindex.Status{Account: id}, historyindex.Batch{From: many - part + 1,
		Rows: indexed(many-part+1, many), Final: headOf - 17, Head: headOf, HeadTime: ledger.TimeOf(uitest.Start), Total: many}))
	for {
		was, err := index.Status(ctx, id)
		uitest.Must(b, err)
		if was.Whole {
			return
		}
		uitest.Must(b, index.Prepend(ctx, was, indexed(max(was.Bottom, part+1)-part, was.Bottom-1), false))
	}
}

// indexed are rows of the shop as the index keeps them.
func indexed(first, last uint64) []historyindex.Row {
	rows := make([]historyindex.Row, 0, last-first+1)
	for n := first; n <= last; n++ {
		rows = append(rows, indexedRow(n))
	}
	return rows
}

func indexedRow(n uint64) historyindex.Row {
	t := row(int(n))
	age := int64(many - n)
	r := historyindex.Row{Seq: n, ID: ledger.HistoryID(n * 7), Block: uint32(headOf - age*2),
		Time: ledger.TimeOf(uitest.Start) - ledger.Time(48+age*301), Direction: historyindex.Out, With: &t.To.ID,
		Asset: &t.Asset.ID, Amount: t.Amount}
	if isIn(int(n)) {
		r.Direction, r.With = historyindex.In, &t.From.ID
	}
	memo := ""
	if hasMemo(int(n)) {
		r.Memo = historyindex.PlainMemo
		memo = fmt.Sprintf(`"memo":{"from":"DCT1111111111111111111111111111111114T1Anm",`+
			`"to":"DCT1111111111111111111111111111111114T1Anm","nonce":"0","message":"%x"},`, "\x00\x00\x00\x00"+fmt.Sprint("invoice ", n))
	}
	r.Raw = fmt.Appendf(nil, `{"id":"1.7.%d","op":[0,{"fee":{"amount":500000,"asset_id":"1.3.0"},"from":"%s","to":"%s",`+
		`"amount":{"amount":%d,"asset_id":"%s"},%s"extensions":[]}],"result":[0,{}],`+
		`"block_num":%d,"trx_in_block":0,"op_in_trx":0,"virtual_op":0}`, r.ID, t.From.ID, t.To.ID, t.Amount, t.Asset.ID, memo, r.Block)
	return r
}

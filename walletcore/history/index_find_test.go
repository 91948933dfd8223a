package history_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/testwallet"
)

// found returns how many rows of alice match the words.
func (s *historyFixture) found(words string) uint64 {
	s.T.Helper()
	f, err := s.Filter.Find(s.Ctx, 16, words, time.Now())
	if err != nil {
		s.T.Errorf("%q: %v", words, err)
	}
	n, err := s.History.Count(s.Ctx, 16, f)
	testwallet.Must(s.T, err)
	return n
}

func TestFilterWordsFindRows(t *testing.T) {
	s := openFixture(t, "alice")
	s.push(100) // 0.00000001 … 0.00000100 to bobby
	s.Pay("alice", "carol", "2.5", "rent")
	_, err := s.Box.PushUnsigned(
		ledger.NewOperation(&ledger.TransferObsoleteOp{From: 18, To: 16, Amount: ledger.AssetAmount{Amount: 1_0000_0000}}))
	testwallet.Must(t, err)
	for range 6 {
		s.block()
	}
	s.push(7)
	s.Pay("alice", "bobby", "12", "last one")
	s.block()
	s.catchUp()
	_, err = s.Box.PushUnsigned(ledger.NewOperation(&ledger.AssetCreateOp{Issuer: 17, Symbol: "GOLDX", Precision: 4, IsExchangeable: true,
		Options: ledger.AssetOptions{MaxSupply: 1_000_0000, IsExchangeable: true, CoreExchangeRate: ledger.Price{
			Base: ledger.AssetAmount{
				Amount: 100000000,
			}, Quote: ledger.AssetAmount{Amount: 5000, AssetID: 1}},
			Extensions: []ledger.AssetExtension{{FixedSupply: &ledger.FixedSupply{}}}}}))
	testwallet.Must(t, err)
	s.block() // creates an asset that is in no row of alice
	s.catchUp()
	day := time.Now().UTC().Format(time.DateOnly)
	page, err := s.History.Page(s.Ctx, 16, historyindex.Filter{}, historyindex.Window{Limit: 1})
	testwallet.Must(t, err)
	newest, id := page[0], page[0].ID.String()
	with, whole, err := s.History.Dealings(s.Ctx, 16, []ledger.AccountID{17, 18, 19})
	testwallet.Must(t, err)
	b, c := with[17], with[18]
	if !whole || len(with) != 2 || b.Out != 108 || b.In != 0 || b.Last != newest.Time || c.Out != 1 || c.In != 1 ||
		c.Sums[0].Out.Int64() != 2_5000_0000 || c.Sums[0].In.Int64() != 1_0000_0000 || c.Sums[0].Asset.Symbol != "DCT" {
		t.Errorf("%v: %+v", whole, with)
	}
	for words, want := range map[string]uint64{
		"": 110, "with:bobby": 108, "with:bob*": 108, "bobb": 108, "with:1.2.17": 108, "with:carol,bobby": 110,
		"with:carol or with:bobby dir:in": 1, "with:bobby or (with:carol dir:in)": 109, "-with:bobby": 2, "not (with:bobby or dir:in)": 1,
		"from:carol": 1, "from:alice": 109, "to:alice": 1, "to:carol": 1, "from:alice to:bobby": 108,
		"type:transfer": 110, "type:account-update": 0, "type:any": 110, "-type:transfer": 0, "transfer": 110, "type:account-create,transfer": 110,
		"with:dave-shop": 0, "-with:dave-shop": 110, "asset:goldx": 0, "asset:dct": 110, "DCT": 110, "amount>1": 2, "amount>=1": 3, "min:1 max:2.5": 2, "amount:1..2.5": 2, "amount:2.5": 1, "amount<0.00000002": 2,
		"amount<=0.000000029": 4, "amount:0.000000011": 0, "max:0": 0, "amount>99999999999999999999": 0, "max:99999999999999999999": 110,
		"dir:in": 1, "dir:out": 109, "dir:self": 0, "memo:enc": 2, "memo:none": 108, "memo:plain": 0,
		"since:1h": 110, "until:1h": 0, "on:" + day: 110, "since:2099-01-01": 0, "until:" + day: 110, "since:today": 110, "on:month": 110, "until:yesterday": 0, "since:year": 110, "on:2001-02": 0,
		"memo:rent": 1, "RENT": 1, "memo:last": 1, `"last one"`: 1, "memo:none -rent": 108, "memo:Rend": 0,
		"state:final": 102, "state:pending": 8, fmt.Sprint("block:", newest.Block): 8, "id:" + id: 1, id: 1, "id:" + id + "*": 1,
		"nowhere": 0, `"bob"`: 108, `-"bob"`: 2, "with:bobby and dir:out": 108,
	} {
		if got := s.found(words); got != want {
			t.Errorf("%q finds %d rows, want %d", words, got, want)
		}
	}
}

// A payment that this wallet made is found by the first digits of its transaction id.
func TestTransactionIsFoundByItsID(t *testing.T) {
	x, err := historyindex.Open(filepath.Join(testwallet.Folder(t), "history.db"))
	testwallet.Must(t, err)
	box := testwallet.Ledger(t, sandbox.Options{})
	s := testwallet.Connect(t, filepath.Join(testwallet.Folder(t), "wallet.keys"), box.URL(), func(c *walletcore.Config) { c.Index = x })
	t.Cleanup(func() { _ = x.Close() }) // after the wallet ran
	s.Box = box
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	s.Hold("alice")
	s.Mine()
	s.Pay("alice", "bobby", "1", "")
	id, err := s.Pay("alice", "bobby", "2", "").ID()
	testwallet.Must(t, err)
	s.Mine()
	s.Until("the payment in a block, and in the index", func() bool {
		p, err := s.History.Progress(s.Ctx, 16)
		testwallet.Must(t, err)
		return s.Payment(id).Block != 0 && p.Rows == 2
	})
	f, err := s.Filter.Find(s.Ctx, 16, "tx:"+strings.ToUpper(id.String()[:8]), time.Now())
	testwallet.Must(t, err)
	rows, err := s.History.Page(s.Ctx, 16, f, historyindex.Window{Limit: 10})
	if err != nil || len(rows) != 1 || rows[0].Amount != 2_0000_0000 {
		t.Errorf("found %+v, %v", rows, err)
	}
}

func TestMistakesHaveTheirPositionAndTheNearestWord(t *testing.T) {
	s := openFixture(t, "alice")
	s.push(1)
	s.Pay("alice", "carol", "2.5", "")
	s.block()
	s.catchUp()
	many := historyindex.Names{Accounts: map[ledger.AccountID]string{}}
	for n := range ledger.AccountID(5001) {
		many.Accounts[n+1000] = fmt.Sprint("crowd-", uint64(n))
	}
	testwallet.Must(t, s.index.PutNames(s.Ctx, many))
	for words, want := range map[string]string{
		"with:crowd-*":         "[crowd-*] more than 5000 accounts match",
		"crowd":                "[crowd] more than 5000 accounts match",
		"with:crowd-9*,carol":  "",
		"type:transfr":         "[transfr] no such operation, nearest: transfer",
		"type:transfer,mesage": "[mesage] no such operation, nearest: message",
		"typ:transfer":         "[typ] no such word, nearest: type",
		"with:carl":            "[carl] no such account here, nearest: carol",
		"with:car":             "[car] no such account here, nearest: carol",
		"from:bobby,alcie":     "[alcie] no such account here, nearest: alice",
		"with:zz9":             "[zz9] no such account here",
		"with:carol,":          "[,] a name is missing beside this comma",
		"asset:,DCT":           "[,] a name is missing beside this comma",
		"with:01.02.2017":      "[01.02.2017] 01.02.2017 is no id, as its numbers begin with a zero",
		"asset:1.3.00":         "[1.3.00] 1.3.00 is no id, as its numbers begin with a zero",
		"id:1.7.0902":          "[1.7.0902] 1.7.0902 is no id, as its numbers begin with a zero",
		"with:c\u0430rol":      "[c\u0430rol] no such account here: character 2 of it is U+0430, whatever it looks like, and names have a–z, 0–9, - and . alone, nearest: carol",
		"asset:DTC":            "[DTC] no such asset here, nearest: DCT",
		"amount>1,x":           "[1,x] a comma in an amount can mean a point or thousands; write digits and a point, as 1000.5",
		"amount>1,5":           "[1,5] a comma in an amount can mean a point or thousands; write digits and a point, as 1000.5",
		"min:1,204":            "[1,204] a comma in an amount can mean a point or thousands; write digits and a point, as 1000.5",
		"block:1,5":            "[1,5] not the number of a block",
		"amount>5..6":          "[5..6] not an amount; write 12.5, or 5..20",
		"dir:inn":              "[inn] no such direction, nearest: in",
		"state:void":           "[void] such payments are in no block; Home lists them",
		"state:finale":         "[finale] no such state, nearest: final",
		"since:yestrday":       "[yestrday] not a time; write today, month, 2026-11-20, 30d or 12h, nearest: yesterday",
		"on:3d":                "[3d] not a day; write today, month, 2026-11-20",
		"block:x":              "[x] not the number of a block",
		"id:1.6.4":             "[1.6.4] not the id of an operation; write 1.7.902, or 1.7.902*",
		"tx:zz":                "[zz] not the beginning of a transaction id",
		"tx:00":                "[00] no payment that this wallet made has such an id",
		"with:":                "[with:] something is missing after with:",
		"dir>in":               "[dir>in] only amount can be compared; write dir:",
		"a or":                 "[] a word is missing here",
		"or a":                 "[or] a word is missing before this",
		"(a":                   "[(] the group is not closed",
		"a)":                   "[)] there is no opening bracket for this one",
		"()":                   "[(] the group is empty",
		"a -":                  "[-] a word is missing after this",
		`""`:                   `[""] the quotes are empty`,
	} {
		_, err := s.Filter.Find(s.Ctx, 16, words, time.Now())
		got := ""
		if m := (*filter.Mistake)(nil); errors.As(err, &m) {
			got = fmt.Sprintf("[%s] %v", words[m.From:m.To], m)
		} else if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

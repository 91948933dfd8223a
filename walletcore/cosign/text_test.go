package cosign

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
)

// fileOf returns a file with a payment of 3 DCT from 1.2.16 to 1.2.17 that expires at expires.
func fileOf(t *testing.T, expires ledger.Time, hints Hints) *File {
	t.Helper()
	tx := ledger.SignedTransaction{}
	tx.Expiration = expires
	tx.Operations = []ledger.Operation{ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: 17,
		Fee: ledger.AssetAmount{Amount: 100000}, Amount: ledger.AssetAmount{Amount: 3_0000_0000}})}
	f, err := New(ledger.ChainID{1}, tx, hints)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func hints() Hints {
	return Hints{Accounts: []AccountHint{{ID: 16, Name: "alice"}, {ID: 17, Name: "bobby"}}, Assets: []AssetHint{{ID: 5, Symbol: "GOLD", Precision: 2}}, Depth: 2}
}

// Everything that decides whether to sign is in the text that a person reads, each on a line of its own.
func TestTheTextSaysAllThatDecides(t *testing.T) {
	f := fileOf(t, 1000, hints())
	in, err := f.Inspect(Known{}, time.Unix(999, 0))
	if err != nil {
		t.Fatal(err)
	}
	in.Memos, in.Effects = []Memo{{Text: "rent", Open: true}, {Text: "hello", Open: true, Message: true}}, []ledger.Effect{{What: "owner", Was: "a", Now: "b"}}
	in.Receivers, in.Careful, in.Strangers = []string{"doubtful receiver"}, []string{"doubtful change"}, []ledger.PublicKey{ledger.DeriveKey("x", 0).Public()}
	text := in.Text()
	for _, want := range []string{"transaction  " + f.ID.String(), "chain        " + f.Chain.String(), "what         ", "alice", "3.00000000 DCT", "memo         ", "rent",
		"message      ", "hello", "CAREFUL      doubtful receiver", "CAREFUL      doubtful change", "changes      owner: a → b", "fee          0.00100000 DCT",
		"expires      1970-01-01 00:16:40 UTC\n", "needs        ", "has this key", "unchecked    " + withoutBalances} {
		if !strings.Contains(strings.ReplaceAll(text, "T00:16:40", " 00:16:40"), want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if strings.Contains(text, "signatures   it has all") {
		t.Error("it is told as complete")
	}
	if in.Complete = true; !strings.Contains(in.Text(), "signatures   it has all that it needs") {
		t.Error("it is not told as complete")
	}
	for now, expired := range map[int64]bool{999: false, 1000: true, 1001: true} {
		in, err := f.Inspect(Known{}, time.Unix(now, 0))
		if err != nil || in.Expired != expired || strings.Contains(in.Text(), "it has EXPIRED") != expired {
			t.Errorf("at %d expired is %t (%v): %s", now, in.Expired, err, in.Text())
		}
	}
	if in.MarkBalancesKnown(); in.Unchecked[0] != withBalances || in.Unchecked[1] == withBalances {
		t.Errorf("unchecked is %q", in.Unchecked)
	}
}

// Warnings come from the kind of operation and from what it changes, sorted, and only where there is something to say.
func TestWarningsAreWhole(t *testing.T) {
	h := hints()
	one := ledger.SingleKeyAuthority(ledger.DeriveKey("x", 0).Public())
	ops := []ledger.Operation{ledger.NewOperation(&ledger.AccountUpdateOp{Account: 16, Owner: &one, Active: &one}),
		ledger.NewOperation(&ledger.WithdrawPermissionCreateOp{WithdrawFromAccount: 17})}
	got := namer{Known{}, &h}.warnings(ops, []ledger.Effect{{What: "a"}, {What: "b", Careful: "mind this"}, {What: "c"}})
	want := []string{"lets somebody withdraw from bobby (1.2.17, unchecked) in each period, unasked",
		"sets the active authority of alice (1.2.16, unchecked); what it is then stands below",
		"sets the owner authority of alice (1.2.16, unchecked); what it is then stands below", "mind this"}
	if !slices.Equal(got, want) {
		t.Errorf("the warnings are %q", got)
	}
}

// What another file says of accounts and assets is added, and never takes the place of what is said here.
func TestHintsAreAddedNotReplaced(t *testing.T) {
	h := hints()
	h.add(Hints{Accounts: []AccountHint{{ID: 16, Name: "mallory"}, {ID: 18, Name: "carol"}},
		Assets: []AssetHint{{ID: 5, Symbol: "FAKE"}, {ID: 6, Symbol: "SILVER", Precision: 3}}, Depth: 1})
	if h.Called(16) != "alice" || h.Called(17) != "bobby" || h.Called(18) != "carol" || len(h.Accounts) != 3 {
		t.Errorf("%+v", h.Accounts)
	}
	if len(h.Assets) != 2 || h.asset(5).Symbol != "GOLD" || h.asset(6) == nil || h.asset(6).Precision != 3 || h.Depth != 2 {
		t.Errorf("%+v, depth %d", h.Assets, h.Depth)
	}
	h.add(Hints{Depth: 3})
	if h.Depth != 3 {
		t.Errorf("depth %d", h.Depth)
	}
}

// A name that only the file gives is marked, and what nobody names is shown by its id.
func TestNamesOfAFileAreMarked(t *testing.T) {
	h := hints()
	n := namer{Known{Asset: func(id ledger.AssetID) (string, uint8, bool) { return "DCT", 8, id == ledger.CoreAsset }}, &h}
	for got, want := range map[string]string{
		n.AssetName(0): "DCT", n.AssetName(5): "GOLD (1.3.5, unchecked)", n.AssetName(6): "1.3.6",
		n.AccountName(16): "alice (1.2.16, unchecked)", n.AccountName(99): "1.2.99", n.KindName(3): "1.10.3",
	} {
		if got != want {
			t.Errorf("it is named %q, want %q", got, want)
		}
	}
}

// Text that is not JSON, or not one value, is refused before anything in it is read.
func TestWhatIsNotJSONIsRefused(t *testing.T) {
	whole, err := fileOf(t, 1000, hints()).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(whole); err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if _, err := Parse(whole[:n]); err == nil && strings.TrimSpace(string(whole[n:])) != "" {
			t.Fatalf("its first %d bytes of %d are read", n, len(whole))
		}
	}
	for _, text := range []string{"", "{", "[", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1]`, `[1}`, `{1:2}`, "nul", string(whole) + "{}",
		strings.Repeat("[", 2000), `{"a":"\ud83d"}`, `{"\udc00":1}`} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%.60q is read", text)
		}
		if checkJSON([]byte(text)) == nil {
			t.Errorf("%.60q is taken for JSON", text)
		}
	}
}

// What is no transaction file is told as what it is, with the place and without the words of a library.
func TestWhatIsNoTransactionFileIsNamed(t *testing.T) {
	whole, err := fileOf(t, 1000, hints()).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"{\n \"a\": 1,\n b}":                      "it is not JSON: line 3, column 2: what stands there is no JSON",
		string(whole[:len(whole)/2]):              "it was cut short: it ends in line ",
		"<html>":                                  "it is a web page (HTML), and no JSON",
		"PK\x03\x04xl/":                           "it is a spreadsheet (.xlsx), and no text",
		"{\n\"a\": \"caf\xe9\"}":                  "byte 10 of line 2 is 0xE9",
		`{"billfold_transaction":1,"x":1}`:        `it has a member "x", which no transaction file has`,
		`{"billfold_transaction":1,"chain_id":5}`: `its member "chain_id" is "number", and something else is expected there`,
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "json:") {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
}

// Bytes that the ledger would write otherwise are refused, and so is one that says more than the other form.
func TestBytesInAnotherFormAreRefused(t *testing.T) {
	whole, err := fileOf(t, 1000, hints()).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(whole, &d); err != nil {
		t.Fatal(err)
	}
	packed, err := hex.DecodeString(d.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	for what, b := range map[string][]byte{
		"one byte more":      append(packed[:len(packed):len(packed)], 0),
		"one byte less":      packed[:len(packed)-1],
		"nothing":            {},
		"another expiration": append(append(packed[:6:6], packed[6]+1), packed[7:]...),
	} {
		d.Bytes = hex.EncodeToString(b)
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(text); err == nil {
			t.Errorf("with %s it is read", what)
		}
	}
}

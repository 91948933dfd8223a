package cosign

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
		"<html>":                                  "it is a web page (HTML), and no text",
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

// Whose authority is needed, who may give it and who did is told of each account and of keys that are named directly, with the weights
// that count; an account whose members the file does not name is missing, and nothing is said of strangers then.
func TestNeedsAreToldWhole(t *testing.T) {
	key := func(name string) ledger.PublicKey { return ledger.DeriveKey(name, 0).Public() }
	own := func(name string) *ledger.Authority {
		a := ledger.SingleKeyAuthority(key(name))
		return &a
	}
	active := &ledger.Authority{WeightThreshold: 3, KeyAuths: []ledger.KeyWeight{{Key: key("a"), Weight: 1}},
		AccountAuths: []ledger.AccountWeight{{Account: 17, Weight: 2}, {Account: 18, Weight: 1}}}
	h := Hints{Depth: 2, Accounts: []AccountHint{{ID: 16, Name: "alice", Owner: own("alice owner"), Active: active},
		{ID: 17, Name: "bobby", Owner: own("bobby owner"), Active: own("bobby")}, {ID: 18, Name: "carol", Owner: own("carol owner")}}}
	tx := ledger.SignedTransaction{}
	tx.Expiration = 1000
	tx.Operations = []ledger.Operation{ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: 17, Amount: ledger.AssetAmount{Amount: 1}}),
		ledger.NewOperation(&ledger.AccountUpdateOp{Account: 17, Owner: own("next")}),
		ledger.NewOperation(&ledger.TransferObsoleteOp{From: 18, To: 17, Amount: ledger.AssetAmount{Amount: 1}}),
		ledger.NewOperation(&ledger.ProposalUpdateOp{FeePayingAccount: 16, Proposal: 1, KeyApprovalsToAdd: []ledger.PublicKey{key("k"), key("a")}})}
	f, err := New(ledger.ChainID{1}, tx, h)
	if err != nil {
		t.Fatal(err)
	}
	n := namer{Known{Account: func(id ledger.AccountID) (string, bool) {
		return map[ledger.AccountID]string{16: "alice", 17: "bobby", 18: "carol"}[id], true
	}},
		&f.Unchecked}
	needs := func(signed ...string) (text []string, in Inspection) {
		f.signers = nil
		for _, name := range signed {
			f.signers = append(f.signers, key(name))
		}
		f.inspectSigners(&in, n)
		for _, need := range in.Needs {
			text = append(text, told(need, map[string]string{key("a").String(): "a", key("alice owner").String(): "o", key("bobby").String(): "b",
				key("bobby owner").String(): "p", key("k").String(): "k"}))
		}
		return text, in
	}
	for _, c := range []struct {
		signed   []string
		want     []string
		complete bool
	}{
		{nil, []string{"alice active false 3: bobby 2 false, carol 1 false, a 1 false / false 1: o 1 false", "carol active false 0: ",
			"bobby owner false 1: p 1 false", "keys  false 2: k 1 false, a 1 false"}, false},
		{[]string{"a", "bobby"}, []string{"alice active true 3: bobby 2 true, carol 1 false, a 1 true / false 1: o 1 false", "carol active false 0: ",
			"bobby owner false 1: p 1 false", "keys  false 2: k 1 false, a 1 true"}, false},
		{[]string{"alice owner", "bobby owner"}, []string{"alice active true 3: bobby 2 true, carol 1 false, a 1 false / true 1: o 1 true",
			"carol active false 0: ", "bobby owner true 1: p 1 true", "keys  false 2: k 1 false, a 1 false"}, false},
	} {
		got, in := needs(c.signed...)
		if !slices.Equal(got, c.want) || in.Complete != c.complete || in.Strangers != nil {
			t.Errorf("signed by %q it needs\n%s\nwant\n%s\ncomplete %v, strangers %v", c.signed, strings.Join(got, "\n"), strings.Join(c.want, "\n"),
				in.Complete, in.Strangers)
		}
	}
	f.Unchecked.Accounts[2].Active = own("carol")
	if _, in := needs("a", "bobby", "bobby owner", "carol", "k"); !in.Complete || in.Strangers != nil {
		t.Errorf("with all signatures it is complete: %v, strangers %v", in.Complete, in.Strangers)
	}
	if _, in := needs("a", "x", "carol owner"); in.Complete || !slices.Equal(in.Strangers, []ledger.PublicKey{key("x")}) {
		t.Errorf("it is complete: %v, strangers %v", in.Complete, in.Strangers)
	}
}

// told returns a need in one line, with the given names of keys.
func told(n Need, keys map[string]string) string {
	line := fmt.Sprint(n.Name, " ", n.Role, " ", n.Met, " ")
	authority := func(threshold uint32, parties []Party) {
		line += fmt.Sprint(threshold, ": ")
		for i, p := range parties {
			if i > 0 {
				line += ", "
			}
			line += fmt.Sprint(cmp.Or(keys[p.Name], p.Name), " ", p.Weight, " ", p.Signed)
		}
	}
	if authority(n.Threshold, n.Parties); n.Owner != nil {
		line += fmt.Sprint(" / ", n.Owner.Met, " ")
		authority(n.Owner.Threshold, n.Owner.Parties)
	}
	return line
}

// A file whose names are not those that the wallet knows, of whatever kind and in whichever place of the file, is not shown. What the
// wallet does not know, the file may say.
func TestAFileThatContradictsTheWalletIsRefused(t *testing.T) {
	h := Hints{Accounts: []AccountHint{{ID: 18, Name: "carol"}, {ID: 16, Name: "alice"}},
		Assets: []AssetHint{{ID: 6, Symbol: "SILVER", Precision: 1}, {ID: 5, Symbol: "GOLD", Precision: 2}}}
	account := func(name string) Known {
		return Known{Account: func(id ledger.AccountID) (string, bool) { return name, id == 16 }}
	}
	named := func(as ledger.AccountID) Known {
		return Known{Named: func(name string) (ledger.AccountID, bool) { return as, name == "alice" }}
	}
	asset := func(symbol string, precision uint8) Known {
		return Known{Asset: func(id ledger.AssetID) (string, uint8, bool) { return symbol, precision, id == 5 }}
	}
	symbol := func(as ledger.AssetID) Known {
		return Known{Symbol: func(symbol string) (ledger.AssetID, bool) { return as, symbol == "GOLD" }}
	}
	for name, c := range map[string]struct {
		known Known
		fits  bool
	}{
		"nothing":                     {Known{}, true},
		"the account":                 {account("alice"), true},
		"the account by another name": {account("mallory"), false},
		"the name":                    {named(16), true},
		"the name of another":         {named(17), false},
		"the asset":                   {asset("GOLD", 2), true},
		"another symbol":              {asset("LEAD", 2), false},
		"other decimals":              {asset("GOLD", 3), false},
		"the symbol":                  {symbol(5), true},
		"the symbol of another":       {symbol(7), false},
	} {
		if err := (namer{c.known, &h}).contradiction(); (err == nil) != c.fits {
			t.Errorf("the wallet knows %s: %v", name, err)
		}
	}
	for name, of := range map[string]AssetHint{"another asset as DCT": {ID: 5, Symbol: ledger.CoreSymbol, Precision: ledger.CorePrecision},
		"DCT by another name": {ID: ledger.CoreAsset, Symbol: "GOLD", Precision: ledger.CorePrecision}, "DCT with other decimals": {ID: ledger.CoreAsset, Symbol: ledger.CoreSymbol}} {
		if err := (namer{Known{}, &Hints{Assets: []AssetHint{of}}}).contradiction(); err == nil {
			t.Errorf("the file has %s", name)
		}
	}
	dct := AssetHint{ID: ledger.CoreAsset, Symbol: ledger.CoreSymbol, Precision: ledger.CorePrecision}
	if err := (namer{Known{}, &Hints{Assets: []AssetHint{dct}}}).contradiction(); err != nil {
		t.Error(err)
	}
}

// Of receivers that the wallet does not know, and of those whose names are easily mistaken, a person is warned once each.
func TestDoubtfulReceiversAreWarnedOf(t *testing.T) {
	h := Hints{Accounts: []AccountHint{{ID: 17, Name: "bobby"}}}
	pays := func(to ledger.AccountID) ledger.Operation {
		return ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: to, Amount: ledger.AssetAmount{Amount: 1}})
	}
	n := namer{Known{Account: func(id ledger.AccountID) (string, bool) { return "carol", id == 18 },
		Alike: func(_ ledger.AccountID, name string) []string {
			return map[string][]string{"bobby": {"b0bby"}, "carol": {"car0l"}}[name]
		}}, &h}
	const mistaken = ", which receives something, is easily mistaken for "
	want := []string{"this wallet does not know 1.2.17, which receives something; compare the id with one that you trust",
		"the name of 1.2.17" + mistaken + "b0bby", "the name of 1.2.18" + mistaken + "car0l",
		"this wallet does not know 1.2.19, which receives something; compare the id with one that you trust"}
	if got := n.receiverWarnings([]ledger.Operation{pays(17), pays(18), pays(17), pays(19)}); !slices.Equal(got, want) {
		t.Errorf("the warnings are %q", got)
	}
	n.known.Alike = nil
	if got := n.receiverWarnings([]ledger.Operation{pays(18)}); got != nil {
		t.Errorf("of an account that the wallet knows it warns %q", got)
	}
	if n.known.Account = nil; n.receiverWarnings([]ledger.Operation{pays(17)}) != nil {
		t.Error("without accounts it knows none, and says nothing")
	}
}

// Hints that could mislead are refused at their limits, and not below.
func TestHintsAreLimited(t *testing.T) {
	names := func(n int) (list []AccountHint) {
		for i := range n {
			list = append(list, AccountHint{ID: ledger.AccountID(i), Name: fmt.Sprint("somebody-", i)})
		}
		return list
	}
	symbols := func(n int) (list []AssetHint) {
		for i := range n {
			list = append(list, AssetHint{ID: ledger.AssetID(i), Symbol: fmt.Sprintf("THING%c%c", 'A'+i/26, 'A'+i%26)})
		}
		return list
	}
	keys := func(n int) *ledger.Authority { return &ledger.Authority{KeyAuths: make([]ledger.KeyWeight, n)} }
	one := AssetHint{ID: 1, Symbol: "GOLD"}
	for name, c := range map[string]struct {
		h    Hints
		fits bool
	}{
		"no more accounts":      {Hints{Accounts: names(maxAccounts)}, true},
		"too many accounts":     {Hints{Accounts: names(maxAccounts + 1)}, false},
		"no more assets":        {Hints{Assets: symbols(maxAssets)}, true},
		"too many assets":       {Hints{Assets: symbols(maxAssets + 1)}, false},
		"as deep as it may":     {Hints{Depth: maxDepth}, true},
		"too deep":              {Hints{Depth: maxDepth + 1}, false},
		"a depth below none":    {Hints{Depth: -1}, false},
		"no more members":       {Hints{Accounts: []AccountHint{{Name: "alice", Owner: keys(1), Active: keys(maxMembers - 1)}}}, true},
		"too many members":      {Hints{Accounts: []AccountHint{{Name: "alice", Owner: keys(1), Active: keys(maxMembers)}}}, false},
		"an id twice":           {Hints{Accounts: []AccountHint{{ID: 1, Name: "alice"}, {ID: 1, Name: "bobby"}}}, false},
		"a name twice":          {Hints{Accounts: []AccountHint{{ID: 1, Name: "alice"}, {ID: 2, Name: "alice"}}}, false},
		"an asset twice":        {Hints{Assets: []AssetHint{one, {ID: 1, Symbol: "LEAD"}}}, false},
		"a symbol twice":        {Hints{Assets: []AssetHint{one, {ID: 2, Symbol: "GOLD"}}}, false},
		"the most decimals":     {Hints{Assets: []AssetHint{{ID: 1, Symbol: "GOLD", Precision: ledger.MaxPrecision}}}, true},
		"too many decimals":     {Hints{Assets: []AssetHint{{ID: 1, Symbol: "GOLD", Precision: ledger.MaxPrecision + 1}}}, false},
		"no symbol":             {Hints{Assets: []AssetHint{{ID: 1}}}, false},
		"no name of an account": {Hints{Accounts: []AccountHint{{ID: 1}}}, false},
		"nothing":               {Hints{}, true},
	} {
		if err := c.h.check(); (err == nil) != c.fits {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The texts of a message are shown once each, whoever they are for; one that is encrypted is told as that.
func TestTheTextsOfAMessageAreShown(t *testing.T) {
	m := ledger.Message{From: 16}
	for i, text := range []string{"hello", "hello", "goodbye"} {
		memo := ledger.PlainMemo(text)
		m.Receivers = append(m.Receivers, ledger.MessageReceiver{To: ledger.AccountID(17 + i), Data: memo.Message})
	}
	data, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	custom := &ledger.CustomOp{Payer: 16, ID: ledger.MessageID, Data: data}
	tx := ledger.SignedTransaction{}
	tx.Operations = []ledger.Operation{ledger.NewOperation(custom),
		ledger.NewOperation(&ledger.ProposalCreateOp{FeePayingAccount: 16, ProposedOps: []ledger.ProposedOperation{{Op: ledger.NewOperation(custom)}}})}
	f, err := New(ledger.ChainID{1}, tx, hints())
	if err != nil {
		t.Fatal(err)
	}
	in, err := f.Inspect(Known{}, time.Unix(0, 0))
	want := []Memo{{"hello", true, true}, {"goodbye", true, true}, {"hello", true, true}, {"goodbye", true, true}}
	if err != nil || !slices.Equal(in.Memos, want) {
		t.Errorf("it says %+v, want %+v (%v)", in.Memos, want, err)
	}
	closed := Known{Memo: func(*ledger.Memo) (string, bool) { return "", false }}
	if in, err = f.Inspect(closed, time.Unix(0, 0)); err != nil || !slices.Equal(in.Memos, []Memo{{Message: true}, {Message: true}}) || !strings.Contains(in.Text(), "encrypted, and this wallet cannot") {
		t.Errorf("of a message that cannot be read it says %+v, %v", in.Memos, err)
	}
	custom.ID++
	if in, err = f.Inspect(Known{}, time.Unix(0, 0)); err != nil || len(in.Memos) > 0 {
		t.Errorf("of what is no message it says %+v, %v", in.Memos, err)
	}
}

// JSON is nested as deep as proposals need, and no deeper; numbers are compared by their digits, in whatever form.
func TestJSONIsComparedByItsValues(t *testing.T) {
	for depth, ok := range map[int]bool{deepest: true, deepest + 1: false} {
		if err := checkJSON([]byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))); (err == nil) != ok {
			t.Errorf("%d deep: %v", depth, err)
		}
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[2]}`, `{"b":[2.0],"a":1}`, true}, {`[10]`, `[1e1]`, true}, {`[1]`, `["1"]`, false}, {`[1,2]`, `[2,1]`, false}, {`{"a":1}`, `{"a":1,"b":null}`, false},
		{`[9007199254740993]`, `[9007199254740992]`, false}, {`[9007199254740993]`, `[9007199254740993.0]`, true}, {`[1.5]`, `[1.5]`, true}, {`[1.5]`, `[1.6]`, false},
		{`[1`, `[1`, false}, {`[1]`, `[1`, false}, {`[{"a":[1]}]`, `[{"a":[2]}]`, false},
	} {
		if got := sameJSON([]byte(c.a), []byte(c.b)); got != c.same {
			t.Errorf("%s and %s are the same: %v", c.a, c.b, got)
		}
	}
}

// Every member is there, as docs/transactions.md says: a file without one is refused by its name, also where null stands for it.
func TestAMissingMemberIsNamed(t *testing.T) {
	whole, err := fileOf(t, 1000, hints()).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"chain_id", "transaction_id", "bytes", "transaction", "signatures", "unchecked"} {
		for _, value := range []any{nil, "left out"} {
			var members map[string]any
			if err := json.Unmarshal(whole, &members); err != nil {
				t.Fatal(err)
			}
			if members[name] = nil; value != nil {
				delete(members, name)
			}
			text, err := json.Marshal(members)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), "its member "+name+" is missing") {
				t.Errorf("%s (%v): %v", name, value, err)
			}
		}
	}
}

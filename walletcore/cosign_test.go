package walletcore_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/cosign"
	"billfold/walletcore/fault"
)

var now = time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)

func keyOf(name string) ledger.PrivateKey { return ledger.DeriveKey("cosign "+name, 0) }

// ring holds the keys of a wallet.
type ring struct {
	chain ledger.ChainID
	keys  []ledger.PrivateKey
}

func ringOf(names ...string) ring {
	r := ring{chain: ledger.ChainID{1}}
	for _, name := range names {
		r.keys = append(r.keys, keyOf(name))
	}
	return r
}

func (r ring) ChainID() ledger.ChainID { return r.chain }

func (r ring) Holds(pub ledger.PublicKey) bool {
	return slices.ContainsFunc(r.keys, func(k ledger.PrivateKey) bool { return k.Public() == pub })
}

func (r ring) SignFor(chain ledger.ChainID, tx *ledger.SignedTransaction, keys []ledger.PublicKey) error {
	digest, err := tx.Digest(chain)
	for _, k := range r.keys {
		if slices.Contains(keys, k.Public()) {
			tx.Signatures = append(tx.Signatures, k.Sign(digest))
		}
	}
	return err
}

func free([]ledger.Operation) error { return nil }

// paid returns the file of a transfer of GOLD by shared, whose active authority is two of the keys a, b, c and whose owner
// key is d.
func paid(t testing.TB, amount int64) *cosign.File {
	t.Helper()
	tx := ledger.SignedTransaction{Transaction: ledger.Transaction{RefBlockNum: 1, Expiration: ledger.TimeOf(now.Add(time.Hour)),
		Operations: []ledger.Operation{ledger.NewOperation(&ledger.TransferObsoleteOp{Fee: ledger.AssetAmount{Amount: 100_000}, From: 40,
			To: 41, Amount: ledger.AssetAmount{Amount: amount, AssetID: 4}})}}}
	active := ledger.Authority{WeightThreshold: 2}
	for _, name := range []string{"a", "b", "c"} {
		active.KeyAuths = append(active.KeyAuths, ledger.KeyWeight{Key: keyOf(name).Public(), Weight: 1})
	}
	owner := ledger.SingleKeyAuthority(keyOf("d").Public())
	f, err := cosign.New(ledger.ChainID{1}, tx, cosign.Hints{Depth: 2,
		Accounts: []cosign.AccountHint{{ID: 40, Name: "shared", Owner: &owner, Active: &active}, {ID: 41, Name: "bobby"}},
		Assets:   []cosign.AssetHint{{ID: 4, Symbol: "GOLD", Precision: 4}}})
	must(t, err)
	return f
}

func signed(t testing.TB, f *cosign.File, by ...string) *cosign.File {
	t.Helper()
	for _, name := range by {
		must(t, f.Sign(ringOf(name), cosign.Plan{Keys: []ledger.PublicKey{keyOf(name).Public()}}))
	}
	return f
}

func written(t testing.TB, f *cosign.File) []byte {
	t.Helper()
	text, err := f.Bytes()
	must(t, err)
	return text
}

func TestFileRoundTrip(t *testing.T) {
	first := written(t, signed(t, paid(t, 125_000), "a"))
	f, err := cosign.Parse(first)
	must(t, err)
	if again := written(t, f); !bytes.Equal(first, again) || !slices.Equal(f.SignedBy(), []ledger.PublicKey{keyOf("a").Public()}) {
		t.Errorf("%s\nbecame\n%s", first, again)
	}
}

// Names that only the file vouches for are marked, and so are amounts whose precision only the file has.
func TestUnverifiedFactsOfAFileAreMarked(t *testing.T) {
	f := signed(t, paid(t, 125_000), "a")
	in, err := f.Inspect(cosign.Known{Account: func(id ledger.AccountID) (string, bool) { return "shared", id == 40 }}, now)
	must(t, err)
	for _, want := range []string{"shared pays 125000 units of 1.3.4 (12.5000 GOLD, unchecked) to bobby (1.2.41, unchecked)",
		keyOf("a").Public().String() + " weighs 1 and has signed", keyOf("b").Public().String() + " weighs 1 and may sign", "as its owner, 1 of",
		"shared active, which is missing; 2 of:"} {
		if !strings.Contains(in.Text(), want) {
			t.Errorf("%q is not in\n%s", want, in.Text())
		}
	}
	if in.Complete || in.Expired || len(in.Strangers) > 0 {
		t.Errorf("%+v", in)
	}
	_, err = f.Inspect(cosign.Known{Account: func(ledger.AccountID) (string, bool) { return "mallory", true }}, now)
	if fault.CodeOf(err) != fault.BadFile {
		t.Errorf("the file calls mallory otherwise: %v", err)
	}
	in, err = f.Inspect(cosign.Known{Account: func(id ledger.AccountID) (string, bool) { return "shared", id == 40 },
		Alike: func(_ ledger.AccountID, name string) []string { return []string{name + "1"} }}, now)
	must(t, err)
	for _, want := range []string{"CAREFUL      this wallet does not know 1.2.41, which receives",
		"name of 1.2.41, which receives something, is easily mistaken for bobby1",
	} {
		if !strings.Contains(in.Text(), want) {
			t.Errorf("%q is not in\n%s", want, in.Text())
		}
	}
	for what, known := range map[string]cosign.Known{
		"1.2.17 as bobby": {Named: func(name string) (ledger.AccountID, bool) { return 17, name == "bobby" }},
		"1.3.9 as GOLD":   {Symbol: func(symbol string) (ledger.AssetID, bool) { return 9, symbol == "GOLD" }},
	} {
		_, err := f.Inspect(known, now)
		if fault.CodeOf(err) != fault.BadFile || !strings.Contains(err.Error(), "this wallet knows "+what) {
			t.Errorf("the file gives another the name: %v", err)
		}
	}
}

// What a file claims about an account hides nothing that its bytes do: new keys are shown whatever the file calls the
// current ones, and unknown facts are not shown as zeros.
func TestFileCannotHideNewKeys(t *testing.T) {
	thief := ledger.SingleKeyAuthority(keyOf("thief").Public())
	options := ledger.NewAccountOptions(keyOf("memo").Public())
	nobody := thief
	nobody.WeightThreshold = 0
	text := func(op *ledger.AccountUpdateOp) string {
		op.Account, op.Fee = 40, ledger.AssetAmount{Amount: 100_000}
		tx := ledger.SignedTransaction{Transaction: ledger.Transaction{Expiration: ledger.TimeOf(now.Add(time.Hour)),
			Operations: []ledger.Operation{ledger.NewOperation(op)}}}
		f, err := cosign.New(ledger.ChainID{1}, tx,
			cosign.Hints{Accounts: []cosign.AccountHint{{ID: 40, Name: "shared", Owner: &thief, Active: &thief}}})
		must(t, err)
		in, err := f.Inspect(cosign.Known{}, now)
		must(t, err)
		return in.Text()
	}
	key, name := keyOf("thief").Public().String(), "shared (1.2.40, unchecked)"
	for _, c := range []struct {
		op   ledger.AccountUpdateOp
		want []string
	}{
		{ledger.AccountUpdateOp{Active: &thief}, []string{"CAREFUL      sets the active authority of " + name,
			"active authority of " + name + ": not known here → " + key + " (can act alone: " + key}},
		{ledger.AccountUpdateOp{Owner: &thief}, []string{"CAREFUL      sets the owner authority of " + name,
			"owner authority of " + name + ": not known here → " + key + " (can act alone: " + key}},
		{ledger.AccountUpdateOp{Active: &nobody}, []string{"not known here → needs 0: " + key, "(ANYBODY can act"}},
		{ledger.AccountUpdateOp{NewOptions: &options}, []string{"CAREFUL      sets the memo key of " + name,
			"memo key of " + name + ": not known here → " + keyOf("memo").Public().String(),
			"votes with the stake of " + name + ": not known here → the account itself",
			"all other votes of " + name + ": not known here → no"}},
	} {
		shown := text(&c.op)
		for _, want := range c.want {
			if !strings.Contains(shown, want) {
				t.Errorf("%q is not in\n%s", want, shown)
			}
		}
		if strings.Contains(shown, "1.2.0") {
			t.Errorf("a zero stands for what is not known:\n%s", shown)
		}
	}
}

// Text by others is one quoted line: it cannot add lines that look like this program's.
func TestTextByOthersForgesNoLine(t *testing.T) {
	const forged = "x for 0.1 DCT\n  what         alice pays nothing\n"
	memo, url := ledger.PlainMemo(strings.Repeat("\n", 40)+forged+strings.Repeat("!", 2000)), forged
	fee := ledger.AssetAmount{Amount: 100_000}
	f, err := cosign.New(ledger.ChainID{1}, ledger.SignedTransaction{Transaction: ledger.Transaction{
		Expiration: ledger.TimeOf(now.Add(time.Hour)), Operations: []ledger.Operation{
			ledger.NewOperation(&ledger.TransferOp{Fee: fee, From: 40, To: ledger.AccountID(41).Object(), Amount: fee, Memo: &memo}),
			ledger.NewOperation(&ledger.RequestToBuyOp{Fee: fee, Consumer: 40, URI: forged, Price: fee}),
			ledger.NewOperation(&ledger.MinerUpdateOp{Fee: fee, MinerAccount: 40, NewURL: &url}),
			ledger.NewOperation(&ledger.LeaveRatingAndCommentOp{Fee: fee, Consumer: 40, URI: forged, Rating: 5}),
		}}}, cosign.Hints{})
	must(t, err)
	in, err := f.Inspect(cosign.Known{}, now)
	must(t, err)
	text := in.Text()
	if n := strings.Count(text, "\n  what  "); n != 4 || strings.Count(text, "alice pays") != 4 {
		t.Errorf("%d sentences of 4:\n%s", n, text)
	}
	for _, want := range []string{`buys "x for 0.1 DCT⏎  what         alice pays nothing⏎" for`, `memo         "⏎⏎⏎`,
		`!" and 1088 more characters`,
		`link of 1.2.40: "x for 0.1 DCT⏎`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// In a web of accounts that act for one another, each account is checked once, however many paths lead to it.
func TestWebOfAccountsIsCheckedQuickly(t *testing.T) {
	f := paid(t, 1)
	web := ledger.Authority{WeightThreshold: 60}
	for id := range ledger.AccountID(30) {
		web.AccountAuths = append(web.AccountAuths, ledger.AccountWeight{Account: 1000 + id, Weight: 1})
	}
	f.Unchecked.Accounts[0].Active, f.Unchecked.Depth = &web, 8
	for id := range ledger.AccountID(60) {
		f.Unchecked.Accounts = append(f.Unchecked.Accounts,
			cosign.AccountHint{ID: 1000 + id, Name: fmt.Sprintf("member-%d", id), Owner: &web, Active: &web})
	}
	f, err := cosign.Parse(written(t, f))
	must(t, err)
	in, err := f.Inspect(cosign.Known{}, now)
	must(t, err)
	plan, err := f.PlanSigning(ringOf("a", "d"), now, free)
	if must(t, err); in.Complete || len(plan.Keys) != 1 {
		t.Errorf("%+v, complete %v", plan, in.Complete)
	}
	for id := range ledger.AccountID(90) {
		f.Unchecked.Accounts = append(f.Unchecked.Accounts,
			cosign.AccountHint{ID: 2000 + id, Name: fmt.Sprintf("another-%d", id), Owner: &web, Active: &web})
	}
	_, err = cosign.Parse(written(t, f))
	if fault.CodeOf(err) != fault.BadFile || !strings.Contains(err.Error(), "more than 4096 keys and accounts") {
		t.Errorf("too much is read: %v", err)
	}
}

// A wallet adds only as many signatures as are missing, since the ledger refuses superfluous ones.
func TestNoMoreKeysSignThanAreNeeded(t *testing.T) {
	for _, c := range []struct {
		before []string
		wallet []string
		keys   int
		whole  bool
		code   fault.Code
	}{
		{nil, []string{"a"}, 1, false, ""},
		{nil, []string{"a", "b", "c"}, 2, true, ""},
		{[]string{"a"}, []string{"b", "c"}, 1, true, ""},
		{[]string{"a"}, []string{"a", "b"}, 1, true, ""},
		{nil, []string{"a", "b", "d"}, 1, true, ""},
		{[]string{"a"}, []string{"a"}, 0, false, fault.KeyNotInWallet},
		{nil, []string{"x"}, 0, false, fault.KeyNotInWallet},
		{[]string{"a", "b"}, []string{"c"}, 0, false, fault.InvalidOperation},
		{[]string{"x"}, []string{"a"}, 0, false, fault.BadFile},
	} {
		f := signed(t, paid(t, 1), c.before...)
		plan, err := f.PlanSigning(ringOf(c.wallet...), now, free)
		wrong := (err == nil) != (c.code == "") || err != nil && fault.CodeOf(err) != c.code
		if wrong || len(plan.Keys) != c.keys || plan.Complete != c.whole {
			t.Errorf("signed by %v, in the wallet %v: %d keys, whole %v, %v", c.before, c.wallet, len(plan.Keys), plan.Complete, err)
		}
	}
	for light, heavy := range map[string]string{"a": "b", "b": "a"} { // beside c's signature one of them is enough, whichever comes first
		f := paid(t, 1)
		active := f.Unchecked.Accounts[0].Active
		active.WeightThreshold = 3
		for i, k := range active.KeyAuths {
			if k.Key == keyOf(heavy).Public() {
				active.KeyAuths[i].Weight = 2
			}
		}
		plan, err := signed(t, f, "c").PlanSigning(ringOf(light, heavy), now, free)
		if err != nil || !plan.Complete || !slices.Equal(plan.Keys, []ledger.PublicKey{keyOf(heavy).Public()}) {
			t.Errorf("where %s has weight 2, %d keys sign: %v", heavy, len(plan.Keys), err)
		}
	}
}

func TestUnsafeFilesAreNotSigned(t *testing.T) {
	f := paid(t, 1)
	other := ringOf("a")
	other.chain = ledger.ChainID{2}
	unbound := ringOf("a")
	unbound.chain = ledger.ChainID{}
	tooHigh := func([]ledger.Operation) error { return &fault.Error{Code: fault.FeeTooHigh} }
	for code, try := range map[fault.Code]func() (cosign.Plan, error){
		fault.WrongChain: func() (cosign.Plan, error) { return f.PlanSigning(other, now, free) },
		fault.Expired:    func() (cosign.Plan, error) { return f.PlanSigning(ringOf("a"), now.Add(2*time.Hour), free) },
		fault.BadFile:    func() (cosign.Plan, error) { return f.PlanSigning(ringOf("a"), now.Add(-24*time.Hour), free) },
		fault.FeeTooHigh: func() (cosign.Plan, error) { return f.PlanSigning(ringOf("a"), now, tooHigh) },
	} {
		if _, err := try(); fault.CodeOf(err) != code {
			t.Errorf("%v, want %s", err, code)
		}
	}
	if _, err := f.PlanSigning(unbound, now, free); fault.CodeOf(err) != fault.WrongChain {
		t.Error(err)
	}
}

// What was signed is read again: a signature that does not count, or a second one of a key, is told, and not passed on.
func TestSignaturesAreReadAgain(t *testing.T) {
	f := signed(t, paid(t, 1), "a")
	if err := f.Sign(ringOf("a"), cosign.Plan{Keys: []ledger.PublicKey{keyOf("a").Public()}}); err == nil {
		t.Error("a key signed twice, and nobody is told")
	}
	for name, change := range map[string]func(*ledger.Signature){
		"no recovery byte":  func(s *ledger.Signature) { s[0] = 0 },
		"no curve's number": func(s *ledger.Signature) { clear(s[1:33]) },
		"a high number":     func(s *ledger.Signature) { s[1] |= 0x80 },
		"a short number":    func(s *ledger.Signature) { s[1], s[2] = 0, 1 },
	} {
		wrong := signed(t, paid(t, 1), "a")
		change(&wrong.Transaction.Signatures[0])
		if _, err := cosign.New(wrong.Chain, wrong.Transaction, wrong.Unchecked); fault.CodeOf(err) != fault.BadFile {
			t.Errorf("a file with %s in its signature is made: %v", name, err)
		}
		if _, err := cosign.Parse(written(t, wrong)); fault.CodeOf(err) != fault.BadFile || !strings.Contains(err.Error(), "signature 1 is not valid") {
			t.Errorf("a signature with %s: %v", name, err)
		}
	}
	nothing, err := cosign.New(ledger.ChainID{1}, ledger.SignedTransaction{Transaction: ledger.Transaction{Expiration: ledger.TimeOf(now)}}, cosign.Hints{})
	must(t, err)
	if _, err := cosign.Parse(written(t, nothing)); fault.CodeOf(err) != fault.BadFile || !strings.Contains(err.Error(), "does nothing") {
		t.Errorf("a transaction without operations: %v", err)
	}
	f = signed(t, paid(t, 1), "a", "b")
	if got := f.SignedBy(); !slices.Equal(got, []ledger.PublicKey{keyOf("a").Public(), keyOf("b").Public()}) {
		t.Errorf("it is signed by %v", got)
	}
}

func TestSignaturesOfOneTransactionAreMerged(t *testing.T) {
	f := signed(t, paid(t, 1), "a")
	must(t, f.Merge(signed(t, paid(t, 1), "a", "b")))
	if got := f.SignedBy(); !slices.Equal(got, []ledger.PublicKey{keyOf("a").Public(), keyOf("b").Public()}) {
		t.Error(got)
	}
	elsewhere := paid(t, 1)
	elsewhere.Chain = ledger.ChainID{2}
	for what, other := range map[string]*cosign.File{"of different chains": elsewhere, "they are two transactions": paid(t, 2),
		"a key that no account of the transaction has": signed(t, paid(t, 1), "x")} {
		if err := f.Merge(other); fault.CodeOf(err) != fault.BadFile || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Each hostile file is refused with a sentence about the reason.
func TestHostileFilesAreRefused(t *testing.T) {
	good := string(written(t, signed(t, paid(t, 1), "a")))
	f := paid(t, 1)
	packed, err := f.Transaction.Transaction.Pack()
	must(t, err)
	swap := func(old, with string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in the file", old)
		}
		return strings.Replace(good, old, with, 1)
	}
	for want, text := range map[string]string{
		"larger than":                     good + strings.Repeat(" ", cosign.MaxSize),
		"not JSON":                        "hello",
		"it is not a transaction file":    `{"bytes":"00"}`,
		"reads version 1":                 swap(`"billfold_transaction": 1`, `"billfold_transaction": 2`),
		`the member "bytes" occurs twice`: swap(`"bytes":`, `"bytes": "00", "bytes":`),
		`"bytes" occurs twice`:            swap(`"chain_id":`, `"Bytes": "00", "chain_id":`),
		"which no transaction file has":   swap(`"chain_id":`, `"comment": "trust me", "chain_id":`),
		"something follows its JSON":      good + "{}",
		"nested too deeply":               `{"billfold_transaction":1,"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`,
		"not UTF-8":                       swap("bobby", "bob\xffby"),
		`1.2.41 a name that no account can have: account name "bob\x1b[2Jby"`: swap("bobby", `bob\u001b[2Jby`),
		`"bobby (1.2.17) back, the change, and 1.5…`:                          swap("bobby", "bobby (1.2.17) back, the change, and 1.5 DCT to carol"),
		`account name "bоbby"`:                                                swap("bobby", "b\u043ebby"),
		`account name "     "`:                                                swap("bobby", "     "),
		`the name "shared" of 1.2.`:                                           swap(`"bobby"`, `"shared"`),
		"its chain_id is not a chain id":                                      swap(f.Chain.String(), "mainnet"),
		"not hex digits":                                                      swap(hex.EncodeToString(packed), "xyz"),
		"its bytes are not a transaction":                                     swap(hex.EncodeToString(packed), hex.EncodeToString(packed)+"00"),
		"say different things":                                                swap(`"amount": 1,`, `"amount": 1000,`),
		"transaction_id is not":                                               swap(f.ID.String(), strings.Repeat("0", 40)),
		"the symbol \"gold\" of 1.3.4 is not valid, or occurs twice":          swap(`"GOLD"`, `"gold"`),
	} {
		_, err := cosign.Parse([]byte(text))
		if fault.CodeOf(err) != fault.BadFile || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	stranger := strings.Replace(good, f.Chain.String(), ledger.ChainID{9}.String(), 1)
	g, err := cosign.Parse([]byte(stranger)) // on another chain the signature is that of another key
	must(t, err)
	if err := g.CheckStrangers(); fault.CodeOf(err) != fault.BadFile {
		t.Error(err)
	}
	if _, err := cosign.Parse(written(t, paid(t, 0))); fault.CodeOf(err) != fault.BadFile || !strings.Contains(err.Error(), "the ledger would refuse operation 1") {
		t.Errorf("a transfer of nothing: %v", err)
	}
	twice := signed(t, paid(t, 1), "a")
	twice.Transaction.Signatures = append(twice.Transaction.Signatures, twice.Transaction.Signatures[0])
	if _, err := cosign.Parse(written(t, twice)); err == nil || !strings.Contains(err.Error(), "signed it twice") {
		t.Error(err)
	}
}

// FuzzCosignFile checks that any file that parses has one written form, matches its bytes, causes no panic,
// and is not signed for another chain.
func FuzzCosignFile(f *testing.F) {
	good := written(f, signed(f, paid(f, 125_000), "a"))
	f.Add(good)
	f.Add([]byte(`{"billfold_transaction":1}`))
	f.Add(bytes.Replace(good, []byte("125000"), []byte("125001"), 1))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := cosign.Parse(text)
		if err != nil {
			if fault.CodeOf(err) != fault.BadFile {
				t.Fatalf("%v", err)
			}
			return
		}
		again, err := cosign.Parse(written(t, file))
		must(t, err)
		if !bytes.Equal(written(t, file), written(t, again)) || again.ID != file.ID {
			t.Fatalf("%s is not read again", text)
		}
		readable, err := codec.Marshal(&file.Transaction.Transaction)
		must(t, err)
		var d struct{ Transaction json.RawMessage }
		must(t, json.Unmarshal(text, &d))
		if !sameJSON(readable, d.Transaction) {
			t.Fatal("its readable form says something else")
		}
		in, err := file.Inspect(cosign.Known{}, now)
		if err == nil && in.Text() == "" {
			t.Fatal(fmt.Sprint(in))
		}
		_, _ = file.PlanSigning(ringOf("a", "b"), now, free)
	})
}

// sameJSON reports whether two texts have the same JSON values; numbers are compared digit by digit.
func sameJSON(a, b []byte) bool {
	var left, right any
	for text, into := range map[*[]byte]*any{&a: &left, &b: &right} {
		d := json.NewDecoder(bytes.NewReader(*text))
		d.UseNumber()
		if d.Decode(into) != nil {
			return false
		}
	}
	return reflect.DeepEqual(left, right)
}

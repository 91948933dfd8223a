package token

import (
	"context"
	"errors"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

var dct = &ledger.Asset{ID: ledger.CoreAsset, Symbol: "DCT", Precision: 8}

func isDenied(err error) bool {
	_, is := errors.AsType[*rpcserver.Denied](err)
	return is
}

// Where there are limits, an asset has the lowest of those that name it, by symbol or id. One that no limit names, or whose limit is no
// amount of it, may not be paid at all.
func TestTheLimitOfAnAsset(t *testing.T) {
	for name, c := range map[string]struct {
		limits  []Limit
		most    int64
		limited bool
		denied  bool
	}{
		"none":                   {nil, 0, false, false},
		"by symbol":              {[]Limit{{"5", "DCT"}}, 5_0000_0000, true, false},
		"by id":                  {[]Limit{{"5.5", "1.3.0"}}, 5_5000_0000, true, false},
		"the lower is first":     {[]Limit{{"1", "DCT"}, {"2", "1.3.0"}}, 1_0000_0000, true, false},
		"the lower is last":      {[]Limit{{"2", "DCT"}, {"1", "DCT"}}, 1_0000_0000, true, false},
		"nothing":                {[]Limit{{"0", "DCT"}}, 0, true, false},
		"others' beside it":      {[]Limit{{"1", "ALX.GOLD"}, {"3", "DCT"}}, 3_0000_0000, true, false},
		"others' only":           {[]Limit{{"1", "ALX.GOLD"}}, 0, true, true},
		"no amount of it":        {[]Limit{{"0.000000001", "DCT"}}, 0, true, true},
		"no amount after one":    {[]Limit{{"1", "DCT"}, {"x", "DCT"}}, 0, true, true},
		"more than there can be": {[]Limit{{"99999999999999999999", "DCT"}}, 0, true, true},
	} {
		most, limited, err := limitOf(c.limits, dct)
		if most != c.most || limited != c.limited || isDenied(err) != c.denied || (err != nil) != c.denied {
			t.Errorf("%s: %d, %v, %v", name, most, limited, err)
		}
		if !c.denied {
			continue
		}
		if _, err = (&call{}).reservations(t.Context(), "till", c.limits, nil, []paid{{dct, 1}}); !isDenied(err) {
			t.Errorf("%s: it may be counted: %v", name, err)
		}
	}
}

// A limit and a source are what they look like, or refused.
func TestLimitsAndSourcesAreRead(t *testing.T) {
	for text, ok := range map[string]bool{"5 DCT": true, "0.5 1.3.0": true, ".5 DCT": true, "0.000000000000000001 DCT": true, "99999999999999999999 DCT": true,
		"5": false, "5 ": false, " DCT": false, "5  DCT": false, "5 DCT ": false, "5\tDCT": false, "-5 DCT": false, "x DCT": false, "": false, "1e3 DCT": false} {
		if l, err := ParseLimit(text); (err == nil) != ok || ok && l.Amount+" "+l.Asset != text {
			t.Errorf("%q is the limit %+v, %v", text, l, err)
		}
	}
	for text, want := range map[string]string{"127.0.0.1": "127.0.0.1/32", "::1": "::1/128", "::ffff:10.0.0.1": "10.0.0.1/32", "10.0.0.0/8": "10.0.0.0/8", "fd00::/8": "fd00::/8",
		"0.0.0.0/0": "0.0.0.0/0", "10.0.0.1/8": "", "10.0.0.0/33": "", "10.0.0": "", "localhost": "", "": "", "10.0.0.0/": ""} {
		p, err := ParseSource(text)
		if (err == nil) != (want != "") || want != "" && p.String() != want {
			t.Errorf("%q is the source %s, %v", text, p, err)
		}
	}
	inside := Scope{Sources: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}}
	for text, want := range map[string]bool{"10.1.2.3": true, "::ffff:10.1.2.3": true, "::1": true, "11.0.0.1": false, "127.0.0.1": false} {
		if got := inside.allowsSource(netip.MustParseAddr(text)); got != want {
			t.Errorf("calls may come from %s: %v", text, got)
		}
	}
	if inside.allowsSource(netip.Addr{}) || !(Scope{}).allowsSource(netip.Addr{}) {
		t.Error("the unix socket is taken for an address, or is refused to a token of any")
	}
}

// Ten times an amount is its digits with the point moved.
func TestTenTimesAnAmount(t *testing.T) {
	for text, want := range map[string]string{"1": "10", "0": "0", "1.5": "15", "1.25": "12.5", "0.05": "0.5", "0.1": "1", ".5": "5", "1.": "10", "12.00001": "120.0001"} {
		if got := tenTimes(text); got != want {
			t.Errorf("ten times %s is %s, want %s", text, got, want)
		}
	}
}

// oldTokens is a file of the first format: a group permitted all of its operations, and nothing limited the sum paid unasked.
const oldTokens = `{"version":1,"tokens":[
	{"id":"aa","name":"till","hash":"x","created":"2026-01-01T00:00:00Z","scope":{"groups":["payments"],"ask_above":[{"amount":"2","asset":"DCT"}]}},
	{"id":"bb","name":"eye","hash":"y","created":"2026-01-01T00:00:00Z","scope":{"methods":["get_account"]}}]}`

// Tokens of the first format permit no more than a token of today that says the same, and what they lost is told.
func TestTokensOfTheFirstFormatAreBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rpc-tokens.json")
	must(t, os.WriteFile(path, []byte(oldTokens), 0o600))
	for _, when := range []string{"as it was", "written anew"} {
		s, err := OpenStore(path)
		must(t, err)
		till, known, err := s.find("aa")
		must(t, err)
		if !known || len(till.Scope.AskAboveDay) != 1 || till.Scope.AskAboveDay[0] != (Limit{"20", "DCT"}) {
			t.Errorf("%s: the till may pay unasked %+v", when, till.Scope.AskAboveDay)
		}
		notes := strings.Join(s.Notes(), "\n")
		if strings.Contains(notes, "token eye") || strings.Contains(notes, "token till: you are also asked once it has paid 20 DCT") != (when == "as it was") {
			t.Errorf("%s: it is told %q", when, notes)
		}
		if list, err := s.List(); len(list) < 2 || err != nil {
			t.Errorf("%s: %d tokens, %v", when, len(list), err)
		}
		_, _, err = s.New("new"+when[:2], Scope{})
		must(t, err)
	}
}

// tariff are the fees of a ledger without any.
type tariff struct{ Fees }

func (tariff) LeastFee(context.Context, ledger.Operation) (int64, error) { return math.MaxInt64, nil }

// Amounts that together are more than any number are over every limit, whether they go to one recipient or several.
func TestSumsThatDoNotFitAreOverTheLimit(t *testing.T) {
	pays := func(to ledger.AccountID, amount, fee int64) ledger.Operation {
		return ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: to, Amount: ledger.AssetAmount{Amount: amount}, Fee: ledger.AssetAmount{Amount: fee}})
	}
	c := &call{auth: &Authenticator{ledger: Ledger{Fees: tariff{}}}}
	for name, ops := range map[string][]ledger.Operation{
		"to one":   {pays(17, math.MaxInt64, 0), pays(17, 1, 0)},
		"to two":   {pays(17, math.MaxInt64, 0), pays(18, 1, 0)},
		"in fees":  {pays(17, 1, math.MaxInt64), pays(17, 1, 1)},
		"and back": {pays(17, math.MaxInt64, 0), pays(17, 1, 0), pays(17, 1, 0)},
	} {
		if err := c.judgePayments(t.Context(), ops); !isDenied(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// memoryTable is a database of tokens that can fail: at the n-th call, or from there on.
type memoryTable struct {
	rows   []store.TokenRow
	rev    int64
	failAt int // 0: never
	rest   bool
}

var errAway = errors.New("the database does not answer")

func (m *memoryTable) call() error {
	if m.failAt == 0 {
		return nil
	}
	if m.failAt > 1 {
		m.failAt--
		return nil
	}
	if !m.rest {
		m.failAt = 0
	}
	return errAway
}

func (m *memoryTable) Revision(context.Context) (int64, error) { return m.rev, m.call() }

func (m *memoryTable) All(context.Context) ([]store.TokenRow, int64, error) {
	return slices.Clone(m.rows), m.rev, m.call()
}

func (m *memoryTable) Replace(_ context.Context, rev int64, rows []store.TokenRow) error {
	if err := m.call(); err != nil {
		return err
	}
	if rev != m.rev {
		return store.ErrTokensMoved
	}
	m.rows, m.rev = rows, rev+1
	return nil
}

func (m *memoryTable) SubscribeHints(func(store.Hint)) (stop func()) { return func() {} }

// openTable opens the tokens of a table for one more program.
func openTable(t *testing.T, m *memoryTable) *Store {
	t.Helper()
	s, err := OpenTable(m)
	must(t, err)
	return s
}

// Whichever call of the database fails, a change of tokens is made whole or refused, and nobody is let in for ever on what was read.
func TestATableThatFails(t *testing.T) {
	m := new(memoryTable)
	s := openTable(t, m)
	names := func() (text string) {
		t.Helper()
		list, err := openTable(t, m).List()
		must(t, err)
		for _, one := range list {
			text += one.Name + " " + one.Scope.String() + "; "
		}
		return text
	}
	_, _, err := s.New("till", Scope{})
	must(t, err)
	made, _, err := s.New("other", Scope{})
	must(t, err)
	for _, c := range []struct {
		name   string
		change func() error
	}{
		{"New", func() error { _, _, err := s.New("one-more", Scope{}); return err }},
		{"SetScope", func() error { _, err := s.SetScope(made.ID, Scope{Methods: []string{"transfer"}}); return err }},
		{"Revoke", func() error { _, err := s.Revoke("other"); return err }},
	} {
		name, failed := c.name, 0
		for n := 1; n < 50; n++ {
			before := names()
			m.failAt = n
			err := c.change()
			m.failAt = 0
			now := names()
			if err != nil && now != before {
				t.Errorf("%s: without call %d it is told as refused (%v), and there are %s, not %s", name, n, err, now, before)
			}
			if err == nil && now == before {
				t.Errorf("%s: without call %d it is told as made, and there are %s", name, n, now)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, errAway) {
				t.Fatalf("%s: %v", name, err)
			}
			failed++
		}
		if failed < 2 { // to read them, and to write them
			t.Errorf("%s: only %d calls failed", name, failed)
		}
	}
}

// While the table does not answer, tokens are used for a few more seconds, and then nobody is let in, nor are tokens copied from it.
func TestATableThatDoesNotAnswer(t *testing.T) {
	m := new(memoryTable)
	made, credential, err := openTable(t, m).New("till", Scope{})
	must(t, err)
	for _, c := range []struct {
		older time.Duration
		known bool
	}{{0, true}, {maxAge - time.Millisecond, true}, {maxAge, true}, {staleFor - time.Millisecond, true}, {staleFor, false}, {staleFor + time.Hour, false}} {
		s := openTable(t, m)
		at := time.Now()
		s.backend.(*tableBackend).now = func() time.Time { return at }
		s.backend.(*tableBackend).checkedAt = at.Add(-c.older)
		m.failAt, m.rest = 1, true
		_, known, err := s.find(made.ID)
		p, refused := NewAuthenticator(s, nil, Ledger{}).Authenticate(credential, netip.Addr{})
		m.failAt, m.rest = 0, false
		if (p != nil) != c.known || !c.known && fault.CodeOf(refused) != fault.File {
			t.Errorf("%v after it answered last somebody is let in: %v, %v", c.older, p != nil, refused)
		}
		if known != c.known || (err == nil) != c.known {
			t.Errorf("%v after it answered last the token is known: %v, %v", c.older, known, err)
		}
		if c.older < maxAge {
			continue
		}
		if _, again, _ := s.find(made.ID); again != c.known { // it is not asked at once again
			t.Errorf("%v after it answered last the token is then known: %v", c.older, again)
		}
		at = at.Add(maxAge)
		if _, known, err := s.find(made.ID); !known || err != nil {
			t.Errorf("once it answers again the token is known: %v, %v", known, err)
		}
	}
	other := openStore(t)
	from := openTable(t, m)
	from.backend.(*tableBackend).checkedAt = time.Time{}
	m.failAt = 1
	n, err := Copy(from, other)
	if n != 0 || err == nil {
		t.Errorf("from a table that does not answer %d tokens are copied, %v", n, err)
	}
	if n, err := Copy(openTable(t, m), other); n != 1 || err != nil {
		t.Errorf("%d are copied, %v", n, err)
	}
}

// A file of tokens that cannot be read is not taken for one without any: no token is known, and none is made in its place.
func TestAFileThatCannotBeReadIsNotReplaced(t *testing.T) {
	s := openStore(t)
	made, _, err := s.New("till", Scope{})
	must(t, err)
	path := pathOf(s)
	must(t, os.Rename(path, path+".aside"))
	must(t, os.Symlink(filepath.Base(path), path)) // which leads to itself
	if _, err := OpenStore(path); err == nil {
		t.Error("it is opened")
	}
	if _, known, err := s.find(made.ID); known || err == nil {
		t.Errorf("a token is known, or known not to be: %v, %v", known, err)
	}
	for name, change := range map[string]func() error{
		"New":    func() error { _, _, err := s.New("other", Scope{}); return err },
		"Revoke": func() error { _, err := s.Revoke("till"); return err },
	} {
		if err := change(); err == nil || errors.Is(err, ErrNoToken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, os.Rename(path+".aside", path))
	if list, err := s.List(); len(list) != 1 || err != nil {
		t.Errorf("%d tokens are left, %v", len(list), err)
	}
}

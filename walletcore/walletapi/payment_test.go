package walletapi

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
)

// openWithJournal is open with a wallet that stores its payments.
func openWithJournal(t testing.TB) *fixture {
	t.Helper()
	book, err := sqlite.Open(filepath.Join(testwallet.Folder(t), "payments.db"))
	must(t, err)
	t.Cleanup(func() { must(t, book.Close()) })
	return newFixtureWith(t, func(c *walletcore.Config) { c.Store = book }).unlock()
}

type paymentRow struct {
	ID    ledger.TransactionID `json:"transaction_id"`
	Key   string               `json:"request_key"`
	State string               `json:"state"`
	Block uint32               `json:"block_num"`
	Sent  string               `json:"sent"`
	Tx    json.RawMessage      `json:"transaction"`
}

func (s *fixture) payment(method string, params ...string) (p paymentRow) {
	s.t.Helper()
	must(s.t, json.Unmarshal([]byte(s.ok(method, params...)), &p))
	return p
}

func (s *fixture) mine() {
	s.t.Helper()
	_, err := s.box.Mine()
	must(s.t, err)
}

func TestPaymentsOverTheCatalogue(t *testing.T) {
	s := openWithJournal(t)
	if got := s.ok("list_payments", `10`); got != "[]" {
		t.Errorf("before the first there are %s", got)
	}
	transfer := []string{`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `"a secret memo"`, `true`, `"order-77"`}
	first := s.payment("transfer", transfer...)
	if again := s.payment("transfer", transfer...); again.ID != first.ID {
		t.Errorf("the same request made %s and %s", first.ID, again.ID)
	}
	other := append([]string{}, transfer...)
	other[2] = `"2"`
	s.refused(fault.RequestKey, "transfer", positional(other...))
	s.refused(fault.RequestKey, "transfer", Params{Named: map[string]json.RawMessage{
		"from": []byte(`"alice"`), "to": []byte(`"carol"`), "amount": []byte(`"1"`), "asset_symbol": []byte(`"DCT"`),
		"memo": []byte(`""`), "broadcast": []byte(`true`), "request_key": []byte(`"order-77"`),
	}})
	unkeyed := s.payment("transfer", transfer[:6]...)

	byKey, byID := s.payment("get_payment", `"order-77"`), s.payment("get_payment", quoted(first.ID.String()))
	if byKey.ID != first.ID || byID.Key != "order-77" || byID.State != "sent" || byID.Sent == "" ||
		!strings.Contains(string(byID.Tx), `"signatures"`) {
		t.Errorf("by key %+v, by id %+v", byKey, byID)
	}
	if text := s.ok("get_payment", `"order-77"`); strings.Contains(text, "secret memo") {
		t.Errorf("the memo is shown in %s", text)
	}
	list := s.ok("list_payments", `"10"`)
	var rows []paymentRow
	must(t, json.Unmarshal([]byte(list), &rows))
	if len(rows) != 2 || rows[0].ID != unkeyed.ID || rows[1].ID != first.ID || rows[0].Tx != nil {
		t.Errorf("the list is %s", list)
	}
	must(t, json.Unmarshal([]byte(s.ok("list_payments", `1`)), &rows))
	if len(rows) != 1 || rows[0].ID != unkeyed.ID {
		t.Errorf("the newest is %+v", rows)
	}
}

func TestWaitPaymentOverTheCatalogue(t *testing.T) {
	s := openWithJournal(t)
	id := s.payment("transfer", `"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `true`).ID
	if now := s.payment("wait_payment", quoted(id.String()), `"in_block"`, `0`); now.State != "sent" {
		t.Errorf("without time it is %s", now.State)
	}
	type outcome struct {
		text json.RawMessage
		err  error
	}
	waited := make(chan outcome)
	for _, state := range []string{"in_block", "irreversible"} {
		go func() {
			text, err := s.api.Call(s.ctx, "wait_payment", positional(quoted(id.String()), quoted(state), `60`))
			waited <- outcome{text, err}
		}()
		for done := false; !done; {
			s.mine()
			select {
			case o := <-waited:
				if done = true; o.err != nil || !strings.Contains(string(o.text), `"block_num":2`) ||
					state == "irreversible" && !strings.Contains(string(o.text), `"irreversible"`) {
					t.Errorf("waited for %s: %s, %v", state, o.text, o.err)
				}
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}

func TestPaymentQueriesThatFail(t *testing.T) {
	s := openWithJournal(t)
	for _, method := range []string{"get_payment", "wait_payment"} {
		p := positional(`"nothing"`)
		if method == "wait_payment" {
			p = positional(`"nothing"`, `"in_block"`, `0`)
		}
		out, err := s.api.Call(s.ctx, method, p)
		if fault.CodeOf(err) != fault.NoSuchPayment {
			t.Errorf("%s: %s, %v", method, out, err)
		}
	}
	s.refused(fault.BadParameter, "wait_payment", positional(`"x"`, `"soon"`, `1`))
	s.refused(fault.BadParameter, "wait_payment", positional(`"x"`, `"in_block"`, `3601`))
	s.refused(fault.LimitExceeded, "list_payments", positional(`1001`))
	s.ok("lock")
	if got := s.ok("list_payments", `5`); got != "[]" {
		t.Errorf("locked, the list is %s", got)
	}
}

// The review of a subscription shows the author's price and period, also if a subscription is active already, and warns
// of a payment above that price.
func TestSubscriptionReviewShowsTheAuthorsPrice(t *testing.T) {
	s := open(t)
	bobby := s.beside("bobby")
	mineFor(s, bobby)
	s.ok("set_subscription", `"alice"`, "true", "30", `"5"`, `"DCT"`, "true")
	mineFor(s, bobby)
	until := func(days ledger.Time) string {
		_, now, _ := bobby.on.View.Chain.Position()
		return "5.00000000 DCT for 30 days (until " + (now + days*86400).Words()[:10]
	}
	r := bobby.reviewed("subscribe_to_author", `"bobby"`, `"alice"`, `"50"`, `"DCT"`, "true")
	if !has(r, "what alice (1.2.", until(30), "10 times that is paid") {
		t.Errorf("too much: %+v", r.Effects)
	}
	mineFor(s, bobby)
	r = bobby.reviewed("subscribe_to_author", `"bobby"`, `"alice"`, `"5"`, `"DCT"`, "false")
	if !has(r, until(60)) || has(r, "times that is paid") {
		t.Errorf("what is asked, prolonged: %+v", r.Effects)
	}
}

package payment_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
	"billfold/walletcore/store"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// lostRequest is a request whose key is lost with the journal.
type lostRequest struct {
	key     string
	request txbuild.Request
	other   txbuild.Request // what must not be taken for it; zero = none
	id      ledger.TransactionID
}

func (l *lostRequest) spend(s *sitting, r txbuild.Request) (*txbuild.Signed, error) {
	how := payment.Sending{Broadcast: true, Key: l.key}
	if _, is := payout.PlanOf(l.key); is {
		how.With = s.Payments.OfPayout(l.key, payment.PayoutTerms{})
	}
	return s.Payments.Spend(s.Ctx, r, how)
}

// lostRequests are of each kind that is compared otherwise: by what it moves, by what it says, and row by row.
func lostRequests() []*lostRequest {
	transfer := func(amount, memo string) txbuild.Request {
		return txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: amount, Asset: "DCT", Memo: memo}, txbuild.Transfer)
	}
	message := func(text string, plain bool) txbuild.Request {
		p := txbuild.MessageParams{From: "alice", To: []string{"bobby", "carol"}, Text: text}
		if plain {
			return txbuild.NewRequest("send_unencrypted_message", p, txbuild.SendPlainMessage)
		}
		return txbuild.NewRequest("send_message", p, txbuild.SendMessage)
	}
	many := func(amounts ...string) txbuild.Request {
		p := txbuild.PayManyParams{From: "alice"}
		for _, amount := range amounts {
			p.Payments = append(p.Payments, txbuild.PayoutItem{To: "bobby", Amount: amount, Asset: "DCT", Memo: "of May"})
		}
		return txbuild.NewRequest("pay_many", p, txbuild.PayMany)
	}
	return []*lostRequest{
		{key: "order 7's", request: transfer("3", "for order 7")},
		{key: "order-8", request: transfer("3", "for order 8")}, // the same but for the memo
		{key: "order-9", request: transfer("3", "for order 9")},
		{key: "said/1", request: message("the parcel left", false), other: message("the parcel is lost", false)},
		{key: "said/2", request: message("open to all", true), other: message("open to all", false)},
		{key: "payout/8d99b56c/1/1", request: many("1.01", "1.02"), other: many("1.05", "1.02")},
	}
}

// An older folder comes back. Whatever is asked for again under its own key is refused with the transaction, the key and the very command
// that says so, also while everything is held; what only looks like it is not taken for it. Once the command was run, the request is answered with
// its transaction, and nothing is made twice.
func TestWhatWasLostIsNamedAndAnsweredOnceItIsClaimed(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	for range 12 {
		p.now.Forward(5 * time.Second)
		s.Mine()
	}
	s.Pay("alice", "bobby", "1", "")
	s.end()
	older := folderOf(t, p.dir)
	s = p.sit()
	all := lostRequests()
	for _, l := range all {
		signed, err := l.spend(s, l.request)
		testwallet.Must(t, err)
		l.id = signed.TransactionID
	}
	s.mineUntil(all[len(all)-1].id, payment.Irreversible)
	s.end()
	back := &place{t: t, dir: testwallet.Folder(t), box: p.box, now: p.now, url: p.url}
	for name, data := range older {
		testwallet.Must(t, os.WriteFile(filepath.Join(back.dir, name), data, 0o600))
	}
	s = back.sit()
	if s.Payments.JournalFault() == nil {
		t.Fatal("the older folder is not noticed")
	}
	claims := []store.Claim{}
	for _, l := range all {
		_, err := l.spend(s, l.request)
		e := faulttest.Refused(t, err, fault.RequestKey)
		word := l.key
		if strings.ContainsAny(word, " '") {
			word = `'order 7'\''s'`
		}
		if want := "billfold journal claim " + word + " " + l.id.String(); !strings.Contains(e.Hint, want) || e.RequestKey != fault.KeySame {
			t.Errorf("%q is told as %q, without %q", l.key, e, want)
		}
		claims = append(claims, store.Claim{Key: l.key, ID: l.id.String()})
		if l.other.Op == "" {
			continue
		}
		_, err = l.spend(s, l.other)
		_, isPayout := payout.PlanOf(l.key)
		if told := fault.CodeOf(err) == fault.RequestKey; err == nil || told != isPayout || told && !strings.Contains(err.Error(), "makes some of these payments") {
			t.Errorf("%q with another content is told as %v", l.key, err)
		}
	}
	rows := []ledger.Movement{}
	for _, amount := range []int64{1_0100_0000, 7} {
		rows = append(rows, ledger.Movement{To: s.Account("bobby").ID.Object(), Amount: ledger.AssetAmount{Amount: amount}})
	}
	check := func(label string) []payment.PaidRow {
		paid, _, err := s.Payments.CheckPayout(s.Ctx, s.Account("alice").ID, "another", label, rows, 0)
		testwallet.Must(t, err)
		return paid
	}
	if paid := check("may"); len(paid) != 1 || paid[0].Row != 0 || !paid[0].Lost || !paid[0].Counts || paid[0].Pays != 2 {
		t.Errorf("of an edited file is told %+v", paid)
	}
	rows = append(rows, rows[0]) // a second payment of the same, which nobody has made
	if paid := check("may"); len(paid) != 1 {
		t.Errorf("of two equal rows, one of which was paid, is told %+v", paid)
	}
	rows = rows[:2]
	testwallet.Must(t, s.journal.ClaimFound(context.Background(), false, claims...))
	_, err := s.journal.Hold(s.Ctx)
	testwallet.Must(t, err)
	if paid := check("may"); len(paid) != 1 || paid[0].Plan != "8d99b56c" || !paid[0].Counts || paid[0].Labelled {
		t.Errorf("of an edited file is told %+v once it is claimed", paid)
	}
	for _, l := range all {
		signed, err := l.spend(s, l.request)
		if err != nil || signed.TransactionID != l.id {
			t.Errorf("%q is answered %v (%v), not %s", l.key, signed, err, l.id)
		}
		if l.other.Op != "" {
			_, err := l.spend(s, l.other)
			if e := faulttest.Refused(t, err, fault.RequestKey); !strings.Contains(e.Message, "was used for another payment") {
				t.Errorf("%q with another content is told as %q", l.key, e)
			}
		}
	}
}

package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/store"
)

func payments() []behaviour {
	return []behaviour{
		{"entries come back as they were", comeBack},
		{"an empty store has nothing", hasNothing},
		{"changes that contradict are refused", contradict},
		{"a refused change leaves the others", leaveOthers},
		{"many are updated at once, each as it is", updateMany},
		{"a refusal takes back its whole batch", takeBackBatch},
		{"lists are in the same order", listInOrder},
		{"a text that not every database keeps is no request key", refuseKeys},
		{"a caller who leaves is told the truth", tellWhoLeaves},
		{"a closed store says so", sayClosed},
	}
}

func comeBack(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	first, second := entry(1), entry(2)
	first.Key, first.Request, first.Chain, first.LastProven = "order 77", "a mark", ledger.ChainID{1, 2, 3}, 1<<32-1
	for _, e := range []store.Entry{first, second} {
		must(t, s.Journal.Add(ctx, e))
	}
	first.State, first.Block, first.TrxInBlock, first.Code, first.Reason = store.InBlock, 1<<32-1, 2, "code", "reason: ≠ \"quoted\""
	first.Sent, first.InBlock = first.Prepared.Add(time.Second), first.Prepared.Add(3*time.Second)
	must(t, s.Journal.Update(ctx, first))
	final := entry(3)
	final.FinalAt = final.Prepared.Add(time.Minute)
	must(t, s.Journal.Add(ctx, final)) // as one that is brought from elsewhere
	final.State, final.FinalAt = store.Irreversible, final.Prepared.Add(2*time.Minute)
	must(t, s.Journal.Update(ctx, final))
	must(t, s.Close())
	s = p.open(t, 0)
	got, err := s.Journal.Get(ctx, first.ID)
	got.Owner = ""
	if err != nil || !reflect.DeepEqual(got, first) {
		t.Errorf("got %+v (%v), want %+v", got, err, first)
	}
	if got, err := s.Journal.Get(ctx, final.ID); err != nil || !got.FinalAt.Equal(final.FinalAt) || got.State != store.Irreversible {
		t.Errorf("got %+v (%v), want %+v", got, err, final)
	}
	if got, err := s.Journal.ByKey(ctx, "order 77"); err != nil || got.ID != first.ID {
		t.Errorf("by key: %+v (%v)", got, err)
	}
	if list, err := s.Journal.Open(ctx); err != nil || len(list) != 2 || list[0].ID != first.ID {
		t.Errorf("open: %+v (%v)", list, err)
	}
}

func hasNothing(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	for name, list := range map[string]func() ([]store.Entry, error){
		"latest":  func() ([]store.Entry, error) { return s.Journal.Latest(ctx, 10) },
		"open":    func() ([]store.Entry, error) { return s.Journal.Open(ctx) },
		"of keys": func() ([]store.Entry, error) { return s.Journal.LatestOf(ctx, "pay", 10) },
	} {
		if list, err := list(); err != nil || len(list) != 0 {
			t.Errorf("%s: %+v (%v)", name, list, err)
		}
	}
	if _, err := s.Journal.Get(ctx, entry(1).ID); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if _, err := s.Journal.ByKey(ctx, "none"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if at, err := s.Cursors.Cursor(ctx, 17); err != nil || at != (store.Cursor{}) {
		t.Error(at, err)
	}
	if sum, known, err := s.Limits.Spent(ctx, store.Spend{Token: "t", Key: "k"}, time.Now()); sum != 0 || known || err != nil {
		t.Error(sum, known, err)
	}
	if err := s.Audit.Records(ctx, func(r store.AuditRecord) error { return errors.New(r.Text) }); err != nil {
		t.Error(err)
	}
	if drafts, err := s.Drafts.List(ctx, 17); err != nil || len(drafts) != 0 {
		t.Error(drafts, err)
	}
	if contacts, err := s.Contacts.List(ctx); err != nil || len(contacts) != 0 {
		t.Error(contacts, err)
	}
}

// Which state may follow which is written out here: the code computes it.
func contradict(t *testing.T, p place) {
	ctx, j := t.Context(), p.open(t, 0).Journal
	may := map[store.State]string{
		store.Prepared: "prepared sent in_block irreversible unknown rejected expired", store.Sent: "sent in_block irreversible unknown expired",
		store.InBlock: "sent in_block irreversible unknown expired", store.Unknown: "sent in_block irreversible unknown expired",
		store.Rejected: "rejected in_block irreversible", store.Irreversible: "irreversible", store.Expired: "expired",
	}
	n := uint32(0)
	for from := range may {
		for to := range may {
			n++
			e := entry(n)
			e.State = from
			must(t, j.Add(ctx, e))
			e.State = to
			err := j.Update(ctx, e)
			if allowed := slices.Contains(strings.Fields(may[from]), string(to)); allowed != (err == nil) {
				t.Errorf("%s to %s: %v", from, to, err)
			}
			if got, _ := j.Get(ctx, e.ID); (err == nil) != (got.State == to) && from != to {
				t.Errorf("%s to %s: it is %s (%v)", from, to, got.State, err)
			}
		}
	}
	proven := entry(n + 1)
	proven.State = store.Sent
	must(t, j.Add(ctx, proven))
	proven.State, proven.Proven = store.Rejected, true
	must(t, j.Update(ctx, proven))
}

func leaveOthers(t *testing.T, p place) {
	ctx, j := t.Context(), p.open(t, 0).Journal
	over, open := entry(1), entry(2)
	over.State = store.Expired
	must(t, j.Add(ctx, over))
	must(t, j.Add(ctx, open))
	over.State, open.State = store.Sent, store.Sent
	var refused *store.RefusedError
	err := j.Update(ctx, over, entry(99), open)
	if !errors.As(err, &refused) || !reflect.DeepEqual(refused.IDs, []ledger.TransactionID{over.ID, entry(99).ID}) {
		t.Errorf("refused were %v", err)
	}
	if err := j.Update(ctx, entry(99)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a payment that is not there was changed: %v", err)
	}
	if list, err := j.Open(ctx); err != nil || len(list) != 1 || list[0].State != store.Sent {
		t.Errorf("open are %+v (%v)", list, err)
	}
	if err := j.Add(ctx, open); !errors.Is(err, store.ErrIDTaken) {
		t.Errorf("written twice: %v", err)
	}
}

// As many payments as a block may have are written at once, each as it is; one that may not change, or is not there, keeps no other from it.
func updateMany(t *testing.T, p place) {
	ctx, j := t.Context(), p.open(t, 0).Journal
	const payments, over, missing = 3*store.UpdateAtOnce + 5, store.UpdateAtOnce + 7, 3
	list := make([]store.Entry, payments)
	for n := range list {
		if list[n] = entry(uint32(n + 1)); n == over {
			list[n].State = store.Expired
		}
		if n != missing {
			must(t, j.Add(ctx, list[n]))
		}
		list[n].State, list[n].Block, list[n].TrxInBlock, list[n].Code, list[n].Reason = store.InBlock, uint32(100+n), uint32(n), fmt.Sprint("code ", n), fmt.Sprint("reason ", n)
		list[n].Sent, list[n].InBlock = list[n].Prepared.Add(time.Second), list[n].Prepared.Add(2*time.Second)
	}
	var refused *store.RefusedError
	err := j.Update(ctx, list...)
	if !errors.As(err, &refused) || !reflect.DeepEqual(refused.IDs, []ledger.TransactionID{list[missing].ID, list[over].ID}) {
		t.Errorf("refused were %v", err)
	}
	for n, want := range list {
		got, err := j.Get(ctx, want.ID)
		switch {
		case n == missing:
			continue
		case n == over:
			want.State, want.Block, want.TrxInBlock, want.Code, want.Reason = store.Expired, 0, 0, "", ""
			want.Sent, want.InBlock = time.Time{}, time.Time{}
		}
		if want.Owner = got.Owner; err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%d: %+v %v, wanted %+v", n, got, err, want)
		}
	}
}

// The sum, the record and the payment of a call are written together, or none of them is.
func takeBackBatch(t *testing.T, p place) {
	s := p.open(t, 0)
	over, at := errors.New("over the limit"), time.Now()
	call := func(n uint32, key string, amount int64) (*store.Reservation, error) {
		ctx := store.WithCallBatch(t.Context())
		r := &store.Reservation{Spend: store.Spend{Token: "shop", Key: key, Amount: amount}, Limit: 10, At: at, Over: over}
		must(t, s.Limits.Reserve(ctx, store.CallBatchOf(ctx), r))
		store.CallBatchOf(ctx).Add(s.Audit.Append(nextRecord("payment "+key), nil))
		e := entry(n)
		e.Key = key
		return r, s.Journal.Add(ctx, e)
	}
	for _, x := range []struct {
		n      uint32
		key    string
		amount int64
		want   error
	}{{1, "a", 6, nil}, {2, "a", 1, store.ErrKeyTaken}, {3, "b", 5, over}, {4, "c", 4, nil}, {5, "d", 1, over}, {4, "e", 0, store.ErrIDTaken}} {
		if _, err := call(x.n, x.key, x.amount); !errors.Is(err, x.want) {
			t.Errorf("payment %d: %v, want %v", x.n, err, x.want)
		}
	}
	if sum, _, err := s.Limits.Spent(t.Context(), store.Spend{Token: "shop"}, at); sum != 10 || err != nil {
		t.Error("spent are", sum, err)
	}
	if texts := recordTexts(t, s); !reflect.DeepEqual(texts, []string{"payment a", "payment c"}) {
		t.Errorf("recorded are %q", texts)
	}
	if list, err := s.Journal.Latest(t.Context(), 10); err != nil || len(list) != 2 {
		t.Error(list, err)
	}
}

func listInOrder(t *testing.T, p place) {
	ctx, j := t.Context(), p.open(t, 0).Journal
	for n, key := range []string{"pay_1", "pay-1", "Pay 1", "päy1", "pay%1", "pay 10", "pay😀1"} {
		e := entry(uint32(n + 1))
		e.Key, e.Prepared = key, entry(7).Prepared.Add(time.Duration(n/2)*time.Millisecond)
		must(t, j.Add(ctx, e))
	}
	for prefix, want := range map[string]string{
		"": "[pay😀1 pay%1 pay 10 Pay 1 päy1 pay_1 pay-1]", "pay": "[pay😀1 pay%1 pay 10 pay_1 pay-1]", "pay_": "[pay_1]", "pay%": "[pay%1]",
		"pay😀": "[pay😀1]", "PAY": "[]", "pä": "[päy1]",
	} {
		list, err := j.LatestOf(ctx, prefix, 100)
		keys := []string{}
		for _, e := range list {
			keys = append(keys, e.Key)
		}
		if got := fmt.Sprint(keys); got != want || err != nil {
			t.Errorf("with %q begin %s (%v)", prefix, got, err)
		}
	}
	if list, err := j.Latest(ctx, 2); err != nil || len(list) != 2 || list[0].ID != entry(7).ID || list[1].ID != entry(5).ID {
		t.Error(list, err)
	}
}

func refuseKeys(t *testing.T, p place) {
	ctx, j := t.Context(), p.open(t, 0).Journal
	longest := strings.Repeat("😀", 50)
	for n, x := range []struct {
		key  string
		kept bool
	}{
		{longest, true}, {"a\x00b", false}, {"\xff\xfe", false}, {strings.Repeat("x", 200), true}, {strings.Repeat("x", 201), false}, {"'; DROP TABLE payments; --", true},
		{" ", true}, {"é", true}, {"e\u0301", true}, // which look alike, and are not the same
	} {
		e := entry(uint32(n + 1))
		e.Key = x.key
		if err := j.Add(ctx, e); (err == nil) != x.kept || !x.kept && !errors.Is(err, store.ErrBadKey) {
			t.Errorf("%q: %v", x.key, err)
		}
		if got, err := j.ByKey(ctx, x.key); (err == nil) != x.kept || x.kept && got.Key != x.key {
			t.Errorf("%q: %+v (%v)", x.key, got, err)
		}
	}
}

func tellWhoLeaves(t *testing.T, p place) {
	j := p.open(t, 0).Journal
	must(t, j.Add(t.Context(), entry(100)))
	for n := range uint32(50) {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		err := j.Add(ctx, entry(n+1))
		if left, ok := errors.AsType[*store.PendingError](err); ok {
			err = left.Outcome()
		}
		if _, missing := j.Get(t.Context(), entry(n+1).ID); (err == nil) != (missing == nil) {
			t.Errorf("add said %v, get says %v", err, missing)
		}
		cancel()
	}
}

func sayClosed(t *testing.T, p place) {
	s := p.open(t, 0)
	must(t, s.Journal.Add(t.Context(), entry(1)))
	must(t, s.Audit.Note(s.Audit.Append(nextRecord("noted"), nil)))
	for range 2 {
		must(t, s.Close())
	}
	if err := s.Journal.Add(t.Context(), entry(2)); !errors.Is(err, store.ErrClosed) {
		t.Errorf("added: %v", err)
	}
	if texts := recordTexts(t, p.open(t, 0)); !reflect.DeepEqual(texts, []string{"noted"}) {
		t.Errorf("what was noted is lost: %q", texts)
	}
}

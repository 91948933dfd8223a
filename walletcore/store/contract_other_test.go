package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/store"
)

func others() []behaviour {
	return []behaviour{
		{"records are read in their order", readRecords},
		{"a limit looks back a day", lookBackADay},
		{"drafts are numbered", numberDrafts},
		{"a payment takes its draft along", spendDrafts},
		{"transactions under construction are the same for all", construct},
		{"contacts come back", keepContacts},
		{"labels and marks of messages come back", keepLabels},
		{"proofs of backups come back", keepBackups},
		{"the next state of an object is written once", numberStates},
	}
}

// nextRecord makes a record whose hash covers the one before, as the audit log does.
func nextRecord(text string) func(store.Tx, store.AuditRecord) (store.AuditRecord, error) {
	return func(_ store.Tx, last store.AuditRecord) (store.AuditRecord, error) {
		return store.AuditRecord{Number: last.Number + 1, Text: text, Hash: recordHash(last.Hash, text)}, nil
	}
}

func recordHash(before, text string) string {
	sum := sha256.Sum256([]byte(before + text))
	return hex.EncodeToString(sum[:])
}

// recordTexts checks the chain and returns what it records.
func recordTexts(t *testing.T, s *store.Store) (texts []string) {
	t.Helper()
	before, number := "", int64(0)
	must(t, s.Audit.Records(t.Context(), func(r store.AuditRecord) error {
		number++
		if r.Number != number || r.Hash != recordHash(before, r.Text) {
			return fmt.Errorf("record %d (%s) does not follow record %d", r.Number, r.Text, number-1)
		}
		before = r.Hash
		texts = append(texts, r.Text)
		return nil
	}))
	return texts
}

func readRecords(t *testing.T, p place) {
	s := p.open(t, 0)
	want := []string{}
	for n := range 20 {
		text := fmt.Sprintf(`{"what":"payment %d \u0000 é 😀"}`, n)
		want = append(want, text)
		kept := make(chan struct{}, 1)
		must(t, s.Audit.Write(t.Context(), s.Audit.Append(nextRecord(text), func() { kept <- struct{}{} })))
		<-kept
	}
	if got := recordTexts(t, s); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	stop := errors.New("enough")
	seen := 0
	if err := s.Audit.Records(t.Context(), func(store.AuditRecord) error { seen++; return stop }); !errors.Is(err, stop) || seen != 1 {
		t.Error(err, seen)
	}
	must(t, s.Audit.Write(t.Context(), s.Audit.Append(nextRecord("more"), nil)))
}

func lookBackADay(t *testing.T, p place) {
	s, now := p.open(t, 0), time.Now()
	over := errors.New("over")
	reserve := func(spend store.Spend) error {
		return s.Limits.Reserve(t.Context(), nil, &store.Reservation{Spend: spend, Limit: 1 << 62, At: now, Over: over})
	}
	gold := store.Spend{Token: "shop", Asset: ledger.AssetID(3), Amount: 5}
	for _, spend := range []store.Spend{gold, {Token: "shop", Amount: 7}, {Token: "other", Asset: gold.Asset, Amount: 9}} {
		must(t, reserve(spend))
	}
	if err := reserve(store.Spend{Token: "shop", Asset: gold.Asset, Amount: 1<<63 - 1}); !errors.Is(err, over) {
		t.Error("a sum that no number holds:", err)
	}
	for at, want := range map[time.Duration]int64{0: 5, 23 * time.Hour: 5, 25 * time.Hour: 0} {
		if sum, _, err := s.Limits.Spent(t.Context(), gold, now.Add(at)); sum != want || err != nil {
			t.Errorf("after %v: %d (%v)", at, sum, err)
		}
	}
	must(t, s.Limits.Release(t.Context(), gold))
	if sum, _, err := s.Limits.Spent(t.Context(), gold, now); sum != 0 || err != nil {
		t.Error("released, there are", sum, err)
	}
}

// A draft goes in the commit that has its payment, and with no other.
func spendDrafts(t *testing.T, p place) {
	s, at := p.open(t, 0), time.Unix(1_800_000_000, 0).UTC()
	for n := range int64(3) {
		_, err := s.Drafts.Add(t.Context(), 17, at, fmt.Sprint("draft ", n+1), 9)
		must(t, err)
	}
	spend := func(e store.Entry, numbers ...int64) error {
		ctx := store.WithCallBatch(t.Context())
		for _, number := range numbers {
			store.CallBatchOf(ctx).Add(store.DropDraft(number))
		}
		return s.Journal.Add(ctx, e)
	}
	left := func() (out string) {
		list, err := s.Drafts.List(t.Context(), 17)
		must(t, err)
		for _, d := range list {
			out += fmt.Sprint(d.Number, " ")
		}
		return out
	}
	must(t, spend(entry(1), 2))
	if got := left(); got != "3 1 " {
		t.Errorf("drafts %sare left", got)
	}
	if err := spend(entry(1), 1); !errors.Is(err, store.ErrIDTaken) || left() != "3 1 " {
		t.Errorf("a payment that is refused: %v, drafts %sare left", err, left())
	}
	must(t, spend(entry(2), 2, 3)) // one is gone already
	if got := left(); got != "1 " {
		t.Errorf("drafts %sare left", got)
	}
}

func numberDrafts(t *testing.T, p place) {
	ctx, all, at := t.Context(), openAll(t, p), time.Unix(1_800_000_000, 0).UTC()
	var old []store.Draft
	for n := range int64(3) {
		kept := store.Draft{Number: n + 1, Saved: at.Add(time.Duration(n) * time.Second), Sealed: fmt.Sprint("draft ", n)}
		if number, err := all[n].Drafts.Add(ctx, 17, kept.Saved, kept.Sealed, 3); number != kept.Number || err != nil {
			t.Error(number, err)
		}
		old = append(old, kept)
	}
	if _, err := all[0].Drafts.Add(ctx, 17, at, "one too many", 3); !errors.Is(err, store.ErrManyDrafts) {
		t.Error(err)
	}
	if _, err := all[1].Drafts.Add(ctx, 18, at, "another's", 3); err != nil {
		t.Error(err)
	}
	listed := func(want ...store.Draft) {
		t.Helper()
		if list, err := all[1].Drafts.List(ctx, 17); err != nil || !reflect.DeepEqual(list, want) {
			t.Errorf("%+v (%v), not %+v", list, err, want)
		}
	}
	for n, want := range []store.Draft{old[1], {}} { // the second time it is gone already
		if gone, err := all[2].Drafts.Drop(ctx, 2); gone != want || err != nil {
			t.Errorf("drop %d: %+v (%v)", n, gone, err)
		}
	}
	listed(old[2], old[0])
	// What was dropped is where it was again, also where another has its number by now.
	for _, number := range []int64{4, 3} {
		_, err := all[0].Drafts.Drop(ctx, number)
		must(t, err)
	}
	later := store.Draft{Number: 2, Saved: at.Add(time.Minute), Sealed: "later"}
	if number, err := all[1].Drafts.Add(ctx, 17, later.Saved, later.Sealed, 4); number != 2 || err != nil {
		t.Error(number, err)
	}
	for _, gone := range []store.Draft{old[2], old[1]} {
		want := map[int64]int64{3: 3, 2: 4}[gone.Number]
		if number, err := all[2].Drafts.Restore(ctx, 17, gone, 4); number != want || err != nil {
			t.Error(number, err)
		}
	}
	moved := old[1]
	moved.Number = 4
	listed(later, old[2], moved, old[0])
	if _, err := all[0].Drafts.Restore(ctx, 17, old[1], 4); !errors.Is(err, store.ErrManyDrafts) {
		t.Error(err)
	}
}

// What several programs change in transactions under construction at the same time is all in them, in whatever order they
// meet them, and the last that there may be is begun once.
func construct(t *testing.T, p place) {
	ctx, all, at := t.Context(), openAll(t, p), time.Unix(1_800_000_000, 0)
	const most, callers, rounds = 7, 4, 3
	full := errors.New("full")
	begin := func(s *store.Store, at time.Time) (uint64, error) {
		return s.Building.Begin(ctx, store.Construction{Token: "shop", Packed: make([]byte, 10)}, at, func(all, own int) error {
			if all >= most || own > all {
				return full
			}
			return nil
		})
	}
	var two [2]uint64
	for i := range two {
		var err error
		two[i], err = begin(all[i], at)
		must(t, err)
	}
	atOnce(all, callers, func(_, caller int, s *store.Store) {
		for i := range rounds * len(two) {
			err := s.Building.Change(ctx, two[(i+caller)%2], at, func(c store.Construction) ([]byte, error) {
				return append(c.Packed, byte(caller)), nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	for _, s := range all {
		for _, handle := range two {
			if c, err := s.Building.Get(ctx, handle); err != nil || c.Token != "shop" || len(c.Packed) != 10+programs*callers*rounds {
				t.Errorf("%d of %d changes of %q (%v)", len(c.Packed)-10, programs*callers*rounds, c.Token, err)
			}
		}
	}
	var begun atomic.Int32
	atOnce(all, callers, func(_, _ int, s *store.Store) {
		switch _, err := begin(s, at); {
		case err == nil:
			begun.Add(1)
		case !errors.Is(err, full):
			t.Error(err)
		}
	})
	if n := begun.Load(); n != most-2 {
		t.Errorf("%d more were begun, not %d", n, most-2)
	}
	refused := errors.New("no")
	for _, want := range []error{refused, nil} { // nil removes it
		err := all[0].Building.Change(ctx, two[0], at, func(store.Construction) ([]byte, error) { return nil, want })
		if !errors.Is(err, want) {
			t.Error(err)
		}
	}
	for _, handle := range []uint64{two[0], 0, 1<<64 - 1} {
		if _, err := all[1].Building.Get(ctx, handle); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%d: %v", handle, err)
		}
	}
	if p.owned {
		return // whose clock is that of the database
	}
	_, err := begin(all[2], at.Add(25*time.Hour))
	must(t, err)
	if _, err := all[0].Building.Get(ctx, two[1]); !errors.Is(err, store.ErrNotFound) {
		t.Error("after a day:", err)
	}
}

func keepContacts(t *testing.T, p place) {
	ctx, all := t.Context(), openAll(t, p)
	key := ledger.DeriveKey("contact", 0).Public()
	authority := ledger.SingleKeyAuthority(key)
	authority.AccountAuths = []ledger.AccountWeight{}
	contact := func(n int, name string) store.Contact {
		return store.Contact{Chain: chain, Name: name, Sealed: "note", SeenAccount: store.SeenAccount{
			ID: ledger.AccountID(n), MemoKey: key, Active: authority, Owner: authority, Since: time.Unix(1_800_000_000, 0)}}
	}
	for n, name := range []string{"bob-b", "bob.a", "alice", "bob0"} { // an order by bytes
		must(t, all[n%programs].Contacts.Put(ctx, contact(n, name)))
	}
	must(t, all[0].Contacts.SetNote(ctx, chain, 2, "another note"))
	must(t, all[1].Contacts.Drop(ctx, chain, 3))
	first := contact(2, "alice")
	first.Sealed = "another note"
	want := []store.Contact{first, contact(0, "bob-b"), contact(1, "bob.a")}
	if list, err := all[2].Contacts.List(ctx); err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("%+v (%v)\nwant %+v", list, err, want)
	}
}

func keepBackups(t *testing.T, p place) {
	ctx, all := t.Context(), openAll(t, p)
	if _, there, err := all[0].Backups.Last(ctx, chain, 16); there || err != nil {
		t.Errorf("there is one: %v, %v", there, err)
	}
	key, other := ledger.DeriveKey("paper", 0).Public(), ledger.DeriveKey("more", 0).Public()
	second := store.BackupCheck{Chain: chain, Account: 16, Keys: []ledger.PublicKey{key, other}, At: time.Unix(1_800_000_001, 0)}
	first := store.BackupCheck{Chain: chain, Account: 16, Keys: []ledger.PublicKey{key}, At: time.Unix(1_800_000_000, 0)}
	must(t, all[0].Backups.Put(ctx, first))
	must(t, all[1].Backups.Put(ctx, second))
	if last, there, err := all[0].Backups.Last(ctx, chain, 16); err != nil || !there || !reflect.DeepEqual(last, second) {
		t.Errorf("%+v, %v", last, err)
	}
}

func keepLabels(t *testing.T, p place) {
	ctx, all := t.Context(), openAll(t, p)
	first := store.Label{Chain: chain, Row: 12, Block: 7, Sealed: "sealed", Since: time.Unix(1_800_000_000, 0)}
	second := store.Label{Chain: chain, Row: 13, Block: 8, Sealed: "other", Since: time.Unix(1_800_000_001, 0)}
	for _, l := range []store.Label{{Chain: chain, Row: 12, Block: 6, Sealed: "before", Since: first.Since}, first} {
		must(t, all[0].Labels.Put(ctx, l))
	}
	must(t, all[1].Labels.Put(ctx, second))
	if list, err := all[1].Labels.List(ctx); err != nil || !reflect.DeepEqual(list, []store.Label{first, second}) {
		t.Errorf("%+v, %v", list, err)
	}
	must(t, all[1].Labels.Drop(ctx, chain, 12))
	if list, err := all[0].Labels.List(ctx); err != nil || !reflect.DeepEqual(list, []store.Label{second}) {
		t.Errorf("%+v, %v", list, err)
	}
	mark := store.MessageMark{Chain: chain, Account: 16, Other: 17, UnreadFrom: 5, ShownFrom: 3}
	must(t, all[0].Messages.Put(ctx, store.MessageMark{Chain: chain, Account: 16, Other: 17, UnreadFrom: 1}))
	must(t, all[1].Messages.Put(ctx, mark))
	if list, err := all[0].Messages.List(ctx, chain, 16); err != nil || !reflect.DeepEqual(list, []store.MessageMark{mark}) {
		t.Errorf("%+v, %v", list, err)
	}
}

// Of two changes that were built on the same state of an object, one is written, with its payment; of the other nothing is.
func numberStates(t *testing.T, p place) {
	s, chain, object := p.open(t, 0), ledger.ChainID{7}, ledger.AccountID(16).Object()
	state := func(number int64, kind store.ObjectKind, memo string, e store.Entry) store.ObjectState {
		return store.ObjectState{Object: object, Number: number, Kind: kind, State: ledger.ObjectState{"memo key": memo}, Transaction: e.ID,
			Expires: 9, Since: time.Unix(1_800_000_000, 0)}
	}
	must(t, s.Objects.Append(t.Context(), chain, 0, state(1, store.ObjectAccepted, "a", store.Entry{})))
	must(t, s.Journal.Add(t.Context(), entry(1), store.AppendStates(chain, 1, state(2, store.ObjectChanged, "b", entry(1)))))
	err := s.Journal.Add(t.Context(), entry(2), store.AppendStates(chain, 1, state(2, store.ObjectChanged, "c", entry(2))))
	if !errors.Is(err, store.ErrObjectChanged) {
		t.Errorf("the second change: %v", err)
	}
	if _, err := s.Journal.Get(t.Context(), entry(2).ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("its payment: %v", err)
	}
	rows, err := s.Objects.States(t.Context(), chain, object)
	must(t, err)
	if len(rows) != 2 || rows[1].State["memo key"] != "b" || rows[1].Transaction != entry(1).ID || rows[1].Payment != entry(1).State {
		t.Errorf("the states are %+v", rows)
	}
	told := store.ObjectChange{Object: object, Transaction: "1.7.5", Block: 4, Text: "what", Undone: []ledger.TransactionID{entry(1).ID},
		Noticed: time.Unix(1_800_000_000, 0)}
	for _, isNew := range []bool{true, false} {
		if got, err := s.Objects.Notice(t.Context(), chain, told); got != isNew || err != nil {
			t.Errorf("noticed %v, want %v (%v)", got, isNew, err)
		}
	}
	must(t, s.Objects.Acknowledge(t.Context(), chain))
	told.Seen = true
	if list, err := s.Objects.Noticed(t.Context(), chain); err != nil || !reflect.DeepEqual(list, []store.ObjectChange{told}) {
		t.Errorf("noticed were %+v (%v)", list, err)
	}
	if found, err := s.Objects.Forget(t.Context(), chain, object); !found || err != nil {
		t.Errorf("forgotten: %v, %v", found, err)
	}
}

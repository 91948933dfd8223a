package store_test

import (
	"reflect"
	"strconv"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/finality"
	"billfold/walletcore/store"
)

func pins() []behaviour {
	return []behaviour{
		{"pins outlive the program", pinsOutlive},
		{"a pin stays", pinStays},
		{"many pins are found at once", manyPins},
		{"a seen account is replaced", seenIsReplaced},
		{"content has one author", oneAuthor},
		{"anchors only go forward", anchorsGoForward},
		{"a fact stays until it is accepted anew", factStays},
	}
}

func accountPin(n int) store.AccountPin {
	return store.AccountPin{ID: ledger.AccountID(n), Name: "n" + strconv.Itoa(n), Source: "ws://a", Since: time.Unix(1, 0)}
}

func assetPin(n int) store.AssetPin {
	return store.AssetPin{ledger.AssetID(n), "A" + strconv.Itoa(n), 4, "ws://a", time.Unix(1, 0)}
}

func accountIDs(n int) (ids []ledger.AccountID) {
	for id := range ledger.AccountID(n) {
		ids = append(ids, id)
	}
	return ids
}

func pinsOutlive(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	if found, err := s.Pins.AccountPins(ctx, chain, []ledger.AccountID{17}, []string{"bob"}); found != nil || err != nil {
		t.Fatal(found, err)
	}
	bob := store.AccountPin{17, "bob", "ws://a", time.Unix(1000, 0)}
	kept, err := s.Pins.PinAccounts(ctx, chain, bob)
	must(t, err)
	if !reflect.DeepEqual(kept, []store.AccountPin{bob, bob}) {
		t.Error("kept:", kept)
	}
	gold := store.AssetPin{3, "GOLD", 4, "ws://a", time.Unix(1001, 0)}
	_, err = s.Pins.PinAssets(ctx, chain, gold)
	must(t, err)
	must(t, s.Close())

	s = p.open(t, 0)
	found, err := s.Pins.AccountPins(ctx, chain, nil, []string{"bob", "carol"})
	must(t, err)
	if !reflect.DeepEqual(found, []store.AccountPin{bob}) {
		t.Error("found:", found)
	}
	assets, err := s.Pins.AssetPins(ctx, chain, []ledger.AssetID{3, 4}, nil)
	must(t, err)
	if !reflect.DeepEqual(assets, []store.AssetPin{gold}) {
		t.Error("found:", assets)
	}
	if other, err := s.Pins.AccountPins(ctx, ledger.ChainID{2}, []ledger.AccountID{17}, []string{"bob"}); len(other) != 0 || err != nil {
		t.Error("another chain has", other, err)
	}
}

// Neither the id nor the name of a pin can be taken by another one.
func pinStays(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	bob := store.AccountPin{17, "bob", "ws://a", time.Unix(1000, 0)}
	_, err := s.Pins.PinAccounts(ctx, chain, bob)
	must(t, err)
	for _, lie := range []store.AccountPin{{19, "bob", "ws://b", time.Unix(2000, 0)}, {17, "mallory", "ws://b", time.Unix(2000, 0)}} {
		kept, err := s.Pins.PinAccounts(ctx, chain, lie)
		must(t, err)
		if !reflect.DeepEqual(kept, []store.AccountPin{bob}) {
			t.Error("kept:", kept)
		}
	}
	gone, err := s.Pins.ForgetAccount(ctx, chain, 17)
	must(t, err)
	again, err := s.Pins.ForgetAccount(ctx, chain, 17)
	must(t, err)
	if !gone || again {
		t.Error("forgotten:", gone, again)
	}
	other := store.AccountPin{19, "bob", "ws://b", time.Unix(2000, 0)}
	if kept, err := s.Pins.PinAccounts(ctx, chain, other); err != nil || len(kept) != 2 || kept[0] != other {
		t.Error("kept:", kept, err)
	}
}

func manyPins(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	for _, n := range []int{0, 200, 3*200 - 1} {
		_, err := s.Pins.PinAccounts(ctx, chain, accountPin(n))
		must(t, err)
	}
	if found, err := s.Pins.AccountPins(ctx, chain, accountIDs(3*200), nil); len(found) != 3 || err != nil {
		t.Error(found, err)
	}
}

func seenIsReplaced(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	if a, err := s.Pins.SeenAccount(ctx, chain, 17); a != nil || err != nil {
		t.Fatal(a, err)
	}
	key := ledger.DeriveKey("one", 0).Public()
	for _, at := range []int64{1000, 2000} {
		a := store.SeenAccount{
			ID: 17, MemoKey: key, Active: ledger.SingleKeyAuthority(key), Owner: ledger.SingleKeyAuthority(key),
			Since: time.Unix(at, 0),
		}
		a.Active.AccountAuths = []ledger.AccountWeight{}
		a.Owner.AccountAuths = []ledger.AccountWeight{}
		must(t, s.Pins.SetSeenAccount(ctx, chain, a))
		got, err := s.Pins.SeenAccount(ctx, chain, 17)
		must(t, err)
		if !reflect.DeepEqual(*got, a) {
			t.Errorf("kept:\n%+v\n%+v", *got, a)
		}
	}
}

func oneAuthor(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	content, err := ledger.ParseObjectID("2.13.7")
	must(t, err)
	first := store.ContentAuthor{content, 17, "ws://a", time.Unix(1000, 0)}
	for _, said := range []store.ContentAuthor{first, {content, 19, "ws://b", time.Unix(2000, 0)}} {
		if kept, err := s.Pins.PinContentAuthor(ctx, chain, said); err != nil || kept != first {
			t.Error("kept:", kept, err)
		}
	}
	if gone, err := s.Pins.ForgetContent(ctx, chain, content); !gone || err != nil {
		t.Error(gone, err)
	}
}

func anchorsGoForward(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	if a, err := s.Anchors.Anchor(ctx, chain); a != nil || err != nil {
		t.Fatal(a, err)
	}
	at := func(num byte) finality.Anchor {
		a, err := finality.Pin(chain, []finality.Miner{{ID: 4, Key: ledger.DeriveKey("miner", 0).Public()}}, 5)
		must(t, err)
		a.Unnamed, a.Block = 2, finality.Point{ID: ledger.BlockID{3: num, 19: 7}, Time: 1_600_000_000}
		return a
	}
	for _, num := range []byte{9, 12, 10} {
		must(t, s.Anchors.SaveAnchor(ctx, at(num)))
	}
	must(t, s.Close())
	s = p.open(t, 0)
	got, err := s.Anchors.Anchor(ctx, chain)
	must(t, err)
	if want := at(12); !reflect.DeepEqual(*got, want) {
		t.Errorf("%+v is kept, want %+v", *got, want)
	}
	if found, err := s.Anchors.ForgetAnchor(ctx, chain); !found || err != nil {
		t.Error(found, err)
	}
	if a, err := s.Anchors.Anchor(ctx, chain); a != nil || err != nil {
		t.Error(a, err)
	}
}

// A fact stays as it was first stated; a value that belongs to one subject is no other's; what is accepted replaces it.
func factStays(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	fact := func(subject, name, value string, own bool) store.AcceptedFact {
		return store.AcceptedFact{Subject: subject, Name: name, Value: value, Own: own, Source: "ws://a", Since: time.Unix(1000, 0)}
	}
	symbol, issuer := fact("1.10.0", "symbol", "CARDS", true), fact("1.10.0", "issuer", "1.2.16", false)
	must(t, s.Pins.KeepFacts(ctx, chain, symbol, issuer))
	must(t, s.Pins.KeepFacts(ctx, chain, fact("1.10.0", "symbol", "GOLDCARDS", true), fact("1.10.1", "symbol", "CARDS", true),
		fact("1.10.0", "issuer", "1.2.17", false), fact("1.10.1", "issuer", "1.2.16", false)))
	found, err := s.Pins.Facts(ctx, chain, []string{"1.10.0"}, nil)
	must(t, err)
	if !reflect.DeepEqual(found, []store.AcceptedFact{issuer, symbol}) && !reflect.DeepEqual(found, []store.AcceptedFact{symbol, issuer}) {
		t.Error("kept:", found)
	}
	if found, err := s.Pins.Facts(ctx, chain, nil, []string{"CARDS", "1.2.16"}); err != nil || !reflect.DeepEqual(found, []store.AcceptedFact{symbol}) {
		t.Error("by their own value:", found, err)
	}
	changed := fact("1.10.0", "issuer", "1.2.17", false)
	changed.Since = time.Unix(2000, 0)
	must(t, s.Pins.AcceptFacts(ctx, chain, changed))
	all, err := s.Pins.ListFacts(ctx, chain)
	must(t, err)
	if want := []store.AcceptedFact{changed, symbol, fact("1.10.1", "issuer", "1.2.16", false)}; !reflect.DeepEqual(all, want) {
		t.Error("accepted:", all)
	}
	gone, err := s.Pins.ForgetFacts(ctx, chain, "1.10.0")
	must(t, err)
	again, err := s.Pins.ForgetFacts(ctx, chain, "1.10.0")
	must(t, err)
	if !gone || again {
		t.Error("forgotten:", gone, again)
	}
}

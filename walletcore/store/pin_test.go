package store_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
)

var chain = ledger.ChainID{1}

func open(t testing.TB, path string) *store.Store {
	t.Helper()
	s, err := sqlite.Open(path)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestPinsOutliveTheProgram(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "payments.db")
	s := open(t, path)
	if found, err := s.Pins.AccountPins(ctx, chain, []ledger.AccountID{17}, []string{"bob"}); found != nil || err != nil {
		t.Fatal(found, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("reading made the file")
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

	s = open(t, path)
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
func TestAPinStays(t *testing.T) {
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "payments.db"))
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

func TestManyPinsAreFoundAtOnce(t *testing.T) {
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "payments.db"))
	var ids []ledger.AccountID
	for id := range ledger.AccountID(3 * 200) {
		ids = append(ids, id)
	}
	for _, id := range []ledger.AccountID{0, 200, 3*200 - 1} {
		_, err := s.Pins.PinAccounts(ctx, chain, store.AccountPin{ID: id, Name: "n" + id.String(), Since: time.Unix(1, 0)})
		must(t, err)
	}
	if found, err := s.Pins.AccountPins(ctx, chain, ids, nil); len(found) != 3 || err != nil {
		t.Error(found, err)
	}
}

func TestSeenAccountIsReplaced(t *testing.T) {
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "payments.db"))
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

func TestContentHasOneAuthor(t *testing.T) {
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "payments.db"))
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

// Two programs begin with the same empty file.
func TestProgramsThatBeginAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments.db")
	var programs sync.WaitGroup
	for id := range ledger.AccountID(4) {
		s := open(t, path)
		programs.Go(func() {
			if _, err := s.Pins.PinAccounts(context.Background(), chain, store.AccountPin{ID: id, Name: id.String(), Since: time.Unix(1,
				0)}); err != nil {
				t.Error(err)
			}
		})
	}
	programs.Wait()
	if found, err := open(t, path).Pins.AccountPins(context.Background(), chain, []ledger.AccountID{0, 1, 2, 3}, nil); len(found) != 4 ||
		err != nil {
		t.Error(found, err)
	}
}

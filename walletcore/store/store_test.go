package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/database"
)

var chain = ledger.ChainID{1}

func open(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(path)
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
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "wallet.db")
	s := open(t, path)
	if found, err := s.AccountPins(ctx, chain, []ledger.AccountID{17}, []string{"bob"}); found != nil || err != nil {
		t.Fatal(found, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("reading made the file")
	}
	bob := AccountPin{17, "bob", "ws://a", time.Unix(1000, 0)}
	kept, err := s.PinAccounts(ctx, chain, bob)
	must(t, err)
	if !reflect.DeepEqual(kept, []AccountPin{bob, bob}) {
		t.Error("kept:", kept)
	}
	gold := AssetPin{3, "GOLD", 4, "ws://a", time.Unix(1001, 0)}
	_, err = s.PinAssets(ctx, chain, gold)
	must(t, err)
	must(t, s.Close())

	s = open(t, path)
	found, err := s.AccountPins(ctx, chain, nil, []string{"bob", "carol"})
	must(t, err)
	if !reflect.DeepEqual(found, []AccountPin{bob}) {
		t.Error("found:", found)
	}
	assets, err := s.AssetPins(ctx, chain, []ledger.AssetID{3, 4}, nil)
	must(t, err)
	if !reflect.DeepEqual(assets, []AssetPin{gold}) {
		t.Error("found:", assets)
	}
	if other, err := s.AccountPins(ctx, ledger.ChainID{2}, []ledger.AccountID{17}, []string{"bob"}); len(other) != 0 || err != nil {
		t.Error("another chain has", other, err)
	}
}

// Neither the id nor the name of a pin can be taken by another one.
func TestAPinStays(t *testing.T) {
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "wallet.db"))
	bob := AccountPin{17, "bob", "ws://a", time.Unix(1000, 0)}
	_, err := s.PinAccounts(ctx, chain, bob)
	must(t, err)
	for _, lie := range []AccountPin{{19, "bob", "ws://b", time.Unix(2000, 0)}, {17, "mallory", "ws://b", time.Unix(2000, 0)}} {
		kept, err := s.PinAccounts(ctx, chain, lie)
		must(t, err)
		if !reflect.DeepEqual(kept, []AccountPin{bob}) {
			t.Error("kept:", kept)
		}
	}
	gone, err := s.ForgetAccount(ctx, chain, 17)
	must(t, err)
	again, err := s.ForgetAccount(ctx, chain, 17)
	must(t, err)
	if !gone || again {
		t.Error("forgotten:", gone, again)
	}
	other := AccountPin{19, "bob", "ws://b", time.Unix(2000, 0)}
	if kept, err := s.PinAccounts(ctx, chain, other); err != nil || len(kept) != 2 || kept[0] != other {
		t.Error("kept:", kept, err)
	}
}

func TestManyPinsAreFoundAtOnce(t *testing.T) {
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "wallet.db"))
	var ids []ledger.AccountID
	for id := range ledger.AccountID(3 * mostPerQuery) {
		ids = append(ids, id)
	}
	for _, id := range []ledger.AccountID{0, mostPerQuery, 3*mostPerQuery - 1} {
		_, err := s.PinAccounts(ctx, chain, AccountPin{ID: id, Name: "n" + id.String(), Since: time.Unix(1, 0)})
		must(t, err)
	}
	if found, err := s.AccountPins(ctx, chain, ids, nil); len(found) != 3 || err != nil {
		t.Error(found, err)
	}
}

func TestSeenAccountIsReplaced(t *testing.T) {
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "wallet.db"))
	if a, err := s.SeenAccount(ctx, chain, 17); a != nil || err != nil {
		t.Fatal(a, err)
	}
	key := ledger.DeriveKey("one", 0).Public()
	for _, at := range []int64{1000, 2000} {
		a := SeenAccount{ID: 17, MemoKey: key, Active: ledger.SingleKeyAuthority(key), Owner: ledger.SingleKeyAuthority(key), Since: time.Unix(at, 0)}
		a.Active.AccountAuths = []ledger.AccountWeight{}
		a.Owner.AccountAuths = []ledger.AccountWeight{}
		must(t, s.SetSeenAccount(ctx, chain, a))
		got, err := s.SeenAccount(ctx, chain, 17)
		must(t, err)
		if !reflect.DeepEqual(*got, a) {
			t.Errorf("kept:\n%+v\n%+v", *got, a)
		}
	}
}

func TestContentHasOneAuthor(t *testing.T) {
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "wallet.db"))
	content, err := ledger.ParseObjectID("2.13.7")
	must(t, err)
	first := ContentAuthor{content, 17, "ws://a", time.Unix(1000, 0)}
	for _, said := range []ContentAuthor{first, {content, 19, "ws://b", time.Unix(2000, 0)}} {
		if kept, err := s.PinContentAuthor(ctx, chain, said); err != nil || kept != first {
			t.Error("kept:", kept, err)
		}
	}
	if gone, err := s.ForgetContent(ctx, chain, content); !gone || err != nil {
		t.Error(gone, err)
	}
}

func TestAFileOfANewerVersionIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wallet.db")
	s := open(t, path)
	_, err := s.PinAccounts(context.Background(), chain, AccountPin{ID: 1, Name: "a"})
	must(t, err)
	must(t, s.Close())
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.Exec(`UPDATE schema_version SET version = version + 1`)
	must(t, err)
	must(t, db.Close())
	if _, err := Open(path); !errors.Is(err, database.ErrNewer) {
		t.Error("opened:", err)
	}
}

// Two programs begin with the same empty file.
func TestProgramsThatBeginAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wallet.db")
	var programs sync.WaitGroup
	for id := range ledger.AccountID(4) {
		s := open(t, path)
		programs.Go(func() {
			if _, err := s.PinAccounts(context.Background(), chain, AccountPin{ID: id, Name: id.String(), Since: time.Unix(1, 0)}); err != nil {
				t.Error(err)
			}
		})
	}
	programs.Wait()
	if found, err := open(t, path).AccountPins(context.Background(), chain, []ledger.AccountID{0, 1, 2, 3}, nil); len(found) != 4 || err != nil {
		t.Error(found, err)
	}
}

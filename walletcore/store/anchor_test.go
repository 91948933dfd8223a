package store_test

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/finality"
)

func TestAnchorsOnlyGoForward(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "payments.db")
	s := open(t, path)
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
	s = open(t, path)
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

package content

import (
	"math"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
)

func TestWordsOfAnOffer(t *testing.T) {
	for text, want := range map[string]string{
		"2 DCT": ` "2" DCT`, "at=1.5 ALX.GOLD": `AT "1.5" ALX.GOLD`, "default=2  DCT": `default "2" DCT`, "2": "error", "=2 DCT": "error", "XX=2 DCT": "error", "DEFAULT=1 DCT": `default "1" DCT`,
	} {
		got := "error"
		if p, err := ParsePrice(text); err == nil {
			got = p.Region + " " + string(p.Amount) + " " + p.Symbol
		}
		if got != want {
			t.Errorf("the price %q is %s, not %s", text, got, want)
		}
	}
	for _, text := range []string{"“2 DCT”", "„2 DCT“", "AT=2 DCT”", "’2 DCT’"} { // it named no amount, or an asset DCT”
		if _, err := ParsePrice(text); err == nil || !strings.Contains(err.Error(), "the price has a quote of a word processor in it (U+20") {
			t.Errorf("the price %q: %v", text, err)
		}
	}
	for text, want := range map[string]uint32{"bobby=10%": 1000, "bobby = 0.01": 1, "bobby=100 %": 10000, "bobby=0.001%": 0, "bobby=101%": 0, "bobby": 0, "bobby=-1%": 0, "bobby=1e1%": 0} {
		if s, err := ParseShare(text); s.Split != want || (err == nil) != (want > 0) || err == nil && s.Account != "bobby" {
			t.Errorf("the share %q is %+v, %v", text, s, err)
		}
	}
	for text, want := range map[string]string{
		"30d": "1970-01-31T00:16:40", "2027-01-31": "2027-01-31T00:00:00", "2027-01-31T12:00:01": "2027-01-31T12:00:01",
		"0d": "error", "60000d": "error", "d": "error", "soon": "error", "-1d": "error",
	} {
		got := "error"
		if at, err := ParseUntil(text, 1000); err == nil {
			got = at.String()
		}
		if got != want {
			t.Errorf("until %q is %s, not %s", text, got, want)
		}
	}
	about := ledger.Synopsis{Title: `a "song"`, Description: "loud"}
	if back := ledger.ReadSynopsis(about.Text()); back.Title != about.Title || back.Description != "loud" || back.Type != "0.0.0" {
		t.Errorf("%+v", back)
	}
	if s := ledger.ReadSynopsis("a song"); s.Title != "a song" {
		t.Errorf("%+v", s)
	}
}

func TestChosenSeeders(t *testing.T) {
	dct := func(n int64) ledger.AssetAmount { return ledger.AssetAmount{Amount: n} }
	list := []ledger.Seeder{
		{Seeder: 1, FreeSpace: 9, Price: dct(3), Expiration: 100, Rating: 5}, {Seeder: 2, FreeSpace: 9, Price: dct(1), Expiration: 100, Rating: 1},
		{Seeder: 3, FreeSpace: 9, Price: dct(2), Expiration: 100, Rating: 9}, {Seeder: 4, FreeSpace: 2, Price: dct(0), Expiration: 100, Rating: 99},
		{Seeder: 5, FreeSpace: 9, Price: dct(0), Expiration: 10, Rating: 99}, {Seeder: 6, FreeSpace: 9, Price: ledger.AssetAmount{AssetID: 3}, Expiration: 100},
	}
	for order, want := range map[string][]ledger.AccountID{ByPrice: {2, 3}, ByRating: {3, 1}, ByUpload: {1, 2}} {
		if got, err := ChooseSeeders(list, 2, order, 2, 10); err != nil || !slices.Equal(got, want) {
			t.Errorf("by %s: %v, %v", order, got, err)
		}
	}
	if got, err := ChooseSeeders(list, 0, ByPrice, 2, 10); err != nil || len(got) != 0 {
		t.Errorf("none: %v, %v", got, err)
	}
	if _, err := ChooseSeeders(list, 4, ByPrice, 2, 10); err == nil || !strings.Contains(err.Error(), "3 seeders can keep this") {
		t.Error(err)
	}
	for _, n := range []int{1, -1, math.MinInt, math.MaxInt} {
		if _, err := ChooseSeeders(list, n, ByPrice, 2, 10); err == nil {
			t.Errorf("%d seeders were chosen", n)
		}
	}
}

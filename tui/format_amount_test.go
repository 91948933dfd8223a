package tui_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

func asset(precision uint8) ledgerview.AssetRef {
	return ledgerview.AssetRef{Symbol: "DCT", Precision: precision}
}

func TestAmountsAreShownInFull(t *testing.T) {
	for _, c := range []struct {
		precision uint8
		amount    int64
		want      string
	}{
		{8, 1248050310000, "12,480.50310000 DCT"}, {8, 1, "0.00000001 DCT"}, {8, 0, "0.00000000 DCT"}, {0, 1204, "1,204 DCT"},
		{2, -123456, "-1,234.56 DCT"}, {12, math.MaxInt64, "9,223,372.036854775807 DCT"}, {0, math.MinInt64, "-9,223,372,036,854,775,808 DCT"},
	} {
		if got := (format.Money{}).Amount(asset(c.precision), c.amount).String(); got != c.want {
			t.Errorf("%d at %d decimals is %q, want %q", c.amount, c.precision, got, c.want)
		}
	}
}

func TestColumnsAlignOnThePoint(t *testing.T) {
	amounts := []struct {
		a ledgerview.AssetRef
		n int64
	}{{asset(8), 1248050310000}, {asset(4), 32500}, {asset(2), 25000}, {asset(0), 1204}}
	var col format.Column
	for _, a := range amounts {
		col = col.Fit("", a.a, a.n)
	}
	want := []string{"12,480.50310000", "     3.2500    ", "   250.00      ", " 1,204         "}
	for i, a := range amounts {
		if got := (format.Money{}).Number(col, "", theme.Text, a.a, a.n).String(); got != want[i] {
			t.Errorf("row %d is %q, want %q", i, got, want[i])
		}
		got := (format.Money{Hidden: true}).Number(col, "", theme.Text, a.a, a.n)
		if got.Width() != 15 || !strings.HasPrefix(got.String(), "•") {
			t.Errorf("hidden row %d is %q", i, got.String())
		}
	}
}

func TestDigitsAreWhatAPersonTypes(t *testing.T) {
	for n, want := range map[int64]string{950000000000: "9500", 80000000: "0.8", 1: "0.00000001", 0: "0"} {
		if got := format.Digits(asset(8), n); got != want {
			t.Errorf("%d is typed %q, want %q", n, got, want)
		}
		if back, err := ledger.ParseAmount(format.Digits(asset(8), n), 8); err != nil || back != n {
			t.Errorf("%d comes back as %d, %v", n, back, err)
		}
	}
}

func TestAccountsAreNameAndID(t *testing.T) {
	alice := ledgerview.AccountRef{ID: 34, Name: "alice"}
	for got, want := range map[string]string{
		format.Account(alice).String():                                                    "alice 1.2.34",
		format.AccountIn(alice, 9, 2).String():                                            "alice      1.2.34",
		format.Account(ledgerview.AccountRef{ID: 7}).String():                             "1.2.7",
		format.Account(ledgerview.AccountRef{ID: 7, Name: "a\x1bb"}).String():             `a\x1bb 1.2.7`,
		format.Recipient(txbuild.Review{ToObject: ledger.NewObjectID(2, 13, 5)}).String(): "2.13.5",
		format.RecipientID(txbuild.Review{To: alice}):                                     "1.2.34",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTimesInWords(t *testing.T) {
	for got, want := range map[string]string{
		format.Age(48 * time.Second): "48 s", format.Age(9 * time.Minute): "9 min", format.Age(30 * time.Hour): "30 h", format.Age(-1): "0 s", format.Age(100 * time.Hour): "4 d",
		format.Wait(41 * time.Second): "~40 s", format.Wait(2 * time.Minute): "~2 min", format.Countdown(581 * time.Second): "9:41", format.Block(18204511): "#18,204,511",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Times are shown in the zone of the person's clock, which is named: also when the clocks were changed between two times.
func TestTimesAreOfAZone(t *testing.T) {
	type zoned struct {
		now  time.Time
		want []string
	}
	berlin, paulo := time.FixedZone("CET", 3600), time.FixedZone("-03", -3*3600)
	at := time.Date(2026, 11, 20, 23, 30, 5, 0, time.UTC)
	for _, one := range []zoned{
		{at, []string{"UTC", "23:30:05", "23:30:05 UTC", "23:30:05 UTC", "2026-11-20 23:30:05 UTC", "11-20 23:30:05", "11-20 23:30", "2026-11-20", "Friday 20 November"}},
		{at.Add(time.Hour).In(berlin), []string{"CET", "00:30:05", "00:30:05 CET", "00:30:05 CET", "2026-11-21 00:30:05 CET", "11-21 00:30:05", "11-21 00:30", "2026-11-21", "Saturday 21 November"}},
		{at.Add(24 * time.Hour).In(paulo), []string{"UTC-03", "20:30:05", "20:30:05 UTC-03", "2026-11-20 20:30:05 UTC-03", "2026-11-20 20:30:05 UTC-03", "11-20 20:30:05", "11-20 20:30", "2026-11-20", "Friday 20 November"}},
		{at.AddDate(1, 0, 0), []string{"UTC", "23:30:05", "23:30:05 UTC", "2026-11-20 23:30:05 UTC", "2026-11-20 23:30:05 UTC", "2026-11-20", "2026-11-20", "2026-11-20", "Friday 20 November 2026"}},
	} {
		times, block := format.Times{Now: one.now}, ledger.TimeOf(at)
		got := []string{times.Zone(at), times.Bare(at), times.Clock(at), times.ClockOn(at), times.Stamp(block), times.Moment(block, true),
			times.Moment(block, false), times.Day(at), times.LongDay(at)}
		if !slices.Equal(got, one.want) {
			t.Errorf("%q, want %q", got, one.want)
		}
	}
	summer, winter := ledger.TimeOf(at.AddDate(0, -6, 0)), ledger.TimeOf(at)
	eastern, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Skip("this machine has no list of zones")
	}
	times := format.Times{Now: at.In(eastern)}
	for want, of := range map[string][]ledger.Time{"EST": {winter, 0}, "EDT": {summer}, "EDT EST": {winter, summer, winter}} {
		if got := times.Zones(slices.Values(of)); got != want {
			t.Errorf("the zones of %v are %q, want %q", of, got, want)
		}
	}
	if times.Moment(0, true) != "–" || times.Clock(time.Time{}) != "" || times.Stamp(0) != "not known" || format.UTC(winter) != "2026-11-20 23:30:05 UTC" {
		t.Error("a time that is not known, or one in UTC, is shown as something else")
	}
}

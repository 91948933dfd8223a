package audit

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"billfold/rpcserver"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/storetest"
	"billfold/walletcore/walletapi"
)

// A table of kinds that is full is empty again a minute later: what is refused then is recorded under its own kind.
func TestAFullTableOfKindsEmpties(t *testing.T) {
	var r repeats
	begin := time.Now()
	for n := range maxKinds {
		if _, first := r.take(fmt.Sprint("kind ", n), 1, begin); !first {
			t.Fatalf("kind %d is left out", n)
		}
	}
	for n, want := range []bool{true, false} { // these share one
		if _, first := r.take(fmt.Sprint("further ", n), 1, begin); first != want {
			t.Errorf("further kind %d is recorded: %t", n, first)
		}
	}
	for n := range 3 {
		if _, first := r.take(fmt.Sprint("later ", n), 1, begin.Add(time.Minute)); !first {
			t.Errorf("kind %d of the next minute is left out", n)
		}
	}
	if more, first := r.take("others", 1, begin.Add(time.Minute)); more != 1 || !first {
		t.Errorf("%d were left out, %t", more, first)
	}
}

// Only what is sent is recorded with the payment; what is returned to the caller is recorded without waiting, and a dry run is neither.
func TestWhatACallDoesWithItsTransaction(t *testing.T) {
	var transfer *walletapi.Method
	for _, m := range walletapi.Methods() {
		if m.Name == "transfer" {
			transfer = m
		}
	}
	c := NewDecider(Rules{}, nil, nil)
	for _, export := range []string{"", `,"export":0`, `,"export":3600`} {
		for _, broadcast := range []bool{true, false} {
			for _, dry := range []bool{true, false} {
				var p walletapi.Params
				text := fmt.Sprintf(`{"from":"alice","to":"bobby","amount":"1","asset_symbol":"DCT","memo":"","broadcast":%t,"dry_run":%t%s}`, broadcast, dry, export)
				if err := json.Unmarshal([]byte(text), &p.Named); err != nil {
					t.Fatal(err)
				}
				a := c.newCall(rpcserver.Requester{}, transfer)
				if _, err := a.describe(p); err != nil {
					t.Fatal(err)
				}
				given := export == `,"export":3600`
				if a.dry != dry || a.returned != (given || !broadcast) || a.sends != (broadcast && !given && !dry) {
					t.Errorf("%s: dry %t, returned %t, sends %t", text, a.dry, a.returned, a.sends)
				}
			}
		}
	}
}

// Of each kind so many are recorded in a minute, and how many more there were is told with the first of the next one.
func TestSoManyOfAKindAreRecordedInAMinute(t *testing.T) {
	var r repeats
	begin := time.Now()
	take := func(kind string, most int, after time.Duration) string {
		more, first := r.take(kind, most, begin.Add(after))
		return fmt.Sprint(first, " ", more)
	}
	for n, want := range []string{"true 0", "true 0", "true 0", "false 0", "false 0"} {
		if got := take("asks", 3, time.Duration(n)*time.Second); got != want {
			t.Errorf("the request %d is recorded: %s, want %s", n+1, got, want)
		}
	}
	if got := take("denials", 1, time.Second); got != "true 0" {
		t.Errorf("another kind is recorded: %s", got)
	}
	if got := take("asks", 3, time.Minute-time.Nanosecond); got != "false 0" {
		t.Errorf("within the minute one more is recorded: %s", got)
	}
	for n, want := range []string{"true 3", "true 0", "true 0", "false 0"} {
		if got := take("asks", 3, time.Minute); got != want {
			t.Errorf("the request %d of the next minute is recorded: %s, want %s", n+1, got, want)
		}
	}
	if a, b, c := r.turn("lock"), r.turn("lock"), r.turn("unlock"); a != b || b == c {
		t.Errorf("locking, again, and unlocking are the turns %d, %d and %d", a, b, c)
	}
}

// An outcome stands in the log behind the decision that it is of, also where that one's payment was never recorded, or neither does:
// whichever statement of the store fails.
func TestAnOutcomeNeverStandsAlone(t *testing.T) {
	for n := 1; ; n++ {
		faults := new(storetest.Faults)
		kept, err := sqlite.Options{Between: faults.Between}.Open(filepath.Join(t.TempDir(), sqlite.Name))
		if err != nil {
			t.Fatal(err)
		}
		l := NewLog(kept.Audit)
		if _, err := l.Append(Record{Who: "till", Decision: "deny"}); err != nil {
			t.Fatal(err)
		}
		of := l.Join(new(store.CallBatch), Record{Who: "till", Decision: "allow"}) // which is never committed
		faults.AwaitRest()
		faults.Arm(n, false)
		_, err = l.append(Record{Who: "till", Outcome: "done"}, of)
		hit := faults.Disarm()
		var list []Record
		if _, failure := l.Verify(t.Context(), func(r Record) { list = append(list, r) }); failure != nil {
			t.Errorf("without %q: %v", hit, failure)
		}
		if whole := len(list) == 3 && list[1].Decision == "allow" && list[2].Outcome == "done" && list[2].Of == 2; whole != (err == nil) || !whole && len(list) != 1 {
			t.Errorf("without %q it is told as %v, and the log is %+v", hit, err, list)
		}
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
		if hit == "" {
			if n < 3 {
				t.Errorf("only %d statements failed", n-1)
			}
			return
		}
	}
}

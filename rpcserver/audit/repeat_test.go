package audit

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"billfold/rpcserver"
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

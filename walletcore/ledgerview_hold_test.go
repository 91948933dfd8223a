package walletcore_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox"
	"billfold/walletcore/testwallet"
)

// On hold is what the account itself bought and did not get yet, and what vests for it, as the daemon reports it; nothing that is
// empty, delivered or given back.
func TestWhatIsOnHold(t *testing.T) {
	box := testwallet.Ledger(t, sandbox.Options{})
	relay := testwallet.RelayTo(t, box.URL())
	s := testwallet.On(t, box, relay.URL, nil)
	s.Hold("alice")
	alice := s.Account("alice").ID
	until := ledger.Time(1_893_553_445) // 2030-01-02
	held := func(method string, row any) (text string) {
		t.Helper()
		relay.Set(func(r *testwallet.Relay) {
			r.Lie = func(q testwallet.Question, result json.RawMessage) json.RawMessage {
				if q.Method != method {
					return result
				}
				one, err := codec.Marshal(row)
				testwallet.Must(t, err)
				return json.RawMessage("[" + string(one) + "]")
			}
		})
		list, err := s.View.Held(s.Ctx, alice)
		testwallet.Must(t, err)
		for _, h := range list {
			text += fmt.Sprintf("%s: %d of %d %s, %v, %s;", h.ID, h.Free, h.Amount, h.Asset.Symbol, h.Bought, h.Until.UTC().Format(time.DateTime))
		}
		return text
	}
	bought := ledger.Buying{ID: 7, Consumer: alice, URI: "ipfs:x", Price: ledger.AssetAmount{Amount: 250_000_000, AssetID: 1}, ExpirationTime: until,
		PubKey: ledger.BigInteger{S: "1."}, RegionCodeFrom: ledger.RegionNone}
	for want, change := range map[string]func(*ledger.Buying){
		"2.12.7: 0 of 250000000 ALX.GOLD, true, 2030-01-02 03:04:05;": func(*ledger.Buying) {},
		"2.12.7: 0 of 1 ALX.GOLD, true, 2030-01-02 03:04:05;":         func(b *ledger.Buying) { b.Price.Amount = 1 },
	} {
		row := bought
		change(&row)
		if got := held("get_open_buyings_by_consumer", row); got != want {
			t.Errorf("on hold is %q, want %q", got, want)
		}
	}
	for name, change := range map[string]func(*ledger.Buying){
		"nothing":   func(b *ledger.Buying) { b.Price.Amount = 0 },
		"delivered": func(b *ledger.Buying) { b.Delivered = true },
		"expired":   func(b *ledger.Buying) { b.Expired = true },
	} {
		row := bought
		change(&row)
		if got := held("get_open_buyings_by_consumer", row); got != "" {
			t.Errorf("of a purchase that is %s, on hold is %q", name, got)
		}
	}
	vests := func(owner ledger.AccountID, amount int64, cliff, duration uint32) ledger.VestingBalance {
		return ledger.VestingBalance{ID: 3, Owner: owner, Balance: ledger.AssetAmount{Amount: amount}, Policy: ledger.VestingState{Linear: &ledger.LinearState{
			BeginTimestamp: until, VestingCliffSeconds: cliff, VestingDurationSeconds: duration, BeginBalance: amount}}}
	}
	for want, row := range map[string]ledger.VestingBalance{
		"1.9.3: 0 of 1 DCT, false, 2030-01-02 03:05:05;": vests(alice, 1, 60, 1),
		"1.9.3: 0 of 2 DCT, false, 2030-01-02 03:05:15;": vests(alice, 2, 60, 70),
	} {
		if got := held("get_vesting_balances", row); got != want {
			t.Errorf("on hold is %q, want %q", got, want)
		}
	}
	if got := held("get_vesting_balances", vests(alice, 0, 60, 70)); got != "" {
		t.Errorf("of an empty balance, on hold is %q", got)
	}
}

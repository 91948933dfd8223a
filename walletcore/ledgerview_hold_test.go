package walletcore_test

import (
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"billfold/sandbox"
	"billfold/walletcore/testwallet"
)

// A purchase whose content was not delivered yet is on hold, as the daemon reports it; one of another account is not.
func TestOpenPurchaseIsOnHold(t *testing.T) {
	const bought = `{"id":"2.12.7","consumer":"ALICE","URI":"ipfs:x","synopsis":"","price":{"amount":250000000,"asset_id":"1.3.0"},` +
		`"paid_price_before_exchange":{"amount":250000000,"asset_id":"1.3.0"},"paid_price_after_exchange":{"amount":250000000,` +
		`"asset_id":"1.3.0"},"seeders_answered":[],"size":1,"rating":0,"comment":"","expiration_time":"2030-01-02T03:04:05",` +
		`"pubKey":{"s":"1."},"key_particles":[],"expired":false,"delivered":false,"expiration_or_delivery_time":"1970-01-01T00:00:00",` +
		`"rated_or_commented":false,"created":"2026-01-01T00:00:00","region_code_from":1}`
	box := testwallet.Ledger(t, sandbox.Options{})
	relay := testwallet.RelayTo(t, box.URL())
	s := testwallet.On(t, box, relay.URL, nil)
	s.Hold("alice")
	account, err := s.View.Accounts.Get(t.Context(), "alice")
	testwallet.Must(t, err)
	var asked atomic.Value // the number of the request
	asked.Store("")
	number := regexp.MustCompile(`"id":(\d+)`)
	relay.Set(func(r *testwallet.Relay) {
		r.Seen = func(request string) {
			if strings.Contains(request, "get_open_buyings_by_consumer") {
				asked.Store(number.FindString(request))
			}
		}
		r.Swap = func(answer string) string {
			if id := asked.Load().(string); id != "" && number.FindString(answer) == id {
				own := strings.Replace(bought, "ALICE", account.ID.String(), 1)
				return strings.Replace(answer, `"result":[]`, `"result":[`+own+`]`, 1)
			}
			return answer
		}
	})
	held, err := s.View.Held(t.Context(), account.ID)
	testwallet.Must(t, err)
	if len(held) != 1 || held[0].Amount != 250000000 || held[0].Asset.Symbol != "DCT" || !held[0].Bought ||
		held[0].ID.String() != "2.12.7" || held[0].Until.Format(time.DateOnly) != "2030-01-02" {
		t.Errorf("on hold are %+v", held)
	}
}

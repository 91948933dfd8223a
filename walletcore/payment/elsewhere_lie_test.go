package payment_test

import (
	"strings"
	"testing"
	"time"

	"billfold/walletcore/testwallet"
)

// A node passes the first sending of a payment on and calls it a duplicate all the same. Its word alone frees no request key: signed anew,
// the payment would be made twice.
func TestANodeThatCallsAFirstSendingADuplicateHasNothingPaidTwice(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	s := p.sit()
	lied, id := 0, ""
	r.Set(func(r *testwallet.Relay) {
		r.Seen = func(request string) {
			if strings.Contains(request, `"broadcast_transaction`) {
				id = idOf(request)
			}
		}
		r.Swap = func(answer string) string {
			if id == "" || idOf(answer) != id {
				return answer
			}
			lied++
			return `{"id":` + id + `,"error":{"code":1,"message":"10 assert_exception: Assert Exception","data":{"code":10,"name":"assert_exception",` +
				`"message":"Assert Exception","stack":[{"format":"trx_idx.find(trx_id) == trx_idx.end(): ","data":{}}]}}}`
		}
	})
	p.mineSteadily(50 * time.Millisecond)
	signed, err := s.plain("order")
	testwallet.Must(t, err)
	if info := s.over("order"); info.State != "irreversible" || info.TransactionID != signed.TransactionID {
		t.Errorf("%s is answered, and the end is %+v", signed.TransactionID, info)
	}
	r.Set(func(*testwallet.Relay) {
		if lied != 1 {
			t.Errorf("it was sent %d times", lied)
		}
	})
	s.bobbyGot(t, 1)
}

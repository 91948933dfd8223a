package token

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/walletapi"
)

// A repetition under a request key counts once, also while the first is under way; whatever else is under way counts.
func TestWhatIsUnderWayCounts(t *testing.T) {
	kept, err := sqlite.Open(filepath.Join(t.TempDir(), sqlite.Name))
	must(t, err)
	t.Cleanup(func() { must(t, kept.Close()) })
	s := NewSpent(kept.Limits, time.Now)
	reserve := func(key string, amount int64) error {
		_, err := s.reserve(t.Context(), new(store.CallBatch), store.Spend{Token: "till", Asset: ledger.CoreAsset, Amount: amount, Key: key}, 10)
		return err
	}
	for unit, code := range map[*store.CallBatch]fault.Code{new(store.CallBatch): fault.Denied, nil: fault.Internal} { // what another program's payment is told as
		h, err := s.reserve(t.Context(), unit, store.Spend{Token: "other", Asset: ledger.CoreAsset, Amount: 1}, 10)
		must(t, err)
		if fault.CodeOf(h.Over) != code || unit == nil && !errors.Is(h.Over, errOverLimit) {
			t.Errorf("with a payment %v, what is too much is told as %v", unit != nil, h.Over)
		}
		h.drop(t.Context())
	}
	must(t, reserve("order", 6))
	must(t, reserve("order", 6))
	must(t, reserve("another", 4))
	for _, key := range []string{"order", "third", ""} {
		if err := reserve(key, 1); !errors.Is(err, errOverLimit) {
			t.Errorf("one more under %q: %v", key, err)
		}
	}
}

// A payment of a token with a limit that no sum has is refused, whatever kept it out of them.
func TestWhatIsNotCountedIsRefused(t *testing.T) {
	for _, m := range walletapi.Methods() {
		if m.Name != "transfer" {
			continue
		}
		texts := map[walletapi.Role]string{walletapi.RoleBroadcast: "true"}
		limited := Token{Scope: Scope{PerDay: []Limit{{"10", "DCT"}}}}
		if err := (&call{token: limited, method: m, texts: texts}).checkCounted(); err == nil {
			t.Error("a payment that is in no sum may be made")
		}
		must(t, (&call{token: limited, method: m, texts: texts, counted: true}).checkCounted())
		must(t, (&call{method: m, texts: texts}).checkCounted())
	}
}

// Who was let in with another secret than the token has now is not let on, under whatever id.
func TestATokenIsKnownByItsSecret(t *testing.T) {
	tokens := openStore(t)
	made, _, err := tokens.New("till", Scope{})
	must(t, err)
	auth := &Authenticator{store: tokens, now: time.Now}
	if _, err := (&principal{auth: auth, id: made.ID, hash: made.Hash}).token(); err != nil {
		t.Error(err)
	}
	for name, p := range map[string]*principal{"another secret": {auth: auth, id: made.ID, hash: "another"}, "another id": {auth: auth, id: "another", hash: made.Hash}} {
		if _, err := p.token(); err == nil {
			t.Errorf("with %s it is let on", name)
		}
		for _, topic := range []string{"blocks", "payments"} {
			if p.CheckTopic(topic) == nil {
				t.Errorf("with %s it hears about %s", name, topic)
			}
		}
	}
}

package payment_test

import (
	"path/filepath"
	"strings"
	"testing"

	"billfold/walletcore/database"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
)

// A store that is gone is told of, and spending continues.
func TestALostStoreIsToldOf(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	id := s.Pay("alice", "bobby", "1", "").TransactionID
	s.mineUntil(id, payment.Irreversible)
	s.Pay("alice", "bobby", "1", "")
	s.end()
	s = p.sit()
	if failure := s.Status().StoreFault; failure != "" {
		t.Errorf("it is there, and told as %q", failure)
	}
	s.end()
	p.forgetPins()
	s = p.sit()
	if failure := s.Status().StoreFault; !strings.Contains(
		failure,
		"has payments and no pins: what daemons said before is forgotten",
	) {
		t.Errorf("it is told as %q", failure)
	}
	s.Pay("alice", "bobby", "1", "")
	s.Mine()
	s.bobbyGot(t, 3)
}

// forgetPins takes what daemons said out of the store.
func (p *place) forgetPins() {
	p.t.Helper()
	db, err := database.Open(filepath.Join(p.dir, sqlite.Name), database.Durable)
	testwallet.Must(p.t, err)
	for _, table := range []string{"account_pins", "asset_pins", "seen_accounts", "anchors"} {
		_, err := db.Exec(`DELETE FROM ` + table)
		testwallet.Must(p.t, err)
	}
	testwallet.Must(p.t, db.Close())
}

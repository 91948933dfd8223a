package walletcore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A store that is gone is told of, and spending goes on.
func TestALostStoreIsToldOf(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	id := s.pay("alice", "bobby", "1", "").TransactionID
	s.mineUntil(id, PaymentIrreversible)
	s.pay("alice", "bobby", "1", "")
	s.end()
	s = p.sit()
	if failure := s.wallet.Status().StoreFault; failure != "" {
		t.Errorf("it is there, and told as %q", failure)
	}
	s.end()
	found, err := filepath.Glob(filepath.Join(p.dir, "wallet.db*"))
	must(t, err)
	for _, path := range found {
		must(t, os.Remove(path))
	}
	s = p.sit()
	if failure := s.wallet.Status().StoreFault; !strings.Contains(failure, "wallet.db is missing: what daemons said before is forgotten") {
		t.Errorf("it is told as %q", failure)
	}
	s.pay("alice", "bobby", "1", "")
	s.mine()
	s.bobbyGot(t, 3)
}

package payment_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/testwallet"
)

// A copy of earlier days is written over the journal of a wallet that is running.
func TestAJournalThatIsWrittenOverSpendsNothing(t *testing.T) {
	p := newPlace(t)
	path := filepath.Join(p.dir, "payments.db")
	older, err := os.ReadFile(path)
	testwallet.Must(t, err)
	s := p.sit()
	_, err = s.keyed("rent", nil)
	testwallet.Must(t, err)
	s.Mine()
	prepared := s.Prepare(testwallet.OneDCT())
	testwallet.Must(t, os.WriteFile(path, older, 0o600))
	testwallet.Must(t, os.Remove(path+"-wal"))
	testwallet.Must(t, os.Remove(path+"-shm"))
	_, err = s.Payments.Send(s.Ctx, prepared)
	if e := faulttest.Refused(t, err, fault.File); !strings.HasPrefix(e.Message, "the wallet spends nothing: ") ||
		!strings.Contains(e.Hint, "billfold journal") {
		t.Errorf("it is told as %q", e)
	}
	s.Mine()
	s.bobbyGot(t, 1)
	s.end()
}

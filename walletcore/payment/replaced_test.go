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
	s.Until("the loss to be told", func() bool { // whoever reads while it is written over is refused for what is read
		_, err := s.Payments.Send(s.Ctx, prepared)
		e := faulttest.Refused(t, err, fault.File)
		return strings.HasPrefix(e.Message, "the wallet spends nothing: ") && strings.Contains(e.Hint, "billfold journal")
	})
	s.Mine()
	s.bobbyGot(t, 1)
	s.end()
}

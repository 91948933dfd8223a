package payment_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/walletcore/fault"
)

// A copy of earlier days is written over the journal of a wallet that is running.
func TestAJournalThatIsWrittenOverSpendsNothing(t *testing.T) {
	p := newPlace(t)
	path := filepath.Join(p.dir, "payments.db")
	older, err := os.ReadFile(path)
	must(t, err)
	s := p.sit()
	_, err = s.keyed("rent", nil)
	must(t, err)
	s.mine()
	must(t, os.WriteFile(path, older, 0o600))
	must(t, os.Remove(path+"-wal"))
	must(t, os.Remove(path+"-shm"))
	_, err = s.wallet.Payments.Send(s.ctx, s.draft(oneDCT))
	if e := refused(t, err, fault.File); !strings.HasPrefix(e.Message, "the wallet spends nothing: ") ||
		!strings.Contains(e.Hint, "billfold journal") {
		t.Errorf("it is told as %q", e)
	}
	s.mine()
	s.bobbyGot(t, 1)
	s.end()
}

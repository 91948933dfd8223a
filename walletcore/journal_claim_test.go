package walletcore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/walletcore/journal"
)

// The journal is gone, and with it that a request key was used: nothing is paid.
func TestALostJournalSpendsNothing(t *testing.T) {
	for name, harm := range map[string]func(p *place){
		"removed": func(p *place) {
			found, err := filepath.Glob(filepath.Join(p.dir, "payments.db*"))
			must(p.t, err)
			for _, path := range found {
				must(p.t, os.Remove(path))
			}
		},
		"removed with its mark": func(p *place) {
			found, err := filepath.Glob(filepath.Join(p.dir, "payments.db*"))
			must(p.t, err)
			for _, path := range append(found, filepath.Join(p.dir, journal.MarkName)) {
				must(p.t, os.Remove(path))
			}
		},
		"another's": func(p *place) {
			other := newPlace(p.t)
			raw, err := os.ReadFile(filepath.Join(other.dir, "payments.db"))
			must(p.t, err)
			must(p.t, os.WriteFile(filepath.Join(p.dir, "payments.db"), raw, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			s := p.sit()
			_, err := s.keyed("rent", nil)
			must(t, err)
			s.mine()
			s.end()
			harm(p)
			s = p.sit()
			_, err = s.keyed("rent", nil)
			if e := refused(t, err, CodeFile); !strings.Contains(e.Hint, "billfold journal") {
				t.Errorf("it is told as %q", e)
			}
			_, err = s.wallet.Send(s.ctx, s.draft(oneDCT))
			refused(t, err, CodeFile)
			s.mine()
			s.bobbyGot(t, 1)
			must(t, s.wallet.TakeJournal(s.ctx))
			s.pay("alice", "bobby", "1", "")
			s.end()
			s = p.sit()
			s.pay("alice", "bobby", "1", "") // it stays its own
			s.mine()
			s.bobbyGot(t, 3)
		})
	}
}

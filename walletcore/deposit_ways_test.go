package walletcore_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/testwallet"
)

// bobby's account in the demo ledger.
const bobby = 17

// walker is a history that counts how often it is walked through.
type walker struct {
	*history.Reader
	walks atomic.Int32
}

func (w *walker) Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error) {
	w.walks.Add(1)
	return w.Reader.Entries(ctx, id, before, limit)
}

// bothWays runs a scene without the history index, and with it.
func bothWays(t *testing.T, scene func(*queueFixture)) {
	t.Run("walking", func(t *testing.T) {
		s := newQueue(t)
		if scene(s); s.walker.walks.Load() == 0 {
			t.Error("the history was not walked through")
		}
	})
	t.Run("indexed", func(t *testing.T) {
		s := beginIndexed(t)
		if scene(s); s.walker.walks.Load() > 0 {
			t.Errorf("the history was walked through %d times", s.walker.walks.Load())
		}
	})
}

func beginIndexed(t *testing.T) *queueFixture {
	t.Helper()
	index, err := historyindex.Open(filepath.Join(testwallet.Folder(t), "history.db"))
	must(t, err)
	t.Cleanup(func() { must(t, index.Close()) })
	return newQueueOn(t, index)
}

// indexed reports whether the index, if there is one, has bobby's rows up to a block.
func (s *queueFixture) indexed(block uint32) bool {
	if s.index == nil {
		return true
	}
	p, err := s.Wallet.History.Progress(s.Ctx, bobby)
	must(s, err)
	return p.Whole && p.Head >= block
}

// An index that is being rebuilt has the newest rows first. Older deposits must not be
// skipped, so the history is walked through until the index has them.
func TestIncompleteIndexIsNotTrusted(t *testing.T) {
	s := beginIndexed(t)
	s.clear()
	for range 3 {
		s.pay("1", "")
		s.mine(1)
	}
	s.mine(6)
	oldest := s.next(1)[0]
	status, err := s.index.Status(s.Ctx, bobby)
	must(t, err)
	page, err := s.index.Page(s.Ctx, bobby, historyindex.Filter{}, historyindex.Window{Limit: 1})
	must(t, err)
	must(t, s.index.Forget(s.Ctx, bobby))
	gap := historyindex.Status{Account: bobby}
	step := historyindex.Batch{
		From: page.Rows[0].Seq, Rows: page.Rows, Final: status.Final, Head: status.Head,
		HeadID: status.HeadID, Total: status.Total,
	}
	if err := s.index.Extend(s.Ctx, gap, step); err != nil {
		t.Skip("the wallet was faster in building it anew:", err)
	}
	if list := s.next(10); len(list) != 3 || list[0].Position != oldest.Position {
		t.Errorf("%+v", list)
	}
}

package uitest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"billfold/ledger"
)

// Past holds the events before a scene. It is made only once: each World that starts from it gets its blocks and a copy of the files
// that the wallet then had.
type Past struct {
	Ledger func(w *World) // makes it happen on the ledger; nil: nothing happened
	Index  bool           // the wallet has read it into a history index

	once      sync.Once
	blocks    []*ledger.Block
	allBlocks []*ledger.Block   // blocks and those of the warm-up
	files     map[string][]byte // of the wallet, by name
}

// noPast is the past of a scene that has none.
var noPast = &Past{}

// warmUp is the time for which the wallet runs before the UI starts, at Start, if something happens in it first; otherwise it runs for
// headAge, which is the age of the head block at Start.
const (
	warmUp  = 28 * time.Second
	headAge = warmUp % blockTime
)

// makeOnce makes the past, unless another test did.
func (p *Past) makeOnce(t *testing.T) {
	t.Helper()
	useOneProcessor()
	p.once.Do(func() { synctest.Test(t, p.make) })
	if p.files == nil {
		t.Fatal("the past of this scene could not be made in another test")
	}
}

func (p *Past) make(t *testing.T) {
	w := newWorld(t)
	w.Until(Start.Add(-age))
	w.Ledger = newSandbox(t, w.wire, nil)
	if p.Ledger != nil {
		p.Ledger(w)
	}
	w.Until(Start.Add(-warmUp - untilFinal*blockTime))
	for range untilFinal { // so that what happened is final
		w.Mine()
		time.Sleep(blockTime)
	}
	w.ledger.run(w.Ctx, w.Ledger.Run)
	w.open(p.Index, false)
	synctest.Wait()
	w.Fill()
	synctest.Wait() // until the index is complete
	p.blocks = w.Ledger.Blocks()
	w.end()
	files := map[string][]byte{}
	left, err := os.ReadDir(w.dir)
	Must(t, err)
	for _, file := range left {
		files[file.Name()], err = os.ReadFile(filepath.Join(w.dir, file.Name()))
		Must(t, err)
	}
	p.files = files
	p.makeWarmUpBlocks(t)
}

// makeWarmUpBlocks sets allBlocks, for scenes in which nothing happens in the wallet during the warm-up.
func (p *Past) makeWarmUpBlocks(t *testing.T) {
	box := newSandbox(t, newNetwork(), p.blocks)
	for at := warmUp - blockTime; at >= headAge; at -= blockTime {
		time.Sleep(time.Until(Start.Add(-at)))
		_, err := box.Mine()
		Must(t, err)
	}
	p.allBlocks = box.Blocks()
	Must(t, box.Close())
}

// copyTo writes the wallet's files into a folder.
func (p *Past) copyTo(t testing.TB, dir string) {
	for name, text := range p.files {
		Must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
}

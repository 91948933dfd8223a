package history

import (
	"time"

	"billfold/walletcore/history"
)

// buildingPause is how often the page reads again while the index is built.
const buildingPause = 400 * time.Millisecond

// paceWindow is how far back the speed of building is measured, paceMinimum how
// long it must be measured before a time left is shown.
const (
	paceWindow  = 10 * time.Second
	paceMinimum = 2 * time.Second
)

// pace measures how fast the index is built.
type pace struct{ samples []sample }

type sample struct {
	at   time.Time
	rows uint64
}

func (p *pace) add(now time.Time, progress history.Progress) {
	if progress.Whole || len(p.samples) > 0 && progress.Rows < p.samples[0].rows {
		p.samples = nil
		return
	}
	p.samples = append(p.samples, sample{now, progress.Rows})
	for len(p.samples) > 2 && now.Sub(p.samples[0].at) > paceWindow {
		p.samples = p.samples[1:]
	}
}

// timeLeft returns how long building will still take; ok is false while that is not known.
func (p *pace) timeLeft(progress history.Progress) (d time.Duration, ok bool) {
	if len(p.samples) < 2 || progress.Total < progress.Rows {
		return 0, false
	}
	from, to := p.samples[0], p.samples[len(p.samples)-1]
	took, done := to.at.Sub(from.at), to.rows-from.rows
	if took < paceMinimum || done == 0 {
		return 0, false
	}
	return took * time.Duration(progress.Total-progress.Rows) / time.Duration(done), true
}

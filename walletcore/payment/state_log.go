package payment

import (
	"context"
	"log/slog"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// stateLog writes a line for each state that a payment of this program comes to, and counts them. It is told of nothing but the state: a memo,
// a name or a sentence of a daemon never gets into it.
type stateLog struct {
	log     *slog.Logger       // nil = no log
	reached [Expired + 1]int64 // how many payments came to a state; guarded by the list's mutex
}

// passage is a payment's way from one state to the next; the zero value is none.
type passage struct {
	id       ledger.TransactionID
	from, to State
	first    bool // from is nothing: it was made just now
	block    uint32
	code     fault.Code
}

// passageLocked returns what is new about the state of a payment since the line before; zero if nothing is. A payment that may still be
// dropped, because the journal has not answered yet, has no line.
func (l *list) passageLocked(e *entry) (p passage) {
	if e.adding && !e.held || e.logged && e.loggedState == e.State && e.loggedBlock == e.Block {
		return p
	}
	p = passage{id: e.ID, from: e.loggedState, to: e.State, first: !e.logged, block: e.Block, code: e.code}
	if p.first || p.from != p.to {
		l.states.reached[e.State]++
	}
	e.logged, e.loggedState, e.loggedBlock = true, e.State, e.Block
	return p
}

// write writes the line of a passage. What a person should look at is a warning, and so is its end.
func (s *stateLog) write(p passage) {
	if s.log == nil || p.id == (ledger.TransactionID{}) {
		return
	}
	level := slog.LevelInfo
	if p.to >= Unknown || !p.first && p.from >= Unknown {
		level = slog.LevelWarn
	}
	if !s.log.Enabled(context.Background(), level) {
		return
	}
	with := []slog.Attr{slog.String("id", p.id.String()), slog.String("state", p.to.String())}
	if !p.first {
		with = append(with, slog.String("from", p.from.String()))
	}
	if p.block > 0 {
		with = append(with, slog.Uint64("block", uint64(p.block)))
	}
	if p.code != "" {
		with = append(with, slog.String("code", string(p.code)))
	}
	s.log.LogAttrs(context.Background(), level, "payment: state changed", with...)
}

// Figures are counts of the payments that this program follows.
type Figures struct {
	Open    map[State]int   // payments whose outcome is open
	Oldest  time.Time       // when the oldest of these was made; zero = there is none
	Reached map[State]int64 // how many payments came to each state since the program started
	Held    bool            // nothing is paid, because the journal is not the wallet's own, lacks payments or cannot be reached
}

// Figures returns the counts as of now.
func (p *Payments) Figures() Figures {
	f := Figures{Open: map[State]int{Prepared: 0, Sent: 0, InBlock: 0, Unknown: 0}, Reached: map[State]int64{}, Held: p.lossFault() != nil}
	p.list.mu.Lock()
	defer p.list.mu.Unlock()
	for _, e := range p.list.watched {
		if !e.open() {
			continue
		}
		f.Open[e.State]++
		if f.Oldest.IsZero() || e.Prepared.Before(f.Oldest) {
			f.Oldest = e.Prepared
		}
	}
	for state := range states {
		f.Reached[state] = p.list.states.reached[state]
	}
	return f
}

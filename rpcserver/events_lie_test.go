package rpcserver_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/rpcserver/events"
	"billfold/walletcore"
	"billfold/walletcore/history"
)

// liar is the history of a wallet whose daemon reports rows that the ledger does not have.
type liar struct {
	*history.Reader
	lie func(rows []history.Entry) []history.Entry
}

func (l *liar) Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error) {
	rows, err := l.Reader.Entries(ctx, id, before, limit)
	return l.lie(slices.Clone(rows)), err
}

func (l *liar) IncomingSince(ctx context.Context, id ledger.AccountID, from uint32, limit int) ([]history.Entry, uint32, error) {
	rows, final, err := l.Reader.IncomingSince(ctx, id, from, limit)
	return l.lie(slices.Clone(rows)), final, err
}

// states returns the published states of deposits of an amount while blocks are made.
func (s *subscriber) states(amount string, blocks ...int) (states []string) {
	s.Helper()
	s.skipped = nil
	for _, n := range blocks {
		s.waitEvent("blocks", fmt.Sprintf(`"head_block_num":%d,`, s.mine(n)))
	}
	for _, event := range s.skipped {
		if isAbout(event, []string{"deposits", `"amount":"` + amount + `"`}) {
			_, state, _ := strings.Cut(event, `"state":"`)
			state, _, _ = strings.Cut(state, `"`)
			states = append(states, state)
		}
	}
	return states
}

// invented turns each row into a deposit of 999 DCT at another place.
func invented(place func(*history.Entry)) func([]history.Entry) []history.Entry {
	return func(rows []history.Entry) []history.Entry {
		var out []history.Entry
		for _, e := range rows {
			if e.Direction == history.In {
				lie := e
				lie.Amount = 999_0000_0000
				place(&lie)
				out = append(out, lie)
			}
			out = append(out, e)
		}
		return out
	}
}

func TestInventedDeposits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		place func(*history.Entry)
		want  string // the states of each invented deposit
	}{
		"beyond the head":           {func(e *history.Entry) { e.Block, e.Final = 900_000, false }, ""},
		"at another's place":        {func(e *history.Entry) { e.Final = false }, "in_block in_block gone gone"},
		"as the work of a proposal": {func(e *history.Entry) { e.TrxInBlock, e.OpInTrx, e.VirtualOp = 2, 1, 1 }, "in_block in_block"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSubscriberTo(t, func(w *walletcore.Wallet) events.Sources {
				from := events.SourcesOf(w)
				from.History = &liar{w.History, invented(c.place)}
				return from
			})
			s.pay("1")
			s.pay("2")
			states := s.states("99900000000", 1, 1, 6, 1, 1)
			if got := strings.Join(states, " "); got != c.want {
				t.Errorf("of what never was it is told: %s, want %q", got, c.want)
			}
		})
	}
}

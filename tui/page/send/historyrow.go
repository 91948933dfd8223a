package send

import (
	"context"

	"billfold/tui/screen"
	"billfold/walletcore/payment"

	tea "github.com/charmbracelet/bubbletea"
)

const topicRow = "row"

// findRow starts looking for the history row of the payment that Sending shows, once the payment is in a block.
func (s *sending) findRow(env screen.Env, past History) tea.Cmd {
	p, known := s.payment(env)
	_, busy := s.tasks.Busy(topicRow)
	inBlock := p.State == payment.InBlock || p.State == payment.Irreversible
	if !known || busy || !inBlock || s.row.block == p.Block {
		return nil
	}
	return s.tasks.Start(env, topicRow, readLimit, func(ctx context.Context) (any, error) {
		rows, err := past.Entries(ctx, p.Review.From.ID, 0, recentRows)
		found := historyRow{}
		for _, e := range rows { // newest first: of several operations, the first comes last
			if e.Block == p.Block && e.TrxInBlock == p.TrxInBlock {
				found = historyRow{e.ID, e.Block}
			}
		}
		return found, err
	})
}

// applyRow stores the row that was found. If none was, the next block looks for it again.
func (s *sending) applyRow(msg screen.Result) {
	if found, is := msg.Body.(historyRow); is && msg.Err == nil {
		s.row = found
	}
}

package send

import (
	"context"

	"billfold/tui/screen"
	"billfold/walletcore/payment"

	tea "github.com/charmbracelet/bubbletea"
)

const topicRow = "row"

// findRow looks for the row of the payment that Sending shows, once it is in a block.
func (s *sending) findRow(env screen.Env, past History) tea.Cmd {
	p, known := s.payment(env)
	_, busy := s.tasks.Busy(topicRow)
	inBlock := p.State == payment.InBlock || p.State == payment.Irreversible
	if !known || busy || !inBlock || s.row.block == p.Block {
		return nil
	}
	return s.tasks.Start(env, topicRow, askLimit, func(ctx context.Context) (any, error) {
		rows, err := past.Entries(ctx, p.Review.From.ID, 0, pastRows)
		found := row{}
		for _, e := range rows { // the newest first: the first operation of several comes last
			if e.Block == p.Block && e.TrxInBlock == p.TrxInBlock {
				found = row{e.ID, e.Block}
			}
		}
		return found, err
	})
}

// rowFound takes what was found. What was not is looked for with the next block.
func (s *sending) rowFound(msg screen.Result) {
	if found, is := msg.Body.(row); is && msg.Err == nil {
		s.row = found
	}
}

package history

import (
	"context"
	"time"

	"billfold/tui/screen"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// beside is what is known of the row in focus besides the row: the id of its transaction and the person's label.
type beside struct {
	ids    Transactions
	labels Labels
	tasks  *screen.Tasks

	row    label.Row // that is asked about
	id     string    // of its transaction; "" while it is not known
	final  time.Time // see Transaction
	none   bool      // nobody has it
	failed bool      // the node did not answer; asked again with the next block
}

// follow asks for the id of another row's transaction once it has been in focus for a moment.
func (b *beside) follow(env screen.Env, e history.Entry, there bool) tea.Cmd {
	row := label.Row{ID: e.ID, Block: e.Block}
	if !there {
		row = label.Row{}
	}
	if row == b.row {
		return nil
	}
	first := b.row == label.Row{}
	b.forget()
	if b.row = row; !there {
		return nil
	}
	ids, at, pause := b.ids, historyindex.TrxPosition{Block: e.Block, Trx: e.TrxInBlock}, restOnRow
	if first {
		pause = 0
	}
	return b.tasks.Start(env, identify, readLimit, func(ctx context.Context) (any, error) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return ids.Transaction(ctx, at)
	})
}

// restOnRow is how long a row is in focus before a node is asked for its block.
const restOnRow = 150 * time.Millisecond

// forget drops what is known; the row in focus is asked about again.
func (b *beside) forget() {
	b.row, b.id, b.final, b.none, b.failed = label.Row{}, "", time.Time{}, false, false
	b.tasks.Forget(identify)
}

// result takes what is known of the transaction.
func (b *beside) result(msg screen.Result) {
	is, _ := msg.Body.(Transaction)
	b.id, b.final, b.none, b.failed = is.ID, is.Final, is.ID == "" && msg.Err == nil, msg.Err != nil
}

// label is the one of a row, and why there is no text.
func (b *beside) label(e history.Entry) (string, vault.MemoState) {
	return b.labels.Of(label.Row{ID: e.ID, Block: e.Block})
}

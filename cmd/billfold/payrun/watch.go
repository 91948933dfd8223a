package payrun

import (
	"context"
	"fmt"
	"time"

	"billfold/walletcore/fault"
)

// How long nothing may happen until a payout says what it waits for, and the first and the longest time until it says so once more.
const (
	firstNote   = 15 * time.Second
	secondNote  = time.Minute
	longestNote = 5 * time.Minute
)

// note prints a line for a person, beside the progress.
func (o *Options) note(format string, args ...any) {
	if o.Problems != nil {
		fmt.Fprintf(o.Problems, format+"\n", args...)
	}
}

// watch prints what is waited for, until ended, once it takes long.
func (o *Options) watch(ctx context.Context, tell func(context.Context) string) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for pause, next := firstNote, secondNote; ; pause, next = next, min(5*next, longestNote) {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return
			}
			if text := tell(ctx); ctx.Err() == nil {
				o.note("still waiting %s", text)
			}
		}
	}()
	return func() { cancel(); <-done }
}

// watchBatch is watch for what becomes of a batch, which the wallet is asked about.
func (j *job) watchBatch(ctx context.Context, b *batch) (end func()) {
	what := fmt.Sprintf("for transaction %d of %d (%s)", b.Number, len(j.batches), b.Lines())
	key := b.key(j.id)
	return j.watch(ctx, func(ctx context.Context) string {
		ctx, cancel := context.WithTimeout(ctx, askTime)
		defer cancel()
		info, err := askPayment(ctx, j.Wallet, "get_payment", key)
		switch {
		case err == nil:
			return what + ": " + stateOf(&info)
		case fault.CodeOf(err) == fault.NoSuchPayment:
			return what + ": the wallet has not signed it yet; it waits for its daemon, or for a person who approves spends there"
		}
		return what + ": the wallet does not answer about it"
	})
}

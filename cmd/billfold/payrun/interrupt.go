package payrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

// How long an interrupted payout goes on: lingerTime for the answer about the transaction under way, askTime for what the journal has of
// those whose outcome is not known.
const (
	lingerTime = 4 * time.Second
	askTime    = 3 * time.Second
	noteTime   = 500 * time.Millisecond // after which it says that it waits
)

// linger returns a context that ends lingerTime after ctx. What is being sent is not broken off: the wallet would not know either
// whether it was.
func (j *job) linger(ctx context.Context, b *batch) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		wait := func(d time.Duration) bool {
			select {
			case <-time.After(d):
				return true
			case <-longer.Done():
				return false
			}
		}
		if wait(noteTime) {
			j.note("interrupted: waiting up to %s for what becomes of %s; interrupt once more to end at once", lingerTime, b.Lines())
			wait(lingerTime - noteTime)
		}
		cancel()
	})
	return longer, func() { stop(); cancel() }
}

// early returns the error of a payout that ended before it paid anything. What an interruption broke off is told as that.
func early(ctx context.Context, err error) error {
	switch code := fault.CodeOf(err); {
	case err == nil, ctx.Err() == nil:
		return err
	case errors.Is(err, context.Canceled), slices.Contains([]fault.Code{fault.Canceled, fault.OutcomeUnknown, fault.DaemonAway}, code):
		return &fault.Error{Code: fault.Canceled, Op: "pay", Message: "interrupted; nothing was paid now", Err: err,
			Hint: "run the same command again: it looks first what was paid, and pays nothing twice"}
	}
	return err
}

// settle asks the journal for the state of a batch. If the journal has no such payment, it was not sent, unless a call that may go on
// was broken off.
func (j *job) settle(ctx context.Context, b *batch, broken bool) {
	info, err := askPayment(ctx, j.Wallet, "get_payment", b.key(j.id))
	switch {
	case err == nil:
		b.paid, b.unsure = &info, ""
	case fault.CodeOf(err) == fault.NoSuchPayment && !broken:
		b.unsure = ""
	case fault.CodeOf(err) == fault.NoSuchPayment:
		b.unsure = "the wallet has not recorded it, but may be about to"
	default:
		b.unsure = "the wallet could not be asked about it"
	}
}

// interrupted asks what became of the transactions whose outcome is not known, and returns the error of a payout that a person or the
// system interrupted. under is the one under way, nil if there is none; why is how its call ended.
func (j *job) interrupted(ctx context.Context, under *batch, why error) error {
	ask, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
	defer cancel()
	if under != nil {
		j.settle(ask, under, fault.CodeOf(why) == fault.OutcomeUnknown)
	}
	left := slices.ContainsFunc(j.batches, func(b *batch) bool { return b.paid == nil || b.failed() }) // something is to be paid
	for _, b := range j.batches {
		if b != under && (b.maybe() || !left && !b.done()) {
			if info, err := askPayment(ask, j.Wallet, "get_payment", b.key(j.id)); err == nil {
				b.paid = &info
			}
		}
	}
	open := len(j.among(func(b *batch) bool { return b.isSent() && !b.done() }))
	text := "interrupted: " + j.sentText()
	if under != nil && under.paid == nil && wasRefused(why) {
		text += "; " + printable.LinesWere(under.Lines()) + " not: " + why.Error()
	}
	code, hint := fault.Canceled, "run the same command again, with the same file and label: it pays exactly the rest"
	unsure := j.among((*batch).maybe)
	switch {
	case len(unsure) > 0:
		code, text = fault.OutcomeUnknown, text+"; "+doubts(unsure)
		hint = fmt.Sprintf("%s may have been paid; run the same command again, with the same file and label: it looks first, and pays exactly the rest", linesOf(unsure))
	case !left && open > 0:
		code, text = fault.OutcomeUnknown, fmt.Sprintf("%s, %d of them in no block yet", text, open)
		hint = "run the same command again: it waits for the blocks, and pays nothing twice"
	case !left:
		hint = "run the same command again for the receipt: it pays nothing twice"
	}
	return &fault.Error{Code: code, Op: "pay", Message: text, Hint: hint, Err: why}
}

// wasRefused reports whether a call was answered that nothing was done.
func wasRefused(err error) bool {
	e, ok := errors.AsType[*fault.Error](err)
	return ok && e.Code != fault.Canceled && e.Code != fault.OutcomeUnknown
}

// maybe reports whether it is not known if the batch was sent.
func (b *batch) maybe() bool {
	return b.unsure != "" || b.paid != nil && slices.Contains([]string{payment.Unknown.String(), payment.Prepared.String()}, b.paid.State)
}

// isSent reports whether the batch was sent for certain.
func (b *batch) isSent() bool { return b.paid != nil && !b.failed() && !b.maybe() }

func (j *job) among(those func(*batch) bool) (all []*batch) {
	for _, b := range j.batches {
		if those(b) {
			all = append(all, b)
		}
	}
	return all
}

// sentText returns how much of the plan was sent for certain.
func (j *job) sentText() string {
	sent := j.among((*batch).isSent)
	if len(sent) == 0 {
		return fmt.Sprintf("none of %s was sent", printable.Many(len(j.batches), "transaction"))
	}
	return fmt.Sprintf("%s sent (%s: %s)", printable.PartWere(len(sent), len(j.batches), "transaction"), linesOf(sent),
		printable.Many(rowsOf(sent), "payment"))
}

// doubts returns of which lines it is not known whether they were paid, and why.
func doubts(unsure []*batch) string {
	text := "whether " + printable.LinesWere(linesOf(unsure)) + " sent is not known"
	if b := unsure[0]; b.unsure != "" {
		text += ": " + b.unsure
	} else {
		text += ": " + stateOf(b.paid)
	}
	if more := len(unsure) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more like it", more)
	}
	return text
}

// stateOf returns the state of a payment with its reason.
func stateOf(p *payment.Info) string {
	text := "transaction " + p.TransactionID.String() + " is " + strings.ReplaceAll(p.State, "_", " ")
	if p.Reason != "" {
		text += " (" + p.Reason + ")"
	}
	return text
}

// maxRanges is the maximum number of ranges of lines that are named.
const maxRanges = 5

// linesOf returns the lines of batches, those of neighbors as one range.
func linesOf(batches []*batch) string {
	var ranges []string
	for i := 0; i < len(batches); {
		end := i + 1
		for end < len(batches) && batches[end].Number == batches[end-1].Number+1 {
			end++
		}
		all := batches[i].Batch
		all.Rows = slices.Concat(all.Rows[:1], batches[end-1].Rows)
		if rowsOf(batches[i:end]) == 1 {
			all.Rows = all.Rows[:1]
		}
		ranges, i = append(ranges, all.Lines()), end
	}
	if more := len(ranges) - maxRanges; more > 0 {
		ranges = append(ranges[:maxRanges], fmt.Sprintf("%d further ranges", more))
	}
	return strings.Join(ranges, ", ")
}

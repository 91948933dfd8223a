package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// purchase returns the purchase of content that a payment makes, nil if it makes none.
func (e *entry) purchase() *ledger.RequestToBuyOp {
	for _, op := range e.tx.Operations {
		if buy, is := op.Body.(*ledger.RequestToBuyOp); is {
			return buy
		}
	}
	return nil
}

// addNew is add for a payment that was signed just now. Of two calls that buy the same content for the same account at a time, each under its own
// request key or none, only one is sent: the other one is refused here, before anybody has its bytes. Errors: store.ErrIDTaken, fault.BoughtAlready.
func (l *list) addNew(e *entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if buy := e.purchase(); buy != nil {
		for _, other := range l.byID {
			if was := other.purchase(); was != nil && was.Consumer == buy.Consumer && was.URI == buy.URI && other.undecided() {
				return boughtTwice(other)
			}
		}
	}
	if !l.addLocked(e) {
		return store.ErrIDTaken
	}
	return nil
}

// undecided reports whether a payment is in no block and may still get into one.
func (e *entry) undecided() bool { return e.State == Prepared || e.State == Sent || e.State == Unknown }

func boughtTwice(first *entry) *fault.Error {
	return &fault.Error{Code: fault.BoughtAlready, Op: "request_to_buy",
		Message: "this content is being bought already, in transaction " + first.ID.String() + ", which the ledger has until " +
			first.Expiration.Time().Format("15:04:05") + " UTC to take",
		Hint: "nothing was signed now; get_payment shows whether that one is in a block"}
}

// explainLimit is the time limit for finding out why a purchase was refused.
const explainLimit = 5 * time.Second

// explainContent has the refusal of a purchase, a rating or a withdrawal say what is the matter, where that can be seen, instead of the condition
// that the daemon checked; its words stay in Data.
func (s *sender) explainContent(ctx context.Context, e *entry, failure *fault.Error) {
	if failure.Code != fault.DaemonRefused || len(e.tx.Operations) != 1 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, explainLimit)
	defer cancel()
	var err error
	what := ""
	switch op := e.tx.Operations[0].Body.(type) {
	case *ledger.RequestToBuyOp:
		what = "purchase"
		var offer *ledger.Content
		if offer, err = s.view.Contents.Get(ctx, op.URI); err == nil {
			err = txbuild.CheckPurchase(ctx, s.view, "request_to_buy", offer, op)
		}
		if err == nil {
			err = s.checkBalance(ctx, op)
		}
	case *ledger.LeaveRatingAndCommentOp:
		what, err = "rating", txbuild.CheckRating(ctx, s.view, "leave_rating_and_comment", op)
	case *ledger.ContentCancellationOp:
		what, err = "withdrawal", txbuild.CheckWithdrawal(ctx, s.view, "content_cancellation", op)
	}
	why, is := errors.AsType[*fault.Error](err)
	if !is {
		return
	}
	switch why.Code {
	case fault.NoSuchContent, fault.NotSoldInRegion, fault.StateChanged, fault.BoughtAlready, fault.InsufficientBalance, fault.NoSuchPurchase, fault.Denied:
		failure.Message = "the ledger did not take the " + what + ": " + why.Message
	}
}

// checkBalance returns fault.InsufficientBalance if the consumer has less than the price.
func (s *sender) checkBalance(ctx context.Context, buy *ledger.RequestToBuyOp) error {
	held, err := s.view.Assets.Holdings(ctx, buy.Consumer)
	if err != nil {
		return err
	}
	asset := s.view.Assets.Known(buy.Price.AssetID)
	has := int64(0)
	for _, row := range held {
		if row.Asset.ID == asset.ID {
			has = row.Amount
		}
	}
	if has >= buy.Price.Amount {
		return nil
	}
	return &fault.Error{Code: fault.InsufficientBalance, Op: "request_to_buy", Hint: "nothing was spent; buy with another account",
		Message: fmt.Sprintf("the account %s has %s %s, and it costs %s", s.view.Accounts.Ref(buy.Consumer).Name, ledger.FormatAmount(has, asset.Precision),
			asset.Symbol, ledger.FormatAmount(buy.Price.Amount, asset.Precision))}
}

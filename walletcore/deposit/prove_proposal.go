package deposit

import (
	"context"
	"errors"
	"fmt"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// proveProposed judges a row made by a proposal, at a place where one may have been carried out. Without a quorum, or if
// not all of the daemons have that very record, the row is withheld, so that it does not hold up those after it, and is
// logged once. An error means that the daemons cannot be asked now.
func (p *Prover) proveProposed(ctx context.Context, account ledger.AccountID, row *history.Entry) error {
	row.Proof = history.ProofWithheld
	if p.Daemon.Quorum() <= 1 {
		p.logWithheld(
			account,
			row,
			"a proposal is said to have done it, which no block shows; name several daemons and --daemon-quorum 2",
		)
		return nil
	}
	record, err := p.confirmedRecord(ctx, row.ID)
	switch {
	case errors.Is(err, daemonclient.ErrDisagree):
		p.logWithheld(account, row, err.Error())
	case err != nil:
		return fault.Daemon("asking for the result of a proposal", err)
	case record == nil || !p.isRecord(account, row, record):
		p.logWithheld(account, row, "the daemons agree that there is no such record")
	default:
		row.Proof = history.ProofDaemons
	}
	return nil
}

// confirmedRecord returns what a quorum has under the number of a record; nil for nothing.
func (p *Prover) confirmedRecord(ctx context.Context, id ledger.HistoryID) (*ledger.HistoryRecord, error) {
	ask := func(ctx context.Context, q daemonclient.Queries) (*ledger.HistoryRecord, error) {
		rows, err := q.GetObjects(ctx, []ledger.ObjectID{id.Object()})
		if err != nil || len(rows) == 0 || ledgerview.IsNull(rows[0]) {
			return nil, err
		}
		r := new(ledger.HistoryRecord)
		return r, codec.Unmarshal(rows[0], r)
	}
	return daemonclient.AskQuorum(
		ctx,
		p.Daemon,
		"the record "+id.String()+" of a proposal's result",
		ask,
		func(r *ledger.HistoryRecord) string {
			text, err := codec.Marshal(r)
			if r == nil || err != nil {
				return "there is none"
			}
			return string(text)
		},
	)
}

// isRecord reports whether a row matches the record.
func (p *Prover) isRecord(account ledger.AccountID, row *history.Entry, r *ledger.HistoryRecord) bool {
	if r.ID != row.ID || r.BlockNum != row.Block || r.TrxInBlock != row.TrxInBlock || r.OpInTrx != row.OpInTrx ||
		r.VirtualOp != row.VirtualOp {
		return false
	}
	m, moves := history.MovementOf(r.Op.Body)
	return moves && p.sameTransfer(account, row, provenTransfer{Movement: m, memo: r.Op.Memo()})
}

func (p *Prover) logWithheld(account ledger.AccountID, row *history.Entry, why string) {
	amount := fmt.Sprintf("%s (%s)", row.Asset.Format(row.Amount), row.Asset.ID)
	what := fmt.Sprint(account, row.Block, row.TrxInBlock, row.OpInTrx, row.VirtualOp, row.From.ID, amount)
	if p.withheld.shouldLog(what) {
		p.Logger.Warn("deposits: a deposit is withheld; check it, and credit it by hand if it is real", "account", account.String(),
			"block", row.Block, "transaction", row.TrxInBlock, "operation", row.OpInTrx, "amount", amount, "why", why)
	}
}

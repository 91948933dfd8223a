package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// move is a transfer in either form.
type move struct {
	from   ledger.AccountID
	to     ledger.ObjectID
	amount ledger.AssetAmount
	fee    ledger.AssetAmount
	memo   *ledger.Memo
}

var transferObsolete = transferOf(func(op ledger.Body) move {
	t := op.(*ledger.TransferObsoleteOp)
	return move{t.From, t.To.Object(), t.Amount, t.Fee, t.Memo}
})

var transfer = transferOf(func(op ledger.Body) move {
	t := op.(*ledger.TransferOp)
	return move{t.From, t.To, t.Amount, t.Fee, t.Memo}
})

func transferOf(read func(ledger.Body) move) evaluator {
	return evaluator{
		validate: func(op ledger.Body) *nodeerr.Fault { return read(op).validate() },
		evaluate: func(s *State, op ledger.Body) *nodeerr.Fault {
			m := read(op)
			if fault := m.evaluate(s); fault != nil {
				return fault.In("do_evaluate", "", nodeerr.Data{"op": op})
			}
			return nil
		},
		apply: func(s *State, op ledger.Body) (ledger.OperationResult, *nodeerr.Fault) { return read(op).apply(s) },
		touches: func(op ledger.Body, _ ledger.OperationResult) []ledger.AccountID {
			m := read(op)
			return []ledger.AccountID{m.from, ledger.AccountID(m.to.Instance())}
		},
	}
}

func (m move) validate() *nodeerr.Fault {
	switch {
	case m.from.Object() == m.to:
		return nodeerr.Assert("validate", "from != to: ", nil)
	case m.amount.Amount <= 0:
		return nodeerr.Assert("validate", "amount.amount > 0: ", nil)
	case !isAccount(m.to) && !isContent(m.to):
		return nodeerr.Assert("validate", "is_account || is_content: ${to} can receive nothing", nodeerr.Data{"to": m.to})
	}
	return nil
}

func isAccount(id ledger.ObjectID) bool { return id.Space() == 1 && id.Type() == 2 }
func isContent(id ledger.ObjectID) bool { return id.Space() == 2 && id.Type() == 13 }

// evaluate looks at the balance before the fee is taken, as the reference does.
func (m move) evaluate(s *State) *nodeerr.Fault {
	to := s.Account(ledger.AccountID(m.to.Instance()))
	from := s.Account(m.from)
	if from == nil {
		return nodeerr.NotFound(m.from.Object())
	}
	if !isAccount(m.to) || to == nil {
		return nodeerr.NotFound(m.to)
	}
	if s.Asset(m.amount.AssetID) == nil {
		return nodeerr.NotFound(m.amount.AssetID.Object())
	}
	have := s.Balance(m.from, m.amount.AssetID)
	if have >= m.amount.Amount {
		return nil
	}
	return nodeerr.Assert("do_evaluate", "sufficient_balance: Insufficient Balance: ${balance}, unable to transfer '${total_transfer}' from account '${a}' to '${t}'", nodeerr.Data{
		"a": from.Name, "t": to.Name, "total_transfer": s.pretty(m.amount),
		"balance": s.pretty(ledger.AssetAmount{Amount: have, AssetID: m.amount.AssetID}),
	})
}

func (m move) apply(s *State) (ledger.OperationResult, *nodeerr.Fault) {
	to := ledger.AccountID(m.to.Instance())
	fault := s.adjust(m.from, m.amount.AssetID, -m.amount.Amount)
	if fault == nil {
		fault = s.adjust(to, m.amount.AssetID, m.amount.Amount)
	}
	s.addDetail(TransactionDetail{
		From: m.from, To: to, Kind: detailTransfer, Amount: m.amount, Fee: m.fee, Description: "transfer", Memo: m.memo,
	})
	return voidResult(), fault
}

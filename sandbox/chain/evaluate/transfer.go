package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// move is a transfer in either form.
type move struct {
	from   ledger.AccountID
	to     ledger.ObjectID
	amount ledger.AssetAmount
	fee    ledger.AssetAmount
	memo   *ledger.Memo
}

func transferRules() []registration {
	return []registration{
		transferOf(func(t *ledger.TransferObsoleteOp) move { return move{t.From, t.To.Object(), t.Amount, t.Fee, t.Memo} }),
		transferOf(func(t *ledger.TransferOp) move { return move{t.From, t.To, t.Amount, t.Fee, t.Memo} }),
	}
}

func transferOf[T ledger.Body](read func(T) move) registration {
	return operationRule[T]{
		validate: func(op T) *nodeerr.Error { return read(op).validate() },
		evaluate: func(e *Engine, op T) *nodeerr.Error { return read(op).evaluate(e) },
		apply:    func(e *Engine, op T) (ledger.OperationResult, *nodeerr.Error) { return read(op).apply(e) },
	}
}

func (m move) validate() *nodeerr.Error {
	switch {
	case m.from.Object() == m.to:
		return invalid("from != to: ", nil)
	case m.amount.Amount <= 0:
		return invalid("amount.amount > 0: ", nil)
	case !isAccount(m.to) && !isContent(m.to):
		return invalid("is_account || is_content: ${to} can receive nothing", nodeerr.Data{"to": m.to})
	}
	return nil
}

func isAccount(id ledger.ObjectID) bool { return id.Space() == 1 && id.Type() == 2 }
func isContent(id ledger.ObjectID) bool { return id.Space() == 2 && id.Type() == 13 }

// evaluate checks the balance before the fee is charged, as the reference does.
func (m move) evaluate(e *Engine) *nodeerr.Error {
	to := e.Accounts.Get(ledger.AccountID(m.to.Instance()))
	from := e.Accounts.Get(m.from)
	if from == nil {
		return nodeerr.NotFound(m.from.Object())
	}
	if !isAccount(m.to) || to == nil {
		return nodeerr.NotFound(m.to)
	}
	if e.Assets.Get(m.amount.AssetID) == nil {
		return nodeerr.NotFound(m.amount.AssetID.Object())
	}
	have := e.Balances.Of(m.from, m.amount.AssetID)
	if have >= m.amount.Amount {
		return nil
	}
	return refuse(
		"sufficient_balance: Insufficient Balance: ${balance}, unable to transfer '${total_transfer}' from account '${a}' to '${t}'",
		nodeerr.Data{
			"a": from.Name, "t": to.Name, "total_transfer": amountText(e.State, m.amount),
			"balance": amountText(e.State, ledger.AssetAmount{Amount: have, AssetID: m.amount.AssetID}),
		})
}

func (m move) apply(e *Engine) (ledger.OperationResult, *nodeerr.Error) {
	to := ledger.AccountID(m.to.Instance())
	fault := pay(e.State, m.from, to, m.amount)
	e.Details.Add(e.HeadTime(), state.TransactionDetail{
		From: m.from, To: to, Kind: state.DetailTransfer, Amount: m.amount, Fee: m.fee, Description: "transfer", Memo: m.memo,
	})
	return voidResult(), fault
}

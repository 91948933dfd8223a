package walletapi

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

type receiptParams struct {
	Account  string   `json:"account" role:"account" help:"name or id of the payer"`
	Plan     string   `json:"plan" help:"its id"`
	Label    string   `json:"label" help:"of the plan; usually empty"`
	Payments int      `json:"payments" help:"how many the plan has"`
	Batches  int      `json:"batches" help:"how many transactions the plan has"`
	Keys     []string `json:"request_keys" help:"of the transactions made, in order"`
	Memos    []string `json:"memos,omitempty" byname:"only" help:"of all rows of the plan: with them its id proves its label to the journal"`
}

// payoutSpending holds the parameters of pay_many.
type payoutSpending struct {
	Own    txbuild.PayManyParams
	Of     sending
	Payout payoutPart `json:"payout,omitempty" byname:"only" help:"for billfold pay: how its plan was compared with others, see check_payout"`
}

// payoutPart says of a transaction how the payout that it is a part of was compared with others.
type payoutPart struct {
	Position string `json:"position"`        // of check_payout
	Label    string `json:"label,omitempty"` // of the payout
	First    bool   `json:"first,omitempty"` // it is refused if another payout has paid anything since that position
	Again    bool   `json:"again,omitempty"` // what other payouts have paid up to that position is paid again
}

type checkPayoutParams struct {
	Account  string               `json:"account" role:"account" help:"name or id of the payer"`
	Plan     string               `json:"plan" help:"its id; what it pays itself does not count"`
	Payments []txbuild.PayoutItem `json:"payments" help:"at most 100, as for pay_many; memos do not matter"`
	After    string               `json:"after,omitempty" help:"the position of an earlier call: only what came later counts"`
	Label    string               `json:"label,omitempty" help:"of the payout; empty = none"`
}

// payoutCheck is the result of check_payout.
type payoutCheck struct {
	Paid     []paidElsewhere `json:"paid"`     // the payments that other plans make
	Position string          `json:"position"` // of the latest payment of a payout that was compared
	Claim    string          `json:"claim"`    // the command that says which request a payment found after a loss was
}

// paidElsewhere is a payment that another plan makes, or a claimed one.
type paidElsewhere struct {
	Payment int         `json:"payment"` // its place in the list, from 0
	Plan    string      `json:"plan"`    // the other plan; the same one where a payment was claimed for it
	ID      string      `json:"transaction_id"`
	Since   ledger.Time `json:"since"`
	Label   string      `json:"label"`                 // of the other plan: "same", "other", "unknown", or "lost" for one found after a loss
	Counts  bool        `json:"counts"`                // it is refused unless "again": the label is the same or may be, or this payout has none
	Key     string      `json:"request_key,omitempty"` // of one found after a loss: what a person claimed
	Pays    int         `json:"pays,omitempty"`        // of one found: how many payments its transaction makes
}

func payoutMethods() []*Method {
	return []*Method{
		declareSpend("pay_many",
			doc{
				Help: "Makes several payments from one account in one transaction: all or none.", Secret: true,
				Examples: []string{`alice '[{"to":"bobby","amount":"1.5","asset_symbol":"DCT","memo":""}]' true`},
			},
			func(_ context.Context, _ *Core, p txbuild.PayManyParams) (txbuild.Request, error) {
				return txbuild.NewRequest("pay_many", p, txbuild.PayMany), nil
			},
			func(all *payoutSpending) (txbuild.PayManyParams, sending) {
				of := all.Of
				of.payout = all.Payout
				return all.Own, of
			},
			thenDo[txbuild.PayManyParams](noFollowUp)),
		read("check_payout",
			doc{
				Help:     "Says which of these payments other payouts of the account make: the same account, asset and amount.",
				Result:   "payments that were refused or expired do not count",
				Examples: []string{`alice 3b1c2e0d '[{"to":"bobby","amount":"1.5","asset_symbol":"DCT"}]'`},
			},
			checkPayout),
		signs("get_payout_receipt",
			doc{
				Help:     "Returns what a payout paid, signed with an active key of the payer.",
				Result:   "JSON lines, without memos; billfold pay --verify checks them",
				Question: Question{Sentence: "sign a receipt of the payout {plan} by {account}"},
				Examples: []string{`alice 3b1c2e0d 'May' 2 1 ["payout/3b1c2e0d/1/1"]`},
			},
			payoutReceipt),
	}
}

// ofPayout returns what is recorded with a transaction of a payout; nil for any other spend, which must not use a payout's
// request key: what it paid would count as a row of a plan. A key of that kind from before this rule is answered as ever.
// Errors: fault.RequestKey, fault.BadParameter.
func ofPayout(ctx context.Context, w *Core, of sending) (payment.Recorder, error) {
	key := of.Options.RequestKey
	_, isPlan := payout.PlanOf(key)
	switch {
	case of.payout != (payoutPart{}) && isPlan:
		position, err := positionOf(of.payout.Position)
		if err != nil {
			return nil, err
		}
		return w.Payments.OfPayout(key, payment.PayoutTerms{
			Label: of.payout.Label, Position: position, First: of.payout.First, Again: of.payout.Again}), nil
	case of.payout != (payoutPart{}):
		return nil, &fault.Error{Code: fault.BadParameter, Hint: "leave payout out",
			Message: "payout goes with the request key of a payout, " + payout.KeyPrefix + "PLAN/NUMBER/ROW, and " + fault.Quote(key) + " is none"}
	case !strings.HasPrefix(key, payout.KeyPrefix):
		return nil, nil
	}
	switch _, err := w.Payments.Get(ctx, key); {
	case fault.CodeOf(err) == fault.NoSuchPayment:
		return nil, &fault.Error{Code: fault.RequestKey, RequestKey: fault.KeyNew, Hint: "nothing was sent; use a key of another form",
			Message: "request keys that begin with " + payout.KeyPrefix + " belong to payouts (billfold pay)"}
	default:
		return nil, err
	}
}

// positionOf parses a position of check_payout.
func positionOf(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, &fault.Error{Code: fault.BadParameter, Message: fault.Quote(text) + " is not a position that check_payout returned",
			Hint: "call check_payout, and pass on what it returns"}
	}
	return n, nil
}

// checkPayout compares payments with those of other plans of the payer.
func checkPayout(ctx context.Context, w *Core, p checkPayoutParams) (payoutCheck, error) {
	payer, err := w.View.Accounts.Get(ctx, p.Account)
	if err != nil {
		return payoutCheck{}, err
	}
	if len(p.Payments) > txbuild.MaxPayments {
		return payoutCheck{}, &fault.Error{Code: fault.LimitExceeded, Hint: "check them in parts",
			Message: fmt.Sprintf("at most %d payments are checked at once, and %d were given", txbuild.MaxPayments, len(p.Payments))}
	}
	after := int64(0)
	if p.After != "" {
		if after, err = positionOf(p.After); err != nil {
			return payoutCheck{}, err
		}
	}
	rows := make([]ledger.Movement, len(p.Payments))
	for i, item := range p.Payments {
		if rows[i], err = movementOf(ctx, w, item); err != nil {
			return payoutCheck{}, err
		}
	}
	paid, position, err := w.Payments.CheckPayout(ctx, payer.ID, p.Plan, p.Label, rows, after)
	if err != nil {
		return payoutCheck{}, err
	}
	out := payoutCheck{Paid: []paidElsewhere{}, Position: strconv.FormatInt(position, 10), Claim: w.Payments.ClaimCommand()}
	for _, r := range paid {
		one := paidElsewhere{Payment: r.Row, Plan: r.Plan, ID: r.ID, Since: ledger.TimeOf(r.At), Label: "other", Counts: r.Counts, Key: r.Key}
		if r.Lost || r.Key != "" {
			one.Pays = r.Pays
		}
		switch {
		case r.Lost:
			one.Label = "lost"
		case !r.Labelled:
			one.Label = "unknown"
		case r.Counts && p.Label != "":
			one.Label = "same"
		}
		out.Paid = append(out.Paid, one)
	}
	return out, nil
}

// movementOf returns what a payment of a list moves; its From is not set.
func movementOf(ctx context.Context, w *Core, item txbuild.PayoutItem) (ledger.Movement, error) {
	to, err := w.View.Accounts.Get(ctx, item.To)
	if err != nil {
		return ledger.Movement{}, err
	}
	asset, err := w.View.Assets.Get(ctx, item.Asset)
	if err != nil {
		return ledger.Movement{}, err
	}
	amount, err := txbuild.ParseAmount(item.Amount, ledgerview.AssetRef{ID: asset.ID, Symbol: asset.Symbol, Precision: asset.Precision})
	return ledger.Movement{To: to.ID.Object(), Amount: ledger.AssetAmount{Amount: amount, AssetID: asset.ID}}, err
}

// payoutReceipt returns a signed receipt of the payments with these request keys, as the journal has them.
func payoutReceipt(ctx context.Context, w *Core, p receiptParams) (string, error) {
	payer, err := w.View.Accounts.Get(ctx, p.Account)
	if err != nil {
		return "", err
	}
	key, err := activeKeyOf(w, payer)
	if err != nil {
		return "", err
	}
	_, head, _ := w.View.Chain.Position()
	r := payout.Receipt{Head: payout.ReceiptHead{
		Kind: payout.ReceiptKind, Version: 1, Chain: w.View.Pins.Chain(), Plan: p.Plan, Label: p.Label,
		PayerID: payer.ID, Payer: payer.Name, Payments: p.Payments, Batches: p.Batches, Made: head,
	}}
	plan := payout.Plan{Chain: r.Head.Chain, Payer: payer.ID, Label: p.Label}
	for _, key := range p.Keys {
		first, ok := payout.FirstRowOf(key, p.Plan)
		if !ok {
			return "", &fault.Error{Code: fault.BadValue,
				Message: fault.Quote(key) + " is not the request key of a transaction of this plan"}
		}
		made, err := w.Payments.Get(ctx, key)
		if err != nil {
			return "", err
		}
		rows, err := receiptRows(ctx, w, payer.ID, first, made)
		if err != nil {
			return "", err
		}
		r.Rows, plan.Rows = append(r.Rows, rows...), append(plan.Rows, planRows(w, rows, made)...)
	}
	if len(r.Rows) == p.Payments { // what was claimed may have other memos than the plan, whose id follows from its own
		for i := range plan.Rows {
			if len(p.Memos) == p.Payments {
				plan.Rows[i].Memo = p.Memos[i]
			}
		}
		if err := w.Payments.LabelPayout(ctx, plan, p.Plan); err != nil {
			return "", err
		}
	}
	return r.Sign(key, func(statement []byte) (ledger.Signature, error) {
		return vault.SignStatement(w.Vault, "get_payout_receipt", key, statement)
	})
}

// activeKeyOf returns a key in an account's active authority whose private key is in the wallet.
func activeKeyOf(w *Core, a *ledger.Account) (ledger.PublicKey, error) {
	for _, named := range a.Active.KeyAuths {
		if w.Vault.Holds(named.Key) {
			return named.Key, nil
		}
	}
	return ledger.PublicKey{}, &fault.Error{Code: fault.KeyNotInWallet, Message: "no active key of " + a.Name + " is in this wallet",
		Hint: "the receipt cannot be signed; list_payments shows what was paid"}
}

// receiptRows returns the payments of one transaction, numbered from first on.
func receiptRows(ctx context.Context, w *Core, payer ledger.AccountID, first int, made payment.Info) ([]payout.ReceiptRow, error) {
	names, err := w.View.Namer(ctx, ledgerview.MentionsOf(made.Transaction.Operations...))
	if err != nil {
		return nil, err
	}
	var rows []payout.ReceiptRow
	for i, op := range made.Transaction.Operations {
		moves := op.Moves()
		if len(moves) != 1 || moves[0].From != payer.Object() {
			return nil, &fault.Error{Code: fault.BadValue,
				Message: fmt.Sprintf("transaction %s is not a payout of %s", made.TransactionID, payer)}
		}
		m := moves[0]
		asset := names.Assets[m.Amount.AssetID]
		rows = append(rows, payout.ReceiptRow{Row: first + i, Account: names.ObjectName(m.To), AccountID: m.To,
			Amount: ledger.FormatAmount(m.Amount.Amount, asset.Precision), Asset: asset.Symbol, AssetID: asset.ID,
			TransactionID: made.TransactionID, Operation: i, Block: made.BlockNum, State: made.State})
	}
	return rows, nil
}

// planRows returns the rows of a plan that a transaction pays, as far as they can be known: a memo that cannot be read makes another plan.
func planRows(w *Core, rows []payout.ReceiptRow, made payment.Info) (out []payout.Row) {
	for i, r := range rows {
		text, _ := w.Vault.OpenMemo(made.Transaction.Operations[i].Memo())
		out = append(out, payout.Row{AccountID: r.AccountID.String(), Amount: payout.Plain(r.Amount), AssetID: r.AssetID.String(), Memo: text})
	}
	return out
}

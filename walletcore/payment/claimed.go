package payment

import (
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
	"billfold/walletcore/store"
)

// ClaimOf returns the claim that the payment with that id, which was found after a loss, was requested under key; "" = under none that
// counts. Whatever the key, the rows that the payment pays are recorded with the claim, so that payouts see them as paid. A key of a
// payout is refused, at once or when the claim is made, if that payout cannot have asked for this payment under it.
func ClaimOf(key string, id ledger.TransactionID) (store.Claim, error) {
	if !store.IsKey(key) {
		return store.Claim{}, store.ErrBadKey
	}
	c := store.Claim{Key: key, ID: id.String()}
	if !strings.HasPrefix(key, payout.KeyPrefix) {
		c.Rows = func(e store.Entry, _ []store.PlanPart) ([]store.PayoutRows, error) {
			_, rows, err := claimedRows(e, "")
			return rows, err
		}
		return c, nil
	}
	k, ok := payout.ParseKey(key)
	if !ok {
		return c, notOfPayout(key, "that has the plan, the number of the transaction and its first row, like payout/8d99b56c5b0f8c8d4f1b3c6a7e2d9f10/2/51")
	}
	c.Rows = func(e store.Entry, of []store.PlanPart) ([]store.PayoutRows, error) {
		ops, rows, err := claimedRows(e, k.Plan)
		if err == nil {
			err = checkClaim(k, ops, rows, of)
		}
		return rows, err
	}
	return c, nil
}

// claimedRows returns the operations of a payment and the rows that they pay.
func claimedRows(e store.Entry, plan string) (ops []ledger.Operation, rows []store.PayoutRows, err error) {
	var tx ledger.SignedTransaction
	if err := unpackKept(e, &tx); err != nil {
		return nil, nil, fmt.Errorf("payment %s cannot be read: %w", e.ID, err)
	}
	return tx.Operations, rowsOf(e.Chain, plan, "", tx.Operations), nil
}

// checkClaim returns why a payout, of which the journal has other transactions, did not ask for these operations under the key.
func checkClaim(k payout.Key, ops []ledger.Operation, rows []store.PayoutRows, of []store.PlanPart) error {
	if len(rows) != 1 || len(ops) > payout.MaxRows || len(rows[0].Fingerprints) != len(ops) {
		return notOfPayout(k.String(), "this transaction is not one of a payout, which makes 1 to 50 payments from one account and nothing else")
	}
	if of == nil && !payout.IsPlanID(k.Plan) { // none are known, or not looked up yet
		return notOfPayout(k.String(), "the plan has 32 digits, and "+fault.Quote(k.Plan)+" is not one that the journal knows")
	}
	failedBefore := k.Attempt == 1
	for _, part := range of {
		other, ok := payout.ParseKey(part.Key)
		switch {
		case part.Payer != rows[0].Payer:
			return notOfPayout(k.String(), fmt.Sprintf("that plan pays from account %s, and this transaction from %s", part.Payer, rows[0].Payer))
		case !ok:
			continue
		case !k.Fits(len(ops), other, part.Rows):
			return notOfPayout(k.String(), fmt.Sprintf("this transaction makes %d payments, and %s makes %d, so the numbers of their rows do not fit",
				len(ops), part.Key, part.Rows))
		case other.Number == k.Number && !part.Never:
			return notOfPayout(k.String(), "transaction "+fmt.Sprint(k.Number)+" of that plan was made under "+part.Key)
		}
		failedBefore = failedBefore || other.Number == k.Number && other.Attempt == k.Attempt-1
	}
	if !failedBefore {
		return notOfPayout(k.String(), fmt.Sprintf("attempt %d is made once attempt %d has failed, which the journal does not know", k.Attempt, k.Attempt-1))
	}
	return nil
}

// notOfPayout returns the refusal of a claim.
func notOfPayout(key, why string) error {
	return fmt.Errorf("%s cannot be the request key of that payment: %s; run billfold pay with the file, which names the key of each of its transactions that was found",
		fault.Quote(key), why)
}

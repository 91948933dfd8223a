package history

import (
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/vault"
)

// describe returns the English text of a row as the reference words it
// (docs/protocol/wallet-api.md 5).
func (d *describer) describe(r ledger.HistoryRecord, memo string, state vault.MemoState) string {
	op := r.Op
	if op.Body == nil {
		return ledger.OpName(op.Code)
	}
	fee := fmt.Sprintf(" (Fee: %s)", d.Pretty(*op.Fee()))
	switch body := op.Body.(type) {
	case *ledger.TransferObsoleteOp, *ledger.TransferOp:
		m, _ := MovementOf(body)
		return fmt.Sprintf("Transfer %s from %s to %s%s%s", d.Pretty(m.Amount), d.AccountName(m.From),
			d.ObjectName(m.To), fee, memoText(memo, state))
	case *ledger.NFTIssueOp:
		return fmt.Sprintf("Issue non fungible token %s from %s to %s%s%s", d.KindSymbol(body.NFTID), d.AccountName(body.Issuer),
			d.AccountName(body.To), fee, memoText(memo, state))
	case *ledger.NFTTransferOp:
		return fmt.Sprintf("Transfer non fungible token %s from %s to %s%s%s", d.TokenName(body.NFTDataID), d.AccountName(body.From),
			d.AccountName(body.To), fee, memoText(memo, state))
	case *ledger.AccountCreateOp:
		return fmt.Sprintf("Create Account '%s'%s", body.Name, fee)
	case *ledger.AccountUpdateOp:
		return fmt.Sprintf("Update Account '%s'%s", d.AccountName(body.Account), fee)
	case *ledger.AssetCreateOp:
		return fmt.Sprintf("Create Monitored Asset '%s' with issuer %s%s", body.Symbol, d.AccountName(body.Issuer), fee)
	case *ledger.ContentSubmitOp:
		return fmt.Sprintf("Submit content by %s -- URI: %s%s", d.AccountName(body.Author), body.URI, fee)
	case *ledger.RequestToBuyOp:
		return fmt.Sprintf("Request to buy by %s -- URI: %s -- Price: %d%s", d.AccountName(body.Consumer), body.URI, body.Price.Amount, fee)
	case *ledger.LeaveRatingAndCommentOp:
		return d.rating(body) + fee
	case *ledger.ReadyToPublishOp:
		return fmt.Sprintf("Ready to publish -- Seeder: %s -- space: %d -- Price per MB: %d%s", d.AccountName(body.Seeder),
			body.Space, body.PricePerMByte, fee)
	case *ledger.CustomOp:
		if body.ID != ledger.MessageID {
			return ""
		}
	}
	return d.plainDescription(r)
}

func memoText(memo string, state vault.MemoState) string {
	switch state {
	case vault.MemoNone:
		return ""
	case vault.MemoOpen, vault.MemoPlain:
		return " -- Memo: " + memo
	case vault.MemoLocked:
		return " -- Unlock wallet to see memo."
	case vault.MemoForeign, vault.MemoDamaged:
	}
	return " -- could not decrypt memo"
}

// rating describes a rating or a comment; an operation with neither is a rating of 0.
func (d *describer) rating(op *ledger.LeaveRatingAndCommentOp) string {
	var what, detail []string
	if op.Rating != 0 || op.Comment == "" {
		what, detail = append(what, "rated"), append(detail, fmt.Sprintf(" -- Rating: %d", op.Rating))
	}
	if op.Comment != "" {
		what, detail = append(what, "commented"), append(detail, " -- Comment: "+op.Comment)
	}
	return d.AccountName(op.Consumer) + " " + strings.Join(what, " and ") + " " + op.URI + strings.Join(detail, "")
}

// plainDescription describes an operation that has no wording of its own.
func (d *describer) plainDescription(r ledger.HistoryRecord) string {
	text := fmt.Sprintf("%s %s fee: %s", ledger.OpName(r.Op.Code), d.AccountName(r.Op.Body.FeePayer()), d.Pretty(*r.Op.Fee()))
	if r.Result.Object != nil {
		text += "   result: " + r.Result.Object.String()
	}
	return text
}

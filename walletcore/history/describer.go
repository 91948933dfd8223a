package history

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"

	"golang.org/x/sync/errgroup"
)

// describer puts records into words.
type describer struct {
	*ledgerview.Namer
	open     memoOpener
	complete bool // every name is known
}

// readRecords decodes raw records and looks up the names they mention.
func (r *Reader) readRecords(ctx context.Context, rows []json.RawMessage) ([]ledger.HistoryRecord, *describer, error) {
	records := make([]ledger.HistoryRecord, len(rows))
	var m ledgerview.Mentions
	for i, raw := range rows {
		if err := codec.Unmarshal(raw, &records[i]); err != nil {
			return nil, nil, fault.Daemon("reading the history", err)
		}
		m.Add(records[i].Op)
		if moved, is := records[i].Op.Body.(*ledger.NFTTransferOp); is { // its sentence names the token by id alone
			m.Tokens = append(m.Tokens, moved.NFTDataID)
		}
	}
	names, err := r.View.Namer(ctx, &m)
	if err != nil {
		return nil, nil, err
	}
	return records, &describer{names, r.Vault.OpenMemo, names.Knows(&m)}, nil
}

// onAllCores runs work for 0 … n-1, as many at once as there are cores.
func onAllCores(n int, work func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var g errgroup.Group
	for c := range workers {
		g.Go(func() error {
			for i := c; i < n; i += workers {
				work(i)
			}
			return nil
		})
	}
	_ = g.Wait() // work does not fail
}

// maxAtOnce is the maximum number of concurrent queries to a daemon.
const maxAtOnce = 16

// queryAll runs n queries, a few at once. It returns the first error.
func queryAll(n int, query func(i int) error) error {
	var g errgroup.Group
	g.SetLimit(maxAtOnce)
	for i := range n {
		g.Go(func() error { return query(i) })
	}
	return g.Wait()
}

// describe adds memo and description to raw records. It uses the cache.
func (r *Reader) describe(ctx context.Context, rows []json.RawMessage) ([]Detail, error) {
	out := make([]Detail, len(rows))
	missing, locks := r.details.find(rows, out)
	if len(missing) == 0 {
		return out, nil
	}
	ask := make([]json.RawMessage, len(missing))
	for i, at := range missing {
		ask[i] = rows[at]
	}
	made, lasting, err := r.describeAll(ctx, ask)
	if err != nil {
		return nil, err
	}
	for i, at := range missing {
		out[at] = made[i]
	}
	r.details.keep(locks, lasting)
	return out, nil
}

// describeAll describes raw records. Those in lasting stay the same until the wallet locks: their
// block is proven irreversible, all names are known, and the memo is open.
func (r *Reader) describeAll(ctx context.Context, rows []json.RawMessage) (out, lasting []Detail, err error) {
	records, d, err := r.readRecords(ctx, rows)
	if err != nil {
		return nil, nil, err
	}
	states := make([]vault.MemoState, len(rows))
	out = make([]Detail, len(rows))
	onAllCores(len(rows), func(i int) {
		out[i], states[i] = d.detail(records[i], rows[i])
	})
	if !d.complete {
		return out, nil, nil
	}
	proven := r.View.Chain.Proven()
	for i, record := range records {
		if record.BlockNum <= proven && states[i].Lasting() {
			lasting = append(lasting, out[i])
		}
	}
	return out, lasting, nil
}

// detail describes one record, and returns the state of its memo.
func (d *describer) detail(record ledger.HistoryRecord, raw json.RawMessage) (Detail, vault.MemoState) {
	if m, ok := readMessage(record.Op.Body); ok {
		description, text := d.message(record.Op.Body.(*ledger.CustomOp), m)
		return Detail{Memo: text, Description: description, Op: raw}, vault.MemoForeign // its receivers' copies may have different states
	}
	memo, state := d.open(record.Op.Memo())
	out := Detail{Description: d.describe(record, memo, state), Op: raw}
	if state == vault.MemoOpen || state == vault.MemoPlain {
		out.Memo = memo
	}
	return out, state
}

// entry returns a record as a row, seen from account id. Time, Final and Proof are left to the caller.
func (d *describer) entry(id ledger.AccountID, r ledger.HistoryRecord) Entry {
	e := Entry{
		ID:         r.ID,
		Code:       r.Op.Code,
		Name:       OperationName(r.Op.Code),
		Block:      r.BlockNum,
		TrxInBlock: r.TrxInBlock,
		OpInTrx:    r.OpInTrx,
		VirtualOp:  r.VirtualOp,
	}
	e.Sentence = ledger.Sentence(r.Op, d)
	if r.Op.Body == nil {
		return e
	}
	fee := r.Op.Fee()
	e.FeeAsset, e.Fee = d.Assets[fee.AssetID], fee.Amount
	e.From = d.Ref(r.Op.Body.FeePayer())
	e.FeePayer, e.With = e.From, e.From
	if m, is := messageOf(r.Op.Body); is {
		d.messageEntry(id, m, &e)
		return e
	}
	moved, direction := movementsOf(id, r.Op)
	if len(moved) == 0 {
		return e
	}
	m := moved[0]
	e.Direction, e.Asset, e.Amount = direction, d.Assets[m.Amount.AssetID], m.Amount.Amount
	if to, err := ledger.ParseAccountID(m.To.String()); err == nil {
		e.To = d.Ref(to)
	}
	for _, also := range moved[1:] {
		e.Also = append(e.Also, Part{d.Assets[also.Amount.AssetID], also.Amount.Amount})
	}
	e.Memo, e.MemoState = d.open(r.Op.Memo())
	if e.With = d.Ref(m.From); direction == Out || direction == Self {
		e.With = e.To
	}
	if e.Pays() {
		e.From = d.Ref(m.From)
	}
	return e
}

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

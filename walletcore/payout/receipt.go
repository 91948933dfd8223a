package payout

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"billfold/ledger"
	"billfold/ledger/usertext"
)

// ReceiptKind is the first member of a receipt, and the start of what is signed: nothing that the ledger accepts starts
// like it.
const ReceiptKind = "billfold payout receipt"

// ReceiptHead is the first line of a receipt.
type ReceiptHead struct {
	Kind     string           `json:"kind"`
	Version  int              `json:"version"`
	Chain    ledger.ChainID   `json:"chain"`
	Plan     string           `json:"plan"`
	Label    string           `json:"label,omitempty"`
	PayerID  ledger.AccountID `json:"payer_id"`
	Payer    string           `json:"payer"`
	Payments int              `json:"payments"` // in the plan; those that were made have a line each
	Batches  int              `json:"batches"`
	Made     ledger.Time      `json:"made,omitempty"` // left out of an unfinished receipt
}

// NewHead returns the first line of the receipt of a plan that is being started.
func NewHead(p *Plan, payer string) ReceiptHead {
	return ReceiptHead{Kind: ReceiptKind, Version: 1, Chain: p.Chain, Plan: p.ID(), Label: p.Label, PayerID: p.Payer, Payer: payer,
		Payments: len(p.Rows), Batches: len(p.Batches())}
}

// Line returns the head as a line.
func (h ReceiptHead) Line() ([]byte, error) {
	text, err := json.Marshal(h)
	return append(text, '\n'), err
}

// ReceiptRow is a payment that was made. The memo is left out.
type ReceiptRow struct {
	Row           int                  `json:"row"` // in the plan, from 1
	Account       string               `json:"account"`
	AccountID     ledger.ObjectID      `json:"account_id"`
	Amount        string               `json:"amount"`
	Asset         string               `json:"asset"`
	AssetID       ledger.AssetID       `json:"asset_id"`
	TransactionID ledger.TransactionID `json:"transaction_id"`
	Operation     int                  `json:"operation"` // its index in the transaction, from 0
	Block         uint32               `json:"block"`
	State         string               `json:"state"` // when the receipt was made
}

// ReceiptEnd is the last line: the signature over the lines before it.
type ReceiptEnd struct {
	Digest    string           `json:"digest"` // SHA-256 of ReceiptKind, a line feed and all lines before, each with its line feed
	Key       ledger.PublicKey `json:"key"`
	Signature ledger.Signature `json:"signature"`
}

// Receipt is a signed receipt.
type Receipt struct {
	Head ReceiptHead
	Rows []ReceiptRow
	End  ReceiptEnd
}

// Sign returns the receipt as JSON lines; with signs the SHA-256 of what it is passed.
func (r *Receipt) Sign(key ledger.PublicKey, with func(statement []byte) (ledger.Signature, error)) (string, error) {
	var text strings.Builder
	line := func(v any) error {
		out, err := json.Marshal(v)
		text.Write(append(out, '\n'))
		return err
	}
	if err := line(r.Head); err != nil {
		return "", err
	}
	for _, row := range r.Rows {
		if err := line(row); err != nil {
			return "", err
		}
	}
	signed, digest := statement(text.String())
	r.End = ReceiptEnd{Digest: digest, Key: key}
	var err error
	if r.End.Signature, err = with(signed); err != nil {
		return "", err
	}
	err = line(r.End)
	return text.String(), err
}

// statement returns what is signed over the lines of a receipt, and its digest.
func statement(lines string) (signed []byte, digest string) {
	signed = []byte(ReceiptKind + "\n" + lines)
	sum := ledger.BufferDigest(signed)
	return signed, hex.EncodeToString(sum[:])
}

// linesOf returns the lines of a receipt as they were written, each with its line feed: marks, other line ends and blank lines of
// programs that saved it again do not count. Error: a *usertext.EncodingError.
func linesOf(text []byte) ([]string, error) {
	text, err := usertext.Decode(text)
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for line := range strings.FieldsFuncSeq(string(text), func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = usertext.Trim(line); line != "" {
			lines = append(lines, line+"\n")
		}
	}
	return lines, nil
}

// ReadHead parses the first line of a receipt, even of an unfinished one.
func ReadHead(text []byte) (h ReceiptHead, err error) {
	lines, err := linesOf(text)
	if err != nil {
		return h, err
	}
	return headOf(strings.Join(lines[:min(1, len(lines))], ""))
}

// headOf parses the first line.
func headOf(line string) (h ReceiptHead, err error) {
	if err := decodeStrict([]byte(line), &h); err != nil || h.Kind != ReceiptKind {
		return h, errors.New("this is not a receipt of a payout: its first line is something else" + spreadsheet(line))
	}
	if h.Version != 1 {
		return h, fmt.Errorf("the receipt has version %d, but this program reads version 1", h.Version)
	}
	return h, nil
}

// ReadReceipt parses a receipt and checks its form, digest and signature. It does not check whose key signed: only the
// ledger knows that.
func ReadReceipt(text []byte) (*Receipt, error) {
	lines, err := linesOf(text)
	if err != nil {
		return nil, err
	}
	r := &Receipt{}
	if r.Head, err = headOf(strings.Join(lines[:min(1, len(lines))], "")); err != nil {
		return nil, err
	}
	if len(lines) < 2 {
		return nil, errors.New("the receipt is not signed: its payout was started but not finished; run billfold pay again with its file")
	}
	for i, line := range lines[1 : len(lines)-1] {
		var row ReceiptRow
		if err := decodeStrict([]byte(line), &row); err != nil {
			return nil, fmt.Errorf("line %d of the receipt is not a payment%s", i+2, misplaced(line))
		}
		if n := len(r.Rows); row.Row < 1 || row.Row > r.Head.Payments || n > 0 && row.Row <= r.Rows[n-1].Row {
			return nil, fmt.Errorf("line %d of the receipt names row %d out of order", i+2, row.Row)
		}
		r.Rows = append(r.Rows, row)
	}
	if err := decodeStrict([]byte(lines[len(lines)-1]), &r.End); err != nil {
		return nil, errors.New("the last line of the receipt is not a signature" + misplaced(lines[len(lines)-1]))
	}
	signed, digest := statement(strings.Join(lines[:len(lines)-1], ""))
	switch {
	case digest != r.End.Digest:
		return nil, errors.New("the receipt was changed after it was signed: its digest does not match")
	case !ledger.VerifyBuffer(signed, r.End.Key, r.End.Signature):
		return nil, fmt.Errorf("the signature is not by %s", r.End.Key)
	}
	return r, nil
}

// misplaced returns how a line that does not belong there came into a receipt, with what to do, as the rest of a sentence.
func misplaced(line string) string {
	var head ReceiptHead
	var end ReceiptEnd
	var row ReceiptRow
	switch {
	case decodeStrict([]byte(line), &head) == nil:
		return ": another receipt begins there; check each receipt in a file of its own"
	case decodeStrict([]byte(line), &end) == nil:
		return ": it is a signature, and more follows it; check each receipt in a file of its own"
	case decodeStrict([]byte(line), &row) == nil:
		return ": the receipt was cut off; check the whole file as it was written"
	}
	if by := spreadsheet(line); by != "" {
		return by
	}
	return ": it was cut off or changed; check the file as it was written"
}

// spreadsheet returns that a spreadsheet saved the line, as the rest of a sentence, "" if it did not: such programs double each
// quote, or put what the line holds into cells.
func spreadsheet(line string) string {
	if strings.Contains(line, `""`) || strings.HasPrefix(line, `"{`) || strings.Contains(line, ";") || strings.Contains(line, "\t") {
		return ": a spreadsheet changed it; check the file as it was written"
	}
	return ""
}

// decodeStrict decodes one JSON value without unknown members.
func decodeStrict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows it")
	}
	return nil
}

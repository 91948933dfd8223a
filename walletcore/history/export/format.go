package export

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// Row is an entry with what is written beside it.
type Row struct {
	history.Entry
	Transaction string // its id; "" if it is not known
	Label       string
}

func directionWord(d history.Direction) string {
	return [...]string{"other", "in", "out", "self"}[d]
}

func memoWord(s vault.MemoState) string {
	return [...]string{"none", "encrypted", "plain", "encrypted", "encrypted", "damaged"}[s]
}

// toAccount reports whether what moved went to an account. It may have gone to
// content instead.
func toAccount(e Row) bool {
	return e.Direction != history.Other && (e.To.ID != 0 || e.To.Name != "")
}

// signed returns the amount with all decimals, negative if it is outgoing.
func signed(e Row) string {
	text := e.Asset.Decimals(e.Amount)
	if e.Direction == history.Out {
		return "-" + text
	}
	return text
}

// csvWriter writes comma-separated values with a header line.
type csvWriter struct{ to *csv.Writer }

func newCSVWriter(to *bufio.Writer) csvWriter { return csvWriter{csv.NewWriter(to)} }

func (c csvWriter) begin() error {
	return c.to.Write(
		[]string{
			"time_utc",
			"id",
			"block",
			"operation",
			"direction",
			"from",
			"from_id",
			"to",
			"to_id",
			"amount",
			"asset",
			"asset_id",
			"fee",
			"fee_asset",
			"memo_kind",
			"memo",
			"state",
			"transaction_id",
			"label",
			"fee_payer",
		},
	)
}

func (c csvWriter) row(e Row) error {
	row := []string{e.Time.String(), e.ID.String(), strconv.FormatUint(uint64(e.Block), 10), e.Name, directionWord(e.Direction),
		Cell(
			e.From.Name,
		), e.From.ID.String(), "", "", "", "", "", e.FeeAsset.Decimals(e.Fee), Cell(e.FeeAsset.Symbol), memoWord(e.MemoState), Cell(e.Memo), "provisional", e.Transaction, Cell(e.Label),
		Cell(e.FeePayer.Name)}
	if toAccount(e) {
		row[7], row[8] = Cell(e.To.Name), e.To.ID.String()
	}
	if e.Asset.Symbol != "" {
		row[9], row[10], row[11] = signed(e), Cell(e.Asset.Symbol), e.Asset.ID.String()
	}
	if e.Final {
		row[16] = "final"
	}
	if err := c.to.Write(row); err != nil {
		return err
	}
	for _, also := range e.Also { // a line for each asset; the fee is in the first one
		e.Asset, e.Amount = also.Asset, also.Amount
		row[9], row[10], row[11], row[12], row[13] = signed(e), Cell(e.Asset.Symbol), e.Asset.ID.String(), "", ""
		if err := c.to.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// Cell keeps spreadsheets from treating text by others as a formula. Some skip spaces before a formula and accept
// full-width signs as well. Those that separate cells by another character than the comma ignore the quotes, so that a
// cell may begin in the middle of the text.
func Cell(text string) string {
	text = printable.WholeLines(text)
	var out strings.Builder
	for {
		end := strings.IndexAny(text, ";\t\n|")
		part := text[:end+1]
		if end < 0 {
			part = text
		}
		if first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(part, hides)); strings.ContainsRune("=+-@＝＋－＠", first) {
			out.WriteByte('\'')
		}
		out.WriteString(part)
		if end < 0 {
			return out.String()
		}
		text = text[end+1:]
	}
}

// hides reports whether some spreadsheets skip r when they look for a formula.
func hides(r rune) bool { return r == '"' || unicode.IsSpace(r) }

func (c csvWriter) flush() error {
	c.to.Flush()
	return c.to.Error()
}

// jsonlWriter writes one JSON object per line.
type jsonlWriter struct{ to *bufio.Writer }

func (jsonlWriter) begin() error { return nil }

func (j jsonlWriter) row(e Row) error {
	line, err := e.JSON()
	if err != nil {
		return err
	}
	_, err = j.to.Write(append(line, '\n'))
	return err
}

func (jsonlWriter) flush() error { return nil }

// JSON returns the row as one object, with exact integers and ids.
func (r Row) JSON() ([]byte, error) {
	e := r.Entry
	type asset struct {
		Amount    int64  `json:"amount,string"` // smallest unit
		Asset     string `json:"asset_id"`
		Symbol    string `json:"symbol"`
		Precision uint8  `json:"precision"`
	}
	out := struct {
		ID        string  `json:"id"`
		Time      string  `json:"time"`
		Block     uint32  `json:"block"`
		Trx       uint32  `json:"trx_in_block"`
		Op        uint32  `json:"op_in_trx"`
		Code      uint64  `json:"code"`
		Name      string  `json:"operation"`
		Direction string  `json:"direction"`
		From      string  `json:"from_id"`
		FromName  string  `json:"from"`
		To        string  `json:"to_id,omitempty"`
		ToName    string  `json:"to,omitempty"`
		Moved     *asset  `json:"moved,omitempty"`
		Also      []asset `json:"also_moved,omitempty"`
		Fee       asset   `json:"fee"`
		MemoKind  string  `json:"memo_kind"`
		Memo      string  `json:"memo,omitempty"`
		Final     bool    `json:"final"`
		TrxID     string  `json:"transaction_id,omitempty"`
		Label     string  `json:"label,omitempty"`
	}{ID: e.ID.String(), Time: e.Time.String(), Block: e.Block, Trx: e.TrxInBlock, Op: e.OpInTrx, Code: uint64(e.Code), Name: e.Name,
		Direction: directionWord(e.Direction), From: e.From.ID.String(), FromName: e.From.Name,
		Fee: asset{
			e.Fee,
			e.FeeAsset.ID.String(),
			e.FeeAsset.Symbol,
			e.FeeAsset.Precision,
		}, MemoKind: memoWord(e.MemoState), Memo: e.Memo, Final: e.Final, TrxID: r.Transaction, Label: r.Label}
	if toAccount(r) {
		out.To, out.ToName = e.To.ID.String(), e.To.Name
	}
	if e.Asset.Symbol != "" {
		out.Moved = &asset{e.Amount, e.Asset.ID.String(), e.Asset.Symbol, e.Asset.Precision}
	}
	for _, also := range e.Also {
		out.Also = append(out.Also, asset{also.Amount, also.Asset.ID.String(), also.Asset.Symbol, also.Asset.Precision})
	}
	return json.Marshal(out)
}

// hledgerWriter writes a journal. Each row is a transaction whose postings add up to
// zero in each asset, with the fee as a posting of its own.
type hledgerWriter struct {
	to  *bufio.Writer
	own ledgerview.AccountRef
}

func (hledgerWriter) begin() error { return nil }

func (h hledgerWriter) row(e Row) error {
	fmt.Fprintf(h.to, "%s %s  ; id:%s, block:%d\n", e.Time.Time().Format("2006-01-02"), printable.Text(title(e)), e.ID, e.Block)
	for _, note := range [][2]string{{"transaction", e.Transaction}, {"label", e.Label}, {"memo", e.Memo}} {
		if note[1] != "" {
			fmt.Fprintf(h.to, "    ; %s: %s\n", note[0], printable.Whole(note[1]))
		}
	}
	own, other := "assets:billfold:"+posting(h.own), "counterparties:"+posting(e.With)
	if e.With == (ledgerview.AccountRef{}) || e.With.ID == h.own.ID {
		other = "ledger:" + e.Name
	}
	if e.Direction == history.In || e.Direction == history.Out {
		sign, back := "", "-"
		if e.Direction == history.Out {
			sign, back = "-", ""
		}
		for _, part := range append([]history.Part{{Asset: e.Asset, Amount: e.Amount}}, e.Also...) {
			if moved := commodity(part.Asset, part.Amount); part.Amount != 0 {
				fmt.Fprintf(h.to, "    %s  %s%s\n    %s  %s%s\n", own, sign, moved, other, back, moved)
			}
		}
	}
	if e.Fee != 0 && e.FeePayer.ID == h.own.ID {
		fmt.Fprintf(h.to, "    expenses:fees  %s\n    %s  -%s\n", commodity(e.FeeAsset, e.Fee), own, commodity(e.FeeAsset, e.Fee))
	}
	return h.to.WriteByte('\n')
}

func (hledgerWriter) flush() error { return nil }

func title(e Row) string {
	if !e.Pays() {
		return e.Name
	}
	switch e.Direction {
	case history.In:
		return e.Name + " from " + e.With.Name + " " + e.With.ID.String()
	case history.Out:
		return e.Name + " to " + e.With.Name + " " + e.With.ID.String()
	case history.Other, history.Self:
	}
	return e.Name
}

// posting returns an account's part of a posting's account name. In hledger two
// spaces end a name, and colons separate its parts.
func posting(a ledgerview.AccountRef) string {
	if a.Name == "" {
		return a.ID.String()
	}
	return strings.ReplaceAll(printable.Text(a.Name), ":", "-") + " " + a.ID.String()
}

// commodity returns an amount with all its decimals and the symbol, which is quoted
// unless it consists of letters only.
func commodity(a ledgerview.AssetRef, amount int64) string {
	symbol := printable.Text(a.Symbol)
	if strings.ContainsFunc(symbol, func(r rune) bool { return !unicode.IsLetter(r) }) {
		symbol = `"` + strings.ReplaceAll(symbol, `"`, "'") + `"`
	}
	return ledger.FormatDecimals(amount, a.Precision) + " " + symbol
}

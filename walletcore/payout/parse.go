package payout

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"billfold/ledger/printable"
	"billfold/walletcore/spelling"
)

// Limits of a file.
const (
	LargestFile = 64 << 20 // bytes
	MostRows    = 200_000
	longestMemo = 2000 // bytes; a transaction has room for little more
)

// columns returns the columns of a file, in any order.
func columns() []string { return []string{"account", "amount", "asset", "memo"} }

// Parse parses a file: a header line that names the columns account, amount, asset and memo (which may be left out) in
// any order, then one payment per line. Lines that start with # and blank lines are skipped; a byte order mark, CRLF
// and quoted fields are accepted. If there are faults, all faults of the file are returned.
func Parse(text []byte) ([]Row, []Fault) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	switch {
	case len(text) > LargestFile:
		return nil, []Fault{{0, "the file is larger than 64 MiB; cut it into several"}}
	case !utf8.Valid(text):
		return nil, []Fault{{0, "the file is not UTF-8 text; save it as CSV in UTF-8"}}
	}
	reader := csv.NewReader(bytes.NewReader(text))
	reader.Comment, reader.FieldsPerRecord = '#', -1
	header, err := reader.Read()
	if err != nil {
		return nil, []Fault{{1, "there is no header line; write account,amount,asset,memo first"}}
	}
	places, faults := findColumns(header)
	if len(faults) > 0 {
		return nil, faults
	}
	var rows []Row
	for {
		record, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			if len(rows)+len(faults) == 0 {
				faults = []Fault{{0, "the file has no payments"}}
			}
			return rows, faults
		case len(rows) == MostRows:
			return nil, append(faults, Fault{0, fmt.Sprintf("the file has more than %d payments; cut it into several", MostRows)})
		case err != nil:
			faults = append(faults, csvFault(err))
			continue
		}
		line, _ := reader.FieldPos(0)
		row, wrong := parseRow(record, places, len(header), line)
		rows, faults = append(rows, row), append(faults, wrong...)
	}
}

// csvFault returns the fault of a line that is not CSV.
func csvFault(err error) Fault {
	e, ok := errors.AsType[*csv.ParseError](err)
	switch {
	case !ok:
		return Fault{0, err.Error()}
	case errors.Is(e.Err, csv.ErrQuote), errors.Is(e.Err, csv.ErrBareQuote):
		return Fault{e.StartLine, `a quote is out of place; put the whole field between quotes and double those inside: "say ""hi"""`}
	}
	return Fault{e.StartLine, e.Err.Error()}
}

// findColumns returns the positions of the columns by name.
func findColumns(header []string) (places map[string]int, faults []Fault) {
	if len(header) == 1 && strings.ContainsAny(header[0], ";\t") {
		return nil, []Fault{{1, "the columns are not separated by commas; save the file as CSV with commas"}}
	}
	places = map[string]int{}
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		_, twice := places[name]
		switch {
		case !slices.Contains(columns(), name):
			text := fmt.Sprintf("there is no column %q; the columns are account, amount, asset and memo", name)
			if near := spelling.Nearest(name, columns()); near != "" && name != "" {
				text = fmt.Sprintf("there is no column %q; did you mean %s?", name, near)
			}
			faults = append(faults, Fault{1, text})
		case twice:
			faults = append(faults, Fault{1, "the column " + name + " occurs twice"})
		}
		places[name] = i
	}
	for _, name := range columns()[:3] {
		if _, there := places[name]; !there {
			faults = append(faults, Fault{1, "the column " + name + " is missing; the first line names account, amount, asset and memo"})
		}
	}
	return places, faults
}

// parseRow parses a line.
func parseRow(record []string, places map[string]int, width, line int) (r Row, faults []Fault) {
	cell := func(name string) string {
		if i, there := places[name]; there && i < len(record) {
			return record[i]
		}
		return ""
	}
	r = Row{Line: line, Account: strings.TrimSpace(cell("account")), Amount: strings.TrimSpace(cell("amount")),
		Asset: strings.TrimSpace(cell("asset")), Memo: cell("memo")}
	fault := func(text string) { faults = append(faults, Fault{line, text}) }
	if len(record) != width {
		fault(fmt.Sprintf("%s, but the header has %d; put fields with commas between quotes, and write amounts with a point",
			printable.Many(len(record), "field"), width))
		return r, faults
	}
	if r.Account == "" {
		fault("the account is missing")
	}
	if text := amountFault(r.Amount); text != "" {
		fault(text)
	} else {
		r.Amount = Plain(r.Amount)
	}
	if r.Asset == "" {
		fault("the asset is missing; write its symbol, such as DCT")
	}
	if len(r.Memo) > longestMemo {
		fault(fmt.Sprintf("the memo has %d bytes; at most %d fit", len(r.Memo), longestMemo))
	}
	return r, faults
}

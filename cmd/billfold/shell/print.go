package shell

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"billfold/ledger/printable"

	"github.com/rivo/uniseg"
)

// Print writes the result of an operation: as a table if asTable is set and the operation has
// one, otherwise like PrintJSON.
func Print(out io.Writer, method string, result json.RawMessage, asTable bool) error {
	if columns := tables()[method]; asTable && columns != nil {
		if rows, ok := rowsOf(result, columns); ok {
			return printTable(out, columns, rows)
		}
	}
	return PrintJSON(out, result)
}

// PrintJSON prints text of several lines as it is and everything else as indented JSON. Text
// that would control a terminal is printed as JSON, too, with those characters escaped.
func PrintJSON(out io.Writer, result json.RawMessage) error {
	var text string
	if json.Unmarshal(result, &text) == nil && bytes.ContainsRune(result, '\\') && printable.Lines(text) == text {
		_, err := fmt.Fprintln(out, strings.TrimSuffix(text, "\n"))
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, result, "", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%s\n", printable.JSON(pretty.Bytes()))
	return err
}

// tables returns the columns of operations whose results are rows, as names of members with
// dots between nested ones; if a row is a list, a column is an index into it.
func tables() map[string][]string {
	rows, history := []string{"id", "name"}, []string{"op.block_num", "description", "memo"}
	return map[string][]string{
		"list_account_balances": {"pretty_amount", "asset_id"},
		"get_account_history":   history, "get_relative_account_history": history,
		"list_accounts": {"0", "1"}, "list_miners": {"0", "1"}, "list_my_accounts": rows, "search_accounts": rows,
		"list_assets": {"id", "symbol", "precision", "issuer"}, "list_operations": rows,
		"list_payments": {"transaction_id", "state", "sentence"},
	}
}

// rowsOf returns the cells of a list of objects or lists. It reports false if the result has another form.
func rowsOf(result json.RawMessage, columns []string) ([][]string, bool) {
	var items []any
	decoder := json.NewDecoder(bytes.NewReader(result))
	decoder.UseNumber()
	if decoder.Decode(&items) != nil {
		return nil, false
	}
	var rows [][]string
	for _, item := range items {
		var row []string
		for _, column := range columns {
			cell, ok := cellOf(item, column)
			if !ok {
				return nil, false
			}
			row = append(row, truncate(cell))
		}
		rows = append(rows, row)
	}
	return rows, true
}

// maxCell is the maximum number of characters that a cell of a table shows, so that one long text does not make the others hard
// to read. JSON has all of them.
const maxCell = 60

func truncate(cell string) string {
	if uniseg.GraphemeClusterCount(cell) <= maxCell {
		return cell
	}
	letters := uniseg.NewGraphemes(cell)
	for range maxCell {
		letters.Next()
	}
	from, _ := letters.Positions()
	return cell[:from] + "…"
}

// cellOf returns a member of an object or an element of a list as text. A missing member is
// empty.
func cellOf(item any, column string) (string, bool) {
	var cell any
	first, rest, deeper := strings.Cut(column, ".")
	switch in := item.(type) {
	case map[string]any:
		if cell = in[first]; deeper {
			return cellOf(cell, rest)
		}
	case []any:
		i := slices.Index([]string{"0", "1", "2"}, column)
		if i < 0 || i >= len(in) {
			return "", false
		}
		cell = in[i]
	}
	switch cell := cell.(type) {
	case nil:
		return "", true
	case string:
		return printable.Text(cell), true
	case json.Number:
		return cell.String(), true
	}
	return "", false
}

func printTable(out io.Writer, columns []string, rows [][]string) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(out, "(none)")
		return err
	}
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	if columns[0] != "0" {
		fmt.Fprintln(w, strings.Join(columns, "\t"))
	}
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(out, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

package payout

import (
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/ledger/usertext"
)

// ReadTable reads payments as a person types them or pastes them from a spreadsheet or a message: an account, an amount, and if wanted an
// asset in capitals and a memo, separated by tabs, semicolons, commas or blanks, in each line as after its account. A header as of a file
// is read as there, but for the asset, which may be left out of either: then it is the one that is passed. What cannot be told apart, as an
// amount with a decimal comma between commas, is a fault.
func ReadTable(text, asset string) File {
	p := parser{in: newCellReader([]byte(text)), asset: asset}
	if len(text) > LargestFile {
		p.fault(0, "the table is too large; cut it into several")
		return p.File
	}
	switch header, words := p.headerLine(); {
	case header == "":
		p.readLines()
	case strings.ContainsAny(header, ",;\t"):
		for _, sign := range []byte(";\t") {
			if strings.Contains(header, string(sign)) && !strings.Contains(header, ",") {
				p.in.separator = sign
			}
		}
		if p.readHeader() {
			p.readRows()
		}
	case !slices.Equal(words, columns()[:2]) && !slices.Equal(words, columns()[:3]) && !slices.Equal(words, append(columns()[:2], "memo")) && !slices.Equal(words, columns()):
		p.fault(p.in.line, "the columns are not in the order account, amount, asset, memo; bring them into it, or separate them with tabs or commas")
	default:
		p.Skipped = append(p.Skipped, Fault{p.in.line, "names the columns"})
		p.in.skipLine()
		p.readLines()
	}
	p.Faults = InTable(p.Faults)
	return p.File
}

// InTable returns faults of rows, worded for a table that is no file.
func InTable(faults []Fault) []Fault {
	for i, f := range faults {
		faults[i].Text = strings.ReplaceAll(f.Text, "the file", "the table")
	}
	return faults
}

// headerLine returns the first line if it names columns, and their names; it skips what is blank above it.
func (p *parser) headerLine() (line string, names []string) {
	for p.in.rest != "" && isBlankRow(p.in.nextLine()) {
		p.in.skipLine()
	}
	line = p.in.nextLine()
	for _, word := range strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return usertext.IsBlank(r) || strings.ContainsRune(`,;"`, r) }) {
		names = append(names, columnNamed(word))
	}
	if strings.ContainsAny(line, "0123456789") || !slices.Contains(names, "amount") || !slices.Contains(names, "account") {
		return "", nil
	}
	return line, names
}

// columnNamed returns the column that people call so.
func columnNamed(word string) string {
	switch word {
	case "name", "to", "recipient":
		return "account"
	case "message", "note":
		return "memo"
	}
	return word
}

// readLines reads lines without a header.
func (p *parser) readLines() {
	p.header, p.width, p.places = columns(), len(columns()), map[string]int{}
	for i, name := range p.header {
		p.places[name] = i
	}
	commas := false
	for p.in.rest != "" {
		line := p.in.nextLine()
		switch secret := ledger.SecretIn(line); {
		case len(p.Rows) == MostRows:
			p.tooMany()
			return
		case isBlankRow(line):
			p.in.skipLine()
			continue
		case strings.HasPrefix(line, "#"):
			p.skipComment(line)
			continue
		case secret != "":
			p.leftOut = true
			p.fault(p.in.line, heldSecret("this line", secret))
			p.in.skipLine()
			continue
		}
		p.in.separator = separatorOf(line)
		commas = commas || p.in.separator == ','
		r, wrong := p.nextTyped(line)
		if wrong == "" {
			r.cells, wrong = p.columnsOf(r)
		}
		if wrong != "" {
			p.leftOut = true
			p.fault(r.line, wrong)
			continue
		}
		p.readRow(r)
	}
	if p.in.separator = ' '; commas {
		p.in.separator = ','
	}
	p.endRows()
}

// separatorOf returns what follows the account of a line: a tab, a semicolon or a comma, or else a blank.
func separatorOf(line string) byte {
	rest := usertext.Trim(line)
	if strings.HasPrefix(rest, `"`) {
		_, rest, _ = strings.Cut(rest[1:], `"`)
	} else {
		rest = rest[max(strings.IndexFunc(rest, func(r rune) bool { return usertext.IsBlank(r) || r == ',' || r == ';' }), 0):]
	}
	if rest = strings.TrimLeft(rest, " "); rest != "" && strings.Contains("\t;,", rest[:1]) {
		return rest[0]
	}
	return ' '
}

// nextTyped reads the record that begins with a line; wrong is why it cannot be read.
func (p *parser) nextTyped(line string) (r record, wrong string) {
	if p.in.separator != ' ' {
		r, err := p.in.next()
		switch {
		case err != nil:
			return r, err.Error()
		case ledger.SecretIn(r.text) != "":
			return r, heldSecret("this line", ledger.SecretIn(r.text))
		}
		return r, ""
	}
	r = record{line: p.in.line, text: line}
	p.in.skipLine()
	rest := usertext.Trim(line)
	for range 2 {
		word, more := cutBlank(rest)
		r.cells, rest = append(r.cells, word), more
	}
	if numberGoesOn().MatchString(rest) && strings.Trim(r.cells[1], "0123456789") == "" {
		return r, fmt.Sprintf("%s may be one amount, or an amount and a memo; write the amount without blanks, or the memo between quotes",
			printable.Quote(r.cells[1]+" "+rest, longestAmount))
	}
	if word, more := cutBlank(rest); p.isAsset(word) {
		r.cells, rest = append(r.cells, word), more
	}
	if len(rest) > 1 && rest[0] == '"' && rest[len(rest)-1] == '"' {
		rest = strings.ReplaceAll(rest[1:len(rest)-1], `""`, `"`)
	}
	if rest != "" {
		r.cells = append(r.cells, rest)
	}
	return r, ""
}

// cutBlank cuts a text at its first blank.
func cutBlank(text string) (word, rest string) {
	at := strings.IndexFunc(text, usertext.IsBlank)
	if at < 0 {
		return text, ""
	}
	return text[:at], usertext.Trim(text[at:])
}

// numberGoesOn matches what follows an amount and may be more of its digits.
var numberGoesOn = once(`^[0-9]{3}([.,\s]|$)`)

// decimalComma matches a field that may be the decimals, or the thousands, of the one before it.
var decimalComma = once(`^[0-9]`)

// assetForm matches the symbol of an asset as it is written in a table: in capitals.
var assetForm = once(`^[A-Z][A-Z0-9.]{2,15}$`)

// isAsset reports whether a field stands for an asset: its symbol in capitals, its id, or the asset that the table is in.
func (p *parser) isAsset(text string) bool {
	text = usertext.Trim(text)
	_, err := ledger.ParseAssetID(text)
	return err == nil || strings.EqualFold(text, p.asset) || assetForm().MatchString(text)
}

// columnsOf returns the fields of a record as account, amount, asset and memo.
func (p *parser) columnsOf(r record) (cells []string, wrong string) {
	cells = slices.Clone(r.cells)
	for len(cells) > 2 && usertext.Trim(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	for len(cells) < 2 {
		cells = append(cells, "")
	}
	third := ""
	if len(cells) > 2 {
		third = usertext.Trim(cells[2])
	}
	switch {
	case p.in.separator == ',' && len(cells) > 2 && !strings.Contains(r.text, `"`) && decimalComma().MatchString(cells[2]) &&
		strings.Trim(usertext.Trim(cells[1]), "0123456789") == "":
		return nil, fmt.Sprintf("%q may be one amount, or an amount and a memo; write the amount with a point, or separate the fields with semicolons",
			usertext.Trim(cells[1])+","+third)
	case len(cells) == 2:
		return append(cells, "", ""), ""
	case len(cells) == 3 && p.isAsset(third):
		return append(cells, ""), ""
	case len(cells) == 3:
		return []string{cells[0], cells[1], "", cells[2]}, ""
	case len(cells) > 4 || third != "" && !p.isAsset(third):
		return nil, printable.Many(len(cells), "field") + ", and a line has account, amount, asset and memo; put a memo that has the separator in it between quotes"
	}
	return cells, ""
}

// inAsset fills in the asset of a row that has none of its own: the one after its amount, or that of the table.
func (p *parser) inAsset(row *Row) {
	if p.asset == "" {
		return
	}
	if number, symbol := ledger.SplitAmount(row.Amount); symbol != "" && row.Asset == "" {
		row.Amount, row.Asset = number, strings.ToUpper(symbol)
	}
	switch {
	case row.Asset == "":
		row.Asset = p.asset
	case strings.EqualFold(row.Asset, p.asset):
		row.Asset = p.asset
	}
}

package payout

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/ledger/usertext"
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

// File is a parsed file.
type File struct {
	Rows    []Row
	Faults  []Fault // if there are any, nothing may be paid
	Skipped []Fault // the lines that pay nobody, each with why
}

// Parse parses a file and returns its rows and its faults; see Read.
func Parse(text []byte) ([]Row, []Fault) {
	f := Read(text)
	return f.Rows, f.Faults
}

// Read reads a file: a header line that names the columns account, amount, asset and memo (which may be left out) in any order, then one
// payment per line. Cells are separated by commas, or by semicolons or tabs as in the header; blanks around them do not count. Blank lines
// and comments are skipped. If there are faults, all of the file are returned.
func Read(text []byte) File {
	if len(text) > LargestFile {
		return File{Faults: []Fault{{0, "the file is larger than 64 MiB; cut it into several"}}}
	}
	decoded, err := usertext.Decode(text)
	switch own, is := errors.AsType[*usertext.FormatError](err); {
	case is && own.Next != "":
		return File{Faults: []Fault{{0, err.Error()}}}
	case err != nil:
		return File{Faults: []Fault{{0, err.Error() + "; a spreadsheet saves it as CSV UTF-8"}}}
	}
	if line, at, wrong := usertext.InvalidAt(decoded); at > 0 {
		return File{Faults: []Fault{{line, fmt.Sprintf("byte %d of the line (0x%02X) is not UTF-8 text; save the file as CSV in UTF-8", at, wrong)}}}
	}
	p := parser{in: newCellReader(decoded)}
	if kind := usertext.Kind(string(decoded[:min(len(decoded), 1<<10)])); kind != "" {
		p.fault(0, "the file is "+kind+", and no CSV; write a line account,amount,asset,memo, and one for each payment below it")
	} else if sign := unknownSeparator(decoded); sign != "" {
		p.fault(1, fmt.Sprintf("the separator %s is not read; save the file with commas, semicolons or tabs between its fields", sign))
	} else if p.readHeader() {
		p.readRows()
	}
	return p.File
}

// parser reads a file.
type parser struct {
	File
	in     *cellReader
	header []string       // names of the columns, without the empty ones at its end
	width  int            // how many cells it has, with those
	places map[string]int // of the columns, by name

	asset string // of rows that name none; "" = each row names its own

	open    []int // indexes of the rows whose amount is still to be read
	leftOut bool  // a row was, whose amount may have shown a notation
}

// readHeader reads the lines up to the header.
func (p *parser) readHeader() bool {
	for p.in.rest != "" {
		if line := p.in.nextLine(); strings.HasPrefix(line, "#") {
			p.skipComment(line)
			continue
		} else if isBlankRow(line) {
			p.in.skipLine()
			continue
		}
		r, err := p.in.next()
		switch {
		case err != nil:
			p.fault(r.line, err.Error())
			return false
		case r.isBlank():
			continue
		case ledger.SecretIn(r.text) != "":
			p.fault(r.line, heldSecret("this line", ledger.SecretIn(r.text)))
			return false
		}
		for _, name := range r.cells {
			name = strings.ToLower(usertext.Trim(name))
			if p.asset != "" {
				name = columnNamed(name)
			}
			p.header = append(p.header, name)
		}
		p.width = len(r.cells)
		for strings.Join(p.header, "") != "" && p.header[len(p.header)-1] == "" {
			p.header = p.header[:len(p.header)-1]
		}
		p.findColumns(r.line)
		return len(p.Faults) == 0
	}
	p.fault(1, "there is no header line; write account,amount,asset,memo first")
	return false
}

// findColumns finds the positions of the columns by name.
func (p *parser) findColumns(line int) {
	if len(p.header) == 1 && strings.ContainsAny(p.header[0], ";\t|") {
		p.fault(line, "the columns are not separated by commas, semicolons or tabs alone; write account,amount,asset,memo")
		return
	}
	if !slices.ContainsFunc(p.header, func(name string) bool {
		return slices.Contains(columns(), name) || spelling.Nearest(name, columns()) != ""
	}) {
		p.fault(line, "this line names none of the columns account, amount, asset and memo; rename yours to these, or take out what stands above them")
		return
	}
	p.places = map[string]int{}
	meant := map[string]bool{} // columns whose names are misspelt
	for i, name := range p.header {
		_, twice := p.places[name]
		switch {
		case !slices.Contains(columns(), name):
			text := fmt.Sprintf("there is no column %q; the columns are account, amount, asset and memo", name)
			if near := spelling.Nearest(name, columns()); near != "" && name != "" {
				text = fmt.Sprintf("there is no column %q; did you mean %s?", name, near)
				meant[near] = true
			}
			p.fault(line, text)
		case twice:
			p.fault(line, "the column "+name+" occurs twice")
		}
		p.places[name] = i
	}
	for _, name := range columns()[:3] {
		if _, there := p.places[name]; !there && !meant[name] && (name != "asset" || p.asset == "") {
			p.fault(line, "the column "+name+" is missing; the first line names account, amount, asset and memo")
		}
	}
}

// readRows reads the lines after the header.
func (p *parser) readRows() {
	for p.in.rest != "" {
		if line := p.in.nextLine(); strings.HasPrefix(line, "#") && !p.canBeRow(line) {
			p.skipComment(line)
			continue
		}
		r, err := p.in.next()
		switch {
		case err != nil:
			p.fault(r.line, err.Error())
		case r.isBlank():
			if r.text != "" {
				p.Skipped = append(p.Skipped, Fault{r.line, "is blank"})
			}
		case p.isHeader(r):
			p.Skipped = append(p.Skipped, Fault{r.line, "is the header again, as where files were joined"})
		case isOtherHeader(r):
			p.fault(r.line, "files with other columns were joined here; bring their columns into one order, or pay them one after the other")
			p.in.rest = "" // by the columns of the first file, each row would be wrong
		case separatorLine().MatchString(r.text):
			p.Skipped = append(p.Skipped, Fault{r.line, "names the separator again, as where files were joined"})
		case strings.Contains(r.text, usertext.Mark) && len(r.cells) != p.width:
			p.fault(r.line, "files were joined here without a line end between them: put one where the byte order mark (U+FEFF) is")
		case len(p.Rows) == MostRows:
			p.tooMany()
			return
		case ledger.SecretIn(r.text) != "":
			p.leftOut = true
			p.fault(r.line, heldSecret(p.columnWithSecret(r)))
		case len(p.swallowed(r)) > 0:
			p.leftOut = true
			p.fault(r.line, swallowedRows(r.line, p.swallowed(r)))
		default:
			p.readRow(r)
		}
	}
	p.endRows()
}

func (p *parser) tooMany() {
	p.Rows = nil
	p.fault(0, fmt.Sprintf("the file has more than %d payments; cut it into several", MostRows))
}

// endRows reads the amounts of all rows, and brings the faults into the order of their lines.
func (p *parser) endRows() {
	p.readAmounts()
	slices.SortStableFunc(p.Faults, func(a, b Fault) int { return a.Line - b.Line })
	if len(p.Rows)+len(p.Faults) == 0 {
		p.fault(0, "the file has no payments")
	}
}

// swallowed returns the lines within a quoted field of a record that look like rows: with as many separators, and an amount in its place. A quote too
// many in one row, and another below it, make all between them a memo.
func (p *parser) swallowed(r record) (lines []int) {
	for i, line := range strings.Split(r.text, p.in.end) {
		cells := strings.Split(strings.TrimSuffix(line, "\r"), string(p.in.separator))
		if i > 0 && len(cells) == p.width && amountLike().MatchString(strings.Trim(usertext.Trim(cells[p.places["amount"]]), `"`)) {
			lines = append(lines, r.line+i)
		}
	}
	return lines
}

// amountLike matches what is meant as an amount, in any notation.
var amountLike = once(`^[+-]?[0-9][0-9.,'’\s\x{A0}\x{202F}]*([eE][+-]?[0-9]+)?( ?[A-Za-z.]{3,16})?$`)

// swallowedRows returns why a record that took in such lines is refused.
func swallowedRows(first int, lines []int) string {
	which, look := fmt.Sprintf("line %d", lines[0]), "a payment"
	switch n := len(lines); {
	case n > 1 && lines[n-1]-lines[0] == n-1:
		which, look = fmt.Sprintf("lines %d to %d", lines[0], lines[n-1]), "payments"
	case n > 1:
		which, look = fmt.Sprintf("%d lines from line %d to line %d", n, lines[0], lines[n-1]), "payments"
	}
	return fmt.Sprintf("a quote that opens in line %d takes %s into its field, and what stands there looks like %s: take the quote out, or close it in its own line", first, which, look)
}

// heldSecret returns why a line with a secret is refused. Nothing of the line is repeated, and it is neither looked up nor paid.
func heldSecret(where, secret string) string {
	return where + " contains " + secret + ", which is not shown: take it out, and move what it controls to a new key if others had the file"
}

// columnWithSecret returns the column of a row that contains a secret, in words, and which one.
func (p *parser) columnWithSecret(r record) (column, secret string) {
	for _, name := range columns() {
		if i, there := p.places[name]; there && i < len(r.cells) && ledger.SecretIn(r.cells[i]) != "" {
			return "the " + name, ledger.SecretIn(r.cells[i])
		}
	}
	return "this line", ledger.SecretIn(r.text)
}

// isHeader reports whether a record names the columns as the header does.
func (p *parser) isHeader(r record) bool {
	return len(r.cells) == p.width && !slices.ContainsFunc(p.header, func(name string) bool {
		return strings.ToLower(usertext.Trim(r.cells[slices.Index(p.header, name)])) != name
	})
}

// isOtherHeader reports whether a record names columns, which need not be those of the header, nor be separated like them. Both words are
// names that accounts can have, but a row has a digit in its amount.
func isOtherHeader(r record) bool {
	if strings.ContainsFunc(r.text, unicode.IsDigit) {
		return false
	}
	cells := r.cells
	if len(cells) == 1 {
		cells = strings.FieldsFunc(r.text, func(r rune) bool { return strings.ContainsRune(",;\t|", r) })
	}
	names := func(name string) bool {
		return slices.ContainsFunc(cells, func(cell string) bool { return strings.EqualFold(usertext.Trim(cell), name) })
	}
	return names("account") && names("amount")
}

// canBeRow reports whether a line that begins with # may be meant as a row: its first cell is a memo, or what a spreadsheet shows instead
// of a value. No account, amount or asset begins with #.
func (p *parser) canBeRow(line string) bool {
	first, _, more := strings.Cut(line, string(p.in.separator))
	if more && p.header[0] == "memo" {
		return true
	}
	return isErrorValue(usertext.Trim(first))
}

// isErrorValue reports whether a cell is what spreadsheets show instead of a value that cannot be computed, or has no room.
func isErrorValue(cell string) bool {
	return errorValue().MatchString(cell)
}

// errorValue matches the errors of spreadsheets in any language by their form: #REF!, #BEZUG!, #NOM ?, #¡REF!, #N/A, #N/D, #NV, Err:508, and ####.
var errorValue = once(`^(#(#+|[¡¿]?\p{Lu}[\p{Lu}\p{M}\p{N}/._]*[\s\x{A0}\x{202F}]?[!?]|\p{Lu}/\p{Lu}|NV)|Err ?:5[0-9]{2})$`)

// shortened matches a number that a spreadsheet shows with an exponent.
var shortened = once(`^-?[0-9]([.,][0-9]+)?E\+[0-9]{2,3}$`)

// skipComment skips a line that is a comment.
func (p *parser) skipComment(line string) {
	if strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && unicode.IsControl(r) || string(r) == usertext.Mark }) {
		p.fault(p.in.line, "a line ends within this comment, or another file begins, as other programs write it: put what follows on a line of its own")
	}
	shown := printable.Short(line, longestComment)
	if secret := ledger.SecretIn(line); secret != "" {
		shown = "(" + secret + ", not shown)"
	}
	p.Skipped = append(p.Skipped, Fault{p.in.line, "is a comment: " + shown})
	p.in.skipLine()
}

// longestComment is the maximum number of bytes of a skipped line that are repeated.
const longestComment = 100

// howToFit returns what to do about a row with more or fewer fields than the header.
func (p *parser) howToFit(r record) string {
	sign := map[byte]string{',': "comma", ';': "semicolon", '\t': "tab", '|': "bar"}[p.in.separator]
	extra := r.cells[min(p.width, len(r.cells)):]
	if len(extra) > 0 && !slices.ContainsFunc(extra, func(cell string) bool { return usertext.Trim(cell) != "" }) {
		return ": the line ends with a " + sign + " too many; take it out, or end the header with one, too"
	}
	text := "; put a field that has a " + sign + " in it between quotes"
	if p.in.separator == ',' {
		text += ", and write amounts with a point"
	}
	return text
}

func (p *parser) fault(line int, text string) { p.Faults = append(p.Faults, Fault{line, text}) }

// readRow reads a row, but for its amount.
func (p *parser) readRow(r record) {
	cell := func(name string) string {
		if i, there := p.places[name]; there && i < len(r.cells) {
			return usertext.Trim(r.cells[i])
		}
		return ""
	}
	row := Row{Line: r.line, Account: cell("account"), Amount: cell("amount"), Asset: cell("asset"), Memo: cell("memo")}
	p.inAsset(&row)
	if i, there := p.places["memo"]; there && i < len(r.former) && r.former[i] != row.Memo {
		row.former = r.former[i]
	}
	p.Rows = append(p.Rows, row)
	if len(r.cells) != p.width {
		p.fault(r.line, fmt.Sprintf("%s, but the header has %d%s", printable.Many(len(r.cells), "field"), p.width, p.howToFit(r)))
		return
	}
	for _, text := range r.cells[len(p.header):] {
		if text = usertext.Trim(text); text != "" {
			p.fault(r.line, fmt.Sprintf("%q stands in a column without a name; name the columns, or take it out", printable.Short(text, longestComment)))
			return
		}
	}
	p.open = append(p.open, len(p.Rows)-1)
	for _, name := range []string{"account", "asset"} {
		if text := cell(name); isErrorValue(text) {
			p.fault(r.line, fmt.Sprintf("the %s %q is what a spreadsheet shows where it has no value; correct it there", name, text))
			into := &p.Rows[len(p.Rows)-1]
			*map[string]*string{"account": &into.Account, "asset": &into.Asset}[name] = "" // nobody looks it up
		}
	}
	if row.Account == "" {
		p.fault(r.line, "the account is missing")
	}
	if row.Asset == "" {
		p.fault(r.line, "the asset is missing; write its symbol, such as DCT")
	}
	switch {
	case len(row.Memo) > longestMemo:
		p.fault(r.line, fmt.Sprintf("the memo has %d bytes; at most %d fit", len(row.Memo), longestMemo))
	case isErrorValue(row.Memo):
		p.fault(r.line, fmt.Sprintf("the memo %q is what a spreadsheet shows where it has no value; correct it there", row.Memo))
	case shortened().MatchString(row.Memo):
		p.fault(r.line, fmt.Sprintf("the memo %q is a number that a spreadsheet has shortened: its digits are lost; format the column as text there", row.Memo))
	}
}

package payout

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"billfold/ledger/printable"
	"billfold/ledger/usertext"
)

// record is a line of a file, or several where a quoted cell has line ends in it.
type record struct {
	line   int      // the first one, from 1
	text   string   // as it stands in the file, without its end
	cells  []string // with blanks around them, but without their quotes
	former []string // as earlier versions read them: CRLF in a cell as LF
}

// isBlank reports whether no cell has anything in it.
func (r record) isBlank() bool {
	return !slices.ContainsFunc(r.cells, func(cell string) bool { return usertext.Trim(cell) != "" })
}

// cellReader reads the records of a file. Unlike encoding/csv it changes no line end in a cell, and takes no line for a comment.
type cellReader struct {
	rest      string
	line      int    // of rest, from 1
	separator byte   // between cells
	end       string // of a line: "\n", or "\r" in files of old Macintoshes
}

// newCellReader returns a reader of a file whose cells are separated as its first line says: with sep=; as some spreadsheets write it, or
// by what stands between its columns' names.
func newCellReader(text []byte) *cellReader {
	c := &cellReader{rest: string(text), line: 1, separator: ',', end: "\n"}
	if !bytes.Contains(text, []byte("\n")) && bytes.Contains(text, []byte("\r")) {
		c.end = "\r"
	}
	for line := c.nextLine(); line != c.rest && isBlankRow(line); line = c.nextLine() {
		c.skipLine()
	}
	first, rest, _ := strings.Cut(c.rest, c.end)
	if sign := separatorLine().FindStringSubmatch(first); sign != nil {
		c.separator, c.rest, c.line = (sign[1] + sign[2])[0], rest, c.line+1
		return c
	}
	for line := range strings.SplitSeq(c.rest, c.end) {
		if strings.HasPrefix(line, "#") || isBlankRow(line) {
			continue
		}
		for _, separator := range []byte(";\t") {
			if strings.Count(line, string(separator)) >= 2 && !strings.Contains(line, ",") {
				c.separator = separator
			}
		}
		break
	}
	return c
}

// isBlankRow reports whether a line above the header has nothing but separators of any kind, as a spreadsheet writes rows that are empty.
func isBlankRow(line string) bool {
	return strings.Trim(usertext.Trim(line), ",;\t\" ") == ""
}

// Faults of a quote.
var errQuote = errors.New(`a quote is out of place; put the whole field between quotes and double those inside: "say ""hi"""`)

// errFormula is the fault of a cell that a spreadsheet computes.
var errFormula = errors.New(`a field like ="0012" is a formula of a spreadsheet; write its value alone`)

// unknownSeparator returns the sign that the first line of a file names as its separator, in quotes, "" if it names none or one that is read.
func unknownSeparator(text []byte) string {
	first, _, _ := strings.Cut(strings.ReplaceAll(string(text[:min(len(text), 32)]), "\r", "\n"), "\n")
	named := regexp.MustCompile(`^(?i)"?sep=(.*)$`).FindStringSubmatch(first)
	if named == nil || separatorLine().MatchString(first) {
		return ""
	}
	return printable.Quote(strings.TrimSuffix(named[1], `"`), 3)
}

// separatorLine matches the line with which some spreadsheets name the separator.
var separatorLine = once(`^(?i:sep=([,;\t|])|"sep=([,;\t|])")\r*$`)

// nextLine returns the rest of the line that begins here, without its end.
func (c *cellReader) nextLine() string {
	line, _, _ := strings.Cut(c.rest, c.end)
	return strings.TrimSuffix(line, "\r")
}

// skipLine skips that line.
func (c *cellReader) skipLine() {
	_, c.rest, _ = strings.Cut(c.rest, c.end)
	c.line++
}

// next reads a record. After an error it goes on with the line after the one in which the record begins.
func (c *cellReader) next() (r record, err error) {
	r.line = c.line
	start := *c
	for {
		cell, more, err := c.cell()
		if err != nil {
			*c = start
			r.text = c.nextLine()
			c.skipLine()
			return r, err
		}
		r.cells, r.former = append(r.cells, cell), append(r.former, strings.ReplaceAll(cell, "\r\n", "\n"))
		if !more {
			r.text = strings.TrimRight(start.rest[:len(start.rest)-len(c.rest)], "\r\n")
			return r, nil
		}
	}
}

// cell reads a cell and what ends it; more reports whether another one follows in the record.
func (c *cellReader) cell() (cell string, more bool, err error) {
	bare := strings.TrimLeftFunc(c.rest, c.isPadding)
	switch {
	case strings.HasPrefix(bare, `"`):
		c.rest = bare
		if cell, more, err = c.quoted(); err == nil && strings.HasPrefix(cell, `="`) {
			err = errFormula
		}
		return cell, more, err
	case strings.HasPrefix(bare, `="`):
		return "", false, errFormula
	}
	end := strings.IndexAny(c.rest, string(c.separator)+c.end)
	if end < 0 {
		end = len(c.rest)
	}
	cell, c.rest = c.rest[:end], c.rest[end:]
	if more = strings.HasPrefix(c.rest, string(c.separator)); !more {
		cell = strings.TrimSuffix(cell, "\r")
	}
	if strings.Contains(cell, `"`) {
		return "", false, errQuote
	}
	return cell, more, c.endCell()
}

// quoted reads a cell between quotes. A quote in it is written twice.
func (c *cellReader) quoted() (cell string, more bool, err error) {
	var text strings.Builder
	c.rest = c.rest[1:]
	for {
		part, rest, closed := strings.Cut(c.rest, `"`)
		if !closed {
			return "", false, errQuote
		}
		c.line += strings.Count(part, c.end)
		text.WriteString(part)
		if c.rest = rest; !strings.HasPrefix(rest, `"`) {
			break
		}
		text.WriteByte('"')
		c.rest = rest[1:]
	}
	c.rest = strings.TrimLeftFunc(c.rest, c.isPadding)
	more = strings.HasPrefix(c.rest, string(c.separator))
	if !more && c.end == "\n" {
		c.rest = strings.TrimPrefix(c.rest, "\r")
	}
	return text.String(), more, c.endCell()
}

// isPadding reports whether a character is a blank that may stand between a separator and a quote.
func (c *cellReader) isPadding(r rune) bool {
	return usertext.IsBlank(r) && !strings.ContainsRune("\r\n\uFEFF\x1a", r) && r != rune(c.separator)
}

// endCell passes the separator or line end after a cell.
func (c *cellReader) endCell() error {
	switch {
	case c.rest == "":
	case strings.HasPrefix(c.rest, c.end):
		c.rest = c.rest[1:]
		c.line++
	case c.rest[0] == c.separator:
		c.rest = c.rest[1:]
	default:
		return errQuote
	}
	return nil
}

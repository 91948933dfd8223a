// Package export writes rows of a history as CSV, JSON lines or an hledger journal, into a file that did not exist before.
package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// Format is the file format of an exported history.
type Format string

// The formats.
const (
	CSV     Format = "csv"     // a line per row, decimal amounts
	JSONL   Format = "jsonl"   // an object per row, exact integers as text, and ids
	Hledger Format = "hledger" // a journal of double entries, oldest first
)

// Formats returns the formats.
func Formats() []Format { return []Format{CSV, JSONL, Hledger} }

// Extension returns the end of the name of a file in the format, without the point.
func (f Format) Extension() string {
	if f == Hledger {
		return "journal"
	}
	return string(f)
}

// Request selects the part of a history to be written, and its file.
type Request struct {
	Filter historyindex.Filter
	Format Format
	Memos  bool   // decrypted ones too; the wallet must then be unlocked
	Labels bool   // the person's labels on rows; the wallet must then be unlocked
	IDs    bool   // transaction ids too; a daemon is then asked for each block
	Oldest bool   // oldest first
	Path   string // "~/" is the home folder; an existing file is never overwritten
}

// exportRows is the number of rows read at a time.
const exportRows = 500

// Exporter writes histories to files.
type Exporter struct{ from *history.Reader }

// New returns an exporter of the rows that the reader has in its index.
func New(from *history.Reader) *Exporter { return &Exporter{from} }

// Export writes the rows of the index that match to a file with mode 0600. The file
// is complete or does not exist: it is written under another name first. progress is
// called with the number of rows written so far. If the wallet locks while memos or
// labels are being written, Export fails with fault.Locked.
func (x *Exporter) Export(ctx context.Context, id ledger.AccountID, e Request, progress func(rows uint64)) (rows uint64, err error) {
	path, err := exportPath(e.Path)
	if err != nil {
		return 0, err
	}
	if at, err := os.Lstat(path); err == nil && at.IsDir() {
		return 0, exportFault(path+" is a folder", "name the file in it, such as "+filepath.Join(e.Path, "history."+e.Format.Extension()), nil)
	} else if err == nil {
		return 0, exportFault("a file already exists at "+path, "choose another name", nil)
	}
	for _, other := range Formats() {
		if other != e.Format && strings.EqualFold(filepath.Ext(path), "."+other.Extension()) {
			return 0, exportFault(fmt.Sprintf("the name ends in .%s, but the format is %s", other.Extension(), e.Format),
				fmt.Sprintf("choose the format %s, or a name that ends in .%s", other, e.Format.Extension()), nil)
		}
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".billfold-export-*")
	if err != nil {
		return 0, exportFault("the file cannot be made: "+reason(err), "choose an existing folder", err)
	}
	defer func() {
		_ = part.Close()           // fails if all went well: it is closed already
		_ = os.Remove(part.Name()) // the link under the other name stays
	}()
	if rows, err = x.writeTo(ctx, part, id, e, progress); err != nil {
		return rows, err
	}
	if err = errors.Join(part.Sync(), part.Close()); err == nil {
		err = os.Link(part.Name(), path) // unlike a rename, it never replaces another file
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = os.Rename(part.Name(), path) // not every file system has links
		}
	}
	if err != nil {
		return rows, exportFault("the file cannot be written: "+reason(err), "choose another name", err)
	}
	return rows, nil
}

func exportPath(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", exportFault("the home folder is not known", "write the whole path", err)
		}
		path = filepath.Join(home, rest)
	}
	if path == "" || strings.HasSuffix(path, "/") {
		return "", exportFault("a name is needed", "type the name of a file", nil)
	}
	return path, nil
}

func exportFault(message, hint string, err error) error {
	return &fault.Error{Code: fault.File, Op: "export", Message: message, Hint: hint, Err: err}
}

// reason returns the system's error without the temporary file name.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err.Error()
	}
	return err.Error()
}

// writer writes rows in one format.
type writer interface {
	begin() error
	row(r Row) error
	flush() error
}

func (x *Exporter) writeTo(
	ctx context.Context,
	file io.Writer,
	id ledger.AccountID,
	e Request,
	progress func(uint64),
) (rows uint64, err error) {
	buffer := bufio.NewWriter(file)
	to, err := newWriter(e.Format, buffer, x.from.View.Accounts.Ref(id))
	if err != nil {
		return 0, err
	}
	if err := to.begin(); err != nil {
		return 0, err
	}
	win := historyindex.Window{Oldest: e.Oldest || e.Format == Hledger, Limit: exportRows}
	for {
		page, err := x.from.Page(ctx, id, e.Filter, win)
		if err != nil {
			return rows, err
		}
		list, err := x.rows(ctx, e, page)
		if err != nil {
			return rows, err
		}
		for _, row := range list {
			if err := to.row(row); err != nil {
				return rows, err
			}
		}
		rows += uint64(len(page))
		progress(rows)
		if len(page) < exportRows {
			break
		}
		if win.Before = page[len(page)-1].ID; win.Oldest {
			win.After, win.Before = win.Before, 0
		}
	}
	return rows, errors.Join(to.flush(), buffer.Flush())
}

// rows adds to the entries what the request wants beside them, and removes memos that it does not want. Error:
// fault.Locked.
func (x *Exporter) rows(ctx context.Context, e Request, page []history.Entry) ([]Row, error) {
	out := make([]Row, len(page))
	places := make([]historyindex.TrxPosition, len(page))
	for i, entry := range page {
		out[i].Entry, places[i] = entry, historyindex.TrxPosition{Block: entry.Block, Trx: entry.TrxInBlock}
		if !e.Memos {
			out[i].Memo = ""
		} else if entry.MemoState == vault.MemoLocked {
			return nil, locked("memos")
		}
		if e.Labels && x.from.Labels != nil {
			text, state := x.from.Labels.Of(label.Row{ID: entry.ID, Block: entry.Block})
			if state == vault.MemoLocked {
				return nil, locked("labels")
			}
			out[i].Label = text
		}
	}
	if !e.IDs {
		return out, nil
	}
	ids, err := x.from.TransactionIDs(ctx, places)
	if err != nil {
		return nil, err
	}
	for i, at := range places {
		if id, known := ids[at]; known {
			out[i].Transaction = id.String()
		}
	}
	return out, nil
}

func locked(what string) error {
	return &fault.Error{Code: fault.Locked, Op: "export", Message: "the wallet is locked, so " + what + " cannot be written",
		Hint: "unlock it, or export without " + what}
}

func newWriter(format Format, to *bufio.Writer, own ledgerview.AccountRef) (writer, error) {
	switch format {
	case CSV:
		return newCSVWriter(to), nil
	case JSONL:
		return jsonlWriter{to}, nil
	case Hledger:
		return hledgerWriter{to, own}, nil
	}
	return nil, &fault.Error{
		Code:    fault.BadParameter,
		Op:      "export",
		Message: fmt.Sprintf("%q is not a format", format),
		Hint:    "use csv, jsonl or hledger",
	}
}

// Span is the part of the rows matching a filter that is written.
type Span int

// The spans.
const (
	All       Span = iota // all of them
	ThisMonth             // those of the current month, UTC
	LastMonth             // those of the month before
	Spans                 // how many there are
)

// Month returns when the month of a span begins and ends, UTC; both are zero for All.
func (s Span) Month(now time.Time) (from, end time.Time) {
	if s == All {
		return from, end
	}
	now = now.UTC()
	from = time.Date(now.Year(), now.Month()+time.Month(1-s), 1, 0, 0, 0, 0, time.UTC)
	return from, from.AddDate(0, 1, 0)
}

// Of returns f limited to the rows in the span.
func (s Span) Of(f historyindex.Filter, now time.Time) historyindex.Filter {
	from, end := s.Month(now)
	if from.IsZero() {
		return f
	}
	return historyindex.Filter{All: []historyindex.Filter{f}, Since: ledger.TimeOf(from), Until: ledger.TimeOf(end), UpTo: f.UpTo}
}

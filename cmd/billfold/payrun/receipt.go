package payrun

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"billfold/ledger"
	"billfold/osfile"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
)

// receiptMark separates the file's name from the plan's id in the name of a receipt.
const receiptMark = ".receipt-"

// receiptFile is the file of a plan's receipt, beside the file that is paid.
type receiptFile struct {
	of   string // the path of the file that is paid
	plan string
}

func (r receiptFile) path() string { return r.of + receiptMark + r.plan[:8] + ".jsonl" }

// checkEarlier refuses a file if the payout of an earlier version of it has sent something and is not
// finished: payments in both versions would be made twice. sent reports whether a plan has.
func (r receiptFile) checkEarlier(chain ledger.ChainID, sent func(plan string) (bool, error)) error {
	folder := filepath.Dir(r.of)
	files, err := os.ReadDir(folder)
	if err != nil {
		return refusal(fault.File, "the folder of the file cannot be read: "+err.Error(), "nothing was paid")
	}
	for _, f := range files {
		path := filepath.Join(folder, f.Name())
		if !strings.HasPrefix(f.Name(), filepath.Base(r.of)+receiptMark) || f.Name() == filepath.Base(r.path()) {
			continue
		}
		text, err := readFile(context.Background(), path)
		if err != nil {
			return refusal(fault.File, "an earlier receipt cannot be read: "+err.Error(), "nothing was paid")
		}
		head, err := payout.ReadHead(text)
		if err != nil || head.Chain != chain {
			continue // some other file, or a payout elsewhere
		}
		if full, err := payout.ReadReceipt(text); err == nil && len(full.Rows) == head.Payments {
			continue // that payout is finished, and the file was used again for other payments
		}
		if started, err := sent(head.Plan); err != nil {
			return err
		} else if !started {
			continue // it was approved and stopped before its first payment
		}
		return refusal(fault.Denied, fmt.Sprintf("a payout of this file was started as another plan (%s) and is not finished: "+
			"the file, its payer or its label was changed since; nothing was paid now", head.Plan),
			"undo the change to finish that one; to pay the file as it is now, with what was paid already once more, "+
				"add --new-plan")
	}
	return nil
}

// begin writes the first line of the receipt before anything is paid, so that checkEarlier notices an edited file.
func (r receiptFile) begin(plan *payout.Plan, payer string) error {
	if _, err := os.Stat(r.path()); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return beginError(err)
	}
	text, err := payout.NewHead(plan, payer).Line()
	if err == nil {
		err = replace(r.path(), text)
	}
	if err != nil {
		return beginError(err)
	}
	return nil
}

func beginError(err error) error {
	return &fault.Error{Code: fault.File, Op: "pay", Message: "the receipt cannot be written beside the file: " + err.Error(), Err: err,
		Hint: "nothing was paid; make room there, or copy the file to a folder where you may write"}
}

// replace writes a file (mode 0600) atomically.
func replace(path string, text []byte) error {
	err := osfile.Replace(path, text)
	return systemError(err)
}

// systemError returns the system's error without the name of the temporary file.
func systemError(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}

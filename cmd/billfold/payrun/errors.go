package payrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
)

// refusal returns an error of the payout itself.
func refusal(code fault.Code, message, hint string) error {
	return &fault.Error{Code: code, Op: "pay", Message: message, Hint: hint}
}

// prefixError returns err with before in front of its message, and with hint. If hint is "nothing was paid", err keeps its own hint.
func prefixError(err error, before, hint string) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return fmt.Errorf("%s%w", before, err)
	}
	named := *e
	named.Message = before + named.Message
	if named.Hint == "" || hint != "nothing was paid" {
		named.Hint = hint
	}
	return &named
}

func sortedAssets(of map[ledger.AssetID]int64) []ledger.AssetID {
	ids := make([]ledger.AssetID, 0, len(of))
	for id := range of {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// readFile reads a file. It fails for one that is larger than any plan or receipt.
func readFile(ctx context.Context, path string) ([]byte, error) {
	text, err := shell.ReadFile(ctx, path, payout.LargestFile+1)
	if err == nil && len(text) > payout.LargestFile {
		err = fmt.Errorf("%s is larger than 64 MiB", path)
	}
	return text, err
}

// maxFaults is the maximum number of faults of a file that are listed.
const maxFaults = 1000

// refuseFaults prints the faults of a file and returns an error, nil if there are none.
func refuseFaults(out io.Writer, file string, faults []payout.Fault) error {
	if len(faults) == 0 {
		return nil
	}
	slices.SortStableFunc(faults, func(a, b payout.Fault) int { return a.Line - b.Line })
	for i, f := range faults {
		if i == maxFaults {
			fmt.Fprintf(out, "and %d more\n", len(faults)-i)
			break
		}
		fmt.Fprintln(out, f)
	}
	hint := "correct the file and run it again"
	for _, f := range faults {
		if strings.HasPrefix(f.Text, "the same payment as") {
			hint += "; --allow-duplicates pays them both times"
			break
		}
	}
	return refusal(fault.Denied, fmt.Sprintf("%s has %s; nothing was paid", file, printable.Many(len(faults), "fault")), hint)
}

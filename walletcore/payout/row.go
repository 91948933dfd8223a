package payout

import (
	"cmp"
	"fmt"
	"strings"
)

// Row is one payment of a file.
type Row struct {
	Line    int    // in the file, from 1
	Account string // name or id
	Amount  string // decimal text, without superfluous zeros
	Asset   string // symbol or id
	Memo    string

	AccountID, AssetID string // ids of account and asset; "" before they were looked up

	// Written is the amount as it stands in the file; "" where it could not be read, and Amount is what stands there.
	Written  string
	other    string // Amount as it would be with the other decimal sign, "" if Written can mean nothing else
	decimals bool   // whether Written has decimals, if only zeros

	former string // Memo as versions read it that did not trim memos, "" if that is the same; see Plan.Former
}

// content returns what identifies a payment, however its account, amount and asset are written. Plan.ID is made of it.
func (r Row) content() [4]string {
	return [4]string{cmp.Or(r.AccountID, r.Account), r.Amount, cmp.Or(r.AssetID, r.Asset), r.Memo}
}

// Fault is a mistake in a line, with what to write instead.
type Fault struct {
	Line int // 0: the file as a whole
	Text string
}

// String returns the fault with its line.
func (f Fault) String() string {
	if f.Line == 0 {
		return f.Text
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Text)
}

// Duplicates returns a fault for each row that pays the same amount with the same memo to the same account as an earlier one. As with
// labels, memos are the same that differ only in what nobody sees: a copy of a row from another program is still a copy.
func Duplicates(rows []Row) (faults []Fault) {
	first := map[[4]string]Row{}
	for _, r := range rows {
		exact, shown, blank := r.content(), r.content(), r.content()
		shown[3], blank[3] = plainLabel(r.Memo), plainLabel(strings.Map(blankUnseen, r.Memo))
		earlier, again := first[shown]
		if !again {
			earlier, again = first[blank]
		}
		if !again {
			first[shown], first[blank] = r, r
			continue
		}
		memo := "the same memo"
		if earlier.content() != exact {
			memo = "a memo that differs only in letter case or in what is not seen"
		}
		text := fmt.Sprintf("the same payment as in line %d: %s %s to %s with %s", earlier.Line, r.Amount, r.Asset, r.Account, memo)
		faults = append(faults, Fault{r.Line, text})
	}
	return faults
}

// Plain returns an amount in its shortest form, so that equal amounts are equal texts.
func Plain(amount string) string {
	whole, part, _ := strings.Cut(amount, ".")
	whole, part = strings.TrimLeft(whole, "0"), strings.TrimRight(part, "0")
	if whole == "" {
		whole = "0"
	}
	if part == "" {
		return whole
	}
	return whole + "." + part
}

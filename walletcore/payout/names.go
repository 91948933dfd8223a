package payout

import (
	"errors"
	"fmt"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// Account is an account as a payout needs it.
type Account struct {
	ledgerview.AccountRef
	MemoKey ledger.PublicKey // null: nothing can be encrypted for it
}

// Names are the accounts and assets of rows, by the words in them.
type Names struct {
	Accounts map[string]*Account             // nil = no such account
	Assets   map[string]*ledgerview.AssetRef // nil = no such asset
	Meant    map[string]string               // by a word that names no account: the name of one that was perhaps meant
}

// NamesIn returns the words of rows, all of them still to be looked up.
func NamesIn(rows []Row) *Names {
	n := &Names{map[string]*Account{}, map[string]*ledgerview.AssetRef{}, map[string]string{}}
	for _, r := range rows {
		if r.Account != "" {
			n.Accounts[r.Account] = nil
		}
		if r.Asset != "" {
			n.Assets[r.Asset] = nil
		}
	}
	return n
}

// Faults returns what the ledger objects to in the rows of a payer, besides the known faults.
func (n *Names) Faults(payer ledgerview.AccountRef, rows []Row, known []Fault) (faults []Fault) {
	wrong, named := map[int]bool{}, map[Fault]bool{} // lines with an amount that is none of the asset; known faults
	for _, r := range rows {
		fault := func(format string, args ...any) {
			faults = append(faults, Fault{Line: r.Line, Text: fmt.Sprintf(format, args...)})
		}
		to, of := n.Accounts[r.Account], n.Assets[r.Asset]
		switch {
		case r.Account == "":
		case ledger.IDProblem(r.Account) != "":
			fault("the account %s", ledger.IDProblem(r.Account))
		case to == nil:
			text := fmt.Sprintf("there is no account %q%s", r.Account, n.near(r.Account))
			if foreign := ledger.ForeignCharacter(r.Account); foreign != "" {
				text += "; " + foreign
			}
			fault("%s", text)
		case to.ID == payer.ID:
			fault("%s would pay itself; leave the line out", payer.Name)
		case r.Memo != "" && to.MemoKey.IsNull():
			fault("%s has no memo key, so nothing can be encrypted for it; leave the memo out", to.Name)
		}
		switch {
		case r.Asset == "":
			continue
		case ledger.IDProblem(r.Asset) != "":
			fault("the asset %s", ledger.IDProblem(r.Asset))
			continue
		case of == nil:
			fault("there is no asset %q; list_assets shows them", r.Asset)
			continue
		}
		if why := r.Objection(of.Symbol, of.Precision); why != "" {
			fault("%s", why)
			wrong[r.Line] = true
		}
	}
	if len(wrong) == 0 {
		return faults
	}
	for _, f := range known {
		named[f] = true
	}
	for _, doubt := range Doubts(rows) {
		if !wrong[doubt.Line] && !named[doubt] {
			faults = append(faults, doubt)
		}
	}
	return faults
}

// Identify returns the rows with the ids of accounts and assets, as far as they exist.
func (n *Names) Identify(rows []Row) []Row {
	out := slices.Clone(rows)
	for i, r := range out {
		if to := n.Accounts[r.Account]; to != nil {
			out[i].AccountID = to.ID.String()
		}
		if of := n.Assets[r.Asset]; of != nil {
			out[i].AssetID = of.ID.String()
		}
	}
	return out
}

// near suggests an account of the wallet or of the rows that a word was perhaps meant to be.
func (n *Names) near(word string) string {
	if meant := n.Meant[word]; meant != "" {
		return fmt.Sprintf("; did you mean %s?", meant)
	}
	known := map[ledger.AccountID]ledgerview.AccountRef{}
	for _, a := range n.Accounts {
		if a != nil {
			known[a.ID] = a.AccountRef
		}
	}
	if like := ledgerview.LookAlikes(word, known); len(like) > 0 {
		return "; did you mean " + like[0].Name + "?"
	}
	return "; correct the name"
}

// Sums adds up rows by asset, in smallest units.
func (n *Names) Sums(rows []Row) (map[ledger.AssetID]int64, error) {
	out := map[ledger.AssetID]int64{}
	for _, r := range rows {
		of := n.Assets[r.Asset]
		amount, err := ledger.ParseAmount(r.Amount, of.Precision)
		if err != nil {
			return nil, err
		}
		total, fits := ledger.AddAmounts(out[of.ID], amount)
		if !fits {
			return nil, errors.New("the amounts of " + of.Symbol + " add up to more than there can be")
		}
		out[of.ID] = total
	}
	return out, nil
}

// Pays reports whether operations make just the payments of the rows, all of which can be paid.
func (n *Names) Pays(payer ledger.AccountID, rows []Row, ops []ledger.Operation) bool {
	left := map[ledger.Movement]int{}
	for _, r := range rows {
		of := n.Assets[r.Asset]
		amount, err := ledger.ParseAmount(r.Amount, of.Precision)
		if err != nil {
			return false
		}
		left[ledger.Movement{From: payer.Object(), To: n.Accounts[r.Account].ID.Object(),
			Amount: ledger.AssetAmount{Amount: amount, AssetID: of.ID}}]++
	}
	for _, op := range ops {
		for _, m := range op.Moves() {
			if left[m]--; left[m] < 0 {
				return false
			}
			if left[m] == 0 {
				delete(left, m)
			}
		}
	}
	return len(left) == 0
}

// Ref returns an asset by id; fees are in DCT, which the rows need not name.
func (n *Names) Ref(id ledger.AssetID) ledgerview.AssetRef {
	for _, a := range n.Assets {
		if a != nil && a.ID == id {
			return *a
		}
	}
	return ledgerview.DCT()
}

// LookAlikes warns of paid accounts whose names look like those of known ones.
func (n *Names) LookAlikes(known map[ledger.AccountID]ledgerview.AccountRef) (warnings []string) {
	seen := map[ledger.AccountID]bool{}
	for _, a := range n.Accounts {
		if a == nil || seen[a.ID] {
			continue
		}
		seen[a.ID] = true
		if _, itself := known[a.ID]; itself {
			continue
		}
		for _, like := range ledgerview.LookAlikes(a.Name, known) {
			warnings = append(warnings, fmt.Sprintf("%s (%s) looks like %s (%s), whom you know", a.Name, a.ID, like.Name, like.ID))
		}
	}
	slices.Sort(warnings)
	return warnings
}

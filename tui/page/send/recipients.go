package send

import (
	"context"
	"fmt"
	"maps"
	"sort"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// History reads whom the account paid before.
type History interface {
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
	Paid(ctx context.Context, from ledger.AccountID, to []ledgerview.AccountRef) (history.Paid, error)
}

// suggestRows is the maximum number of recipients that are offered.
const suggestRows = 5

// recipients is the accounts that a payment may go to: contacts, own ones, those paid
// before, and those that the ledger found.
type recipients struct {
	paid            map[ledger.AccountID]paidBefore
	moreHistory     bool                              // the history may hold more than was read
	older           map[ledger.AccountID]history.Paid // by account: what was read beyond the newest rows
	found           []ledgerview.AccountRef
	searchedFor     string // the prefix for which a node answered; empty: none
	searchFailed    bool   // the last search failed
	reportedMissing bool   // the form's fault is that the ledger has no such account
}

// paidBefore is the payments to an account, as far as the history was read.
type paidBefore struct {
	ref   ledgerview.AccountRef
	times int
	last  ledger.Time
}

// searchResult is the accounts on the ledger whose names begin with prefix.
type searchResult struct {
	prefix   string
	accounts []ledgerview.AccountRef
}

// countPaid counts earlier payments per recipient in the newest rows; most is how many rows were asked for.
func (r *recipients) countPaid(entries []history.Entry, most int) {
	r.paid, r.moreHistory, r.older = map[ledger.AccountID]paidBefore{}, len(entries) >= most, nil
	for _, e := range entries {
		if e.Direction == history.Out && e.Amount != 0 && e.Pays() {
			p := r.paid[e.To.ID]
			p.ref, p.times, p.last = e.To, p.times+1, max(p.last, e.Time)
			r.paid[e.To.ID] = p
		}
	}
}

// suggestions returns the accounts that text may mean: contacts, accounts paid before and
// own accounts that contain it, then those that the ledger found.
func (r *recipients) suggestions(env screen.Env, text string) []ledgerview.AccountRef {
	want := strings.ToLower(text)
	if want == "" {
		return nil
	}
	seen := map[ledger.AccountID]bool{env.Account.ID: true}
	var out []ledgerview.AccountRef
	add := func(a ledgerview.AccountRef) {
		if !seen[a.ID] && len(out) < suggestRows && (strings.Contains(a.Name, want) || a.ID.String() == want) {
			seen[a.ID] = true
			out = append(out, a)
		}
	}
	for _, c := range env.Contacts {
		add(c.AccountRef)
	}
	for _, p := range r.byTimesPaid() {
		add(p.ref)
	}
	for _, a := range env.Accounts {
		add(a.AccountRef)
	}
	for _, a := range r.found {
		add(a)
	}
	if len(out) == 0 {
		if like, near := r.meant(env, text); near {
			out = append(out, like)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name == want && out[j].Name != want })
	return out
}

// meant returns the known account that a text which names no account on the ledger was perhaps meant to be; false while the ledger was not asked.
func (r *recipients) meant(env screen.Env, text string) (ledgerview.AccountRef, bool) {
	if _, known, asked := r.findExact(env, text); known || !asked {
		return ledgerview.AccountRef{}, false
	}
	return r.nearest(env, text)
}

// nearest returns the known account that a text was perhaps meant to be which the ledger does not have.
func (r *recipients) nearest(env screen.Env, text string) (ledgerview.AccountRef, bool) {
	var all []ledgerview.AccountRef
	for _, c := range env.Contacts {
		all = append(all, c.AccountRef)
	}
	for _, p := range r.byTimesPaid() {
		all = append(all, p.ref)
	}
	for _, a := range env.Accounts {
		if a.ID != env.Account.ID {
			all = append(all, a.AccountRef)
		}
	}
	return ledgerview.Meant(text, all)
}

// correction returns what to do about a text that names no account.
func (r *recipients) correction(env screen.Env, text string) string {
	if like, near := r.meant(env, text); near {
		return "Did you mean " + format.Account(like).String() + "?"
	}
	return "Check its name."
}

// byTimesPaid returns earlier recipients, the most often paid first.
func (r *recipients) byTimesPaid() []paidBefore {
	out := make([]paidBefore, 0, len(r.paid))
	for _, p := range r.paid {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].times != out[j].times {
			return out[i].times > out[j].times
		}
		return out[i].ref.ID < out[j].ref.ID
	})
	return out
}

// findExact returns the account whose name or id is the text; asked reports whether the
// ledger was asked about exactly this text.
func (r *recipients) findExact(env screen.Env, text string) (ref ledgerview.AccountRef, ok, asked bool) {
	known := append([]ledgerview.AccountRef(nil), r.found...)
	for _, c := range env.Contacts {
		known = append(known, c.AccountRef)
	}
	for _, p := range r.paid {
		known = append(known, p.ref)
	}
	for _, a := range env.Accounts {
		known = append(known, a.AccountRef)
	}
	for _, a := range known {
		if a.Name == text || a.ID.String() == text {
			return a, true, true
		}
	}
	return ledgerview.AccountRef{}, false, r.searchedFor == strings.ToLower(text)
}

// lookAlike returns a contact, an own account or one paid before whose name a person could
// mistake for the given one.
func (r *recipients) lookAlike(env screen.Env, a ledgerview.AccountRef) (ledgerview.AccountRef, bool) {
	if _, saved := env.Contact(a.ID); saved || env.Owns(a.ID) || r.timesPaid(a.ID) > 0 {
		return ledgerview.AccountRef{}, false
	}
	known := env.KnownExcept(a.ID)
	for id, p := range r.paid {
		known[id] = p.ref
	}
	for _, ref := range r.older[a.ID].Alike {
		known[ref.ID] = ref
	}
	if like := ledgerview.LookAlikes(a.Name, known); len(like) > 0 {
		return like[0], true
	}
	return ledgerview.AccountRef{}, false
}

// relationText returns what an account is to this wallet: own, a contact, and how often it was paid.
func (r *recipients) relationText(env screen.Env, a ledgerview.AccountRef) string {
	if env.Owns(a.ID) {
		return "yours"
	}
	past, older := "first payment", r.older[a.ID]
	times, last := r.timesPaid(a.ID), max(r.paid[a.ID].last, older.To[a.ID].Last)
	switch {
	case times > 0 && r.moreHistory && !older.All:
		past = fmt.Sprintf("paid at least %s, last %s", timesText(times), env.Times().Day(last.Time()))
	case times == 1:
		past = "paid once, " + env.Times().Day(last.Time())
	case times > 1:
		past = fmt.Sprintf("paid %d times, last %s", times, env.Times().Day(last.Time()))
	case r.moreHistory && !older.All:
		past = "not paid lately"
	}
	if _, saved := env.Contact(a.ID); saved {
		return "contact · " + past
	}
	return past
}

// timesPaid returns how often an account was paid, as far as that is known.
func (r *recipients) timesPaid(id ledger.AccountID) int {
	return max(r.paid[id].times, int(r.older[id].To[id].Out))
}

// olderPayments holds what was read beyond the newest rows, by account; a zero value could not be read.
type olderPayments map[ledger.AccountID]history.Paid

// readOlderPayments reads what was paid to some accounts, however long ago.
func readOlderPayments(ctx context.Context, past History, from ledger.AccountID, to []ledgerview.AccountRef) olderPayments {
	out := olderPayments{}
	for _, ref := range to {
		one, err := past.Paid(ctx, from, []ledgerview.AccountRef{ref})
		if err != nil {
			one = history.Paid{}
		}
		out[ref.ID] = one
	}
	return out
}

// addOlder adds what was read beyond the newest rows.
func (r *recipients) addOlder(read olderPayments) {
	if r.older == nil {
		r.older = olderPayments{}
	}
	maps.Copy(r.older, read)
}

// unreadOlder returns those of refs for which the history may hold more than was read.
func (r *recipients) unreadOlder(refs []ledgerview.AccountRef) (out []ledgerview.AccountRef) {
	for _, ref := range refs {
		if _, asked := r.older[ref.ID]; r.moreHistory && !asked {
			out = append(out, ref)
		}
	}
	return out
}

func timesText(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// isObjectID reports whether a recipient is given by the id of an object that is no account, which the form cannot look up.
func isObjectID(text string) bool {
	_, err := ledger.ParseObjectID(text)
	_, account := ledgerview.AccountIDText(text)
	return err == nil && !account
}

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

// History returns whom the account paid before.
type History interface {
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
	Paid(ctx context.Context, from ledger.AccountID, to []ledgerview.AccountRef) (history.Paid, error)
}

// suggestRows is how many recipients are offered.
const suggestRows = 5

// recipients are the accounts that a payment may go to: contacts, own ones, those paid
// before, and what the ledger found.
type recipients struct {
	paid     map[ledger.AccountID]paidBefore
	more     bool                              // the history may hold more than was read
	older    map[ledger.AccountID]history.Paid // of whom more than the newest rows was read, each alone
	found    []ledgerview.AccountRef
	foundFor string // the beginning that a node was asked for and answered; "" = none
	failed   bool   // the last look-up did
	missed   bool   // the form says that nothing was built because the ledger has no such account
}

// paidBefore is what the history read so far says about payments to someone.
type paidBefore struct {
	ref   ledgerview.AccountRef
	times int
	last  ledger.Time
}

// found is an answer of the ledger to the start of a name.
type found struct {
	prefix   string
	accounts []ledgerview.AccountRef
}

// learn counts earlier payments per recipient in the newest rows; most is how many were asked for.
func (r *recipients) learn(entries []history.Entry, most int) {
	r.paid, r.more, r.older = map[ledger.AccountID]paidBefore{}, len(entries) >= most, nil
	for _, e := range entries {
		if e.Direction == history.Out && e.Amount != 0 && e.Pays() {
			p := r.paid[e.To.ID]
			p.ref, p.times, p.last = e.To, p.times+1, max(p.last, e.Time)
			r.paid[e.To.ID] = p
		}
	}
}

// suggestions lists who may be meant: contacts, accounts paid before and own accounts
// that contain the text, then what the ledger found.
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
	for _, p := range r.paidOften() {
		add(p.ref)
	}
	for _, a := range env.Accounts {
		add(a.AccountRef)
	}
	for _, a := range r.found {
		add(a)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name == want && out[j].Name != want })
	return out
}

// paidOften lists earlier recipients, most often paid first.
func (r *recipients) paidOften() []paidBefore {
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

// exact finds the account whose name or id is the text, and whether the ledger
// was asked about this very text.
func (r *recipients) exact(env screen.Env, text string) (ref ledgerview.AccountRef, ok, asked bool) {
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
	return ledgerview.AccountRef{}, false, r.foundFor == strings.ToLower(text)
}

// lookAlike finds a contact, an own account or one paid before whose name a person could
// take for the given one.
func (r *recipients) lookAlike(env screen.Env, a ledgerview.AccountRef) (ledgerview.AccountRef, bool) {
	if _, saved := env.Contact(a.ID); saved || env.Owns(a.ID) || r.timesOf(a.ID) > 0 {
		return ledgerview.AccountRef{}, false
	}
	known := env.Known(a.ID)
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

// relation is what an account is to this wallet, in words.
func (r *recipients) relation(env screen.Env, a ledgerview.AccountRef) string {
	if env.Owns(a.ID) {
		return "yours"
	}
	past, older := "first payment", r.older[a.ID]
	times, last := r.timesOf(a.ID), max(r.paid[a.ID].last, older.To[a.ID].Last)
	switch {
	case times > 0 && r.more && !older.All:
		past = fmt.Sprintf("paid at least %s, last %s", timesOf(times), dayOf(last))
	case times == 1:
		past = "paid once, " + dayOf(last)
	case times > 1:
		past = fmt.Sprintf("paid %d times, last %s", times, dayOf(last))
	case r.more && !older.All:
		past = "not paid lately"
	}
	if _, saved := env.Contact(a.ID); saved {
		return "contact · " + past
	}
	return past
}

// timesOf is how often an account was paid, as far as that is known.
func (r *recipients) timesOf(id ledger.AccountID) int {
	return max(r.paid[id].times, int(r.older[id].To[id].Out))
}

// older is what was read of some accounts; a zero one could not be read.
type older map[ledger.AccountID]history.Paid

// olderOf reads what was paid to some accounts, however long ago.
func olderOf(ctx context.Context, past History, from ledger.AccountID, to []ledgerview.AccountRef) older {
	out := older{}
	for _, ref := range to {
		one, err := past.Paid(ctx, from, []ledgerview.AccountRef{ref})
		if err != nil {
			one = history.Paid{}
		}
		out[ref.ID] = one
	}
	return out
}

// learnOlder takes what was read beyond the newest rows.
func (r *recipients) learnOlder(read older) {
	if r.older == nil {
		r.older = older{}
	}
	maps.Copy(r.older, read)
}

// unasked are those of whom only the newest rows are known while the history holds more.
func (r *recipients) unasked(refs []ledgerview.AccountRef) (out []ledgerview.AccountRef) {
	for _, ref := range refs {
		if _, asked := r.older[ref.ID]; r.more && !asked {
			out = append(out, ref)
		}
	}
	return out
}

func timesOf(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func dayOf(t ledger.Time) string { return strings.SplitN(format.Stamp(t), " ", 2)[0] }

// isObject reports whether a recipient is named by an id, which the form cannot look up.
func isObject(text string) bool {
	_, err := ledger.ParseObjectID(text)
	return err == nil
}

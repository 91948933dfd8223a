package send

import (
	"fmt"
	"sort"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// suggestRows is how many recipients are offered.
const suggestRows = 5

// recipients are the accounts that a payment may go to: contacts, own ones, those paid
// before, and what the ledger found.
type recipients struct {
	paid     map[ledger.AccountID]paidBefore
	more     bool // the history may hold more than was read
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
	r.paid, r.more = map[ledger.AccountID]paidBefore{}, len(entries) >= most
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
	if _, saved := env.Contact(a.ID); saved || env.Owns(a.ID) || r.paid[a.ID].times > 0 {
		return ledgerview.AccountRef{}, false
	}
	known := env.Known(a.ID)
	for id, p := range r.paid {
		known[id] = p.ref
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
	past := "first payment"
	switch p := r.paid[a.ID]; {
	case p.times > 0 && r.more:
		past = fmt.Sprintf("paid at least %s, last %s", timesOf(p.times), dayOf(p.last))
	case p.times == 1:
		past = "paid once, " + dayOf(p.last)
	case p.times > 1:
		past = fmt.Sprintf("paid %d times, last %s", p.times, dayOf(p.last))
	}
	if _, saved := env.Contact(a.ID); saved {
		return "contact · " + past
	}
	return past
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

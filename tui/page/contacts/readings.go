package contacts

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/contact"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// Book changes the contacts and decrypts their notes; screen.Env lists them.
type Book interface {
	Save(ctx context.Context, nameOrID, note string) (contact.Contact, error)
	SetNote(ctx context.Context, id ledger.AccountID, note string) error
	Remove(ctx context.Context, id ledger.AccountID) error
	Note(of contact.Contact) (string, vault.MemoState)
}

// Checker compares contacts with the ledger.
type Checker interface {
	Check(ctx context.Context, list []contact.Contact) (map[ledger.AccountID]contact.Status, error)
}

// Finder finds accounts on the ledger.
type Finder interface {
	Named(ctx context.Context, nameOrID string) (ledgerview.AccountRef, error)
	Find(ctx context.Context, prefix string, limit int) ([]ledgerview.AccountRef, error)
}

// History adds up payments.
type History interface {
	Dealings(ctx context.Context, id ledger.AccountID, with []ledger.AccountID) (map[ledger.AccountID]history.Dealings, bool, error)
}

// Core holds what the page needs of the wallet.
type Core struct {
	Book    Book
	Checker Checker
	Finder  Finder
	History History
}

const readLimit = 20 * time.Second // for one reading

// The topics of the page's tasks.
const (
	topicCheck      = "check"
	topicDealings   = "dealings"
	topicNotes      = "notes"
	topicBackground = "about"
	topicLookup     = "look"
	topicChange     = "change" // to the book
)

// readings holds what was read about the contacts.
type readings struct {
	core  Core
	tasks *screen.Tasks

	account     ledger.AccountID // whose payments dealings counts
	dealings    map[ledger.AccountID]history.Dealings
	all         bool // dealings covers the whole history
	notes       map[ledger.AccountID]note
	statuses    map[ledger.AccountID]contact.Status
	checked     time.Time
	fault       error // of the last check
	backgrounds map[ledger.AccountID]background
}

// note is a note as far as it can be read.
type note struct {
	text  string
	state vault.MemoState
}

// isUnread reports whether a note that is there was not decrypted yet.
func (n note) isUnread() bool { return n.state == vault.MemoNone || n.state == vault.MemoLocked }

// isUnreadable reports whether the keys of this wallet cannot decrypt the note.
func (n note) isUnreadable() bool {
	return n.state == vault.MemoForeign || n.state == vault.MemoDamaged
}

// background holds what the ledger adds to a contact: its registrar, and the names that look like its own.
type background struct {
	registrar ledgerview.AccountRef
	alike     []ledgerview.AccountRef
	fault     error
}

// maxCompared is the maximum number of names that are compared with a contact's.
const maxCompared = 1000

// stemLetters is the number of first letters that a name must share with a contact's to be compared with it.
const stemLetters = 2

// readAll starts reading all that the page shows.
func (r *readings) readAll(env screen.Env) tea.Cmd {
	return tea.Batch(r.readNotes(env), r.readDealings(env), r.check(env))
}

// startReading starts the reading of a topic, unless one is under way.
func (r *readings) startReading(env screen.Env, topic string, read func(context.Context) (any, error)) tea.Cmd {
	if _, busy := r.tasks.Busy(topic); busy {
		return nil
	}
	return r.tasks.Start(env, topic, readLimit, read)
}

// readNotes starts decrypting the notes.
func (r *readings) readNotes(env screen.Env) tea.Cmd {
	list := env.Contacts
	r.tasks.Forget(topicNotes)
	return r.startReading(env, topicNotes, func(context.Context) (any, error) {
		notes := map[ledger.AccountID]note{}
		for _, c := range list {
			text, state := r.core.Book.Note(c)
			notes[c.ID] = note{text, state}
		}
		return notes, nil
	})
}

// dealingsResult is the result of readDealings.
type dealingsResult struct {
	with map[ledger.AccountID]history.Dealings
	all  bool
}

// readDealings starts adding up the payments between the account in focus and the contacts. Those of another account are dropped
// at once.
func (r *readings) readDealings(env screen.Env) tea.Cmd {
	if id := env.Account.ID; id != r.account {
		r.account, r.dealings = id, nil
		r.tasks.Forget(topicDealings)
	}
	if len(env.Accounts) == 0 || len(env.Contacts) == 0 {
		return nil
	}
	id, others := r.account, make([]ledger.AccountID, len(env.Contacts))
	for i, c := range env.Contacts {
		others[i] = c.ID
	}
	return r.startReading(env, topicDealings, func(ctx context.Context) (any, error) {
		found, all, err := r.core.History.Dealings(ctx, id, others)
		return dealingsResult{found, all}, err
	})
}

// check starts comparing the contacts with the ledger.
func (r *readings) check(env screen.Env) tea.Cmd {
	if len(env.Contacts) == 0 || !env.Online() {
		return nil
	}
	list := env.Contacts
	return r.startReading(env, topicCheck, func(ctx context.Context) (any, error) { return r.core.Checker.Check(ctx, list) })
}

// backgroundResult is the result of readBackground.
type backgroundResult struct {
	id ledger.AccountID
	background
}

// readBackground starts reading who registered a contact, and which names look like its own.
func (r *readings) readBackground(env screen.Env, c contact.Contact) tea.Cmd {
	if _, known := r.backgrounds[c.ID]; c.ID == 0 || known || !env.Online() {
		return nil
	}
	now := r.statuses[c.ID].Account
	if now == nil {
		return nil
	}
	return r.startReading(env, topicBackground, func(ctx context.Context) (any, error) {
		out := backgroundResult{id: c.ID}
		out.registrar, out.fault = r.core.Finder.Named(ctx, now.Registrar.String())
		found, err := r.core.Finder.Find(ctx, c.Name[:min(stemLetters, len(c.Name))], maxCompared)
		if err != nil {
			out.fault = err
			return out, nil
		}
		known := map[ledger.AccountID]ledgerview.AccountRef{}
		for _, a := range found {
			if a.ID != c.ID {
				known[a.ID] = a
			}
		}
		out.alike = ledgerview.LookAlikes(c.Name, known)
		return out, nil
	})
}

// apply stores the result of a reading.
func (r *readings) apply(env screen.Env, msg screen.Result) {
	switch msg.Topic {
	case topicNotes:
		r.notes, _ = msg.Body.(map[ledger.AccountID]note)
	case topicDealings:
		if p, read := msg.Body.(dealingsResult); read && msg.Err == nil {
			r.dealings, r.all = p.with, p.all
		}
	case topicCheck:
		if r.fault = msg.Err; msg.Err == nil {
			r.statuses, _ = msg.Body.(map[ledger.AccountID]contact.Status)
			r.checked = env.Now
		}
	case topicBackground:
		if t, read := msg.Body.(backgroundResult); read {
			r.backgrounds[t.id] = t.background
		}
	}
}

// reload reads everything again, also what is known or being read.
func (r *readings) reload(env screen.Env) tea.Cmd {
	clear(r.backgrounds)
	r.tasks.Forget(topicCheck)
	r.tasks.Forget(topicDealings)
	return r.readAll(env)
}

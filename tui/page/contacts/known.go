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

// Book keeps the contacts; which there are stands in screen.Env.
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

// History adds up what was paid.
type History interface {
	Dealings(ctx context.Context, id ledger.AccountID, with []ledger.AccountID) (map[ledger.AccountID]history.Dealings, bool, error)
}

// Core is what the page needs of the wallet.
type Core struct {
	Book    Book
	Checker Checker
	Finder  Finder
	History History
}

const askLimit = 20 * time.Second // how long one reading may take

// The topics of the page's tasks.
const (
	topicCheck    = "check"
	topicDealings = "dealings"
	topicNotes    = "notes"
	topicAbout    = "about"
	topicLook     = "look"
	topicChange   = "change" // of the book
)

// known is what was read of the contacts.
type known struct {
	core  Core
	tasks *screen.Tasks

	account  ledger.AccountID // whose payments these are
	dealings map[ledger.AccountID]history.Dealings
	all      bool // dealings are of the whole history
	notes    map[ledger.AccountID]note
	statuses map[ledger.AccountID]contact.Status
	checked  time.Time
	fault    error // of the last check
	about    map[ledger.AccountID]about
}

// note is a note as far as it can be read.
type note struct {
	text  string
	state vault.MemoState
}

// about is what the ledger has besides on a contact.
type about struct {
	registrar ledgerview.AccountRef
	alike     []ledgerview.AccountRef
	fault     error
}

// mostAlike is how many names are compared with a contact's.
const mostAlike = 1000

// stem is how many letters the names have in common that are compared.
const stem = 2

// read asks for all that the page shows of the contacts there are.
func (k *known) read(env screen.Env) tea.Cmd {
	return tea.Batch(k.readNotes(env), k.readDealings(env), k.check(env))
}

// ask starts a reading, unless it is under way.
func (k *known) ask(env screen.Env, topic string, read func(context.Context) (any, error)) tea.Cmd {
	if _, busy := k.tasks.Busy(topic); busy {
		return nil
	}
	return k.tasks.Start(env, topic, askLimit, read)
}

// readNotes decrypts the notes.
func (k *known) readNotes(env screen.Env) tea.Cmd {
	list := env.Contacts
	k.tasks.Forget(topicNotes)
	return k.ask(env, topicNotes, func(context.Context) (any, error) {
		notes := map[ledger.AccountID]note{}
		for _, c := range list {
			text, state := k.core.Book.Note(c)
			notes[c.ID] = note{text, state}
		}
		return notes, nil
	})
}

// paid is what was read of payments.
type paid struct {
	with map[ledger.AccountID]history.Dealings
	all  bool
}

// readDealings adds up the payments of the account in focus. Those of another account are dropped at once.
func (k *known) readDealings(env screen.Env) tea.Cmd {
	if id := env.Account.ID; id != k.account {
		k.account, k.dealings = id, nil
		k.tasks.Forget(topicDealings)
	}
	if len(env.Accounts) == 0 || len(env.Contacts) == 0 {
		return nil
	}
	id, with := k.account, make([]ledger.AccountID, len(env.Contacts))
	for i, c := range env.Contacts {
		with[i] = c.ID
	}
	return k.ask(env, topicDealings, func(ctx context.Context) (any, error) {
		found, all, err := k.core.History.Dealings(ctx, id, with)
		return paid{found, all}, err
	})
}

// check compares the contacts with the ledger.
func (k *known) check(env screen.Env) tea.Cmd {
	if len(env.Contacts) == 0 || !env.Online() {
		return nil
	}
	list := env.Contacts
	return k.ask(env, topicCheck, func(ctx context.Context) (any, error) { return k.core.Checker.Check(ctx, list) })
}

// told is what was learned of a contact.
type told struct {
	id ledger.AccountID
	about
}

// learn asks who registered a contact, and whose names are like its.
func (k *known) learn(env screen.Env, c contact.Contact) tea.Cmd {
	if _, known := k.about[c.ID]; c.ID == 0 || known || !env.Online() {
		return nil
	}
	now := k.statuses[c.ID].Account
	if now == nil {
		return nil
	}
	return k.ask(env, topicAbout, func(ctx context.Context) (any, error) {
		out := told{id: c.ID}
		out.registrar, out.fault = k.core.Finder.Named(ctx, now.Registrar.String())
		found, err := k.core.Finder.Find(ctx, c.Name[:min(stem, len(c.Name))], mostAlike)
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

// take takes what was read.
func (k *known) take(env screen.Env, msg screen.Result) {
	switch msg.Topic {
	case topicNotes:
		k.notes, _ = msg.Body.(map[ledger.AccountID]note)
	case topicDealings:
		if p, read := msg.Body.(paid); read && msg.Err == nil {
			k.dealings, k.all = p.with, p.all
		}
	case topicCheck:
		if k.fault = msg.Err; msg.Err == nil {
			k.statuses, _ = msg.Body.(map[ledger.AccountID]contact.Status)
			k.checked = env.Now
		}
	case topicAbout:
		if t, read := msg.Body.(told); read {
			k.about[t.id] = t.about
		}
	}
}

// again reads everything anew.
func (k *known) again(env screen.Env) tea.Cmd {
	clear(k.about)
	k.tasks.Forget(topicCheck)
	k.tasks.Forget(topicDealings)
	return k.read(env)
}

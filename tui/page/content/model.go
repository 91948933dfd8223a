// Package content is the page of content: what is offered, bought and published, what is under way, and how to buy and publish.
//
//	offer ──b──► core builds the purchase ──► review and S, as for every payment ──► it downloads by itself
//	bought ─e──► the key is restored, and the package extracted into a new folder
//	n ──► form ──► review of the most that it can cost, S ──► a task packs, uploads and submits
//
// What is done and how far it is stands in the wallet and on the ledger, not here: the page can be left, and the program killed, at any time.
package content

import (
	"cmp"
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/overlay/ask"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore/content"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// Core is the part of the wallet that the page needs.
type Core interface {
	List(ctx context.Context, which List, by ledgerview.AccountRef, term string) ([]Item, error)
	Buy(ctx context.Context, by ledgerview.AccountRef, uri, region string) (screen.Built, error)
	Withdraw(ctx context.Context, by ledgerview.AccountRef, uri string) (screen.Built, error)
	Fetch(ctx context.Context, uri string) error // downloads the package of what was bought, again
	Extract(ctx context.Context, bought *ledger.Buying, hash ledger.Hash160, quorum uint32, folder string) error
	Tasks() []content.Task  // also those that are over
	Cancel(id string) error // ends a task
	Plan(ctx context.Context, by ledgerview.AccountRef, d Draft) (Plan, error)
}

// Plan is a publication that was checked. Nothing of it is done before Publish.
type Plan interface {
	Review() txbuild.Review // at the most that it can cost
	Publish(ctx context.Context) error
}

const (
	readLimit      = 30 * time.Second // for one reading
	readAgainAfter = 5 * time.Second  // age after which a block makes the page read the list again
)

// The topics of the page's tasks.
const (
	topicRead    = "list"
	topicWork    = "work"
	topicBuild   = "build"
	topicPublish = "publish"
	topicFetch   = "fetch"
	topicTasks   = "tasks"
)

// Model is the page.
type Model struct {
	core  Core
	tasks *screen.Tasks

	which   List
	items   [lists][]Item
	readAt  [lists]time.Time
	faults  [lists]error
	account ledger.AccountID // whose lists they are
	cursors [lists]list.Cursor
	whole   bool // the detail alone, on the whole page
	top     int  // its first line on screen

	search field.Field
	typing bool

	form        ask.Work
	publication *ask.Form // what was typed to publish, until it is published; nil: nothing
	doneText    string    // what the toast says once the form's work is done
	plan        Plan      // under review; nil: none
	review      review.Page
	watch       Watch
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, search: field.New(""), form: ask.Work{Tasks: tasks, Topic: topicWork}}
}

// Resume implements screen.Resumer: what was typed stays; a publication under review has to be reviewed again.
func (m *Model) Resume(was screen.Screen) {
	if before, is := was.(*Model); is {
		m.which = before.which
		m.search.Set(before.search.Value())
		m.publication, m.watch = before.publication, before.watch
		if before.plan == nil {
			m.form.Resume(before.form)
		}
	}
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string { return cmp.Or(m.form.Unsaved(), m.publication.Unsaved()) }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	if m.plan != nil {
		return "Content › Review"
	}
	return "Content › " + m.which.String()
}

// Asking implements ask.Asker.
func (m *Model) Asking() *ask.Form {
	if m.plan != nil { // its review is in front
		return nil
	}
	return m.form.Form
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.plan != nil && m.review.Typing():
		return "content.review.type", screen.TYPE
	case m.plan != nil:
		return "content.review", screen.MODAL
	case m.form.Form != nil:
		return m.form.Form.Place()
	case m.typing:
		return "content.type", screen.TYPE
	}
	return "content", screen.KEYS
}

func (m *Model) rows() []Item { return m.items[m.which] }

func (m *Model) cursor() *list.Cursor { return &m.cursors[m.which] }

// focused returns the item in focus.
func (m *Model) focused() (Item, bool) {
	at := m.cursor().At
	if at >= len(m.rows()) {
		return Item{}, false
	}
	return m.rows()[at], true
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	i, there := m.focused()
	if !there {
		return nil
	}
	var out []screen.Value
	if i.Title != "" {
		out = append(out, screen.Value{Name: "Title", Text: i.Title})
	}
	if i.URI != "" {
		out = append(out, screen.Value{Name: "Address", Text: i.URI})
	}
	if i.Hash != (ledger.Hash160{}) {
		out = append(out, screen.Value{Name: "Package", Text: i.Hash.String()})
	}
	if i.Author.Name != "" {
		out = append(out, screen.Value{Name: "Author", Text: i.Author.Name}, screen.Value{Name: "Author, id", Text: i.Author.ID.String()})
	}
	if i.Task != "" {
		out = append(out, screen.Value{Name: "Task", Text: i.Task})
	}
	return out
}

// Call implements screen.Caller.
func (m *Model) Call(screen.Env) string {
	i, there := m.focused()
	switch {
	case !there:
		return ""
	case i.URI == "":
		return "list_content_tasks"
	}
	return "get_content " + i.URI
}

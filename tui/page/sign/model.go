// Package sign is the page of what several have to sign: the proposals that the wallet's accounts
// have a say in, and transactions that travel as files.
//
//	list ──a, d──► core builds the approval ──► review and S, as of every payment
//	     ──f─────► a file is read ──► its review, S adds signatures and writes a new file
//
// It promises that what a proposal or a file does is shown as a review shows it, from the operations
// themselves, and that nothing is signed but by S in a review.
package sign

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore/proposal"
)

const (
	askLimit = 30 * time.Second // how long one reading may take
	stale    = 15 * time.Second // after which a block has the proposals read again
)

// The panels that can have the focus, in reading order.
const (
	panelList = iota
	panelDetail
	panels
)

// The topics of the page's tasks.
const (
	topicRead  = "proposals"
	topicBuild = "approval"
	topicFile  = "file"
	topicSign  = "signed file"
)

// Model is the page.
type Model struct {
	core  Core
	tasks *screen.Tasks

	all   []proposal.Proposal
	since time.Time // when they were read; zero: not yet
	fault error

	focus  int
	at     list.Cursor
	top    int  // first line of the detail on screen
	newest bool // the newest in front; else those that end first
	tree   bool // who acts for accounts is shown as well
	asJSON bool
	filter field.Field
	typing typing
	note   string // why nothing was built
	path   field.Field
	file   *opened // a file is shown instead of the proposals
}

// typing is which field has the keyboard.
type typing int

const (
	nowhere typing = iota
	inFilter
	inPath
)

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, filter: field.New(""), path: field.New("")}
}

// Resume implements screen.Resumer: the name of a file stays typed, also that of one that was open. It is read again, and
// confirmed again, before anything is signed.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	m.path.Set(before.path.Value())
	if before.file != nil {
		m.path.Set(before.file.Path)
	}
	if before.file != nil || before.typing == inPath {
		m.typing = inPath
	}
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	if m.file != nil {
		return "Sign › File"
	}
	if p, there := m.current(); there {
		return "Sign › " + p.ID.String()
	}
	return "Sign"
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.typing == inFilter:
		return "sign.type", screen.TYPE
	case m.typing == inPath:
		return "sign.path", screen.TYPE
	case m.file != nil && m.file.page.Typing():
		return "sign.file.type", screen.TYPE
	case m.file != nil:
		return "sign.file", screen.MODAL
	}
	return "sign", screen.KEYS
}

// shown are the proposals that the filter lets through, in their order.
func (m *Model) shown() []proposal.Proposal {
	out := make([]proposal.Proposal, 0, len(m.all))
	words := strings.Fields(strings.ToLower(m.filter.Value()))
	for _, p := range m.all {
		if matches(p, words) {
			out = append(out, p)
		}
	}
	if m.newest {
		sortNewest(out)
	}
	return out
}

// matches reports whether all words stand in what a row says.
func matches(p proposal.Proposal, words []string) bool {
	var text strings.Builder
	text.WriteString(p.ID.String())
	for _, n := range p.Needs {
		text.WriteString(" " + format.Account(n.Account).String())
	}
	for _, op := range p.Operations {
		text.WriteString(" " + op.Operation + " " + op.Sentence)
	}
	said := strings.ToLower(text.String())
	for _, w := range words {
		if !strings.Contains(said, w) {
			return false
		}
	}
	return true
}

// current is the proposal in focus.
func (m *Model) current() (proposal.Proposal, bool) {
	rows := m.shown()
	if m.at.At >= len(rows) {
		return proposal.Proposal{}, false
	}
	return rows[m.at.At], true
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	if m.file != nil {
		return []screen.Value{{Name: "File", Text: m.file.Path}, {Name: "Tx id", Text: m.file.Holds.ID.String()}}
	}
	p, there := m.current()
	if !there {
		return nil
	}
	out := []screen.Value{{Name: "Proposal id", Text: p.ID.String()}}
	for _, n := range p.Needs {
		out = append(out, screen.Value{Name: "Needs", Text: n.Account.Name}, screen.Value{Name: "Needs, id", Text: n.Account.ID.String()})
	}
	for _, op := range p.Operations {
		out = append(out, screen.Value{Name: "Sentence", Text: op.Sentence}, screen.Value{Name: "JSON", Text: op.JSON})
	}
	return out[:min(len(out), 7)]
}

// sortNewest puts the newest in front.
func sortNewest(all []proposal.Proposal) {
	slices.SortFunc(all, func(a, b proposal.Proposal) int { return cmp.Compare(b.ID, a.ID) })
}

// Call implements screen.Caller: the proposals of the account in focus.
func (m *Model) Call(env screen.Env) string {
	if env.Account.Name == "" {
		return ""
	}
	return "get_proposed_transactions " + env.Account.Name
}

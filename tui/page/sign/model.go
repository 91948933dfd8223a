// Package sign is the page of what several have to sign: the proposals that need the wallet's
// accounts, and transactions in files.
//
//	list ──a, d──► core builds the approval ──► review and S, as for every payment
//	     ──f─────► a file is read ──► its review, S adds signatures and writes a new file
//
// It promises that what a proposal or a file does is shown as a review shows it, from the operations
// themselves, and that only S in a review signs anything.
package sign

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore/cosign"
	"billfold/walletcore/event"
	"billfold/walletcore/proposal"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
)

// Reader reads proposals.
type Reader interface {
	Own(ctx context.Context) ([]proposal.Proposal, error)
}

// Approver builds changes to the approvals of a proposal.
type Approver interface {
	Approve(ctx context.Context, req txbuild.ApproveProposalParams) (screen.Built, error)
}

// Files reads, signs and sends transactions in files.
type Files interface {
	Open(ctx context.Context, path string) (File, error)
	Sign(ctx context.Context, f File) (signed File, err error) // writes a new file next to f
	Built(f File) screen.Built                                 // sends the transaction as it is signed
}

// File is a transaction file as it was read.
type File struct {
	Path   string
	Text   *cosign.File
	Holds  cosign.Inspection
	Review txbuild.Review // of the bytes in the file, with the keys of this wallet that would sign
	Plan   cosign.Plan
	Off    string // why this wallet cannot sign it; empty if it can
}

// Core holds what the page needs of the wallet.
type Core struct {
	Reader   Reader
	Approver Approver
	Files    Files
}

const (
	readLimit      = 30 * time.Second // for one reading
	readAgainAfter = 15 * time.Second // age after which a block makes the page read the proposals again
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

	proposals []proposal.Proposal
	readAt    time.Time // when they were read; zero: not yet
	fault     error

	focus    int
	cursor   list.Cursor
	scrolled int  // first line of the detail on screen
	newest   bool // the order is newest first, else what ends first
	tree     bool // who can act for accounts is shown as well
	asJSON   bool
	filter   field.Field
	typing   typing
	note     string // why nothing was built or opened
	path     field.Field
	file     *fileReview // shown instead of the proposals; nil: none
}

// typing is the field that has the keyboard.
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

// Resume implements screen.Resumer: the name of a file stays typed, even if the file was open. The file must be opened and
// confirmed again before anything is signed.
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
	if p, there := m.focused(); there {
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

// filtered returns the proposals that match the filter, in the chosen order.
func (m *Model) filtered() []proposal.Proposal {
	out := make([]proposal.Proposal, 0, len(m.proposals))
	words := strings.Fields(strings.ToLower(m.filter.Value()))
	for _, p := range m.proposals {
		if matches(p, words) {
			out = append(out, p)
		}
	}
	if m.newest {
		sortNewest(out)
	}
	return out
}

// matches reports whether a proposal contains all words.
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

// focused returns the proposal in focus.
func (m *Model) focused() (proposal.Proposal, bool) {
	rows := m.filtered()
	if m.cursor.At >= len(rows) {
		return proposal.Proposal{}, false
	}
	return rows[m.cursor.At], true
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	if m.file != nil {
		return []screen.Value{{Name: "File", Text: m.file.Path}, {Name: "Tx id", Text: m.file.Holds.ID.String()}}
	}
	p, there := m.focused()
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

// sortNewest sorts proposals newest first.
func sortNewest(all []proposal.Proposal) {
	slices.SortFunc(all, func(a, b proposal.Proposal) int { return cmp.Compare(b.ID, a.ID) })
}

// Call implements screen.Caller: the operation reads the proposals of the account in focus.
func (m *Model) Call(env screen.Env) string {
	if env.Account.Name == "" {
		return ""
	}
	return "get_proposed_transactions " + env.Account.Name
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Text:
		return m.typeKey(env, msg.Key)
	case screen.Click:
		m.click(msg)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		m.note = ""
		return m.readProposals(env)
	case event.Event:
		if msg.Kind == event.Block && env.Now.Sub(m.readAt) < readAgainAfter {
			return nil
		}
		return m.readProposals(env)
	}
	return nil
}

// typeKey types a key into the field that has the keyboard.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	switch {
	case m.typing == inPath:
		m.path.Key(k)
	case m.typing == inFilter && m.filter.Key(k):
		m.cursor.Jump(0, len(m.proposals))
	case m.file != nil:
		return m.file.page.Text(env, k)
	}
	return nil
}

func (m *Model) click(c screen.Click) {
	if m.file != nil {
		return
	}
	m.typing, m.focus = nowhere, c.Panel
	if c.At >= 0 && c.Panel == panelList {
		m.cursor.Jump(c.At, len(m.filtered()))
		m.scrolled = 0
	}
}

// Package console is the page on which every operation of the wallet can be typed. Operations that
// spend are shown for approval first, in the same pop-up as those that programs ask for.
package console

import (
	"context"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/field"
	"billfold/walletcore/approval"
	"billfold/walletcore/txbuild"
)

// Approver asks a person whether what r shows may be signed. Any error means that it may not.
type Approver func(ctx context.Context, method string, r txbuild.Review) error

// Result is the answer of an operation.
type Result struct {
	Text   string // for people: a table, if the operation has one
	JSON   string
	Secret bool // it holds private keys: a copy is removed from the clipboard again
}

// Param is a parameter of an operation.
type Param struct {
	Name, Type string
	Optional   bool
}

// Card describes the operation that is being typed. The zero value: the line names none.
type Card struct {
	Method, Help string
	Params       []Param
	At           int // the parameter that is being typed
	Tags         []string
}

// Runner executes lines.
type Runner interface {
	Run(ctx context.Context, line string, ask Approver) (Result, error)

	// Operations returns what a line would sign, so that others can sign it. It fails also if others cannot sign it.
	Operations(ctx context.Context, line string) ([]ledger.Operation, error)
}

// Reader parses lines, whole or half typed. It executes nothing.
type Reader interface {
	Complete(ctx context.Context, line string) []string // whole lines that this one can be completed to
	Describe(line string) Card
	Request(line string) string // the JSON-RPC request of the same call; empty while the line is not complete
}

// Censor knows which parts of a line are secret.
type Censor interface {
	Keeps(line string) bool   // the line may be kept for recall: it holds no secret
	Secret(line string) int   // offset in bytes of the first secret; the length of the line if it holds none
	Reveals(line string) bool // the answer holds private keys
}

// ForOthers builds operations for others to sign; what it returns is a screen.Unsigned.
type ForOthers interface {
	BuildForOthers(ctx context.Context, ops []ledger.Operation) (screen.Built, error)
}

// FormField is a parameter in a form.
type FormField struct {
	Param
	Help   string
	Secret bool
	Value  string // as far as it is typed
	Needed bool   // it must not be left empty
}

// Form is an operation as a form.
type Form struct {
	Method, Help string
	Fields       []FormField
}

// Forms shows every operation as a form.
type Forms interface {
	Form(line string) (Form, bool)                                          // of the operation that a line begins with
	Line(method string, values []string) string                             // that a filled form amounts to
	RunForm(ctx context.Context, line string, ask Approver) (Result, error) // which may hold secrets
}

// Core holds what the page needs.
type Core struct {
	Runner    Runner
	Reader    Reader
	Censor    Censor
	Forms     Forms
	Approvals *approval.Queue // where operations that spend wait for approval
	ForOthers ForOthers
	Endpoint  func() Endpoint // the HTTP listener; its URL is empty while it is off
}

const (
	runLimit      = 3 * time.Minute // without the time for which a line waits for its approval
	completeLimit = 3 * time.Second
	maxLines      = 200 // lines and results that are kept
	foldedRows    = 12  // rows shown of a result that is not expanded
)

// panelLine is the panel of a click on the input line; results are panel 0.
const panelLine = 1

// run is a line that was run.
type run struct {
	line    string
	started time.Time
	took    time.Duration
	running bool
	expand  bool
	result  Result
	err     error
}

// draft is a line that was typed and not run; the zero value is none.
type draft struct {
	line   string
	values []string // of its form; nil: it was typed as a line
}

// Model is the page.
type Model struct {
	core  Core
	tasks *screen.Tasks

	input       field.Field
	typing      bool
	runs        []run // the oldest first
	focus       int   // the run in focus
	scroll      int   // rows of it scrolled out at the top, if it is longer than the screen
	asJSON      bool
	completions []string // whole lines that the typed one can be completed to

	form       *ask.Form // nil: none is open
	operation  Form
	revealLine string // the line that the form asks the password for; empty if the form is that of an operation

	history   []string // lines that can be recalled, the oldest first
	historyAt int      // index into history; its length while nothing is recalled
	typedLine string   // what was typed before a line was recalled

	saved         draft // what was typed before a lock
	keyPressed    bool  // a key was pressed since the latest line was run
	ranBeforeLock bool  // a line from before a lock still runs: its end is reported only if the lock prevented it
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, input: field.New(""), typing: true}
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "Console" }

// Asking implements ask.Asker.
func (m *Model) Asking() *ask.Form { return m.form }

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	if m.form != nil {
		return m.form.Place()
	}
	if m.typing {
		return "console.type", screen.TYPE
	}
	return "console", screen.KEYS
}

// busy reports whether a line is being run.
func (m *Model) busy() bool { return len(m.runs) > 0 && m.runs[len(m.runs)-1].running }

// line returns what is typed, trimmed.
func (m *Model) line() string { return strings.TrimSpace(m.input.Value()) }

// shown returns a line as it may be displayed: dots stand for everything from its first secret on.
func (m *Model) shown(line string) string {
	if at := m.core.Censor.Secret(line); at < len(line) {
		return line[:at] + strings.Repeat(theme.SignDots, 6)
	}
	return line
}

// curl returns the typed call as a shell command without its secrets, or why there is none. Both are empty while the line is not
// complete.
func (m *Model) curl() (command, why string) {
	body, endpoint := m.core.Reader.Request(m.shown(m.line())), m.core.Endpoint()
	switch {
	case body == "":
		return "", ""
	case endpoint.URL == "":
		return "", "as curl: no HTTP listener is on (- opens one)"
	}
	return endpoint.Curl(body), ""
}

// Endpoint is the listener that a shell's call goes to.
type Endpoint struct {
	URL   string
	Token bool // it refuses calls without a token
}

// Curl returns the shell command that posts a JSON-RPC body. If a token is needed, the command reads it from $TOKEN, so that the
// token is never on screen or in the clipboard.
func (d Endpoint) Curl(body string) string {
	quoted, token := strings.ReplaceAll(body, "'", `'\''`), ""
	if d.Token {
		token = ` -H "Authorization: Bearer $TOKEN"`
	}
	return "curl -s " + d.URL + token + " -H 'Content-Type: application/json' -d '" + quoted + "'"
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	if m.focus >= len(m.runs) {
		return nil
	}
	r := m.runs[m.focus]
	out := []screen.Value{{Name: "Line", Text: r.line}}
	if r.result.JSON != "" {
		out = append(out, screen.Value{Name: "Result", Text: strings.TrimSpace(r.result.JSON), Private: r.result.Secret})
	}
	return out
}

// recall puts an older or newer line into the field.
func (m *Model) recall(by int) {
	to := m.historyAt + by
	if to < 0 || to > len(m.history) || len(m.history) == 0 {
		return
	}
	if m.historyAt == len(m.history) {
		m.typedLine = m.input.Value()
	}
	if m.historyAt = to; to == len(m.history) {
		m.input.Set(m.typedLine)
		return
	}
	m.input.Set(m.history[to])
}

// search puts the next older line that contains what was typed into the field.
func (m *Model) search() {
	if m.historyAt == len(m.history) {
		m.typedLine = m.input.Value()
	}
	for i := m.historyAt - 1; i >= 0; i-- {
		if strings.Contains(m.history[i], m.typedLine) {
			m.historyAt = i
			m.input.Set(m.history[i])
			return
		}
	}
}

// remember keeps a line for recall, unless it holds a secret.
func (m *Model) remember(line string) {
	if m.core.Censor.Keeps(line) {
		m.history = append(slices.DeleteFunc(m.history, func(old string) bool { return old == line }), line)
		m.history = m.history[max(len(m.history)-maxLines, 0):]
	}
	m.historyAt, m.typedLine = len(m.history), ""
}

// Call implements screen.Caller: the line of the run in focus.
func (m *Model) Call(screen.Env) string {
	if m.focus >= len(m.runs) || !m.core.Censor.Keeps(m.runs[m.focus].line) {
		return ""
	}
	return m.runs[m.focus].line
}

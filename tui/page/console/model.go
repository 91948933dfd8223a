// Package console is the page on which every operation of the wallet can be typed. What spends is
// shown for approval first, in the same pop-up as what programs ask for.
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
	"billfold/walletcore/build"
)

// Approver asks a person whether what r shows may be signed; its error is a no.
type Approver func(ctx context.Context, method string, r build.Review) error

// Result is what an operation answered.
type Result struct {
	Text   string // for people: a table, where the operation has one
	JSON   string
	Secret bool // it holds keys: copied, it leaves the clipboard again
}

// Param is a parameter of an operation.
type Param struct {
	Name, Type string
	Optional   bool
}

// Card describes the operation that is being typed. The zero value is none.
type Card struct {
	Method, Help string
	Params       []Param
	At           int // the parameter in turn
	Tags         []string
}

// Runner executes lines.
type Runner interface {
	Run(ctx context.Context, line string, ask Approver) (Result, error)

	// Operations are what a line would sign, for others to sign. Error: also where that is not for others.
	Operations(ctx context.Context, line string) ([]ledger.Operation, error)
}

// Reader understands lines, whole or half typed. Nothing happens by it.
type Reader interface {
	Complete(ctx context.Context, line string) []string // whole lines that this one may become
	Describe(line string) Card
	Request(line string) string // the JSON-RPC request of the same call; empty while the line is not whole
}

// Censor knows what of lines nobody may see.
type Censor interface {
	Keeps(line string) bool   // it may be recalled: it holds no secret
	Secret(line string) int   // where what is secret in it begins, in bytes; its length: nothing is
	Reveals(line string) bool // it answers with private keys
}

// Others has operations signed by others; what it returns is a screen.Unsigned.
type Others interface {
	Others(ctx context.Context, ops []ledger.Operation) (screen.Built, error)
}

// FormField is a parameter in a form.
type FormField struct {
	Param
	Help   string
	Secret bool
	Value  string // as far as it is typed
	Needed bool   // it says nothing when it is left empty
}

// Form is an operation as a form.
type Form struct {
	Method, Help string
	Fields       []FormField
}

// Forms make a form of every operation.
type Forms interface {
	Form(line string) (Form, bool)                                          // of the operation that a line begins with
	Line(method string, values []string) string                             // of a filled form
	RunForm(ctx context.Context, line string, ask Approver) (Result, error) // which may hold secrets
}

// Core is what the page needs.
type Core struct {
	Runner    Runner
	Reader    Reader
	Censor    Censor
	Forms     Forms
	Approvals *approval.Queue // where spends wait for a yes
	Others    Others
	Endpoint  func() Endpoint // the HTTP listener; without an address while it is off
}

const (
	runLimit      = 3 * time.Minute // a spend waits for a person, too
	completeLimit = 3 * time.Second
	mostLines     = 200 // lines that are recalled, and results that are kept
	folded        = 12  // rows of a result that is not expanded
)

// panelLine is what a click on the line says; one on a result says 0.
const panelLine = 1

// run is a line that was run.
type run struct {
	line    string
	begun   time.Time
	took    time.Duration
	running bool
	expand  bool
	result  Result
	err     error
}

// draft is a line that was typed and not run; the zero value is none.
type draft struct {
	line   string
	values []string // of its form; nil: it stood in the line
}

// Model is the page.
type Model struct {
	core  Core
	tasks *screen.Tasks

	input   field.Field
	typing  bool
	runs    []run // the oldest first
	at      int   // the run in focus
	scroll  int   // rows of it above the screen, where it is longer
	asJSON  bool
	offered []string // what the line may become

	form    *ask.Form // nil: none is open
	of      Form
	reveals string // the line that the form asks the password for; empty: the form is that of an operation

	recalled []string
	turn     int    // in recalled; its length while nothing is recalled
	begun    string // what was typed before something was recalled

	kept    draft // what was typed before a lock
	stirred bool  // something was pressed since the latest line was run
	cut     bool  // a line of before a lock still runs: of its end it is only said that the lock was in its way
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

// line is what is typed.
func (m *Model) line() string { return strings.TrimSpace(m.input.Value()) }

// shown is a line as it may be seen: what is secret in it are dots.
func (m *Model) shown(line string) string {
	if at := m.core.Censor.Secret(line); at < len(line) {
		return line[:at] + strings.Repeat(theme.SignDots, 6)
	}
	return line
}

// curl is the same call for a shell, without what is secret; why not, where it cannot be made.
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

// Endpoint is the listener that a call for a shell goes to.
type Endpoint struct {
	URL   string
	Token bool // it turns away who shows no token
}

// Curl is a call of a JSON-RPC body for a shell. Where a token is needed, it stands for it in $TOKEN, which the shell puts in:
// the token itself is on no screen and in no clipboard.
func (d Endpoint) Curl(body string) string {
	quoted, token := strings.ReplaceAll(body, "'", `'\''`), ""
	if d.Token {
		token = ` -H "Authorization: Bearer $TOKEN"`
	}
	return "curl -s " + d.URL + token + " -H 'Content-Type: application/json' -d '" + quoted + "'"
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	if m.at >= len(m.runs) {
		return nil
	}
	r := m.runs[m.at]
	out := []screen.Value{{Name: "Line", Text: r.line}}
	if r.result.JSON != "" {
		out = append(out, screen.Value{Name: "Result", Text: strings.TrimSpace(r.result.JSON), Private: r.result.Secret})
	}
	return out
}

// recall puts an older or newer line into the field.
func (m *Model) recall(by int) {
	to := m.turn + by
	if to < 0 || to > len(m.recalled) || len(m.recalled) == 0 {
		return
	}
	if m.turn == len(m.recalled) {
		m.begun = m.input.Value()
	}
	if m.turn = to; to == len(m.recalled) {
		m.input.Set(m.begun)
		return
	}
	m.input.Set(m.recalled[to])
}

// search puts the next older line into the field that has what was typed.
func (m *Model) search() {
	if m.turn == len(m.recalled) {
		m.begun = m.input.Value()
	}
	for i := m.turn - 1; i >= 0; i-- {
		if strings.Contains(m.recalled[i], m.begun) {
			m.turn = i
			m.input.Set(m.recalled[i])
			return
		}
	}
}

// remember keeps a line for recalling.
func (m *Model) remember(line string) {
	if m.core.Censor.Keeps(line) {
		m.recalled = append(slices.DeleteFunc(m.recalled, func(old string) bool { return old == line }), line)
		m.recalled = m.recalled[max(len(m.recalled)-mostLines, 0):]
	}
	m.turn, m.begun = len(m.recalled), ""
}

// Call implements screen.Caller: the line in focus.
func (m *Model) Call(screen.Env) string {
	if m.at >= len(m.runs) || !m.core.Censor.Keeps(m.runs[m.at].line) {
		return ""
	}
	return m.runs[m.at].line
}

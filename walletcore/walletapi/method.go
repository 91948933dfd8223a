package walletapi

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"billfold/walletcore"
	"billfold/walletcore/handle"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// Method describes one wallet operation. The constructors of declare.go make it
// from a struct of parameters, a function and a doc; nobody else does.
type Method struct {
	Name        string
	Group       string // heading in help and docs
	Params      []Param
	Result      string   // the result in words, made from its type
	Help        string   // one sentence
	Examples    []string // parameters as typed in a shell
	NeedsUnlock bool     // fails with fault.Locked while the wallet is locked; a call restarts the auto-lock timer
	Pace        Pace     // how it spends its time
	Secret      bool     // parameters or result must never be logged or kept in a history
	Touches     Touches  // what it does
	Question    Question // what a person is asked about an operation that touches keys or the password
	Reach       Reach    // how far into the wallet it reaches
	Background  bool     // signs later what was approved at the call, so it cannot be only signed, tried or exported
	Nests       bool     // executes other operations for its caller
	InOrder     bool     // changes or shows what later calls of its caller work with: it takes its turn on a connection

	params paramPlan
	result reflect.Type
	handle func(ctx context.Context, w *Core, p Params) (json.RawMessage, error)
}

// Core holds the wallet that operations work on, and the parts of the program beside it.
type Core struct {
	*walletcore.Wallet
	Versions ledgerview.Versions // what the operation about returns for this program
	Deposits Deposits            // nil in a program that keeps no deposit cursors

	table *table
	// document returns what rpc.discover answers. It is made once: it is large and takes milliseconds.
	document func() (documentJSON, error)
	handles  handle.Own // of the caller; set only by forCall
}

// forCall returns a copy of the core with the handles of the caller.
func (w *Core) forCall(p Params) *Core {
	own := *w
	own.handles = w.Building.Of(p.Token)
	return &own
}

// Params holds the parameters of a call, by position or by name. After parameters
// by position, only those that have no position may be given by name.
type Params struct {
	Positional []json.RawMessage
	Named      map[string]json.RawMessage
	Exact      bool // more parameters than the method has are an error; the reference ignores them

	// The server sets the fields below, never the client.

	// Token is the id of the calling token; "" is the person, or a program that needs no token.
	Token string
	// Judge decides about what was built, before anybody is asked and anything is signed or handed
	// out: it enforces a token's limits. nil = no limits apply.
	Judge txbuild.Judge
	// Approve is asked before a call signs anything; nil = nobody needs to be asked.
	Approve txbuild.Approver
	// Begin is called before an operation that touches more than reads, writes or the
	// lock, once its parameters fit and the wallet is unlocked. If it returns an error,
	// the call fails with that. nil = nothing to call.
	Begin func(ctx context.Context, q Question) error
	// AnyFolder is true for the owner at the console of the wallet's own process, who may name any folder of this machine; everybody else
	// only those below the operator's.
	AnyFolder bool
	// Guarded is true if a policy or an authentication stands between the wallet and
	// the caller: changing the password then takes the old one.
	Guarded bool
	// Nested executes the operations of a command file; nil = command files are refused.
	Nested Nested
	// Events is the connection that subscribe applies to; nil if there is none.
	Events Subscriber

	bound *bound // set by Bind
}

// Nested executes an operation on behalf of another one, as if the caller had called it directly:
// tokens, policies, approval and audit apply to it.
type Nested func(ctx context.Context, method string, params Params) (json.RawMessage, error)

// bound holds a call's converted parameters.
type bound struct {
	method *Method
	value  reflect.Value // the operation's struct of parameters, addressable

	secrets []string // the texts among them that wipe overwrites
}

// Usage returns how the method is called: its name and the names of its positional
// parameters, the optional ones in brackets.
func (m *Method) Usage() string {
	var b strings.Builder
	b.WriteString(m.Name)
	for _, p := range m.Params {
		name := strings.ToUpper(p.Name)
		switch {
		case p.ByNameOnly:
			continue
		case p.Optional:
			name = "[" + name + "]"
		}
		b.WriteString(" " + name)
	}
	return b.String()
}

// Does reports whether the operation touches one of kinds.
func (m *Method) Does(kinds Touches) bool { return m.touches().Has(kinds) }

// DoesOnly reports whether the operation touches nothing but kinds.
func (m *Method) DoesOnly(kinds Touches) bool { return m.touches().Within(kinds) }

// Changes reports whether the operation leaves something changed, signed or sent that its answer tells of. One that only shows, such as
// dump_private_keys or restore_encryption_key, changes nothing.
func (m *Method) Changes() bool {
	shows := m.result != nil && (m.result.Implements(wiping) || reflect.PointerTo(m.result).Implements(wiping))
	return !m.DoesOnly(Reads) && !(shows && m.DoesOnly(Keys|Writes|Reads))
}

var wiping = reflect.TypeFor[wiper]()

// touches returns what is declared; an operation that declares nothing touches everything.
func (m *Method) touches() Touches {
	if m.Touches == 0 {
		return everything
	}
	return m.Touches
}

// Pace is the time behaviour of an operation; a server allots its places for calls by it.
type Pace int

// The paces.
const (
	PaceUsual   Pace = iota
	PaceInstant      // answers from memory: waits for no daemon, disk or key stretching
	PaceUrgent       // must not wait for other calls
	PaceWaits        // waits for something to happen, and costs nothing meanwhile
)

// table holds every operation, in the order of help.
type table struct {
	methods []*Method
	byName  map[string]*Method
}

func newTable(methods []*Method) *table {
	t := &table{methods: methods, byName: make(map[string]*Method, len(methods))}
	for _, m := range methods {
		t.byName[m.Name] = m
	}
	return t
}

// names returns the names of all operations.
func (t *table) names() []string {
	names := make([]string, len(t.methods))
	for i, m := range t.methods {
		names[i] = m.Name
	}
	return names
}

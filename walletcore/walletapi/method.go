package walletapi

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"billfold/walletcore"
	"billfold/walletcore/build"
	"billfold/walletcore/handle"
	"billfold/walletcore/ledgerview"
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
	NeedsUnlock bool     // fault.Locked while the wallet is locked; a call is use of the wallet, which keeps it open
	Pace        Pace     // how it spends its time
	Secret      bool     // parameters or result must never be logged or kept in a history
	Touches     Touches  // what it does
	Question    Question // what a person is asked about an operation that touches keys or the password
	Reach       Reach    // how far into the wallet it reaches
	Nests       bool     // it executes other operations for its caller
	Absent      bool     // declared, but not in this build: it always fails

	params paramPlan
	result reflect.Type
	handle func(ctx context.Context, w *Core, p Params) (json.RawMessage, error)
}

// Core is what operations work on: the wallet, and the parts beside it.
type Core struct {
	*walletcore.Wallet
	Versions ledgerview.Versions // what about answers for this program
	Deposits Deposits            // nil where nobody keeps their cursors

	table   *table
	handles handle.Own // of the caller; only where an operation or a spend may use it
}

// of returns the core for one call.
func (w *Core) of(p Params) *Core {
	own := *w
	own.handles = w.Build.Handles.Of(p.Token)
	return &own
}

// Params are the parameters of a call: by position or by name; behind those by
// position, only such stand by name as have no position.
type Params struct {
	Positional []json.RawMessage
	Named      map[string]json.RawMessage
	Exact      bool // more parameters than the method has are an error; the reference ignores them

	// What follows is the server's, not the client's.

	// Token is the id of the token that calls; "" is the person, or a program where no tokens are asked for.
	Token string
	// Judge decides about what was built before anybody is asked and anything is signed or given
	// away: a token's limits; nil = there are none to be held to it.
	Judge build.Judge
	// Approve is asked before a call signs anything; nil = nobody needs to be asked.
	Approve build.Approver
	// Begin is called before an operation that touches more than reads, writes or
	// the lock does anything, once its parameters fit and the wallet is open; its
	// error is the call's. nil = nothing stands between.
	Begin func(ctx context.Context, q Question) error
	// Guarded says that a policy or an authentication stands between: a password is
	// changed by whoever gives the old one.
	Guarded bool
	// Nested executes operations that a command file asks for; nil = none can be.
	Nested Nested
	// Events is the connection that subscribe is about; nil where there is none.
	Events Subscriber

	bound *bound // set by Bind
}

// Nested executes an operation that another one asks for, as if the caller had called it itself:
// tokens, policies, approval and audit hold for it.
type Nested func(ctx context.Context, method string, params Params) (json.RawMessage, error)

// bound is a call's parameters, converted: a pointer to the operation's struct.
type bound struct {
	method *Method
	value  reflect.Value // the struct, addressable
}

// Usage is how the method is called: its name and the names of its parameters,
// those that may be left out in brackets.
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

// touches is the declaration; what is not declared touches everything.
func (m *Method) touches() Touches {
	if m.Touches == 0 {
		return everything
	}
	return m.Touches
}

// Pace says how an operation spends its time; a server shares out its places by it.
type Pace int

// The paces.
const (
	PaceUsual   Pace = iota
	PaceInstant      // answers from memory: no daemon, disk or key stretching is waited for
	PaceUrgent       // must not wait for other calls
	PaceWaits        // waits for something to happen, and costs nothing meanwhile
)

// table is every operation, in the order of help.
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

// names lists the operations.
func (t *table) names() []string {
	names := make([]string, len(t.methods))
	for i, m := range t.methods {
		names[i] = m.Name
	}
	return names
}

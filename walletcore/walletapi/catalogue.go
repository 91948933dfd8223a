package walletapi

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"billfold/ledger/codec"
	"billfold/walletcore"
	"billfold/walletcore/fault"
)

// Method declares one wallet operation.
type Method struct {
	Name        string
	Group       string // heading in help and docs
	Params      []Param
	Result      string   // the result in words, with units
	Help        string   // one sentence
	Examples    []string // parameters as typed in a shell
	NeedsUnlock bool     // fault.Locked while the wallet is locked; a call is use of the wallet, which keeps it open
	Pace        Pace     // how it spends its time
	Secret      bool     // parameters or result must never be logged or kept in a history
	Touches     Touches  // what it does; must be declared
	Question    Question // what a person is asked about an operation that touches keys or the password
	Reach       Reach    // how far into the wallet it reaches; must be declared

	handle func(ctx context.Context, w *walletcore.Wallet, c *Catalogue, a args) (any, error)
}

// Param declares one parameter.
type Param struct {
	Name     string
	Kind     Kind
	Help     string // unit or meaning; may be empty
	Secret   bool
	Optional bool // may be left out; only the last ones, and only kinds that have a zero
	Role     Role // what the parameter stands for, where permissions depend on it
}

// Params are the parameters of a call: by position or by name, not both.
type Params struct {
	Positional []json.RawMessage
	Named      map[string]json.RawMessage
	Exact      bool // more parameters than the method has are an error; the reference ignores them

	// What follows is the server's, not the client's.

	// Agree is asked before a call signs anything; nil = nobody needs to be asked.
	Agree walletcore.Agree
	// Begin is called before an operation that touches more than reads, writes or
	// the lock does anything, once its parameters fit and the wallet is open; its
	// error is the call's. nil = nothing stands between.
	Begin func(ctx context.Context, q Question) error
	// Guarded says that a policy or an authentication stands between: a password is
	// changed by whoever gives the old one.
	Guarded bool

	bound *bound // set by Bind
}

// bound are the converted parameters of a method.
type bound struct {
	method string
	values []any // in the table's order
}

// Catalogue executes wallet operations by name. It may be used by many
// goroutines at once.
type Catalogue struct {
	wallet   *walletcore.Wallet
	versions walletcore.Versions
	methods  []Method
	byName   map[string]*Method
}

// New makes the catalogue of w; versions are what about answers for this program.
func New(w *walletcore.Wallet, versions walletcore.Versions) *Catalogue {
	c := &Catalogue{wallet: w, versions: versions, methods: Methods(), byName: map[string]*Method{}}
	for i := range c.methods {
		c.byName[c.methods[i].Name] = &c.methods[i]
	}
	return c
}

// Methods lists the whole table, in the order of help.
func Methods() []Method {
	var all []Method
	for _, group := range [][]Method{generalMethods(), keyMethods(), accountMethods(), transferMethods(), paymentMethods(), assetMethods(), transactionMethods(), depositMethods(), eventMethods(), describingMethods()} {
		all = append(all, group...)
	}
	return all
}

// Find gives a method by name, nil when there is none.
func (c *Catalogue) Find(name string) *Method { return c.byName[name] }

// Pace says how an operation spends its time; a server shares out its places by it.
type Pace int

// The paces.
const (
	PaceUsual   Pace = iota
	PaceInstant      // answers from memory: no daemon, disk or key stretching is waited for
	PaceUrgent       // must not wait for other calls
	PaceWaits        // waits for something to happen, and costs nothing meanwhile
)

// PaceOf gives the pace of an operation; one that does not exist has the usual one.
func (c *Catalogue) PaceOf(name string) Pace {
	if m := c.Find(name); m != nil {
		return m.Pace
	}
	return PaceUsual
}

// Provide gives an operation that the table only declares its handler: args are
// the converted parameters, in the table's order. It is called before the first
// Call.
func (c *Catalogue) Provide(method string, do func(ctx context.Context, args []any) (any, error)) {
	if m := c.Find(method); m != nil {
		m.handle = func(ctx context.Context, _ *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
			return do(ctx, a.values)
		}
	}
}

// Call executes one operation. The result is JSON, null included. Every error
// is a *fault.Error.
func (c *Catalogue) Call(ctx context.Context, method string, params Params) (json.RawMessage, error) {
	m := c.Find(method)
	if m == nil {
		return nil, &fault.Error{Code: fault.UnknownMethod, Op: method,
			Message: "there is no wallet operation " + show(method), Hint: "help lists them all"}
	}
	params, err := m.Bind(params)
	if err != nil {
		return nil, err
	}
	if err := c.begin(ctx, m, params); err != nil {
		return nil, shaped(m.Name, err)
	}
	result, err := m.handle(ctx, c.wallet, c, args{params.bound.values, params.Agree, params.Guarded})
	if err != nil {
		return nil, shaped(m.Name, err)
	}
	if m.NeedsUnlock { // a call that is refused does not keep the wallet open
		c.wallet.Touch()
	}
	out, err := write(result)
	if err != nil {
		return nil, &fault.Error{Code: fault.Internal, Op: m.Name, Message: "the result of " + m.Name + " cannot be written", Err: err}
	}
	return out, nil
}

// secretRoom is room for a key with what stands around it in a result.
const secretRoom = 2 << 10

// write makes JSON of a result. One that is secret is wiped, and written into
// room that need not grow, since growing leaves copies behind.
func write(result any) (json.RawMessage, error) {
	secret, ok := result.(interface{ Wipe() })
	if !ok {
		return codec.Marshal(result)
	}
	defer secret.Wipe()
	room := secretRoom
	if dump, ok := result.(walletcore.KeyDump); ok {
		room *= 1 + len(dump.ECKeys) + len(dump.ElGamalKeys)
	}
	return codec.AppendJSON(make([]byte, 0, room), result)
}

// IsSecret says that parameters or result of an operation are secret.
func (c *Catalogue) IsSecret(name string) bool {
	m := c.Find(name)
	return m != nil && m.Secret
}

// begin calls Begin once nothing else stands against the call.
func (c *Catalogue) begin(ctx context.Context, m *Method, p Params) error {
	if p.Begin == nil || m.DoesOnly(Reads|Writes|Lock) {
		return nil
	}
	if m.NeedsUnlock || m.Does(Password) && !c.wallet.IsNew() {
		if err := c.wallet.CheckOpen(m.Name); err != nil {
			return err
		}
	}
	return p.Begin(ctx, m.question(p.bound.values))
}

// shaped makes sure that what leaves has the core's shape and names the operation.
func shaped(method string, err error) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return &fault.Error{Code: fault.Internal, Op: method, Message: method + " failed", Err: err}
	}
	named := *e
	named.Op = method
	return &named
}

// show quotes text of a caller, shortened and without control characters.
func show(text string) string {
	const most = 60
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}

package walletapi

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"sync"

	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// Catalogue executes wallet operations by name. It is safe for concurrent use.
type Catalogue struct {
	core  *Core
	table *table
}

// New returns the catalogue of the operations on core.
func New(core Core) *Catalogue {
	core.table = newTable(Methods())
	core.document = sync.OnceValues(func() (documentJSON, error) {
		text, err := core.table.openRPC(core.Versions.Version).JSON()
		return documentJSON(text), err
	})
	return &Catalogue{core: &core, table: core.table}
}

// Methods returns the whole table, in the order of help. An operation that is not in
// it cannot be called, described or permitted. The methods are shared and never change.
func Methods() []*Method { return slices.Clone(declared()) }

// declared builds the table once: reading the types of all parameters and results takes
// milliseconds, and each typed line and each token looks up an operation.
var declared = sync.OnceValue(func() []*Method {
	return slices.Concat(
		group("General", slices.Concat(generalMethods(), nodeMethods(), []*Method{fromCommandFile()})),
		group("Wallet and keys", slices.Concat(keyMethods(), walletFileMethods(), pureKeyMethods(), elGamalMethods())),
		group("Accounts", slices.Concat(accountMethods(), accountSearchMethods(), historySearchMethods(), accountChangeMethods())),
		group("Transfers", transferMethods()),
		group("Payments", paymentMethods()),
		group("Payouts", payoutMethods()),
		group("Reconciliation", reconcileMethods()),
		group("Mining and voting", slices.Concat(minerMethods(), minerSpends())),
		group("Assets", slices.Concat(assetMethods(), priceMethods(), assetSpends())),
		group("Non-fungible tokens", slices.Concat(nftMethods(), nftSpends())),
		group("Content", slices.Concat(contentMethods(), purchaseMethods(), seederMethods(), contentKeyMethods(), contentEngineMethods())),
		group("Subscriptions", subscriptionMethods()),
		group("Messages", messageMethods()),
		group("Transactions", slices.Concat(transactionMethods(), builderMethods())),
		group("Proposals", proposalMethods()),
		group("Deposits", depositMethods()),
		group("Events", eventMethods()),
		group("Description", descriptionMethods()),
	)
})

func group(heading string, methods []*Method) []*Method {
	for _, m := range methods {
		m.Group = heading
	}
	return methods
}

// Find returns the method of that name, or nil.
func (c *Catalogue) Find(name string) *Method { return c.table.byName[name] }

// GroupOf returns the heading of an operation; "" if there is no such operation.
func (c *Catalogue) GroupOf(name string) string {
	if m := c.Find(name); m != nil {
		return m.Group
	}
	return ""
}

// PaceOf returns the pace of an operation, PaceUsual if there is none of that name.
func (c *Catalogue) PaceOf(name string) Pace {
	if m := c.Find(name); m != nil {
		return m.Pace
	}
	return PaceUsual
}

// InOrder reports whether an operation takes its turn among the calls of a connection.
func (c *Catalogue) InOrder(name string) bool {
	m := c.Find(name)
	return m != nil && m.InOrder
}

// Spends reports whether an operation may move money or change who controls it.
func (c *Catalogue) Spends(name string) bool {
	m := c.Find(name)
	return m != nil && m.Does(Spends)
}

// IsSecret reports whether the parameters or the result of an operation are secret.
func (c *Catalogue) IsSecret(name string) bool {
	m := c.Find(name)
	return m != nil && m.Secret
}

// Call executes one operation. The result is JSON, null included. Every error
// is a *fault.Error.
func (c *Catalogue) Call(ctx context.Context, method string, params Params) (json.RawMessage, error) {
	m := c.Find(method)
	if m == nil {
		return nil, c.table.noSuchMethod(fault.UnknownMethod, method, method)
	}
	own := params.bound == nil // else they are the caller's, who may call again with them
	sent := params
	params, err := m.Bind(params)
	if err != nil {
		return nil, refusal(m, sent, err)
	}
	if own {
		defer params.Wipe()
	}
	if err := c.checkCall(ctx, m, params); err != nil {
		return nil, asFault(m.Name, refusal(m, params, err))
	}
	out, err := m.handle(ctx, c.core, params)
	if err != nil { // what a payment says of its key stays
		return nil, asFault(m.Name, refusal(m, params, err))
	}
	if m.NeedsUnlock { // a call that fails does not keep the wallet open
		c.core.Vault.Touch()
	}
	return out, nil
}

// checkCall runs the checks before every operation: first the lock, and only then
// Begin, so that nobody is asked about a call that would fail anyway. A payment that was made under its request key needs no lock to be open.
func (c *Catalogue) checkCall(ctx context.Context, m *Method, p Params) error {
	callsBegin := p.Begin != nil && !m.DoesOnly(Reads|Writes|Lock)
	if m.NeedsUnlock || callsBegin && m.Does(Password) && !c.core.Vault.IsNew() {
		if err := c.core.Vault.CheckOpen(m.Name); err != nil && !(m.paysUnderKey(p) && c.core.Payments.HasKey(ctx, m.texts(p.bound)[RoleRequestKey])) {
			return err
		}
	}
	if !callsBegin {
		return nil
	}
	return p.Begin(ctx, m.QuestionFor(p))
}

// refusal returns the error of a call. If the call is a spend that names a request key, and the error does not say which key may be
// used from now on, nothing was recorded, and it adds that the same may.
func refusal(m *Method, p Params, err error) error {
	if m.namesKey(p) {
		return fault.ForKey(err)
	}
	return err
}

// NamesKey reports whether a call is a spend with a request key that can be read, whatever else of it is wrong.
func (c *Catalogue) NamesKey(name string, params Params) bool {
	m := c.Find(name)
	return m != nil && m.namesKey(params)
}

func (m *Method) namesKey(p Params) bool {
	if !m.Does(Spends) {
		return false
	}
	if p.bound.isFor(m) {
		return m.texts(p.bound)[RoleRequestKey] != ""
	}
	for i := range m.params.params {
		param := &m.params.params[i]
		if param.Role != RoleRequestKey {
			continue
		}
		raw, key := param.raw(i, p), reflect.New(param.typ).Elem()
		return len(raw) > 0 && !codec.HasHalfCharacter(raw) && checkRequestKey(raw) == nil && param.read(raw, key) == nil && textOf(key) != ""
	}
	return false
}

func (m *Method) paysUnderKey(p Params) bool {
	texts := m.texts(p.bound)
	export := texts[RoleExport]
	return texts[RoleRequestKey] != "" && texts[RoleBroadcast] == "true" && (export == "" || export == "0")
}

// asFault returns err as a *fault.Error that names the operation.
func asFault(method string, err error) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return &fault.Error{Code: fault.Internal, Op: method, Message: method + " failed", Err: err}
	}
	named := *e
	named.Op = method
	return &named
}

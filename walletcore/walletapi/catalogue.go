package walletapi

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"billfold/walletcore/fault"
)

// Catalogue executes wallet operations by name. It may be used by many
// goroutines at once.
type Catalogue struct {
	core  *Core
	table *table
}

// New makes the catalogue of what core holds.
func New(core Core) *Catalogue {
	core.table = newTable(Methods())
	return &Catalogue{core: &core, table: core.table}
}

// Methods lists the whole table, in the order of help. There is no other way in:
// an operation that is not here cannot be called, described or permitted. What the
// list points to is shared and never changed.
func Methods() []*Method { return slices.Clone(declared()) }

// declared reads the types of all parameters and results once: that takes milliseconds,
// and each typed line and each token asks for an operation.
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

// Find returns a method by name, nil when there is none.
func (c *Catalogue) Find(name string) *Method { return c.table.byName[name] }

// PaceOf returns the pace of an operation; one that does not exist has the usual one.
func (c *Catalogue) PaceOf(name string) Pace {
	if m := c.Find(name); m != nil {
		return m.Pace
	}
	return PaceUsual
}

// Spends reports whether an operation may move money or change who controls it.
func (c *Catalogue) Spends(name string) bool {
	m := c.Find(name)
	return m != nil && m.Does(Spends)
}

// IsSecret reports whether parameters or result of an operation are secret.
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
	params, err := m.Bind(params)
	if err != nil {
		return nil, err
	}
	if err := c.begin(ctx, m, params); err != nil {
		return nil, shaped(m.Name, notBegun(m, params, err))
	}
	out, err := m.handle(ctx, c.core, params)
	if err != nil {
		return nil, shaped(m.Name, err)
	}
	if m.NeedsUnlock { // a call that is refused does not keep the wallet open
		c.core.Vault.Touch()
	}
	return out, nil
}

// begin is what stands before every operation: the lock, then Begin once nothing
// else stands against the call.
func (c *Catalogue) begin(ctx context.Context, m *Method, p Params) error {
	asked := p.Begin != nil && !m.DoesOnly(Reads|Writes|Lock)
	if m.NeedsUnlock || asked && m.Does(Password) && !c.core.Vault.IsNew() {
		if err := c.core.Vault.CheckOpen(m.Name); err != nil {
			return err
		}
	}
	if !asked {
		return nil
	}
	return p.Begin(ctx, m.Asks(p))
}

// notBegun completes the error of a call that did nothing: a request key that it came with stands for what it stood for before.
func notBegun(m *Method, p Params, err error) error {
	says := m.texts(p.bound)
	export := says[RoleExport]
	if says[RoleRequestKey] == "" || says[RoleBroadcast] != "true" || export != "" && export != "0" {
		return err
	}
	return fault.ForKey(err)
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

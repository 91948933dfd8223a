package walletapi

import (
	"fmt"
	"slices"
)

// Reach says how far into the wallet a method reaches. What is not declared
// counts as ReachWallet.
type Reach int

// The reaches.
const (
	ReachUndeclared Reach = iota
	ReachWallet           // all accounts and payments of the wallet, its lock, keys or password
	ReachChain            // only what the ledger shows to everybody, or nothing at all
	ReachAccount          // the account named by the parameter of RoleAccount
)

// Role says what a parameter stands for. A method has at most one parameter of each.
type Role int

// The roles.
const (
	RoleNone        Role = iota
	RoleAccount          // account name or id that is acted for
	RoleDestination      // account name or id, or content id, that is paid
	RoleAsset            // symbol or id
	RoleAmount           // decimal text in the asset's precision
	RoleRequestKey       // makes a repeated call act once
	RoleBroadcast        // "true" or "false": false only signs
	RolePayment          // transaction id or request key of a payment of this wallet
)

// HasRoles tells whether permissions depend on the method's parameters.
func (m *Method) HasRoles() bool {
	return slices.ContainsFunc(m.Params, func(p Param) bool { return p.Role != RoleNone })
}

// ByRole gives the text of those parameters of a call that have a role, and the
// call bound to what was read, see Bind.
func (m *Method) ByRole(p Params) (map[Role]string, Params, error) {
	p, err := m.Bind(p)
	if err != nil {
		return nil, p, err
	}
	texts := map[Role]string{}
	for i, param := range m.Params {
		if param.Role != RoleNone {
			texts[param.Role] = fmt.Sprint(p.bound.values[i])
		}
	}
	return texts, p, nil
}

// Pinned gives a bound call with other text for a role, so that what was looked
// at is what is executed. A call without the role stays as it is.
func (m *Method) Pinned(p Params, role Role, text string) Params {
	i := slices.IndexFunc(m.Params, func(param Param) bool { return param.Role == role && param.Kind == Text })
	if i < 0 || p.bound == nil {
		return p
	}
	values := slices.Clone(p.bound.values)
	values[i] = text
	p.bound = &bound{m.Name, values}
	return p
}

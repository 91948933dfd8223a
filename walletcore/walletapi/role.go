package walletapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Reach says how far into the wallet a method reaches. What is not declared
// reaches the whole wallet, so that a new method is guarded until it says less.
type Reach int

// The reaches.
const (
	ReachWallet  Reach = iota // all accounts and payments of the wallet, or its lock
	ReachChain                // only what the ledger shows to everybody, or nothing at all
	ReachAccount              // the account named by the parameter of RoleAccount
	ReachKeys                 // private keys or the password: whoever may call it may do everything
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
)

// ByRole reads the parameters of a call by the table and gives the text of
// those that have a role. Errors are those of Call for the same parameters.
func (m *Method) ByRole(p Params) (map[Role]string, error) {
	a, err := m.convert(p)
	if err != nil {
		return nil, err
	}
	texts := map[Role]string{}
	for i, param := range m.Params {
		if param.Role != RoleNone {
			texts[param.Role] = fmt.Sprint(a[i])
		}
	}
	return texts, nil
}

// Pinned gives the parameters of a call with other text for a role, so that
// what was looked at is what is executed. Parameters without the role stay.
func (m *Method) Pinned(p Params, role Role, text string) Params {
	raw, err := json.Marshal(text)
	i := slices.IndexFunc(m.Params, func(param Param) bool { return param.Role == role })
	if i < 0 || err != nil {
		return p
	}
	if p.Named != nil {
		p.Named = maps.Clone(p.Named)
		p.Named[m.Params[i].Name] = raw
	} else if i < len(p.Positional) {
		p.Positional = slices.Clone(p.Positional)
		p.Positional[i] = raw
	}
	return p
}

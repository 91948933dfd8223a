package state

import "billfold/ledger"

// Permissions are the objects 1.8.N.
type Permissions struct {
	table[ledger.WithdrawPermissionID, ledger.WithdrawPermission]
}

// Add inserts a permission under the next id.
func (p *Permissions) Add(permission ledger.WithdrawPermission) ledger.WithdrawPermissionID {
	permission.ID = p.Next()
	p.insert(&permission)
	return permission.ID
}

// Remove removes a permission.
func (p *Permissions) Remove(id ledger.WithdrawPermissionID) { p.remove(id) }

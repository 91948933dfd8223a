package vault

import (
	"billfold/keystore"
	"billfold/ledger"
)

// bindChain records which chain the keys belong to, once one is known.
func (v *Vault) bindChain(c *keystore.Contents) error {
	id := v.DaemonChain()
	if id == (ledger.ChainID{}) {
		return nil
	}
	if err := c.Public.CheckChain(id); err != nil {
		return err
	}
	c.Public.ChainID = id
	return nil
}

// BindChain binds an unlocked wallet to the first chain that was seen, so that no daemon of a later run can name another one.
func (v *Vault) BindChain() {
	if v.DaemonChain() == (ledger.ChainID{}) || v.ChainID() != (ledger.ChainID{}) {
		return
	}
	store, err := v.Unlocked("bind")
	if err != nil {
		return // tried again when it is next unlocked
	}
	if err := store.Update(v.bindChain); err != nil {
		v.Logger.Warn("keys: their chain could not be saved", "error", err)
	}
}

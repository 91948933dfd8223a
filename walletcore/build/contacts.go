package build

import (
	"billfold/ledger"
	"billfold/walletcore/contact"
	"billfold/walletcore/ledgerview"
)

// checkContacts refuses recipients whose name or id contradicts a saved contact. Error: fault.DaemonContradicts.
func (f *Factory) checkContacts(recipients []*ledger.Account) error {
	saved := f.Contacts.List()
	for _, a := range recipients {
		if a == nil {
			continue
		}
		if err := contact.Compare(saved, ledgerview.AccountRef{ID: a.ID, Name: a.Name}); err != nil {
			return err
		}
	}
	return nil
}

// known returns the accounts that a recipient may be mistaken for: own ones and contacts.
func (f *Factory) known() map[ledger.AccountID]ledgerview.AccountRef {
	known := contact.Known(f.Contacts.List())
	for _, own := range f.Vault.Listed() {
		known[own.ID] = own
	}
	return known
}

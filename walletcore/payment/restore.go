package payment

import (
	"context"

	"billfold/keystore"
	"billfold/walletcore/fault"
	"billfold/walletcore/store/sqlite"
)

// RestoreJournal replaces the payment journal at path, which no program may have open, with the copy at from, for the wallet
// with the key file keys. The copy must be that wallet's and lack nothing; with older it may be out of date, and
// AcceptJournal is then needed before the wallet spends again. After an error nothing has changed, unless the error says so.
func RestoreJournal(ctx context.Context, keys, path, from string, older bool) (sqlite.Restored, error) {
	found, err := keystore.Open(keys)
	if err != nil {
		return sqlite.Restored{}, fault.KeyFile("journal", err)
	}
	known := found.Public()
	return sqlite.Restore(ctx, path, from, sqlite.Owner{ID: known.Journal, Chain: known.ChainID}, older)
}

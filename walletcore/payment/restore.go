package payment

import (
	"context"

	"billfold/keystore"
	"billfold/walletcore/fault"
	"billfold/walletcore/store/sqlite"
)

// RestoreJournal puts a copy of the payment journal in the place of the one at path, which no
// program may have open, for the wallet with the key file keys. The copy must be that wallet's and lack nothing;
// with older it may be of earlier days, and AcceptJournal is needed before the wallet spends again.
// After an error nothing was changed, unless it says so.
func RestoreJournal(ctx context.Context, keys, path, from string, older bool) (sqlite.Restored, error) {
	found, err := keystore.Open(keys)
	if err != nil {
		return sqlite.Restored{}, fault.KeyFile("journal", err)
	}
	known := found.Public()
	return sqlite.Restore(ctx, path, from, sqlite.Owner{ID: known.Journal, Chain: known.ChainID}, older)
}

package uitest

import (
	"path/filepath"
	"testing/synctest"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store/sqlite"
)

// open opens the wallet in its folder and runs it, with a history index if index is set. ownClock accepts a ledger with a clock of its
// own.
func (w *World) open(index, ownClock bool) {
	client := daemonclient.New(daemonclient.Config{URLs: []string{"ws://127.0.0.1:8090"}, Dial: w.wire.dial, OwnClock: ownClock})
	kept, err := sqlite.Open(filepath.Join(w.dir, sqlite.Name))
	Must(w.T, err)
	w.wallet.close = append(w.wallet.close, kept.Close)
	var rows *historyindex.Index
	if index {
		rows, err = historyindex.Open(filepath.Join(w.dir, "history.db"))
		Must(w.T, err)
		w.wallet.close = append(w.wallet.close, rows.Close)
	}
	w.Wallet, err = walletcore.Open(walletcore.Config{
		Path: filepath.Join(w.dir, "wallet.keys"), Daemon: client, Store: kept, Index: rows, OwnClock: ownClock,
		Draw:     func(uint32) uint32 { return 0 }, // the same transactions in each run
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true},
	})
	Must(w.T, err)
	w.Wallet.Vault.SetLockAfter(15 * time.Minute)
	w.wallet.run(w.Ctx, client.Run, w.Wallet.Run)
}

// Fill creates the wallet with its password and keys.
func (w *World) Fill() {
	Must(w.T, w.Wallet.Vault.Create(w.Ctx, Password))
	w.Hold(Alice, KeyOf(Alice.Name))
	w.Hold(Savings, KeyOf("nobody")) // a key without any authority: the account is only watched
}

// Hold imports a key for an account.
func (w *World) Hold(account ledgerview.AccountRef, key ledger.PrivateKey) {
	w.T.Helper()
	_, err := w.Wallet.Import.ImportSingleKey(w.Ctx, account.Name, key.WIF())
	Must(w.T, err)
}

// Reopen closes the wallet, lets change change the files in its folder, and opens and unlocks it again.
func (w *World) Reopen(change func(dir string)) {
	w.T.Helper()
	w.wallet.end(w.T)
	change(w.dir)
	w.reopen()
	synctest.Wait()
	Must(w.T, w.Wallet.Vault.Unlock(w.Ctx, Password))
}

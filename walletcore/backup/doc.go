// Package backup puts everything of a wallet that cannot be made again into one sealed file, and takes it out again: the key file as it is,
// the store, settings, key bindings, the hashes of tokens and the listeners' own certificate.
//
//	store ── VACUUM INTO ──┐
//	key file, settings … ──┴─► manifest, contents ── keystore.SealBackup, SealBackupTo ──► temporary file ── sync, rename ──► backup
//
// It promises: a backup is of one moment and whole, or not there; one that lost or gained a byte is refused, and leaves nothing behind; what
// is restored has the bytes that were backed up, and spends nothing until the ledger was read from the time of the backup on. Memory does
// not grow with the size of the wallet.
//
// It refuses: to write over a file, to restore into a folder that has anything in it, and backups of newer programs.
package backup

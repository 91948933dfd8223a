// Package keystore owns the encrypted key file. It is the only place that writes private keys to disk.
//
//	password ─ argon2id ─► key-encryption key ─ unwraps ─► data key ─ opens ─► private keys
//	                                                          │
//	header (public data, readable while locked) ── authenticated with it
//
// The file is text in three lines: a JSON header (format, version, key derivation and its salt, wrapped data key,
// public data), the sealed payload in base64, and the SHA-256 of the two. The checksum tells a damaged file from a
// wrong password; XChaCha20-Poly1305 with the whole header as associated data is what stops an attacker.
//
// Promises: a save is whole or did not happen, and is read back and decrypted before the old file is replaced; the last
// five versions are kept beside it as name.1 (newest) to name.5; if a function returns an error, the file and the keys
// in memory are as before. Losing power, or being killed, at any instant leaves a file that opens
// (docs/design/004-keystore.md has the argument, make crash the trials). Trying a password takes 0.5 to 1 s on the
// machine that made the file, and after wrong ones longer and longer, even across restarts. Locking wipes the keys in
// memory, including every copy that was returned; until then the system is asked to keep them out of its swap. Nothing
// that is printed or logged shows a secret.
//
// Refuses: to overwrite an existing file, to create a wallet where earlier versions of one exist, to follow a symbolic
// link, to touch a file of another user, to save over a file that another program changed, key derivation that is too
// weak (unless a test insists) or absurdly expensive, and an empty password.
//
// It also reads the wallet.json of the reference wallet, see ReadLegacy.
package keystore

// Package store keeps what the wallet has to remember beside its keys, in one
// database: what is written for one payment is one commit.
//
//	journal.go row.go state.go    payments: their signed bytes, what became of them, request keys
//	audit.go                      the audit log
//	token.go                      tokens of programs, where servers share the store
//	limit.go                      what tokens spent under limits of a day
//	cursor.go                     up to where deposits were acknowledged
//	draft.go                      forms that were kept for later
//	contact.go                    accounts that a person saved
//	label.go                      what a person wrote on rows of a history
//	message.go                    up to where messages were read
//	pin.go content.go seen.go     what daemons said of accounts, assets and content, to compare with
//	anchor.go                     the active miners' keys and the last block proven irreversible
//	unit.go                       what is written together with a payment
//	migration.go                  the schema, step by step
//	tx.go engine.go identity.go   what a database of some kind has to do; sqlite and postgres do it
//	shared.go                     what one has to do that several servers use at once
//	hint.go                       what they tell each other
//
// Promises: what was written survives the loss of power; several programs may share the
// store. No key and no plain text of a memo is ever stored: the bytes of payments hold memos as the
// ledger shows them to everybody, and the mark of a request cannot be guessed at
// without a private key.
//
// Who uses a part declares the interface it needs. The SQL is plain and portable: wallets that
// outgrow one machine share a store in PostgreSQL.
package store

import "io"

// Store is the open store. Its parts may be used by many goroutines.
type Store struct {
	Journal  *Journal
	Audit    *Audit
	Limits   *Limits
	Cursors  *Cursors
	Drafts   *Drafts
	Contacts *Contacts
	Labels   *Labels
	Messages *MessageMarks
	Backups  *BackupChecks
	Pins     *Pins
	Anchors  *Anchors
	Tokens   *Tokens

	file io.Closer
}

// File is a database of some kind.
type File interface {
	Engine
	Identity
	io.Closer
}

// New returns the parts of the store that is in file.
func New(file File) *Store {
	return &Store{
		Journal: &Journal{Identity: file, engine: file}, Audit: &Audit{engine: file}, Limits: &Limits{file}, Cursors: &Cursors{file},
		Drafts: &Drafts{file}, Contacts: &Contacts{file}, Labels: &Labels{file}, Messages: &MessageMarks{file},
		Backups: &BackupChecks{file}, Pins: &Pins{file}, Anchors: &Anchors{file}, Tokens: &Tokens{file}, file: file,
	}
}

// Close writes what waits and closes the database.
func (s *Store) Close() error { return s.file.Close() }

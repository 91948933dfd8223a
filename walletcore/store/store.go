// Package store keeps what the wallet has to remember apart from its keys, in one database.
// Everything written for one payment is one commit.
//
//	journal.go entry.go           payments: their signed bytes, outcomes and request keys
//	hold.go                       which keys signed, and why a store that lacks a payment is held
//	audit.go                      the audit log
//	token.go                      tokens of programs, where servers share the store
//	limit.go                      what tokens spent under daily limits
//	cursor.go                     up to where deposits were acknowledged
//	draft.go                      forms saved for later
//	construction.go               transactions under construction
//	contact.go                    accounts that a person saved
//	label.go                      labels that a person put on history rows
//	message.go                    up to where messages were read
//	backup.go                     when a paper backup was proven
//	pin.go seen.go                what daemons said about accounts, assets and content, to compare with
//	fact.go                       what else they said that is signed, as it was last accepted
//	anchor.go                     the active miners' keys and the last block proven irreversible
//	archive.go                    files to which finished payments and audit records were moved
//	callbatch.go                  what is written together with a payment
//	meter.go                      how many commits were made, and how long they took
//	migration.go                  the schema, step by step
//	engine.go identity.go         what a kind of database has to provide; sqlite and postgres do
//	shared.go                     what a database that several servers use at once has to provide
//	rehearsal.go                  whether a payment could be written now
//	hint.go                       what those servers tell each other
//
// Promises: what was written survives the loss of power; several programs may share the store. No key and no plain text
// of a memo is ever stored: the bytes of payments hold memos as the ledger shows them to everyone, and the mark of a
// request cannot be guessed without a private key.
//
// Whoever uses a part declares the interface it needs. The SQL is plain and portable: wallets that outgrow one machine
// share a store in PostgreSQL.
package store

import "io"

// Store is the open store. Its parts are safe for concurrent use.
type Store struct {
	Journal  *Journal
	Audit    *Audit
	Limits   *Limits
	Cursors  *Cursors
	Drafts   *Drafts
	Building *Constructions
	Contacts *Contacts
	Labels   *Labels
	Messages *MessageMarks
	Backups  *BackupChecks
	Pins     *Pins
	Anchors  *Anchors
	Tokens   *Tokens
	Objects  *Objects

	file io.Closer
}

// File is a database of some kind that holds a store.
type File interface {
	Engine
	Identity
	io.Closer
}

// metered is a store that counts its commits; one that is only read has none.
type metered interface{ Commits() Commits }

// New returns a Store that works on file.
func New(file File) *Store {
	return &Store{
		Journal: &Journal{Identity: file, engine: file}, Audit: &Audit{engine: file}, Limits: &Limits{file}, Cursors: &Cursors{file},
		Drafts: &Drafts{file}, Building: &Constructions{file}, Contacts: &Contacts{file}, Labels: &Labels{file}, Messages: &MessageMarks{file},
		Backups: &BackupChecks{file}, Pins: &Pins{file}, Anchors: &Anchors{file}, Tokens: &Tokens{file},
		Objects: &Objects{file}, file: file,
	}
}

// Commits returns the counts of the commits since the store was opened.
func (s *Store) Commits() Commits {
	if m, is := s.file.(metered); is {
		return m.Commits()
	}
	return Commits{}
}

// Close writes what is waiting and closes the database.
func (s *Store) Close() error { return s.file.Close() }

package store

import (
	"fmt"
	"sync"
)

// VersionTable holds the number of migrations made. It keeps the name from when the store was only the payment journal,
// so that programs of that time refuse a version that they do not know.
const VersionTable = "journal_version"

// NewerError means that a newer program has changed the store while this one uses it.
type NewerError struct {
	Version, Known int // migrations made, and those of this program
}

func (e *NewerError) Error() string { return "the store " + e.Cause() + "; use that one" }

// Cause returns the cause for CauseOf.
func (e *NewerError) Cause() string {
	return fmt.Sprintf("was changed by a newer version of this program (%d, this one knows %d)", e.Version, e.Known)
}

// Advice returns what to do about a change that was not made.
func (e *NewerError) Advice() string {
	return "end this program and start the newer one, then make the same request again"
}

// newestVersion returns how many migrations this program knows.
var newestVersion = sync.OnceValue(func() int { return len(Migrations()) })

// Migrations returns the schema, step by step. A step that was released is never changed; new ones are added at the end.
// Times of payments and limits are UTC milliseconds, all others seconds. Ledger ids in numeric columns are their last
// number; chains are hexadecimal.
func Migrations() [][]string {
	return [][]string{
		{ // 1: payments
			`CREATE TABLE payments (
				id           VARCHAR(40) PRIMARY KEY,
				request_key  VARCHAR(200) UNIQUE,
				state        VARCHAR(16) NOT NULL,
				bytes        TEXT NOT NULL,
				expiration   BIGINT NOT NULL,
				ref_block    BIGINT NOT NULL,
				block        BIGINT NOT NULL,
				trx_in_block BIGINT NOT NULL,
				code         VARCHAR(40) NOT NULL,
				reason       TEXT NOT NULL,
				prepared_at  BIGINT NOT NULL,
				sent_at      BIGINT NOT NULL,
				in_block_at  BIGINT NOT NULL
			)`,
			`CREATE INDEX payments_by_state ON payments (state)`,
			`CREATE INDEX payments_by_time ON payments (prepared_at)`,
		},
		{ // 2: the chain that a payment was signed for
			`ALTER TABLE payments ADD COLUMN chain VARCHAR(64) NOT NULL DEFAULT ''`,
		},
		{ // 3: the mark of the request made under a request key
			`ALTER TABLE payments ADD COLUMN request VARCHAR(160) NOT NULL DEFAULT ''`,
		},
		{ // 4: whether a refusal is proven; earlier ones count as such
			`ALTER TABLE payments ADD COLUMN proven SMALLINT NOT NULL DEFAULT 1`,
		},
		{ // 5: the identity, the numbered commits, and the block that was proven when a payment was signed
			`CREATE TABLE journal_identity (id VARCHAR(32) NOT NULL)`,
			`CREATE TABLE journal_commits (number BIGINT PRIMARY KEY, nonce VARCHAR(16) NOT NULL)`,
			`ALTER TABLE payments ADD COLUMN sure_block BIGINT NOT NULL DEFAULT 0`,
		},
		{ // 6: everything that was in separate files before; taken_over has their names
			`CREATE TABLE account_pins (
				chain   VARCHAR(64) NOT NULL,
				account BIGINT NOT NULL,
				name    VARCHAR(80) NOT NULL,
				source  TEXT NOT NULL,
				seen_at BIGINT NOT NULL,
				PRIMARY KEY (chain, account),
				UNIQUE (chain, name)
			)`,
			`CREATE TABLE asset_pins (
				chain     VARCHAR(64) NOT NULL,
				asset     BIGINT NOT NULL,
				symbol    VARCHAR(80) NOT NULL,
				precision_digits SMALLINT NOT NULL,
				source    TEXT NOT NULL,
				seen_at   BIGINT NOT NULL,
				PRIMARY KEY (chain, asset),
				UNIQUE (chain, symbol)
			)`,
			`CREATE TABLE seen_accounts (
				chain    VARCHAR(64) NOT NULL,
				account  BIGINT NOT NULL,
				memo_key TEXT NOT NULL,
				active   TEXT NOT NULL,
				owner    TEXT NOT NULL,
				seen_at  BIGINT NOT NULL,
				PRIMARY KEY (chain, account)
			)`,
			`CREATE TABLE anchors (
				chain  VARCHAR(64) NOT NULL PRIMARY KEY,
				block  BIGINT NOT NULL,
				anchor TEXT NOT NULL
			)`,
			`CREATE TABLE content_authors (
				chain   VARCHAR(64) NOT NULL,
				content VARCHAR(40) NOT NULL,
				author  BIGINT NOT NULL,
				source  TEXT NOT NULL,
				seen_at BIGINT NOT NULL,
				PRIMARY KEY (chain, content)
			)`,
			`CREATE TABLE audit (
				number BIGINT PRIMARY KEY,
				entry  TEXT NOT NULL,
				hash   VARCHAR(64) NOT NULL
			)`,
			`CREATE TABLE token_spent (
				id          BIGINT PRIMARY KEY,
				token       VARCHAR(32) NOT NULL,
				asset       VARCHAR(24) NOT NULL,
				amount      BIGINT NOT NULL,
				request_key VARCHAR(200) NOT NULL,
				spent_at    BIGINT NOT NULL
			)`,
			`CREATE INDEX token_spent_by_token ON token_spent (token, asset, spent_at)`,
			`CREATE INDEX token_spent_by_time ON token_spent (spent_at)`,
			`CREATE TABLE deposit_cursors (
				account VARCHAR(24) PRIMARY KEY,
				block   BIGINT NOT NULL,
				trx     BIGINT NOT NULL,
				op      BIGINT NOT NULL,
				virtual BIGINT NOT NULL
			)`,
			`CREATE TABLE saved_forms (
				id       BIGINT PRIMARY KEY,
				account  VARCHAR(24) NOT NULL,
				saved_at BIGINT NOT NULL,
				sealed   TEXT NOT NULL
			)`,
			`CREATE TABLE taken_over (
				name     VARCHAR(40) PRIMARY KEY,
				found    SMALLINT NOT NULL,
				taken_at BIGINT NOT NULL
			)`,
		},
		{ // 7: drop an index that no query used, but every new payment and state was written to
			`DROP INDEX payments_by_state`,
		},
		{ // 8: contacts
			`CREATE TABLE contacts (
				chain    VARCHAR(64) NOT NULL,
				account  BIGINT NOT NULL,
				name     VARCHAR(80) NOT NULL,
				memo_key TEXT NOT NULL,
				active   TEXT NOT NULL,
				owner    TEXT NOT NULL,
				note     TEXT NOT NULL,
				saved_at BIGINT NOT NULL,
				PRIMARY KEY (chain, account)
			)`,
		},
		{ // 9: labels on history rows
			`CREATE TABLE labels (
				chain       VARCHAR(64) NOT NULL,
				history_row BIGINT NOT NULL,
				block       BIGINT NOT NULL,
				label       TEXT NOT NULL,
				saved_at    BIGINT NOT NULL,
				PRIMARY KEY (chain, history_row)
			)`,
		},
		{ // 10: up to where messages were read
			`CREATE TABLE message_marks (
				chain       VARCHAR(64) NOT NULL,
				account     BIGINT NOT NULL,
				other       BIGINT NOT NULL,
				unread_from BIGINT NOT NULL,
				shown_from  BIGINT NOT NULL,
				PRIMARY KEY (chain, account, other)
			)`,
		},
		{ // 11: the commit number becomes the row key: a separate index cost one more page in each commit
			`CREATE TABLE numbered_commits (number INTEGER PRIMARY KEY, nonce VARCHAR(16) NOT NULL)`,
			`INSERT INTO numbered_commits (number, nonce) SELECT number, nonce FROM journal_commits`,
			`DROP TABLE journal_commits`,
			`ALTER TABLE numbered_commits RENAME TO journal_commits`,
		},
		{ // 12: when a paper backup was proven
			`CREATE TABLE backup_checks (
				chain       VARCHAR(64) NOT NULL,
				account     BIGINT NOT NULL,
				public_keys TEXT NOT NULL,
				checked_at  BIGINT NOT NULL,
				PRIMARY KEY (chain, account)
			)`,
		},
		{ // 13: the audit record number becomes the row key, as the commit number did
			`CREATE TABLE numbered_audit (
				number INTEGER PRIMARY KEY,
				entry  TEXT NOT NULL,
				hash   VARCHAR(64) NOT NULL
			)`,
			`INSERT INTO numbered_audit (number, entry, hash) SELECT number, entry, hash FROM audit ORDER BY number`,
			`DROP TABLE audit`,
			`ALTER TABLE numbered_audit RENAME TO audit`,
		},
		{ // 14: when a payment was seen to be irreversible; unknown for earlier ones
			`ALTER TABLE payments ADD COLUMN final_at BIGINT NOT NULL DEFAULT 0`,
		},
		{ // 15: transactions under construction
			`CREATE TABLE constructions (
				handle     INTEGER PRIMARY KEY,
				token      VARCHAR(32) NOT NULL,
				packed     TEXT NOT NULL,
				changed_at BIGINT NOT NULL
			)`,
		},
		{ // 16: payments that the ledger has and the file lacked; where a log begins; where the store was moved
			`ALTER TABLE payments ADD COLUMN origin SMALLINT NOT NULL DEFAULT 0`,
			`CREATE INDEX payments_found ON payments (id) WHERE origin = 1`,
			`CREATE TABLE journal_hold (generation BIGINT NOT NULL, held_since BIGINT NOT NULL, held_why TEXT NOT NULL)`,
			`INSERT INTO journal_hold (generation, held_since, held_why) VALUES (1, 0, '')`,
			`CREATE TABLE only_signed (id VARCHAR(40) PRIMARY KEY, expiration BIGINT NOT NULL)`,
			`CREATE TABLE journal_log (salts VARCHAR(16) NOT NULL, since BIGINT NOT NULL)`,
			`INSERT INTO journal_log (salts, since) VALUES ('', 0)`,
			`CREATE TABLE journal_moved (store VARCHAR(32) NOT NULL, place TEXT NOT NULL, moved_at BIGINT NOT NULL, done SMALLINT NOT NULL)`,
		},
		{ // 17: which plan of a payout makes a payment
			`CREATE TABLE payout_rows (
				payer       BIGINT NOT NULL,
				number      BIGINT NOT NULL,
				fingerprint VARCHAR(32) NOT NULL,
				plan        VARCHAR(200) NOT NULL,
				request_key VARCHAR(200) NOT NULL,
				PRIMARY KEY (payer, number)
			)`,
			`CREATE INDEX payout_rows_by_fingerprint ON payout_rows (fingerprint)`,
			`CREATE INDEX payout_rows_by_key ON payout_rows (request_key)`,
		},
		{ // 18: what daemons said of the ledger, as it was last accepted
			`CREATE TABLE accepted_facts (
				chain     VARCHAR(64) NOT NULL,
				subject   VARCHAR(80) NOT NULL,
				fact      VARCHAR(80) NOT NULL,
				value     TEXT NOT NULL,
				own_value SMALLINT NOT NULL,
				source    TEXT NOT NULL,
				seen_at   BIGINT NOT NULL,
				PRIMARY KEY (chain, subject, fact)
			)`,
			`CREATE UNIQUE INDEX accepted_facts_own ON accepted_facts (chain, fact, value) WHERE own_value = 1`,
		},
		{ // 19: the last states of own objects, and changes of them that were told of
			`CREATE TABLE object_states (
				chain          VARCHAR(64) NOT NULL,
				object         VARCHAR(24) NOT NULL,
				number         BIGINT NOT NULL,
				kind           SMALLINT NOT NULL,
				state          TEXT NOT NULL,
				transaction_id VARCHAR(40) NOT NULL,
				expires        BIGINT NOT NULL,
				since          BIGINT NOT NULL,
				PRIMARY KEY (chain, object, number)
			)`,
			`CREATE TABLE object_changes (
				chain          VARCHAR(64) NOT NULL,
				object         VARCHAR(24) NOT NULL,
				transaction_id VARCHAR(40) NOT NULL,
				block          BIGINT NOT NULL,
				trx_in_block   BIGINT NOT NULL,
				text           TEXT NOT NULL,
				undone         TEXT NOT NULL,
				seen           SMALLINT NOT NULL,
				noticed_at     BIGINT NOT NULL,
				PRIMARY KEY (chain, object, transaction_id)
			)`,
		},
		{ // 20: the label of the payout that a row is of; NULL = not known, as for rows listed from payments without it
			`ALTER TABLE payout_rows ADD COLUMN label VARCHAR(32)`,
		},
		{ // 21: on which states of objects a transaction under construction was begun
			`ALTER TABLE constructions ADD COLUMN numbers TEXT NOT NULL DEFAULT ''`,
		},
		{ // 22: the keys that the wallet has had while it used the file
			`CREATE TABLE signer_keys (public_key VARCHAR(60) PRIMARY KEY)`,
		},
		{ // 23: the latest commit, in a row that stays on its page of the file
			`ALTER TABLE journal_log ADD COLUMN id VARCHAR(32) NOT NULL DEFAULT ''`,
			`ALTER TABLE journal_log ADD COLUMN number BIGINT NOT NULL DEFAULT 0`,
			`ALTER TABLE journal_log ADD COLUMN nonce VARCHAR(16) NOT NULL DEFAULT ''`,
			`UPDATE journal_log SET id = COALESCE((SELECT id FROM journal_identity), ''),
				number = COALESCE((SELECT MAX(number) FROM journal_commits), 0),
				nonce = COALESCE((SELECT nonce FROM journal_commits ORDER BY number DESC LIMIT 1), '')`,
		},
		{ // 24: the files to which finished payments and audit records were moved
			`CREATE TABLE archives (
				number      INTEGER PRIMARY KEY,
				name        VARCHAR(80) NOT NULL,
				sha256      VARCHAR(64) NOT NULL,
				size        BIGINT NOT NULL,
				before_day  BIGINT NOT NULL,
				made_at     BIGINT NOT NULL,
				payments    BIGINT NOT NULL,
				records     BIGINT NOT NULL,
				last_record BIGINT NOT NULL,
				done        SMALLINT NOT NULL
			)`,
		},
	}
}

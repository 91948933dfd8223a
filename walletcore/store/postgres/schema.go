package postgres

// migrations returns the schema, step by step. A step that was released is never changed; new ones are added at the end.
// Columns mean what they mean in store.Migrations. Text is compared byte by byte: an index under the rules of a language
// may let duplicates in after an update of the system's library.
func migrations() [][]string {
	return [][]string{
		{
			`CREATE TABLE store_meta (
				one SMALLINT PRIMARY KEY CHECK (one = 1), store_id TEXT NOT NULL, version INTEGER NOT NULL, oldest_reader INTEGER NOT NULL,
				generation BIGINT NOT NULL, held_since BIGINT NOT NULL, held_why TEXT NOT NULL)`,
			`CREATE TABLE servers (
				id TEXT COLLATE "C" PRIMARY KEY, name TEXT NOT NULL, epoch BIGINT NOT NULL, mark BIGINT NOT NULL, nonce TEXT NOT NULL,
				touched BIGINT NOT NULL, expires_at BIGINT NOT NULL, version TEXT NOT NULL, started_at BIGINT NOT NULL, place TEXT NOT NULL
			) WITH (fillfactor = 50)`,
			`CREATE TABLE payments (
				id TEXT COLLATE "C" PRIMARY KEY, request_key TEXT COLLATE "C" UNIQUE, state TEXT COLLATE "C" NOT NULL, bytes TEXT NOT NULL,
				expiration BIGINT NOT NULL, ref_block BIGINT NOT NULL, block BIGINT NOT NULL, trx_in_block BIGINT NOT NULL,
				code TEXT NOT NULL, reason TEXT NOT NULL, prepared_at BIGINT NOT NULL, sent_at BIGINT NOT NULL, in_block_at BIGINT NOT NULL,
				chain TEXT NOT NULL, request TEXT NOT NULL, proven SMALLINT NOT NULL, sure_block BIGINT NOT NULL,
				owner TEXT COLLATE "C" NOT NULL
			) WITH (fillfactor = 80)`,
			`CREATE INDEX payments_open ON payments (owner) WHERE ` + openPayments,
			`CREATE INDEX payments_by_time ON payments (prepared_at)`,
			`CREATE TABLE audit (number BIGINT PRIMARY KEY, entry TEXT NOT NULL, hash TEXT NOT NULL)`,
			`CREATE TABLE audit_head (one SMALLINT PRIMARY KEY CHECK (one = 1), number BIGINT NOT NULL, hash TEXT NOT NULL)
				WITH (fillfactor = 50)`,
			`INSERT INTO audit_head (one, number, hash) VALUES (1, 0, '')`,
			`CREATE TABLE token_locks (token TEXT COLLATE "C" PRIMARY KEY, uses BIGINT NOT NULL) WITH (fillfactor = 50)`,
			`CREATE TABLE token_spent (
				id BIGINT PRIMARY KEY, token TEXT COLLATE "C" NOT NULL, asset TEXT COLLATE "C" NOT NULL, amount BIGINT NOT NULL,
				request_key TEXT COLLATE "C" NOT NULL, spent_at BIGINT NOT NULL)`,
			`CREATE INDEX token_spent_by_token ON token_spent (token, asset, spent_at)`,
			`CREATE INDEX token_spent_by_time ON token_spent (spent_at)`,
			`CREATE TABLE deposit_cursors (
				account TEXT COLLATE "C" PRIMARY KEY, block BIGINT NOT NULL, trx BIGINT NOT NULL,
				op BIGINT NOT NULL, virtual BIGINT NOT NULL)`,
			`CREATE TABLE saved_forms (
				id BIGINT PRIMARY KEY, account TEXT COLLATE "C" NOT NULL, saved_at BIGINT NOT NULL, sealed TEXT NOT NULL)`,
			`CREATE TABLE contacts (
				chain TEXT COLLATE "C" NOT NULL, account BIGINT NOT NULL, name TEXT COLLATE "C" NOT NULL, memo_key TEXT NOT NULL,
				active TEXT NOT NULL, owner TEXT NOT NULL, note TEXT NOT NULL, saved_at BIGINT NOT NULL, PRIMARY KEY (chain, account))`,
			`CREATE TABLE labels (
				chain TEXT COLLATE "C" NOT NULL, history_row BIGINT NOT NULL, block BIGINT NOT NULL, label TEXT NOT NULL,
				saved_at BIGINT NOT NULL, PRIMARY KEY (chain, history_row))`,
			`CREATE TABLE message_marks (
				chain TEXT COLLATE "C" NOT NULL, account BIGINT NOT NULL, other BIGINT NOT NULL, unread_from BIGINT NOT NULL,
				shown_from BIGINT NOT NULL, PRIMARY KEY (chain, account, other))`,
			`CREATE TABLE account_pins (
				chain TEXT COLLATE "C" NOT NULL, account BIGINT NOT NULL, name TEXT COLLATE "C" NOT NULL, source TEXT NOT NULL,
				seen_at BIGINT NOT NULL, PRIMARY KEY (chain, account), UNIQUE (chain, name))`,
			`CREATE TABLE asset_pins (
				chain TEXT COLLATE "C" NOT NULL, asset BIGINT NOT NULL, symbol TEXT COLLATE "C" NOT NULL,
				precision_digits SMALLINT NOT NULL,
				source TEXT NOT NULL, seen_at BIGINT NOT NULL, PRIMARY KEY (chain, asset), UNIQUE (chain, symbol))`,
			`CREATE TABLE seen_accounts (
				chain TEXT COLLATE "C" NOT NULL, account BIGINT NOT NULL, memo_key TEXT NOT NULL, active TEXT NOT NULL, owner TEXT NOT NULL,
				seen_at BIGINT NOT NULL, PRIMARY KEY (chain, account))`,
			`CREATE TABLE anchors (chain TEXT COLLATE "C" PRIMARY KEY, block BIGINT NOT NULL, anchor TEXT NOT NULL)`,
			`CREATE TABLE content_authors (
				chain TEXT COLLATE "C" NOT NULL, content TEXT COLLATE "C" NOT NULL, author BIGINT NOT NULL, source TEXT NOT NULL,
				seen_at BIGINT NOT NULL, PRIMARY KEY (chain, content))`,
		},
		{ // 2: a hold records what ends it, and found payments are marked
			`ALTER TABLE store_meta ADD COLUMN timeline TEXT NOT NULL DEFAULT '', ADD COLUMN held_kind TEXT NOT NULL DEFAULT '',
				ADD COLUMN held_from BIGINT NOT NULL DEFAULT 0`,
			`UPDATE store_meta SET held_kind = 'person' WHERE held_since > 0`,
			`CREATE TABLE held_for (server TEXT COLLATE "C" PRIMARY KEY)`,
			`ALTER TABLE payments ADD COLUMN origin SMALLINT NOT NULL DEFAULT 0`,
			`CREATE INDEX payments_found ON payments (id) WHERE origin = 1`,
		},
		{ // 3: the tokens of programs, for all servers
			`CREATE TABLE tokens (
				id TEXT COLLATE "C" PRIMARY KEY, name TEXT COLLATE "C" NOT NULL UNIQUE, hash TEXT NOT NULL, made_at BIGINT NOT NULL,
				scope TEXT NOT NULL, place BIGINT NOT NULL)`,
			`CREATE TABLE tokens_rev (one SMALLINT PRIMARY KEY CHECK (one = 1), rev BIGINT NOT NULL)`,
			`INSERT INTO tokens_rev (one, rev) VALUES (1, 1)`,
		},
		{ // 4: a server without a daemon leaves its payments to the others
			`ALTER TABLE servers ADD COLUMN follows SMALLINT NOT NULL DEFAULT 1`,
		},
		{ // 5: when a paper backup was proven
			`CREATE TABLE backup_checks (
				chain TEXT COLLATE "C" NOT NULL, account BIGINT NOT NULL, public_keys TEXT NOT NULL, checked_at BIGINT NOT NULL,
				PRIMARY KEY (chain, account))`,
		},
		{ // 6: when a payment was seen to be irreversible; unknown for earlier ones
			`ALTER TABLE payments ADD COLUMN final_at BIGINT NOT NULL DEFAULT 0`,
		},
		{ // 7: transactions under construction
			`CREATE TABLE constructions (
				handle BIGINT PRIMARY KEY, token TEXT COLLATE "C" NOT NULL, packed TEXT NOT NULL, changed_at BIGINT NOT NULL)`,
		},
		{ // 8: which plan of a payout makes a payment
			`CREATE TABLE payout_rows (
				payer BIGINT NOT NULL, number BIGINT NOT NULL, fingerprint TEXT COLLATE "C" NOT NULL, plan TEXT COLLATE "C" NOT NULL,
				request_key TEXT COLLATE "C" NOT NULL, PRIMARY KEY (payer, number))`,
			`CREATE INDEX payout_rows_by_fingerprint ON payout_rows (fingerprint)`,
			`CREATE INDEX payout_rows_by_key ON payout_rows (request_key)`,
		},
		{ // 9: what daemons said of the ledger, as it was last accepted
			`CREATE TABLE accepted_facts (
				chain TEXT COLLATE "C" NOT NULL, subject TEXT COLLATE "C" NOT NULL, fact TEXT COLLATE "C" NOT NULL,
				value TEXT COLLATE "C" NOT NULL, own_value SMALLINT NOT NULL, source TEXT NOT NULL, seen_at BIGINT NOT NULL,
				PRIMARY KEY (chain, subject, fact))`,
			`CREATE UNIQUE INDEX accepted_facts_own ON accepted_facts (chain, fact, value) WHERE own_value = 1`,
		},
		{ // 10: the last states of own objects, and changes of them that were told of
			`CREATE TABLE object_states (
				chain TEXT COLLATE "C" NOT NULL, object TEXT COLLATE "C" NOT NULL, number BIGINT NOT NULL, kind SMALLINT NOT NULL,
				state TEXT NOT NULL, transaction_id TEXT COLLATE "C" NOT NULL, expires BIGINT NOT NULL, since BIGINT NOT NULL,
				PRIMARY KEY (chain, object, number))`,
			`CREATE TABLE object_changes (
				chain TEXT COLLATE "C" NOT NULL, object TEXT COLLATE "C" NOT NULL, transaction_id TEXT COLLATE "C" NOT NULL, block BIGINT NOT NULL,
				trx_in_block BIGINT NOT NULL, text TEXT NOT NULL, undone TEXT COLLATE "C" NOT NULL, seen SMALLINT NOT NULL,
				noticed_at BIGINT NOT NULL, PRIMARY KEY (chain, object, transaction_id))`,
		},
		{ // 11: the label of the payout that a row is of; NULL = not known
			`ALTER TABLE payout_rows ADD COLUMN label TEXT COLLATE "C"`,
		},
		{ // 12: on which states of objects a transaction under construction was begun
			`ALTER TABLE constructions ADD COLUMN numbers TEXT NOT NULL DEFAULT ''`,
		},
		{ // 13: what was signed for others to send
			`CREATE TABLE only_signed (id TEXT COLLATE "C" PRIMARY KEY, expiration BIGINT NOT NULL)`,
		},
		{ // 14: whether a server's wallet is locked; -1 = it does not say
			`ALTER TABLE servers ADD COLUMN locked SMALLINT NOT NULL DEFAULT -1`,
		},
	}
}

// openPayments is store.OpenPayments as it was when the index was created: the database uses the index only where both are the same.
const openPayments = `(state NOT IN ('irreversible', 'rejected', 'expired') OR (state = 'rejected' AND proven = 0))`

// now is the database's time in UTC milliseconds.
const now = `(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

package store

import "billfold/walletcore/database"

// migrations are the schema, step by step: a step that was released is never
// changed, another one is added below it. Times are UTC seconds, ids of the
// ledger their last number, chains hexadecimal.
func migrations() []database.Migration {
	return []database.Migration{
		{ // 1: what must not change, and what rarely does
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
		},
		{ // 2: what the miners' signatures proved
			`CREATE TABLE anchors (
				chain  VARCHAR(64) NOT NULL PRIMARY KEY,
				block  BIGINT NOT NULL,
				anchor TEXT NOT NULL
			)`,
		},
		{ // 3: who reads the memo of a payment to content
			`CREATE TABLE content_authors (
				chain   VARCHAR(64) NOT NULL,
				content VARCHAR(40) NOT NULL,
				author  BIGINT NOT NULL,
				source  TEXT NOT NULL,
				seen_at BIGINT NOT NULL,
				PRIMARY KEY (chain, content)
			)`,
		},
	}
}

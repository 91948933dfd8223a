package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// oldest is the first version of PostgreSQL that is supported.
const oldest = 140000

// strictIdle is how long, in milliseconds, a transaction that others wait for may be idle.
const strictIdle = "1000"

// sessionConfig returns config with the settings of every connection. A program that stops in the middle of a
// transaction keeps the others waiting for at most a second, and the database soon notices that a client is gone.
func sessionConfig(config *pgx.ConnConfig, use string) *pgx.ConnConfig {
	c := config.Copy()
	for name, value := range map[string]string{
		"application_name":                    "billfold " + use,
		"idle_in_transaction_session_timeout": strictIdle,
		"lock_timeout":                        "5000",
		"client_connection_check_interval":    "2000",
		"default_transaction_isolation":       "read committed",
		"statement_timeout":                   "0",
	} {
		c.RuntimeParams[name] = value
	}
	return c
}

// checkConnection returns the check of a new connection: with a database that loses what it confirmed, payments could be made twice.
func checkConnection(mayLose bool) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, c *pgx.Conn) error {
		var fsync, pages, standbys, waits string
		var version int
		var process uint32
		var recovering bool
		err := c.QueryRow(ctx, `SELECT current_setting('fsync'), current_setting('full_page_writes'),
			current_setting('synchronous_standby_names'), current_setting('synchronous_commit'),
			current_setting('server_version_num')::int, pg_is_in_recovery(), pg_backend_pid()::bigint`).
			Scan(&fsync, &pages, &standbys, &waits, &version, &recovering, &process)
		switch {
		case err != nil:
			return err
		case version < oldest:
			return &UnfitError{"it is older than PostgreSQL 14"}
		case process != c.PgConn().PID(): // the first answer came from another session than this one
			return &UnfitError{throughPooler}
		case recovering:
			return errStandby
		case fsync != "on" || pages != "on":
			return &UnfitError{"it may lose what it confirmed when the power fails: set fsync = on and full_page_writes = on"}
		case standbys == "" && !mayLose:
			return &UnfitError{"it has no synchronous standby, so a failover may lose payments: " +
				"set synchronous_standby_names, or accept the loss with --store-may-lose"}
		}
		if waits == "off" || waits == "local" || waits == "remote_write" {
			_, err = c.Exec(ctx, `SET synchronous_commit = on`)
		}
		return err
	}
}

package postgres

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"billfold/walletcore/store"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// RunsError means that another program is running as this server.
type RunsError struct {
	Name   string
	Ousted bool // this program was running as the server before
}

func (e *RunsError) Error() string {
	if e.Ousted {
		return fmt.Sprintf("another program runs as the server %q, as a copy of its folder would, so this one writes "+
			"nothing until that one ends, and then starts again; end one of the two", e.Name)
	}
	return fmt.Sprintf("the server %q of this folder is running, or was a moment ago: use that one, or end it; "+
		"if the folder was copied from another machine, remove %s from the copy", e.Name, MarkName)
}

// Is reports whether target is store.ErrPlaceTaken.
func (e *RunsError) Is(target error) bool { return target == store.ErrPlaceTaken }

// Advice returns what to do about a change that was not made.
func (e *RunsError) Advice() string { return "make the same request at another server" }

// fencedError means that other servers took this one for gone, or that another program took
// its place, and that it has a new epoch now.
type fencedError struct{}

func (fencedError) Error() string {
	return "this server was not heard from for longer than its lease, and others follow its payments now; nothing was written"
}

// Advice returns what to do about a change that was not made.
func (fencedError) Advice() string { return "make the same request again" }

// blockedError means that another server held a row or a lock for too long.
type blockedError struct{ err error }

func (blockedError) Error() string {
	return "another server is writing the same, and the store has not confirmed it yet"
}

// Cause returns the cause for store.CauseOf.
func (blockedError) Cause() string { return "has not confirmed what another server writes" }

// Advice returns what to do about a change that was not made.
func (blockedError) Advice() string { return "make the same request again" }

// Unwrap returns the error of the database.
func (e blockedError) Unwrap() error { return e.err }

// lockNotAvailable is PostgreSQL's code for a lock timeout.
const lockNotAvailable = "55P03"

// blocked turns a lock timeout into a blockedError and returns other errors unchanged.
func blocked(err error) error {
	if _, known := errors.AsType[blockedError](err); known || !isCode(err, lockNotAvailable) {
		return err
	}
	return blockedError{err}
}

// FolderError means that the server's folder, where its mark is, cannot be used.
type FolderError struct{ Err error }

func (e *FolderError) Error() string {
	return "the server's folder cannot be used: " + e.Err.Error()
}

// Unwrap returns the error of the system.
func (e *FolderError) Unwrap() error { return e.Err }

// UnfitError means that the configuration of a database makes it unfit for payments.
type UnfitError struct{ Why string }

func (e *UnfitError) Error() string { return fmt.Sprintf("the store cannot be used: %s", e.Why) }

// Cause returns the cause for store.CauseOf: these reasons name no address, user or file.
func (e *UnfitError) Cause() string { return "is not fit to be used: " + e.Why }

// Advice returns what to do about a change that was not made.
func (e *UnfitError) Advice() string { return "make the same request again once that is fixed" }

// unreachable returns the error for a database that does not answer or does not serve.
func unreachable(config *pgx.ConnConfig, err error) error {
	if _, unfit := errors.AsType[*UnfitError](err); unfit {
		return err
	}
	if _, known := errors.AsType[*store.AwayError](err); known {
		return err
	}
	if why, is := refusal(config, err); why != "" {
		return &store.AwayError{At: displayName(config), Why: why, Refuses: true, CauseText: is, Err: err,
			Passing: isCode(err, "57P03", "53300", "25006") || errors.Is(err, errStandby)}
	}
	return &store.AwayError{At: displayName(config), Why: oneLine(err), Err: err}
}

// explain turns an error of the database into a sentence, if it is one of the connection or a known refusal.
func explain(config *pgx.ConnConfig, err error) error {
	if err == nil {
		return nil
	}
	if why, _ := refusal(config, err); why == "" && !isConnectionError(err) {
		return err
	}
	return unreachable(config, err)
}

// undefinedTable is PostgreSQL's code for a missing table.
const undefinedTable = "42P01"

func isCode(err error, codes ...string) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return false
	}
	for _, code := range codes {
		if e.Code == code {
			return true
		}
	}
	return false
}

// isConnectionError reports whether an error is one of the connection, or of a database that is shutting down or starting up.
func isConnectionError(err error) bool {
	if err == nil {
		return false
	}
	if _, ok := errors.AsType[*store.AwayError](err); ok {
		return true
	}
	if _, own := errors.AsType[*FolderError](err); own {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch e.Code {
		case "57P01", "57P02", "57P03", "57P05", "25P03", "53300", "25006": // stopping, starting, idle timeout, connections, read only
			return true
		}
		return e.Severity == "FATAL"
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err)
}

// isPassing reports whether a transaction that failed with err, and left nothing behind, may succeed in a moment.
func isPassing(err error) bool {
	return isConnectionError(err) || isCode(err, "40001", "40P01", "55P03")
}

// isRefusedCommit reports whether the answer to COMMIT proves that nothing of it was made: what a constraint or a trigger refuses that is
// only checked then. Other errors may come after the commit was made.
func isRefusedCommit(err error) bool {
	e, is := errors.AsType[*pgconn.PgError](err)
	if !is || e.Severity != "ERROR" || len(e.Code) != 5 {
		return false
	}
	switch e.Code[:2] {
	case "22", "23", "42", "44", "P0": // data, integrity, names and rights, WITH CHECK OPTION, PL/pgSQL
		return true
	}
	return false
}

var errWarned = errors.New("it made the commit and did not wait for its standby")
var errNotMade = errors.New("the connection to the store broke, and the change was not saved")

// throughPooler is the reason why a store is not used through a pooler: the settings and locks of a session
// belong to somebody else at the next statement.
const throughPooler = "it is reached through a pooler such as pgbouncer, and servers rely on sessions of their own: " +
	"give the address of PostgreSQL itself; each server takes up to ten connections"

// diskFull is PostgreSQL's code for a full disk.
const diskFull = "53100"

// refusal returns in one sentence why a database that answers does not serve, and what to do about it, and its cause for
// store.CauseOf; "" if err is something else. It repeats nothing secret.
func refusal(config *pgx.ConnConfig, err error) (why, is string) {
	if wrong, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fmt.Sprintf("its certificate cannot be verified: %v; %s", wrong.Err, certificateAdvice(wrong.Err)),
			"has a certificate that cannot be verified"
	}
	said, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return wrongServer(config, err)
	}
	switch said.Code {
	case "08P01":
		if strings.Contains(said.Message, "startup parameter") { // PostgreSQL itself knows all that are sent
			return throughPooler, "is reached through a pooler"
		}
	case "3D000":
		return fmt.Sprintf("it has no database %q; make it, or correct the address", cmp.Or(config.Database, config.User)),
			"has no database of that name"
	case "25006":
		return standbyText, standbyCause
	case "42704":
		return fmt.Sprintf("it does not know all settings in the address (%s); correct the part after the question mark", said.Message),
			"does not know all settings in its address"
	case "28000", "28P01":
		return fmt.Sprintf("it does not let the user %q in (%s); correct the address or the password, "+
			"or let the user in with pg_hba.conf",
			config.User, said.Message), "does not let this server in"
	case "3F000":
		return "it has no schema where the address looks (" + said.Message + "); make it, or leave search_path out of the address",
			"has no schema where its address looks"
	case "57P03":
		return "it accepts no connections yet (" + said.Message + "); everything continues once it does; if that lasts, its log says " +
			"why, such as a full disk", "has not started yet"
	case "42501":
		return fmt.Sprintf("the user %q may not use it (%s); use the one that owns the database", config.User, said.Message),
			"does not let this server in"
	case diskFull:
		return "its disk is full (" + said.Message + "); make room, and everything continues", "has a full disk"
	case "53300":
		return "it has no connection left (" + said.Message + "); raise max_connections: each server takes up to ten",
			"has no connection left"
	}
	return "", ""
}

// certificateAdvice returns what to do about a database's certificate.
func certificateAdvice(err error) string {
	if _, name := errors.AsType[x509.HostnameError](err); name {
		return "give the host in the address as the certificate names it, or give the database a certificate that names this one"
	}
	if invalid, is := errors.AsType[x509.CertificateInvalidError](err); is && invalid.Reason == x509.Expired {
		return "give the database a certificate that is valid now, or set this machine's clock"
	}
	return "name the authority that signed it with sslrootcert in the address"
}

const (
	standbyText  = "it is a standby, which takes no changes; give the address of the primary, or of both with a comma between them"
	standbyCause = "is a standby, which takes no changes"
	severalCause = "has a standby, which takes no changes, and no primary that can be reached"
)

// wrongServer is refusal for an address that leads to something other than the primary. pgx has no distinct errors for these cases.
func wrongServer(config *pgx.ConnConfig, err error) (why, is string) {
	text := oneLine(err)
	standby := strings.Contains(text, "read only connection") || errors.Is(err, errStandby)
	switch {
	case standby && severalHosts(config):
		return "none of its addresses takes changes: one is a standby, and another cannot be reached (" + text +
			"); bring the primary back, or promote the standby", severalCause
	case standby:
		return standbyText, standbyCause
	case strings.Contains(text, "server refused TLS connection"):
		return "it takes no encrypted connections; set ssl = on there, with a certificate that names the host",
			"takes no encrypted connections"
	}
	return "", ""
}

// severalHosts reports whether an address names more than one server.
func severalHosts(config *pgx.ConnConfig) bool {
	return slices.ContainsFunc(config.Fallbacks, func(o *pgconn.FallbackConfig) bool {
		return o.Host != config.Host || o.Port != config.Port
	})
}

// errStandby means that a database server accepts no changes.
var errStandby = errors.New("this server of the database is a standby, which takes no changes")

// oneLine returns the text of a connection error, which may list every address that was tried, on one line.
func oneLine(err error) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "\n", "; ")), " ")
}

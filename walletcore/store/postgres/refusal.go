package postgres

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// throughPooler is why a store is not used through a pooler: the settings and locks of a session
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
)

// wrongServer is refusal for an address that leads to something other than the primary. pgx has no distinct errors for these cases.
func wrongServer(config *pgx.ConnConfig, err error) (why, is string) {
	text := oneLine(err)
	standby := strings.Contains(text, "read only connection") || errors.Is(err, errStandby)
	switch {
	case standby && severalHosts(config):
		return "none of its addresses takes changes: one is a standby, and another cannot be reached (" + text +
			"); bring the primary back, or promote the standby", standbyCause
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

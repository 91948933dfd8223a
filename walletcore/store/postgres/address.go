package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Is reports whether the address of a store is that of a PostgreSQL database.
func Is(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// HasPassword reports whether an address contains a password, which other users of the machine can read in the process list.
func HasPassword(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	_, given := u.User.Password()
	return given || u.Query().Has("password") || u.Query().Has("sslpassword")
}

// CheckAddress returns why an address cannot be used. Its errors never repeat a password.
func CheckAddress(address string) error {
	_, err := configOf(address)
	return err
}

var errAddress = errors.New("write the address of the store like postgres://user@host:5432/database")

// connectTimeout limits how long a database server may take to answer a connection attempt.
const connectTimeout = 3 * time.Second

// configOf parses an address. Whatever leaves the machine is encrypted, and the other end has to prove its name, because
// the answers to queries decide which payments are made.
func configOf(address string) (*pgx.ConnConfig, error) {
	address = strings.TrimSpace(address) // a file that sets a variable may end in a newline
	u, err := url.Parse(address)
	if err != nil || !Is(address) {
		return nil, errAddress // the error of url.Parse repeats the password
	}
	query := u.Query()
	if !query.Has("sslmode") {
		query.Set("sslmode", defaultSSLMode(u))
	}
	u.RawQuery = query.Encode()
	config, err := pgx.ParseConfig(u.String())
	if err == nil {
		err = checkKey(query.Get("sslkey"))
	}
	if why := errors.Unwrap(err); why != nil && strings.Contains(err.Error(), "failed to configure TLS") {
		return nil, fmt.Errorf("the address names a certificate or a key that cannot be used: %w", why)
	}
	if _, parsing := errors.AsType[*pgconn.ParseConfigError](err); parsing {
		return nil, fmt.Errorf("%w: %w", errAddress, err) // pgx's error hides the password
	}
	if err != nil {
		return nil, err
	}
	if err := errors.Join(checkProtected(&config.Config), checkRuntime(config.RuntimeParams), checkPasswordFile(u, config)); err != nil {
		return nil, err
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if config.ValidateConnect == nil { // of several hosts, use the one that accepts writes
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	config.DialFunc = dial
	return config, nil
}

// checkKey refuses the key of a client certificate that other users can read, as PostgreSQL's own programs do. A group
// may read it, because the key may be the machine's.
func checkKey(path string) error {
	if path == "" || runtime.GOOS == "windows" {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("the key of the client certificate cannot be read: %w", err)
	}
	if info.Mode().Perm()&0o037 != 0 {
		return fmt.Errorf("the key of the client certificate (%s) can be read or changed by other users; chmod 600 %s", path, path)
	}
	return nil
}

// checkPasswordFile refuses a password from a file that other users can read; PostgreSQL's own programs do not use one either.
func checkPasswordFile(u *url.URL, config *pgx.ConnConfig) error {
	_, given := u.User.Password()
	if given || u.Query().Has("password") || os.Getenv("PGPASSWORD") != "" || config.Password == "" || runtime.GOOS == "windows" {
		return nil
	}
	home, _ := os.UserHomeDir() // without one there is no such file
	path := cmp.Or(u.Query().Get("passfile"), os.Getenv("PGPASSFILE"), filepath.Join(home, ".pgpass"))
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("the password file (%s) can be read or changed by other users; chmod 600 %s", path, path)
	}
	return nil
}

// checkRuntime refuses database settings that servers rely on, such as how long a commit may take and whether it is on
// disk. Another schema or time zone changes nothing.
func checkRuntime(params map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !slices.Contains([]string{"application_name", "search_path", "timezone", "datestyle"}, strings.ToLower(name)) {
			return fmt.Errorf("the address of the store (or PGOPTIONS) has the setting %q, which is not a connection setting, or "+
				"one that servers set themselves; correct it or leave it out", name)
		}
	}
	return nil
}

// defaultSSLMode returns the sslmode to use if the address has none.
func defaultSSLMode(u *url.URL) string {
	for host := range strings.SplitSeq(u.Host, ",") {
		if !isLocal(hostOf(host, u.Query().Get("host"))) {
			return "verify-full"
		}
	}
	return "disable"
}

// hostOf returns the name of a host without its port, or inQuery if host is empty.
func hostOf(host, inQuery string) string {
	if host == "" {
		return inQuery
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// isLocal reports whether traffic to a host stays on this machine. An empty host is a unix socket.
func isLocal(host string) bool {
	return host == "" || host == "localhost" || strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") ||
		net.ParseIP(host).IsLoopback()
}

// checkProtected refuses connections that somebody on the way could read or answer.
func checkProtected(config *pgconn.Config) error {
	check := func(host string, encrypted, verified bool) error {
		if isLocal(host) || encrypted && verified {
			return nil
		}
		return fmt.Errorf("the connection to the store at %s would not be protected; leave sslmode out, or set sslmode=verify-full", host)
	}
	err := check(config.Host, config.TLSConfig != nil, config.TLSConfig != nil && !config.TLSConfig.InsecureSkipVerify)
	for _, f := range config.Fallbacks {
		if err == nil {
			err = check(f.Host, f.TLSConfig != nil, f.TLSConfig != nil && !f.TLSConfig.InsecureSkipVerify)
		}
	}
	return err
}

// displayName returns a store's name for people, without secrets.
func displayName(config *pgx.ConnConfig) string {
	hosts := []string{hostPort(config.Host, config.Port)}
	for _, f := range config.Fallbacks {
		if at := hostPort(f.Host, f.Port); !slices.Contains(hosts, at) {
			hosts = append(hosts, at)
		}
	}
	return "postgres://" + strings.Join(hosts, ",") + "/" + config.Database
}

func hostPort(host string, port uint16) string {
	if strings.HasPrefix(host, "/") {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

// DisplayName returns the name of the store at address, without secrets.
func DisplayName(address string) (string, error) {
	config, err := configOf(address)
	if err != nil {
		return "", err
	}
	return displayName(config), nil
}

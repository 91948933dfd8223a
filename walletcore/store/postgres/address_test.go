package postgres

import (
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/store"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestALineThatOthersCouldReadIsRefused(t *testing.T) {
	for address, fits := range map[string]bool{
		"postgres://billfold@127.0.0.1:5432/wallet":                                true,
		"postgres://billfold@localhost/wallet":                                     true,
		"postgres://billfold@[::1]:5432/wallet":                                    true,
		"postgres://billfold@/wallet?host=/run/postgresql":                         true,
		"postgresql://billfold@db.example/wallet":                                  true,
		"postgres://billfold@db.example/wallet?sslmode=verify-full":                true,
		"postgres://billfold@a.example,b.example/wallet?target_session_attrs=any":  true,
		"postgres://billfold@db.example/wallet?sslmode=require":                    false,
		"postgres://billfold@db.example/wallet?sslmode=verify-ca":                  false,
		"postgres://billfold@db.example/wallet?sslmode=prefer":                     false,
		"postgres://billfold@db.example/wallet?sslmode=disable":                    false,
		"postgres://billfold@127.0.0.1,db.example/wallet?sslmode=disable":          false,
		"postgres://billfold@/wallet?host=db.example&sslmode=disable":              false,
		"mysql://billfold@db.example/wallet":                                       false,
		"db.example":                                                               false,
		"postgres://billfold:secret%zz@db.example/wallet":                          false,
		"postgres://billfold:secret@db.example/wallet?sslmode=require":             false,
		"postgres://billfold@db.example/wallet?password=secret&sslmode=no-such-it": false,
	} {
		err := CheckAddress(address)
		if (err == nil) != fits {
			t.Errorf("%s: %v", address, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%v tells the password", err)
		}
	}
}

func TestAPasswordInAnAddressIsSeen(t *testing.T) {
	for address, has := range map[string]bool{
		"postgres://billfold@db.example/wallet":            false,
		"postgres://billfold:x@db.example/wallet":          true,
		"postgres://billfold:@db.example/wallet":           true,
		"postgres://db.example/wallet?password=x":          true,
		"postgres://db.example/wallet?sslpassword=x":       true,
		"postgres://db.example/wallet?passfile=%2Fsecrets": false,
	} {
		if HasPassword(address) != has {
			t.Errorf("%s: %v", address, !has)
		}
	}
}

// Files that an address names are told by themselves, without the whole address; the key of a client is its own.
func TestFilesOfAnAddressAreChecked(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	const at = "postgres://billfold@db.example/wallet?"
	for address, want := range map[string]string{
		at + "sslrootcert=/no/such/file":                 "names a certificate or a key that cannot be used",
		at + "sslcert=/no/such/file&sslkey=/no/such/key": "names a certificate or a key that cannot be used",
		at + "sslcert=/no/such/file":                     "names a certificate or a key that cannot be used",
	} {
		if err := CheckAddress(address); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "db.example") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	for mode, fits := range map[os.FileMode]bool{0o644: false, 0o660: false, 0o640: true, 0o600: true} {
		if err := os.Chmod(key, mode); err != nil {
			t.Fatal(err)
		}
		if err := checkKey(key); (err == nil) != fits {
			t.Errorf("with %o: %v", mode, err)
		}
	}
}

// What servers rely on is not for an address to change, and a misspelt word of one is found before anything is asked.
func TestAnAddressSetsNothingThatServersRelyOn(t *testing.T) {
	for setting, fits := range map[string]bool{
		"application_name=x": true, "search_path=billfold": true, "TimeZone=UTC": true,
		"sslmod=disable": false, "statement_timeout=10": false, "default_transaction_read_only=on": false, "synchronous_commit=off": false,
		"options=-c%20transaction_timeout%3D10": false,
	} {
		if err := CheckAddress("postgres://billfold@db.example/wallet?" + setting); (err == nil) != fits {
			t.Errorf("%s: %v", setting, err)
		}
	}
	t.Setenv("PGOPTIONS", "-c statement_timeout=10")
	if err := CheckAddress("postgres://billfold@db.example/wallet"); err == nil {
		t.Error("PGOPTIONS are used")
	}
}

// A password in a file is used where nobody else can read it.
func TestAPasswordFileIsTheUsersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files there have no such rights")
	}
	named, fromEnvironment := filepath.Join(t.TempDir(), "named"), filepath.Join(t.TempDir(), "environment")
	for _, path := range []string{named, fromEnvironment} {
		if err := os.WriteFile(path, []byte("*:*:*:*:secret\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PGPASSFILE", fromEnvironment)
	const address = "postgres://billfold@db.example/wallet"
	for path, address := range map[string]string{named: address + "?passfile=" + named, fromEnvironment: address} {
		for mode, fits := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o640: false, 0o604: false} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			if err := CheckAddress(address); (err == nil) != fits || err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("%s with %o: %v", address, mode, err)
			}
		}
		t.Setenv("PGPASSWORD", "another") // and the file is not read
		if err := CheckAddress(address); err != nil {
			t.Error(err)
		}
		t.Setenv("PGPASSWORD", "")
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// What is wrong with a certificate decides what is to be done.
func TestAdviceOnCertificates(t *testing.T) {
	for want, err := range map[string]error{
		"as the certificate names it": x509.HostnameError{Certificate: new(x509.Certificate), Host: "db"},
		"that is valid now":           x509.CertificateInvalidError{Reason: x509.Expired},
		"sslrootcert":                 x509.UnknownAuthorityError{},
	} {
		if got := certificateAdvice(err); !strings.Contains(got, want) {
			t.Errorf("of %v it says %q", err, got)
		}
	}
}

// A store that takes no change says why, in words that name nothing, until it took one: that it can be read is not enough.
func TestWhyNothingIsTakenIsKept(t *testing.T) {
	config, err := configOf("postgres://somebody@db.example/wallet")
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]string{
		"25006": "is a standby, which takes no changes", "28P01": "does not let this server in",
	} {
		var h health
		h.recordRefusal(unreachable(config, &pgconn.PgError{Code: code, Message: "somebody at db.example"}))
		h.recordMeta(meta{id: "a"})
		if got := store.CauseOf(h.fault("")); got != want {
			t.Errorf("%s: it says %q", code, got)
		}
		h.recordCommit(mark{Number: 1}, h.lastWritten())
		if err := h.fault(""); err != nil {
			t.Errorf("%s: after a commit it says %v", code, err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		var h health
		h.recordRefusal(unreachable(config, &pgconn.PgError{Code: diskFull}))
		if h.recordCommit(mark{Number: 1}, time.Time{}); store.CauseOf(h.fault("")) != "has a full disk" {
			t.Errorf("after a commit that needs no room it says %v", h.fault(""))
		}
		time.Sleep(fullFor)
		if h.recordCommit(mark{Number: 2}, time.Time{}); h.fault("") != nil {
			t.Errorf("a disk is full for ever: %v", h.fault(""))
		}
	})
	var h health
	h.recordUnreachable(unreachable(config, os.ErrDeadlineExceeded))
	if err := h.fault(""); !store.IsAway(err) || store.CauseOf(err) != "" {
		t.Errorf("of a store that does not answer it says %v", err)
	}
	if h.recordMeta(meta{id: "a"}); h.fault("") != nil {
		t.Error("a store that was not to be read, and is, is still away")
	}
}

// Callers are told of a database without its addresses and the role, however the connection failed.
func TestCallersLearnNoAddress(t *testing.T) {
	config, err := configOf("postgres://billfold@10.0.0.1,10.0.0.2/wallet")
	if err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]string{
		"failed to connect to `user=billfold database=wallet`: 10.0.0.1:5432: dial tcp 10.0.0.1:5432: refused 10.0.0.2:5432: ValidateConnect failed: read only connection": "has a standby",
		"failed to connect to `user=billfold database=wallet`: dial tcp 10.0.0.1:5432: connect: connection refused":                                                        "does not answer",
	} {
		failure := unreachable(config, errors.New(said))
		if !strings.Contains(failure.Error(), "10.0.0.1") {
			t.Errorf("the operator learns only %v", failure)
		}
		told := fault.Store(failure).Message
		if !strings.Contains(told, want) || strings.Contains(told, "10.0.0") || strings.Contains(told, "user") || strings.Contains(told, "wallet") {
			t.Errorf("callers learn %q", told)
		}
	}
}

// The reason of a hold names a server as the store does, not as its machine is called.
func TestAHoldNamesTheServerAsTheStoreDoes(t *testing.T) {
	w := &writer{core: &core{}}
	for _, there := range []*serverRow{{name: "pay-1", number: 1}, {name: "pay-1", number: 5}} {
		if why := w.describeLoss(mark{Number: 5, Nonce: "a"}, there); !strings.Contains(why, "the server pay-1") {
			t.Errorf("it says %q", why)
		}
	}
	w.called = "pay-1"
	if why := w.describeLoss(mark{Number: 5}, nil); !strings.Contains(why, "the server pay-1,") {
		t.Errorf("it says %q", why)
	}
}

package postgres_test

import (
	"net/url"
	"strings"
	"testing"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
)

// A connection that is to be verified leads to the server that the certificate names, or nowhere.
func TestTheServerOfTheDatabaseIsVerified(t *testing.T) {
	c := storetest.Start(t)
	plain := storetest.Start(t)
	authority, other := c.Encrypt(), storetest.Start(t).Encrypt()
	address := c.Database()
	with := func(address, host, mode, authority string) string {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		u.Host = strings.Replace(u.Host, "127.0.0.1", host, 1)
		u.RawQuery = url.Values{"sslmode": {mode}, "sslrootcert": {authority}}.Encode()
		return u.String()
	}
	o := postgres.Options{Folder: t.TempDir(), MayLose: true, Lease: lease}
	good := with(address, "127.0.0.1", "verify-full", authority)
	if err := o.Init(t.Context(), good, store.NewID(), nil); err != nil {
		t.Fatal(err)
	}
	s, err := o.Open(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Journal.Add(t.Context(), payment(1, "k")); err != nil {
		t.Error(err)
	}
	const bare = "SELECT COUNT(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'billfold' AND NOT ssl"
	if open := c.Admin(bare); open != "0" {
		t.Errorf("%s connections are not encrypted", open)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for why, bad := range map[string]string{
		"another authority":    with(address, "127.0.0.1", "verify-full", other),
		"another name":         with(address, "localhost", "verify-full", authority),
		"a server without TLS": with(plain.Database(), "127.0.0.1", "verify-full", authority),
		"no such authority":    with(address, "127.0.0.1", "verify-full", "/no/such/file"),
	} {
		opened, err := o.Open(t.Context(), bad)
		if err == nil {
			_ = opened.Close()
			t.Errorf("%s is let through", why)
		}
		t.Logf("%s: %v", why, err)
	}
}

package rpcserver_test

import (
	"bytes"
	"crypto/x509"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"billfold/rpcserver/auth/certificate"
)

func ownCertificate(t *testing.T, folder string, hosts ...string) *certificate.Identity {
	t.Helper()
	id, err := certificate.Own(folder, hosts, nil)
	must(t, err)
	return id
}

func TestIdentityIsKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	first := ownCertificate(t, folder, "pay.example:8093", "10.0.0.5", ":8093", "")
	again := ownCertificate(t, folder, "other.example")
	if first.Fingerprint() != again.Fingerprint() || first.Pin() != again.Pin() {
		t.Error("a second start has another certificate")
	}
	if !regexp.MustCompile(`^([0-9A-F]{2}:){31}[0-9A-F]{2}$`).MatchString(first.Fingerprint()) ||
		!strings.HasPrefix(first.Pin(), "sha256//") {
		t.Errorf("%s %s", first.Fingerprint(), first.Pin())
	}
	served, err := first.Config().GetCertificate(nil)
	must(t, err)
	leaf, err := x509.ParseCertificate(served.Certificate[0])
	must(t, err)
	for _, host := range []string{"localhost", "127.0.0.1", "::1", "pay.example", "10.0.0.5"} {
		if err := leaf.VerifyHostname(host); err != nil {
			t.Error(err)
		}
	}
	if ownCertificate(t, t.TempDir()).Fingerprint() == first.Fingerprint() {
		t.Error("two wallets have one certificate")
	}
	if len(leaf.SubjectKeyId) == 0 || !bytes.Equal(leaf.SubjectKeyId, leaf.AuthorityKeyId) {
		t.Errorf("its key is named %x, its issuer's %x: OpenSSL takes another certificate of the name for its issuer", leaf.SubjectKeyId, leaf.AuthorityKeyId)
	}
}

func TestKeysThatCannotBeTrusted(t *testing.T) {
	folder := t.TempDir()
	ownCertificate(t, folder)
	cert, key := filepath.Join(folder, "rpc-cert.pem"), filepath.Join(folder, "rpc-key.pem")
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key's mode is %v (%v)", info.Mode(), err)
	}
	if err := os.Chmod(key, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := certificate.Own(folder, nil, nil); err == nil || !strings.Contains(err.Error(), "chmod go=") {
		t.Errorf("a key others may read: %v", err)
	}
	ours := func(fs.FileInfo) bool { return true }
	if _, err := certificate.Own(folder, nil, ours); err != nil {
		t.Errorf("a key that a trusted group may read: %v", err)
	}
	must(t, os.Chmod(key, 0o644))
	if _, err := certificate.Own(folder, nil, ours); err == nil {
		t.Error("a key that everybody may read is accepted for its group")
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(cert)
	if _, err := certificate.Own(folder, nil, nil); err == nil {
		t.Error("a certificate without key was used")
	}
	if after, _ := os.ReadFile(cert); string(after) != string(before) {
		t.Error("the certificate was replaced")
	}
	other := t.TempDir()
	ownCertificate(t, other)
	if _, err := certificate.Load(cert, filepath.Join(other, "rpc-key.pem"), nil); err == nil {
		t.Error("a certificate with the key of another was used")
	}
}

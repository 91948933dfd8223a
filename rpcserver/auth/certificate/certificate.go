// Package certificate provides the TLS identity of the RPC server: the operator's own
// certificate, or a self-signed one that is made once and kept, with a fingerprint that
// clients can pin. It promises that the self-signed certificate never changes, so that a
// pin stays valid, and refuses a private key that others may read.
package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"billfold/ledger/usertext"
	"billfold/osfile"
)

// lifetime is that of a self-signed certificate. It is long because clients trust the pin, not the date.
const lifetime = 20 * 365 * 24 * time.Hour

// Identity is a certificate with its private key, in two files.
type Identity struct {
	certFile, keyFile string
	shared            func(fs.FileInfo) bool
	pair              atomic.Pointer[tls.Certificate] // with its leaf

	clientCA string // the file of the CAs that sign the certificates of clients; "" = clients need none
	clients  atomic.Pointer[x509.CertPool]
}

// Load reads a certificate and its key from PEM files. It fails if the two do not
// belong together or if others may use the key. A group may read it if shared
// accepts the key file; nil = no group may.
func Load(certFile, keyFile string, shared func(fs.FileInfo) bool) (*Identity, error) {
	i := &Identity{certFile: certFile, keyFile: keyFile, shared: shared}
	if err := i.Reread(); err != nil {
		return nil, err
	}
	return i, nil
}

// Reread reads all files again, for connections from now on. If it returns an error, nothing has changed.
func (i *Identity) Reread() error {
	certFile, keyFile, shared := i.certFile, i.keyFile, i.shared
	info, err := os.Stat(keyFile)
	if err != nil {
		return fmt.Errorf("the TLS key cannot be read: %w", err)
	}
	if who := osfile.Exposure(keyFile, info, shared); who != "" {
		return fmt.Errorf("the TLS key %s can be used by others (%s); run: %s, or trust its group with --trust-group", keyFile, who, osfile.Closing(keyFile))
	}
	certText, err := readPEM("TLS certificate", certFile, usertext.DecodeCertificates)
	if err != nil {
		return err
	}
	keyText, err := readPEM("TLS key", keyFile, usertext.DecodePrivateKey)
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(certText, keyText)
	clear(keyText)
	if err != nil {
		return fmt.Errorf("the TLS certificate %s with the key %s cannot be used: %s; name the two that were made for each other", certFile, keyFile,
			strings.TrimPrefix(err.Error(), "tls: "))
	}
	clients := i.clients.Load()
	if i.clientCA != "" {
		if clients, err = readCAs(i.clientCA); err != nil {
			return err
		}
	}
	i.pair.Store(&pair)
	i.clients.Store(clients)
	return nil
}

// AskClients has Config ask clients for a certificate that one of the CAs in a PEM file signed.
func (i *Identity) AskClients(path string) error {
	i.clientCA = path
	return i.Reread()
}

// verifyClient refuses a client whose certificate none of the present CAs signed.
func (i *Identity) verifyClient(state tls.ConnectionState) error {
	between := x509.NewCertPool()
	for _, c := range state.PeerCertificates[1:] {
		between.AddCert(c)
	}
	_, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: i.clients.Load(), Intermediates: between,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return err
}

// Own returns the identity in folder, from rpc-cert.pem and rpc-key.pem. If neither
// exists, it makes a self-signed one for this machine's loopback names and hosts.
func Own(folder string, hosts []string, shared func(fs.FileInfo) bool) (*Identity, error) {
	certFile, keyFile := filepath.Join(folder, "rpc-cert.pem"), filepath.Join(folder, "rpc-key.pem")
	_, noCert := os.Stat(certFile)
	_, noKey := os.Stat(keyFile)
	if errors.Is(noCert, fs.ErrNotExist) && errors.Is(noKey, fs.ErrNotExist) {
		if err := generate(certFile, keyFile, hosts); err != nil {
			return nil, fmt.Errorf("a TLS certificate cannot be made in %s: %w", folder, err)
		}
	}
	return Load(certFile, keyFile, shared)
}

func generate(certFile, keyFile string, hosts []string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	der, err := selfSigned(key, hosts, time.Now())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(keyFile), 0o700); err != nil {
		return err
	}
	// The key first: a certificate without its key is of no use.
	if err := writePEM(keyFile, "PRIVATE KEY", keyDER, 0o600); err != nil {
		return err
	}
	return writePEM(certFile, "CERTIFICATE", der, 0o644)
}

func selfSigned(key *ecdsa.PrivateKey, hosts []string, now time.Time) ([]byte, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(public)
	id := sum[:20] // RFC 7093: clients that trust this certificate and the one before, which has the same name, tell them apart by it
	template := &x509.Certificate{
		SubjectKeyId: id, AuthorityKeyId: id,
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Billfold wallet RPC"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(lifetime),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	for _, host := range append([]string{"localhost", "127.0.0.1", "::1"}, hosts...) {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else if host != "" {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	return x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
}

// writePEM writes a new file. It fails if the file exists.
func writePEM(path, kind string, der []byte, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	return errors.Join(pem.Encode(f, &pem.Block{Type: kind, Bytes: der}), f.Sync(), f.Close())
}

// Config returns the TLS configuration of a server with this identity.
func (i *Identity) Config() *tls.Config {
	config := &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return i.pair.Load(), nil },
		MinVersion: tls.VersionTLS12}
	if i.clientCA != "" { // verified here, as the CAs may change; nor is a client told which they are
		config.ClientAuth, config.VerifyConnection = tls.RequireAnyClientCert, i.verifyClient
		config.SessionTicketsDisabled = true // a client with a new certificate would go on with the session of the one before
	}
	return config
}

// Ends returns when the certificate ends.
func (i *Identity) Ends() time.Time { return i.pair.Load().Leaf.NotAfter }

// Fingerprint returns the SHA-256 of the certificate, in the form of FingerprintOf.
func (i *Identity) Fingerprint() string { return FingerprintOf(i.pair.Load().Leaf) }

// FingerprintOf returns the SHA-256 of a certificate in hexadecimal, with colons, for people to compare.
func FingerprintOf(c *x509.Certificate) string {
	sum := sha256.Sum256(c.Raw)
	text := strings.ToUpper(hex.EncodeToString(sum[:]))
	var parts []string
	for ; text != ""; text = text[2:] {
		parts = append(parts, text[:2])
	}
	return strings.Join(parts, ":")
}

// Pin returns the SHA-256 of the public key in the form that curl --pinnedpubkey takes.
func (i *Identity) Pin() string {
	sum := sha256.Sum256(i.pair.Load().Leaf.RawSubjectPublicKeyInfo)
	return "sha256//" + base64.StdEncoding.EncodeToString(sum[:])
}

// readPEM returns a file as PEM. what names it in the error.
func readPEM(what, path string, read func([]byte) ([]byte, error)) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the %s cannot be read: %w; check the path, and that the wallet's user may read it", what, err)
	}
	text, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("the %s %s cannot be used: %w", what, path, err)
	}
	return text, nil
}

// readCAs returns the CA certificates in a file, which sign those of clients.
func readCAs(path string) (*x509.CertPool, error) {
	text, err := readPEM("clients' CA certificate", path, usertext.DecodeCertificates)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("the certificate in %s cannot be read; name the file of the CA that signs the clients' certificates", path)
	}
	return pool, nil
}

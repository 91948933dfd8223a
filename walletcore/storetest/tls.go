//go:build linux

package storetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Encrypt makes a cluster accept only encrypted connections, with a certificate for 127.0.0.1. It returns the file of
// the certificate authority that signed it.
func (c *Cluster) Encrypt() (authority string) {
	c.t.Helper()
	now := time.Now()
	issuer := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "throw-away authority"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour)}
	issuerKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	c.must(err)
	signed, err := x509.CreateCertificate(rand.Reader, issuer, issuer, &issuerKey.PublicKey, issuerKey)
	c.must(err)
	own := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "database"}, NotBefore: now.Add(-time.Hour),
		NotAfter: now.Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature}
	ownKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	c.must(err)
	certificate, err := x509.CreateCertificate(rand.Reader, own, issuer, &ownKey.PublicKey, issuerKey)
	c.must(err)
	key, err := x509.MarshalECPrivateKey(ownKey)
	c.must(err)
	authority = filepath.Join(c.t.TempDir(), "authority.pem")
	c.must(os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), 0o600))
	for name, block := range map[string]*pem.Block{
		"server.crt": {Type: "CERTIFICATE", Bytes: certificate}, "server.key": {Type: "EC PRIVATE KEY", Bytes: key},
	} {
		path := filepath.Join(c.data(), name)
		c.must(os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
		if c.programs.as != nil {
			c.must(os.Chown(path, int(c.programs.as.Uid), int(c.programs.as.Gid)))
		}
	}
	c.Stop()
	c.configure([]string{"ssl = on"})
	c.Restart()
	return authority
}

package certificate

import (
	"crypto/x509"
	"fmt"
	"os"

	"billfold/ledger/usertext"
)

// CAs returns the CA certificates in a file, which sign those of clients.
func CAs(path string) (*x509.CertPool, error) {
	text, err := os.ReadFile(path)
	if err == nil {
		text, err = usertext.Decode(text)
	}
	if err != nil {
		return nil, fmt.Errorf("the clients' CA certificates cannot be read: %w; check the path, and that the wallet's user may read it", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s has no certificate (PEM); name the file of the CA that signs the clients' certificates", path)
	}
	return pool, nil
}

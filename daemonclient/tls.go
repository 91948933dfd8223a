package daemonclient

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"billfold/ledger/usertext"
)

// Fingerprint is the SHA-256 of a certificate; zero means none.
type Fingerprint [sha256.Size]byte

// ParseFingerprint parses 64 hexadecimal digits, with or without colons between the pairs.
func ParseFingerprint(text string) (f Fingerprint, err error) {
	raw, err := hex.DecodeString(strings.ReplaceAll(text, ":", ""))
	if err != nil || len(raw) != len(f) || strings.Count(text, ":") != 0 && strings.Count(text, ":") != len(f)-1 {
		return f, fmt.Errorf("%q is not the SHA-256 of a certificate; "+
			"write its 64 hexadecimal digits as openssl x509 -noout -fingerprint -sha256 prints them", text)
	}
	return Fingerprint(raw), nil
}

// String returns the fingerprint as openssl prints it.
func (f Fingerprint) String() string {
	pairs := make([]string, len(f))
	for i, b := range f {
		pairs[i] = fmt.Sprintf("%02X", b)
	}
	return strings.Join(pairs, ":")
}

// TLSConfig returns the settings for wss:// addresses. With neither argument, a daemon's certificate must be signed by
// one of the system's roots and name the host. caFile (PEM, one or more certificates) replaces the system's roots.
// pinned requires one certificate of every connection; without a caFile nobody else has to sign it, so a self-signed
// certificate works, and an expired one too.
//
// Errors name the setting that is wrong.
func TLSConfig(caFile string, pinned Fingerprint) (*tls.Config, error) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if caFile != "" {
		roots, err := readRoots(caFile)
		if err != nil {
			return nil, err
		}
		cfg.RootCAs = roots
	}
	if pinned != (Fingerprint{}) {
		cfg.InsecureSkipVerify = caFile == "" // the certificate itself is known
		cfg.VerifyConnection = func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) == 0 {
				return &FingerprintError{Want: pinned}
			}
			if got := Fingerprint(sha256.Sum256(s.PeerCertificates[0].Raw)); got != pinned {
				return &FingerprintError{Want: pinned, Got: got}
			}
			return nil
		}
	}
	return cfg, nil
}

func readRoots(file string) (*x509.CertPool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--daemon-ca: the certificates cannot be read: %w", err)
	}
	if text, err = usertext.DecodeCertificates(text); err != nil {
		return nil, fmt.Errorf("--daemon-ca: %s: %w", file, err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--daemon-ca: %s: its certificate cannot be read; name the file of the CA that signed the daemon's", file)
	}
	return roots, nil
}

// FingerprintError means that the daemon showed a certificate other than the pinned one. Nothing was sent to it.
type FingerprintError struct{ Want, Got Fingerprint }

func (e *FingerprintError) Error() string {
	return fmt.Sprintf("its certificate is %s, not the pinned %s; "+
		"somebody may be in between, or the daemon has a new one: check it, then change --daemon-fingerprint",
		e.Got, e.Want)
}

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/testwallet"
)

// Where clients need a certificate, one that the named CA did not sign, or none, reaches nothing.
func TestClientsWithoutTheCertificateReachNothing(t *testing.T) {
	t.Parallel()
	folder := testwallet.Folder(t)
	own, ours := authority(t)
	_, strangers := authority(t)
	ca := writeFile(t, folder, "clients.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own})))
	nothing := writeFile(t, folder, "nothing.pem", "no certificate")
	server := start(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--rpc-tls", "--rpc-client-ca="+ca)
	url := strings.TrimSuffix(server.line(`^wallet API over HTTP on (https://\S+)$`), "/rpc") + "/healthz"
	for _, c := range []struct {
		shown []tls.Certificate
		let   bool
	}{{ours, true}, {strangers, false}, {nil, false}} {
		config := &tls.Config{InsecureSkipVerify: true, Certificates: c.shown}
		client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: config}}
		said := ""
		if resp, err := client.Get(url); err == nil {
			text, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			said = string(text)
		}
		if (said == "ok\n") != c.let {
			t.Errorf("a client with %d certificates that is let in (%v) is told %q", len(c.shown), c.let, said)
		}
	}
	for args, want := range map[string]string{
		"--rpc-tls --rpc-client-ca=" + nothing:                           "it is without any PEM; name a file with a certificate",
		"--rpc-tls --rpc-client-ca=" + filepath.Join(folder, "none.pem"): "cannot be read",
		"--rpc-client-ca=" + ca:                                          "has no effect without --rpc-tls",
	} {
		out, err := processOf(append(strings.Fields(args), "--sandbox", "--rpc-http=127.0.0.1:0")).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, not %q: %s", args, err, want, out)
		}
	}
}

// authority makes a CA, and returns its certificate and one that it signed for a client.
func authority(t *testing.T) (ca []byte, client []tls.Certificate) {
	t.Helper()
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	clientKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	until := time.Now().Add(time.Hour)
	signer := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: until, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	ca, err = x509.CreateCertificate(rand.Reader, signer, signer, &caKey.PublicKey, caKey)
	must(t, err)
	one := &x509.Certificate{SerialNumber: big.NewInt(2), NotAfter: until, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	signed, err := x509.CreateCertificate(rand.Reader, one, signer, &clientKey.PublicKey, caKey)
	must(t, err)
	return ca, []tls.Certificate{{Certificate: [][]byte{signed}, PrivateKey: clientKey}}
}

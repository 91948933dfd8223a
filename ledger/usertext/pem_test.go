package usertext

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
)

// Certificates and keys are read as other programs write them, in text with marks or around it, or in DER; what is something else is named, with what
// makes one of it, and never in a library's words.
func TestCertificatesOfOtherPrograms(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	of := &x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err := x509.CreateCertificate(rand.Reader, of, of, key.Public(), key)
	must(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	ecDER, err := x509.MarshalECPrivateKey(key)
	must(t, err)
	block := func(kind string, data []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}) }
	certificate, private := block("CERTIFICATE", der), block("PRIVATE KEY", keyDER)
	forms := func(text, der []byte) map[string][]byte {
		return map[string][]byte{"PEM": text, "DER": der, "mark": append([]byte(Mark), text...), "CRLF": bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")),
			"text before":  append([]byte("Certificate:\n    Data:\n        Version: 3 (0x2)\n"), text...),
			"indented":     append([]byte("  "), bytes.ReplaceAll(text, []byte("\n"), []byte("\n  "))...),
			"DOS's end":    append(bytes.Clone(text), 0x1A),
			"key and both": append(bytes.Clone(certificate), private...), "both": append(bytes.Clone(private), certificate...)}
	}
	for name, data := range forms(certificate, der) {
		if text, err := DecodeCertificates(data); err != nil || !x509.NewCertPool().AppendCertsFromPEM(text) {
			t.Errorf("a certificate, %s: %v", name, err)
		}
	}
	for name, data := range forms(private, keyDER) {
		if text, err := DecodePrivateKey(data); err != nil {
			t.Errorf("a key, %s: %v", name, err)
		} else if _, err := tls.X509KeyPair(certificate, text); err != nil {
			t.Errorf("a key, %s: %v", name, err)
		}
	}
	if text, err := DecodePrivateKey(ecDER); err != nil || !bytes.HasPrefix(text, []byte("-----BEGIN EC PRIVATE KEY")) {
		t.Errorf("a key in the older DER: %v", err)
	}
	for want, data := range map[string][]byte{
		"it is empty": []byte(" \n"), "it is without any PEM": []byte("hello\n"), "PEM that was cut short or altered": certificate[:len(certificate)/2],
		"a private key without a certificate": private, "with the trust settings of OpenSSL": block("TRUSTED CERTIFICATE", der), "PKCS #7": block("PKCS7", der),
		"a request for a certificate": block("CERTIFICATE REQUEST", der), "PKCS #12": keyDER, "the text is UTF-16": []byte("\xff\xfe-\x00-\x00"),
	} {
		if _, err := DecodeCertificates(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for want, data := range map[string][]byte{"a certificate without its private key": certificate, "a private key that is encrypted": block("ENCRYPTED PRIVATE KEY", keyDER),
		"PKCS #12": der} {
		if _, err := DecodePrivateKey(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package usertext

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"strings"
)

const certificateType = "CERTIFICATE"

// DecodeCertificates returns a file with certificates as PEM: with marks and text around them as other programs write, or in DER. The error says what the
// file is instead; it can follow the name of the file and a colon.
func DecodeCertificates(data []byte) ([]byte, error) {
	return asPEM(data, "a certificate", func(block *pem.Block) bool { return block.Type == certificateType }, func(der []byte) string {
		if certificates, err := x509.ParseCertificates(der); err == nil && len(certificates) == 1 {
			return certificateType
		}
		return ""
	})
}

// DecodePrivateKey is DecodeCertificates for the private key of a certificate.
func DecodePrivateKey(data []byte) ([]byte, error) {
	return asPEM(data, "a private key", func(block *pem.Block) bool {
		return strings.HasSuffix(block.Type, "PRIVATE KEY") && block.Type != encryptedType && block.Headers["DEK-Info"] == ""
	}, derKeyType)
}

const encryptedType = "ENCRYPTED PRIVATE KEY"

// derKeyType returns the type that PEM has for a private key in DER, "" for anything else.
func derKeyType(der []byte) string {
	if _, err := x509.ParsePKCS8PrivateKey(der); err == nil {
		return "PRIVATE KEY"
	}
	if _, err := x509.ParseECPrivateKey(der); err == nil {
		return "EC PRIVATE KEY"
	}
	if _, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return "RSA PRIVATE KEY"
	}
	return ""
}

// asPEM returns a text with a block that is wanted, or the block of what is in DER.
func asPEM(data []byte, wanted string, is func(*pem.Block) bool, derType func([]byte) string) ([]byte, error) {
	if kind := derType(data); kind != "" {
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), nil
	}
	text, err := Decode(data)
	if err != nil {
		return nil, err
	}
	text = bytes.ReplaceAll(text, []byte("\u00a0"), []byte(" ")) // as a web page indents it
	if !bytes.HasPrefix(text, []byte("-----BEGIN ")) {           // blanks in front of its lines, as in a settings file
		lines := strings.Split(string(text), "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], " \t")
		}
		text = []byte(strings.Join(lines, "\n"))
	}
	other := ""
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if is(block) {
			return text, nil
		}
		if other == "" {
			other = block.Type
			if block.Headers["DEK-Info"] != "" {
				other = encryptedType
			}
		}
	}
	return nil, &FormatError{Name: notWanted(data, text, other), Next: "name a file with " + wanted + " as PEM or DER"}
}

// notWanted returns what a file is that has no wanted block; other is the type of its first block.
func notWanted(data, text []byte, other string) string {
	switch {
	case other == certificateType:
		return "a certificate without its private key"
	case other == encryptedType:
		return "a private key that is encrypted (openssl pkey -in FILE -out NEW decrypts it)"
	case strings.HasSuffix(other, "PRIVATE KEY"):
		return "a private key without a certificate"
	case other == "CERTIFICATE REQUEST", other == "NEW CERTIFICATE REQUEST":
		return "a request for a certificate (CSR), which a CA still has to sign"
	case other == "TRUSTED CERTIFICATE":
		return "a certificate with the trust settings of OpenSSL (openssl x509 -in FILE -out NEW leaves them out)"
	case other == "PKCS7":
		return "certificates as PKCS #7 (openssl pkcs7 -print_certs -in FILE -out NEW takes them out)"
	case other != "":
		return "PEM of another kind, " + strings.ToLower(other)
	case len(bytes.TrimSpace(text)) == 0:
		return "empty"
	case bytes.Contains(text, []byte("-----BEGIN ")):
		return "PEM that was cut short or altered"
	}
	var whole asn1.RawValue
	if rest, err := asn1.Unmarshal(data, &whole); err == nil && len(rest) == 0 && whole.Tag == asn1.TagSequence {
		return "neither in text nor in DER, but in a container such as PKCS #12 (openssl pkcs12 -in FILE -out NEW takes out what is in it)"
	}
	return "without any PEM"
}

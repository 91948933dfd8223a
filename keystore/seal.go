package keystore

import (
	"bytes"
	"crypto/rand"

	"golang.org/x/crypto/chacha20poly1305"
)

// seal encrypts with a fresh random nonce, which it puts in front.
func seal(key, plain, associated []byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	rand.Read(nonce) //nolint:errcheck // never fails, see newDerivation
	return aead.Seal(nonce, nonce, plain, associated), nil
}

// unseal is the reverse; ok is false when the key or a single bit is wrong.
func unseal(key, sealed, associated []byte) (plain []byte, ok bool) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil || len(sealed) < aead.NonceSize() {
		return nil, false
	}
	plain, err = aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], associated)
	return plain, err == nil
}

func newDataKey() []byte {
	key := make([]byte, chacha20poly1305.KeySize)
	rand.Read(key) //nolint:errcheck // never fails, see newDerivation
	return key
}

// wrap seals the data key under the password. The part of the header that
// decides the key derivation is bound to it; the rest of the header is bound to
// the payload, so that saving public data needs no password.
func wrap(d derivation, password string, dataKey []byte) ([]byte, error) {
	bound, err := encodeHeader(d, nil, nil)
	if err != nil {
		return nil, err
	}
	key := d.key(password)
	defer clear(key)
	wrapped, err := seal(key, dataKey, bound)
	if err != nil {
		return nil, err
	}
	if back, ok := unseal(key, wrapped, bound); !ok || !bytes.Equal(back, dataKey) {
		return nil, invalidError("the encrypted key cannot be decrypted again, this machine computes wrongly")
	}
	return wrapped, nil
}

// unwrap gives the data key; the caller clears it.
func (m *image) unwrap(password string) ([]byte, error) {
	bound, err := encodeHeader(m.kdf, nil, nil)
	if err != nil {
		return nil, err
	}
	key := m.kdf.key(password)
	defer clear(key)
	dataKey, ok := unseal(key, m.wrapped, bound)
	if !ok {
		return nil, wrongPasswordError()
	}
	return dataKey, nil
}

// open gives the plain payload; the caller clears it.
func (m *image) open(dataKey []byte) ([]byte, error) {
	plain, ok := unseal(dataKey, m.payload, m.head)
	if !ok {
		return nil, damagedError("it was altered after it was written")
	}
	return plain, nil
}

// sealImage makes the file of these contents.
func sealImage(d derivation, wrapped []byte, public Public, plain, dataKey []byte) (*image, error) {
	head, err := encodeHeader(d, wrapped, &public)
	if err != nil {
		return nil, err
	}
	m := &image{head: head, kdf: d, wrapped: wrapped, public: public}
	if m.payload, err = seal(dataKey, plain, head); err != nil {
		return nil, err
	}
	m.finish()
	if len(m.raw) > maxFileSize {
		return nil, invalidError("they are larger than 64 MiB")
	}
	_, err = parseImage(m.raw)
	return m, err
}

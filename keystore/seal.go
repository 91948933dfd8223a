package keystore

import (
	"bytes"
	"crypto/rand"

	"golang.org/x/crypto/chacha20poly1305"
)

// seal encrypts with a fresh random nonce, which comes first in the result.
func seal(key, plain, associated []byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	nonce := random(aead.NonceSize(), len(plain)+aead.Overhead())
	return aead.Seal(nonce, nonce, plain, associated), nil
}

// random returns size random bytes, with room for more behind them. Its length is what the system filled, so bytes that
// are not random cannot come out of it: a nonce or key that is too short is refused by the cipher.
func random(size, room int) []byte {
	b := make([]byte, size, size+room)
	n, _ := rand.Read(b) // never fails: the runtime ends the program if the system has no random bytes
	return b[:n]
}

// sealOverhead is the number of bytes by which seal's result is longer than the plain text.
const sealOverhead = chacha20poly1305.NonceSizeX + chacha20poly1305.Overhead

// unseal is the reverse of seal; ok is false if the key or a single bit is wrong.
func unseal(key, sealed, associated []byte) (plain []byte, ok bool) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil || len(sealed) < aead.NonceSize() {
		return nil, false
	}
	plain, err = aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], associated)
	return plain, err == nil
}

func newDataKey() []byte { return random(chacha20poly1305.KeySize, 0) }

// wrap seals the data key under the password. The part of the header that decides the key derivation is bound to it;
// the rest of the header is bound to the payload, so that saving public data needs no password.
func wrap(d derivation, password string, dataKey []byte) ([]byte, error) {
	bound, err := encodeHeader(d, nil, nil, 0)
	if err != nil {
		return nil, err
	}
	return wrapUnder(d, password, dataKey, bound)
}

// wrapUnder is wrap with another text that the sealed key is bound to.
func wrapUnder(d derivation, password string, dataKey, bound []byte) ([]byte, error) {
	key := d.key(password)
	defer clear(key)
	wrapped, err := seal(key, dataKey, bound)
	if err != nil {
		return nil, err
	}
	if back, ok := unseal(key, wrapped, bound); !ok || !bytes.Equal(back, dataKey) {
		return nil, invalidError("the encrypted key cannot be decrypted again; this machine miscalculates")
	}
	return wrapped, nil
}

// unwrap returns the data key; the caller clears it.
func (v *fileVersion) unwrap(password string) ([]byte, error) {
	bound, err := encodeHeader(v.kdf, nil, nil, 0)
	if err != nil {
		return nil, err
	}
	key := v.kdf.key(password)
	defer clear(key)
	dataKey, ok := unseal(key, v.wrapped, bound)
	if !ok {
		return nil, wrongPasswordError()
	}
	return dataKey, nil
}

// open returns the plain payload; the caller clears it.
func (v *fileVersion) open(dataKey []byte) ([]byte, error) {
	plain, ok := unseal(dataKey, v.payload, v.head)
	if !ok {
		return nil, damagedError("it was altered after it was written")
	}
	return plain, nil
}

// sealFile makes the file with these contents. What it returns was parsed from the bytes that it made.
func sealFile(d derivation, wrapped []byte, public Public, plain, dataKey []byte) (*fileVersion, error) {
	head, err := encodeHeader(d, wrapped, &public, roomFor(len(plain)+sealOverhead))
	if err != nil {
		return nil, err
	}
	payload, err := seal(dataKey, plain, head)
	if err != nil {
		return nil, err
	}
	raw := appendPayload(head, payload)
	if len(raw) > maxFileSize {
		return nil, invalidError("they are larger than 64 MiB")
	}
	return parseFile(raw)
}

// sealNew seals contents under a fresh salt and a fresh data key.
func sealNew(password string, params Params, public Public, plain []byte) (*fileVersion, []byte, error) {
	d, dataKey := newDerivation(params), newDataKey()
	wrapped, err := wrap(d, password, dataKey)
	if err != nil {
		return nil, dataKey, err
	}
	v, err := sealFile(d, wrapped, public, plain, dataKey)
	return v, dataKey, err
}

package ledger

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash"
	"strings"
	"sync/atomic"

	"billfold/ledger/codec"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	//lint:ignore SA1019 The ledger's key checksum is RIPEMD-160; it only guards against typing errors.
	"golang.org/x/crypto/ripemd160"
)

const (
	publicKeyPrefix   = "DCT"
	publicKeyChecksum = 4
)

// PublicKey is a compressed secp256k1 point of 33 bytes. Its text form is "DCT" and
// base58 (docs/protocol/ledger.md 4.1). The zero value is the null key, which the ledger uses for
// "no key". Bytes that are not a point of the curve are legal in a ledger object;
// computing with such a key fails with ErrPublicKeyOffCurve.
type PublicKey [33]byte

// ErrPublicKeyOffCurve is the error for a computation with a public key that is not a point of
// the curve, such as the null key.
var ErrPublicKeyOffCurve = errors.New(
	"the public key is not a point of the curve secp256k1, so nothing can be encrypted to it or checked with it; " +
		"ask its owner for the right key",
)

// ParsePublicKey reads the text form. Prefix, length and checksum must be right; the
// point is not checked. Exactly one text is accepted for each key.
func ParsePublicKey(s string) (PublicKey, error) {
	if key, known := knownKey(s); known {
		return key, nil
	}
	digits, found := strings.CutPrefix(s, publicKeyPrefix)
	if !found {
		return PublicKey{}, fmt.Errorf(
			"the public key text does not begin with %s; check that it was copied completely and belongs to this ledger",
			publicKeyPrefix,
		)
	}
	decoded, ok := decodeBase58(digits)
	if !ok || len(decoded) != len(PublicKey{})+publicKeyChecksum {
		return PublicKey{}, errors.New("the public key text has wrong characters or a wrong length; check that it was copied completely")
	}
	key := PublicKey(decoded[:len(PublicKey{})])
	if checksum := key.checksum(); !bytes.Equal(checksum[:], decoded[len(key):]) {
		return PublicKey{}, errors.New("the checksum of the public key text does not match; check it for typing errors")
	}
	remember(key, strings.Clone(s))
	return key, nil
}

// String returns the text form, which the null key has too.
func (k PublicKey) String() string {
	if text, known := knownText(k); known {
		return text
	}
	checksum := k.checksum()
	text := publicKeyPrefix + encodeBase58(append(k[:], checksum[:]...))
	remember(k, text)
	return text
}

// IsNull reports whether k is the null key.
func (k PublicKey) IsNull() bool {
	return k == PublicKey{}
}

// IsOnCurve reports whether k is a point that can be computed with.
func (k PublicKey) IsOnCurve() bool {
	_, err := k.point()
	return err == nil
}

// MarshalText returns the text form; it makes keys usable as keys of JSON objects.
func (k PublicKey) MarshalText() ([]byte, error) {
	return []byte(k.String()), nil
}

// UnmarshalText reads the text form as ParsePublicKey does.
func (k *PublicKey) UnmarshalText(text []byte) error {
	key, err := ParsePublicKey(string(text))
	if err != nil {
		return err
	}
	*k = key
	return nil
}

// MarshalJSON returns the text form in quotes.
func (k PublicKey) MarshalJSON() ([]byte, error) {
	return quoted(k.String()), nil
}

// UnmarshalJSON reads the text form in quotes; null is refused.
func (k *PublicKey) UnmarshalJSON(data []byte) error {
	text, ok := unquoted(data)
	if !ok {
		return errors.New("a public key must be a JSON string such as \"DCT6MA5T…\"")
	}
	return k.UnmarshalText(text)
}

// ComparePublicKeys compares keys in the order in which the ledger sorts them before it hashes a
// transaction: byte by byte, each as a signed number, so that 80..ff come before
// 00..7f (docs/protocol/ledger.md 4.4). The result is negative, zero or positive.
func ComparePublicKeys(a, b PublicKey) int {
	for i := range a {
		if a[i] != b[i] {
			return cmp.Compare(int8(a[i]), int8(b[i]))
		}
	}
	return 0
}

// Compare orders keys as ComparePublicKeys does.
func (k *PublicKey) Compare(other any) int { return ComparePublicKeys(*k, *other.(*PublicKey)) }

// AppendBinary appends the 33 bytes.
func (k PublicKey) AppendBinary(b []byte) ([]byte, error) { return append(b, k[:]...), nil }

// ReadBinary reads the 33 bytes.
func (k *PublicKey) ReadBinary(r *codec.Reader) error {
	data, err := r.Take(len(k))
	copy(k[:], data)
	return err
}

// AppendJSON appends the text form in quotes.
func (k PublicKey) AppendJSON(b []byte) []byte { return codec.AppendString(b, k.String()) }

// ReadJSON reads the text form in quotes.
func (k *PublicKey) ReadJSON(p *codec.Parser) error {
	text, err := p.Text()
	if err != nil {
		return err
	}
	*k, err = ParsePublicKey(text)
	return err
}

func (k PublicKey) checksum() [publicKeyChecksum]byte {
	hash := ripemd160.New()
	hash.Write(k[:])
	return [publicKeyChecksum]byte(hash.Sum(nil))
}

// point returns the key as a point of the curve.
func (k PublicKey) point() (secp256k1.JacobianPoint, error) {
	var point secp256k1.JacobianPoint
	key, err := secp256k1.ParsePubKey(k[:])
	if err != nil {
		return point, ErrPublicKeyOffCurve
	}
	key.AsJacobian(&point)
	return point, nil
}

// publicKeyOf compresses a point in affine coordinates.
func publicKeyOf(point *secp256k1.JacobianPoint) PublicKey {
	var key PublicKey
	key[0] = secp256k1.PubKeyFormatCompressedEven
	if point.Y.IsOdd() {
		key[0] = secp256k1.PubKeyFormatCompressedOdd
	}
	point.X.PutBytesUnchecked(key[1:])
	return key
}

// quoted returns text that needs no escapes as a JSON string.
func quoted(text string) []byte {
	return append(append(append(make([]byte, 0, len(text)+2), '"'), text...), '"')
}

// unquoted removes the quotes of a JSON string. It keeps escapes: none of the texts read
// this way may contain a backslash, so their parsers refuse them.
func unquoted(data []byte) ([]byte, bool) {
	if len(data) < 2 || data[0] != '"' || data[len(data)-1] != '"' {
		return nil, false
	}
	return data[1 : len(data)-1], true
}

// keyText is a cached public key with its text. Base58 and the checksum take longer than everything else that is done with a
// key in JSON, and the same keys occur again and again. Each slot holds the latest, one table by key and one by text.
type keyText struct {
	key  PublicKey
	text string
}

const knownKeys = 1 << 8 // slots; 60 kB if all are used

var (
	byKey  [knownKeys]atomic.Pointer[keyText]
	byText [knownKeys]atomic.Pointer[keyText]
)

func knownText(k PublicKey) (text string, known bool) {
	if found := byKey[slotOfKey(k)].Load(); found != nil && found.key == k {
		return found.text, true
	}
	return "", false
}

func knownKey(text string) (k PublicKey, known bool) {
	if found := byText[slotOfText(text)].Load(); found != nil && found.text == text {
		return found.key, true
	}
	return PublicKey{}, false
}

// remember caches a key and its text, which must be valid: each key has exactly one text.
func remember(k PublicKey, text string) {
	made := &keyText{k, text}
	byKey[slotOfKey(k)].Store(made)
	byText[slotOfText(text)].Store(made)
}

// slotOfKey returns the key's slot: a byte of the coordinate, which is as good as random.
func slotOfKey(k PublicKey) byte { return k[len(k)-1] }

// slotOfText returns the text's slot, from its end, which depends mostly on the checksum.
func slotOfText(text string) byte {
	if len(text) < 2 {
		return 0
	}
	return text[len(text)-1]<<4 ^ text[len(text)-2]
}

// PublicKeyTexts reads and writes the texts of many public keys without allocating for each. The zero value is
// ready for use. It is not safe for concurrent use.
type PublicKeyTexts struct {
	hash    hash.Hash
	sum     []byte
	decoded []byte
}

// Parse is ParsePublicKey; ok is false if that would fail.
func (t *PublicKeyTexts) Parse(text []byte) (key PublicKey, ok bool) {
	digits, found := bytes.CutPrefix(text, []byte(publicKeyPrefix))
	decoded, ok := appendDecodedBase58(t.decoded[:0], digits)
	if !found || !ok || len(decoded) != len(key)+publicKeyChecksum {
		return PublicKey{}, false
	}
	t.decoded = decoded
	key = PublicKey(decoded[:len(key)])
	return key, bytes.Equal(t.checksum(decoded[:len(key)]), decoded[len(key):])
}

// Append appends what String returns.
func (t *PublicKeyTexts) Append(b []byte, key PublicKey) []byte {
	t.decoded = append(t.decoded[:0], key[:]...)
	t.decoded = append(t.decoded, t.checksum(t.decoded)...)
	return appendBase58(append(b, publicKeyPrefix...), t.decoded)
}

func (t *PublicKeyTexts) checksum(key []byte) []byte {
	if t.hash == nil {
		t.hash = ripemd160.New()
	}
	t.hash.Reset()
	t.hash.Write(key)
	t.sum = t.hash.Sum(t.sum[:0])
	return t.sum[:publicKeyChecksum]
}

package ledger

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"billfold/ledger/usertext"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"golang.org/x/text/unicode/norm"
)

const (
	wifVersion    = 0x80
	wifCompressed = 0x01
	wifChecksum   = 4
	wifSize       = 1 + 32 + wifChecksum
)

// PrivateKey is a secp256k1 secret. Copies share it: Wipe clears it in all of them, even
// while others use it. Printing never shows it, and marshalling it as JSON or text fails;
// call WIF if the secret itself is wanted. Compare with Equal.
//
// The zero value, and a wiped key, is the null key: its public key is the null key, its signature
// is all zeroes, and it shares no secret with any other key.
type PrivateKey struct {
	_      [0]func() // == would compare addresses, so it does not compile
	secret *sealed[[32]byte]
}

// NewPrivateKey returns the key of a secret of 32 big-endian bytes, 0 < secret < curve order.
func NewPrivateKey(secret [32]byte) (PrivateKey, error) {
	defer clear(secret[:])
	var scalar secp256k1.ModNScalar
	defer scalar.Zero()
	if overflow := scalar.SetBytes(&secret); overflow != 0 || scalar.IsZero() {
		return PrivateKey{}, errors.New(
			"the private key is outside the range of the curve, so it cannot be a real key; check where it came from",
		)
	}
	return PrivateKey{secret: newSealed(&secret)}, nil
}

// GeneratePrivateKey makes a new random key. It fails only if the operating system
// provides no random bytes.
func GeneratePrivateKey() (PrivateKey, error) {
	for {
		var secret [32]byte
		if _, err := io.ReadFull(rand.Reader, secret[:]); err != nil {
			return PrivateKey{}, fmt.Errorf("no private key could be made: the operating system provides no random bytes: %w", err)
		}
		key, err := NewPrivateKey(secret)
		clear(secret[:])
		if err == nil {
			return key, nil
		}
	}
}

// ParseWIF reads the wallet import format (docs/protocol/ledger.md 4.2): version byte 80, the secret,
// optionally 01 (the compressed form, K… or L…, which means the same key here), and a checksum
// of SHA-256 applied twice or, as in old tools, once. Wide letters are plain ones, and blanks of any kind, invisible characters, and quotes
// around the text do not count: the checksum says what was meant. Errors never repeat the text.
func ParseWIF(s string) (PrivateKey, error) {
	if _, err := usertext.DecodeLine(s); err != nil { // UTF-16, of which each letter would be wrong
		return PrivateKey{}, err
	}
	text := plainWIF(s)
	if _, err := ParsePublicKey(text); strings.HasPrefix(text, publicKeyPrefix) && err == nil {
		return PrivateKey{}, errors.New("that is a public key, which signs nothing; a private key has 51 characters and begins with 5, or 52 and begins with K or L")
	}
	if n := len(usertext.Words(s)); n >= phraseWords && !holdsWIF(norm.NFKC.String(s[:min(len(s), 4<<10)])) {
		return PrivateKey{}, fmt.Errorf("these are %d words: a phrase is given in its own place, and a private key is one word", n)
	}
	switch at := strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII || base58Digit(byte(r)) >= 58 }); {
	case at >= 0 && holdsWIF(norm.NFKC.String(text[:min(len(text), 4<<10)])):
		return PrivateKey{}, errors.New("there is more in the text than a private key; give the key alone")
	case at >= 0:
		return PrivateKey{}, fmt.Errorf("character %d of the private key text is in no key, as are 0, O, I and l; check it for typing errors", utf8.RuneCountInString(text[:at])+1)
	}
	return parseWIF(text)
}

// parseWIF is ParseWIF of a text that has nothing around or in it.
func parseWIF(text string) (PrivateKey, error) {
	CleanStack()
	defer CleanStack()
	decoded, ok := decodeBase58(text)
	defer clear(decoded)
	if !ok || len(text) != wifLength && len(text) != wifLengthCompressed || len(decoded) != wifSize && len(decoded) != wifSize+1 {
		return PrivateKey{}, fmt.Errorf("the private key text has %d characters, and a key has %d, or %d in its compressed form; check that it was copied completely",
			len(text), wifLength, wifLengthCompressed)
	}
	payload, checksum := decoded[:len(decoded)-wifChecksum], decoded[len(decoded)-wifChecksum:]
	if !wifChecksumMatches(payload, checksum) {
		return PrivateKey{}, errors.New("the checksum of the private key text does not match; check it for typing errors")
	}
	if payload[0] != wifVersion || (len(decoded) > wifSize && payload[33] != wifCompressed) {
		return PrivateKey{}, errors.New(
			"the text is not a private key in wallet import format but something else; a key begins with 5, K or L",
		)
	}
	secret := [32]byte(payload[1:])
	defer clear(secret[:])
	return NewPrivateKey(secret)
}

// plainWIF returns the characters of a private key as they were meant.
func plainWIF(s string) string {
	if s = usertext.Trim(s); strings.Trim(s, base58Alphabet) == "" {
		return s
	}
	return strings.Map(func(r rune) rune {
		if usertext.IsBlank(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, strings.Trim(norm.NFKC.String(s), "\"'`“”„‘’«»「」『』"))
}

func wifChecksumMatches(payload, checksum []byte) bool {
	once := sha256.Sum256(payload)
	twice := sha256.Sum256(once[:])
	return bytes.Equal(twice[:wifChecksum], checksum) || bytes.Equal(once[:wifChecksum], checksum)
}

// DeriveKey derives the n-th key of a prefix, such as a normalized brain key, which is used unchanged (docs/protocol/ledger.md 4.3): SHA-256 of SHA-512 of the prefix, one space
// and n in decimal. A hash outside the curve order does not occur in practice (one in 2^127);
// it yields a key that works modulo the order, as the reference's does.
func DeriveKey(prefix string, n int) PrivateKey { return deriveKey(prefix, n) }

// Derive derives the n-th key of k, as DeriveKey does of its WIF.
func (k PrivateKey) Derive(n int) PrivateKey {
	text := k.KeyText()
	defer text.Wipe()
	return deriveKey(text, n)
}

func deriveKey[T string | KeyText](prefix T, n int) PrivateKey {
	CleanStack()
	defer CleanStack()
	seed := append(append(make([]byte, 0, len(prefix)+20), prefix...), ' ')
	seed = strconv.AppendInt(seed, int64(n), 10)
	defer clear(seed)
	inner := sha512.Sum512(seed)
	defer clear(inner[:])
	secret := sha256.Sum256(inner[:])
	defer clear(secret[:])
	return PrivateKey{secret: newSealed(&secret)}
}

// WIF returns the wallet import format, always the uncompressed form ("5…").
func (k PrivateKey) WIF() string {
	var raw [wifSize]byte
	defer clear(raw[:])
	k.putWIF(&raw)
	return encodeBase58(raw[:])
}

// putWIF fills in the bytes of the wallet import format.
func (k PrivateKey) putWIF(raw *[wifSize]byte) {
	raw[0] = wifVersion
	var secret [32]byte
	k.PutSecret(&secret)
	defer clear(secret[:])
	copy(raw[1:], secret[:])
	payload := raw[:wifSize-wifChecksum]
	once := sha256.Sum256(payload)
	twice := sha256.Sum256(once[:])
	copy(raw[len(payload):], twice[:wifChecksum])
}

// Public computes the public key; it takes tens of microseconds, so keep the result.
func (k PrivateKey) Public() PublicKey {
	CleanStack()
	defer CleanStack()
	var scalar secp256k1.ModNScalar
	defer scalar.Zero()
	k.putScalar(&scalar)
	if scalar.IsZero() {
		return PublicKey{}
	}
	var point secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(&scalar, &point)
	point.ToAffine()
	return publicKeyOf(&point)
}

// PutSecret copies the 32 big-endian bytes, which the caller wipes after use.
func (k PrivateKey) PutSecret(into *[32]byte) { k.secret.put(into) }

// Memory returns the 32 bytes that hold the secret, so that the caller can ask the system to keep them out of
// swap. It is not for reading, which PutSecret does safely, and never for writing. It is nil for the zero value.
func (k PrivateKey) Memory() []byte {
	if k.secret == nil {
		return nil
	}
	return k.secret.value[:]
}

// Equal reports whether both are the same key.
func (k PrivateKey) Equal(other PrivateKey) bool {
	var a, b [32]byte
	defer clear(a[:])
	defer clear(b[:])
	k.PutSecret(&a)
	other.PutSecret(&b)
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// IsNull reports whether k is the zero value or was wiped.
func (k PrivateKey) IsNull() bool { return k.Equal(PrivateKey{}) }

// Wipe overwrites the secret; k and all its copies are then the null key.
func (k PrivateKey) Wipe() { k.secret.wipe() }

// String returns a placeholder instead of the secret.
func (k PrivateKey) String() string { return hiddenSecret }

// GoString returns a placeholder instead of the secret.
func (k PrivateKey) GoString() string { return hiddenSecret }

// Format writes a placeholder instead of the secret.
func (k PrivateKey) Format(f fmt.State, _ rune) { hide(f) }

// MarshalJSON always fails, see PrivateKey.
func (k PrivateKey) MarshalJSON() ([]byte, error) { return nil, errHiddenSecret }

// MarshalText always fails, see PrivateKey.
func (k PrivateKey) MarshalText() ([]byte, error) { return nil, errHiddenSecret }

// putScalar sets scalar to the secret as a number; the caller zeroes it.
func (k PrivateKey) putScalar(scalar *secp256k1.ModNScalar) {
	var secret [32]byte
	defer clear(secret[:])
	k.PutSecret(&secret)
	scalar.SetBytes(&secret)
}

// KeyText is a private key as text, in bytes, which unlike a string can be wiped.
// fmt never shows it; JSON does, because that is its purpose.
type KeyText []byte

// KeyText returns the wallet import format ("5…"). The caller wipes it after use.
func (k PrivateKey) KeyText() KeyText {
	var raw [wifSize]byte
	defer clear(raw[:])
	k.putWIF(&raw)
	return appendBase58(make([]byte, 0, maxBase58Text), raw[:])
}

// BigKeyText is BigText for a private number. The caller wipes it after use.
func BigKeyText(n *big.Int) KeyText {
	digits := make([]byte, 0, len(n.Bits())*20+2) // a word has at most twenty digits
	return append(n.Append(digits, 10), '.')
}

// Wipe overwrites the text.
func (k KeyText) Wipe() { clear(k) }

// Format writes a placeholder instead of the text.
func (k KeyText) Format(f fmt.State, _ rune) { hide(f) }

// MarshalJSON writes the text. The caller wipes the result.
func (k KeyText) MarshalJSON() ([]byte, error) {
	return k.appendJSON(make([]byte, 0, len(k)+2)), nil
}

// appendJSON appends the text, none of whose characters needs an escape.
func (k KeyText) appendJSON(b []byte) []byte {
	return append(append(append(b, '"'), k...), '"')
}

package ledger

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// Errors of decrypting a memo that a caller can branch on.
var (
	// ErrMemoKey means that the given key is neither the sender's nor the receiver's.
	ErrMemoKey = errors.New("the memo is encrypted for keys other than the one given; import the memo key of its sender or receiver")
	// ErrMemoDamaged means that these keys and this nonce cannot have produced the bytes.
	ErrMemoDamaged = errors.New(
		"the memo cannot be read with this key: its content is damaged or was encrypted in another way; ask its sender for the text",
	)
)

const memoChecksum = 4

// Memo is a text that travels with an operation, either encrypted between two memo keys or,
// if From is the null key, readable by everybody (docs/protocol/memo.md 1). Message holds the ciphertext,
// or four meaningless bytes and the text.
type Memo struct {
	From    PublicKey `json:"from"`
	To      PublicKey `json:"to"`
	Nonce   uint64    `json:"nonce"`
	Message Bytes     `json:"message"`
}

// EncryptMemo encrypts text from the owner of own to the owner of other; they may be the
// same. Nonce 0 means a fresh random one, which only tests do not want. It fails with
// ErrPublicKeyOffCurve if other is the null key or not a point of the curve: it never falls
// back to a plain memo.
func EncryptMemo(own PrivateKey, other PublicKey, nonce uint64, text string) (Memo, error) {
	secret, err := own.SharedSecret(other)
	if err != nil {
		return Memo{}, err
	}
	defer secret.Wipe()
	return EncryptMemoWith(secret, own.Public(), other, nonce, text)
}

// EncryptMemoWith is EncryptMemo with the shared secret of the two keys, which the caller
// kept. from is the writer's public key.
func EncryptMemoWith(secret SharedSecret, from, to PublicKey, nonce uint64, text string) (Memo, error) {
	for nonce == 0 {
		var raw [8]byte
		_, _ = rand.Read(raw[:]) // never fails: the runtime ends the program if the system has no random bytes
		nonce = binary.LittleEndian.Uint64(raw[:])
	}
	message, err := secret.encrypt(nonce, text)
	if err != nil {
		return Memo{}, err
	}
	return Memo{From: from, To: to, Nonce: nonce, Message: message}, nil
}

// PlainMemo returns a memo that everybody can read.
func PlainMemo(text string) Memo {
	message := make(Bytes, memoChecksum, memoChecksum+len(text))
	return Memo{Message: append(message, text...)}
}

// Plain returns the text of a memo that is not encrypted; ok is false if it is encrypted.
// The only error is ErrMemoDamaged.
func (m Memo) Plain() (text string, ok bool, err error) {
	switch {
	case !m.From.IsNull():
		return "", false, nil
	case len(m.Message) == 0:
		return "", true, nil
	case len(m.Message) < memoChecksum:
		return "", true, ErrMemoDamaged
	}
	return string(m.Message[memoChecksum:]), true, nil
}

// Decrypt returns the text for its sender or its receiver, as the bytes that were
// encrypted, which need not be UTF-8. A plain memo opens with any key. Errors: ErrMemoKey,
// ErrMemoDamaged, ErrPublicKeyOffCurve (the other side's key is unusable).
func (m Memo) Decrypt(own PrivateKey) (string, error) {
	if text, ok, err := m.Plain(); ok {
		return text, err
	}
	var other PublicKey
	switch own.Public() {
	case m.From:
		other = m.To
	case m.To:
		other = m.From
	default:
		return "", ErrMemoKey
	}
	secret, err := own.SharedSecret(other)
	if err != nil {
		return "", err
	}
	defer secret.Wipe()
	return m.DecryptWith(secret)
}

// DecryptWith decrypts the memo with a shared secret that the caller kept, which is a
// hundred times faster than Decrypt. Only the checksum shows whether the secret belongs to the
// memo's keys: a wrong secret is ErrMemoDamaged.
func (m Memo) DecryptWith(secret SharedSecret) (string, error) {
	if text, ok, err := m.Plain(); ok {
		return text, err
	}
	return secret.decrypt(m.Nonce, m.Message)
}

// SharedSecret is the secret that two keys have in common; it opens every memo between them.
// It is as sensitive as a key and behaves as PrivateKey does: copies are wiped together, and
// printing does not show it.
type SharedSecret struct {
	_      [0]func()
	secret *sealed[[sha512.Size]byte]
}

// SharedSecret returns SHA-512 of the x coordinate of the product of k and other, which is the
// same for both owners. It fails with ErrPublicKeyOffCurve, or if k is the null key.
func (k PrivateKey) SharedSecret(other PublicKey) (SharedSecret, error) {
	CleanStack()
	defer CleanStack()
	var scalar secp256k1.ModNScalar
	defer scalar.Zero()
	k.putScalar(&scalar)
	if scalar.IsZero() {
		return SharedSecret{}, errors.New(
			"there is no private key to encrypt or decrypt the memo with; unlock the wallet or import the memo key",
		)
	}
	point, err := other.point()
	if err != nil {
		return SharedSecret{}, err
	}
	var product secp256k1.JacobianPoint
	defer product.X.Zero()
	secp256k1.ScalarMultNonConst(&scalar, &point, &product)
	product.ToAffine()
	x := product.X.Bytes()
	defer clear(x[:])
	sum := sha512.Sum512(x[:])
	defer clear(sum[:])
	return SharedSecret{secret: newSealed(&sum)}, nil
}

// Wipe overwrites the secret in all copies.
func (s SharedSecret) Wipe() { s.secret.wipe() }

// String returns a placeholder instead of the secret.
func (s SharedSecret) String() string { return hiddenSecret }

// GoString returns a placeholder instead of the secret.
func (s SharedSecret) GoString() string { return hiddenSecret }

// Format writes a placeholder instead of the secret.
func (s SharedSecret) Format(f fmt.State, _ rune) { hide(f) }

// MarshalJSON always fails, as for PrivateKey.
func (s SharedSecret) MarshalJSON() ([]byte, error) { return nil, errHiddenSecret }

// messageKey returns SHA-512 of the nonce in decimal and the secret in hex: 32 bytes of AES
// key, 16 bytes of initialization vector, 16 bytes unused.
func (s SharedSecret) messageKey(nonce uint64) [sha512.Size]byte {
	var secret [sha512.Size]byte
	s.secret.put(&secret)
	defer clear(secret[:])
	var buffer [20 + 2*sha512.Size]byte
	defer clear(buffer[:])
	seed := strconv.AppendUint(buffer[:0], nonce, 10)
	return sha512.Sum512(hex.AppendEncode(seed, secret[:]))
}

// encrypt encrypts the checksum and the text with AES-256-CBC and PKCS#7 padding.
func (s SharedSecret) encrypt(nonce uint64, text string) (Bytes, error) {
	key := s.messageKey(nonce)
	defer clear(key[:])
	block, err := aes.NewCipher(key[:32])
	if err != nil {
		return nil, fmt.Errorf("the memo could not be encrypted: %w", err)
	}
	length := memoChecksum + len(text)
	padding := aes.BlockSize - length%aes.BlockSize
	message := make(Bytes, length, length+padding)
	copy(message[memoChecksum:], text)
	checksum := sha256.Sum256(message[memoChecksum:])
	copy(message, checksum[:memoChecksum])
	message = append(message, bytes.Repeat([]byte{byte(padding)}, padding)...)
	cipher.NewCBCEncrypter(block, key[32:48]).CryptBlocks(message, message)
	return message, nil
}

// decrypt is the reverse of encrypt. An empty message is the empty text.
func (s SharedSecret) decrypt(nonce uint64, message Bytes) (string, error) {
	if len(message) == 0 {
		return "", nil
	}
	if len(message)%aes.BlockSize != 0 {
		return "", ErrMemoDamaged
	}
	key := s.messageKey(nonce)
	defer clear(key[:])
	return decryptMessage(key, message)
}

// decryptMessage decrypts a message of whole blocks, at least one.
func decryptMessage(key [sha512.Size]byte, message Bytes) (string, error) {
	defer clear(key[:])
	block, err := aes.NewCipher(key[:32])
	if err != nil {
		return "", fmt.Errorf("the memo could not be decrypted: %w", err)
	}
	plain := make([]byte, len(message))
	defer clear(plain)
	cipher.NewCBCDecrypter(block, key[32:48]).CryptBlocks(plain, message)
	return memoText(plain)
}

// memoText checks and removes the padding and the checksum of a decrypted message.
func memoText(plain []byte) (string, error) {
	padding := int(plain[len(plain)-1])
	if padding == 0 || padding > aes.BlockSize || padding+memoChecksum > len(plain) {
		return "", ErrMemoDamaged
	}
	end := len(plain) - padding
	for _, b := range plain[end:] {
		if int(b) != padding {
			return "", ErrMemoDamaged
		}
	}
	text := plain[memoChecksum:end]
	checksum := sha256.Sum256(text)
	if !bytes.Equal(checksum[:memoChecksum], plain[:memoChecksum]) {
		return "", ErrMemoDamaged
	}
	return string(text), nil
}

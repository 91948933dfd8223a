package keystore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"billfold/ledger"
)

// leastSealed is the number of bytes of cipher_keys without keys in the shorter of both formats.
const leastSealed = (1+sha512.Size)/aes.BlockSize*aes.BlockSize + aes.BlockSize

// unsealedHex returns the bytes of cipher_keys, or an ErrDamaged if no password opens what there is of them.
func unsealedHex(cipherKeys string) ([]byte, error) {
	sealed, err := hex.DecodeString(cipherKeys)
	if err != nil || len(sealed)%aes.BlockSize != 0 || len(sealed) < leastSealed {
		return nil, legacyDamagedError("its cipher_keys were cut short or altered")
	}
	return sealed, nil
}

// decryptLegacy opens cipher_keys (docs/protocol/wallet-file.md 2). The SHA-512 of the password is the key, the initialization vector
// and, stored inside, the proof that the password was right; without that proof the password is taken to be wrong, unless what it decrypts is
// nothing that a wrong one yields. listed are the public keys that stand outside of cipher_keys.
func decryptLegacy(cipherKeys, password string, listed []ledger.PublicKey) (*Secrets, error) {
	sealed, err := unsealedHex(cipherKeys)
	if err != nil {
		return nil, err
	}
	text := []byte(password)
	defer clear(text)
	sum := sha512.Sum512(text)
	defer clear(sum[:])
	defer clear(sealed)
	plain, ok := decryptCBC(sealed, sum)
	if ok && len(plain) > 0 && plain[0] == '{' {
		if secrets, err := parseLegacyText(plain, sum); secrets != nil || err != nil {
			return secrets, err
		}
	}
	if body, right := bytes.CutSuffix(plain, sum[:]); ok && right {
		return parseLegacyBinary(body)
	}
	if isOfLegacy(sealed, sum, listed) {
		return nil, legacyDamagedError("the password is right, and its cipher_keys were cut short or altered")
	}
	if password == "" {
		return nil, emptyPasswordError()
	}
	return nil, &Error{
		Kind:    ErrWrongPassword,
		Message: "This is not the password of the wallet.json",
		Hint:    "check capital letters, keyboard layout and blanks at its ends; if it is right, the file is damaged",
	}
}

// isOfLegacy reports whether what was decrypted is a part of one of the formats, whatever of it is missing: it begins as one, or has a part of
// the proof or a key in it. A wrong password yields that less than once in 10^12 tries. A block of the cipher that was altered spoils itself and the next.
func isOfLegacy(plain []byte, sum [sha512.Size]byte, listed []ledger.PublicKey) bool {
	if isLegacyStart(plain[:aes.BlockSize]) || isBinaryStart(plain) {
		return true
	}
	for part := range slices.Chunk(sum[:], 8) {
		if bytes.Contains(plain, part) || bytes.Contains(plain, hex.AppendEncode(nil, part)) {
			return true
		}
	}
	for _, key := range listed {
		if bytes.Contains(plain, key[:]) || bytes.Contains(plain, []byte(key.String())) {
			return true
		}
	}
	return slices.ContainsFunc(wifInside().FindAll(plain, -1), func(wif []byte) bool { return ledger.HoldsPrivateKey(string(wif)) })
}

var wifInside = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`5[HJK][1-9A-HJ-NP-Za-km-z]{49}`) })

// isLegacyStart reports whether the first block of what was decrypted begins the JSON format.
func isLegacyStart(block []byte) bool {
	return bytes.HasPrefix(block, []byte(`{"`)) && bytes.IndexFunc(block, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// isBinaryStart reports whether what was decrypted begins the binary format: behind the count a public key, and the length and beginning of its WIF.
func isBinaryStart(plain []byte) bool {
	const wif = 1 + len(ledger.PublicKey{}) // with a count of one byte
	for _, at := range []int{wif, wif + 1} {
		if len(plain) >= at+12 && binaryEntry().Match(plain[at:at+12]) && (plain[at-wif+1]|1 == 3) {
			return true
		}
	}
	return false
}

var binaryEntry = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\x{33}5[HJK][1-9A-HJ-NP-Za-km-z]{9}`) })

// decryptCBC decrypts in place; ok is false if the padding is not PKCS #7.
func decryptCBC(data []byte, sum [sha512.Size]byte) (plain []byte, ok bool) {
	block, err := aes.NewCipher(sum[:32])
	if err != nil {
		return nil, false
	}
	cipher.NewCBCDecrypter(block, sum[32:48]).CryptBlocks(data, data)
	pad := int(data[len(data)-1])
	if pad < 1 || pad > aes.BlockSize {
		return nil, false
	}
	plain, padding := data[:len(data)-pad], data[len(data)-pad:]
	return plain, bytes.Count(padding, padding[:1]) == pad
}

type legacyKeysJSON struct {
	EC       []pair[ledger.PublicKey, string] `json:"ec_keys"`
	Checksum string                           `json:"checksum"`
	ElGamal  []struct {
		Private legacyNumber `json:"private_key"`
		Public  legacyNumber `json:"public_key"`
	} `json:"el_gamal_keys"`
}

type legacyNumber struct {
	S string `json:"s"`
}

func (n legacyNumber) value() *big.Int {
	v, ok := new(big.Int).SetString(strings.TrimSuffix(n.S, "."), 10)
	if !ok {
		return nil
	}
	return v
}

// parseLegacyText parses the JSON format. It returns nil and nil if the proof is missing.
func parseLegacyText(plain []byte, sum [sha512.Size]byte) (*Secrets, error) {
	var proof struct {
		Checksum string `json:"checksum"`
	}
	if json.Unmarshal(plain, &proof) != nil {
		return nil, nil
	}
	stored, err := hex.DecodeString(proof.Checksum)
	if err != nil || subtle.ConstantTimeCompare(stored, sum[:]) != 1 {
		return nil, nil
	}
	var keys legacyKeysJSON
	if json.Unmarshal(plain, &keys) != nil {
		return nil, legacyDamagedError("its list of keys has an unexpected form")
	}
	s := &Secrets{}
	for _, k := range keys.EC {
		if err := s.addLegacyKey(k.first, k.second); err != nil {
			s.Wipe()
			return nil, err
		}
	}
	if err := s.addLegacyPairs(keys); err != nil {
		s.Wipe()
		return nil, err
	}
	return s, nil
}

// addLegacyPairs keeps the El Gamal pairs that no private key yields.
func (s *Secrets) addLegacyPairs(keys legacyKeysJSON) error {
	derived := map[string]bool{}
	for _, pair := range s.ElGamalKeys() {
		derived[pair.Private.String()] = true
		pair.Wipe()
	}
	for _, e := range keys.ElGamal {
		pair := ledger.ElGamalKey{Private: e.Private.value(), Public: e.Public.value()}
		if pair.Private != nil && derived[pair.Private.String()] {
			continue
		}
		if err := s.AddElGamal(pair); err != nil {
			return legacyDamagedError("an El Gamal key cannot be read")
		}
	}
	return nil
}

func (s *Secrets) addLegacyKey(public ledger.PublicKey, wif string) error {
	key, err := ledger.ParseWIF(wif)
	if err != nil {
		return legacyDamagedError("the private key of " + public.String() + " cannot be read")
	}
	defer key.Wipe()
	if key.Public() != public {
		return legacyDamagedError("the private key of " + public.String() + " does not belong to it")
	}
	_, err = s.AddKey(key)
	return err
}

// parseLegacyBinary parses the old format: a count, then public key and WIF for each, every text with its length in front.
func parseLegacyBinary(body []byte) (*Secrets, error) {
	r := &payloadReader{rest: body}
	s := &Secrets{}
	for range r.count(len(ledger.PublicKey{}) + 1) {
		var public ledger.PublicKey
		copy(public[:], r.take(len(public)))
		if err := s.addLegacyKey(public, r.text()); err != nil && !r.failed {
			s.Wipe()
			return nil, err
		}
	}
	if r.failed || len(r.rest) != 0 {
		s.Wipe()
		return nil, legacyDamagedError("its list of keys has an unexpected form")
	}
	return s, nil
}

package keystore

import (
	"encoding/binary"
	"errors"
	"maps"
	"math/big"
	"slices"
	"unicode/utf8"

	"billfold/ledger"
)

// The plain payload is binary, so that it can be wiped after use (strings cannot): a version byte, then four lists,
// each preceded by its count.
//
//	keys              secret (32 bytes), in the order of the public keys
//	El Gamal pairs    public, private number (length, big endian)
//	pending accounts  name (length, text), list of secrets
//	pending miners    owner (length, text), secret
//
// Counts and lengths are unsigned varints.
const payloadVersion = 1

const secretSize = 32

// encode returns the payload; the caller clears it. A null key is an ErrInvalid: stored, it would be a lost key.
func (s *Secrets) encode() ([]byte, error) {
	// Room for everything: a growing slice leaves copies of keys behind.
	w := payloadWriter{buf: make([]byte, 0, s.encodedBound())}
	w.buf = append(w.buf, payloadVersion)
	w.count(len(s.keys))
	for _, public := range s.PublicKeys() {
		w.secret(s.keys[public])
	}
	w.count(len(s.elGamal))
	for _, name := range slices.Sorted(maps.Keys(s.elGamal)) {
		w.number(s.elGamal[name].Public)
		w.number(s.elGamal[name].Private)
	}
	w.count(len(s.pendingAccounts))
	for _, p := range s.PendingAccounts() {
		w.text(p.Name)
		w.count(len(p.Keys))
		for _, key := range p.Keys {
			w.secret(key)
		}
	}
	w.count(len(s.pendingMiners))
	for _, p := range s.PendingMiners() {
		w.text(p.Name)
		w.secret(p.Keys[0])
	}
	if w.err != nil {
		clear(w.buf)
		return nil, w.err
	}
	return w.buf, nil
}

// encodedBound returns a size that the payload does not exceed.
func (s *Secrets) encodedBound() int {
	n := 64 + secretSize*(len(s.keys)+len(s.pendingMiners))
	for _, pair := range s.elGamal {
		n += 32 + len(pair.Public.Bytes()) + len(pair.Private.Bytes())
	}
	for name, keys := range s.pendingAccounts {
		n += 32 + len(name) + secretSize*len(keys)
	}
	for owner := range s.pendingMiners {
		n += 32 + len(owner)
	}
	return n
}

type payloadWriter struct {
	buf []byte
	err error
}

func (w *payloadWriter) count(n int) { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }

func (w *payloadWriter) text(s string) {
	if len(s) > maxText || !utf8.ValidString(s) {
		w.err = invalidError("the name of a pending registration is too long or not valid text")
	}
	w.count(len(s))
	w.buf = append(w.buf, s...)
}

func (w *payloadWriter) number(n *big.Int) {
	digits := n.Bytes()
	defer clear(digits)
	w.count(len(digits))
	w.buf = append(w.buf, digits...)
}

func (w *payloadWriter) secret(key ledger.PrivateKey) {
	if key.IsNull() {
		w.err = invalidError("a private key is empty, or was wiped")
	}
	var secret [32]byte
	key.PutSecret(&secret)
	defer clear(secret[:])
	w.buf = append(w.buf, secret[:]...)
}

// decodeSecrets parses a payload; data is not kept. listed are the public keys of the private ones, in their order, as
// computed when the payload was made: computing each again would take seconds for 100,000. A key is compared with its
// public one before its first use.
func decodeSecrets(data []byte, listed []ledger.PublicKey) (*Secrets, error) {
	s := &Secrets{keys: make(map[ledger.PublicKey]ledger.PrivateKey, len(listed))}
	r := &payloadReader{rest: data}
	if version := r.take(1); len(version) == 1 && version[0] > payloadVersion {
		return nil, versionError("its payload is newer")
	}
	count := r.count(secretSize)
	if count != len(listed) {
		r.note(errUnlisted)
	}
	for i := range count {
		if r.failed {
			break
		}
		s.keys[listed[i]] = r.secret()
	}
	for range r.count(2) {
		pair := ledger.ElGamalKey{Public: r.number(), Private: r.number()}
		r.note(s.AddElGamal(pair))
		pair.Wipe()
	}
	for range r.count(2) {
		r.note(r.pendingAccount(s))
	}
	for range r.count(1 + secretSize) {
		owner, key := r.text(), r.secret()
		r.note(s.SetPendingMiner(owner, key))
		key.Wipe()
	}
	if r.failed || len(r.rest) != 0 || len(data) == 0 || data[0] == 0 {
		s.Wipe()
		return nil, damagedError("its keys cannot be read")
	}
	return s, nil
}

var errUnlisted = errors.New("the payload has keys other than its file lists")

// payloadReader takes parts off the front; once failed, it returns only zero values.
type payloadReader struct {
	rest   []byte
	failed bool
}

func (r *payloadReader) note(err error) {
	if err != nil {
		r.failed, r.rest = true, nil
	}
}

func (r *payloadReader) take(n int) []byte {
	if n > len(r.rest) {
		r.failed, r.rest = true, nil
		return nil
	}
	part := r.rest[:n]
	r.rest = r.rest[n:]
	return part
}

// count reads how many items of at least size bytes follow; a count for which the payload is too short is a fault.
func (r *payloadReader) count(size int) int {
	n, width := binary.Uvarint(r.rest)
	if width <= 0 || n > uint64(len(r.rest)/size) {
		r.failed, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[width:]
	return int(n)
}

func (r *payloadReader) text() string {
	part := r.take(r.count(1))
	if len(part) > maxText || !utf8.Valid(part) {
		r.failed, r.rest = true, nil
	}
	return string(part)
}

func (r *payloadReader) number() *big.Int { return new(big.Int).SetBytes(r.take(r.count(1))) }

func (r *payloadReader) secret() ledger.PrivateKey {
	var secret [secretSize]byte
	defer clear(secret[:])
	copy(secret[:], r.take(secretSize))
	key, err := ledger.NewPrivateKey(secret)
	r.note(err)
	return key
}

func (r *payloadReader) pendingAccount(s *Secrets) error {
	name := r.text()
	for range r.count(secretSize) {
		key := r.secret()
		err := s.AddPendingAccount(name, key)
		key.Wipe()
		if err != nil {
			return err
		}
	}
	return nil
}

// Package token lets programs call the wallet by tokens. It owns the file of
// tokens, what each of them permits (Scope), and the sums that tokens with a
// daily limit have spent.
//
//	credential ──► Authenticate ──► principal ──► Authorize (method, accounts, limits) ──► Caller
//	                   │                        │ reserve        recordOutcome │
//	               token file                   └────────► spent file ◄────────┘
//
// Promises: a token is shown once and stored as its SHA-256 only (it has 256
// random bits, so a slow hash would protect nothing more); a revoked token is
// refused from the next call on, on open websockets too; a sum that was
// reserved survives a restart; what was checked is what is executed, because
// names are replaced by ids before the call.
//
// Refuses: a token file that others may read or write, scopes that name a
// method that does not exist, and, for a token that is limited in accounts,
// assets, destinations or amounts, everything whose effect cannot be distinguished from
// its parameters.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"strings"
	"time"

	"billfold/walletcore/store"
)

const (
	prefix     = "billfold"
	idBytes    = 5
	secretSize = 32
)

// Token is what is kept of a token: enough to recognise it, not to use it.
type Token struct {
	ID      string    `json:"id"`     // 8 letters and digits, the middle part of the credential
	Name    string    `json:"name"`   // what its owner calls it
	Hash    string    `json:"sha256"` // of the credential, hex
	Created time.Time `json:"created"`
	Scope   Scope     `json:"scope"`

	row store.TokenRow // as it is in a table; empty where tokens are in a file
}

// mint makes a token and its credential, "billfold_<id>_<secret>".
func mint(name string, scope Scope, now time.Time) (t Token, credential string) {
	raw := make([]byte, idBytes+secretSize)
	rand.Read(raw) // never fails
	text := base32.StdEncoding.WithPadding(base32.NoPadding)
	id := strings.ToLower(text.EncodeToString(raw[:idBytes]))
	credential = prefix + "_" + id + "_" + strings.ToLower(text.EncodeToString(raw[idBytes:]))
	return Token{ID: id, Name: name, Hash: hash(credential), Created: now.UTC().Truncate(time.Second), Scope: scope}, credential
}

func hash(credential string) string {
	sum := sha256.Sum256([]byte(credential))
	return hex.EncodeToString(sum[:])
}

// idOf returns the middle part of a credential, "" when it is none.
func idOf(credential string) string {
	parts := strings.Split(credential, "_")
	if len(parts) != 3 || parts[0] != prefix || parts[2] == "" {
		return ""
	}
	return parts[1]
}

// fits reports, in constant time, whether credential is the one t was made with.
func (t Token) fits(credential string) bool {
	return subtle.ConstantTimeCompare([]byte(t.Hash), []byte(hash(credential))) == 1
}

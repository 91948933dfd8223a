// Package token authenticates programs by tokens. It owns the tokens, in a file or a
// shared table, what each of them permits (Scope), and the sums that tokens with a
// daily limit have spent.
//
//	credential ──► Authenticate ──► principal ──► Authorize (method, accounts, limits) ──► Caller
//	                   │                        │ reserve        recordOutcome │
//	               token file                   └────────► spent file ◄────────┘
//
// Promises: a token is shown once and stored only as its SHA-256 (it has 256
// random bits, so a slow hash would add no protection); a token that is revoked in
// the file is refused from the next call on, even on open websockets; a sum that was
// reserved survives a restart; what was checked is what is executed, because names
// are replaced by ids before the call.
//
// Refuses: a token file that others may read or write, scopes that name a
// method that does not exist and, for a token that is limited in accounts, assets,
// destinations or amounts, every call that neither its parameters nor the operations
// it would sign show to be within the limits.
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

// Token is the stored part of a token: enough to recognise it, not to use it.
type Token struct {
	ID      string    `json:"id"`     // 8 letters and digits, the middle part of the credential
	Name    string    `json:"name"`   // chosen by the owner
	Hash    string    `json:"sha256"` // of the credential, hex
	Created time.Time `json:"created"`
	Scope   Scope     `json:"scope"`

	row store.TokenRow // its row in a table; empty for a token in a file
}

// mint makes a token and its credential, "billfold_<id>_<secret>".
func mint(name string, scope Scope, now time.Time) (t Token, credential string) {
	raw := make([]byte, idBytes+secretSize)
	n, _ := rand.Read(raw) // never fails
	raw = raw[:n]
	text := base32.StdEncoding.WithPadding(base32.NoPadding)
	id := strings.ToLower(text.EncodeToString(raw[:idBytes]))
	credential = prefix + "_" + id + "_" + strings.ToLower(text.EncodeToString(raw[idBytes:]))
	return Token{ID: id, Name: name, Hash: hash(credential), Created: now.UTC().Truncate(time.Second), Scope: scope}, credential
}

func hash(credential string) string {
	sum := sha256.Sum256([]byte(credential))
	return hex.EncodeToString(sum[:])
}

// idOf returns the id in a credential, which is its middle part, "" if it is no credential.
func idOf(credential string) string {
	parts := strings.Split(credential, "_")
	if len(parts) != 3 || parts[0] != prefix || parts[2] == "" {
		return ""
	}
	return parts[1]
}

// matches reports, in constant time, whether t was made with credential.
func (t Token) matches(credential string) bool {
	return subtle.ConstantTimeCompare([]byte(t.Hash), []byte(hash(credential))) == 1
}

package keys

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
)

// maxSigners is the number of signers that the ledger allows in one authority.
const maxSigners = 10

// NewKeyWord stands for a new key that this wallet generates.
const NewKeyWord = "new"

// Signer is somebody who may sign, as a person typed it: a public key, an account, or NewKeyWord.
type Signer struct {
	Who    string
	Weight uint16
}

// Signers holds the parties that may sign, and the weight that is needed.
type Signers struct {
	Needs uint32
	All   []Signer
}

// SignerChange is a change of an account's signers and memo key as a person typed it. What is nil or empty stays as it is.
type SignerChange struct {
	Account       ledger.AccountID
	Owner, Active *Signers
	Memo          string // a public key, or NewKeyWord
}

// ParseSigner parses a signer and a weight, as in "carol 2"; the default weight is 1. If it fails, wrong is what is wrong with the text.
func ParseSigner(text string) (s Signer, wrong string) {
	words := strings.Fields(text)
	if len(words) == 1 {
		words = append(words, "1")
	}
	if len(words) != 2 {
		return s, "write a key or an account, and its weight: carol 1"
	}
	weight, err := strconv.ParseUint(words[1], 10, 16)
	if err != nil || weight == 0 {
		return s, fmt.Sprintf("the weight of %s is a whole number from 1 to 65535", shortName(words[0]))
	}
	return Signer{words[0], uint16(weight)}, ""
}

// ParseNeeds parses the weight that is needed. If it fails, wrong is what is wrong with the text.
func ParseNeeds(text string) (n uint32, wrong string) {
	needs, err := strconv.ParseUint(strings.TrimSpace(text), 10, 32)
	if err != nil || needs == 0 {
		return 0, "the weight that is needed is a whole number from 1"
	}
	return uint32(needs), ""
}

func shortName(text string) string {
	if key, err := ledger.ParsePublicKey(text); err == nil {
		text = key.String()[:8] + "…"
	}
	return strconv.Quote(text[:min(len(text), 64)])
}

// resolver looks up the accounts that are named, and the new keys.
type resolver struct {
	core    Core
	made    *NewKeys
	newKeys []ledger.PrivateKey
}

// key parses a public key, or returns the new key of a place for NewKeyWord; is reports whether the text is either.
func (r *resolver) key(place, text string) (key ledger.PublicKey, is bool, err error) {
	if text == NewKeyWord {
		made, err := r.made.at(place)
		if err != nil {
			return key, true, err
		}
		r.newKeys = append(r.newKeys, made)
		return made.Public(), true, nil
	}
	key, err = ledger.ParsePublicKey(text)
	return key, err == nil, nil
}

// signers resolves the names, both for the operation to build and as the authority that it sets.
func (r *resolver) signers(ctx context.Context, role string, s *Signers) (*txbuild.Signers, ledger.Authority, error) {
	out, auth := &txbuild.Signers{Needs: s.Needs}, ledger.Authority{WeightThreshold: s.Needs}
	seen, fresh := map[string]bool{}, 0
	for _, one := range s.All {
		if one.Who == NewKeyWord {
			fresh++
		}
		key, is, err := r.key(fmt.Sprintf("%s %d", role, fresh), one.Who)
		if err != nil {
			return nil, auth, err
		}
		id := key.String()
		if is {
			out.Keys = append(out.Keys, ledger.KeyWeight{Key: key, Weight: one.Weight})
		} else {
			account, err := r.core.Ledger.Get(ctx, one.Who)
			if err != nil {
				return nil, auth, err
			}
			id = account.ID.String()
			out.Accounts = append(out.Accounts, txbuild.AccountSigner{Account: one.Who, Weight: one.Weight})
			auth.AccountAuths = append(auth.AccountAuths, ledger.AccountWeight{Account: account.ID, Weight: one.Weight})
		}
		if seen[id] {
			return nil, auth, refusal(shortName(one.Who)+" is named twice", "give it one line with one weight")
		}
		seen[id] = true
	}
	auth.KeyAuths = out.Keys
	return out, auth, nil
}

// refusal returns the error for a wish that is impossible.
func refusal(what, next string) error {
	return &fault.Error{Code: fault.BadValue, Op: "change", Message: what, Hint: next}
}

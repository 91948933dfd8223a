package keys

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore/ledgerview"
)

// openKeys opens the form for new keys of an account, each alone in its role.
func (f *form) openKeys(account ledgerview.AccountRef) {
	form := &ask.Form{
		Title: "Change keys of " + format.Account(account).String(), Word: "see the change",
		Text: []canvas.Line{canvas.In(theme.Muted,
			"A public key, or new: this wallet makes one. Empty leaves it as it is. Nothing is signed yet.")},
		Fields: []ask.Field{{Label: "Owner"}, {Label: "Active"}, {Label: "Memo"}},
	}
	form.Missing = func(values []string) string {
		for i, value := range values {
			if value = strings.TrimSpace(value); value != "" && value != NewKeyWord {
				if _, err := ledger.ParsePublicKey(value); err != nil {
					return form.Fields[i].Label + " is not a public key, which begins with DCT, nor the word new"
				}
			}
		}
		if strings.TrimSpace(strings.Join(values, "")) == "" {
			return "nothing would change; type a key, or new"
		}
		return ""
	}
	f.openWish(form, func(values []string) SignerChange {
		single := func(text string) *Signers {
			if text = strings.TrimSpace(text); text == "" {
				return nil
			}
			return &Signers{1, []Signer{{text, 1}}}
		}
		return SignerChange{Account: account.ID, Owner: single(values[0]), Active: single(values[1]), Memo: strings.TrimSpace(values[2])}
	})
}

// openSigners opens the form for who may sign in a role, filled with those who may now.
func (f *form) openSigners(account *ledger.Account, role string, name func(ledger.AccountID) ledgerview.AccountRef) {
	signers := &signersForm{role: role, lines: map[string][]string{
		"owner": signerLines(account.Owner, name), "active": signerLines(account.Active, name)}}
	form := &ask.Form{
		Title: "Who may sign for " + format.Account(ledgerview.AccountRef{ID: account.ID, Name: account.Name}).String(),
		Word:  "see the change",
		Text: []canvas.Line{canvas.In(theme.Muted,
			"Role is active, owner or both. The owner can do all that active can: choose both to change the owner, too. "+
				"Each line is a key or an account, and its weight: carol 1. Nothing is signed yet.")},
		Fields: []ask.Field{{Label: "Role", Input: field.New(role)}},
	}
	form.Fields[fieldRole].Input.Select() // what is typed replaces it
	fillSigners(form, signers.lines[role])
	form.Missing = func(values []string) string {
		_, wrong := wishOf(account.ID, values)
		return wrong
	}
	f.openWish(form, func(values []string) SignerChange {
		wish, _ := wishOf(account.ID, values)
		return wish
	})
	f.signers = signers
}

// wishOf parses the form of signers. If it fails, wrong is what is wrong with it.
func wishOf(account ledger.AccountID, values []string) (wish SignerChange, wrong string) {
	role := strings.ToLower(strings.TrimSpace(values[fieldRole]))
	if !slices.Contains([]string{"active", "owner", "both"}, role) {
		return wish, "the role is active, owner or both"
	}
	needs, wrong := ParseNeeds(values[fieldNeeds])
	if wrong != "" {
		return wish, wrong
	}
	signers := &Signers{Needs: needs}
	sum := uint64(0)
	for _, text := range values[fieldSigners:] {
		if strings.TrimSpace(text) == "" {
			continue
		}
		one, wrong := ParseSigner(text)
		if wrong != "" {
			return wish, wrong
		}
		signers.All, sum = append(signers.All, one), sum+uint64(one.Weight)
	}
	if sum < uint64(needs) {
		return wish, fmt.Sprintf("nobody could sign: all together have weight %d of %d", sum, needs)
	}
	wish.Account = account
	if role != "owner" {
		wish.Active = signers
	}
	if role != "active" {
		wish.Owner = signers
	}
	return wish, ""
}

// openWish opens a form whose values make a wish; when it is done, the change is planned.
func (f *form) openWish(form *ask.Form, wish func(values []string) SignerChange) {
	f.judgesPassword, f.signers, form.Keep = false, nil, true
	core, made := f.core, &NewKeys{}
	f.made = made
	f.Open(form, "Reading who could sign", func(ctx context.Context, values []string) (any, error) {
		return Plan(ctx, core, wish(values), made)
	})
}

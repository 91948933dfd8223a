package format

import (
	"strings"

	"billfold/ledger"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// Account shows name and object id: alice 1.2.34. If the name is not known, it shows the id alone.
func Account(a ledgerview.AccountRef) canvas.Line { return AccountIn(a, 0, 1) }

// AccountIn is Account with the name padded to nameW cells and gap cells between name and id, for columns.
func AccountIn(a ledgerview.AccountRef, nameW, gap int) canvas.Line {
	if a.Name == "" || a.Name == a.ID.String() { // shown once
		return canvas.Text(a.ID.String())
	}
	name := Name(a)
	return canvas.Join(name, canvas.Text(strings.Repeat(" ", max(nameW-name.Width(), 0)+gap)),
		canvas.In(theme.Muted, a.ID.String()))
}

// Name shows the name alone; use it only if the id is on the same page.
func Name(a ledgerview.AccountRef) canvas.Line {
	if a.Name == "" {
		return canvas.Text(a.ID.String())
	}
	return canvas.Text(Clean(a.Name))
}

// Recipient shows the target of a review: an account, or the content object if the payment goes to one.
func Recipient(r txbuild.Review) canvas.Line {
	if r.To.Name == "" && r.ToObject != 0 {
		return canvas.Text(r.ToObject.String())
	}
	return Account(r.To)
}

// RecipientID returns the object id that a person types to confirm a recipient.
func RecipientID(r txbuild.Review) string {
	if r.To.Name == "" && r.ToObject != 0 {
		return r.ToObject.String()
	}
	return r.To.ID.String()
}

// Key shows a public key in full.
func Key(k ledger.PublicKey) canvas.Line { return canvas.Text(k.String()) }

// KeyShort shows both ends of a public key, where a key press shows all of it: DCT6MRyA…GDW5CV.
func KeyShort(k ledger.PublicKey) string {
	text := k.String()
	return text[:8] + theme.SignCut + text[len(text)-6:]
}

// Ownership returns the sign for what the wallet's keys may do for an account.
func Ownership(o vault.Ownership) canvas.Line {
	switch o {
	case vault.OwnershipFull:
		return canvas.In(theme.OK, theme.SignOn)
	case vault.OwnershipPartial:
		return canvas.In(theme.Pending, theme.SignWork)
	case vault.OwnershipUnknown:
		return canvas.In(theme.Muted, theme.SignUnknown)
	case vault.OwnershipMissing:
		return canvas.Bold(theme.Danger, theme.SignFailed)
	case vault.OwnershipWatch:
	}
	return canvas.In(theme.Muted, theme.SignOff)
}

// Misregistered shows the warning about accounts that others registered with other keys than were requested; nil if there is none.
func Misregistered(warning string) canvas.Line {
	if warning == "" {
		return nil
	}
	return canvas.Bold(theme.Danger, theme.SignFailed+" "+Clean(warning)+".")
}

// NameHint returns which character of a name is in no name, or what to write instead of a name with capital letters: the name in lower case if
// that is valid, else what names consist of. It is empty if the name has neither.
func NameHint(name string) string {
	lower := strings.ToLower(name)
	switch foreign := ledger.ForeignCharacter(name); {
	case foreign != "":
		return foreign
	case ledger.IDProblem(name) != "":
		return ledger.IDProblem(name)
	case lower == name:
		return ""
	case ledger.ValidAccountName(lower) != nil:
		return "names have 5 to 63 of a–z, 0–9, - and ., and no capital letters"
	}
	return "names are lower case; write " + lower
}

// Summary shows what operations do, in one line: the amount and who is paid, or a sentence if they pay nobody.
func Summary(m Money, r txbuild.Review) canvas.Line {
	switch {
	case r.Pays():
		return canvas.Join(m.Amount(r.Asset, r.Amount), canvas.Text(" "+theme.SignOut+" "), Recipient(r))
	case r.Sentence != "":
		return canvas.Text(Clean(r.Sentence))
	case r.Amount != 0: // the journal keeps no sentence for what programs send
		return canvas.Join(canvas.Text(Clean(r.Operation)+"  "), m.Amount(r.Asset, r.Amount), beneficiary(r))
	}
	return canvas.Join(canvas.Text(Clean(r.Operation)), beneficiary(r))
}

// beneficiary names the account that gets something from an operation that pays nobody; nil if there are none or several.
func beneficiary(r txbuild.Review) canvas.Line {
	if len(r.Gets) != 1 {
		return nil
	}
	return canvas.Join(canvas.Text("  for "), Account(r.Gets[0]))
}

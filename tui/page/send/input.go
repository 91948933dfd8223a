package send

import (
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/walletcore/ledgerview"
)

// fieldID is a field of the form, in reading order.
type fieldID int

const (
	fieldTo fieldID = iota
	fieldAmount
	fieldAsset
	fieldMemo
	fieldCount
)

func (f fieldID) name() string { return [...]string{"To", "Amount", "Asset", "Memo"}[f] }

// Form is the typed text of a payment, kept while the wallet is locked.
type Form struct {
	To, Amount, Asset, Memo string
	Plain                   bool
}

// emptyForm is what nobody has typed in yet.
func emptyForm() Form { return Form{Asset: "DCT"} }

// inputs are the fields, and whether the memo is plain.
type inputs struct {
	fields  [fieldCount]field.Field
	plain   bool
	cleared *cleared
}

// origin is where the text of a form is from.
type origin struct {
	owner ledgerview.AccountRef // whose payment it was begun as; nobody's while nothing is typed
	draft int64                 // the number of the draft that it was filled with; 0 = none
	kept  bool                  // that draft was made of it, and nobody was told
	given Form                  // what it was filled with, which is still there without it; the zero value: nothing
}

// half reports whether more than a recipient is typed, that is nowhere else.
func (o origin) half(typed Form) bool {
	return (typed.Amount != "" || typed.Memo != "") && typed != o.given
}

// draftOf is the number of the draft that a form goes with. One to somebody else than it was taken for is another payment, and the
// draft stays.
func (o origin) draftOf(typed Form) int64 {
	if !o.kept && o.given.To != "" && o.given.To != typed.To {
		return 0
	}
	return o.draft
}

// cleared is what clear took away.
type cleared struct {
	text Form
	origin
}

func newInputs() inputs {
	in := inputs{}
	in.fields[fieldMemo].Multiline = true
	in.set(emptyForm())
	return in
}

// typed returns what is typed.
func (in *inputs) typed() Form {
	return Form{
		in.fields[fieldTo].Value(),
		in.fields[fieldAmount].Value(),
		in.fields[fieldAsset].Value(),
		in.fields[fieldMemo].Value(),
		in.plain,
	}
}

// set types a form.
func (in *inputs) set(f Form) {
	for i, text := range []string{f.To, f.Amount, f.Asset, f.Memo} {
		in.fields[i].Set(text)
	}
	in.plain = f.Plain
}

// text is what is typed in a field, without blanks around it.
func (in *inputs) text(f fieldID) string { return strings.Trim(in.fields[f].Value(), " ") }

// worthKeeping reports whether something is typed that a draft could keep.
func (in *inputs) worthKeeping() bool {
	f := in.typed()
	return f.To != "" || f.Amount != "" || f.Memo != ""
}

// holdsKey finds a field that a private key is typed in.
func (in *inputs) holdsKey() (fieldID, bool) {
	for f := range in.fields {
		if in.fields[f].HoldsKey() {
			return fieldID(f), true
		}
	}
	return 0, false
}

// formOf is a payment as it would be typed.
func formOf(p screen.Payment) Form {
	f := Form{To: p.To.Name, Asset: p.Asset.Symbol, Memo: p.Memo}
	if p.To.Name == "" {
		f.To = p.To.ID.String()
	}
	if p.Amount != 0 {
		f.Amount = format.Digits(p.Asset, p.Amount)
	}
	return f
}

package send

import (
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/walletcore/ledgerview"
)

// fieldID is a field of the form; the constants are in reading order.
type fieldID int

const (
	fieldTo fieldID = iota
	fieldAmount
	fieldAsset
	fieldMemo
	fieldLabel // of a payout to several
	fieldCount
)

func (f fieldID) name() string { return [...]string{"To", "Amount", "Asset", "Memo", "Label"}[f] }

// Form is the typed text of a payment. It is kept while the wallet is locked.
type Form struct {
	To, Amount, Asset, Memo string
	Plain                   bool
	Proposes                bool   // it becomes a proposal that others approve
	Several                 bool   // To is a table of several payments; Amount and Memo are empty
	Label                   string // of the payout that makes them
}

// emptyForm returns the form before anything is typed.
func emptyForm() Form { return Form{Asset: "DCT"} }

// inputs is the fields of the form, whether the memo is plain, whether others have to approve, and whether several are paid.
type inputs struct {
	fields   [fieldCount]field.Field
	plain    bool
	proposes bool
	several  bool
	cleared  *cleared
}

// origin is the source of the text of a form.
type origin struct {
	owner        ledgerview.AccountRef // the account in focus when typing began; zero while nothing is typed
	draft        int64                 // the number of the draft that the form belongs to; 0: none
	asks         string                // why that draft did not leave by itself; empty: it was not to
	keptSilently bool                  // that draft was saved from the form without telling the person
	filledWith   Form                  // what it was filled with, which also exists elsewhere; zero: nothing
}

// isHalfTyped reports whether more than a recipient is typed that exists nowhere else.
func (o origin) isHalfTyped(typed Form) bool {
	return (typed.Amount != "" || typed.Memo != "" || typed.Several && typed.To != "") && typed != o.filledWith
}

// draftOf returns the number of the draft that the form belongs to; 0 if there is none. A form whose recipient was changed is
// another payment, to which the draft does not belong; a table stays what it is.
func (o origin) draftOf(typed Form) int64 {
	if !typed.Several && !o.keptSilently && o.filledWith.To != "" && o.filledWith.To != typed.To {
		return 0
	}
	return o.draft
}

// cleared holds what clear removed.
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
		in.proposes,
		in.several,
		in.fields[fieldLabel].Value(),
	}
}

// set fills the fields.
func (in *inputs) set(f Form) {
	in.plain, in.proposes = f.Plain, f.Proposes
	in.setSeveral(f.Several)
	for i, text := range []string{f.To, f.Amount, f.Asset, f.Memo, f.Label} {
		in.fields[i].Set(text)
	}
}

// text returns what is typed in a field, without spaces around it.
func (in *inputs) text(f fieldID) string { return strings.Trim(in.fields[f].Value(), " ") }

// worthKeeping reports whether something is typed that a draft could keep.
func (in *inputs) worthKeeping() bool {
	f := in.typed()
	return f.To != "" || f.Amount != "" || f.Memo != ""
}

// secret returns the first field in which a private key or a phrase is typed, and which of them; "" if there is none.
func (in *inputs) secret() (fieldID, string) {
	for f := range in.fields {
		if held := in.fields[f].Held(); held != "" {
			return fieldID(f), held
		}
	}
	return 0, ""
}

// formOfPayment returns a payment as it would be typed.
func formOfPayment(p screen.Payment) Form {
	f := Form{To: p.To.Name, Asset: p.Asset.Symbol, Memo: p.Memo}
	if p.To.Name == "" {
		f.To = p.To.ID.String()
	}
	if p.Amount != 0 {
		f.Amount = format.Digits(p.Asset, p.Amount)
	}
	return f
}

package review

import (
	"cmp"
	"strings"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/txbuild"
)

// Prompt describes what a page asks the person to agree to, and how.
type Prompt struct {
	Key, Word string // "S", "Send as it is signed"; without a word, Deed has it
	Back      string // what esc does: "Back, change it"
	Box       bool   // the page is a pop-up, not the body

	Intro string                                 // the first sentence; empty: that the operation is about to be signed
	Above func(env screen.Env, tight bool) []Row // rows above the operation, few of them if tight; may be nil
	Below []Row                                  // rows below it

	Over  func(env screen.Env) string // why nothing can be agreed to any more; empty while something can. May be nil
	Life  string                      // until when what is signed can be used; empty: 30 s after the key
	Named bool                        // the name of the account whose signers change was typed before

	Chosen bool // the person chose before, one by one, who may act: signers that are merely new are not asked about again
	Alone  bool // nothing is sent, so no node is needed
	Table  bool // all operations are payments of a table, which their sentences and memos tell in full

	Action string // what is requested if it is not a ledger operation, such as "export all private keys"
	Typed  string // the word to type for Action; empty: none
}

// Row is a line with a label before it; a row without a label belongs to the one above it.
type Row struct {
	Label string
	Line  canvas.Line
}

// Deed returns what agreeing to a review does, in lower case: "sign and propose".
func Deed(v txbuild.Review) string {
	switch {
	case v.Outcome == txbuild.Signs:
		return "sign, send nothing"
	case v.Outcome == txbuild.Writes:
		return "write the unsigned file"
	case v.Operation == txbuild.Title(ledger.CodeProposalCreate):
		return "sign and propose"
	case v.Operation == txbuild.Title(ledger.CodeProposalUpdate) && (v.Approves != nil || len(v.Unread) > 0):
		return "sign and approve"
	case v.Operation == txbuild.Title(ledger.CodeProposalUpdate):
		return "sign and withdraw"
	case v.Operation == txbuild.Title(ledger.CodeAccountCreate):
		return "sign and register"
	case len(v.Control) > 0:
		return "sign and change who may act"
	}
	return "sign and send"
}

// Word returns what the key does, in lower case for the hint line.
func (p *Page) Word() string { return lower(p.word()) }

// word returns what the key does, as its button has it.
func (p *Page) word() string {
	deed := Deed(p.Shown)
	return cmp.Or(p.ask.Word, strings.ToUpper(deed[:1])+deed[1:])
}

func lower(word string) string { return strings.ToLower(word[:1]) + word[1:] }

package review

import (
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
)

// Prompt is what a page asks the person to agree to, and how.
type Prompt struct {
	Key, Word string // "S", "Sign and send"
	Back      string // what esc does: "Back, change it"
	Box       bool   // the page is a pop-up, not the body

	Intro string                                 // the first sentence; empty: that the operation is about to be signed
	Above func(env screen.Env, tight bool) []Row // rows above the operation, few of them if tight; may be nil
	Below []Row                                  // rows below it

	Life  string // until when what is signed can be used; empty: 30 s after the key
	Named bool   // the name of the account whose signers change was typed before

	Chosen bool // the person chose before, one by one, who may act: signers that are merely new are not asked about again
	Alone  bool // nothing is sent, so no node is needed

	Action string // what is requested if it is not a ledger operation, such as "export all private keys"
	Typed  string // the word to type for Action; empty: none
}

// Row is a line with a label before it; a row without a label belongs to the one above it.
type Row struct {
	Label string
	Line  canvas.Line
}

package review

import (
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
)

// Prompt is what a page asks for.
type Prompt struct {
	Key, Word string // "S", "Sign and send"
	Back      string // what esc does: "Back, change it"
	Box       bool   // the page is a pop-up, not the body

	Intro string                 // the first sentence; "" = that the operation is about to be signed
	Above func(screen.Env) []Row // stands over the operation; may be nil
	Below []Row                  // stands under it

	Life  string // until when what is signed can be used; "" = 30 s after the key
	Named bool   // the name of the account whose signers change was typed before

	Chosen bool // who may act was chosen before, one by one: what is only new in it is not asked about
	Alone  bool // nothing is sent: no node is needed

	Action string // what is asked for where it is no operation of the ledger, such as "export all private keys"
	Typed  string // the word that is typed for it; "" = none
}

// Row is a line with a label before it.
type Row struct {
	Label string
	Line  canvas.Line
}

package linear

import (
	"fmt"

	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
)

// warnLookAlike warns that an account has a name similar to a known one, and where they differ.
func warnLookAlike(p *Conversation, env screen.Env, known *send.KnownRecipients, ref, like ledgerview.AccountRef) {
	whose := "an account that you paid"
	if _, saved := env.Contact(like.ID); saved {
		whose = "your contact"
	} else if env.Owns(like.ID) {
		whose = "your account"
	}
	p.Fact("Warning", canvas.Join(format.Account(ref), canvas.Text(" looks like "+whose+" "), format.Account(like), canvas.Text(".")))
	n := send.Differs(ref.Name, like.Name)
	p.Say(fmt.Sprintf("Differs at letter %d: %s instead of %s.", n, letter(ref.Name, n), letter(like.Name, n)))
	p.Tell("Warning", known.Relation(env, ref)+".")
}

// letter names letter n of a name in words, so that 1 and l sound different.
func letter(name string, n int) string {
	if n > len(name) {
		return "no letter"
	}
	return sound(rune(name[n-1]))
}

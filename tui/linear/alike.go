package linear

import (
	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
	"fmt"
)

// warnOf says whom an account is easily mistaken for, letter by letter.
func warnOf(p *Desk, env screen.Env, known *send.Known, ref, like ledgerview.AccountRef) {
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

// letter names letter n of a name, for ears that cannot tell 1 from l.
func letter(name string, n int) string {
	if n > len(name) {
		return "no letter"
	}
	switch c := name[n-1]; {
	case c >= '0' && c <= '9':
		return "digit " + string(c)
	case c == '-':
		return "a hyphen"
	case c == '.':
		return "a dot"
	default:
		return "letter " + format.Clean(string(c))
	}
}

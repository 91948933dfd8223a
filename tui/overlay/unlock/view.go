package unlock

import (
	"fmt"
	"time"

	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	w := min(62, a.W)
	if env.Class == layout.Home {
		w = 58
	}
	h := 13
	y := max((a.H-h)/2, 0)
	if y > 2 {
		a.PutCentre(y-2, canvas.Bold(theme.Brand, theme.SignBrand+"  B i l l f o l d"))
	}
	in := a.Sub((a.W-w)/2, y, w, h).Box(canvas.Frame{Title: canvas.Bold(theme.Focus, "Unlock"), Heavy: true})
	row := 1
	for _, l := range m.about(env, in.W-4) {
		in.Put(2, row, l)
		row++
	}
	row++
	in.Put(2, row, canvas.In(theme.Muted, "Password"))
	box := in.Sub(2, row+1, in.W-4, 3).Box(canvas.Frame{Heavy: true})
	box.Put(1, 0, m.password.Line(box.W-2, true))
	for i, l := range m.statusLine(env).Wrap(in.W - 2) {
		in.Put(2, row+4+i, l)
	}
	switch n := len(env.Approvals); {
	case n > 0 && env.Listeners == 0: // the requests come from this program itself
		a.PutCentre(min(y+h+1, a.H-1), canvas.In(theme.Pending, fmt.Sprintf("%d waiting for your answer.", n)))
	case n > 0:
		a.PutCentre(min(y+h+1, a.H-1), canvas.In(theme.Pending, fmt.Sprintf("RPC listener is on: %d waiting for your answer.", n)))
	case env.Listeners > 0:
		a.PutCentre(min(y+h+1, a.H-1), canvas.In(theme.Muted, "RPC listener is on: calls that need keys fail until the wallet is open."))
	}
}

// about returns what is known before the wallet is open: its name and its accounts, which anybody can read from the ledger.
func (m *Model) about(env screen.Env, w int) []canvas.Line {
	label := func(name string, l canvas.Line) canvas.Line {
		return canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-10s", name)), l)
	}
	name := format.Clean(m.name)
	if env.Status.Sandbox {
		name = "sandbox, password: sandbox"
	}
	out := []canvas.Line{label("Wallet", canvas.Text(name))}
	accounts := canvas.Text("none yet")
	for i, a := range env.Accounts {
		l := format.Account(a.AccountRef)
		if i == 0 {
			accounts = l
			continue
		}
		longer := canvas.Join(accounts, canvas.In(theme.Muted, " · "), l)
		if longer.Width() > w-20 {
			accounts = canvas.Join(accounts, canvas.In(theme.Muted, fmt.Sprintf(" and %d more", len(env.Accounts)-i)))
			break
		}
		accounts = longer
	}
	return append(out, label("Accounts", accounts))
}

// statusLine returns the line under the field: what is going on, or what went wrong.
func (m *Model) statusLine(env screen.Env) canvas.Line {
	if since, busy := m.tasks.Busy("unlock"); busy {
		text := env.Spinner() + " Opening … about 1 s"
		if d := env.Now.Sub(since); d > 2*time.Second {
			text = env.Spinner() + " Opening … " + format.Age(d)
		}
		return canvas.In(theme.Pending, text)
	}
	text := m.fault
	if odd := m.password.Fault(); text == "" && odd != "" {
		text = "The password: " + odd + "."
	}
	if count := tries(env.Status); m.fault == "" && count != "" {
		text = "Wrong passwords: " + count
	} else if count != "" {
		text += " " + count
	}
	if text == "" {
		return nil
	}
	return canvas.In(theme.Warn, theme.SignCareful+" "+text)
}

// tries returns how many wrong passwords were typed since the last right one, and how long the next one must wait; empty if none was.
func tries(s walletcore.Status) string {
	if s.WrongTries == 0 {
		return ""
	}
	text := fmt.Sprintf("%d tries so far", s.WrongTries)
	if s.WrongTries == 1 {
		text = "1 try so far"
	}
	if s.RetryIn > 0 {
		text += "; next in " + format.Age(s.RetryIn+time.Second-1)
	}
	return text + "."
}

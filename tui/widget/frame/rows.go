package frame

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"
	"billfold/walletcore/vault"
)

// Nav draws the row of the wallet's pages, which come first in pages; the active one is in brackets. Pages that have no room are left out,
// but not the active one.
func Nav(a canvas.Area, e screen.Env, pages []Page, active screen.ID) {
	x, before := 0, false
	for i, p := range pages {
		if p.Machine {
			continue
		}
		label, here := p.Key+" "+p.Name, p.ID == active
		if e.Class == layout.Narrow && !here {
			label = p.Key
		}
		t, open, end := theme.Muted, " ", " "
		if here {
			t, open, end = theme.Focus, "[", "]"
		}
		switch { // narrow rows have one cell between two names
		case i == 0 || e.Class >= layout.Full:
		case e.Class == layout.Narrow && !here && !before, e.Class == layout.Home && here:
			x--
		case e.Class == layout.Home:
			open = ""
		}
		later := reserved(pages[i+1:], active, len(open+end))
		if later > 0 && x+canvas.Width(open+label+end)+later > a.W { // the active page takes the room of its name
			label = p.Key
		}
		if x+canvas.Width(open+label+end)+later > a.W && !here {
			continue
		}
		after := a.Put(x, 0, canvas.Join(canvas.In(t, open+label), tabEnd(p, here, end, t)))
		a.Sub(x, 0, after-x, 1).Zone(Press{Do: "go." + action.ID(p.ID)})
		x, before = after, here || p.Unread
	}
}

// reserved returns the cells that the active page needs, if it is among pages, and the keys of those before it, with so many cells around each.
func reserved(pages []Page, active screen.ID, around int) (cells int) {
	for _, p := range pages {
		switch {
		case p.Machine:
		case p.ID == active:
			return cells + canvas.Width(p.Key+" "+p.Name) + len("]") // where it is narrow, its other bracket is in the gap before it
		default:
			cells += canvas.Width(p.Key) + around
		}
	}
	return 0
}

// tabEnd returns what follows a name in the nav row: its end, or the sign that something is unread.
func tabEnd(p Page, here bool, end string, t theme.Token) canvas.Line {
	if !p.Unread || here { // the page itself shows what is new
		return canvas.In(t, end)
	}
	return canvas.Bold(theme.Info, theme.SignNew)
}

// Keys are the keys that the bands name, as they are written. Typed is the key for help that works while letters are text; if Help
// is empty, the bands name no key for help.
type Keys struct {
	Help, Typed, Palette string
	Account              string // switches the account
	Page                 map[screen.ID]Page
}

// fullRow is the minimum width of a row of hints that also has the keys for the account and the palette.
const fullRow = 78

// Hints draws the keys of the panel in focus, in the order of the table, and the keys for the account, the palette and help. off returns the reason why an action
// is not possible now: such a key is left out, or muted if it is the one that signs.
func Hints(a canvas.Area, e screen.Env, here action.Place, typing bool, keys Keys, off func(action.ID) string) {
	right := keys.Help + " help "
	if a.W >= fullRow && !here.Modal {
		right = keys.Palette + " find  " + right
		if len(e.Accounts) > 1 {
			right = keys.Account + " account  " + right
		}
	}
	if typing || here.Modal && !hasAction(here, "help") {
		right = keys.Typed + " help "
	}
	if keys.Help == "" {
		right = ""
	}
	x, at := 1, a.W-len(right)
	for _, part := range strings.SplitAfter(right, "  ") {
		end := a.Put(at, 0, keyAndWord(part))
		do := action.ID("help")
		switch {
		case strings.Contains(part, " find "):
			do = "palette"
		case strings.Contains(part, " account "):
			do = "account"
		}
		a.Sub(at, 0, end-at, 1).Zone(Press{Do: do})
		at = end
	}
	room := a.W - len(right) - 2
	for _, h := range hintRows(here, typing) {
		name := h.Key()
		if e.ASCII {
			name = strings.ReplaceAll(name, "↵", "enter")
		}
		text := name + " " + h.Word
		switch fits := x+canvas.Width(text) <= room; {
		case !fits && x == 1: // a later, shorter one is better than none
			continue
		case !fits:
			return
		}
		l := canvas.Join(canvas.Bold(theme.Key, name), canvas.Text(" "+h.Word))
		switch impossible := off != nil && off(h.ID) != ""; {
		case impossible && !h.Money:
			continue
		case impossible:
			l = canvas.In(theme.Muted, text)
		}
		end := a.Put(x, 0, l)
		a.Sub(x, 0, end-x, 1).Zone(Press{Do: h.ID})
		x = end + 2
	}
}

func hasAction(p action.Place, id action.ID) bool {
	for _, a := range p.Actions {
		if a.ID == id {
			return true
		}
	}
	return false
}

func keyAndWord(text string) canvas.Line {
	k, word, _ := strings.Cut(text, " ")
	return canvas.Join(canvas.Bold(theme.Key, k), canvas.Text(" "+word))
}

// hintRows returns at most seven rows that have a place in the hint line, in order.
func hintRows(here action.Place, typing bool) []action.Action {
	var out []action.Action
	for n := 1; n <= 7; n++ {
		for _, h := range here.Actions {
			if h.Hint == n && (!typing || h.Typing) {
				out = append(out, h)
			}
		}
	}
	return out
}

// Status draws the last row: mode, crumb, and the machine room. hints draws the hints in place of the crumb, if they have no row of
// their own; else it is nil.
func Status(a canvas.Area, e screen.Env, mode screen.Mode, crumb string, active screen.ID, keys Keys, hints func(canvas.Area)) {
	x := a.Put(1, 0, canvas.Line{{Text: string(mode), Style: theme.Of(theme.Focus).With(theme.Bold)}})
	switch {
	case e.Status.Lock == vault.New && hints != nil:
		hints(a.Sub(x+1, 0, a.W-x-1, 1))
		return
	case e.Status.Lock == vault.New:
		end := a.Put(x+2, 0, canvas.Text(crumb))
		if none := canvas.In(theme.Muted, "no wallet open"); end+none.Width()+3 < a.W {
			a.PutRight(1, 0, none)
		}
		return
	}
	at, cells := a.W-1, machineCells(e, active, keys)
	for i := len(cells) - 1; i >= 0; i-- {
		at -= cells[i].line.Width()
		a.Put(at, 0, cells[i].line)
		a.Sub(at, 0, cells[i].line.Width(), 1).Zone(Press{Do: "go." + action.ID(cells[i].id)})
		if at -= 2; e.Class >= layout.Full {
			at--
		}
	}
	switch left := x + 2; {
	case at <= left:
	case hints != nil:
		hints(a.Sub(left-1, 0, at-left+2, 1))
	default:
		a.Sub(left, 0, at-left, 1).Put(0, 0, canvas.Text(canvas.Cut(crumb, at-left)))
	}
}

type machineCell struct {
	id   screen.ID
	line canvas.Line
}

// machineCells returns the cells of the machine room that fit the width class.
func machineCells(e screen.Env, active screen.ID, keys Keys) []machineCell {
	word := func(id screen.ID, named bool, rest canvas.Line) machineCell {
		t := theme.Muted
		if id == active {
			t = theme.Focus
		}
		p := keys.Page[id]
		text := p.Key
		if named && e.Class >= layout.Home {
			text += " " + p.Name
		}
		return machineCell{id, canvas.Join(canvas.In(t, text), rest)}
	}
	cells := []machineCell{word(screen.RPC, true, rpcState(e)), word(screen.Node, false, nodeState(e))}
	if e.Class >= layout.Home {
		cells = append([]machineCell{word(screen.Console, true, nil)}, cells...)
	}
	if e.Class >= layout.Full {
		cells = append(cells, word(screen.Settings, true, nil))
	}
	return cells
}

func rpcState(e screen.Env) canvas.Line {
	if e.Listeners == 0 {
		return canvas.In(theme.Muted, " "+theme.SignOff)
	}
	out := canvas.Join(canvas.In(theme.OK, " "+theme.SignOn), canvas.Text(fmt.Sprintf(" %d", e.Listeners)))
	if n := len(e.Approvals); n > 0 {
		out = canvas.Join(out, canvas.Bold(theme.Pending, fmt.Sprintf(" !%d", n)))
	}
	return out
}

func nodeState(e screen.Env) canvas.Line {
	if e.Class < layout.Home {
		return canvas.Join(canvas.Text(" "), nodeDot(e))
	}
	switch e.Status.Daemon {
	case walletcore.DaemonConnecting:
		return canvas.In(theme.Pending, " "+theme.SignWork+" calling")
	case walletcore.DaemonOffline:
		return canvas.In(theme.Danger, " "+theme.SignFailed+" offline")
	case walletcore.DaemonWrongChain:
		return canvas.In(theme.Danger, " "+theme.SignFailed+" wrong chain")
	case walletcore.DaemonOnline:
	}
	switch {
	case e.Status.Frozen:
		return canvas.In(theme.Danger, " "+theme.SignCareful+" silent")
	case e.Status.Lost > 0 && !e.Status.Stale:
		return canvas.In(theme.Warn, fmt.Sprintf(" %s −%s", theme.SignCareful, format.Many(int(e.Status.Lost), "block")))
	case e.Status.Stale:
		return canvas.In(theme.Danger, " "+theme.SignCareful+" stale "+format.Age(headAge(e)))
	}
	name := "node"
	if e.Status.Sandbox {
		name = "sandbox"
	} else if h := Host(e.Status.DaemonURL); h != "" {
		name = canvas.Cut(firstLabel(h), 16)
	}
	return canvas.Join(
		canvas.Text(" "+name+" "),
		nodeDot(e),
		canvas.In(theme.Muted, latency(e.Status.Latency)),
	)
}

// latency shows the round-trip time to the node; empty if it has not been measured.
func latency(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return " " + strings.ReplaceAll(format.RoundTrip(d), " ", "")
}

// Host returns the host name in a daemon's address.
func Host(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		rest = url
	}
	rest, _, _ = strings.Cut(rest, "/")
	if i := strings.LastIndex(rest, "@"); i >= 0 { // a password must never reach the screen
		rest = rest[i+1:]
	}
	return format.Clean(rest)
}

// firstLabel returns a host name's first label, or a whole IP address.
func firstLabel(host string) string {
	name, _, _ := strings.Cut(host, ":")
	if first, _, ok := strings.Cut(name, "."); ok && strings.ContainsFunc(name, unicode.IsLetter) {
		return first
	}
	return name
}

// TooSmall draws what a terminal below 40 x 12 shows.
func TooSmall(a canvas.Area, e screen.Env) {
	y := max(a.H/2-3, 0)
	a.PutCentre(y, canvas.In(theme.Brand, theme.SignBrand+" Billfold"))
	a.PutCentre(y+2, canvas.Text(fmt.Sprintf("needs %d x %d, has %d x %d", layout.MinColumns, layout.MinRows, a.W, a.H)))
	a.PutCentre(y+3, canvas.Text("make the window larger"))
	last := "ctrl+c quits"
	if e.LockIn > 0 {
		last = "locked in " + format.Countdown(e.LockIn) + " · " + last
	}
	a.PutCentre(y+5, canvas.In(theme.Muted, last))
}

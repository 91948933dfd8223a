package node

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/chart"
	"billfold/tui/widget/panel"
	"billfold/walletcore/ledgerview"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	p := layout.NodeScreen(a.W, a.H, env.PanelClass(), len(m.daemons)+1+max(len(m.reasonLines(a.W-6)), 1))
	if env.Zoomed {
		p = layout.NodePanels{Single: true, Pool: layout.Rect{W: a.W, H: a.H}, Log: layout.Rect{W: a.W, H: a.H}}
	}
	at := func(r layout.Rect) canvas.Area { return a.Sub(r.X, r.Y, r.W, r.H) }
	if !p.Single || m.focus == panelPool {
		m.drawPool(env, at(p.Pool))
	}
	if !p.Chain.Empty() && (!p.Single || m.focus == panelPool) {
		m.drawChain(env, at(p.Chain))
	}
	if !p.Trips.Empty() {
		m.drawTrips(env, at(p.Trips))
	}
	if !p.Single || m.focus == panelLog {
		m.drawLog(env, at(p.Log))
	}
	if m.form.Form != nil {
		m.form.Form.Draw(env, a)
	}
}

// The widths of a daemon's columns; the address takes the rest, and is cut last.
const (
	stateW   = 16
	headW    = 13
	ageW     = 7
	latencyW = 9
)

func (m *Model) drawPool(env screen.Env, a canvas.Area) {
	p := panel.Panel{ID: panelPool, Focus: m.focus == panelPool, Title: canvas.Text("Nodes"),
		State: canvas.In(theme.Muted, format.Count(len(m.daemons))), Foot: "↵ open · u use now · n add · c check all"}
	in := p.Draw(env, a)
	wide := in.W >= 70
	addressW := in.W - 3 - stateW
	if wide {
		addressW -= headW + ageW + latencyW
	}
	addressW = min(addressW, m.addressWidth()+3)
	head := canvas.Text("ADDRESS").Pad(addressW)
	head = canvas.Join(head, canvas.Text("STATE").Pad(stateW))
	if wide {
		head = canvas.Join(head, canvas.Text("HEAD").PadLeft(headW), canvas.Text("AGE").PadLeft(ageW),
			canvas.Text("LATENCY").PadLeft(latencyW))
	}
	in.Put(2, 0, head.As(theme.Muted))
	body := in.Below(1)
	why := m.reasonLines(in.W - 4)
	room := max(body.H-len(why), 1)
	p.Rows(body.Top(room), &m.cursors[panelPool], len(m.daemons), func(i int) []canvas.Line {
		return []canvas.Line{daemonLine(env, m.daemons[i], addressW, wide)}
	})
	for i, l := range why {
		body.Put(2, body.H-len(why)+i, l)
	}
}

// addressWidth returns the width of the longest address, or of its heading.
func (m *Model) addressWidth() int {
	w := len("ADDRESS")
	for _, d := range m.daemons {
		w = max(w, canvas.Text(format.Clean(d.URL)).Width())
	}
	return w
}

// daemonLine returns the row of a daemon.
func daemonLine(env screen.Env, d ledgerview.PoolDaemon, addressW int, wide bool) canvas.Line {
	l := canvas.Text(canvas.Cut(format.Clean(d.URL), addressW-1)).Pad(addressW)
	l = canvas.Join(l, stateText(env, d).Pad(stateW))
	if !wide {
		return l
	}
	head, age, latency := "–", "–", "–"
	if d.Head != 0 {
		head = format.Block(d.Head)
		if d.HeadAge != 0 {
			age = format.Age(d.HeadAge)
		}
	}
	if d.Latency > 0 {
		latency = format.RoundTrip(d.Latency)
	}
	return canvas.Join(l, canvas.Text(head).PadLeft(headW), canvas.Text(age).PadLeft(ageW), canvas.Text(latency).PadLeft(latencyW))
}

// stateText returns the state of a daemon in two words.
func stateText(env screen.Env, d ledgerview.PoolDaemon) canvas.Line {
	in := func(t theme.Token, sign, word string) canvas.Line {
		return canvas.Join(canvas.In(t, sign+" "), canvas.Text(word))
	}
	switch d.State {
	case ledgerview.PoolConnecting:
		return in(theme.Pending, theme.SignWork, "connecting")
	case ledgerview.PoolReady:
		if d.InUse {
			return in(theme.OK, theme.SignOn, "in use")
		}
		return in(theme.OK, theme.SignOff, "standby")
	case ledgerview.PoolBehind:
		return in(theme.Warn, theme.SignCareful, "behind")
	case ledgerview.PoolSilent:
		return in(theme.Warn, theme.SignCareful, "silent")
	case ledgerview.PoolDistrusted:
		return in(theme.Danger, theme.SignCareful, "false answer")
	case ledgerview.PoolOtherChain:
		return in(theme.Danger, theme.SignFailed, "other chain")
	case ledgerview.PoolGarbage:
		return in(theme.Danger, theme.SignFailed, "no DCore node")
	case ledgerview.PoolAway:
		if left := d.NextTry.Sub(env.Now); !d.NextTry.IsZero() && left >= 0 {
			return in(theme.Danger, theme.SignFailed, "retry "+format.Age(left.Round(time.Second)))
		}
	}
	return in(theme.Danger, theme.SignFailed, "away")
}

// Rows returns everything about a node, row by row; n is how many nodes there are.
func Rows(env screen.Env, d ledgerview.PoolDaemon, n int, trips []time.Duration) []card.Row {
	rows := []card.Row{{Label: "Node", Line: canvas.Text(format.Clean(d.URL))}, {Label: "State", Line: stateText(env, d)}}
	put := func(label, text string) { rows = append(rows, card.Row{Label: label, Line: canvas.Text(text)}) }
	if about := about(d, n); about != "" {
		put("", about)
	}
	if d.Head != 0 {
		put("Head", format.Block(d.Head)+", "+format.Age(d.HeadAge)+" old")
	}
	if len(trips) > 0 {
		put("Latency", tripsText(trips))
	}
	return rows
}

// reasonLines returns what to know about the daemon in focus besides its row, in at most three lines.
func (m *Model) reasonLines(w int) []canvas.Line {
	d, there := m.focused()
	if !there {
		return canvas.Text("No nodes. n adds one: wss://host.").Wrap(w)
	}
	all := canvas.In(theme.Muted, about(d, len(m.daemons))).Wrap(w)
	return all[:min(len(all), 3)]
}

// about returns what to know about a daemon, one of n, besides its state, in sentences.
func about(d ledgerview.PoolDaemon, n int) string {
	var parts []string
	switch {
	case d.Reason != "":
		parts = append(parts, upperFirst(strings.TrimSuffix(format.Clean(d.Reason), "."))+".")
	case d.State == ledgerview.PoolBehind:
		parts = append(parts, "Its head block is too old: no payment is sent to it.")
	case d.State == ledgerview.PoolSilent:
		parts = append(parts, "It is connected and answers nothing.")
	case d.State == ledgerview.PoolDistrusted:
		parts = append(parts, "It gave a false answer within the last minute: no payment is sent to it.")
	case d.Pinned && d.InUse:
		parts = append(parts, "You chose it. u lets the wallet choose again.")
	case d.InUse && n > 1:
		parts = append(parts, "The wallet chose it: right chain, newest head, least latency.")
	}
	if d.Plain {
		parts = append(parts, "Not encrypted (ws://): anybody on the way can read and change what is said.")
	}
	return strings.Join(parts, " ")
}

func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// labelW is the width of the labels of the chain's panel.
const labelW = 15

func (m *Model) drawChain(env screen.Env, a canvas.Area) {
	s := env.Status
	title := canvas.Join(canvas.Bold(theme.Text, "Chain"), env.AsOf(env.LastSeen()))
	in := a.Panel(canvas.Frame{Title: title, State: canvas.In(theme.Muted, format.Clean(s.Network))}, env.Class > layout.Tiny)
	y := 0
	put := func(label, text string) {
		for i, l := range canvas.Text(text).Wrap(in.W - labelW - 3) {
			if i == 0 {
				in.Put(2, y, canvas.In(theme.Muted, label))
			}
			in.Put(2+labelW, y, l)
			y++
		}
	}
	if s.Head == 0 {
		put("Head", "not known yet")
	} else {
		put("Head", format.Block(s.Head)+", "+env.Times().ClockOn(s.HeadTime.Time()))
		put("Irreversible", irreversibleText(s.Head, s.Irreversible))
	}
	if m.info != nil {
		whole, rest, _ := strings.Cut(m.info.Participation, ".")
		put("Participation", whole+"."+rest[:min(len(rest), 1)]+" % of 128 slots")
		put("Maintenance", maintenanceText(m.info.NextMaintenanceTime))
	}
	if id := s.ChainID.String(); strings.Trim(id, "0") != "" {
		put("Chain id", canvas.Cut(id, in.W-labelW-3))
	}
}

// maintenanceText returns when the ledger next counts votes and pays rewards.
func maintenanceText(when string) string {
	if left, future := strings.CutSuffix(when, " in the future"); future {
		return "in " + left
	}
	return when
}

func irreversibleText(head, last uint32) string {
	if last == 0 {
		return "none is proven yet"
	}
	return fmt.Sprintf("%s, %d behind", format.Block(last), head-min(last, head))
}

func (m *Model) drawTrips(env screen.Env, a canvas.Area) {
	d, there := m.focused()
	in := a.Panel(canvas.Frame{Title: canvas.Bold(theme.Text, "Latency")}, env.Class > layout.Tiny)
	if !there {
		return
	}
	in.Put(2, 0, canvas.In(theme.Muted, canvas.Cut(format.Clean(d.URL), in.W-4)))
	trips := m.core.Pool.Trips(d.URL)
	if len(trips) == 0 {
		in.Put(2, 2, canvas.In(theme.Muted, "not measured yet"))
		return
	}
	values := make([]int64, len(trips))
	for i, t := range trips {
		values[i] = int64(t)
	}
	chart.Bars(in.Sub(2, 1, in.W-4, in.H-2), values, theme.Info)
	last := tripsText(trips)
	if probes := fmt.Sprintf(", last %d probes", len(trips)); len(trips) > 1 && canvas.Text(last+probes).Width() <= in.W-4 {
		last += probes
	}
	in.Put(2, in.H-1, canvas.In(theme.Muted, canvas.Cut(last, in.W-4)))
}

// tripsText returns the latest, the least and the greatest latency; trips is not empty.
func tripsText(trips []time.Duration) string {
	return fmt.Sprintf("now %s · %s to %s", format.RoundTrip(trips[len(trips)-1]), format.RoundTrip(slices.Min(trips)), format.RoundTrip(slices.Max(trips)))
}

func (m *Model) drawLog(env screen.Env, a canvas.Area) {
	p := panel.Panel{ID: panelLog, Focus: m.focus == panelLog, Title: canvas.Text("Log"),
		State: canvas.In(theme.Muted, format.Count(len(m.log)))}
	in := p.Draw(env, a)
	if len(m.log) == 0 {
		in.Put(2, 0, canvas.In(theme.Muted, "Nothing has happened yet."))
		return
	}
	p.Rows(in, &m.cursors[panelLog], len(m.log), func(i int) []canvas.Line { return logLines(env, m.log[i], in.W) })
}

// logLines returns a change as the log shows it.
func logLines(env screen.Env, c ledgerview.PoolChange, w int) []canvas.Line {
	when := env.Times().ClockOn(c.At) + "  "
	text := format.Clean(c.URL) + " " + becameText(c.PoolDaemon)
	lines := canvas.Text(text).Wrap(w - 4 - len(when))
	for i := range lines {
		lead := canvas.Text(strings.Repeat(" ", len(when)))
		if i == 0 {
			lead = canvas.In(theme.Muted, when)
		}
		lines[i] = canvas.Join(lead, lines[i])
	}
	return lines
}

// becameText returns the state that a daemon changed to, as a part of a sentence.
func becameText(d ledgerview.PoolDaemon) string {
	why := ""
	if d.Reason != "" {
		why = ": " + format.Clean(d.Reason)
	}
	switch d.State {
	case ledgerview.PoolConnecting:
		return "is being dialled"
	case ledgerview.PoolReady:
		if d.InUse {
			return "is in use"
		}
		return "is on standby"
	case ledgerview.PoolBehind:
		return "is behind; payments are not sent to it"
	case ledgerview.PoolSilent:
		return "answers nothing"
	case ledgerview.PoolDistrusted:
		return "gave a false answer; payments are not sent to it for a minute"
	case ledgerview.PoolOtherChain:
		return "is of another chain and will not be used" + why
	case ledgerview.PoolGarbage:
		return "is not a DCore node" + why
	case ledgerview.PoolAway:
	}
	return "is away" + why
}

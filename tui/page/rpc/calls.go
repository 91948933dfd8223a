package rpc

import (
	"fmt"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/panel"
)

func (m *Model) drawCalls(env screen.Env, a canvas.Area) {
	state := canvas.In(theme.Muted, "f freeze · ↵ detail")
	switch {
	case m.frozen:
		state = canvas.In(theme.Pending, "frozen · f resumes")
	case m.missed > 0:
		state = canvas.In(theme.Info, theme.SignNew+" "+format.Count(m.missed)+" new · g shows them")
	}
	p := panel.Panel{ID: panelCalls, Focus: m.focus == panelCalls, Title: canvas.Text("Live calls (" + env.Times().Zone(env.Now) + ")"), State: state}
	in := p.Draw(env, a)
	if len(m.calls) == 0 {
		panel.Put(in, 0, canvas.In(theme.Muted, "Calls of programs appear here, without their secrets."))
		return
	}
	at := m.cursors[panelCalls].At
	p.Rows(in, &m.cursors[panelCalls], len(m.calls), func(i int) []canvas.Line {
		c := m.calls[i]
		if m.expanded && i == at && p.Focus {
			return callLines(env, c, in.W-4)
		}
		return []canvas.Line{callLine(env, c, in.W-4)}
	})
}

// The widths of the columns of calls.
const (
	wayW    = 6
	whoW    = 13
	methodW = 26
	endW    = 22
)

// callLine returns a call in one line: when it was made, by whom, what was called, how long it took and how it ended.
func callLine(env screen.Env, c Call, w int) canvas.Line {
	end := outcomeText(c)
	out := canvas.Join(canvas.In(theme.Muted, env.Times().Bare(c.At)+"  "), canvas.Text(viaText(c.Via)).Pad(wayW),
		canvas.Text(canvas.Cut(callerName(c), whoW-1)).Pad(whoW))
	if room := w - out.Width() - endW; room < methodW+10 {
		return canvas.Join(out, canvas.Text(canvas.Cut(methodName(c), max(room-1, 4))).Pad(max(room, 5)), end)
	}
	out = canvas.Join(out, canvas.Text(canvas.Cut(methodName(c), methodW-1)).Pad(methodW))
	room := w - out.Width() - endW
	return canvas.Join(out, canvas.In(theme.Untrusted, canvas.Cut(format.Clean(c.Params), room-1)).Pad(room), end)
}

// outcomeText returns how long a call took and how it ended.
func outcomeText(c Call) canvas.Line {
	many := ""
	if c.Count > 1 {
		many = fmt.Sprintf(" ×%s", format.Count(c.Count))
	}
	switch {
	case c.Status != 0:
		return canvas.In(theme.Danger, fmt.Sprintf("%s %d%s", theme.SignFailed, c.Status, many))
	case c.Running > 0:
		return canvas.In(theme.Pending, "… runs"+many)
	case c.Fault != "":
		return canvas.In(theme.Danger, canvas.Cut(theme.SignFailed+" "+format.Clean(c.Fault)+many, endW))
	}
	return canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%6d ms ", c.Took.Milliseconds())), canvas.In(theme.OK, theme.SignDone+many))
}

func callerName(c Call) string {
	if c.Who == "" || c.Status != 0 {
		return "?"
	}
	return format.Clean(c.Who)
}

func methodName(c Call) string {
	switch {
	case c.Status != 0:
		return "turned away"
	case c.Method == "":
		return "unknown operation"
	}
	return format.Clean(c.Method)
}

// callLines returns everything about a call.
func callLines(env screen.Env, c Call, w int) []canvas.Line {
	out := []canvas.Line{callLine(env, c, w)}
	put := func(label, text string) {
		if text == "" {
			return
		}
		for i, l := range canvas.In(theme.Untrusted, format.Clean(text)).Wrap(max(w-14, 8)) {
			if i > 0 {
				label = ""
			}
			out = append(out, canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("  %-12s", label)), l))
		}
	}
	put("Operation", methodName(c))
	put("Parameters", c.Params)
	put("From", c.From)
	put("Answer", c.Message)
	return out
}

// viaText returns a transport in a few cells.
func viaText(way string) string {
	switch way {
	case "websocket":
		return "ws"
	case "HTTP":
		return "http"
	case "unix socket":
		return "unix"
	}
	return format.Clean(way)
}

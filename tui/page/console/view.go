package console

import (
	"fmt"
	"strings"
	"time"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	"github.com/rivo/uniseg"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	state := format.Clean(env.Status.Network)
	if len(env.Accounts) > 0 {
		state += " · as " + format.Clean(env.Account.Name)
	}
	in := a.Panel(canvas.Frame{Title: canvas.Bold(theme.Focus, "Console"), State: canvas.In(theme.Muted, state), Heavy: true},
		env.Class > layout.Tiny)
	below := m.inputRows(env, in.W-4)
	out := in.Top(max(in.H-len(below), 0))
	m.drawRuns(env, out)
	for i, l := range below {
		in.Put(2, out.H+i, l)
	}
	in.Below(out.H).Zone(screen.Click{Panel: panelLine, At: -1})
	if m.form != nil {
		m.form.Draw(env, a)
	}
}

// inputRows returns the rows at the bottom: completions, the card of the operation, the input line, and the curl command.
func (m *Model) inputRows(env screen.Env, w int) []canvas.Line {
	var rows []canvas.Line
	for i, offer := range m.completions {
		if i == 5 {
			rows = append(rows, canvas.In(theme.Muted, fmt.Sprintf("  and %d more; type on", len(m.completions)-i)))
			break
		}
		rows = append(rows, canvas.In(theme.Info, "  "+canvas.Cut(format.Clean(strings.TrimSpace(offer)), w-2)))
	}
	if m.typing {
		rows = append(rows, m.card(w)...)
	}
	prompt := canvas.In(theme.Focus, m.prompt(env))
	input, typed := m.input, m.input.Value()
	input.Dotted = uniseg.GraphemeClusterCount(typed[m.core.Censor.Secret(typed):])
	field := input.Line(max(w-prompt.Width(), 4), m.typing)
	rows = append(rows, canvas.Join(prompt, field))
	if command, why := m.curl(); m.typing && command+why != "" && env.H >= 12 {
		text := command
		if text == "" {
			text = why
		}
		lines := canvas.In(theme.Muted, format.Clean(text)).Wrap(w)
		rows = append(rows, lines[:min(len(lines), 3)]...)
	}
	return rows
}

// prompt returns what stands before the input line.
func (m *Model) prompt(env screen.Env) string {
	if len(env.Accounts) == 0 {
		return "> "
	}
	return canvas.Cut(format.Clean(env.Account.Name), 12) + "> "
}

// card returns the rows that describe the operation being typed and the parameter in turn.
func (m *Model) card(w int) []canvas.Line {
	c := m.core.Reader.Describe(m.input.Value())
	if c.Method == "" {
		return nil
	}
	line := canvas.Bold(theme.Text, c.Method)
	for i, p := range c.Params {
		name := p.Name
		if p.Optional {
			name = "[" + name + "]"
		}
		token := theme.Muted
		if i == c.At {
			token = theme.Focus
		}
		line = canvas.Join(line, canvas.In(token, " "+name))
	}
	rows := line.Wrap(w)
	if c.At >= 0 && c.At < len(c.Params) {
		rows = append(rows, canvas.Join(canvas.In(theme.Focus, c.Params[c.At].Name), canvas.In(theme.Muted, ": "+c.Params[c.At].Type)))
	}
	tags := ""
	if len(c.Tags) > 0 {
		tags = " · " + strings.Join(c.Tags, " · ")
	}
	help := canvas.In(theme.Muted, canvas.Cut(c.Help, max(w-len(tags), 8))+tags)
	return append(rows[:min(len(rows), 4)], help)
}

// drawRuns draws the runs, the newest at the bottom; in the output, the one in focus is at the bottom.
func (m *Model) drawRuns(env screen.Env, a canvas.Area) {
	if len(m.runs) == 0 {
		const text = "Every operation of the wallet can be typed here: its name and its parameters, as in " +
			"transfer alice bobby 10 DCT \"thanks\" true. tab completes, F2 opens a form, help lists them. " +
			"What spends is shown to you before it is signed."
		for i, l := range canvas.In(theme.Muted, text).Wrap(a.W - 4) {
			a.Put(2, i, l)
		}
		return
	}
	last := len(m.runs) - 1
	if !m.typing {
		last = m.focus
	}
	var rows []canvas.Line
	owner := []int{}
	for i := last; i >= 0 && len(rows) < a.H; i-- {
		block := m.runRows(env, m.runs[i], a.W-4)
		rows = append(block, rows...)
		whose := make([]int, len(block))
		for n := range whose {
			whose[n] = i
		}
		owner = append(whose, owner...)
	}
	skip := max(len(rows)-a.H, 0)
	if !m.typing && m.focus < len(m.runs) && len(m.runRows(env, m.runs[m.focus], a.W-4)) > a.H {
		m.scroll = min(m.scroll, skip) // from the beginning of a long result, not its end
		skip = m.scroll
	}
	for y := 0; y < a.H && skip+y < len(rows); y++ {
		a.Put(2, y, rows[skip+y])
		if !m.typing && owner[skip+y] == m.focus {
			a.Put(0, y, canvas.In(theme.Focus, theme.SignRow))
		}
		a.Row(y).Zone(screen.Click{At: owner[skip+y]})
	}
}

// runRows returns the rows of a run: its line, and its result or error.
func (m *Model) runRows(env screen.Env, r run, w int) []canvas.Line {
	rows := canvas.Join(canvas.In(theme.Focus, "> "), canvas.Text(format.Clean(r.line))).Wrap(w)
	switch {
	case r.running:
		spent := env.Now.Sub(r.started)
		text := theme.SignWork + " running"
		if _, waits := pendingApproval(env); waits {
			text = theme.SignWork + " waits for your yes: ! shows it"
		} else if spent > time.Second {
			text += " · " + format.Age(spent)
		}
		return append(rows, canvas.In(theme.Pending, text), nil)
	case r.err != nil:
		text := canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(advice.Sentence(r.err)))
		return append(append(rows, text.Wrap(w)...), nil)
	}
	text := r.result.Text
	if m.asJSON {
		text = r.result.JSON
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	rows = append(rows, canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.In(theme.Muted, " "+duration(r.took))))
	var out []canvas.Line
	for _, l := range lines {
		out = append(out, canvas.Text("  "+format.Clean(l)).Wrap(w)...)
	}
	if n := len(out) - foldedRows; n > 0 && !r.expand {
		out = append(out[:foldedRows], canvas.In(theme.Muted, "  "+format.Many(n, "more row")+": esc, then e"))
	}
	return append(append(rows, out...), nil)
}

func duration(d time.Duration) string {
	if d < time.Second {
		return format.RoundTrip(d)
	}
	return format.Age(d)
}

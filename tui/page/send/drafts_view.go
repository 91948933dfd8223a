package send

import (
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
)

// draw draws the list.
func (d *drafts) draw(env screen.Env, a canvas.Area) {
	title, keys := "Drafts of "+format.Account(env.Account).String(), canvas.In(theme.Muted, d.keysText(env))
	in := panel(env, a, title, time.Time{}, canvas.In(theme.Muted, format.Count(len(d.saved))), keys)
	switch {
	case d.fault != "":
		for i, l := range canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(d.fault)).Wrap(in.W - 4) {
			in.Put(2, i, l)
		}
		return
	case !d.loaded:
		in.Put(2, 0, canvas.In(theme.Pending, env.Spinner()+" Reading drafts"))
		return
	}
	at := d.cursor
	first, end := at.Window(len(d.saved)+1, in.H, list.OneLine)
	for i := first; i < end; i++ {
		in.Put(2, i-first, d.rowLine(env, i))
		if i == at.At {
			in.Put(0, i-first, canvas.In(theme.Focus, theme.SignRow))
			in.Tint(i-first, theme.SelectBg)
		}
		in.Row(i - first).Zone(screen.Click{At: i})
	}
	list.Scroll(in, first, end-first, len(d.saved)+1)
}

// keysText returns the keys that do something now.
func (d *drafts) keysText(env screen.Env) string {
	said := "↵ use"
	if d.off(env, doDelete) == "" {
		said += " · X delete"
	}
	if d.off(env, doUndo) == "" {
		said += " · u undo"
	}
	return said + " · esc back"
}

func (d *drafts) rowLine(env screen.Env, i int) canvas.Line {
	if i == 0 {
		if !d.form.worthKeeping() {
			return canvas.In(theme.Muted, "The form is empty: its text could be saved here")
		}
		_, typed := typedByOwner(d.form, env)
		what := canvas.Text("the form" + d.form.otherOwnerText(env) + ": ")
		return canvas.Join(canvas.Bold(theme.Key, "Save "), what, summary(typed))
	}
	f := d.saved[i-1]
	return canvas.Join(canvas.In(theme.Muted, "Draft of "+draftTime(f.Saved, env.Now)+"  "), summary(f))
}

func draftTime(at, now time.Time) string {
	return format.Moment(ledger.TimeOf(at), now, false)
}

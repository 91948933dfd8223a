package send

import (
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/build"
)

// draw draws the list.
func (d *drafts) draw(env screen.Env, a canvas.Area) {
	title, keys := "Drafts of "+format.Account(env.Account).String(), canvas.In(theme.Muted, "↵ use · X delete · u undo · esc back")
	in := panel(env, a, title, time.Time{}, canvas.In(theme.Muted, format.Count(len(d.forms))), keys)
	switch {
	case d.fault != "":
		for i, l := range canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(d.fault)).Wrap(in.W - 4) {
			in.Put(2, i, l)
		}
		return
	case !d.read:
		in.Put(2, 0, canvas.In(theme.Pending, env.Spinner()+" Reading drafts"))
		return
	}
	at := d.at
	first, end := at.Window(len(d.forms)+1, in.H, list.One)
	for i := first; i < end; i++ {
		in.Put(2, i-first, d.row(env, i))
		if i == at.At {
			in.Put(0, i-first, canvas.In(theme.Focus, theme.SignRow))
			in.Tint(i-first, theme.SelectBg)
		}
		in.Row(i - first).Zone(screen.Click{At: i})
	}
	in.Scroll(first, end-first, len(d.forms)+1)
}

func (d *drafts) row(env screen.Env, i int) canvas.Line {
	if i == 0 {
		if !d.form.worthKeeping() {
			return canvas.In(theme.Muted, "The form is empty: its text could be saved here")
		}
		return canvas.Join(canvas.Bold(theme.Key, "Save "), canvas.Text("the form: "), summary(d.form.request(env)))
	}
	f := d.forms[i-1]
	return canvas.Join(canvas.In(theme.Muted, "Draft of "+draftTime(f.Saved, env.Now)+"  "), summary(f.Request))
}

func draftTime(at, now time.Time) string {
	return format.Moment(ledger.TimeOf(at), now, false)
}

// summary is a form in one line, as it was typed.
func summary(r build.TransferParams) canvas.Line {
	or := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		if ledger.HoldsWIF(text) {
			return "(a private key)"
		}
		return format.Clean(text)
	}
	memo := ""
	if r.Memo != "" {
		memo = "  “" + strings.Join(strings.Fields(or(r.Memo, "")), " ") + "”"
	}
	return canvas.Text(or(r.Amount, "no amount") + " " + or(r.Asset, "DCT") + " " + theme.SignOut + " " + or(r.To, "nobody yet") + memo)
}

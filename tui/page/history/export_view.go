package history

import (
	"fmt"
	"time"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// What the pop-up takes.
const (
	exportW = 76
	exportH = 12
)

// draw draws the pop-up.
func (x *export) draw(env screen.Env, a canvas.Area) {
	a.Fill(theme.Style{Bg: theme.ModalBg})
	foot := "↵ write   tab next field   esc cancel"
	if x.stop != nil {
		foot = "esc stops and leaves no file"
	}
	in := a.Box(
		canvas.Frame{
			Title: canvas.Bold(theme.Focus, "Export history"),
			Foot:  canvas.In(theme.Muted, foot),
			Heavy: true,
			Bg:    theme.ModalBg,
		},
	)
	of := format.Count(x.list.table.total)
	if !x.list.table.counted {
		of += " or more"
	}
	y := 0
	put := func(field int, label string, value canvas.Line) {
		in.Put(2, y, canvas.In(theme.Muted, label).On(theme.ModalBg))
		for _, l := range value.Wrap(in.W - 13) {
			in.Put(11, y, l.On(theme.ModalBg))
			if field == x.focus && x.stop == nil {
				in.Put(0, y, canvas.In(theme.Focus, theme.SignRow))
				in.Tint(y, theme.SelectBg)
			}
			y++
		}
	}
	put(-1, "Rows", canvas.Join(canvas.Text(of), canvas.In(theme.Muted, "  (everything the filter shows)")))
	if x.stop != nil {
		y++
		put(-1, "Writing", canvas.Text(x.speed(env)))
		return
	}
	for i, f := range formats() {
		label, sign, at := "", " ", -1
		if i == 0 {
			label = "Format"
		}
		if i == x.format {
			sign, at = "•", exportFormat
		}
		put(at, label, canvas.Join(canvas.Text("("+sign+") "+fmt.Sprintf("%-9s", f.name)), canvas.In(theme.Muted, f.what)))
	}
	tick := " "
	if x.memos {
		tick = "x"
	}
	put(
		exportMemos,
		"Memos",
		canvas.Join(
			canvas.Text("["+tick+"] write decrypted memos  "),
			canvas.In(theme.Warn, theme.SignCareful+" readable by anyone with the file"),
		),
	)
	put(exportFile, "File", x.file.Line(in.W-14, x.focus == exportFile))
	if x.fault != nil {
		y++
		what, _ := advice.Of(x.fault)
		for _, l := range canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what)).Wrap(in.W - 4) {
			in.Put(2, y, l.On(theme.ModalBg))
			y++
		}
	}
}

// speed returns how many rows are written, how fast, and how long it will take.
func (x *export) speed(env screen.Env) string {
	took := env.Now.Sub(x.began)
	text := fmt.Sprintf("%s of %s rows", count(x.seen), format.Count(x.list.table.total))
	if took < paceLeast || x.seen == 0 {
		return text
	}
	text += fmt.Sprintf(" · %s rows/s", count(x.seen*uint64(time.Second)/uint64(took)))
	if rest := uint64(max(x.list.table.total, 0)); x.list.table.counted && rest > x.seen {
		text += " · " + format.Wait(took*time.Duration(rest-x.seen)/time.Duration(x.seen)) + " left"
	}
	return text
}

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

// The size of the pop-up.
const (
	exportW = 76
	exportH = 13
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
	n, counted := x.rows()
	of := count(n)
	switch {
	case !counted && x.span != 0:
		of = env.Spinner() + " counting"
	case !counted:
		of += " or more"
	}
	y := 0
	put := func(field int, label string, value, more canvas.Line) { // more is left out on a narrow terminal
		if long := canvas.Join(value, more); long.Width() <= in.W-13 {
			value = long
		}
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
	put(exportRows, "Rows", canvas.Text(of), canvas.In(theme.Muted, "  ("+spanTexts()[x.span]+")"))
	if x.stop != nil {
		y++
		put(-1, "Writing", canvas.Text(x.progressText(env)), nil)
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
		put(at, label, canvas.Text("("+sign+") "+f.name), canvas.In(theme.Muted, fmt.Sprintf("%*s", 9-len(f.name), "")+f.about))
	}
	careful := canvas.In(theme.Warn, theme.SignCareful)
	put(exportMemos, "Memos", canvas.Join(canvas.Text(checkbox(x.memos)+"write decrypted memos  "), careful),
		canvas.In(theme.Warn, " readable by anyone with the file"))
	put(exportLabels, "Labels", canvas.Text(checkbox(x.labels)+"write private labels"), nil)
	put(exportIDs, "Ids", canvas.Text(checkbox(x.ids)+"write transaction ids"), canvas.In(theme.Muted, "  asks the node for each block"))
	put(exportFile, "File", x.file.Line(in.W-14, x.focus == exportFile), nil)
	if x.fault != nil {
		y++
		what, _ := advice.Of(x.fault)
		for _, l := range canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what)).Wrap(in.W - 4) {
			in.Put(2, y, l.On(theme.ModalBg))
			y++
		}
	}
}

func checkbox(on bool) string {
	if on {
		return "[x] "
	}
	return "[ ] "
}

// progressText returns how many rows are written, how fast, and how long the rest will take.
func (x *export) progressText(env screen.Env) string {
	took := env.Now.Sub(x.started)
	n, counted := x.rows()
	text := fmt.Sprintf("%s of %s rows", count(x.written), count(n))
	if took < paceMinimum || x.written == 0 {
		return text
	}
	text += fmt.Sprintf(" · %s rows/s", count(x.written*uint64(time.Second)/uint64(took)))
	if counted && n > x.written {
		text += " · " + format.Wait(took*time.Duration(n-x.written)/time.Duration(x.written)) + " left"
	}
	return text
}

package content

import (
	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/content"
)

// Watch finds the publications and downloads that ended. The zero value has not seen any task yet.
type Watch struct{ states map[string]content.State }

// News reports the end of a task.
type News struct {
	Line canvas.Line
	Bad  bool // it failed
}

// Ended returns how tasks ended since the last call. What had ended before the first call is no news.
func (w *Watch) Ended(tasks []content.Task) (out []News) {
	was := w.states
	w.states = map[string]content.State{}
	for _, t := range tasks {
		w.states[t.ID] = t.State
		over := t.State == content.Done || t.State == content.Failed
		if was == nil || !over || was[t.ID] == t.State || t.Kind != content.Publishing && t.Kind != content.Downloading {
			continue
		}
		out = append(out, newsOf(t))
	}
	return out
}

// longestTitle is the maximum width of a title, in cells.
const longestTitle = 40

func newsOf(t content.Task) News {
	what := format.Quote(t.Title, longestTitle)
	if t.Title == "" { // a download has none
		what = canvas.Text("What was bought at " + canvas.Cut(format.Clean(t.URI), longestTitle))
	}
	say := func(text string) canvas.Line { return canvas.Join(what, canvas.Text(" "+text)) }
	switch {
	case t.State == content.Failed && t.Kind == content.Publishing:
		return News{say("was not published: " + format.Clean(t.Reason)), true}
	case t.State == content.Failed:
		return News{say("was not downloaded: " + format.Clean(t.Reason)), true}
	case t.Kind == content.Publishing:
		return News{say("is submitted, and on offer once a block has it"), false}
	}
	return News{say("is downloaded"), false}
}

// toast returns the news as a message that disappears.
func (n News) toast() canvas.Line {
	if n.Bad {
		return canvas.Join(canvas.In(theme.Danger, theme.SignFailed+" "), n.Line)
	}
	return canvas.Join(canvas.In(theme.OK, theme.SignDone+" "), n.Line)
}

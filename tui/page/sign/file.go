package sign

import (
	"context"
	"path/filepath"

	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// doPath performs a key while the name of a file is typed.
func (m *Model) doPath(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "clear":
		m.path.Set("")
	case "esc":
		m.typing, m.note = nowhere, ""
	case "enter":
		path := screen.Path(m.path.Value())
		if path == "" {
			return nil
		}
		m.note = ""
		return m.tasks.Start(env, topicFile, readLimit, func(ctx context.Context) (any, error) { return m.core.Files.Open(ctx, path) })
	}
	return nil
}

// applyFile shows the file that was read, or why it was not.
func (m *Model) applyFile(env screen.Env, msg screen.Result) tea.Cmd {
	f, read := msg.Body.(File)
	if msg.Err != nil || !read {
		m.note = advice.Sentence(msg.Err)
		return nil
	}
	m.typing, m.file = nowhere, newFileReview(env, f)
	m.path.Set("") // so that the next name is not appended
	return m.file.page.Wake()
}

func (m *Model) doFile(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "esc":
		if m.file.page.Raw() {
			return m.file.page.Do(env, "review.raw")
		}
		m.file = nil
		return nil
	case doSign:
		return m.signFile(env)
	case doSend:
		return m.sendFile(env)
	}
	return m.file.page.Do(env, id)
}

// signFile starts signing the file with the keys of this wallet; the result is a new file.
func (m *Model) signFile(env screen.Env) tea.Cmd {
	if why := m.Off(env, doSign); why != "" {
		switch {
		case !m.file.page.Ready(env):
			return nil
		case !env.Unlocked():
			return screen.Request(screen.NeedUnlock{})
		}
		return screen.Request(screen.Toast{Line: canvas.Text("S is off: " + why)})
	}
	f := m.file.File
	return m.tasks.Start(env, topicSign, readLimit, func(ctx context.Context) (any, error) { return m.core.Files.Sign(ctx, f) })
}

// applySigned shows the new file with the signatures.
func (m *Model) applySigned(env screen.Env, msg screen.Result) tea.Cmd {
	f, made := msg.Body.(File)
	if msg.Err != nil || !made {
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Text(advice.Sentence(msg.Err))})
	}
	before, where := m.file, f.Path
	if whole, err := filepath.Abs(where); err == nil { // show the folder, too
		where = whole
	}
	if m.file = newFileReview(env, f); before != nil && before.Holds.ID == f.Holds.ID { // signing does not change what was confirmed
		m.file.page.Keep(before.page)
	}
	return tea.Batch(m.file.page.Wake(),
		screen.Request(screen.Toast{Line: canvas.Text("Signed, in a new file: " + format.Clean(where))}))
}

// sendFile opens the review that sends a file with all signatures.
func (m *Model) sendFile(env screen.Env) tea.Cmd {
	if why := m.Off(env, doSend); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("b is off: " + why)})
	}
	return screen.Request(screen.Navigate{To: screen.Send, With: screen.Spend{Built: m.core.Files.Built(m.file.File), Back: screen.Sign,
		Word: "Send as it is signed", Intro: "It is signed already: S sends it. Read back from the signed bytes.",
		Life: lifeText(env, m.file.Holds)}})
}

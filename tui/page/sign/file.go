package sign

import (
	"context"
	"path/filepath"
	"strings"

	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// doPath types the name of a file.
func (m *Model) doPath(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "clear":
		m.path.Set("")
	case "esc":
		m.typing, m.note = nowhere, ""
	case "enter":
		path := strings.TrimSpace(m.path.Value())
		if path == "" {
			return nil
		}
		m.note = ""
		return m.tasks.Start(env, topicFile, askLimit, func(ctx context.Context) (any, error) { return m.core.Files.Open(ctx, path) })
	}
	return nil
}

// opened shows the file that was read, or says why there is none.
func (m *Model) opened(env screen.Env, msg screen.Result) tea.Cmd {
	f, read := msg.Body.(File)
	if msg.Err != nil || !read {
		m.note = advice.Said(msg.Err)
		return nil
	}
	m.typing, m.file = nowhere, open(env, f)
	m.path.Set("") // the next one is not typed behind it
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
		return m.sign(env)
	case doSend:
		return m.send(env)
	}
	return m.file.page.Do(env, id)
}

// sign adds the signatures of this wallet, into a new file.
func (m *Model) sign(env screen.Env) tea.Cmd {
	if why := m.Off(env, doSign); why != "" {
		switch {
		case !m.file.page.Ready(env):
			return nil
		case !env.Unlocked():
			return screen.Request(screen.NeedUnlock{Back: screen.Sign})
		}
		return screen.Request(screen.Toast{Line: canvas.Text("S is off: " + why)})
	}
	f := m.file.File
	return m.tasks.Start(env, topicSign, askLimit, func(ctx context.Context) (any, error) { return m.core.Files.Sign(ctx, f) })
}

// signed shows the file with the signatures.
func (m *Model) signed(env screen.Env, msg screen.Result) tea.Cmd {
	f, made := msg.Body.(File)
	if msg.Err != nil || !made {
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Text(advice.Said(msg.Err))})
	}
	before, where := m.file, f.Path
	if whole, err := filepath.Abs(where); err == nil { // the folder is part of where it is
		where = whole
	}
	if m.file = open(env, f); before != nil && before.Holds.ID == f.Holds.ID { // a signature changes nothing of what was confirmed
		m.file.page.Keep(before.page)
	}
	return tea.Batch(m.file.page.Wake(),
		screen.Request(screen.Toast{Line: canvas.Text("Signed, in a new file: " + format.Clean(where))}))
}

// send opens the review of sending a file that has all its signatures.
func (m *Model) send(env screen.Env) tea.Cmd {
	if why := m.Off(env, doSend); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("b is off: " + why)})
	}
	return screen.Request(screen.Navigate{To: screen.Send, With: screen.Spend{Built: m.core.Files.Built(m.file.File), Back: screen.Sign,
		Word: "Send as it is signed", Intro: "It is signed already: S sends it. Read back from the signed bytes.",
		Life: life(env, m.file.Holds)}})
}

package node

import (
	"context"
	"strings"

	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

func (m *Model) openAdd() {
	form := &ask.Form{Title: "Add a node", Word: "add", Text: []canvas.Line{
		canvas.In(theme.Muted, "It is written to the settings file and asked from the next start. Of another chain it is never used."),
	}, Fields: []ask.Field{{Label: "Address"}}}
	form.Missing = func(values []string) string {
		if text := strings.TrimSpace(values[0]); !strings.HasPrefix(text, "wss://") && !strings.HasPrefix(text, "ws://") {
			return "write it like wss://node.example"
		}
		return ""
	}
	m.form.Open(form, "Writing", func(_ context.Context, values []string) (any, error) {
		url := strings.TrimSpace(values[0])
		return "Added " + url + ": it counts from the next start", m.core.Addresses.Add(url)
	})
}

func (m *Model) openDrop(url string) {
	form := &ask.Form{Title: "Remove a node", Word: "remove", Delete: true, Text: []canvas.Line{
		canvas.Text(format.Clean(url)),
		canvas.In(theme.Muted, "It is taken out of the settings file, and not asked any more from the next start. Press X."),
	}}
	m.form.Open(form, "Writing", func(context.Context, []string) (any, error) {
		return "Removed " + url + ": it is not asked from the next start on", m.core.Addresses.Remove(url)
	})
}

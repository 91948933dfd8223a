package node

import (
	"context"
	"strings"

	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
)

func (m *Model) openAdd() {
	form := &ask.Form{Title: "Add a node", Word: "add", Text: []canvas.Line{
		canvas.In(theme.Muted, "It is written to the settings file and used from the next start. A node of another chain is never used."),
	}, Fields: []ask.Field{{Label: "Address"}}, Missing: noAddress, Keep: true}
	m.form.Open(form, "Writing", func(_ context.Context, values []string) (any, error) {
		url := strings.TrimSpace(values[0])
		return "Added " + url + ": it counts from the next start", m.core.Addresses.Add(url)
	})
}

func noAddress(values []string) string { return AddressProblem(values[0]) }

// AddressProblem returns what is wrong with the typed address of a node; empty if it is fine.
func AddressProblem(text string) string {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "wss://") && !strings.HasPrefix(text, "ws://") {
		return "write it like wss://node.example"
	}
	return ""
}

func (m *Model) openEdit(url string) {
	form := &ask.Form{Title: "Edit a node", Word: "save", Text: []canvas.Line{
		canvas.In(theme.Muted, "It is written to the settings file in place of "+format.Clean(url)+", and used from the next start."),
	}, Fields: []ask.Field{{Label: "Address", Input: field.New(url)}}, Missing: noAddress, Keep: true}
	m.form.Open(form, "Writing", func(_ context.Context, values []string) (any, error) {
		next := strings.TrimSpace(values[0])
		return "Changed to " + next + ": it counts from the next start", m.core.Addresses.Replace(url, next)
	})
}

func (m *Model) openDrop(url string) {
	form := &ask.Form{Title: "Remove a node", Word: "remove", Delete: true, Text: []canvas.Line{
		canvas.Text(format.Clean(url)),
		canvas.In(theme.Muted, "It is taken out of the settings file, and not used from the next start on. Press X."),
	}}
	m.form.Open(form, "Writing", func(context.Context, []string) (any, error) {
		return "Removed " + url + ": it is not used from the next start on", m.core.Addresses.Remove(url)
	})
}

package tui_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"billfold/tui"
	"billfold/tui/action"
	"billfold/tui/overlay/dialog"
	"billfold/tui/overlay/palette"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/frame"

	tea "github.com/charmbracelet/bubbletea"
)

// paletteOf returns a palette over pages, in which a text was typed.
func paletteOf(text string, pages ...frame.Page) *palette.Model {
	m := palette.New(palette.Sources{Pages: pages, Place: "home", Off: func(action.ID) string { return "" }})
	m.Update(screen.Env{}, screen.Text{Key: tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)}})
	return m
}

// entered returns what enter does; nil if there is no row.
func entered(m *palette.Model) tea.Msg {
	cmd := m.Update(screen.Env{}, screen.Command{ID: "enter"})
	if cmd == nil {
		return nil
	}
	closed, _ := cmd().(dialog.Closed)
	return closed.Then
}

// found returns what a palette shows.
func found(m *palette.Model) string {
	c := canvas.New(m.Size(screen.Env{}))
	m.Draw(screen.Env{}, c.All())
	return c.Plain()
}

func TestFewLettersFindAPage(t *testing.T) {
	pages := []frame.Page{
		{ID: screen.Home, Key: "1", Name: "Home"},
		{ID: screen.Receive, Key: "4", Name: "Receive"},
		{ID: screen.RPC, Key: "-", Name: "RPC"},
	}
	for text, want := range map[string]screen.ID{"recv": screen.Receive, "rpc": screen.RPC, "hm": screen.Home} {
		m := paletteOf(text, pages...)
		if got := entered(m); got != (screen.Navigate{To: want}) {
			t.Errorf("%q finds %+v first:\n%s", text, got, found(m))
		}
	}
	m := paletteOf(">recv", pages...)
	if got := entered(m); got != nil || !strings.Contains(found(m), " 0 of 4 ") {
		t.Errorf("> does not narrow to actions:\n%s", found(m))
	}
}

func TestSentencesFillInAPage(t *testing.T) {
	for text, want := range map[string]screen.Navigate{
		"send carol 5 DCT":          {To: screen.Send, With: screen.Typed{To: "carol", Amount: "5", Asset: "DCT"}},
		"history with:carol dir:in": {To: screen.History, With: screen.Filter("with:carol dir:in")},
	} {
		m := paletteOf(text)
		if got := entered(m); got != want || !strings.Contains(found(m), " SENTENCE ") {
			t.Errorf("%q: %+v\n%s", text, got, found(m))
		}
	}
	for _, text := range []string{"", "send", "receive 5", "history"} {
		if m := paletteOf(text); strings.Contains(found(m), " SENTENCE ") {
			t.Errorf("%q is a sentence: %+v\n%s", text, entered(m), found(m))
		}
	}
}

// enter runs the row in focus, and a full sentence is a row as well.
func TestASentenceIsARow(t *testing.T) {
	m := paletteOf("send carol 5,000 DCT")
	want := screen.Navigate{To: screen.Send, With: screen.Typed{To: "carol", Amount: "5,000", Asset: "DCT"}}
	if got := entered(m); got != want {
		t.Errorf("it finds %+v first:\n%s", got, found(m))
	}
	m.Update(screen.Env{}, screen.Command{ID: "down"})
	if got := entered(m); got == nil || got == want {
		t.Errorf("after the sentence it finds %+v:\n%s", got, found(m))
	}
	m = paletteOf("recv carol")
	if all := found(m); !strings.Contains(all, " 1 of ") || !strings.Contains(all, " FIND ") {
		t.Errorf("without a sentence it finds\n%s", all)
	}
}

// What takes something away is not first before its own verb is typed, as long as anything else on the page has a word that begins so.
func TestNoPrefixFindsWhatTakesAwayFirst(t *testing.T) {
	lines, err := os.ReadFile("../testdata/operations.txt")
	if err != nil {
		t.Fatal(err)
	}
	var calls []palette.Named
	for line := range strings.Lines(string(lines)) {
		if name, _, _ := strings.Cut(line, " "); !strings.HasPrefix(name, "#") {
			calls = append(calls, palette.Named{Name: strings.TrimSpace(name)})
		}
	}
	first := func(place, text string) string {
		m := palette.New(palette.Sources{Table: tui.KeyTable(), Pages: tui.Pages(), Place: place, Calls: calls, Off: func(action.ID) string { return "" }})
		m.Update(screen.Env{}, screen.Text{Key: tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)}})
		_, row, _ := strings.Cut(found(m), "▌ ")
		row, _, _ = strings.Cut(row, "  ")
		return row
	}
	for text, want := range map[string]string{"vote": "vote_for_miner", "send": "Send", "gacc": "get_account", "remove_acc": "remove_account"} {
		if got := first("home", text); got != want {
			t.Errorf("%q finds %q first, not %q", text, got, want)
		}
	}
	takes := regexp.MustCompile(`^(remove|delete|forget|cancel|withdraw|take|clear|hide|reset)(_| )`)
	walked := 0
	for _, at := range tui.KeyTable() {
		if at.Modal {
			continue
		}
		var all []string
		for _, c := range calls {
			all = append(all, c.Name)
		}
		for _, a := range append(slices.Clone(at.Actions), tui.KeyTable().At(action.Everywhere).Actions...) {
			if a.ID == "stop" { // a key only
				continue
			}
			all = append(all, strings.ToLower(a.Help))
		}
		for _, one := range all {
			verb := takes.FindString(one)
			for n := range len(verb) - 2 {
				prefix := verb[:n+1]
				other := slices.ContainsFunc(all, func(s string) bool {
					return !takes.MatchString(s) && strings.Contains(" "+strings.ReplaceAll(s, "_", " "), " "+prefix)
				})
				if got := first(at.ID, prefix); other && takes.MatchString(got) {
					t.Errorf("%s: %q finds %q first", at.ID, prefix, got)
				}
				walked++
			}
		}
	}
	if walked < 100 {
		t.Errorf("%d prefixes were walked", walked)
	}
}

package palette

import (
	"testing"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/frame"
)

func TestFewLettersFindAPage(t *testing.T) {
	pages := []frame.Page{
		{ID: screen.Home, Key: "1", Name: "Home"},
		{ID: screen.Receive, Key: "4", Name: "Receive"},
		{ID: screen.RPC, Key: "-", Name: "RPC"},
	}
	m := New(Sources{Pages: pages, Place: "home", Off: func(action.ID) string { return "" }})
	for text, want := range map[string]string{"recv": "Receive", "rpc": "RPC", "hm": "Home"} {
		m.input.Set(text)
		if found := m.found(); len(found) == 0 || found[0].word != want {
			t.Errorf("%q finds %+v", text, found)
		}
	}
	if m.input.Set(">recv"); len(m.found()) != 0 {
		t.Error("> does not narrow to actions")
	}
}

func TestSentencesFillAPage(t *testing.T) {
	if got := sentence(
		"send carol 5 DCT",
	); got != (screen.Navigate{To: screen.Send, With: screen.Typed{To: "carol", Amount: "5", Asset: "DCT"}}) {
		t.Errorf("send: %+v", got)
	}
	if got := sentence(
		"history with:carol dir:in",
	); got != (screen.Navigate{To: screen.History, With: screen.Filter("with:carol dir:in")}) {
		t.Errorf("history: %+v", got)
	}
	for _, text := range []string{"", "send", "receive 5", "history"} {
		if got := sentence(text); got != nil {
			t.Errorf("%q is a sentence: %+v", text, got)
		}
	}
}

// What enter does is the row in focus, a whole sentence too.
func TestASentenceIsARow(t *testing.T) {
	m := New(Sources{Place: "home", Off: func(action.ID) string { return "" }})
	m.input.Set("send carol 5,000 DCT")
	found := m.found()
	if len(found) < 2 || found[0].do != sentence("send carol 5,000 DCT") {
		t.Errorf("it finds %+v", found)
	}
	m.input.Set("recv carol")
	if found := m.found(); len(found) != 1 || found[0].group != objects {
		t.Errorf("no sentence finds %+v", found)
	}
}

package history_test

import (
	"context"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/uitest"

	tea "github.com/charmbracelet/bubbletea"
)

// stopwatch runs the real root model and notes when each answer was on screen.
type stopwatch struct {
	model *tui.Model
	began time.Time
	rows  time.Duration // until the first rows
	whole time.Duration // until all is counted
}

func (w *stopwatch) press(keys ...tea.Msg) {
	w.began, w.rows = time.Now(), 0
	var cmds []tea.Cmd
	for _, k := range keys {
		_, cmd := w.model.Update(k)
		cmds = append(cmds, cmd)
	}
	_ = w.model.View()
	w.rows = time.Since(w.began)
	for _, cmd := range cmds {
		w.run(cmd)
	}
	w.whole = time.Since(w.began)
}

func (w *stopwatch) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			w.run(one)
		}
	default:
		_, next := w.model.Update(msg)
		if mail, ok := msg.(screen.Result); ok && mail.Err == nil { // an end of a question that was overtaken changes nothing
			_ = w.model.View()
			if mail.Topic == "look" {
				w.rows = time.Since(w.began)
			}
		}
		w.run(next)
	}
}

func keysOf(words string) (out []tea.Msg) {
	for _, r := range words {
		out = append(out, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	return out
}

// From the key to the frame with its rows, on a history of 1,000,000 of them. A
// filter's time has the 80 ms in it that typing must rest.
func BenchmarkHistoryKeys(b *testing.B) {
	core := million(b)
	esc, enter, slash := uitest.Key("esc"), uitest.Key("enter"), uitest.Key("/")
	none := []tea.Msg{}
	for _, c := range []struct {
		name       string
		before, do []tea.Msg
	}{
		{"open", none, []tea.Msg{uitest.Key("2")}},
		{"G", []tea.Msg{uitest.Key("2")}, []tea.Msg{uitest.Key("G")}},
		{"g from the end", []tea.Msg{uitest.Key("2"), uitest.Key("G")}, []tea.Msg{uitest.Key("g")}},
		{"pgdown", []tea.Msg{uitest.Key("2"), uitest.Key("pgdown")}, []tea.Msg{uitest.Key("pgdown")}},
		{"day back", []tea.Msg{uitest.Key("2"), uitest.Key("G")}, []tea.Msg{uitest.Key("[")}},
		{"day on", []tea.Msg{uitest.Key("2"), uitest.Key("G")}, []tea.Msg{uitest.Key("]")}},
		{"date", append([]tea.Msg{uitest.Key("2"), uitest.Key("t")}, keysOf("2020-06-01")...), []tea.Msg{enter}},
		{"filter with:carol", []tea.Msg{uitest.Key("2"), slash}, keysOf("with:carol")},
		{"filter dir:in", []tea.Msg{uitest.Key("2"), slash}, keysOf("dir:in")},
		{"filter amount>999", []tea.Msg{uitest.Key("2"), slash}, keysOf("amount>999")},
		{"filter of a group", []tea.Msg{uitest.Key("2"), slash}, keysOf("(with:car* or memo:plain) -asset:POINTS since:900d")},
		{"filter without rows", []tea.Msg{uitest.Key("2"), slash}, keysOf("amount>99999999")},
		{"G in dir:in", append(append([]tea.Msg{uitest.Key("2"), slash}, keysOf("dir:in")...), enter), []tea.Msg{uitest.Key("G")}},
		{"pgdown at the end of dir:in", append(append([]tea.Msg{uitest.Key("2"), slash}, keysOf("dir:in")...), enter,
			uitest.Key("t"), uitest.Key("2"), uitest.Key("0"), uitest.Key("0"), uitest.Key("0"), uitest.Key("d"), enter),
			[]tea.Msg{uitest.Key("pgdown"), uitest.Key("pgdown"), uitest.Key("pgdown")}},
		{"order in dir:in", append(append([]tea.Msg{uitest.Key("2"), slash}, keysOf("dir:in")...), enter), []tea.Msg{uitest.Key("o")}},
		{"clear the filter", append(append([]tea.Msg{uitest.Key("2"), slash}, keysOf("dir:in")...), enter), []tea.Msg{esc}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var rows, whole, worst time.Duration
			for range b.N {
				w := &stopwatch{model: tui.New(context.Background(), tui.Options{Core: core}, theme.New(theme.Settings{}))}
				w.press(tea.WindowSizeMsg{Width: 140, Height: 40})
				for _, k := range c.before {
					w.press(k)
				}
				w.press(c.do...)
				rows, whole, worst = rows+w.rows, whole+w.whole, max(worst, w.rows)
			}
			b.ReportMetric(float64(rows.Microseconds())/1000/float64(b.N), "ms-to-rows")
			b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
			b.ReportMetric(float64(whole.Microseconds())/1000/float64(b.N), "ms-to-counts")
			b.ReportMetric(0, "ns/op")
		})
	}
}

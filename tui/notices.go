package tui

import (
	"encoding/json"
	"fmt"
	"strings"

	"billfold/tui/format"
	"billfold/tui/overlay/dialog"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/commandline"

	tea "github.com/charmbracelet/bubbletea"
)

// notices shows what the page shows or did as a command, the banner, and what toasts said.
func (r *reading) notices(page screen.Screen, banner canvas.Line, kept []notice) *dialog.Model {
	calls, why := r.calls(page)
	return noticesDialog(noticed{banner: banner, kept: kept, calls: calls, why: why, money: r.env.Money(), w: max(r.env.W-28, 20)})
}

// calls are what the page shows or did, as commands and as a call of the listener; none where there is no such operation or command.
// why is in a sentence why there is no command; empty where there is one, or nothing to say.
func (r *reading) calls(page screen.Screen) (out []screen.Value, why string) {
	var commands []screen.ShellCommand
	if of, ok := page.(screen.Commander); ok {
		commands = of.Commands(r.env)
	}
	method, curl := r.call(page)
	if method.Words != nil {
		commands = append(commands, method)
	}
	for _, c := range commands {
		if line := r.opt.Shell.Line(c); line != "" {
			out = append(out, screen.Value{Name: c.Name, Text: line})
		} else {
			why = r.opt.Shell.Why
		}
	}
	if curl != "" {
		out = append(out, screen.Value{Name: "curl", Text: curl})
	}
	return out, why
}

// call is the operation that a page shows or did, for a shell, and for the listener that is on.
func (r *reading) call(page screen.Screen) (command screen.ShellCommand, curl string) {
	caller, ok := page.(screen.Caller)
	if !ok || r.opt.Core.Console == nil {
		return command, ""
	}
	line := caller.Call(r.env)
	body := r.opt.Core.Console.Request(line)
	parsed, err := commandline.Parse(line)
	if body == "" || err != nil {
		return command, ""
	}
	if endpoint := r.httpEndpoint(); endpoint.URL != "" {
		curl = endpoint.Curl(body)
	}
	return screen.ShellCommand{Name: "Command", Words: callWords(parsed)}, curl
}

// callWords are the words of a call. What begins like a flag is none.
func callWords(line commandline.Command) []string {
	words := []string{line.Method}
	for _, param := range line.Params {
		text := string(param)
		_ = json.Unmarshal(param, &text) // what is no text stays as it is
		if strings.HasPrefix(text, "-") && words[0] != "--" {
			words = append([]string{"--"}, words...)
		}
		words = append(words, text)
	}
	return append([]string{"call"}, words...)
}

// noticed is what is shown of a page and of toasts, in w cells.
type noticed struct {
	banner canvas.Line // that stands now; nil: none does
	kept   []notice
	calls  []screen.Value
	why    string // there is no command for a shell
	money  format.Money
	w      int
}

// noticesDialog lists the calls, what stands now, and the notices, the newest first.
func noticesDialog(n noticed) *dialog.Model {
	d := &dialog.Model{Title: "Past notices", Foot: "esc close"}
	var of []screen.Value // of each row that copies
	for _, v := range n.calls {
		name := canvas.In(theme.Muted, fmt.Sprintf("%-10s", v.Name))
		for _, l := range n.money.Said(canvas.Text(format.Clean(v.Text))).Wrap(n.w) {
			d.Rows, of = append(d.Rows, canvas.Join(name, l)), append(of, v)
			name = canvas.Text("          ")
		}
	}
	says := n.why
	if len(of) > 0 {
		if says != "" {
			says += " What is below does."
		} else {
			says = "Run from a shell, this does the same once more."
		}
		says += " ↵ copies it."
		d.Title, d.Foot = "As a command · "+d.Title, "↵ copy · esc close"
		d.Pick = func(row int) tea.Msg {
			if row < len(of) {
				return screen.Copy{Value: of[row]}
			}
			return nil
		}
	}
	say := func(when string, line canvas.Line) {
		for _, l := range n.money.Said(line).Wrap(n.w) {
			d.Rows = append(d.Rows, canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-10s", when)), l))
			when = ""
		}
	}
	if n.banner != nil {
		say("now", n.banner)
	}
	for i := len(n.kept) - 1; i >= 0; i-- {
		say(format.Clock(n.kept[i].at), n.kept[i].line)
	}
	if says == "" && len(d.Rows) == 0 {
		says = "No notices yet."
	}
	if says != "" {
		d.Text = canvas.In(theme.Muted, says).Wrap(n.w + 10)
	}
	return d
}

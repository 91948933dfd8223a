package tui

import (
	"context"
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

// notices opens the dialog with what the page shows or did as a command, the banner, and what toasts said.
func (r *reading) notices(page screen.Screen, banner canvas.Line, said toasts) *dialog.Model {
	calls, why := r.shellCommands(page)
	return noticesDialog(noticesContent{banner: banner, kept: said.kept, news: len(said.shown) > 0 && !said.answer, calls: calls, why: why, money: r.env.Money(), times: r.env.Times(), w: max(r.env.W-28, 20)})
}

// shellCommands returns what the page shows or did, as shell commands and as a call of the HTTP listener. why says in a sentence why
// there is no command; it is empty if there is one or there is nothing to say.
func (r *reading) shellCommands(page screen.Screen) (out []screen.Value, why string) {
	var commands []screen.ShellCommand
	if of, ok := page.(screen.Commander); ok {
		commands = of.Commands(r.env)
	}
	method, curl := r.operationCall(page)
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

// operationCall returns the operation that a page shows or did, as a shell command and as a curl call of the HTTP listener, if that
// is on.
func (r *reading) operationCall(page screen.Screen) (command screen.ShellCommand, curl string) {
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

// callWords returns the words of a call. "--" goes before them if one looks like a flag.
func callWords(line commandline.Command) []string {
	words := []string{line.Method}
	for _, param := range line.Params {
		text := string(param)
		_ = json.Unmarshal(param, &text) // a parameter that is not a string stays as it is
		if strings.HasPrefix(text, "-") && words[0] != "--" {
			words = append([]string{"--"}, words...)
		}
		words = append(words, text)
	}
	return append([]string{"call"}, words...)
}

// noticesContent holds what the dialog shows, in w cells.
type noticesContent struct {
	banner canvas.Line // the current one; nil: none
	kept   []notice
	news   bool // a notice is on screen, and so is the key: the newest has the focus
	calls  []screen.Value
	why    string // why there is no shell command; empty: no reason
	money  format.Money
	times  format.Times
	w      int
}

// noticesDialog lists the commands, the banner, and the notices, newest first.
func noticesDialog(n noticesContent) *dialog.Model {
	d := &dialog.Model{Title: "Past notices (" + n.times.Zone(n.times.Now) + ")", Foot: "esc close"}
	var of []screen.Value // the value that each row copies
	for _, v := range n.calls {
		name := canvas.In(theme.Muted, fmt.Sprintf("%-10s", v.Name))
		for _, l := range n.money.Masked(canvas.Text(format.Clean(v.Text))).Wrap(n.w) {
			d.Rows, of = append(d.Rows, canvas.Join(name, l)), append(of, v)
			name = canvas.Text("          ")
		}
	}
	says := n.why
	if len(of) > 0 {
		if says != "" {
			says += " The call below does the same."
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
		for _, l := range n.money.Masked(line).Wrap(n.w) {
			d.Rows = append(d.Rows, canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-10s", when)), l))
			when = ""
		}
	}
	first := len(d.Rows)
	if n.banner != nil {
		say("now", n.banner)
	}
	for i := len(n.kept) - 1; i >= 0; i-- {
		say(n.times.Bare(n.kept[i].at), n.kept[i].line)
	}
	if n.news && first < len(d.Rows) { // the key was named beside a notice: that is what was asked for
		if n.banner != nil {
			first += len(n.money.Masked(n.banner).Wrap(n.w))
		}
		d.At(min(first, len(d.Rows)-1))
	}
	if says == "" && len(d.Rows) == 0 {
		says = "No notices yet."
	}
	if says != "" {
		d.Text = canvas.In(theme.Muted, says).Wrap(n.w + 10)
	}
	return d
}

// acknowledgeChanges records that a person has seen what others changed about own accounts. A store that cannot be written keeps the banner.
func acknowledgeChanges(s Session) tea.Cmd {
	return func() tea.Msg {
		_ = s.AcknowledgeChanges(context.Background())
		return nil
	}
}

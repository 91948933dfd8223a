package rpc

import (
	"strings"

	"billfold/tui/screen"
	"billfold/walletcore/walletapi"
)

// Call implements screen.Caller: the call in focus, if all of its parameters are shown.
func (m *Model) Call(env screen.Env) string {
	at := m.cursors[panelCalls].At
	if m.focus != panelCalls || at >= m.rowCount(env, panelCalls) {
		return ""
	}
	c := m.calls[at]
	if c.Method == "" || strings.Contains(c.Params, walletapi.Hidden) || strings.ContainsAny(c.Params, "…=") {
		return ""
	}
	return strings.TrimSpace(c.Method + " " + c.Params)
}

// Commands implements screen.Commander: the command that makes the new token, lists the tokens, or starts the program with
// the listeners that are on.
func (m *Model) Commands(screen.Env) []screen.ShellCommand {
	switch {
	case m.focus == panelCalls:
		return nil
	case m.lastCommand != nil:
		return []screen.ShellCommand{{Name: "Command", Words: m.lastCommand}}
	case m.focus == panelTokens:
		return []screen.ShellCommand{{Name: "Command", Words: []string{"token", "list"}}}
	}
	words := []string{"--tui"}
	login := false
	for _, d := range m.listeners {
		if d.On {
			words, login = append(words, d.flag()), login || d.Token
		}
	}
	if login {
		words = append(words, "--rpc-auth")
	}
	if len(words) == 1 {
		return nil
	}
	return []screen.ShellCommand{{Name: "Command", Start: true, Words: words,
		Sets: []string{"tui", "rpc-http", "rpc-ws", "rpc-socket", "rpc-auth"}}}
}

// flag returns the flag that opens the listener when the program starts.
func (l Listener) flag() string {
	scheme, rest, found := strings.Cut(l.Addr, "://")
	switch addr, _, _ := strings.Cut(rest, "/"); {
	case !found:
		return "--rpc-socket=" + l.Addr
	case strings.HasPrefix(scheme, "http"):
		return "--rpc-http=" + addr
	default:
		return "--rpc-ws=" + addr
	}
}

// newCommand returns the words of the command that makes a token of this name and policy.
func newCommand(name string, p Policy) []string {
	words := []string{"token", "new", name}
	for _, f := range []struct{ flag, text string }{{"--methods", p.May}, {"--accounts", p.Accounts}, {"--destinations", p.Destinations},
		{"--expires", p.Expires}} {
		if text := strings.TrimSpace(f.text); text != "" {
			words = append(words, f.flag, strings.ReplaceAll(text, ", ", ","))
		}
	}
	for _, f := range []struct{ flag, text string }{{"--per-payment", p.PerPayment}, {"--per-day", p.PerDay}, {"--ask-above", p.AskAbove}} {
		for part := range strings.SplitSeq(f.text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				words = append(words, f.flag, part)
			}
		}
	}
	return words
}

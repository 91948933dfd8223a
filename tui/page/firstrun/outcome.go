package firstrun

import (
	"fmt"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/vault"
)

// outcome holds what is reported after the last step; without lines there is nothing to report yet.
type outcome struct {
	lines  []string
	values []screen.Value // what y copies
	cursor list.Cursor    // the first line on screen
}

// outcomeOf returns the outcome of what a path's run returned: lines, or an outcome.
func outcomeOf(body any) outcome {
	if lines, plain := body.([]string); plain {
		return outcome{lines: lines}
	}
	return body.(outcome)
}

// registrationTitle is the title over what a registrar needs.
const registrationTitle = "Registration"

// createdOutcome returns how the wallet that was just created gets an account.
func createdOutcome(keys vault.NewAccount, name string) outcome {
	out := outcome{lines: []string{"The wallet is created and unlocked. Your paper restores its keys; " +
		"an account is registered by someone who has one. n on Home shows this again."}}
	out.addRegistration(vault.Waiting{Name: name, NewAccount: keys})
	return out
}

// registrationsOutcome returns which accounts wait to be registered by others, and what a registrar needs for each.
func registrationsOutcome(waiting []vault.Waiting) outcome {
	if len(waiting) == 0 {
		return outcome{lines: []string{"No account waits to be registered by others."}}
	}
	out := outcome{lines: []string{"An account is registered by someone who has one."}}
	for _, one := range waiting {
		out.addRegistration(one)
	}
	return out
}

func (o *outcome) addLines(lines ...string) { o.lines = append(o.lines, lines...) }

// addRegistration adds what a registrar needs for one account.
func (o *outcome) addRegistration(one vault.Waiting) {
	ask, of := one.Name, " of "+format.Clean(one.Name)
	for _, other := range one.Others {
		o.addLines(theme.SignFailed + " " + format.Clean(other.String()) + ".")
	}
	if ask == "" || len(one.Others) > 0 {
		ask, of = "NAME", ""
		o.addLines("Replace NAME with the name you want. Billfold lists the account as soon as the ledger has one with these keys.")
	} else {
		o.addLines("Billfold lists " + format.Clean(ask) + " as soon as the ledger has it.")
	}
	line := Registration(one.NewAccount, format.Clean(ask))
	o.addLines("", "Send this line to a registrar, or to anyone with an account, who runs it in Billfold or cli_wallet:", "", line, "",
		"Owner key   "+one.Owner.String(), "Active key  "+one.Active.String(), "Memo key    "+one.Memo.String())
	o.values = append(o.values, screen.Value{Name: "Registration" + of, Text: line},
		screen.Value{Name: "Owner key" + of, Text: one.Owner.String()}, screen.Value{Name: "Active key" + of, Text: one.Active.String()},
		screen.Value{Name: "Memo key" + of, Text: one.Memo.String()})
}

// wrapped returns the lines wrapped to w cells.
func (o *outcome) wrapped(w int) (out []canvas.Line) {
	for _, l := range o.lines {
		out = append(out, canvas.Text(l).Wrap(w)...)
	}
	return out
}

// outcomeW and outcomeH are the cells and rows around the lines: the frame, and the line of the keys.
const outcomeW, outcomeH = 6, 4

// scrolls reports whether the lines do not all fit on screen.
func (o *outcome) scrolls(env screen.Env) bool {
	w := min(pageW, env.W)
	return len(o.wrapped(w-outcomeW)) > min(o.height(env.W, env.H), env.H)-outcomeH
}

// height returns how many rows the box of the outcome takes: more than the box of the steps if there are more lines.
func (o *outcome) height(w, h int) int {
	return min(max(pageH, len(o.wrapped(min(pageW, w)-outcomeW))+outcomeH), h)
}

// scroll scrolls the lines.
func (o *outcome) scroll(env screen.Env, by int) {
	n := len(o.wrapped(min(pageW, env.W) - outcomeW))
	room := max(o.height(env.W, env.H)-outcomeH, 1)
	o.cursor.Jump(min(max(o.cursor.At+by, 0), max(n-room, 0)), n)
}

func (o *outcome) draw(in canvas.Area, asker screen.ID) {
	lines, room := o.wrapped(in.W-4), max(in.H-2, 1)
	first := min(o.cursor.At, max(len(lines)-room, 0))
	end := min(first+room, len(lines))
	for i := first; i < end; i++ {
		in.Put(2, i-first, lines[i])
	}
	list.Scroll(in.Top(room), first, end-first, len(lines))
	more := " goes on to Home"
	if asker != "" {
		more = " goes back"
	}
	if len(o.values) > 0 {
		more += "  ·  y copies the line, or a key of it"
	}
	in.Put(2, min(end-first+1, in.H-1), canvas.Join(canvas.Bold(theme.Key, "↵"), canvas.Text(more)))
}

// Registration returns the line with which somebody else registers an account.
func Registration(keys vault.NewAccount, name string) string {
	return fmt.Sprintf("register_account_with_keys %s %s %s %s THEIR-ACCOUNT true", name, keys.Owner, keys.Active, keys.Memo)
}

package linear

import (
	"context"
	"fmt"
	"strings"

	"billfold/ledger/printable"
	"billfold/tui/page/home"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// commonWords holds the words that work everywhere.
type commonWords struct {
	*Conversation
	routes []word // the words that lead from page to page
	warned bool   // quit has named what is not final yet; the next quit leaves
}

// prompts returns the words that work at every prompt.
func (s *commonWords) prompts() []word {
	return []word{
		{say: "back", row: "everywhere/esc", help: "one step back", do: func(context.Context, string) error { return errBack }},
		{
			say:  "stop",
			row:  "everywhere/stop",
			help: "cancel what you started; nothing is sent",
			do:   func(context.Context, string) error { return errStop },
		},
		{say: "help", row: "everywhere/help", also: []string{"everywhere/palette"}, do: s.sayHelp},
		{say: "repeat", help: "say the last answer again", do: s.repeat},
		{say: "spell", help: "spell the accounts, keys, links and transaction ids of the last answer", do: s.spell},
		{say: "where", help: "say where you are, the account, the lock and the node", do: s.sayWhere},
		{say: "lock", row: "everywhere/lock", help: "lock the wallet; unlock opens it", do: s.lockNow},
		{say: "hide", row: "everywhere/hide", help: "hide amounts, or show them again", do: s.hide},
		{say: "quit", row: "everywhere/quit", do: s.quit},
	}
}

// general returns the words that work at every page, besides the names of the pages.
func (s *commonWords) general() []word {
	return []word{
		{say: "unlock", help: "open the wallet", row: "unlock/enter", do: func(ctx context.Context, _ string) error {
			if s.env().Unlocked() {
				s.Say("The wallet is open." + locksIn(s.env().LockIn))
				return nil
			}
			return s.unlock(ctx)
		}},
		{say: "pending", row: "home/home.pending", help: "the pending payments", do: s.pending},
		{say: "account N", row: "everywhere/account", help: "list the accounts, or put number N in focus", do: s.chooseAccount},
		{say: "quiet", help: "no more events between prompts", do: func(context.Context, string) error {
			s.notices.quiet = true
			s.Say("Events are off. events lists them and turns them on.")
			return nil
		}},
		{say: "events", row: "everywhere/notices", help: "list past events, and report new ones again", do: s.listEvents},
	}
}

// do runs the line if it is a word that works at every prompt; heard reports whether it was.
func (s *commonWords) do(ctx context.Context, line string) (heard bool, err error) {
	s.opt.Core.Lock.Touch()
	s.watchLock()
	w, is := findWord(s.prompts(), line)
	if !is || !isCommonWord(line) {
		return false, nil
	}
	if w.name() != "repeat" && w.name() != "spell" {
		s.Forget()
	}
	return true, w.do(ctx, "")
}

// sayHelp lists what can be typed here.
func (s *commonWords) sayHelp(context.Context, string) error {
	if s.inQuestion() {
		s.Tell("Here", s.hint+".")
		s.Say("A word between quotes is text: \"help\".")
	} else {
		here, numbered := s.pageWords()
		s.Say("At " + string(s.at) + " you can type:")
		if numbered {
			s.Tell("number", "say that item in full")
		}
		for _, w := range here {
			s.Tell(w.say, w.helpText())
		}
		s.Say("At every page:")
		for _, w := range append(s.general(), s.routes...) {
			s.Tell(w.say, w.helpText())
		}
		var names []string
		for _, p := range pageIDs() {
			names = append(names, string(p))
		}
		s.Tell("Pages", strings.Join(names, " "))
	}
	s.Say("At every prompt:")
	for _, w := range s.prompts() {
		s.Tell(w.say, w.helpText())
	}
	return nil
}

// repeat prints the last answer again; while a review waits for its answer, it prints the review.
func (s *commonWords) repeat(context.Context, string) error {
	if s.review == nil || !s.inQuestion() {
		s.Repeat()
		return nil
	}
	for _, f := range s.review {
		s.write(f)
	}
	s.Tell("Type", s.hint)
	return nil
}

// spell spells the names in the last answer; while a review waits for its answer, those in the review. The answer can
// still be repeated afterwards.
func (s *commonWords) spell(context.Context, string) error {
	facts := s.said
	if s.review != nil && s.inQuestion() {
		facts = s.review
	}
	for _, f := range spell(facts) {
		s.write(f)
	}
	return nil
}

func (s *commonWords) sayWhere(context.Context, string) error {
	env := s.env()
	page := string(s.at)
	switch {
	case env.Status.Lock == vault.New:
		page = "first run"
	case !s.notices.started():
		page = "unlock"
	}
	s.Tell("Page", page)
	if len(env.Accounts) > 0 {
		s.Fact("Account", accountLine(env, env.Account.ID))
	}
	s.Tell("Wallet", s.lockState(env))
	s.sayNetwork(env)
	s.Tell("Type", s.hint)
	return nil
}

// lockNow locks the wallet from any prompt.
func (s *commonWords) lockNow(context.Context, string) error {
	switch s.env().Status.Lock {
	case vault.New:
		s.Say("There is no wallet yet, so nothing is open.")
		return nil
	case vault.Locked:
		if s.staysOnLock {
			s.Say("It is locked. The password opens it, stop leaves.")
		} else {
			s.Say("It is locked. unlock opens it.")
		}
		return errLock
	case vault.Unlocked:
	}
	s.opt.Core.Lock.Lock()
	s.notices.noteLockSaid()
	s.watchLock()
	s.justLocked = true
	switch {
	case s.staysOnLock:
		s.Say("Locked. Nothing was signed. Your answers are kept: the password continues, stop drops them.")
		return errWait
	case s.inQuestion():
		s.Say("Locked. unlock opens it.")
		s.Say("The question was cancelled; nothing was signed.")
	default:
		s.Say("Locked. unlock opens it.")
	}
	return errLock
}

func (s *commonWords) hide(context.Context, string) error {
	s.state.Hide()
	if s.env().Hidden {
		s.Say("Amounts are hidden. A review still shows them.")
	} else {
		s.Say("Amounts are shown.")
	}
	return nil
}

// quit ends the run. If payments are not final or requests are waiting, it names them first and leaves at the second
// quit; a script leaves at once.
func (s *commonWords) quit(context.Context, string) error {
	env := s.env()
	open := 0
	for _, p := range env.Payments {
		if p.State <= payment.InBlock || p.State == payment.Unknown {
			open++
		}
	}
	waiting := len(env.Approvals)
	if open+waiting > 0 && !s.warned && !s.script {
		s.warned = true
		if open > 0 {
			rest := " on the way, not final. Billfold is not needed for that."
			if s.opt.Sandbox {
				rest = " on the way, not final. The sandbox ends with Billfold."
			}
			s.Say(printable.Many(open, "payment") + rest)
		}
		if waiting > 0 {
			s.Say(fmt.Sprintf("%d of your programs' requests wait for your answer; quitting denies them.", waiting))
		}
		s.Say("Type quit again to leave.")
		return nil
	}
	return errQuit
}

func (s *commonWords) chooseAccount(ctx context.Context, rest string) error {
	env, err := s.account()
	if err != nil {
		return err
	}
	if rest == "" {
		var totals home.Totals
		if len(env.Accounts) > 1 { // what cannot be read is said not to be known
			totals, _ = within(ctx, s.Conversation, "Reading balances", func(ctx context.Context) (home.Totals, error) {
				return home.ReadTotals(ctx, s.opt.Core.Home, env.Accounts)
			})
		}
		for i, a := range env.Accounts {
			l := accountLine(env, a.ID)
			if len(env.Accounts) > 1 {
				l = canvas.Join(l, canvas.Text(", "), totals.Lines(env, a.ID, ledgerview.DCT())[0])
			}
			if a.ID == env.Account.ID {
				l = canvas.Join(l, canvas.Text(", in focus"))
			}
			s.Item(i+1, l)
		}
		if sum := totals.SumLine(env, ledgerview.DCT()); sum != nil {
			s.Line(sum)
			if note := home.Uncounted(env); note != nil {
				s.Line(note)
			}
		}
		s.Say("Type account and a number to change.")
		return nil
	}
	a, err := pick(env.Accounts, rest, "account")
	if err != nil {
		return err
	}
	s.state.Use(a.ID)
	s.notices.focus = a.ID
	s.Fact("Account", accountLine(s.env(), a.ID))
	return nil
}

func (s *commonWords) listEvents(context.Context, string) error {
	s.notices.quiet = false
	if len(s.notices.past) == 0 {
		s.Say("No events yet.")
	}
	for i, h := range s.notices.past {
		s.Item(i+1, canvas.Join(canvas.Text(s.env().Times().Clock(h.at)+", "), h.line))
	}
	return nil
}

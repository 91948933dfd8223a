package linear

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/progress"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// Session is a linear session: it goes from page to page.
type Session struct {
	*Conversation
	common *commonWords
	pages  map[screen.ID]page
}

// page is one page of the session.
type page interface {
	enter(ctx context.Context) error // prints the page
	words() []word
}

// opener is a page whose items are opened by number.
type opener interface {
	open(ctx context.Context, n int) error
}

// Run runs the session until the person quits, the input ends, or a script meets an error, and returns the exit code.
// An error is one of the program itself, tui.ErrWantSandbox or tui.ErrWantNode.
func Run(ctx context.Context, opt Options) (code int, err error) {
	if opt.Core.Session == nil {
		return Refused, errors.New("the linear mode was started without a wallet")
	}
	s := newSession(opt)
	events, stop := opt.Core.Session.Subscribe()
	defer stop()
	s.events = events
	watching, unwatch := context.WithCancel(ctx)
	defer s.notices.requests.watch(watching, opt.Approvals)()
	defer unwatch()
	s.lockOnSuspend()
	s.Say("Linear mode. Type help.")
	s.warnOfPlainNodes()
	err = s.run(ctx)
	var said *Refusal
	switch {
	case s.err != nil:
		return Refused, fmt.Errorf("the output cannot be written: %w", s.err)
	case ctx.Err() != nil:
		return s.sayInterrupted(), nil
	case err == nil, errors.Is(err, errQuit):
		return s.exitCode(), nil
	case errors.As(err, &said):
		s.saySentBefore()
		return said.Code, nil
	}
	return Refused, err
}

// saySentBefore prints what a script that failed had sent before: its exit code is about what failed.
func (s *Session) saySentBefore() {
	if !s.script {
		return
	}
	var sent []string
	for _, p := range s.env().Payments {
		known := progress.Known(s.env(), p)
		if !p.Prepared.Before(s.notices.since) && known.ID != (ledger.TransactionID{}) && known.State != payment.Rejected && known.State != payment.Expired {
			sent = append(sent, known.ID.String())
		}
	}
	if len(sent) == 0 {
		return
	}
	s.Tell("Before this", printable.Many(len(sent), "transaction")+" of this run went out and "+
		map[bool]string{true: "stays sent", false: "stay sent"}[len(sent) == 1]+": do not run the same lines again.")
	for _, id := range sent {
		s.Tell("Transaction id", id)
	}
}

// warnOfPlainNodes warns of nodes with an unencrypted connection.
func (s *Session) warnOfPlainNodes() {
	if s.opt.Core.Node.Pool == nil {
		return
	}
	for _, d := range s.opt.Core.Node.Pool.Daemons() {
		if d.Plain {
			s.Tell("Careful", "the connection to "+format.Clean(d.URL)+" is not encrypted: anyone in between can read and change it.")
		}
	}
}

// sayInterrupted prints what a signal interrupted and returns the exit code. A script ends with Unknown if a payment
// may still go through.
func (s *Session) sayInterrupted() int {
	open := 0
	for _, p := range s.env().Payments {
		if state := progress.Known(s.env(), p).State; state <= payment.Sent || state == payment.Unknown {
			open++
		}
	}
	why := &Refusal{What: "Stopped.", Money: "nothing was sent.", Next: "start again.", Code: Refused}
	switch {
	case open > 0 && s.opt.Sandbox:
		why = &Refusal{What: "Stopped with " + printable.Many(open, "payment") + " on the way.", Code: Unknown,
			Money: "play money, which ends with the sandbox.", Next: "start again."}
	case open > 0:
		why = &Refusal{What: "Stopped with " + printable.Many(open, "payment") + " on the way.", Code: Unknown,
			Money: "it may still go through. Do not send again.", Next: "start again; pending shows how it ends."}
	case !s.inQuestion():
		return s.exitCode()
	}
	s.Wrong(why)
	if s.script {
		return why.Code
	}
	return Done
}

// exitCode returns the exit code of a session without errors.
func (s *Session) exitCode() int {
	if s.script {
		return s.partialCode
	}
	return Done
}

func newSession(opt Options) *Session {
	d := newConversation(opt)
	s := &Session{Conversation: d, pages: makePages(d), common: &commonWords{Conversation: d}}
	s.common.routes = s.routes()
	d.onLock = s.forgetSecrets
	d.runCommonWord, d.openPage, d.pageWords = s.common.do, s.goTo, func() ([]word, bool) {
		_, numbered := s.pages[d.at].(opener)
		return s.pages[d.at].words(), numbered
	}
	return s
}

// run shows the first run or the unlock prompt, then goes from page to page.
func (s *Session) run(ctx context.Context) error {
	if err := s.unlockOrFirstRun(ctx); err != nil {
		if errors.Is(err, errOver) { // the input of a script ended
			return s.finishAnswer(ctx, err)
		}
		return err
	}
	if err := s.waitForNode(ctx); err != nil {
		return s.finishAnswer(ctx, err)
	}
	s.notices.start(s.env())
	if err := s.finishAnswer(ctx, s.goTo(ctx, screen.Home, "")); err != nil {
		return err
	}
	for {
		s.review = nil
		line, err := s.Ask(ctx, string(s.at), s.wordList())
		switch {
		case errors.Is(err, errOver):
			return nil
		case errors.Is(err, errBack), errors.Is(err, errStop), errors.Is(err, errLock):
			err = s.goBack(ctx, err)
		case isRefusal(err): // the line could not be read
		case err != nil:
			return err
		default:
			err = s.answer(ctx, strings.TrimSpace(line))
		}
		if err := s.finishAnswer(ctx, err); err != nil {
			return err
		}
	}
}

// finishAnswer prints how an answer ended; its error ends the run.
func (s *Session) finishAnswer(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errBack), errors.Is(err, errStop), errors.Is(err, errOver) && !s.script: // ctrl+d leaves a question
		s.Say("Left. You are at " + string(s.at) + ".")
		return nil
	case errors.Is(err, errLock):
		return nil
	case errors.Is(err, errQuit), wantsAnother(err):
		return err
	case errors.Is(err, errOver):
		return s.report(
			&Refusal{What: "The input ended before the answer.", Money: "nothing was sent.", Next: "start again.", Code: Misused},
		)
	case ctx.Err() != nil:
		return errQuit
	case s.err != nil:
		return s.err
	}
	return s.report(err)
}

// goBack goes to the home page.
func (s *Session) goBack(ctx context.Context, why error) error {
	if errors.Is(why, errLock) || s.at == screen.Home {
		if errors.Is(why, errBack) || errors.Is(why, errStop) {
			s.Say("You are at home, the first page. quit leaves.")
		}
		return nil
	}
	return s.goTo(ctx, screen.Home, "")
}

// answer does what was typed at a page.
func (s *Session) answer(ctx context.Context, line string) error {
	justLocked := s.justLocked
	s.justLocked = false
	if line == "" {
		return nil
	}
	secret := ledger.SecretIn(line)
	if secret != "" && s.at != screen.Console {
		return misuse("That is "+secret+". It was not kept; type one only when asked for it.", "import asks for it.")
	}
	if wrong := field.InvalidCharacter(line); wrong != "" && secret == "" {
		return misuse(sentence(wrong), "type the line again.")
	}
	first, rest := cutWord(line)
	rest, _ = unquote(rest)
	if strings.EqualFold(first, "exit") && rest == "" { // as in a shell
		return s.common.quit(ctx, "")
	}
	if n, err := strconv.Atoi(first); err == nil {
		return s.doItem(ctx, n, rest)
	}
	if w, ok := findWord(s.pages[s.at].words(), first); ok {
		return w.do(ctx, rest)
	}
	if slices.Contains(pageIDs(), screen.ID(strings.ToLower(first))) {
		return s.goTo(ctx, screen.ID(strings.ToLower(first)), rest)
	}
	if w, ok := findWord(append(s.common.general(), s.common.routes...), first); ok {
		return w.do(ctx, rest)
	}
	if justLocked { // the line may be a password: it is not printed
		return misuse("Not a word here. A password is typed only when asked for.", "unlock asks for it.")
	}
	if p, takes := s.pages[s.at].(interface {
		runOther(ctx context.Context, line string) error
	}); takes {
		return p.runOther(ctx, line)
	}
	return misuse(
		"There is no word "+format.Clean(quoted(strings.Trim(first, `"`)))+" at "+string(s.at)+".",
		"help lists the words."+suggestion(first, s.pages[s.at].words()),
	)
}

// doItem applies a word to a numbered item: 1 opens it, 1 approve is approve 1.
func (s *Session) doItem(ctx context.Context, n int, rest string) error {
	if rest == "" {
		p, opens := s.pages[s.at].(opener)
		if !opens {
			return misuse("Numbers mean nothing at "+string(s.at)+".", "help lists the words.")
		}
		return p.open(ctx, n)
	}
	first, more, _ := strings.Cut(rest, " ")
	w, ok := findWord(s.pages[s.at].words(), first)
	if !ok {
		return misuse("There is no word "+format.Clean(quoted(first))+" at "+string(s.at)+".", "help lists the words.")
	}
	return w.do(ctx, strings.TrimSpace(strconv.Itoa(n)+" "+more))
}

// goTo goes to a page and prints it. What is typed after its name is for the page: history type:transfer, settings
// theme.
func (s *Session) goTo(ctx context.Context, to screen.ID, rest string) error {
	was := s.at
	s.at = to
	if rest == "" {
		return s.pages[to].enter(ctx)
	}
	if p, direct := s.pages[s.at].(interface {
		enterWith(ctx context.Context, rest string) error
	}); direct {
		return p.enterWith(ctx, rest)
	}
	err := s.answer(ctx, rest)
	var r *Refusal
	if errors.As(err, &r) && r.Code == Misused {
		s.at = was
	}
	return err
}

// routes returns the words that lead to another page, besides the names of the pages.
func (s *Session) routes() []word {
	return append([]word{
		{say: "refresh", row: "everywhere/refresh", help: "read this page again", do: func(ctx context.Context, _ string) error {
			return s.pages[s.at].enter(ctx)
		}},
		{say: "import", row: "keys/keys.import", do: func(ctx context.Context, _ string) error {
			if err := s.needUnlock(ctx); err != nil {
				return err
			}
			return importer{s.Conversation}.importKeys(ctx)
		}},
		{say: "approvals", row: "everywhere/approval.oldest", help: "the requests of programs that wait for an answer",
			do: func(ctx context.Context, rest string) error {
				return s.goTo(ctx, screen.RPC, strings.TrimSpace("approvals "+rest))
			}},
	}, registrations{s.Conversation}.words()...)
}

// makePages makes the pages of the session.
func makePages(d *Conversation) map[screen.ID]page {
	c := reviewer{Conversation: d}
	pay, mail := &sendPage{reviewer: c}, &messagesPage{reviewer: c}
	answers := rowAnswers{d, pay, mail}
	return map[screen.ID]page{
		screen.Home:     &homePage{Conversation: d, answers: answers},
		screen.History:  &historyPage{Conversation: d, answers: answers, order: newest},
		screen.Send:     pay,
		screen.Receive:  &receivePage{Conversation: d},
		screen.Messages: mail,
		screen.Keys:     &keysPage{reviewer: c},
		screen.Contacts: &contactsPage{d},
		screen.Sign:     &signPage{reviewer: c},
		screen.Assets:   &assetsPage{Conversation: d},
		screen.Content:  &contentPage{reviewer: c},
		screen.Console:  &consolePage{reviewer: c},
		screen.RPC:      &rpcPage{c},
		screen.Node:     &nodePage{d},
		screen.Settings: &settingsPage{d},
	}
}

// wantsAnother reports whether the person chose what begins a session anew: the sandbox, or a node.
func wantsAnother(err error) bool {
	return errors.Is(err, tui.ErrWantSandbox) || errors.Is(err, tui.ErrWantNode)
}

// unlockOrFirstRun runs the first run or asks for the password, until the wallet is open or the person chooses to
// browse it locked.
func (s *Session) unlockOrFirstRun(ctx context.Context) error {
	for {
		switch err := s.openWallet(ctx); {
		case err == nil:
			return nil
		case errors.Is(err, errBack), errors.Is(err, errStop), errors.Is(err, errLock), errors.Is(err, errOver) && !s.script:
			if !s.opt.Core.FirstRun.IsNew() {
				return nil // the person browses the locked wallet
			}
		case errors.Is(err, errQuit), errors.Is(err, errOver), wantsAnother(err), ctx.Err() != nil, s.err != nil:
			return err
		default:
			if err := s.report(outsidePages(err)); err != nil {
				return err
			}
		}
	}
}

func (s *Session) openWallet(ctx context.Context) error {
	env := s.env()
	switch {
	case s.opt.Core.FirstRun.IsNew():
		return importer{s.Conversation}.firstRun(ctx)
	case env.Unlocked():
		return nil
	}
	s.Tell("Unlock. Wallet", format.Clean(s.state.WalletName()))
	for _, a := range env.Accounts {
		s.Fact("Account", accountLine(env, a.ID))
	}
	return s.unlock(ctx)
}

// forgetter is a page that keeps what may be shown only while the wallet is open.
type forgetter interface{ forget() }

// forgetSecrets drops what was read with the keys of a wallet that has been locked since.
func (s *Session) forgetSecrets() {
	s.Forget()
	if s.review != nil {
		s.review = []fact{{Text: "The wallet is locked. The review is said again once it is open."}}
	}
	for _, p := range s.pages {
		if p, keeps := p.(forgetter); keeps {
			p.forget()
		}
	}
}

// resumer is an input that reports when the program resumes after ctrl+z; reprompt prints the prompt again.
type resumer interface {
	OnResume(resumed, reprompt func())
}

// lockOnSuspend locks the wallet when the program resumes after ctrl+z at a prompt, and prints the prompt again.
func (s *Session) lockOnSuspend() {
	by, can := s.opt.Lines.(resumer)
	if !can {
		return
	}
	by.OnResume(func() { s.opt.Core.Lock.Lock() }, func() {
		s.endLine()
		s.sayLocked()
		s.prompt(s.lastPrompt + " > ")
	})
}

// sayLocked prints at a prompt that the wallet was locked meanwhile, and how to open it: what is typed at this prompt
// is visible.
func (s *Session) sayLocked() {
	switch env := s.env(); {
	case env.Status.Lock == vault.New:
		s.Say("There is no wallet yet, so nothing is open.")
		return
	case env.Unlocked():
		return
	case s.inQuestion():
		s.Say("The wallet is locked. Its password is asked for, unseen, when it is needed.")
	default:
		s.justLocked = true
		s.Say("The wallet is locked. unlock asks for the password, unseen.")
	}
	s.notices.noteLockSaid()
}

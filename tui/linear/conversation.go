package linear

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"billfold/ledger/printable"
	"billfold/tui"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

// Options configure a linear session.
type Options struct {
	tui.Options
	Lines  Lines
	Out    io.Writer
	Echo   bool // the input does not appear on the screen, so it is written to the output
	Script bool // the input is a script: the first error ends the run
	JSON   bool // each line is a JSON object
	UTF8   bool // letters beyond ASCII are written as they are
}

// Conversation is the state shared by all pages: the input and output, the wallet, and the current page.
type Conversation struct {
	*Talk
	opt         Options
	state       *tui.State
	notices     notices
	events      <-chan event.Event
	waited      bool // waitForNode has waited for the first node already
	partialCode int  // the exit code of a script without errors in which some information was missing

	wasOpen     bool   // the wallet was open when watchLock last looked
	justLocked  bool   // the wallet was locked at this prompt: the next line may be a password typed by mistake
	staysOnLock bool   // the current form asks for no secret: lock does not end it
	onLock      func() // drops what may be shown only while the wallet is open

	at        screen.ID
	pageWords func() (words []word, numbered bool)                       // the words of the page, and whether it takes numbers
	openPage  func(ctx context.Context, to screen.ID, rest string) error // goes to a page; rest is what was typed after its name
}

func newConversation(opt Options) *Conversation {
	d := &Conversation{opt: opt, state: tui.NewState(opt.Options), at: screen.Home}
	voice := Voice{out: opt.Out, json: opt.JSON, utf8: opt.UTF8 || opt.JSON}
	d.Talk = &Talk{Voice: voice, in: opt.Lines, echo: opt.Echo, script: opt.Script}
	d.Talk.notify = d.printNotices
	return d
}

// printNotices prints what happened since the last prompt.
func (d *Conversation) printNotices(ctx context.Context) {
	d.watchLock()
	d.notices.drain(d.events)
	if !d.notices.started() { // unlock or the first run is not finished
		return
	}
	env := d.env()
	all := d.notices.changes(ctx, env, d.opt.Core, d.opensRequests())
	for _, l := range all {
		d.notices.remember(env.Now, l)
	}
	if d.notices.quiet {
		return
	}
	if more := len(all) - maxAtOnce; more > 0 {
		d.write(fact{kind: isEvent, Text: printable.Many(more, "event") + " before these. events lists them."})
		all = all[more:]
	}
	for _, l := range all {
		d.write(fact{kind: isEvent, Text: lineText(l, d.utf8)})
	}
}

// opensRequests returns the hint on how to open the requests of programs. At a question, the word alone would be taken
// as its answer.
func (d *Conversation) opensRequests() string {
	if d.inQuestion() {
		return "at a page approvals opens"
	}
	return "approvals opens"
}

// askLimit is the time limit for one reading.
const askLimit = 30 * time.Second

// env returns the state that every page shows, read now, in ASCII.
func (d *Conversation) env() screen.Env {
	env := d.state.Read()
	env.ASCII = true
	return env
}

// account returns the state, or a refusal if the wallet has no account.
func (d *Conversation) account() (screen.Env, error) {
	env := d.env()
	if len(env.Accounts) == 0 {
		return env, refuse("This wallet has no account yet.", "import adds one, registration says how others register one.")
	}
	return env, nil
}

// needUnlock asks for the password if the wallet is locked.
func (d *Conversation) needUnlock(ctx context.Context) error {
	if d.env().Unlocked() {
		return nil
	}
	d.Say("The wallet is locked.")
	d.notices.noteLockSaid()
	return d.unlock(ctx)
}

// unlock asks for the password until it is right. In a script it fails when the input ends.
func (d *Conversation) unlock(ctx context.Context) error {
	for {
		password, err := d.Secret(ctx, "Password")
		if errors.Is(err, errOver) && d.script {
			return &Refusal{What: "The wallet is locked.", Money: untouched, Next: "unlock it first.", Code: IsLocked}
		}
		if err != nil {
			return err
		}
		switch err := d.opt.Core.Unlock.Unlock(ctx, password); {
		case err == nil:
			env := d.env()
			d.Say("Unlocked." + locksIn(env.LockIn))
			d.sayWeaknesses(env)
			return nil
		case fault.CodeOf(err) == fault.WrongPassword:
			tries := d.env().Status.WrongTries
			r := &Refusal{What: fmt.Sprintf("not the right password. Tries: %d.", tries), Money: untouched,
				Next: "type it again, or back to browse locked.", Code: IsLocked}
			if err := d.report(r); err != nil {
				return err
			}
		default:
			return err
		}
	}
}

// sayWeaknesses warns of what the unlocked wallet found wrong with its keys, file or database.
func (d *Conversation) sayWeaknesses(env screen.Env) {
	for _, why := range []string{env.Status.KeysFault, env.Status.FileFault, env.Status.StoreFault} {
		if why != "" {
			d.Fact("Careful", canvas.Text(format.Clean(why)))
		}
	}
}

// sayMisregistered warns of accounts that were registered with keys other than those requested.
func (d *Conversation) sayMisregistered(env screen.Env) {
	if warning := env.Status.Misregistered; warning != "" {
		d.Fact("Careful", canvas.Text(format.Clean(warning)+"."))
	}
}

// sayOwnChanged warns of what somebody else changed about an own account.
func (d *Conversation) sayOwnChanged(env screen.Env) {
	if what := env.Status.OwnChanged; what != "" {
		d.Fact("Careful", canvas.Text("Somebody else changed your account: "+format.Clean(what)+"."))
	}
}

// inQuestion reports whether the prompt is a question rather than a page.
func (d *Conversation) inQuestion() bool { return d.hint != d.wordList() }

// wordList returns the words of the page on one line.
func (d *Conversation) wordList() string {
	var out []string
	words, numbered := d.pageWords()
	if numbered {
		out = append(out, "number")
	}
	for _, w := range words {
		out = append(out, w.say)
	}
	return strings.Join(append(out, "back"), ", ")
}

// sayWords prints what can be typed at the page.
func (d *Conversation) sayWords() { d.Tell("Type", d.wordList()) }

// sayNetwork prints the network, its head block and whether the node is live.
func (d *Conversation) sayNetwork(env screen.Env) {
	st := env.Status
	name := format.Clean(st.Network)
	if name == "" {
		name = "not known yet"
	}
	if st.Sandbox {
		name = "sandbox, play money"
	}
	d.Tell("Network", name)
	switch {
	case !env.Online():
		d.Tell("Node", nodeState(env))
		return
	case st.Head != 0:
		head := format.Block(st.Head)
		if !st.OwnClock {
			head += ", " + format.Age(env.Now.Sub(st.HeadTime.Time())) + " old"
		}
		d.Tell("Head", head)
	}
	switch {
	case st.Frozen:
		d.Tell("Node", "it does not answer; what you hear may be old.")
	case st.Stale:
		d.Tell("Node", "it is behind; nothing is sent.")
	}
	if st.Distrusted {
		d.Tell("Careful", "the node gave a false answer within the last minute.")
	}
	if st.Doubt != "" {
		d.Tell("Careful", "nothing is sent: "+format.Clean(st.Doubt)+".")
	}
	if st.JournalFault != "" {
		d.Tell("Careful", format.Clean(st.JournalFault))
	}
}

func (d *Conversation) lockState(env screen.Env) string {
	switch env.Status.Lock {
	case vault.New:
		return "there is none yet."
	case vault.Locked:
		return "locked."
	case vault.Unlocked:
	}
	return "unlocked." + locksIn(env.LockIn)
}

// pick returns the item of list whose number is in text; what names the kind of item in a refusal.
func pick[T any](list []T, text, what string) (T, error) {
	var none T
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 || n > len(list) {
		if len(list) == 0 {
			return none, refuse("There is no "+what+".", "back, or help.")
		}
		return none, misuse(fmt.Sprintf("Which %s? It has a number from 1 to %d.", what, len(list)), "type the number after the word.")
	}
	return list[n-1], nil
}

func locksIn(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	if m := int((d + time.Second) / time.Minute); m > 0 {
		return " Locks in " + printable.Many(m, "minute") + "."
	}
	return " Locks in " + format.Age(d) + "."
}

func quoted(text string) string { return `"` + text[:min(len(text), 40)] + `"` }

// accountLine returns one of the wallet's accounts with what the wallet can sign for it.
func accountLine(env screen.Env, id interface{ String() string }) canvas.Line {
	for _, a := range env.Accounts {
		if a.ID.String() == id.String() {
			word := map[vault.Ownership]string{vault.OwnershipFull: "can sign", vault.OwnershipPartial: "can sign in part",
				vault.OwnershipWatch: "watch only", vault.OwnershipUnknown: "being checked",
				vault.OwnershipMissing: "not on this ledger"}[a.Ownership]
			return canvas.Join(format.Account(a.AccountRef), canvas.Text(", "+word))
		}
	}
	return canvas.Text(id.String())
}

// within runs a read for at most askLimit. It waits for the first node before, and shows progress if the read takes
// long.
func within[T any](ctx context.Context, s *Conversation, what string, work func(context.Context) (T, error)) (T, error) {
	var none T
	defer s.hideTyping()()
	if err := s.waitForNode(ctx); err != nil {
		return none, err
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	return withProgress(ctx, s, what, work)
}

// withProgress runs work and prints what while it goes on: after one second, then every ten seconds.
func withProgress[T any](ctx context.Context, s *Conversation, what string, work func(context.Context) (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := work(ctx)
		done <- answer{value, err}
	}()
	elapsed, next := time.Duration(0), time.Second
	for {
		timer := time.NewTimer(next)
		select {
		case a := <-done:
			timer.Stop()
			return a.value, a.err
		case <-timer.C:
			if elapsed += next; elapsed == time.Second {
				s.Say(what + ".")
				next = 9 * time.Second
				continue
			}
			next = 10 * time.Second
			s.Say(what + ", " + format.Age(elapsed) + ".")
		}
	}
}

// cutWord splits off the first word of a text.
func cutWord(text string) (first, rest string) {
	first, rest, _ = strings.Cut(strings.TrimSpace(text), " ")
	return first, strings.TrimSpace(rest)
}

// watchLock drops secrets if the wallet was locked since the last call, by the person or by the auto-lock.
func (d *Conversation) watchLock() {
	open := d.env().Unlocked()
	if d.wasOpen && !open {
		d.onLock()
	}
	d.wasOpen = open
}

// firstAnswer is the time that the first read waits for a node to answer, once per run.
const firstAnswer = 5 * time.Second

// waitForNode waits while the first node is being called, so that nothing reports a missing node too early.
func (d *Conversation) waitForNode(ctx context.Context) error {
	if !d.calling() {
		return ctx.Err()
	}
	if d.waited {
		return nil
	}
	d.waited = true
	ctx, cancel := context.WithTimeout(ctx, firstAnswer)
	defer cancel()
	_, err := withProgress(ctx, d, "Calling a node", func(ctx context.Context) (bool, error) {
		for d.calling() && ctx.Err() == nil {
			select {
			case <-time.After(20 * time.Millisecond):
			case <-ctx.Done():
			}
		}
		return true, nil
	})
	return err
}

// calling reports whether the first call of a node is still under way.
func (d *Conversation) calling() bool {
	return d.opt.Core.Session.Status().Daemon == walletcore.DaemonConnecting
}

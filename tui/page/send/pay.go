package send

import (
	"cmp"
	"context"

	"billfold/tui/advice"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// build asks the core for the operation; nothing is signed by that.
func (m *Model) build(env screen.Env) tea.Cmd {
	if !m.form.complete() {
		return nil
	}
	if m.form.fault = unable(env); m.form.fault != "" {
		return nil
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{Back: screen.Send})
	}
	req, payers := ProposalOf(env, m.form.request(env)), Payers(env)
	return m.tasks.Start(env, "build", screen.BuildLimit, func(ctx context.Context) (any, error) {
		return Build(ctx, m.payer, m.proposer, req, payers)
	})
}

// building reports whether a review of the form is in the making.
func building(tasks *screen.Tasks) bool {
	_, build := tasks.Busy("build")
	_, propose := tasks.Busy("propose")
	return build || propose
}

// stopBuilding cancels the review that is being built, and shows why.
func stopBuilding(tasks *screen.Tasks, why string) tea.Cmd {
	tasks.Forget("build")
	tasks.Forget("propose")
	return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text(why)})
}

// built turns to the review, or says why there is none.
func (m *Model) built(env screen.Env, msg screen.Result) tea.Cmd {
	if msg.Err != nil {
		return unbuilt(m, msg.Err)
	}
	m.form.typing, m.back = true, ""
	return m.show(env, screen.Spend{Built: msg.Body.(screen.Built)}, "Back, change it")
}

// show turns to the review of what was built; back says what esc does.
func (m *Model) show(env screen.Env, spend screen.Spend, back string) tea.Cmd {
	m.stage, m.prepared = stageReview, spend.Built
	m.tasks.Forget(topicReread)
	if u, is := spend.Built.(screen.Unsigned); is {
		m.review = FilePage(env, u, Way{Key: "w", Propose: "p", Back: back, Named: spend.Named, Chosen: spend.Chosen})
		return m.review.Wake()
	}
	ask := review.Prompt{Key: "S", Word: cmp.Or(spend.Word, "Sign and send"), Back: back,
		Intro: spend.Intro, Life: spend.Life, Named: spend.Named, Chosen: spend.Chosen}
	if spend.Then != "" {
		ask.Below = []review.Row{{Label: "Then", Line: canvas.Bold(theme.Warn, theme.SignCareful+" "+spend.Then)}}
	}
	m.review = review.New(env, spend.Built.Review(), ask)
	return m.review.Wake()
}

// openSpend turns to the review of what another page built. What the form holds stays.
func (m *Model) openSpend(env screen.Env, spend screen.Spend) tea.Cmd {
	around := m.readAround(env)
	m.backToForm()
	m.back = spend.Back
	return tea.Batch(around, m.show(env, spend, "Back, sign nothing"))
}

// cancelReview goes back to where the review was asked for; nothing was signed.
func (m *Model) cancelReview() tea.Cmd {
	back := m.back
	if m.leaveReview(); back != "" {
		return screen.Request(screen.Navigate{To: back})
	}
	return nil
}

// sign turns the page to Sending before anything leaves the program.
func (m *Model) sign(env screen.Env) tea.Cmd {
	if written(m) {
		return nil
	}
	if why := m.review.Blocked(env); why != "" {
		if !m.review.Ready(env) {
			return nil
		}
		return screen.Request(screen.Toast{Line: canvas.Text("S is off: " + why)})
	}
	m.tasks.Forget("propose")
	m.tasks.Forget(topicReread)
	prepared, shown := m.prepared, m.review.Shown
	m.stage = stageSending
	m.sending.begin(env, m.review, m.back == "")
	m.prepared, m.review = nil, review.Page{}
	locked, lock := context.WithCancel(context.Background())
	m.sending.lock = lock
	send := func(ctx context.Context) (any, error) { return sendUnlocked(ctx, locked, prepared, shown) }
	if m.sending.ofForm {
		send = whileSent(&m.form, env, m.drafts.keeper, send)
	}
	return m.tasks.Start(env, "send", 0, send)
}

// sendUnlocked looks again at what was confirmed, then signs and sends it. The look is given up once locked ends: a person who locks
// the wallet before the signature wants none, also where the wallet is open again by then.
func sendUnlocked(ctx, locked context.Context, confirmed screen.Built, shown build.Review) (any, error) {
	looking, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(locked, stop)()
	found, _, err := lookAgain(looking, confirmed, shown)
	switch {
	case locked.Err() != nil:
		return nil, fault.WalletLocked("send")
	case err != nil || found.graver:
		return found, err
	}
	return confirmed.Send(ctx)
}

// sent takes the core's answer. What the payment was typed in is dropped once it is on its way; its draft went with the journal's commit.
func (m *Model) sent(env screen.Env, msg screen.Result) tea.Cmd {
	if found, is := msg.Body.(later); is && msg.Err == nil {
		return bounced(m, env, found)
	}
	if !m.sending.sent(msg) {
		return m.sending.sayAway()
	}
	if !m.sending.ofForm {
		return nil
	}
	m.form.forget()
	return m.drafts.list(env)
}

// leaveSending goes back to the filled form after a refusal, or to the page that the
// spend is of, else to Home, where the payment stays under Pending.
func (m *Model) leaveSending(env screen.Env) tea.Cmd {
	refused := m.sending.fault != ""
	if m.sending.busy {
		return screen.Request(screen.Navigate{To: screen.Home})
	}
	back := m.back
	m.backToForm()
	m.form.typing = true
	if back != "" {
		return screen.Request(screen.Navigate{To: back})
	}
	if refused {
		return m.readAround(env)
	}
	return screen.Request(screen.Navigate{To: screen.Home})
}

// again starts a new payment like the one that was sent; it goes through form and
// review as any other.
func (m *Model) again(env screen.Env) tea.Cmd {
	if why := m.noRepeat(env); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text(why)})
	}
	like, ok := m.sending.another(env)
	if !ok {
		return screen.Request(screen.Toast{Line: canvas.Text("Not while the outcome is unknown: this payment may still go through")})
	}
	m.backToForm()
	return tea.Batch(prefill(m, env, like), m.readAround(env))
}

// noRepeat is why there is no other payment like this one.
func (m *Model) noRepeat(env screen.Env) string {
	if !m.sending.paid(env).Pays() {
		return "b repeats payments; this pays nobody"
	}
	return ""
}

// propose has what is under review built as a proposal; nothing is signed by that.
func (m *Model) propose(env screen.Env) tea.Cmd {
	if why := m.noProposal(env); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("p is off: " + why)})
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{Back: screen.Send})
	}
	u, is := m.prepared.(screen.Unsigned)
	req, payers, by := ProposalOf(env, m.form.request(env)), Payers(env), m.proposer
	return m.tasks.Start(env, "propose", screen.BuildLimit, func(ctx context.Context) (any, error) {
		if !is {
			return Propose(ctx, by, req, payers)
		}
		return screen.FirstAble(payers, func(payer string) (screen.Built, error) { return u.Propose(ctx, payer, req.Expires) })
	})
}

// proposed turns to the review of the proposal, or says why there is none.
func (m *Model) proposed(env screen.Env, msg screen.Result) tea.Cmd {
	if m.back == "" {
		return m.built(env, msg)
	}
	u, is := m.prepared.(screen.Unsigned)
	switch {
	case is && fault.CodeOf(msg.Err) == fault.InsufficientBalance: // the file is left, and says why
		return m.show(env, screen.Spend{Built: screen.OnlyFile{Unsigned: u, Why: msg.Err}}, "Back, sign nothing")
	case msg.Err != nil:
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Text(advice.Said(msg.Err))})
	}
	return m.show(env, screen.Spend{Built: msg.Body.(screen.Built)}, "Back, sign nothing")
}

// showLater turns to the review as of now, which says what changed and must stand still again.
func showLater(m *Model, env screen.Env, before review.Page, found later) tea.Cmd {
	if _, file := found.built.(screen.Unsigned); file {
		return m.show(env, screen.Spend{Built: found.built}, "Back, change it")
	}
	page, same := before.Anew(env, found.now)
	m.stage, m.prepared, m.review = stageReview, found.built, page
	if m.review.Built = env.Now; same && !found.graver {
		return nil
	}
	return m.review.Reopen(env)
}

// bounced goes back to the review of what is graver than it was confirmed: nothing was signed.
func bounced(m *Model, env screen.Env, found later) tea.Cmd {
	const why = "Not signed: what you read has changed; read it again"
	m.sending.busy = false
	if !env.Unlocked() || m.sending.page.Shown.Operation == "" {
		m.sending.fault = "what you read changed before it was signed"
		return nil
	}
	page := m.sending.page
	m.sending.reset()
	return tea.Batch(showLater(m, env, page, found), screen.Request(screen.Toast{Bad: true, Urgent: true, Line: canvas.Text(why)}))
}

package send

import (
	"context"

	"billfold/tui/advice"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
)

// buildPayment starts building the payment of the form. Nothing is signed.
func (m *Model) buildPayment(env screen.Env) tea.Cmd {
	if !m.form.checkComplete(env) {
		return nil
	}
	if m.form.fault = whyUnable(env); m.form.fault != "" {
		return nil
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{})
	}
	if m.form.several {
		req := m.form.tableRequest(env)
		return m.tasks.Start(env, "build", screen.BuildLimit, func(ctx context.Context) (any, error) { return m.tables.Build(ctx, req) })
	}
	req, payers := ProposalOf(env, m.form.request(env)), Payers(env)
	if m.form.proposes {
		if len(payers) == 0 {
			m.form.fault = noPayerText
			return nil
		}
		return m.tasks.Start(env, "build", screen.BuildLimit, func(ctx context.Context) (any, error) {
			return Propose(ctx, m.proposer, req, payers)
		})
	}
	return m.tasks.Start(env, "build", screen.BuildLimit, func(ctx context.Context) (any, error) {
		return Build(ctx, m.payer, m.proposer, req, payers)
	})
}

// reviewBuilding reports whether a review of the form is being built.
func reviewBuilding(tasks *screen.Tasks) bool {
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

// openReview shows the review of the form's payment, or why there is none.
func (m *Model) openReview(env screen.Env, msg screen.Result) tea.Cmd {
	if msg.Err != nil {
		return m.showBuildError(msg.Err)
	}
	m.form.typing, m.builtBy = true, ""
	spend := screen.Spend{Built: msg.Body.(screen.Built)}
	if m.form.asks != "" && m.form.draftOf(m.form.typed()) != 0 {
		spend.Intro = "It did not leave by itself: " + m.form.asks + ". What follows was read back from the bytes."
	}
	return m.showReview(env, spend, "Back, change it")
}

// showReview shows the review of what was built; back is the text of what esc does.
func (m *Model) showReview(env screen.Env, spend screen.Spend, back string) tea.Cmd {
	m.stage, m.prepared = stageReview, spend.Built
	m.tasks.Forget(topicReread)
	if u, is := spend.Built.(screen.Unsigned); is {
		m.review = FilePage(env, u, Way{Key: "w", Propose: "p", Back: back, Named: spend.NameTyped, Chosen: spend.Chosen})
		return m.review.Wake()
	}
	ask := review.Prompt{Key: "S", Word: spend.Word, Back: back,
		Intro: spend.Intro, Life: spend.Life, Named: spend.NameTyped, Chosen: spend.Chosen}
	if spend.Then != "" {
		ask.Below = []review.Row{{Label: "Then", Line: canvas.Bold(theme.Warn, theme.SignCareful+" "+spend.Then)}}
	}
	if many, is := spend.Built.(screen.Several); is {
		ask = TablePrompt(ask, many)
	}
	m.review = review.New(env, spend.Built.Review(), ask)
	return m.review.Wake()
}

// openSpend shows the review of what another page built. The form stays as it is.
func (m *Model) openSpend(env screen.Env, spend screen.Spend) tea.Cmd {
	around := m.readSurroundings(env)
	m.endSending()
	m.builtBy = spend.Back
	return tea.Batch(around, m.showReview(env, spend, "Back, sign nothing"))
}

// cancelReview goes back to the page that built what is under review. Nothing was signed.
func (m *Model) cancelReview() tea.Cmd {
	back := m.builtBy
	if m.leaveReview(); back != "" {
		return screen.Request(screen.Navigate{To: back})
	}
	return nil
}

// sign shows Sending before anything leaves the program, and starts signing and sending.
func (m *Model) sign(env screen.Env) tea.Cmd {
	if m.reviewsFile() {
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
	m.sending.start(env, m.review, m.builtBy == "")
	m.sending.several, _ = prepared.(screen.Several)
	m.prepared, m.review = nil, review.Page{}
	locked, lock := context.WithCancel(context.Background())
	m.sending.cancelReread = lock
	send := func(ctx context.Context) (any, error) { return rereadAndSend(ctx, locked, prepared, shown) }
	if m.sending.fromForm {
		send = m.form.sendKeepingDraft(env, m.drafts.keeper, shown, send)
	}
	return m.tasks.Start(env, "send", 0, send)
}

// rereadAndSend reviews again what was confirmed, then signs and sends it. It gives up if locked is canceled during the review: a
// person who locks the wallet before the signature wants none, even if the wallet is unlocked again by then.
func rereadAndSend(ctx, locked context.Context, confirmed screen.Built, shown txbuild.Review) (any, error) {
	looking, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(locked, stop)()
	found, _, err := screen.Rereview(looking, confirmed, shown)
	switch {
	case locked.Err() != nil:
		return nil, fault.WalletLocked("send")
	case err != nil || found.HasNewWarnings:
		return found, err
	}
	return confirmed.Send(ctx)
}

// applySent takes the outcome of sending. The form is emptied once its payment was sent; its draft was deleted with the journal's
// commit.
func (m *Model) applySent(env screen.Env, msg screen.Result) tea.Cmd {
	if found, is := msg.Body.(screen.Reread); is && msg.Err == nil {
		return m.backToReview(env, found)
	}
	if !m.sending.applyOutcome(msg) {
		return m.sending.reportUnseen()
	}
	if !m.sending.fromForm {
		return nil
	}
	m.form.reset()
	return m.drafts.readList(env)
}

// leaveSending goes back to the page that built the spend; to the filled form after a
// refusal; or to Home, where the payment stays under Pending.
func (m *Model) leaveSending(env screen.Env) tea.Cmd {
	refused := m.sending.fault != ""
	if m.sending.busy {
		return screen.Request(screen.Navigate{To: screen.Home})
	}
	back := m.builtBy
	m.endSending()
	m.form.typing = !m.form.several
	if m.form.several { // the key after esc is none of its label, which decides whether rows are paid again
		m.form.focus = fieldTo
	}
	if back != "" {
		return screen.Request(screen.Navigate{To: back})
	}
	if refused {
		return m.readSurroundings(env)
	}
	return screen.Request(screen.Navigate{To: screen.Home})
}

// repeat starts a new payment like the one that was sent; it goes through form and
// review like any other.
func (m *Model) repeat(env screen.Env) tea.Cmd {
	if why := m.whyNoRepeat(env); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text(why)})
	}
	like, ok := m.sending.likePayment(env)
	if !ok {
		return screen.Request(screen.Toast{Line: canvas.Text("Not while the outcome is unknown: this payment may still go through")})
	}
	m.endSending()
	return tea.Batch(m.fillFromPayment(env, like), m.readSurroundings(env))
}

// whyNoRepeat returns why what was sent cannot be repeated; empty if it can.
func (m *Model) whyNoRepeat(env screen.Env) string {
	if !m.sending.shownReview(env).Pays() {
		return "b repeats payments; this pays nobody"
	}
	return ""
}

// propose starts building a proposal of what is under review. Nothing is signed.
func (m *Model) propose(env screen.Env) tea.Cmd {
	if why := m.whyNoProposal(env); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("p is off: " + why)})
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{})
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

// applyProposed shows the review of the proposal, or why there is none.
func (m *Model) applyProposed(env screen.Env, msg screen.Result) tea.Cmd {
	if m.builtBy == "" {
		m.form.proposes = m.form.proposes || msg.Err == nil // who goes back to change it goes back to a proposal
		return m.openReview(env, msg)
	}
	u, is := m.prepared.(screen.Unsigned)
	switch {
	case is && fault.CodeOf(msg.Err) == fault.InsufficientBalance: // it can still become a file; that review shows why
		return m.showReview(env, screen.Spend{Built: screen.OnlyFile{Unsigned: u, Why: msg.Err}}, "Back, sign nothing")
	case msg.Err != nil:
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Text(advice.Sentence(msg.Err))})
	}
	return m.showReview(env, screen.Spend{Built: msg.Body.(screen.Built)}, "Back, sign nothing")
}

// showReread shows the new review. If it changed, it marks what did, and S must wait for it to stand still again.
func (m *Model) showReread(env screen.Env, before review.Page, found screen.Reread) tea.Cmd {
	if _, file := found.Built.(screen.Unsigned); file {
		return m.showReview(env, screen.Spend{Built: found.Built}, "Back, change it")
	}
	page, same := before.Refresh(env, found)
	m.stage, m.prepared, m.review = stageReview, found.Built, page
	if m.review.Built = env.Now; same && !found.HasNewWarnings {
		return nil
	}
	return m.review.Reopen(env)
}

// backToReview goes back to the review of what has become graver than what was confirmed. Nothing was signed.
func (m *Model) backToReview(env screen.Env, found screen.Reread) tea.Cmd {
	const why = "Not signed: what you read has changed; read it again"
	m.sending.busy = false
	if !env.Unlocked() || m.sending.page.Shown.Operation == "" {
		m.sending.fault = "what you read changed before it was signed"
		return nil
	}
	page := m.sending.page
	m.sending.reset()
	return tea.Batch(m.showReread(env, page, found), screen.Request(screen.Toast{Bad: true, Urgent: true, Line: canvas.Text(why)}))
}

// Payers returns the accounts that can pay for a proposal of the account in focus, that one first.
func Payers(env screen.Env) []string { return env.Payers(env.Account.ID) }

// ProposalOf returns a payment for others to approve; its proposer is not set.
func ProposalOf(env screen.Env, payment txbuild.TransferParams) txbuild.ProposedPayment {
	return txbuild.ProposedPayment{Payment: payment, Expires: env.ProposalEnd()}
}

// Build builds a payment. If the keys here may not sign it alone, it becomes a proposal that the first of payers who can pays for,
// or else a file.
func Build(ctx context.Context, payer Payer, by Proposer, req txbuild.ProposedPayment, payers []string) (screen.Built, error) {
	built, err := payer.Prepare(ctx, req.Payment)
	u, is := built.(screen.Unsigned)
	if err != nil || !is {
		return built, err
	}
	return screen.ProposalOrFile(u, payers, func(payer string) (screen.Built, error) {
		req.Proposer = payer
		return by.Propose(ctx, req)
	})
}

// Propose proposes a payment; the first of payers who can pays for it. If none can, the error is that of the first.
func Propose(ctx context.Context, by Proposer, req txbuild.ProposedPayment, payers []string) (screen.Built, error) {
	return screen.FirstAble(payers, func(payer string) (screen.Built, error) {
		req.Proposer = payer
		return by.Propose(ctx, req)
	})
}

// whyNoProposal returns why what is under review cannot be proposed; empty if it can.
func (m *Model) whyNoProposal(env screen.Env) string {
	switch {
	case !m.reviewsFile() && m.builtBy != "":
		return "only a payment of the form can be proposed"
	case m.form.several && m.builtBy == "":
		return "a table is not proposed"
	case isProposal(m.review.Shown):
		return "it is a proposal already"
	case !m.reviewsFile() && m.review.Shown.To.Name == "":
		return "only a payment to an account can be proposed"
	case NoPayer(m.prepared) != "":
		return NoPayer(m.prepared)
	case len(Payers(env)) == 0:
		return noPayerText
	case !env.Online():
		return env.NoNode()
	}
	return ""
}

// noPayerText is why nothing can be proposed if no account of the wallet can act alone.
const noPayerText = "no account of this wallet can pay the fee of a proposal"

// NoPayer returns why nobody could pay for a proposal of what was built; empty if that was not tried.
func NoPayer(built screen.Built) string {
	only, is := built.(screen.OnlyFile)
	switch {
	case !is:
		return ""
	case only.Why == nil:
		return noPayerText
	}
	what, _ := advice.Of(only.Why)
	return what
}

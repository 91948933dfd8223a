package send

import (
	"cmp"
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// Draft is a built payment that nobody signed yet.
type Draft interface{ Review() walletcore.Review }

// Finder answers what the form asks while a person types.
type Finder interface {
	Balances(ctx context.Context, id ledger.AccountID) ([]walletcore.Balance, error)
	FindAccounts(ctx context.Context, prefix string, limit int) ([]walletcore.AccountRef, error)
	History(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]walletcore.HistoryEntry, error)
	Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error)
	TransferFee(ctx context.Context) (walletcore.AssetRef, int64, error)
}

// Payer builds and sends.
type Payer interface {
	BuildTransfer(ctx context.Context, req walletcore.TransferRequest) (Draft, error)
	Send(ctx context.Context, draft Draft) (walletcore.Payment, error)
	Resend(ctx context.Context, id ledger.TransactionID) error
}

// Wallet is what the whole page needs.
type Wallet interface {
	Finder
	Payer
	Keeper
}

// stage is how far a payment has come.
type stage int

const (
	stageForm stage = iota
	stageReview
	stageSending
	stageDrafts
)

// askLimit is how long a question of the form may take.
const askLimit = 20 * time.Second

// Model is the page.
type Model struct {
	core  Wallet
	tasks *screen.Tasks
	stage stage

	// form
	fields       [fieldCount]field.Field
	focus        fieldID
	typing       bool
	plain        bool
	account      ledger.AccountID
	balances     []walletcore.Balance
	balancesRead time.Time
	feeAsset     walletcore.AssetRef
	fee          int64
	feeKnown     bool
	paid         map[ledger.AccountID]paidBefore
	found        []walletcore.AccountRef
	foundFor     string // the beginning that a node was asked for and answered; "" = none
	noAsset      string // what the ledger has no asset of, in capitals
	lookFault    bool   // the last look-up failed
	fault        string // of the last try to build
	cleared      *Form

	pick list.Cursor // in the suggestions

	draft   Draft
	review  review.Page // of draft
	sending sending

	drafts  drafts
	draftOf int64 // the draft that the form was filled with; 0 = none
}

// paidBefore is what the history read so far says about payments to someone.
type paidBefore struct {
	ref   walletcore.AccountRef
	times int
	last  ledger.Time
}

// New makes the page.
func New(core Wallet, tasks *screen.Tasks) *Model {
	m := &Model{core: core, tasks: tasks, typing: true, paid: map[ledger.AccountID]paidBefore{}}
	m.fields[fieldMemo].Multiline = true
	m.fields[fieldAsset].Set("DCT")
	return m
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	switch m.stage {
	case stageReview:
		return "Send › Review"
	case stageSending:
		return "Send › Sending"
	case stageDrafts:
		return "Send › Drafts"
	}
	return "Send › " + m.focus.name()
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Opened:
		return m.opened(env, msg.With)
	case walletcore.Event:
		switch msg.Kind {
		case walletcore.EventDaemon: // it may know more, or be another node
			m.foundFor = ""
			return m.readAround(env)
		case walletcore.EventAccounts:
			return m.readAround(env)
		case walletcore.EventBlock:
			return m.lookAgain(env)
		}
	case screen.Result:
		return m.result(env, msg)
	case screen.Text:
		return m.typeKey(env, msg.Key)
	case screen.Click:
		return m.click(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}

// opened shows what the asker gave: a payment on its way, or the start of one.
func (m *Model) opened(env screen.Env, with any) tea.Cmd {
	switch with := with.(type) {
	case ledger.TransactionID:
		m.stage, m.sending = stageSending, sending{id: with, known: true}
	case screen.Typed:
		m.stage, m.typing, m.focus = stageForm, true, fieldTo
		m.draft, m.review = nil, review.Page{}
		m.Restore(Form{To: with.To, Amount: with.Amount, Asset: cmp.Or(with.Asset, "DCT")})
		return tea.Batch(m.look(env), m.readAround(env))
	case screen.Payment:
		m.stage = stageForm
		m.prefill(with)
	}
	m.typing = m.typing || m.stage == stageForm
	if m.stage == stageReview { // it opens again: again it must stand still first
		return m.review.Reopen(env)
	}
	if m.stage == stageSending && m.sending.over(env) {
		if _, asked := with.(ledger.TransactionID); !asked {
			m.stage, m.sending, m.typing = stageForm, sending{}, true
		}
	}
	return m.readAround(env)
}

// readAround asks for what surrounds a payment: balances, the fee, who was
// paid before, and for the recipient where no node told of it. The answers of another account are dropped.
func (m *Model) readAround(env screen.Env) tea.Cmd {
	id := env.Account.ID
	if id != m.account {
		m.account, m.balances, m.balancesRead, m.paid = id, nil, time.Time{}, map[ledger.AccountID]paidBefore{}
		m.leaveReview()
	}
	if len(env.Accounts) == 0 {
		return nil
	}
	return tea.Batch(m.lookAgain(env), m.lookAsset(env),
		m.tasks.Start(env, "balances", askLimit, func(ctx context.Context) (any, error) { return m.core.Balances(ctx, id) }),
		m.tasks.Start(env, "paid", askLimit, func(ctx context.Context) (any, error) { return m.core.History(ctx, id, 0, 100) }),
		m.tasks.Start(env, "fee", askLimit, func(ctx context.Context) (any, error) {
			asset, fee, err := m.core.TransferFee(ctx)
			return walletcore.Balance{Asset: asset, Amount: fee}, err
		}))
}

func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case "build":
		return m.built(env, msg)
	case "send":
		return m.sent(env, msg)
	case "resend":
		return m.resent(msg)
	case "drafts":
		m.draftsRead(msg)
		return nil
	case "keep":
		return m.kept(msg)
	case "dropped":
		return m.readDrafts(env)
	}
	if msg.Err != nil {
		m.lookFault = m.lookFault || msg.Topic == "find"
		return nil // the form works without; what matters is checked when it is built
	}
	switch body := msg.Body.(type) {
	case []walletcore.Balance:
		m.balances = body
		if env.Live() {
			m.balancesRead = env.Now
		}
	case walletcore.Balance:
		m.feeAsset, m.fee, m.feeKnown = body.Asset, body.Amount, true
	case []walletcore.HistoryEntry:
		m.learn(body)
	case missing:
		m.noAsset = string(body)
	case found:
		m.found, m.foundFor = body.accounts, body.prefix
	}
	return nil
}

// learn counts earlier payments per recipient.
func (m *Model) learn(entries []walletcore.HistoryEntry) {
	m.paid = map[ledger.AccountID]paidBefore{}
	for _, e := range entries {
		if e.Direction == walletcore.DirectionOut && e.Amount != 0 {
			p := m.paid[e.To.ID]
			p.ref, p.times, p.last = e.To, p.times+1, max(p.last, e.Time)
			m.paid[e.To.ID] = p
		}
	}
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	switch do {
	case doSign:
		return m.review.Blocked(env)
	case doResend:
		switch p, ok := m.sending.payment(env); {
		case !ok || p.State != walletcore.PaymentUnknown:
			return "only while the outcome is unknown"
		case !env.Online():
			return "no node answers"
		}
	}
	return ""
}

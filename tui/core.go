package tui

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/overlay/card"
	"billfold/tui/overlay/unlock"
	"billfold/tui/page/assets"
	"billfold/tui/page/console"
	"billfold/tui/page/contacts"
	"billfold/tui/page/content"
	"billfold/tui/page/firstrun"
	"billfold/tui/page/history"
	"billfold/tui/page/home"
	"billfold/tui/page/keys"
	"billfold/tui/page/messages"
	"billfold/tui/page/node"
	"billfold/tui/page/receive"
	"billfold/tui/page/send"
	"billfold/tui/page/settings"
	"billfold/tui/page/sign"
	"billfold/tui/screen"
	"billfold/walletcore"
	"billfold/walletcore/balance"
	"billfold/walletcore/contact"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	corehistory "billfold/walletcore/history"
	"billfold/walletcore/history/export"
	"billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/paper"
	"billfold/walletcore/payment"
	"billfold/walletcore/paytable"
	"billfold/walletcore/proposal"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// Core is the wallet as the UI needs it: the parts for the root itself, and one part for each page, as the page declares it.
type Core struct {
	Session  Session
	Lock     Lock
	Accounts Accounts
	Payments Payments
	Saved    Saved
	Cards    card.Core

	Home      home.Core
	History   history.Core
	Send      send.Core
	Receive   receive.Core
	Node      node.Core
	Assets    assets.Ledger
	Sign      sign.Core
	Contacts  contacts.Core
	Messages  messages.Core
	Content   content.Core
	Keys      keys.Core
	Console   ConsoleShell      // nil: the program has none
	ForOthers console.ForOthers // for what is typed on the console
	Settings  settings.Store    // nil: the program has none
	Unlock    unlock.Opener
	FirstRun  firstrun.Maker
	FirstNode firstrun.Nodes // nil: the node cannot be chosen on the first page
}

// ConsoleShell parses and runs console lines, and makes forms of operations.
type ConsoleShell interface {
	console.Runner
	console.Reader
	console.Censor
	console.Forms
}

// Session is the state that every page shows, and its changes.
type Session interface {
	Status() walletcore.Status
	Subscribe() (<-chan event.Event, func())
	AcknowledgeChanges(ctx context.Context) error // of own accounts by others: a person has seen them
}

// Lock is the wallet's lock.
type Lock interface {
	Lock() bool
	Touch()
}

// Accounts is the list of own accounts.
type Accounts interface {
	List() []vault.OwnAccount
	Remove(nameOrID string) error
}

// Payments are the payments that were sent from this wallet.
type Payments interface {
	Recent() []payment.Payment
}

// Saved is the list of contacts.
type Saved interface {
	List() []contact.Contact
}

// CoreOf returns the parts of one wallet.
func CoreOf(w *walletcore.Wallet) Core {
	return Core{
		Session:   w,
		ForOthers: payer{w.Payments, w},
		Lock:      w.Vault,
		Accounts:  w.Own,
		Payments:  w.Payments,
		Saved:     w.Contacts,
		Cards:     card.Core{Ledger: w.View.Accounts, Dealer: w.History, Assets: assetsLedger{w.View.Assets, w.View}},
		Home: home.Core{Reader: homeReader{w.View.Assets, w.History}, Past: pastBalances{w.History}, Extras: extrasReader{w},
			Drafts: w.Drafts},
		Unlock:   w.Vault,
		FirstRun: walletMaker{w.Vault, w.Import, w.Papers, payer{w.Payments, w}},
		History: history.Core{
			Recent:   w.History,
			Index:    index{w.History, w.Filter},
			Rows:     w.History,
			Counter:  w.History,
			Exporter: export.New(w.History),

			Transactions: transactions{w.Payments, w.History},
			Labels:       w.History.Labels,
		},
		Node:     node.Core{Pool: w.View.Pool, Chain: w.View.Chain},
		Assets:   assetsLedger{w.View.Assets, w.View},
		Contacts: contacts.Core{Book: w.Contacts, Checker: w.Contacts, Finder: w.View.Accounts, History: w.History},
		Receive:  receive.Core{History: w.History, Assets: finder{w.Build, w.View.Assets, w.View.Accounts}, Save: saveHere},
		Sign:     sign.Core{Reader: proposal.NewReader(w.View, w.Vault, w.Build), Approver: payer{w.Payments, w}, Files: files{w}},
		Content:  shop{payer{w.Payments, w}},
		Messages: messages.Core{Box: w.Messages, Writer: payer{w.Payments, w}, Finder: w.View.Accounts, Drafts: w.Drafts, Past: w.History},
		Keys: keys.Core{Ledger: w.View.Accounts, Vault: w.Vault, Lock: w.Vault,
			Changer: payer{w.Payments, w}, Keeper: w.Import, Papers: w.Papers},
		Send: send.Core{Finder: finder{w.Build, w.View.Assets, w.View.Accounts}, History: w.History, Payer: payer{w.Payments, w},
			Propose: proposer{payer{w.Payments, w}}, Drafts: w.Drafts, Labels: labeller{w.History}, Tables: tables{paytable.Tables{View: w.View, Payments: w.Payments}}},
	}
}

// walletMaker creates the wallet and brings keys into it.
type walletMaker struct {
	*vault.Vault
	*vault.Importer
	papers *paper.Papers
	payer  payer
}

// NoteBackup implements firstrun.Prover.
func (m walletMaker) NoteBackup(ctx context.Context, account ledger.AccountID, keys []ledger.PublicKey) error {
	return m.papers.Note(ctx, account, keys)
}

// Register implements firstrun.Registrar.
func (m walletMaker) Register(ctx context.Context, req txbuild.CreateAccountParams) (screen.Built, error) {
	return m.payer.buildAlone(ctx, txbuild.NewRequest("create_account_with_brain_key", req, txbuild.CreateAccount))
}

// homeReader reads balances and rows.
type homeReader struct {
	*ledgerview.Assets
	*corehistory.Reader
}

// pastBalances reads earlier balances.
type pastBalances struct{ history *corehistory.Reader }

// Past implements home.Past.
func (p pastBalances) Past(ctx context.Context, id ledger.AccountID, from time.Time, patience time.Duration) (balance.Past, error) {
	if !p.history.Indexed() {
		return balance.Past{}, nil
	}
	found, err := balance.Read(ctx, p.history.Index, id, from, patience)
	return found, corehistory.IndexFault(err)
}

// extrasReader reads what an account has besides balances.
type extrasReader struct{ *walletcore.Wallet }

// Held implements home.ExtrasReader.
func (b extrasReader) Held(ctx context.Context, id ledger.AccountID) ([]ledgerview.Hold, error) {
	return b.View.Held(ctx, id)
}

// Permissions implements home.ExtrasReader.
func (b extrasReader) Permissions(ctx context.Context, id ledger.AccountID) ([]ledgerview.Permission, error) {
	ids, err := b.History.CreatedObjects(ctx, id, ledger.CodeWithdrawPermissionCreate)
	if err != nil {
		return nil, err
	}
	return b.View.Permissions(ctx, ids)
}

// OwnedBy implements home.ExtrasReader.
func (b extrasReader) OwnedBy(ctx context.Context, owner ledger.AccountID) ([]ledgerview.OwnedToken, error) {
	return b.View.NFTs.OwnedBy(ctx, owner)
}

// Totals implements home.ExtrasReader.
func (b extrasReader) Totals(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (corehistory.Totals, error) {
	return b.History.Totals(ctx, id, f)
}

// index is the rows on disk, and the parser of filters on them.
type index struct {
	*corehistory.Reader
	*filter.Finder
}

// transactions finds the ids of transactions: of those that this wallet made in its own records, of others at a node.
type transactions struct {
	payments *payment.Payments
	history  *corehistory.Reader
}

// Transaction implements history.Transactions.
func (t transactions) Transaction(ctx context.Context, at historyindex.TrxPosition) (history.Transaction, error) {
	for _, p := range t.payments.Recent() {
		if p.Block == at.Block && p.TrxInBlock == at.Trx {
			return history.Transaction{ID: p.ID.String(), Final: p.Final}, nil
		}
	}
	ids, err := t.history.TransactionIDs(ctx, []historyindex.TrxPosition{at})
	id, known := ids[at]
	if !known {
		return history.Transaction{}, err
	}
	return history.Transaction{ID: id.String(), Final: payment.FinalAt(ctx, t.payments, id)}, err
}

// assetsLedger reads assets and tokens.
type assetsLedger struct {
	*ledgerview.Assets
	view *ledgerview.View
}

// Asset implements assets.Ledger.
func (h assetsLedger) Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error) {
	return h.Get(ctx, symbolOrID)
}

// FindAssets implements assets.Ledger.
func (h assetsLedger) FindAssets(ctx context.Context, prefix string, limit int) ([]*ledger.Asset, error) {
	return h.Find(ctx, prefix, limit)
}

// OwnedBy implements assets.Ledger.
func (h assetsLedger) OwnedBy(ctx context.Context, owner ledger.AccountID) ([]ledgerview.OwnedToken, error) {
	return h.view.NFTs.OwnedBy(ctx, owner)
}

// AccountNamed implements assets.Ledger.
func (h assetsLedger) AccountNamed(ctx context.Context, nameOrID string) (ledgerview.AccountRef, error) {
	return h.view.Accounts.Named(ctx, nameOrID)
}

// finder looks up what is typed into a payment.
type finder struct {
	*txbuild.Factory
	*ledgerview.Assets
	accounts *ledgerview.Accounts
}

// FindAccounts implements send.Finder. An id finds its account.
func (f finder) FindAccounts(ctx context.Context, prefix string, limit int) ([]ledgerview.AccountRef, error) {
	if _, is := ledgerview.AccountIDText(prefix); is {
		switch ref, err := f.accounts.Named(ctx, prefix); {
		case fault.CodeOf(err) == fault.NoSuchAccount:
			return nil, nil
		case err != nil:
			return nil, err
		default:
			return []ledgerview.AccountRef{ref}, nil
		}
	}
	return f.accounts.Find(ctx, prefix, limit)
}

// Asset implements send.Finder.
func (f finder) Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error) {
	return f.Assets.Get(ctx, symbolOrID)
}

// Prepare implements send.Payer.
func (p payer) Prepare(ctx context.Context, req txbuild.TransferParams) (screen.Built, error) {
	return p.build(ctx, txbuild.NewRequest("transfer", req, txbuild.Transfer))
}

// proposer turns payments into what others approve or sign.
type proposer struct{ payer }

// Propose implements send.Proposer.
func (p proposer) Propose(ctx context.Context, req txbuild.ProposedPayment) (screen.Built, error) {
	return p.build(ctx, txbuild.NewRequest("propose_transfer", req, txbuild.ProposePayment))
}

// Unsigned implements send.Proposer.
func (p proposer) Unsigned(ctx context.Context, req txbuild.TransferParams) (screen.Saved, error) {
	return p.writeFile(ctx, "transfer", txbuild.NewRequest("transfer", req, txbuild.Transfer))
}

// labeller saves labels on the rows of payments.
type labeller struct{ history *corehistory.Reader }

// newestRows is the number of newest rows that are searched for that of a payment just made.
const newestRows = 100

// Label implements send.Labeller.
func (l labeller) Label(ctx context.Context, p payment.Payment, text string) error {
	rows, err := l.history.Entries(ctx, p.Review.From.ID, 0, newestRows)
	if err != nil {
		return err
	}
	for _, e := range rows {
		if e.Block == p.Block && e.TrxInBlock == p.TrxInBlock {
			return l.history.Labels.Set(ctx, label.Row{ID: e.ID, Block: e.Block}, text)
		}
	}
	return &fault.Error{Code: fault.BadValue, Op: "label", Hint: "try again in a few seconds",
		Message: "the history does not show the payment yet"}
}

// Approve implements sign.Approver.
func (p payer) Approve(ctx context.Context, req txbuild.ApproveProposalParams) (screen.Built, error) {
	return p.build(ctx, txbuild.NewRequest("approve_proposal", req, txbuild.ApproveProposal))
}

// Change implements keys.Changer.
func (p payer) Change(ctx context.Context, req txbuild.ChangeSignersParams) (screen.Built, error) {
	return p.build(ctx, txbuild.NewRequest("change_signers", req, txbuild.ChangeSigners))
}

// ProposeChange implements keys.Changer.
func (p payer) ProposeChange(ctx context.Context, req txbuild.ProposedSigners) (screen.Built, error) {
	return p.build(ctx, txbuild.NewRequest("propose_signers", req, txbuild.ProposeSigners))
}

// Write implements messages.Writer.
func (p payer) Write(ctx context.Context, req txbuild.MessageParams, plain bool) (screen.Built, error) {
	if plain {
		return p.build(ctx, txbuild.NewRequest("send_unencrypted_message", req, txbuild.SendPlainMessage))
	}
	return p.build(ctx, txbuild.NewRequest("send_message", req, txbuild.SendMessage))
}

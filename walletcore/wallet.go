package walletcore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"time"

	"billfold/content/ipfs"
	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/contact"
	"billfold/walletcore/content"
	"billfold/walletcore/deposit"
	"billfold/walletcore/draft"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/handle"
	"billfold/walletcore/history"
	"billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/message"
	"billfold/walletcore/ownobject"
	"billfold/walletcore/paper"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"

	"golang.org/x/sync/errgroup"
)

// Config holds the dependencies and settings of a wallet.
type Config struct {
	Path     string               // the keystore file
	Keystore *keystore.Options    // how new keystores are made; nil for the defaults
	Read     *keystore.Store      // what ReadKeys returned for Path; nil: nothing, or it was not called
	Daemon   *daemonclient.Client // running it is up to the caller
	Index    *historyindex.Index  // keeps the history of own accounts; nil: the daemon is asked each time
	Store    *store.Store         // keeps payments before they are sent, and everything else to be remembered; nil: in memory only
	Sandbox  bool                 // the ledger is part of this program, with play money: shown on every screen; its clock may be set
	OwnClock bool                 // the ledger's clock may differ from this machine's
	Flags    string               // the flags with which commands find this wallet, each after a blank, for commands that are named
	MaxFee   int64                // the largest fee that is signed, in smallest units of DCT; 0: 1 DCT or ten times the built-in one

	// AcceptChanges lets payments that no person reviews go to accounts whose keys changed since the last one.
	// Otherwise they fail with fault.KeysChanged.
	AcceptChanges bool

	PackageFolder string       // of content packages; "" = packages beside the keystore
	ContentDir    string       // below it are the folders that programs may name; "" = they may name none
	IPFS          *ipfs.Client // nil: packages are not exchanged

	// Recovered returns the record of what a store shared by several servers had lost; nil: no record is made.
	Recovered func(why string, found []payment.FoundPayment) store.Change

	// ObjectChanged returns the record of a change of an own account that the wallet did not make; nil: no record is made.
	ObjectChanged func(c store.ObjectChange, account ledgerview.AccountRef) store.Change

	Now    func() time.Time      // nil for the system's clock
	Draw   func(n uint32) uint32 // a number below n, for expirations; nil: at random
	Logger *slog.Logger          // nil logs nothing
}

// Wallet is the one core behind every way to drive it. It is safe for concurrent use.
type Wallet struct {
	Vault    *vault.Vault         // keys and lock
	Own      *vault.Accounts      // the accounts on the wallet's list
	Import   *vault.Importer      // of keys
	View     *ledgerview.View     // what is known of the ledger
	History  *history.Reader      // of any account
	Filter   *filter.Finder       // parses filters
	Build    *txbuild.Factory     // makes transactions
	Building *handle.Transactions // under construction
	Payments *payment.Payments    // sends and follows them
	Messages *message.Reader      // of accounts to each other
	Deposits *deposit.Prover      // compares incoming transfers with their blocks
	Drafts   *draft.Drafts        // transfers as they were typed, kept for later
	Contacts *contact.Contacts    // saved accounts, with the keys that they had
	Papers   *paper.Papers        // when backups on paper were proven
	Watcher  *ownobject.Watcher   // of what others change about the wallet's accounts
	Content  *content.Engine      // makes, exchanges and sells packages
	Objects  *ownobject.Objects   // the last states of what the wallet's accounts control

	daemon  *daemonclient.Client
	sandbox bool

	storeFault string // what was lost with the store; "" if nothing was

	events event.Broadcaster
}

// Open reads the keystore, if there is one, and leaves it locked. No daemon is
// needed. A damaged or newer keystore is an error of fault.File.
func Open(cfg Config) (*Wallet, error) {
	w := &Wallet{daemon: cfg.Daemon, sandbox: cfg.Sandbox}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Draw == nil {
		cfg.Draw = rand.Uint32N
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	var err error
	if w.Vault, err = vault.Open(vault.Config{
		Path: cfg.Path, Keystore: cfg.Keystore, Read: cfg.Read, Events: &w.events, Logger: cfg.Logger,
		DaemonChain: func() ledger.ChainID { return w.daemon.Status().ChainID },
		OnUnlock:    func(ctx context.Context) { w.Payments.ClaimJournal(ctx) },
		OnLock:      func() { w.History.Wipe() },
	}); err != nil {
		return nil, err
	}
	w.View = w.newView(cfg)
	w.Own = vault.NewAccounts(w.Vault, w.View.Accounts, w.View.Chain)
	w.Import = vault.NewImporter(w.Vault, w.Own, w.View.Accounts, w.View.Miners)
	w.Papers = w.newPapers(cfg)
	w.Contacts = w.newContacts(cfg)
	w.History = history.NewReader(history.Config{View: w.View, Vault: w.Vault, Daemon: w.daemon, Index: cfg.Index,
		Labels: newLabels(w.Vault, cfg.Store, cfg.Now), Logger: cfg.Logger})
	w.Objects = w.newObjects(cfg)
	w.Build = txbuild.New(txbuild.Config{View: w.View, Vault: w.Vault, Keys: vault.NewKeyMaker(w.Vault), Daemon: w.daemon, History: w.History, Objects: w.Objects,
		Contacts: w.Contacts, MaxFee: cfg.MaxFee, AcceptChanges: cfg.AcceptChanges, Now: cfg.Now, Draw: cfg.Draw,
		Sent: func(ctx context.Context, from ledger.AccountID) ([]txbuild.Underway, error) {
			return payment.SentFrom(ctx, w.Payments, from)
		},
		Proven: func(ctx context.Context, from ledger.AccountID, row history.Entry) bool {
			return w.Deposits.Paid(ctx, from, row)
		}})
	w.Payments = w.newPayments(cfg)
	w.Content = w.newContent(cfg)
	w.Watcher = w.newWatcher(cfg)
	w.Messages = w.newMessages(cfg)
	w.Drafts = newDrafts(w.Vault, cfg.Store, cfg.Now)
	w.Building = newBuilding(cfg, w.Objects.Numbers, w.Payments.LedgerTime)
	w.Filter = filter.New(w.History, w.Payments)
	w.Deposits = deposit.NewProver(
		deposit.ProverConfig{View: w.View, Memos: w.Vault, Anchors: w.Payments, Daemon: w.daemon, Index: cfg.Index, Logger: cfg.Logger},
	)
	if w.storeFault = lostPinsWarning(context.Background(), cfg.Store); w.storeFault != "" {
		cfg.Logger.Warn("pins: what daemons said before is lost", "why", w.storeFault)
	}
	if err := w.Contacts.Load(context.Background()); err != nil {
		cfg.Logger.Warn("contacts: they cannot be read", "error", err)
	}
	if err := w.History.Labels.Load(context.Background()); err != nil {
		cfg.Logger.Warn("labels: they cannot be read", "error", err)
	}
	if err := w.Payments.CheckJournal(context.Background()); err != nil {
		cfg.Logger.Error("payments: the journal is not the one that the wallet wrote last", "error", err)
	}
	return w, nil
}

func (w *Wallet) newView(cfg Config) *ledgerview.View {
	c := ledgerview.Config{
		Daemon: w.daemon, Keys: w.Vault, Index: indexNames{cfg.Index, w.Vault}, Events: &w.events,
		OnHead: w.Vault.BindChain, OwnClock: cfg.OwnClock || cfg.Sandbox, Now: cfg.Now, Logger: cfg.Logger,
		Known: w.knownAccounts,
		Never: func(ctx context.Context, id ledger.TransactionID) bool { return w.Payments.Never(ctx, id) },
	}
	if cfg.Store != nil {
		c.Store = cfg.Store.Pins
	}
	return ledgerview.New(c)
}

// knownAccounts returns the own accounts and the contacts.
func (w *Wallet) knownAccounts() []ledgerview.AccountRef {
	out := w.Vault.Listed()
	for _, c := range w.Contacts.List() {
		out = append(out, c.AccountRef)
	}
	return out
}

func (w *Wallet) newContacts(cfg Config) *contact.Contacts {
	c := contact.Config{Vault: w.Vault, Accounts: w.View.Accounts, Pins: w.View.Pins, Now: cfg.Now}
	if cfg.Store != nil {
		c.Store = cfg.Store.Contacts
	}
	return contact.New(c)
}

func (w *Wallet) newMessages(cfg Config) *message.Reader {
	if cfg.Store == nil {
		return message.NewReader(w.View, w.Vault, w.daemon, nil)
	}
	return message.NewReader(w.View, w.Vault, w.daemon, cfg.Store.Messages)
}

func (w *Wallet) newPapers(cfg Config) *paper.Papers {
	p := &paper.Papers{Chain: w.Vault.ChainID, Now: cfg.Now}
	if cfg.Store != nil {
		p.Store = cfg.Store.Backups
	}
	return p
}

func (w *Wallet) newObjects(cfg Config) *ownobject.Objects {
	c := ownobject.Config{View: w.View, Now: cfg.Now, Outcome: func(id ledger.TransactionID) (store.State, uint32) {
		return payment.OutcomeOf(w.Payments, id)
	}}
	if cfg.Store != nil {
		c.Store = cfg.Store.Objects
	}
	return ownobject.New(c)
}

func (w *Wallet) newContent(cfg Config) *content.Engine {
	beside := filepath.Dir(cfg.Path)
	return content.New(content.Config{PackageFolder: cmp.Or(cfg.PackageFolder, filepath.Join(beside, "packages")), TaskFolder: filepath.Join(beside, "tasks"),
		ContentDir: cfg.ContentDir, IPFS: cfg.IPFS, Vault: w.Vault, View: w.View, Payments: w.Payments, Events: &w.events, Now: cfg.Now, Logger: cfg.Logger})
}

func (w *Wallet) newWatcher(cfg Config) *ownobject.Watcher {
	return ownobject.NewWatcher(ownobject.WatchConfig{Objects: w.Objects, Own: w.Vault.Listed, History: w.History, Daemon: w.daemon,
		Record: cfg.ObjectChanged, Events: &w.events, Logger: cfg.Logger,
		Update: func(ctx context.Context, account ledger.AccountID, row history.Entry) (string, *ledger.AccountUpdateOp, error) {
			return w.Deposits.Update(ctx, account, row)
		},
		Made: func(ctx context.Context, id ledger.TransactionID) bool {
			_, err := w.Payments.Get(ctx, id.String())
			return err == nil
		}})
}

func newDrafts(v *vault.Vault, kept *store.Store, now func() time.Time) *draft.Drafts {
	if kept == nil {
		return draft.New(v, nil, now)
	}
	return draft.New(v, kept.Drafts, now)
}

func newBuilding(cfg Config, numbers handle.Numbers, now func() time.Time) *handle.Transactions {
	if cfg.Store == nil {
		return handle.New(nil, numbers, now)
	}
	return handle.New(cfg.Store.Building, numbers, now)
}

func newLabels(v *vault.Vault, kept *store.Store, now func() time.Time) *label.Labels {
	if kept == nil {
		return label.New(label.Config{Vault: v, Now: now})
	}
	return label.New(label.Config{Vault: v, Store: kept.Labels, Now: now})
}

func (w *Wallet) newPayments(cfg Config) *payment.Payments {
	c := payment.Config{
		Build:   w.Build,
		View:    w.View,
		Vault:   w.Vault,
		Daemon:  w.daemon,
		Events:  &w.events,
		Sandbox: cfg.Sandbox,
		Now:     cfg.Now,
		Logger:  cfg.Logger,
		Flags:   cfg.Flags,

		Recovered: cfg.Recovered,
	}
	if cfg.Store != nil {
		c.Journal, c.Anchors = cfg.Store.Journal, cfg.Store.Anchors
	}
	return payment.New(c)
}

// Format writes only where the wallet is, whatever the verb, never its contents.
func (w *Wallet) Format(f fmt.State, verb rune) { w.Vault.Format(f, verb) }

// ReadKeys reads the keystore at path, once for a wallet and for the chain that it belongs to; nil if there is none
// yet. One with many keys takes a while to read. The options are those of the wallet's Config.
func ReadKeys(path string, options *keystore.Options) (*keystore.Store, error) {
	store, err := keystore.OpenWith(path, options)
	if errors.Is(err, keystore.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.KeyFile("open", err)
	}
	return store, nil
}

// ChainOf returns the chain the keystore at path belongs to, zero if there is none yet or it does not say.
func ChainOf(path string) (ledger.ChainID, error) {
	store, err := ReadKeys(path, nil)
	if store == nil || err != nil {
		return ledger.ChainID{}, err
	}
	return store.ChainID(), nil
}

// Run follows the chain, the payments and the history until ctx ends; without it the wallet answers, but nothing is
// updated. When it returns, keys are wiped.
func (w *Wallet) Run(ctx context.Context) error {
	defer w.Vault.Lock()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return w.View.Follow(ctx) })
	g.Go(func() error { return w.Payments.Run(ctx) })
	g.Go(func() error { return history.NewFiller(w.History, &w.events).Run(ctx) })
	g.Go(func() error { return w.Watcher.Run(ctx) })
	g.Go(func() error { return w.Content.Run(ctx) })
	g.Go(func() error { return w.Own.Follow(ctx) })
	g.Go(func() error { return w.Import.Follow(ctx) })
	g.Go(func() error { return w.Vault.Follow(ctx) })
	return g.Wait()
}

// Subscribe returns the events from now on, and a function that ends the subscription.
func (w *Wallet) Subscribe() (<-chan event.Event, func()) { return w.events.Subscribe() }

// AcknowledgeChanges records that a person has seen what others changed about own accounts.
func (w *Wallet) AcknowledgeChanges(ctx context.Context) error { return w.Watcher.Acknowledge(ctx) }

// ownChangedText returns what somebody else changed, the newest first.
func ownChangedText(unseen []store.ObjectChange) string {
	c := unseen[0]
	text := fmt.Sprintf("transaction %s in block %d, which this wallet did not make: %s", c.Transaction, c.Block, c.Text)
	if len(c.Undone) > 0 {
		text += fmt.Sprintf("; it undid transaction %s of this wallet", c.Undone[len(c.Undone)-1])
	}
	if len(unseen) > 1 {
		text += fmt.Sprintf("; and %d more", len(unseen)-1)
	}
	return text
}

// Status returns what every screen shows in its header.
func (w *Wallet) Status() Status {
	d := w.daemon.Status()
	s := Status{
		Sandbox: w.sandbox, ChainID: d.ChainID, Network: networkName(d.ChainID, w.sandbox),
		DaemonURL: d.URL, DaemonError: d.LastError, Latency: d.Latency, Since: d.Since, Daemon: daemonState(d.State),
		Stale: d.Stale, StaleBy: d.HeadAge, OwnClock: d.OwnClock, Plain: d.Plain,
		Lost: d.Lost, Frozen: d.Condition == daemonclient.Frozen, Distrusted: d.Condition == daemonclient.Distrusted,
	}
	if d.Condition == daemonclient.LoggedOut {
		s.LoginFault = cmp.Or(d.LoginFault, "the daemon does not know this user or password")
	}
	s.NextTry = nextDial(d)
	s.Head, s.HeadTime, s.Irreversible = w.View.Chain.Position()
	s.ClaimedIrreversible = w.View.Chain.ClaimedIrreversible()
	s.StoreFault, s.Doubt = w.storeFault, w.View.Chain.ChainDistrust().String()
	if unseen, _ := w.Watcher.Unseen(); len(unseen) > 0 {
		s.OwnChanged = ownChangedText(unseen)
	}
	s.Status, s.Misregistered = w.Vault.Status(), w.Import.Warning()
	if e, bad := errors.AsType[*fault.Error](w.Payments.JournalFault()); bad {
		s.JournalFault = e.Message
	}
	return s
}

// nextDial returns when the first of the daemons is dialled again; zero while one answers.
func nextDial(d daemonclient.Status) (at time.Time) {
	if d.State == daemonclient.Online {
		return at
	}
	for _, one := range d.Daemons {
		if !one.NextTry.IsZero() && (at.IsZero() || one.NextTry.Before(at)) {
			at = one.NextTry
		}
	}
	return at
}

func daemonState(s daemonclient.State) DaemonState {
	switch s {
	case daemonclient.Online:
		return DaemonOnline
	case daemonclient.Connecting:
		return DaemonConnecting
	case daemonclient.WrongChain:
		return DaemonWrongChain
	case daemonclient.Offline, daemonclient.Garbage:
	}
	return DaemonOffline
}

// networkName returns what people call the chain.
func networkName(id ledger.ChainID, sandbox bool) string {
	switch {
	case sandbox:
		return "sandbox"
	case id == ledger.ChainID{}:
		return "no chain yet"
	case id.String() == ledger.MainnetChainID:
		return "mainnet"
	}
	return "chain " + id.String()[:8]
}

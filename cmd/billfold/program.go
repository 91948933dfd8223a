package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/content/ipfs"
	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/rpcserver/audit"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/approval"
	"billfold/walletcore/deposit"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"

	"golang.org/x/sync/errgroup"
)

// program holds the parts of one run: in the background the ledger (sandbox only),
// the connection to the daemon and the wallet; in front, what drives them.
type program struct {
	settings      *settings
	aside         bool             // it pays nothing and follows nothing, and may run beside the server of the same folder
	noHistory     bool             // it reads no history: the index in its place is not touched, whoever's it is
	log           *slog.Logger     // nil = no log
	logged        *serverLog       // the same, where nobody watches a server; nil otherwise
	box           *sandbox.Sandbox // nil without --sandbox
	scratch       string           // the folder of the throw-away wallet, "" without --sandbox
	removeScratch func()
	utc           atomic.Bool // the times on screen are UTC, as the settings say now
	index         *historyindex.Index
	store         *store.Store
	client        *daemonclient.Client
	wallet        *walletcore.Wallet
	deposits      *deposit.Queue
	api           *walletapi.Catalogue

	unlocking atomic.Bool     // the password of --unlock-from is waited for
	approvals *approval.Queue // nil without the UI, when nobody can be asked
}

// sandboxPassword is the password of the throw-away wallet.
const sandboxPassword = "sandbox"

func newProgram(s *settings) (*program, error) {
	return newProgramWith(context.Background(), &program{settings: s, log: s.logger()}, s.openStore)
}

// newProgramAside returns the program of a command that signs or looks something up, and neither pays nor follows.
func newProgramAside(s *settings) (*program, error) {
	return newProgramWith(context.Background(), &program{settings: s, log: s.logger(), aside: true}, s.openStoreAside)
}

// newProgramWith builds p with a way to open its store, until ctx ends.
func newProgramWith(ctx context.Context, p *program, open storeOpener) (*program, error) {
	if err := p.build(ctx, open); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *program) build(ctx context.Context, open storeOpener) error {
	cfg := walletcore.Config{Path: p.settings.keystorePath(), Keystore: p.settings.newKeys}
	daemon := daemonclient.Config{
		URLs:     p.settings.daemonURLs,
		Quorum:   p.settings.quorum,
		OwnClock: daemonclient.OnThisMachine(p.settings.daemonURLs), // the user's own sandbox
	}
	if p.settings.sandbox {
		if err := p.buildSandbox(); err != nil {
			return err
		}
		cfg = walletcore.Config{Path: filepath.Join(p.scratch, keystoreName), Sandbox: true, Keystore: throwAwayKeystore()}
		daemon = daemonclient.Config{URL: p.box.URL(), ChainID: p.box.ChainID()} // its clock may be set
	} else if keys, err := walletcore.ReadKeys(cfg.Path, cfg.Keystore); err != nil {
		return err
	} else if daemon.TLS, err = daemonclient.TLSConfig(p.settings.daemonCA, p.settings.daemonPin); err != nil {
		return err
	} else if cfg.Read = keys; keys != nil {
		daemon.ChainID = keys.ChainID()
	}
	if err := p.settings.requireChain(&daemon); err != nil {
		return err
	}
	if len(p.settings.daemonUsers) > 0 && !p.settings.sandbox {
		daemon.User = p.settings.daemonUserAt
	}
	cfg.Flags = p.settings.flags
	cfg.MaxFee, cfg.AcceptChanges = p.settings.maxFee, p.settings.changedKeys == allowKeys
	if err := p.addContent(&cfg); err != nil {
		return err
	}
	daemon.Logger = p.log
	p.client = daemonclient.New(daemon)
	cfg.Daemon, cfg.Logger = p.client, p.log
	var err error
	if p.store, err = open(ctx, filepath.Dir(cfg.Path), p.log); err != nil {
		return err
	}
	cfg.Store = p.store
	if p.index, err = p.openIndex(filepath.Dir(cfg.Path)); err != nil {
		return err
	}
	cfg.Index, cfg.Recovered, cfg.ObjectChanged = p.index, p.recordRecovery, p.recordChange
	if p.wallet, err = walletcore.Open(cfg); err != nil {
		return err
	}
	p.wallet.Vault.SetLockAfter(p.settings.lockAfter)
	p.deposits = deposit.New(p.store.Cursors,
		deposit.Sources{Accounts: p.wallet.View.Accounts, History: p.wallet.History, Prover: p.wallet.Deposits, Chain: p.wallet.View.Chain})
	p.api = walletapi.New(walletapi.Core{Wallet: p.wallet, Versions: versions(), Deposits: p.deposits})
	return nil
}

// requireChain has daemons belong to the chain that the settings name. It refuses the keys of another one.
func (s *settings) requireChain(daemon *daemonclient.Config) error {
	none := ledger.ChainID{}
	if s.sandbox || s.chainID == none {
		return nil
	}
	if own := daemon.ChainID; own != none && own != s.chainID {
		return shell.Misuse(fmt.Errorf("the wallet in %s belongs to the chain %s, and --chain-id names %s; leave that out, or name the folder of the other wallet with --data-dir",
			s.dataDir, own, s.chainID))
	}
	daemon.ChainID = s.chainID
	return nil
}

// addContent sets what packages of content are made and exchanged with.
func (p *program) addContent(cfg *walletcore.Config) error {
	if dir := p.settings.contentDir; dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("--content-dir: %s is no folder; make it, or name another", dir)
		}
		whole, err := filepath.Abs(dir)
		if err != nil {
			return fmt.Errorf("--content-dir: %w", err)
		}
		cfg.ContentDir = whole
	}
	address := cmp.Or(p.settings.ipfsAPI, ipfs.DefaultAddress)
	if p.box != nil && p.settings.ipfsAPI == "" {
		address = p.box.IPFSAddress()
	}
	client, err := ipfs.New(address, nil)
	if err != nil {
		return fmt.Errorf("--ipfs-api: %w", err)
	}
	cfg.IPFS, cfg.PackageFolder = client, p.settings.packages
	return nil
}

// recordRecovery returns the change that records, in the audit log, the payments that the shared store had lost.
func (p *program) recordRecovery(why string, found []payment.FoundPayment) store.Change {
	return audit.NewLog(p.store.Audit).Change(recoveryRecord("the store", why, found))
}

// recordChange returns the change that records, in the audit log, that somebody else changed an own account.
func (p *program) recordChange(c store.ObjectChange, a ledgerview.AccountRef) store.Change {
	return audit.NewLog(p.store.Audit).Change(changeRecord(c, a))
}

// throwAwayKeystore returns options for fast and weak keystores, whose password everybody knows.
func throwAwayKeystore() *keystore.Options {
	return &keystore.Options{Params: keystore.Params{MemoryKiB: 64, Time: 1, Threads: 1}, AllowWeak: true}
}

func (p *program) buildSandbox() (err error) {
	if p.scratch, p.removeScratch, err = newScratch(); err != nil {
		return err
	}
	options := sandboxOptions()
	options.Content = filepath.Join(p.scratch, "content") // so that the next start removes what a killed program leaves
	if p.box, err = sandbox.New(options); err != nil {
		return err
	}
	for range announcedAfter {
		if _, err := p.box.Mine(); err != nil {
			return err
		}
	}
	return nil
}

// announcedAfter is the number of blocks after which the seeders of a new ledger have accounts and have announced themselves.
const announcedAfter = 2

// close closes the files and removes the folder of the throw-away wallet.
func (p *program) close() {
	if p.index != nil {
		_ = p.index.Close() // what was not written is read from the ledger again
	}
	if p.store != nil {
		_ = p.store.Close() // everything in it was committed when it was written
	}
	if p.removeScratch != nil {
		p.removeScratch()
	}
}

// errDone ends the background when the front is done.
var errDone = errors.New("done")

// run starts the background, then front, and ends everything before it
// returns: the front first, so that it can drain.
func (p *program) run(ctx context.Context, front func(context.Context) error) error {
	background, endBack := context.WithCancel(context.WithoutCancel(ctx))
	defer endBack()
	g, background := errgroup.WithContext(background)
	if p.box != nil {
		g.Go(func() error { return p.box.Run(background) })
	}
	var clientErr error
	g.Go(func() error {
		clientErr = p.client.Run(background)
		return clientErr
	})
	if !p.aside {
		g.Go(func() error { return p.wallet.Run(background) })
	}
	g.Go(func() error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stop := context.AfterFunc(background, cancel) // the background failed, so the front cannot continue
		defer stop()
		if err := p.prepare(ctx); err != nil {
			return err
		}
		if err := front(ctx); err != nil {
			return err
		}
		return errDone
	})
	if err := g.Wait(); !errors.Is(err, errDone) {
		return err
	}
	return clientErr // reports an invalid address of a daemon, even if the front ended first
}

// sandboxWait is the time that the embedded ledger has to answer.
const sandboxWait = 20 * time.Second

// prepare imports the demo keys into the throw-away wallet and leaves it locked.
func (p *program) prepare(ctx context.Context) error {
	if p.box == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, sandboxWait)
	defer cancel()
	if err := p.client.WaitOnline(ctx); err != nil {
		return err
	}
	if err := p.wallet.Vault.Create(ctx, sandboxPassword); err != nil {
		return err
	}
	for _, k := range p.box.Demo() {
		if _, err := p.wallet.Import.ImportSingleKey(ctx, k.Account, k.Key.WIF()); err != nil {
			return err
		}
	}
	p.wallet.Vault.Lock()
	return nil
}

// folder returns the folder of the wallet's files, which is a throw-away one in the sandbox.
func (p *program) folder() string {
	if p.scratch != "" {
		return p.scratch
	}
	return p.settings.dataDir
}

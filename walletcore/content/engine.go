package content

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"billfold/content/archive"
	"billfold/content/ipfs"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/seal"
	"billfold/walletcore/txbuild"

	"golang.org/x/sync/errgroup"
)

// Sealer encrypts what only this wallet can read.
type Sealer interface {
	CheckOpen(op string) error
	seal.Keys
}

// Config holds what an engine works with.
type Config struct {
	PackageFolder string       // of the packages; made when it is needed
	TaskFolder    string       // of the files of tasks; made when it is needed
	ContentDir    string       // below it are the folders that programs may name; "" = they may name none
	IPFS          *ipfs.Client // nil: packages are not exchanged

	Vault    Sealer
	View     *ledgerview.View
	Payments *payment.Payments
	Events   *event.Broadcaster
	Now      func() time.Time
	Logger   *slog.Logger
}

// Engine makes, exchanges and sells packages. It is safe for concurrent use.
type Engine struct {
	Config

	opening sync.Mutex // guards store
	store   *archive.Store

	placing sync.Mutex // guards kept
	kept    []*keptPlace

	loading   sync.Once  // of what an earlier program left, before the first look at tasks
	beginning sync.Mutex // held from the look whether something is under way until its task is added

	files sync.Mutex // held from the look at the files of tasks until the list of tasks is as they are; before mu

	mu      sync.Mutex
	damaged map[ledger.Hash160]bool // packages that were found not to have their hash
	tasks   []*task                 // oldest first; those that are over are the last to be removed
	wake    chan struct{}
}

// New returns an engine. Nothing runs in the background before Run.
func New(cfg Config) *Engine {
	if cfg.ContentDir != "" {
		if real, err := filepath.EvalSymlinks(cfg.ContentDir); err == nil {
			cfg.ContentDir = real
		}
	}
	return &Engine{Config: cfg, damaged: map[ledger.Hash160]bool{}, wake: make(chan struct{}, 1)}
}

// packages returns the store of packages, which it opens at the first call. Error: fault.File.
func (e *Engine) packages(op string) (*archive.Store, error) {
	e.opening.Lock()
	defer e.opening.Unlock()
	if e.store == nil {
		store, err := archive.OpenStore(e.PackageFolder)
		if err != nil {
			return nil, packageFault(op, err)
		}
		e.store = store
	}
	return e.store, nil
}

func (e *Engine) closePackages() {
	e.opening.Lock()
	defer e.opening.Unlock()
	if e.store != nil {
		e.store.Close()
		e.store = nil
	}
}

// Run goes on with what an earlier program left, and works on tasks, until ctx ends.
func (e *Engine) Run(ctx context.Context) error {
	defer e.closePackages()
	defer e.releasePlaces(func(*keptPlace) bool { return true })
	changes, end := e.Events.Subscribe(event.Lock)
	defer end()
	e.refresh()
	defer e.disownAll()
	var working errgroup.Group
	defer func() { _ = working.Wait() }()
	for {
		owns := e.fulfill()
		for _, t := range e.ready() {
			working.Go(func() error {
				e.work(ctx, t)
				return nil
			})
		}
		if !e.sleep(ctx, changes, owns) {
			return nil
		}
	}
}

// sleep waits until there may be something to do, such as when the wallet was unlocked, and not for long while it owns tasks; false if ctx ended.
func (e *Engine) sleep(ctx context.Context, changes <-chan event.Event, owns bool) bool {
	var look <-chan time.Time
	if owns {
		timer := time.NewTimer(wishTime)
		defer timer.Stop()
		look = timer.C
	}
	select {
	case <-look:
	case <-ctx.Done():
		return false
	case <-e.wake:
	case <-changes:
	}
	return true
}

// rouse has Run look for tasks.
func (e *Engine) rouse() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// work works on a task until it is over, or has to wait.
func (e *Engine) work(ctx context.Context, t *task) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !e.begin(t, cancel) {
		return
	}
	var err error
	if t.Kind == Publishing || t.Held {
		e.awaitDaemon(ctx)
	}
	switch t.Kind {
	case Downloading:
		err = e.download(ctx, t)
	case Publishing:
		err = e.publish(ctx, t)
	case Creating, Extracting, Uploading: // their callers do that
	}
	e.end(t, err, ctx.Err() != nil)
}

// awaitDaemon waits a little for the first answer of a daemon: when a program has just been started, none was asked yet.
func (e *Engine) awaitDaemon(ctx context.Context) {
	const looks, pause = 20, 200 * time.Millisecond
	for range looks {
		if _, err := e.View.Chain.HeadTime(ctx); fault.CodeOf(err) != fault.DaemonAway {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// isPassing reports whether what failed may succeed later without anybody doing something about the task.
func isPassing(err error) bool {
	switch fault.CodeOf(err) {
	case fault.IPFS, fault.DaemonAway, fault.DaemonStale, fault.DaemonGarbage, fault.DaemonsDisagree, fault.Locked, fault.OutcomeUnknown:
		return true
	}
	return false
}

// request returns the request that a publication is submitted with.
func (p publication) request() txbuild.Request {
	return txbuild.NewRequest(publishOp, p.Params, txbuild.Publish)
}

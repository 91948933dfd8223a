package content

import (
	"context"
	"errors"
	"slices"
	"strings"

	"billfold/content/archive"
	"billfold/content/ipfs"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// Fetch begins to download the package that is offered at an address, unless it is here already. Errors: fault.NothingAtURL if nobody offers
// anything there, and for what is not in IPFS, the daemon's, fault.File.
func (e *Engine) Fetch(ctx context.Context, op, uri string) error {
	offer, err := e.View.Quorum.Offer(ctx, uri)
	if fault.CodeOf(err) == fault.NoSuchContent {
		return &fault.Error{Code: fault.NothingAtURL, Op: op, Message: "nobody offers content at " + fault.Quote(uri), Hint: "search_content finds what is offered"}
	}
	if err != nil {
		return err
	}
	if !isInIPFS(offer.URI) && !e.Has(offer.Hash) {
		return notInIPFS(op, uri)
	}
	t, err := e.startDownload(offer, "", false)
	if err == nil && t != nil {
		e.rouse()
	}
	return err
}

// isInIPFS reports whether content at an address is transferred at all.
func isInIPFS(uri string) bool { return strings.HasPrefix(uri, ipfs.Scheme) }

// startDownload adds the task of a download; nil if there is nothing to download, or it is downloaded already. Error: fault.File.
func (e *Engine) startDownload(offer *ledger.Content, consumer string, held bool) (*task, error) {
	if !isInIPFS(offer.URI) || e.Has(offer.Hash) || e.taskOf(offer.Hash, Downloading) != nil {
		return nil, nil
	}
	if err := e.removeDamaged("download_package", offer.Hash); err != nil {
		return nil, err
	}
	e.forgetFailed(Downloading, offer.Hash)
	return e.add(record{Task: Task{Kind: Downloading, State: Waiting, Account: consumer, URI: offer.URI, Hash: &offer.Hash}, Held: held, Most: bytesOf(offer)})
}

// forgetFailed removes what failed with a package and is done again.
func (e *Engine) forgetFailed(kind Kind, hash ledger.Hash160) {
	for _, t := range e.Tasks() {
		if t.Kind == kind && t.State == Failed && t.Hash != nil && *t.Hash == hash {
			_ = e.Cancel("content", t.ID)
		}
	}
}

func (e *Engine) dropDownload(hash ledger.Hash160) {
	store, err := e.packages("content")
	if err != nil {
		return
	}
	if d, err := store.Download(hash); err == nil {
		d.Discard()
	}
}

// download fetches a package from where an earlier try ended.
func (e *Engine) download(ctx context.Context, t *task) error {
	const op = "download_package"
	if t.Held {
		if err := e.awaitPurchase(ctx, t); err != nil {
			return err
		}
	}
	store, err := e.packages(op)
	if err != nil {
		return err
	}
	if err := e.checkNetwork(ctx, op); err != nil {
		return err
	}
	e.noteReceived(ctx, t)
	from := wanted(t.URI, *t.Hash, t.Most)
	_, err = e.IPFS.Download(ctx, store, from, e.progress(t))
	if errors.Is(err, archive.ErrExists) {
		_, unusable := store.Package(*t.Hash)
		switch {
		case errors.Is(unusable, archive.ErrNotFound), errors.Is(unusable, archive.ErrDamaged): // somebody took its file away, or put a folder in its place
			if err = store.Remove(*t.Hash); err == nil {
				_, err = e.IPFS.Download(ctx, store, from, e.progress(t))
			}
		case unusable != nil:
			err = unusable
		}
	}
	if err != nil && !errors.Is(err, archive.ErrExists) {
		err = networkFault(op, err)
		if stopped, is := errors.AsType[*fault.Error](err); is && stopped.Code == fault.IPFS {
			stopped.Hint += "; nothing was lost, the download goes on where it stopped"
		}
		return err
	}
	e.reportReceived(ctx, t)
	return nil
}

// The words of get_download_status.
const (
	downloaded  = "Downloaded"
	downloading = "Downloading..."
	failedWord  = "Failed: "
)

// Progress returns how much of a package is on this machine; ok is false if nothing is known of it.
func (e *Engine) Progress(uri string, hash ledger.Hash160) (received, total uint64, status string, ok bool) {
	if pkg, err := e.find("content", hash); err == nil && !e.isDamaged(hash) {
		if parts, err := pkg.Parts(); err == nil {
			for _, p := range parts {
				total += uint64(p.Size)
			}
		}
		return total, total, downloaded, true
	}
	for _, t := range slices.Backward(e.Tasks()) {
		if t.Kind == Downloading && t.Hash != nil && *t.Hash == hash {
			if t.State == Failed {
				return t.Done, t.Total, failedWord + t.Reason, true
			}
			return t.Done, t.Total, downloading, true
		}
	}
	if !isInIPFS(uri) {
		return 0, 0, failedWord + "it is not in IPFS, and packages are fetched from nowhere else", true
	}
	return 0, 0, "", false
}

// Buy is the spend of download_content: txbuild.BuyContent after everything was checked that would keep the content from being fetched. A
// package that is here already is bought all the same: what is missing is its key. Errors: fault.IPFS, fault.NothingAtURL, those of BuyContent.
func (e *Engine) Buy(ctx context.Context, b *txbuild.Builder, p txbuild.BuyContentParams) ([]ledger.Operation, error) {
	ops, err := txbuild.BuyContent(ctx, b, p)
	if err != nil || b.Repeated() {
		return ops, err
	}
	offer, err := e.View.Quorum.Offer(ctx, p.URI)
	if err != nil {
		return nil, err
	}
	return ops, unpaid(e.checkFetchable(ctx, "download_content", offer))
}

// Purchase is a download that begins once its content is bought.
type Purchase struct {
	engine   *Engine
	task     *task           // nil: there is nothing to download, or an earlier call recorded it
	offer    *ledger.Content // nil: nobody offers it
	consumer string
}

// Prepare records a download before its content is paid for, so that a program that dies after the payment goes on with it. Errors: those of
// Offer, fault.File.
func (e *Engine) Prepare(ctx context.Context, p txbuild.BuyContentParams) (Purchase, error) {
	offer, err := e.View.Quorum.Offer(ctx, p.URI)
	if fault.CodeOf(err) == fault.NoSuchContent {
		return Purchase{engine: e}, nil // the payment says so
	}
	if err != nil {
		return Purchase{}, err
	}
	t, err := e.startDownload(offer, p.Consumer, true)
	return Purchase{e, t, offer, p.Consumer}, err
}

// Commit returns what is called right before the purchase is signed: it refuses that if the download was canceled. nil = there is none.
func (p Purchase) Commit() func() error {
	if p.task == nil {
		return nil
	}
	return p.engine.commit(p.task)
}

// Settle begins the download, or drops it if the content was certainly not bought. Where that is not known, it begins once the ledger has the
// purchase, or fails when there will be none.
func (p Purchase) Settle(paid error) (err error) {
	if p.task != nil {
		p.engine.settle(p.task)
	}
	switch {
	case p.task == nil && paid == nil && p.offer != nil:
		if err = p.engine.release(p.offer.Hash); err == nil {
			_, err = p.engine.startDownload(p.offer, p.consumer, false) // what another program had begun may be over
		}
	case p.task == nil:
		return nil
	case paid != nil && fault.NothingSpent(paid):
		p.engine.remove(p.task)
		return nil
	case paid != nil:
		p.engine.mu.Lock()
		p.task.unknown = true
		p.engine.mu.Unlock()
	default:
		err = p.engine.change(p.task, func(r *record) { r.Held = false })
	}
	p.engine.rouse()
	return err
}

// release begins the downloads of a package that an earlier call, or an earlier program, held until it is bought. Error: fault.File.
func (e *Engine) release(hash ledger.Hash160) (err error) {
	var held []*task
	e.mu.Lock()
	for _, t := range e.tasks {
		if t.Held && t.Hash != nil && *t.Hash == hash && (t.State == Waiting || t.State == Running) {
			held = append(held, t)
			if t.later != nil && t.later.Stop() {
				t.later = nil
			}
		}
	}
	e.mu.Unlock()
	for _, t := range held {
		err = errors.Join(err, e.change(t, func(r *record) { r.Held = false }))
	}
	return err
}

// purchaseLife is longer than a purchase takes from the call to the ledger, with the time in which it is approved, in seconds.
const purchaseLife = 3600

// awaitPurchase looks for the purchase of a download that an earlier program recorded before it paid. Errors: fault.NoSuchPurchase if there will
// be none, fault.OutcomeUnknown while there may.
func (e *Engine) awaitPurchase(ctx context.Context, t *task) error {
	raw, err := e.View.Purchases.Raw(ctx, t.Account, t.URI)
	if err != nil {
		return err
	}
	if !ledgerview.IsNull(raw) {
		return e.change(t, func(r *record) { r.Held = false })
	}
	now, err := e.View.Chain.HeadTime(ctx)
	if err != nil {
		return err
	}
	if now > t.Began && now-t.Began > purchaseLife {
		return &fault.Error{Code: fault.NoSuchPurchase, Op: "download_content", Message: "the program ended before the content was bought",
			Hint: "download_content buys it; nothing was paid"}
	}
	return &fault.Error{Code: fault.OutcomeUnknown, Op: "download_content", Message: "the ledger does not have the purchase yet",
		Hint: "the download begins when it has"}
}

// noteReceived records how many bytes came from the content's seeders before its download.
func (e *Engine) noteReceived(ctx context.Context, t *task) {
	if t.Account == "" || t.Received != nil {
		return
	}
	now := e.receivedNow(ctx, t.URI)
	if err := e.change(t, func(r *record) { r.Received = now }); err != nil {
		e.Logger.Warn("content: a task cannot be recorded", "error", err)
	}
}

// receivedNow returns how many bytes ever came from the seeders of content, by their accounts, as far as that is known.
func (e *Engine) receivedNow(ctx context.Context, uri string) map[string]uint64 {
	out := map[string]uint64{}
	offer, err := e.View.Contents.Get(ctx, uri)
	if err != nil {
		return out
	}
	for _, part := range offer.KeyParts {
		seeder, err := e.View.Contents.Seeder(ctx, part.Seeder)
		if err != nil || seeder.IPFSID == "" {
			continue
		}
		if traffic, err := e.IPFS.Ledger(ctx, seeder.IPFSID); err == nil {
			out[part.Seeder.String()] = traffic.Recv
		}
	}
	return out
}

// reportReceived reports to the ledger what the seeders delivered, by which they are rated, if that is free. It is no loss if it fails.
func (e *Engine) reportReceived(ctx context.Context, t *task) {
	if t.Account == "" || len(t.Received) == 0 {
		return
	}
	stats := []ledger.SeederStat{}
	for id, now := range e.receivedNow(ctx, t.URI) {
		account, is := ledgerview.AccountIDText(id)
		if before, known := t.Received[id]; is && known && now > before {
			stats = append(stats, ledger.SeederStat{Account: account, Amount: now - before})
		}
	}
	if len(stats) == 0 {
		return
	}
	slices.SortFunc(stats, func(a, b ledger.SeederStat) int { return int(a.Account) - int(b.Account) })
	request := txbuild.NewRequest("report_stats", txbuild.ReportStatsParams{Consumer: t.Account, Stats: stats}, txbuild.ReportStats)
	tried, err := e.Payments.DryRun(ctx, request, payment.Sending{})
	if err == nil && tried.Review.Fee == 0 {
		_, err = e.Payments.Spend(ctx, request, payment.Sending{Broadcast: true, Key: "report_stats " + t.ID})
	}
	if err != nil {
		e.Logger.Info("content: what seeders delivered was not reported", "error", err)
	}
}

package contentrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/walletapi"
)

// Publication holds the options of a publication.
type Publication struct {
	Path    string // a folder, or a single file
	Preview string // a folder of files that anybody may read; "" = none

	About     ledger.Synopsis // without a title it has the name of the file or folder
	Prices    []string        // as content.ParsePrice reads them
	CoAuthors []string        // as content.ParseShare reads them
	Until     string          // as content.ParseUntil reads it

	Seeders []string // names or ids; none: Count are chosen
	Count   int
	Order   string // content.ByPrice and so on
	Region  string // of the seeders; "" = any

	Again  bool // offer what is on offer already once more
	DryRun bool // only show what it would do
}

// contentTypeParts is the number of parts of a content type.
const contentTypeParts = 4

// publication is the terms of a Publication, as they were read.
type publication struct {
	Publication
	prices []txbuild.PriceText
	shares []txbuild.AuthorShare
	until  ledger.Time
	keep   []ledger.AccountID
}

// published is the result of a publication.
type published struct {
	Title       string                `json:"title"`
	Author      string                `json:"author"`
	URI         string                `json:"URI"`
	Hash        ledger.Hash160        `json:"package_hash"`
	Transaction *ledger.TransactionID `json:"transaction_id"`
	Problem     *string               `json:"problem"`        // why it is not known whether the ledger has it
	Task        string                `json:"task,omitempty"` // that goes on, if nothing was submitted yet
}

// Publish packs, uploads and offers content, or goes on with an earlier run of the same, and waits until it is on offer.
func (r *Run) Publish(ctx context.Context, p Publication) error {
	terms, err := r.read(p)
	if err != nil {
		return shell.Misuse(err)
	}
	who, err := r.account(ctx)
	if err != nil {
		return stopped(ctx, err)
	}
	sent, err := r.submitted(ctx, who, terms)
	if sent != nil {
		r.tell("it was submitted before, in transaction %s; nothing is signed now", *sent.Transaction)
		return r.unfollowed(ctx, who, terms.About.Title, nil, r.offered(ctx, who, *sent))
	}
	var id string
	var earlier *content.Task // of the same title, which is not what this run follows
	if err == nil {
		earlier, err = r.standing(ctx, who, terms.About.Title)
	}
	if err == nil {
		id, err = r.begun(ctx, who, terms)
	}
	if err == nil && id == "" {
		id, err = r.begin(ctx, who, terms)
	}
	if p.DryRun {
		return stopped(ctx, err)
	}
	if err != nil { // an interrupted call may have begun it
		return r.unfollowed(ctx, who, terms.About.Title, earlier, err)
	}
	err = begunError(r.follow(ctx, who, id, terms.About.Title, earlier), "the publication was begun, and goes on with its wallet")
	return r.unfollowed(ctx, who, terms.About.Title, earlier, err)
}

// lastLook is the time limit of the look, after an interruption, at what was sent by then.
const lastLook = 5 * time.Second

// unfollowed is stopped for a publication that was begun: what it had submitted by then is named. earlier is what it was not.
func (r *Run) unfollowed(ctx context.Context, who account, title string, earlier *content.Task, err error) error {
	stop := stopped(ctx, err)
	if fault.CodeOf(stop) != fault.Canceled || ctx.Err() == nil {
		return stop
	}
	late, done := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer done()
	sent, err := r.standing(late, who, title)
	const again = "the same command goes on where it was, and nothing is paid twice"
	switch {
	case err != nil:
		return &fault.Error{Code: fault.Canceled, Op: op, Unsettled: true, Message: "interrupted, and it cannot be read whether it was submitted: " + err.Error(), Hint: again, Err: stop}
	case sent == nil || earlier != nil && *sent.Transaction == *earlier.Transaction:
		return r.left(late, who, title, stop)
	}
	e := &fault.Error{Code: fault.Canceled, Op: op, Unsettled: true, Message: "interrupted after it was submitted, in transaction " + sent.Transaction.String(),
		Hint: "billfold call get_payment " + sent.Transaction.String() + r.Flags + " reports what became of it; " + again, Err: stop}
	return r.printed(published{Title: title, Author: who.Name, URI: sent.URI, Hash: *sent.Hash, Transaction: sent.Transaction, Problem: &e.Message}, e)
}

// left is stopped for a publication that was not submitted: a task that goes on without this command is named.
func (r *Run) left(ctx context.Context, who account, title string, stop error) error {
	tasks, err := r.tasks(ctx)
	at := slices.IndexFunc(tasks, func(t content.Task) bool {
		return t.Kind == content.Publishing && who.is(t.Account) && t.Title == title && (t.State == content.Waiting || t.State == content.Running)
	})
	if err != nil || at < 0 {
		return stop
	}
	e := &fault.Error{Code: fault.Canceled, Op: op, Unsettled: true, Err: stop,
		Message: "interrupted before it was signed; the publication is kept, and goes on while a program has the wallet open",
		Hint:    "billfold content cancel " + tasks[at].ID + r.Flags + " ends it; the same command follows it, and nothing is paid twice"}
	return r.printed(published{Title: title, Author: who.Name, Problem: &e.Message, Task: tasks[at].ID}, e)
}

// read reads what can be read without a wallet.
func (r *Run) read(p Publication) (t publication, err error) {
	t.Publication = p
	if t.Path, err = r.path(p.Path); err != nil {
		return t, err
	}
	if p.Preview != "" {
		if t.Preview, err = r.path(p.Preview); err != nil {
			return t, err
		}
	}
	if t.About.Title == "" {
		t.About.Title = filepath.Base(t.Path)
	}
	if err := content.CheckAbout(t.About); err != nil {
		return t, err
	}
	if parts := strings.Split(t.About.Type, "."); t.About.Type != "" && (len(parts) != contentTypeParts || strings.Trim(t.About.Type, "0123456789.") != "" || slices.Contains(parts, "")) {
		return t, fmt.Errorf("--type: %q is not a content type; write four numbers such as 1.5.5.0", t.About.Type)
	}
	if t.Region, err = content.ParseRegion(p.Region); err != nil {
		return t, err
	}
	if len(p.Prices) == 0 {
		return t, errors.New(`the content has no price; write --price "2 DCT"`)
	}
	for _, text := range p.Prices {
		one, err := content.ParsePrice(text)
		if err != nil {
			return t, err
		}
		t.prices = append(t.prices, one)
	}
	if err := content.CheckPrices(t.prices); err != nil {
		return t, err
	}
	t.shares = []txbuild.AuthorShare{}
	for _, text := range p.CoAuthors {
		one, err := content.ParseShare(text)
		if err != nil {
			return t, err
		}
		t.shares = append(t.shares, one)
	}
	if _, err := content.ParseUntil(p.Until, 0); err != nil {
		return t, err
	}
	if !slices.Contains([]string{content.ByPrice, content.ByRating, content.ByUpload}, p.Order) {
		return t, fmt.Errorf("seeders are chosen by price, rating or upload, not by %q", p.Order)
	}
	if len(p.Seeders) == 1 || len(p.Seeders) == 0 && p.Count != 0 && p.Count < content.MinSeeders {
		return t, errors.New("a key is split among two seeders or more; choose none, or at least 2")
	}
	return t, nil
}

// submitted returns what an earlier run submitted of the same and the ledger has yet to take, as the task that it was then; nil if there is
// nothing. The wallet forgets a task that is done when it starts anew, and its journal does not forget.
func (r *Run) submitted(ctx context.Context, who account, t publication) (task *content.Task, err error) {
	// What is in a block is on offer, which begun tells.
	return r.latest(ctx, who, t.About.Title, func(p payment.Info) bool { return !neverHappens(p.State) && !happened(p.State) })
}

// standing returns the last submission with a title that is on the ledger or may get there, nil if there is none.
func (r *Run) standing(ctx context.Context, who account, title string) (*content.Task, error) {
	return r.latest(ctx, who, title, func(p payment.Info) bool { return !neverHappens(p.State) })
}

// latest returns the last submission with a title that is wanted, as the task that it was, nil if there is none.
func (r *Run) latest(ctx context.Context, who account, title string, wanted func(payment.Info) bool) (task *content.Task, err error) {
	err = r.submissions(ctx, who, wanted, func(p payment.Info, op *ledger.ContentSubmitOp) bool {
		if ledger.ReadSynopsis(op.Synopsis).Title == title {
			task = &content.Task{Title: title, URI: op.URI, Hash: &op.Hash, Transaction: &p.TransactionID}
		}
		return task == nil
	})
	return task, err
}

// submissions calls look with what the wallet submitted for an account and is wanted, the newest first, until it returns false.
func (r *Run) submissions(ctx context.Context, who account, wanted func(payment.Info) bool, look func(payment.Info, *ledger.ContentSubmitOp) bool) error {
	const most = "100"
	text, err := r.Wallet.Call(ctx, "list_payments", walletapi.Params{Named: map[string]json.RawMessage{
		"limit": json.RawMessage(most), "keys": quoted(content.SubmitKeys)}})
	if err != nil {
		return err
	}
	var list []payment.Info
	if err := json.Unmarshal(text, &list); err != nil {
		return unreadable("list_payments", err)
	}
	for _, p := range list {
		if !wanted(p) {
			continue
		}
		whole, err := call[payment.Info](ctx, r.Wallet, "get_payment", p.TransactionID.String())
		if err != nil {
			return err
		}
		if whole.Transaction == nil || len(whole.Transaction.Operations) != 1 {
			continue
		}
		if op, is := whole.Transaction.Operations[0].Body.(*ledger.ContentSubmitOp); is && op.Author == who.ID && !look(p, op) {
			return nil
		}
	}
	return nil
}

// begun returns the task of an earlier run that publishes the same, "" if there is none. It refuses what is on offer already.
func (r *Run) begun(ctx context.Context, who account, t publication) (id string, err error) {
	tasks, err := r.tasks(ctx)
	if err != nil {
		return "", err
	}
	for _, task := range tasks {
		if task.Kind != content.Publishing || !who.is(task.Account) || task.Title != t.About.Title {
			continue
		}
		switch task.State {
		case content.Waiting, content.Running:
			r.tell("this was begun before, and goes on; nothing is signed anew")
			return task.ID, r.unlock(ctx)
		case content.Failed:
			r.tell("an earlier try failed: %s", task.Reason)
			if !t.DryRun {
				if _, err := call[json.RawMessage](ctx, r.Wallet, "cancel_content_task", task.ID); err != nil {
					return "", err
				}
			}
		case content.Done:
		}
	}
	if t.Again {
		return "", nil
	}
	regions := []string{""} // a search finds what is sold in one region, and "" is that of nobody's country
	for _, price := range t.prices {
		if !slices.Contains(regions, price.Region) {
			regions = append(regions, price.Region)
		}
	}
	var list []ledger.ContentSummary
	for _, region := range regions {
		found, err := r.offersOf(ctx, who.Name, t.About.Title, region)
		if err != nil {
			return "", err
		}
		list = append(list, found...)
	}
	for _, c := range list {
		if ledger.ReadSynopsis(c.Synopsis).Title == t.About.Title && c.Status != ledger.OfferExpired {
			return "", &fault.Error{Code: fault.Denied, Op: op, Message: "the account " + who.Name + " offers " + fault.Quote(t.About.Title) + " already, at " + fault.Quote(c.URI),
				Hint: "choose another --title, or add --again to offer it once more; nothing was done"}
		}
	}
	return "", nil
}

// unlock asks for the password of a wallet whose tasks wait for it.
func (r *Run) unlock(ctx context.Context) error {
	if w, can := r.Wallet.(shell.Opener); can {
		return w.Open(ctx, shell.Find("submit_content_async"))
	}
	return nil
}

// offersOf returns what an author offers, or offered, in a region.
func (r *Run) offersOf(ctx context.Context, author, term, region string) ([]ledger.ContentSummary, error) {
	const most = 100
	return call[[]ledger.ContentSummary](ctx, r.Wallet, "search_user_content", author, term, "-created", region, "0.0.0", "", most)
}

// begin has a publication approved, begins it, and returns its task, "" for a dry run.
func (r *Run) begin(ctx context.Context, who account, t publication) (id string, err error) {
	now, err := call[ledger.Time](ctx, r.Wallet, "head_block_time")
	if err != nil {
		return "", err
	}
	if t.until, err = content.ParseUntil(t.Until, now); err != nil {
		return "", shell.Misuse(err)
	}
	if t.keep, err = r.seeders(ctx, t, now); err != nil {
		return "", err
	}
	params := map[string]json.RawMessage{}
	for name, value := range map[string]any{"author": who.Name, "co_authors": t.shares, "content_dir": t.Path, "samples_dir": t.Preview, "protocol": "ipfs",
		"price_amounts": t.prices, "seeders": t.keep, "expiration": t.until, "synopsis": t.About.Text()} {
		if params[name], err = codec.Marshal(value); err != nil {
			return "", err
		}
	}
	if t.Again {
		params["again"] = json.RawMessage("true")
	}
	before, err := r.tasks(ctx)
	if err != nil {
		return "", err
	}
	keys, err := r.Wallet.Call(ctx, "submit_content_async", walletapi.Params{Named: params, Exact: true, Approve: r.Approve})
	clear(keys)
	if err != nil {
		return "", err
	}
	after, err := r.tasks(ctx)
	for _, task := range slices.Backward(after) {
		isNew := !slices.ContainsFunc(before, func(b content.Task) bool { return b.ID == task.ID })
		if isNew && task.Kind == content.Publishing && who.is(task.Account) && task.Title == t.About.Title {
			return task.ID, err
		}
	}
	if err == nil {
		err = &fault.Error{Code: fault.Canceled, Op: op, Message: "the publication was begun, and then canceled by somebody else", Hint: "billfold content list shows what is on offer"}
	}
	return "", err
}

// seeders returns who keeps the content: who was named, or the first of those that the node lists.
func (r *Run) seeders(ctx context.Context, t publication, now ledger.Time) ([]ledger.AccountID, error) {
	out := []ledger.AccountID{}
	for _, name := range t.Seeders {
		found, err := callPlain[account](ctx, r.Wallet, "get_account", name)
		if err != nil {
			return nil, err
		}
		out = append(out, found.ID)
	}
	if len(out) > 0 || t.Count == 0 {
		return out, nil
	}
	const most = 100
	method, param := "list_seeders_by_"+t.Order, any(most)
	if t.Region != "" {
		method, param = "list_seeders_by_region", t.Region
	}
	const looks = 20 // a ledger that has just begun has its seeders after a block or two
	for look := 1; ; look++ {
		list, err := call[[]ledger.Seeder](ctx, r.Wallet, method, param)
		if err != nil {
			return nil, err
		}
		chosen, err := content.ChooseSeeders(list, t.Count, t.Order, megabytes(t.Path), now)
		switch {
		case err == nil:
			return chosen, nil
		case len(list) >= t.Count || look == looks || t.Region != "":
			return nil, &fault.Error{Code: fault.NoSuchSeeder, Op: op, Message: err.Error(), Hint: "nothing was done"}
		case look == 1:
			r.tell("waiting for seeders: %d of %d have announced themselves", len(list), t.Count)
		}
		if err := wait(ctx); err != nil {
			return nil, err
		}
	}
}

// megabytes returns about how large the package of a path is, 0 if it is not on this machine.
func megabytes(path string) uint64 {
	var sum uint64
	_ = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			sum += uint64(info.Size())
		}
		return nil
	})
	return sum>>20 + 1
}

// isOpen reports whether what became of a payment is not known yet.
func isOpen(p payment.Info) bool {
	return slices.Contains([]string{payment.Prepared.String(), payment.Sent.String(), payment.Unknown.String()}, p.State)
}

// follow waits until a publication is on offer. earlier is the submission of the same title that was there before it, nil if there was none.
func (r *Run) follow(ctx context.Context, who account, id, title string, earlier *content.Task) error {
	shown := progress{run: r}
	for {
		tasks, err := r.tasks(ctx)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(tasks, func(t content.Task) bool { return t.ID == id })
		if at < 0 { // it has ended: by a submission, if the journal has one
			sent, err := r.standing(ctx, who, title)
			if err != nil {
				return err
			}
			if sent != nil && (earlier == nil || *sent.Transaction != *earlier.Transaction) {
				return r.offered(ctx, who, *sent)
			}
			return &fault.Error{Code: fault.Denied, Op: op, Message: "the publication was canceled before it was signed", Hint: "nothing was paid; the same command begins anew"}
		}
		switch t := tasks[at]; {
		case t.State == content.Failed:
			if sent, err := r.latest(ctx, who, title, isOpen); err == nil && sent != nil { // a node that refused it had it, and may have passed it on
				return &fault.Error{Code: fault.OutcomeUnknown, Op: op, Unsettled: true,
					Message: "it is not known whether it was published: " + strings.TrimSuffix(t.Reason, "."),
					Hint:    "give the same command again: it goes on where it was, and pays nothing twice"}
			}
			return &fault.Error{Code: fault.Denied, Op: op, Message: "it could not be published: " + strings.TrimSuffix(t.Reason, "."),
				Hint: "the same command begins anew"}
		case t.State == content.Done:
			return r.offered(ctx, who, t)
		case t.Elsewhere:
			shown.show(string(t.Step)+", "+t.Reason, 0, 0)
		case t.Reason != "":
			shown.show("waiting: "+t.Reason, 0, 0)
		case t.Step != "":
			shown.show(string(t.Step), t.Done, t.Total)
		}
		if err := wait(ctx); err != nil {
			return err
		}
	}
}

// offered waits until the ledger has what was submitted.
func (r *Run) offered(ctx context.Context, who account, t content.Task) error {
	for {
		inBlock := t.Transaction == nil // which its journal no longer tells
		if !inBlock {
			paid, err := callPlain[struct {
				State, Reason string
			}](ctx, r.Wallet, "get_payment", t.Transaction.String())
			if err != nil {
				return err
			}
			if neverHappens(paid.State) {
				return &fault.Error{Code: fault.DaemonRefused, Op: op, Message: "the ledger did not take it: " + paid.Reason, Hint: "the same command begins anew"}
			}
			inBlock = happened(paid.State)
		}
		found, err := r.offer(ctx, t.URI) // nodes also show what is in no block yet
		if err != nil {
			return err
		}
		if found != nil && inBlock {
			return r.answer(published{Title: t.Title, Author: who.Name, URI: t.URI, Hash: found.Hash, Transaction: t.Transaction}, "on offer: %s", t.URI)
		}
		if err := wait(ctx); err != nil {
			return err
		}
	}
}

// CheckPath refuses a path that is not there.
func CheckPath(path string) error {
	if _, err := os.Stat(path); err != nil {
		return shell.Unreadable("file or folder", path, err)
	}
	return nil
}

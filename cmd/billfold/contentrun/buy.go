package contentrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/walletapi"
)

// Purchase holds the options of a purchase.
type Purchase struct {
	URI    string
	Folder string // new or empty; content is extracted into it
	Region string // default, a country's code, or empty
	DryRun bool   // only show what it would do
}

// bought is the result of a purchase.
type bought struct {
	URI     string          `json:"URI"`
	Account string          `json:"account"`
	Buying  ledger.BuyingID `json:"buying"`
	Hash    ledger.Hash160  `json:"package_hash"`
	Folder  string          `json:"folder"`  // "": nothing was extracted
	Problem *string         `json:"problem"` // why nothing was
}

// signed is the result of a purchase that may be paid: the ledger does not show it yet.
type signed struct {
	URI     string         `json:"URI"`
	Account string         `json:"account"`
	Key     string         `json:"request_key"`
	Hash    ledger.Hash160 `json:"package_hash"`
	Problem string         `json:"problem"`
}

// Buy buys content unless the account has it, waits for its package and its key, and extracts it.
func (r *Run) Buy(ctx context.Context, p Purchase) error {
	folder, err := r.path(p.Folder)
	if err == nil {
		p.Region, err = content.ParseRegion(p.Region)
	}
	if err != nil {
		return shell.Misuse(err)
	}
	if r.Here {
		if taken := checkFree(folder); taken != nil {
			if has, is := r.extracted(ctx, p.URI, folder); is {
				return r.answer(has, "the content is in %s already; it was bought as %s, and nothing is paid now", folder, has.Buying)
			}
			return shell.Misuse(taken)
		}
	}
	who, err := r.account(ctx)
	if err != nil {
		return stopped(ctx, err)
	}
	offer, err := r.offer(ctx, p.URI)
	if err != nil {
		return stopped(ctx, err)
	}
	if offer == nil {
		return &fault.Error{Code: fault.NoSuchContent, Op: op, Message: "nobody offers content at " + fault.Quote(p.URI), Hint: "billfold content list --search finds what is offered"}
	}
	r.showOffer(ctx, offer, p.Region)
	if len(offer.KeyParts) > 0 {
		if err := r.checkPlace(ctx, offer, folder); err != nil {
			return stopped(ctx, err)
		}
	}
	has, err := r.pay(ctx, who, offer, p, folder)
	if err != nil || p.DryRun {
		return stopped(ctx, err)
	}
	paid := "it is paid, as " + has.String()
	purchase := bought{URI: offer.URI, Account: who.Name, Buying: has, Hash: offer.Hash}
	if err := r.receive(ctx, who, offer, has); err != nil {
		return r.undelivered(purchase, stoppedAfter(ctx, begunError(err, paid), paid))
	}
	if len(offer.KeyParts) == 0 {
		problem := fmt.Sprintf("the package is here, and no seeder has parts of its key: the author hands it out; billfold call extract_package %s FOLDER -%s takes it",
			offer.Hash, r.Flags)
		if r.JSON {
			r.tell("%s", problem)
		}
		purchase.Problem = &problem
		return r.answer(purchase, "%s", problem)
	}
	err = r.extract(ctx, who, offer, has, folder)
	if damaged, lookErr := r.isDamaged(ctx, who, offer, err); damaged || lookErr != nil {
		r.tell("the package on this machine is damaged, and is fetched again")
		if err = lookErr; err == nil {
			err = r.receive(ctx, who, offer, has)
		}
		if err == nil {
			err = r.extract(ctx, who, offer, has, folder)
		}
	}
	if err != nil {
		return r.undelivered(purchase, stoppedAfter(ctx, r.unopened(ctx, purchase, offer, folder, begunError(err, paid)), paid))
	}
	purchase.Folder = folder
	return r.answer(purchase, "the content is in %s", folder)
}

// undelivered returns err, which came after the purchase. As JSON, the purchase goes to the output with it.
func (r *Run) undelivered(paid bought, err error) error {
	problem := problemOf(err)
	paid.Problem = &problem
	return r.printed(paid, err)
}

// problemOf returns the sentence of an error, without what to do next.
func problemOf(err error) string {
	if e, own := errors.AsType[*fault.Error](err); own {
		return e.Message
	}
	return fmt.Sprint(err)
}

// unopened returns the error of content that was paid and does not open, whatever its buyer does; other errors, such as those of the folder, as they
// are.
func (r *Run) unopened(ctx context.Context, paid bought, offer *ledger.Content, folder string, err error) error {
	e, own := errors.AsType[*fault.Error](err)
	if !own {
		return err
	}
	if !slices.Contains([]fault.Code{fault.BadValue, fault.KeyParts, fault.PackageState}, e.Code) || e.Code != fault.KeyParts && r.checkPlace(ctx, offer, folder) != nil {
		return err
	}
	return content.Unopened(paid.Buying, e)
}

// checkPlace has the wallet check whether it can extract to the folder.
func (r *Run) checkPlace(ctx context.Context, offer *ledger.Content, folder string) error {
	_, err := r.Wallet.Call(ctx, "extract_package", walletapi.Params{Exact: true, Named: map[string]json.RawMessage{
		"package_hash": quoted(offer.Hash.String()), "output_dir": quoted(folder), "aes_key": quoted("1."), "dry_run": json.RawMessage("true")}})
	return err
}

// checkFree refuses a folder in which something is.
func checkFree(folder string) error {
	found, err := os.ReadDir(folder)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be extracted to: %w; name a new folder", folder, err)
	case len(found) > 0:
		return fmt.Errorf("%s is not empty; name a new folder, nothing was bought", folder)
	}
	return nil
}

func (r *Run) showOffer(ctx context.Context, c *ledger.Content, region string) {
	about := ledger.ReadSynopsis(c.Synopsis)
	r.fact("content", about.Title)
	r.fact("", about.Description)
	author, err := callPlain[account](ctx, r.Wallet, "get_account", c.Author.String())
	if err == nil {
		r.fact("author", author.Name+" "+author.ID.String())
	}
	price := notSold(region, c.Price)
	if code, known := ledger.RegionCode(region); known {
		if at, sold := c.Price.In(code); sold {
			price = r.amount(ctx, at)
		}
	}
	r.fact("price", price)
	r.fact("size", fmt.Sprintf("%d MB at most", c.Size))
	r.fact("offered", "until "+c.Expiration.String()+" UTC")
	kept := "by nobody: only who has its key can read it"
	if n := len(c.KeyParts); n > 0 {
		kept = fmt.Sprintf("by %d seeders, %d of whom make the key; %d proved that they have it", n, c.Quorum, len(c.LastProof))
	}
	r.fact("kept", kept)
	if c.NumOfRatings > 0 {
		r.fact("rating", fmt.Sprintf("%s of 5 by %d buyers", ledger.FormatAmount(int64(c.AverageRating), 3), c.NumOfRatings))
	}
	r.fact("package", c.Hash.String())
}

// notSold returns the price of content that has none in a region, "" for no region, with the flag that names one.
func notSold(region string, in ledger.RegionalPrices) string {
	instead := "in this --region"
	if region == "" {
		instead = "without a --region"
	}
	return "none " + instead + "; it is sold with --region " + in.Words()
}

// regionError has the refusal of a purchase for its region name the flag.
func regionError(err error, region string, in ledger.RegionalPrices) error {
	e, own := errors.AsType[*fault.Error](err)
	if !own || e.Code != fault.NotSoldInRegion {
		return err
	}
	said := *e
	said.Err, said.Hint = err, "price: "+notSold(region, in)+"; nothing was signed"
	return &said
}

// pay buys content, unless that was done before, and returns the purchase. The wallet keeps the folder for it.
func (r *Run) pay(ctx context.Context, who account, offer *ledger.Content, p Purchase, folder string) (none ledger.BuyingID, err error) {
	has, err := r.purchase(ctx, who, offer.URI)
	if err != nil {
		return none, err
	}
	if has != nil && !has.Lapsed() {
		r.tell("%s bought it before, as %s; nothing is paid now", who.Name, has.ID)
		return has.ID, nil
	}
	key, sent, err := r.requestKey(ctx, who, offer, has)
	if err != nil {
		return none, err
	}
	switch {
	case happened(sent):
		r.tell("it was paid before; nothing is paid now")
	case sent != "":
		r.tell("a purchase was signed before, and the ledger has yet to take it; nothing is signed now")
	default:
		call := walletapi.Params{Exact: true, Approve: r.Approve, Positional: []json.RawMessage{quoted(who.Name), quoted(offer.URI), quoted(p.Region), json.RawMessage("true"), quoted(key)}}
		if len(offer.KeyParts) > 0 {
			call.Named = map[string]json.RawMessage{"output_dir": quoted(folder)}
		}
		_, err := r.Wallet.Call(ctx, "download_content", call)
		if other, found := r.boughtMeanwhile(ctx, who, offer, has, err); found {
			r.tell("%s bought it meanwhile from elsewhere, as %s; nothing is paid now", who.Name, other)
			return other, nil
		}
		if err != nil {
			return none, r.unsettled(who, offer, key, regionError(againError(err), p.Region, offer.Price))
		}
		r.tell("paid")
	}
	id, err := r.inBlock(ctx, who, offer, has, key)
	if err != nil && ctx.Err() != nil && fault.CodeOf(err) != fault.DaemonRefused {
		err = &fault.Error{Code: fault.Canceled, Op: op, Unsettled: true, Message: "interrupted after the purchase was signed; the ledger does not show it yet",
			Hint: "billfold call get_payment " + key + r.Flags + " reports what became of it; the same command goes on where it was, and nothing is paid twice", Err: err}
	}
	return id, r.unsettled(who, offer, key, err)
}

// unsettled returns err, which came before the ledger showed the purchase. As JSON, a purchase that may happen nevertheless goes to the output with it.
func (r *Run) unsettled(who account, offer *ledger.Content, key string, err error) error {
	if !payment.MayHappen(err) {
		return err
	}
	return r.printed(signed{offer.URI, who.Name, key, offer.Hash, problemOf(err)}, err)
}

// boughtMeanwhile looks whether another wallet of the account bought the content while this purchase, which failed with err, was reviewed or sent.
func (r *Run) boughtMeanwhile(ctx context.Context, who account, offer *ledger.Content, before *ledger.Buying, err error) (id ledger.BuyingID, found bool) {
	if code := fault.CodeOf(err); code != fault.BoughtAlready && code != fault.DaemonRefused {
		return id, false
	}
	has, err := r.purchase(ctx, who, offer.URI)
	if err != nil || has == nil || has.Lapsed() || before != nil && before.ID == has.ID {
		return id, false
	}
	return has.ID, true
}

// againError has an error whose request can be repeated say how that is done here.
func againError(err error) error {
	e, own := errors.AsType[*fault.Error](err)
	if !own || fault.NothingSpent(err) || strings.Contains(e.Hint, "nothing was paid") {
		return err
	}
	said := *e
	said.Err, said.Hint = err, "give the command again: it goes on where it was, and pays nothing twice"
	return &said
}

func quoted(text string) json.RawMessage {
	out, _ := json.Marshal(text)
	return out
}

func (r *Run) purchase(ctx context.Context, who account, uri string) (*ledger.Buying, error) {
	return call[*ledger.Buying](ctx, r.Wallet, "get_buying_by_consumer_URI", who.ID.String(), uri)
}

// requestKey returns the key of the next payment for the content, or that of one which was signed and of which the ledger does not show the purchase
// yet, with its state. A payment that never happens, and one whose purchase lapsed, is followed by another.
func (r *Run) requestKey(ctx context.Context, who account, offer *ledger.Content, lapsed *ledger.Buying) (key, sent string, err error) {
	for attempt := 1; ; attempt++ {
		key = fmt.Sprintf("content/%s/%s/%d", offer.ID, who.ID, attempt)
		info, err := call[json.RawMessage](ctx, r.Wallet, "get_payment", key)
		if fault.CodeOf(err) == fault.NoSuchPayment {
			return key, "", nil
		}
		if err != nil {
			return "", "", err
		}
		var paid payment.Info
		if err := json.Unmarshal(info, &paid); err != nil {
			return "", "", unreadable("get_payment", err)
		}
		over := lapsed != nil && paid.Expiration <= lapsed.ExpirationOrDelivery
		if !neverHappens(paid.State) && !over {
			return key, paid.State, nil
		}
	}
}

// happened reports whether a block has a payment in this state.
func happened(state string) bool {
	return slices.Contains([]string{payment.InBlock.String(), payment.Irreversible.String()}, state)
}

func neverHappens(state string) bool {
	return slices.Contains([]string{payment.Rejected.String(), payment.Expired.String()}, state)
}

// inBlock waits until the ledger has the purchase.
func (r *Run) inBlock(ctx context.Context, who account, offer *ledger.Content, before *ledger.Buying, key string) (none ledger.BuyingID, err error) {
	for {
		has, err := r.purchase(ctx, who, offer.URI)
		if err != nil {
			return none, err
		}
		if has != nil && (before == nil || has.ID != before.ID) {
			r.tell("the ledger has the purchase, as %s", has.ID)
			return has.ID, nil
		}
		paid, err := callPlain[payment.Info](ctx, r.Wallet, "get_payment", key)
		if err != nil {
			return none, err
		}
		if neverHappens(paid.State) {
			return none, &fault.Error{Code: fault.DaemonRefused, Op: op, Message: "the purchase did not happen: " + paid.Reason, Hint: "nothing was paid; the same command tries again"}
		}
		if err := wait(ctx); err != nil {
			return none, err
		}
	}
}

// receive waits for the package and for the parts of the key.
func (r *Run) receive(ctx context.Context, who account, offer *ledger.Content, id ledger.BuyingID) error {
	shown, fetched := progress{run: r}, false
	var seen, gone bool // a download of this program, and that it is no more
	for {
		has, err := r.purchase(ctx, who, offer.URI)
		if err != nil {
			return err
		}
		if has == nil || has.ID != id || has.Lapsed() {
			return &fault.Error{Code: fault.NoSuchPurchase, Op: op, Message: "the seeders did not deliver the key in time, and the ledger gave the price back",
				Hint: "the same command buys it anew"}
		}
		at, err := call[ledgerview.Download](ctx, r.Wallet, "get_download_status", who.ID.String(), offer.URI)
		if err != nil {
			return err
		}
		task, err := r.download(ctx, offer.Hash)
		if err != nil {
			return err
		}
		switch here := at.StatusText == "Downloaded"; {
		case here && has.Delivered:
			return nil
		case here:
			shown.show(fmt.Sprintf("the package is here; waiting for the key (%d of %d parts)", at.ReceivedKeyParts, offer.Quorum), 0, 0)
		case task == nil && seen && !gone: // it may just have ended well
			gone = true
			continue
		case gone && task == nil:
			return &fault.Error{Code: fault.Denied, Op: op, Message: "the download was canceled",
				Hint: "the content is bought and paid, as " + id.String() + "; the same command fetches it, and pays nothing"}
		case (task == nil || task.State == content.Done) && !fetched: // it was canceled, bought elsewhere, or is damaged since
			if _, err := call[json.RawMessage](ctx, r.Wallet, "download_package", offer.URI); err != nil {
				return err
			}
			fetched = true
			continue
		case task != nil && task.State == content.Failed:
			if fetched {
				return &fault.Error{Code: fault.IPFS, Op: op, Message: "the package cannot be downloaded: " + task.Reason, Hint: "it is bought; the same command tries again"}
			}
			if _, err := call[json.RawMessage](ctx, r.Wallet, "download_package", offer.URI); err != nil {
				return err
			}
			fetched = true
			continue
		case task != nil && task.Reason != "":
			shown.show("waiting: "+task.Reason, 0, 0)
		default:
			shown.show("downloading the package", at.ReceivedDownloadBytes, at.TotalDownloadBytes)
		}
		seen = seen || task != nil && !task.Elsewhere && task.State != content.Done
		if err := wait(ctx); err != nil {
			return err
		}
	}
}

// download returns the latest task that downloads a package, nil if there is none.
func (r *Run) download(ctx context.Context, hash ledger.Hash160) (*content.Task, error) {
	tasks, err := r.tasks(ctx)
	for _, t := range slices.Backward(tasks) {
		if t.Kind == content.Downloading && t.Hash != nil && *t.Hash == hash {
			return &t, err
		}
	}
	return nil, err
}

func (r *Run) tasks(ctx context.Context) ([]content.Task, error) {
	return callPlain[[]content.Task](ctx, r.Wallet, "list_content_tasks")
}

// isDamaged reports whether the extraction, which ended with err, found that the package of this machine is not the one with its hash.
func (r *Run) isDamaged(ctx context.Context, who account, offer *ledger.Content, err error) (bool, error) {
	if fault.CodeOf(err) != fault.PackageState {
		return false, nil
	}
	at, err := call[ledgerview.Download](ctx, r.Wallet, "get_download_status", who.ID.String(), offer.URI)
	return at.StatusText != "Downloaded", err
}

// extract restores the key and decrypts the package into the folder.
func (r *Run) extract(ctx context.Context, who account, offer *ledger.Content, id ledger.BuyingID, folder string) error {
	r.tell("extracting")
	key, err := call[json.RawMessage](ctx, r.Wallet, "restore_encryption_key", who.ID.String(), id.String())
	if err != nil {
		return err
	}
	defer clear(key)
	params := []json.RawMessage{quoted(offer.Hash.String()), quoted(folder), key}
	_, err = r.Wallet.Call(ctx, "extract_package", walletapi.Params{Positional: params, Exact: true})
	return err
}

package walletapi

import (
	"context"
	"encoding/json"
	"reflect"

	"billfold/content/share"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

type submitInBackgroundParams struct {
	Author     string                `json:"author" role:"account" help:"account name or id"`
	CoAuthors  []txbuild.AuthorShare `json:"co_authors" help:"shares in hundredths of a percent"`
	ContentDir string                `json:"content_dir" help:"folder on the wallet's machine, or a single file"`
	SamplesDir string                `json:"samples_dir" help:"folder of samples that anybody may read; empty = none"`
	Protocol   string                `json:"protocol" help:"ipfs"`
	Prices     []txbuild.PriceText   `json:"price_amounts" help:"price in each region"`
	Seeders    []ledger.AccountID    `json:"seeders" help:"account ids of the seeders"`
	Expiration ledger.Time           `json:"expiration" help:"UTC, at least a day from now"`
	Synopsis   string                `json:"synopsis" help:"text; readers expect JSON with title, description and content_type_id"`
	Again      bool                  `json:"again,omitempty" byname:"only" help:"true: offer once more what the same author offers from this folder with this synopsis"`
	DryRun     bool                  `json:"dry_run,omitempty" role:"dry_run" byname:"only" help:"true: report what it would do, at the most that it can cost; nothing is done"`
	Approved   *txbuild.Approval     `json:"approved,omitempty" role:"approved" byname:"only" help:"operations and effects of a dry run: nothing is done unless it comes to the same"`
}

type contentKeysParams struct {
	Seeders []ledger.AccountID `json:"seeders" help:"account ids of the seeders"`
}

type createPackageParams struct {
	ContentDir string `json:"content_dir" help:"folder on the wallet's machine, or a single file"`
	SamplesDir string `json:"samples_dir" help:"folder of samples that anybody may read; empty = none"`
	Key        string `json:"aes_key" secret:"true" help:"a decimal number followed by a dot; it must encrypt nothing else"`
}

type extractPackageParams struct {
	Hash      ledger.Hash160 `json:"package_hash" help:"40 hex digits"`
	OutputDir string         `json:"output_dir" help:"folder on the wallet's machine that does not exist or is empty"`
	Key       string         `json:"aes_key" secret:"true" help:"a decimal number followed by a dot"`
	DryRun    bool           `json:"dry_run,omitempty" byname:"only" help:"true: only check whether the folder can be extracted to; package and key are not looked at"`
}

type packageURLParams struct {
	URL string `json:"url" help:"address of the content"`
}

type uploadPackageParams struct {
	Hash     ledger.Hash160 `json:"package_hash" help:"40 hex digits"`
	Protocol string         `json:"protocol" help:"ipfs"`
}

type packageParams struct {
	Hash ledger.Hash160 `json:"package_hash" help:"40 hex digits"`
}

type taskParams struct {
	ID string `json:"id" help:"as list_content_tasks shows it"`
}

// madePackage is the hash of a package and the data that proves it is kept.
type madePackage struct {
	_       struct{}           `fc:"pair"`
	Hash    ledger.Hash160     `json:"package_hash"`
	Custody ledger.CustodyData `json:"custody_data"`
}

// contentEngineMethods returns the operations that make, exchange and sell packages of content.
func contentEngineMethods() []*Method {
	const hash = "3069910ad3201a9a49965e890fed26fd3bfaeede"
	return []*Method{
		spendOf("submit_content", doc{Help: "Offers an uploaded package for sale.",
			Examples: []string{`alice [] ` + exampleURI + ` '[{"region":"","amount":"2","asset_symbol":"DCT"}]' 1 ` + hash +
				` '["1.2.16","1.2.17"]' 2 2027-01-01T00:00:00 DCT 10 "a song" - ` +
				exampleCustody + ` true`}},
			func(_ context.Context, w *Core, p txbuild.SubmitContentParams) (txbuild.Request, error) {
				return txbuild.NewRequest("submit_content", p, w.Content.Submit), nil
			}),
		submitInBackground(),
		buyAndDownload(),
		read("generate_content_keys", doc{Help: "Makes a random content key and splits it for seeders; no node learns it.", Reach: ReachChain,
			Secret: true, Examples: []string{`'["1.2.16","1.2.17"]'`}},
			func(ctx context.Context, w *Core, p contentKeysParams) (share.ContentKeys, error) {
				return w.Content.ContentKeys(ctx, "generate_content_keys", p.Seeders)
			}),
		packages("create_package", doc{Help: "Encrypts a folder into a package.", Examples: []string{`/srv/song "" -`}},
			func(ctx context.Context, w *Core, p createPackageParams, anywhere bool) (madePackage, error) {
				key, err := txbuild.ContentKey("create_package", p.Key)
				if err != nil {
					return madePackage{}, err
				}
				defer key.Wipe()
				made, err := w.Content.Create(ctx, "create_package", sourceOf(p.ContentDir, p.SamplesDir, anywhere), key)
				return madePackage{Hash: made.Hash, Custody: made.Custody}, err
			}),
		packages("extract_package", doc{Help: "Decrypts a package into a new folder: all of it, or nothing.", Examples: []string{hash + " /srv/out -"}},
			func(ctx context.Context, w *Core, p extractPackageParams, anywhere bool) (null, error) {
				if p.DryRun {
					return nil, w.Content.CheckPlace("extract_package", p.Hash, content.Folder{Path: p.OutputDir, Anywhere: anywhere})
				}
				key, err := txbuild.ContentKey("extract_package", p.Key)
				if err != nil {
					return nil, err
				}
				defer key.Wipe()
				return nil, w.Content.Extract(ctx, "extract_package", p.Hash, content.Folder{Path: p.OutputDir, Anywhere: anywhere}, key)
			}),
		packages("download_package", doc{Help: "Downloads the package that is offered at an address, in the background.",
			Examples: []string{exampleURI}},
			func(ctx context.Context, w *Core, p packageURLParams, _ bool) (null, error) {
				return nil, w.Content.Fetch(ctx, "download_package", p.URL)
			}),
		packages("upload_package", doc{Help: "Uploads a package.", Result: "its address", Examples: []string{hash + " ipfs"}},
			func(ctx context.Context, w *Core, p uploadPackageParams, _ bool) (string, error) {
				return w.Content.Upload(ctx, "upload_package", p.Hash, p.Protocol)
			}),
		packages("remove_package", doc{Help: "Deletes a package from this machine, or ends its download.", Examples: []string{hash}},
			func(_ context.Context, w *Core, p packageParams, _ bool) (null, error) {
				return nil, w.Content.Remove("remove_package", p.Hash)
			}),
		read("is_package_manager_task_waiting", doc{Help: "Reports whether a package is being made or exchanged.", Reach: ReachChain},
			func(_ context.Context, w *Core, _ struct{}) (bool, error) { return w.Content.IsWorking(), nil }),
		read("list_content_tasks", doc{Help: "Lists what is being done with packages of content, what failed and what was lost.", Reach: ReachWallet,
			Result: "the oldest first; what is over goes with the next start, unless it failed"},
			func(_ context.Context, w *Core, _ struct{}) ([]content.Task, error) { return w.Content.Tasks(), nil }),
		write("cancel_content_task", doc{Help: "Ends something that is being done with a package of content, or forgets what failed.", Reach: ReachWallet,
			Result: "what was sent to the ledger stays sent", Examples: []string{"vmlgk3nbo7brzcuhcbj2u3y2bq"}},
			func(_ context.Context, w *Core, p taskParams) (null, error) {
				return nil, w.Content.Cancel("cancel_content_task", p.ID)
			}),
	}
}

// exampleCustody stands for the custody data of a package in examples.
const exampleCustody = `'{"n":64,"u_seed":"a4ad0331998328c2d6469568c2d73240",` +
	`"pubKey":"c8d2403cfa9750be9c0b11cacd4be4523ef9a7e4e37e7abea90b8388c90b233e01"}'`

// packages declares an operation that writes, reads or exchanges packages on this machine. do gets whether the caller may name any folder.
func packages[P, R any](name string, d doc, do func(ctx context.Context, w *Core, p P, anywhere bool) (R, error)) *Method {
	d.Unlocked, d.Reach = true, ReachWallet
	return declare(name, Writes, d, operation[P, R](func(ctx context.Context, w *Core, p Params) (R, error) {
		return do(ctx, w, *parameters[P](p), p.AnyFolder)
	}))
}

func sourceOf(contentDir, samplesDir string, anywhere bool) content.Source {
	return content.Source{Content: content.Folder{Path: contentDir, Anywhere: anywhere}, Samples: content.Folder{Path: samplesDir, Anywhere: anywhere}}
}

// submitInBackground declares the operation that makes, uploads and offers a package. It is judged and approved before anything is done, with
// the most that it can cost, and returns as soon as it is recorded.
func submitInBackground() *Method {
	const name = "submit_content_async"
	d := doc{Help: "Packs a folder, uploads it and offers it for sale, in the background.", Unlocked: true, Secret: true,
		Result: "the content's key; list_content_tasks shows how far it is", Examples: []string{
			`alice [] /srv/song "" ipfs '[{"region":"","amount":"2","asset_symbol":"DCT"}]' '["1.2.16","1.2.17"]' 2027-01-01T00:00:00 "a song"`}}
	m := declare(name, Signs|Spends, d, operation[submitInBackgroundParams, share.ContentKeys](
		func(ctx context.Context, w *Core, p Params) (none share.ContentKeys, err error) {
			plan, err := publicationPlan(ctx, w, p)
			if err != nil {
				return none, err
			}
			if err := approvePlan(ctx, w, plan, p); err != nil {
				plan.Wipe()
				return none, err
			}
			if err := w.Content.Publish(ctx, plan); err != nil {
				plan.Wipe()
				return none, err
			}
			return plan.Keys, nil
		}))
	m.Background = true
	publish := m.handle
	m.handle = func(ctx context.Context, w *Core, p Params) (json.RawMessage, error) {
		if !parameters[submitInBackgroundParams](p).DryRun {
			return publish(ctx, w, p)
		}
		plan, err := publicationPlan(ctx, w, p)
		if err != nil {
			return nil, err
		}
		defer plan.Wipe()
		tried, err := runDry(ctx, w, plan.Request, payment.Sending{Judge: judgePlan(w, plan, p)})
		if err != nil {
			return nil, err
		}
		return codec.Marshal(tried)
	}
	m.result = reflect.TypeFor[publicationAnswer]()
	return m
}

// publicationAnswer describes the result of submit_content_async: the content's key, or a dry run.
type publicationAnswer struct{}

func (publicationAnswer) schema(s *schemas) Schema {
	return Schema{AnyOf: []Schema{s.of(reflect.TypeFor[share.ContentKeys]()), s.of(reflect.TypeFor[dryRun]())}}
}

func (publicationAnswer) word() string { return wordOf(reflect.TypeFor[share.ContentKeys]()) }

// publicationPlan checks what a call of submit_content_async publishes. The caller wipes the plan.
func publicationPlan(ctx context.Context, w *Core, p Params) (*content.Plan, error) {
	own := *parameters[submitInBackgroundParams](p)
	return w.Content.Plan(ctx, content.Publication{Author: own.Author, CoAuthors: own.CoAuthors,
		Source: sourceOf(own.ContentDir, own.SamplesDir, p.AnyFolder), Protocol: own.Protocol, Prices: own.Prices, Seeders: own.Seeders,
		Expiration: own.Expiration, Synopsis: own.Synopsis, Again: own.Again})
}

func judgePlan(w *Core, plan *content.Plan, p Params) txbuild.Judge {
	return judgeApproved(w, plan.Request, parameters[submitInBackgroundParams](p).Approved, p.Judge)
}

// approvePlan has a publication judged, approved, and what it rests on accepted.
func approvePlan(ctx context.Context, w *Core, plan *content.Plan, p Params) error {
	tried, err := w.Payments.DryRun(ctx, plan.Request, payment.Sending{Judge: judgePlan(w, plan, p)})
	if err == nil && p.Approve != nil {
		err = p.Approve(ctx, tried.Review)
	}
	if err == nil {
		err = w.Build.HandOut(ctx, tried, p.Approve != nil)
	}
	return err
}

// buyAndDownload declares the operation that buys content at its price and downloads its package. The reference returns nothing of what it
// signed; so does this one once it is sent.
func buyAndDownload() *Method {
	const name = "download_content"
	m := declareSpend(name, doc{Help: "Buys content at its price and downloads it in the background.",
		Examples: []string{"alice " + exampleURI + ` "" true`}},
		func(_ context.Context, w *Core, p txbuild.BuyContentParams) (txbuild.Request, error) {
			return txbuild.NewRequest(name, p, w.Content.Buy), nil
		},
		func(all *purchaseSpending) (txbuild.BuyContentParams, sending) {
			of := all.Spend.Of
			of.approved = all.Spend.Approved
			if all.OutputDir != "" {
				of.here = []ledger.Effect{{What: "extracted to", Now: fault.Quote(all.OutputDir), Note: "once it is downloaded; the folder is kept for it until then"}}
			}
			return all.Spend.Own, of
		},
		func(ctx context.Context, w *Core, p txbuild.BuyContentParams, sent bool, spend spendNow) (any, error) {
			if !sent {
				return spend(nil)
			}
			purchase, err := w.Content.Prepare(ctx, p)
			if err != nil {
				return nil, err
			}
			_, err = spend(purchase.Commit())
			if settled := purchase.Settle(err); err == nil {
				err = settled
			}
			return nil, err
		})
	m.Result = "null once it is sent; without broadcast the signed transaction"
	buy := m.handle
	m.handle = func(ctx context.Context, w *Core, p Params) (json.RawMessage, error) {
		own := parameters[purchaseSpending](p)
		if own.OutputDir == "" {
			return buy(ctx, w, p)
		}
		folder := content.Folder{Path: own.OutputDir, Anywhere: p.AnyFolder}
		release, check, err := w.Content.KeepPlace(ctx, name, own.Spend.Own.URI, own.Spend.Own.Consumer, folder)
		if err != nil {
			return nil, err
		}
		if ask := p.Approve; ask != nil {
			p.Approve = func(ctx context.Context, r txbuild.Review) error {
				if err := ask(ctx, r); err != nil {
					return err
				}
				return check() // it may have been read for an hour
			}
		}
		out, err := buy(ctx, w, p)
		if of := own.Spend.Of; !of.Broadcast || of.Options.DryRun || of.Options.Export > 0 || err != nil && fault.NothingSpent(err) {
			release()
		}
		return out, err
	}
	return m
}

// purchaseSpending holds the parameters of download_content.
type purchaseSpending struct {
	Spend     approvedSpending[txbuild.BuyContentParams]
	OutputDir string `json:"output_dir,omitempty" byname:"only" help:"folder that it is extracted to later: nothing is paid unless that is free, writable and has room, and it is kept for this content"`
}

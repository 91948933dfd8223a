package content

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"

	"billfold/content/archive"
	"billfold/content/custody"
	"billfold/content/ipfs"
	"billfold/content/share"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/seal"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// publishOp is the operation that publishes in the background.
const publishOp = "submit_content_async"

// Publication is content to be published in the background.
type Publication struct {
	Author     string
	CoAuthors  []txbuild.AuthorShare
	Source     Source
	Protocol   string
	Prices     []txbuild.PriceText
	Seeders    []ledger.AccountID
	Expiration ledger.Time
	Synopsis   string
	Again      bool // offer once more what is on offer
}

// publication is a Publication with its secrets and with what was approved, as it is kept, encrypted.
type publication struct {
	Source  Source                `json:"source"`
	Params  txbuild.PublishParams `json:"params"`
	Key     string                `json:"key"`
	Custody []byte                `json:"custody"` // the secret of the custody data
	MostFee int64                 `json:"most_fee"`
	MostMB  uint64                `json:"most_megabytes"`
	Digest  []byte                `json:"digest"` // of the files as they were approved; versions before 1.0 kept none
}

// Plan is a publication that was checked, with the most that it can cost.
type Plan struct {
	Request txbuild.Request // with the most that seeders are paid from; its address and hash are not known yet
	Keys    share.ContentKeys

	requestKey  string
	publication publication
	state       [sha256.Size]byte // of the files
}

// Wipe overwrites the key.
func (p *Plan) Wipe() { p.Keys.Wipe() }

// unknownURI stands in what is approved for the address, which is known once the package is uploaded.
const unknownURI = ipfs.Scheme + "known-after-the-upload"

// Plan checks a publication before anything is done: whether IPFS answers, whether the folders can be packed, and who keeps the content. It
// makes the content key and its parts. Errors: fault.BadValue, fault.IPFS, fault.NoSuchSeeder, fault.Denied while the same is being published
// already, those of open.
func (e *Engine) Plan(ctx context.Context, p Publication) (*Plan, error) {
	if err := checkProtocol(publishOp, p.Protocol); err != nil {
		return nil, err
	}
	if err := e.checkNetwork(ctx, publishOp); err != nil {
		return nil, err
	}
	requestKey, err := e.publicationKey(ctx, p)
	if err != nil {
		return nil, err
	}
	s, err := e.scan(ctx, publishOp, p.Source)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := s.sum(ctx, publishOp); err != nil {
		return nil, err
	}
	most, digest, files := s.maxMegabytes(), s.digest(), s.effects()
	if err := e.checkTime(ctx, p.Expiration, most); err != nil {
		return nil, err
	}
	keys, err := e.ContentKeys(ctx, publishOp, p.Seeders)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Keys: keys, requestKey: requestKey, state: s.state(), publication: publication{Source: p.Source, MostMB: most, Digest: digest[:], Key: "0x" + string(keys.Key), Params: txbuild.PublishParams{
		SubmitContentParams: txbuild.SubmitContentParams{Author: p.Author, CoAuthors: p.CoAuthors, Prices: p.Prices, Seeders: p.Seeders,
			Quorum: keys.Quorum, Expiration: p.Expiration, FeeAsset: ledgerview.DCT().Symbol, Synopsis: p.Synopsis}, Parts: keys.Parts}}}
	if plan.publication.MostFee, err = e.seedingFee(ctx, p.Seeders, most, p.Expiration); err != nil {
		return nil, err
	}
	shown := plan.publication
	shown.Params.URI, shown.Params.Size, shown.Params.FeeAmount = unknownURI, most, dct(shown.MostFee)
	if len(p.Seeders) > 0 {
		shown.Params.Custody = &ledger.CustodyData{N: 1, PubKey: [33]byte{1}}
	}
	if len(p.Seeders) == 0 {
		files = append(files, ledger.Effect{What: "key", Now: "with you alone",
			Careful: "without seeders nobody delivers the key: buyers can read the content only if you hand it to them"})
	}
	plan.Request = shown.request().With(files...)
	return plan, nil
}

// checkTime refuses an expiration that would be less than a day away once so many megabytes are packed, proven and uploaded. Errors:
// fault.BadExpiration, the daemon's.
func (e *Engine) checkTime(ctx context.Context, until ledger.Time, megabytes uint64) error {
	now, err := e.View.Chain.HeadTime(ctx)
	if err != nil {
		return err
	}
	const day, atLeast, perMegabyte = 86400, 3600, 2
	if least := uint64(now) + day + atLeast + perMegabyte*megabytes; uint64(until) < least {
		return &fault.Error{Code: fault.BadExpiration, Op: publishOp, Message: "content has to be offered for a day from when it is submitted, and " + until.Words() + " is too soon: it is packed and uploaded first",
			Hint: "name " + ledger.Time(min(least, math.MaxUint32)).Words() + " or later; nothing was done"}
	}
	return nil
}

// publicationKey returns the request key that what p names is submitted under. It follows from the author, the source and the synopsis, and has a
// number that is the next one only once the ledger has, or never will have, what was submitted under the last: a content key, and so the package,
// is never made twice alike, and the journal would take a repetition for another payment. Errors: fault.Denied if the ledger has yet to decide,
// the daemon's, fault.File.
func (e *Engine) publicationKey(ctx context.Context, p Publication) (string, error) {
	author, err := e.View.Accounts.Named(ctx, p.Author)
	if err != nil {
		return "", err
	}
	words, err := json.Marshal([]string{author.ID.String(), p.Source.Content.Path, p.Synopsis})
	if err != nil {
		return "", err
	}
	mark := sha256.Sum256(words)
	var last payment.Info
	for n := 1; ; n++ {
		key := fmt.Sprintf("%s %x/%d", publishOp, mark[:16], n)
		made, err := e.Payments.Get(ctx, key)
		switch {
		case fault.CodeOf(err) == fault.NoSuchPayment:
			if err := e.checkNotOffered(ctx, last, p.Again); err != nil {
				return "", err
			}
			return key, e.checkUnderWay(key)
		case err != nil:
			return "", err
		case slices.Contains([]string{payment.Prepared.String(), payment.Sent.String(), payment.Unknown.String()}, made.State):
			return "", &fault.Error{Code: fault.Denied, Op: publishOp, Message: "the same was submitted before, in transaction " + made.TransactionID.String() +
				", and the ledger has yet to take it", Hint: "wait until get_payment shows it in a block; nothing was done now"}
		}
		last = made
	}
}

// checkNotOffered refuses what was submitted last, if the ledger took it and it can still be bought: a caller who lost the answer asks again. Errors:
// fault.Denied, the daemon's.
func (e *Engine) checkNotOffered(ctx context.Context, last payment.Info, again bool) error {
	if again || last.Transaction == nil || !slices.Contains([]string{payment.InBlock.String(), payment.Irreversible.String()}, last.State) {
		return nil
	}
	for _, op := range last.Transaction.Operations {
		submit, is := op.Body.(*ledger.ContentSubmitOp)
		if !is {
			continue
		}
		offer, err := e.View.Quorum.Offer(ctx, submit.URI)
		if fault.CodeOf(err) == fault.NoSuchContent {
			continue
		}
		if err != nil {
			return err
		}
		now, err := e.View.Chain.HeadTime(ctx)
		if err != nil {
			return err
		}
		if !offer.IsBlocked && offer.Expiration > now {
			return &fault.Error{Code: fault.Denied, Op: publishOp, Message: "the same is on offer already, at " + fault.Quote(offer.URI),
				Hint: "take it off sale or change what is said of it first; a program offers it once more with again=true; nothing was done"}
		}
	}
	return nil
}

// checkUnderWay refuses a publication under a request key that a task has which did not fail. Error: fault.Denied.
func (e *Engine) checkUnderWay(requestKey string) error {
	e.refresh()
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.tasks, func(t *task) bool { return t.RequestKey == requestKey && t.State != Failed && !t.gone })
	if i < 0 {
		return nil
	}
	return &fault.Error{Code: fault.Denied, Op: publishOp, Message: "the same is being published already, by task " + e.tasks[i].ID,
		Hint: "list_content_tasks shows how far it is; nothing was done now"}
}

func dct(amount int64) string { return ledger.FormatAmount(amount, ledgerview.DCT().Precision) }

// maxMegabytes returns how many megabytes the package of a source can have: the content where it cannot be compressed, its signatures, samples.
func (s scanned) maxMegabytes() uint64 {
	const header, slack = 512, 64 << 10
	size := s.content.Files.Size() + int64(len(s.content.Files)+1)*header
	size += size/1000 + slack
	size += archive.CustodySize(size)
	if s.samples != nil {
		size += s.samples.Files.Size()
	}
	return uint64(size>>20) + 1
}

// seedingFee returns what seeders ask for content of a size until a time, by the day begun, in smallest units of DCT.
func (e *Engine) seedingFee(ctx context.Context, seeders []ledger.AccountID, megabytes uint64, until ledger.Time) (int64, error) {
	now, err := e.View.Chain.HeadTime(ctx)
	if err != nil {
		return 0, err
	}
	const day = 86400
	days := (int64(until) - int64(now) + day - 1) / day
	sum := new(big.Int)
	for _, id := range seeders {
		s, err := e.View.Quorum.Seeder(ctx, id)
		if err != nil {
			return 0, err
		}
		sum.Add(sum, big.NewInt(s.Price.Amount))
	}
	sum.Mul(sum, big.NewInt(max(days, 0))).Mul(sum, new(big.Int).SetUint64(megabytes))
	if !sum.IsInt64() || sum.Sign() < 0 {
		return 0, &fault.Error{Code: fault.BadValue, Op: publishOp, Message: "these seeders ask for more than anybody has", Hint: "choose others; nothing was done"}
	}
	return sum.Int64(), nil
}

// ContentKeys makes a content key and its parts for seeders, without a node that would learn the key. Errors: fault.NoSuchSeeder,
// fault.BadValue, the daemon's. The caller wipes the key.
func (e *Engine) ContentKeys(ctx context.Context, op string, seeders []ledger.AccountID) (share.ContentKeys, error) {
	readers := make([]ledger.BigInteger, 0, len(seeders))
	for _, id := range seeders {
		s, err := e.View.Quorum.Seeder(ctx, id)
		if err != nil {
			return share.ContentKeys{}, err
		}
		readers = append(readers, s.PubKey)
	}
	keys, err := share.GenerateContentKeys(readers)
	if err != nil {
		return keys, &fault.Error{Code: fault.BadValue, Op: op, Message: "no key can be made for these seeders: " + err.Error(),
			Hint: "name at least two, or none", Err: err}
	}
	return keys, nil
}

// Publish begins a publication that was approved. Errors: fault.Locked, fault.File, fault.Denied if another one of the same began meanwhile,
// fault.StateChanged if its files are not as they were approved, those of open.
func (e *Engine) Publish(ctx context.Context, p *Plan) error {
	s, err := e.scan(ctx, publishOp, p.publication.Source)
	if err != nil {
		return err
	}
	s.close()
	if s.state() != p.state {
		return p.publication.changed()
	}
	secret, err := custody.NewSecret()
	if err != nil {
		return &fault.Error{Code: fault.Internal, Op: publishOp, Message: err.Error(), Err: err}
	}
	defer secret.Wipe()
	kept := p.publication
	kept.Custody = secret.Bytes()
	defer clear(kept.Custody)
	text, err := json.Marshal(kept)
	if err != nil {
		return &fault.Error{Code: fault.Internal, Op: publishOp, Message: err.Error(), Err: err}
	}
	defer clear(text)
	sealed, err := seal.Close(e.Vault, publishOp, string(text))
	if err != nil {
		return err
	}
	e.beginning.Lock()
	defer e.beginning.Unlock()
	if err := e.checkUnderWay(p.requestKey); err != nil {
		return err
	}
	_, err = e.add(record{Task: Task{Kind: Publishing, Step: Packing, State: Waiting, Account: kept.Params.Author,
		Title: ledger.ReadSynopsis(kept.Params.Synopsis).Title}, RequestKey: p.requestKey, Sealed: sealed})
	if err == nil {
		e.rouse()
	}
	return err
}

// checkPacked refuses files that were packed and are not those that were approved. Error: fault.StateChanged.
func (p publication) checkPacked(s scanned) error {
	if packed := s.digest(); p.Digest == nil || bytes.Equal(p.Digest, packed[:]) {
		return nil
	}
	return p.changed()
}

func (p publication) changed() error {
	return &fault.Error{Code: fault.StateChanged, Op: publishOp, Message: "the files of " + fault.Quote(p.Source.Content.Path) + ", or those of its preview, changed after they were approved",
		Hint: "look at them, and publish them again; nothing was signed"}
}

// unseal decrypts what a task keeps. Errors: fault.Locked, fault.File if no key of the wallet opens it.
func (e *Engine) unseal(t *task) (p publication, err error) {
	if err := e.Vault.CheckOpen(publishOp); err != nil {
		return p, err
	}
	text, state := seal.Open(e.Vault, t.Sealed)
	switch {
	case state == vault.MemoLocked:
		return p, fault.WalletLocked(publishOp)
	case state == vault.MemoOpen && json.Unmarshal([]byte(text), &p) == nil:
		return p, nil
	}
	return p, &fault.Error{Code: fault.File, Op: publishOp, Message: "no key of this wallet opens what was kept of the publication", Hint: "publish it again"}
}

// publish goes on with a publication from the step that it is at.
func (e *Engine) publish(ctx context.Context, t *task) error {
	p, err := e.unseal(t)
	if err != nil {
		return err
	}
	if t.Step == Packing {
		if err := e.packStep(ctx, t, p); err != nil {
			return err
		}
	}
	if t.Step == Sending {
		err := e.sendStep(ctx, t, p)
		if err != nil && e.isDamaged(*t.Hash) { // since it was made: the same is made again
			if err = e.packStep(ctx, t, p); err == nil {
				err = e.sendStep(ctx, t, p)
			}
		}
		if err != nil {
			return err
		}
	}
	p.Params.URI, p.Params.Hash, p.Params.Size, p.Params.FeeAmount = t.URI, *t.Hash, t.Size, dct(t.Fee)
	if len(p.Params.Seeders) > 0 {
		p.Params.Custody = t.Custody
	}
	defer e.settle(t)
	signed, err := e.Payments.Spend(ctx, p.request(), payment.Sending{Broadcast: true, Key: t.requestKey(), Last: e.commit(t)})
	if err != nil {
		return err
	}
	return e.change(t, func(r *record) { r.Transaction = &signed.TransactionID })
}

// packStep makes the package. An earlier try that died behind it made the same one, which is replaced.
func (e *Engine) packStep(ctx context.Context, t *task, p publication) error {
	key, err := share.ParseKey(p.Key)
	if err != nil {
		return &fault.Error{Code: fault.Internal, Op: publishOp, Message: err.Error(), Err: err}
	}
	defer key.Wipe()
	secret, err := custody.ParseSecret(p.Custody)
	if err != nil {
		return &fault.Error{Code: fault.Internal, Op: publishOp, Message: err.Error(), Err: err}
	}
	defer secret.Wipe()
	made, err := e.pack(ctx, publishOp, p.Source, key, packing{secret: secret, replace: true, check: p.checkPacked, progress: e.progress(t), proving: e.proving(t)})
	if err != nil {
		return err
	}
	if made.Megabytes > p.MostMB {
		return &fault.Error{Code: fault.BadValue, Op: publishOp, Message: fmt.Sprintf("the content grew to %d megabytes after at most %d were approved", made.Megabytes, p.MostMB),
			Hint: "publish it again; nothing was signed"}
	}
	return e.change(t, func(r *record) {
		r.Step, r.Hash, r.Custody, r.Size, r.Done, r.Total = Sending, &made.Hash, &made.Custody, made.Megabytes, 0, 0
	})
}

// sendStep uploads the package, and computes what its seeders are paid from.
func (e *Engine) sendStep(ctx context.Context, t *task, p publication) error {
	pkg, err := e.find(publishOp, *t.Hash)
	if err != nil {
		return err
	}
	uri, err := e.send(ctx, publishOp, pkg, e.progress(t))
	if err != nil {
		return err
	}
	fee, err := e.seedingFee(ctx, p.Params.Seeders, t.Size, p.Params.Expiration)
	if err != nil {
		return err
	}
	if fee > p.MostFee {
		return &fault.Error{Code: fault.BadValue, Op: publishOp, Message: "the seeders ask for " + dct(fee) + " DCT now, and at most " + dct(p.MostFee) + " DCT were approved",
			Hint: "publish it again; nothing was signed"}
	}
	return e.change(t, func(r *record) { r.Step, r.URI, r.Fee, r.Done, r.Total = Submitting, uri, fee, 0, 0 })
}

// Submit is the spend of submit_content: txbuild.SubmitContent, after a package that is here was compared with what is said of it. Errors: those
// of SubmitContent, fault.PackageState.
func (e *Engine) Submit(ctx context.Context, b *txbuild.Builder, p txbuild.SubmitContentParams) ([]ledger.Operation, error) {
	ops, err := txbuild.SubmitContent(ctx, b, p)
	if err != nil || b.Repeated() {
		return ops, err
	}
	const op = "submit_content"
	var key share.Key
	if len(p.Seeders) > 0 {
		if key, err = txbuild.ContentKey(op, p.Secret); err != nil {
			return nil, err
		}
		defer key.Wipe()
	}
	return ops, e.checkOffer(op, p.Hash, p.Size, key, p.Custody)
}

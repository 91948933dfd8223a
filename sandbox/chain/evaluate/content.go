package evaluate

import (
	"cmp"
	"encoding/json"
	"math/bits"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func contentRules() []registration {
	return []registration{
		operationRule[*ledger.ContentSubmitOp]{validate: validateSubmit, evaluate: evaluateSubmit, apply: applySubmit},
		operationRule[*ledger.ContentCancellationOp]{evaluate: evaluateCancellation, apply: applyCancellation},
	}
}

// contentOf returns the content of a URI, or the fault that there is none.
func contentOf(e *Engine, uri string) (*ledger.Content, *nodeerr.Error) {
	if content := e.Contents.Of(uri); content != nil {
		return content, nil
	}
	return nil, refuse("content != idx.end(): there is no content ${URI}", nodeerr.Data{"URI": uri})
}

// contentSchemes are the schemes of URIs of content.
var contentSchemes = []string{"ipfs", "magnet", "http", "https"}

func validateSubmit(op *ledger.ContentSubmitOp) *nodeerr.Error {
	if fault := stateless(op); fault != nil {
		return fault
	}
	scheme, _, found := strings.Cut(op.URI, ":")
	return demand("validate",
		condition{found && slices.Contains(contentSchemes, scheme), "is_valid_uri: the URI ${URI} is none of ipfs, magnet, http and https",
			nodeerr.Data{"URI": op.URI}},
		condition{op.PublishingFee.Amount >= 0, "publishing_fee.amount >= 0: ", nil},
		condition{len(op.Seeders) == len(op.KeyParts), "seeders.size() == key_parts.size(): ", nil})
}

func evaluateSubmit(e *Engine, op *ledger.ContentSubmitOp) *nodeerr.Error {
	for _, a := range op.CoAuthors {
		if e.Accounts.Get(a.Account) == nil {
			return refuse("itr != idx.end(): Account ${account} doesn't exist.", nodeerr.Data{"account": a.Account})
		}
	}
	for _, p := range op.Price {
		fault := demand("do_evaluate",
			condition{e.Assets.Get(p.Price.AssetID) != nil, "itr_asset != idx_asset.end(): Asset ${a} does not exist",
				nodeerr.Data{"a": p.Price}},
			condition{ledger.IsRegion(p.Region), "region: Invalid region code", nil},
			condition{p.Price.Amount >= 0, "price.amount >= 0: ", nil})
		if fault != nil {
			return fault
		}
	}
	days := daysUntil(e, op.Expiration)
	fault := demand("do_evaluate",
		condition{e.HeadTime() <= op.Expiration, "head_block_time() <= o.expiration: ", nil},
		condition{days != 0, "days != 0: time to expiration has to be at least one day", nil},
		condition{op.PublishingFee.AssetID == ledger.CoreAsset, "a.asset_id == b.asset_id: the publishing fee is paid in DCT", nil},
		condition{validQuorum(op), "quorum: the quorum is at least 2 and at most the number of seeders, and 0 without seeders", nil})
	if fault != nil {
		return fault
	}
	if content := e.Contents.Of(op.URI); content != nil {
		return evaluateResubmit(content, op)
	}
	return evaluateSeeders(e, op, days)
}

func validQuorum(op *ledger.ContentSubmitOp) bool {
	if len(op.Seeders) == 0 {
		return op.Quorum == 0
	}
	return op.Quorum >= 2 && uint64(op.Quorum) <= uint64(len(op.Seeders))
}

// daysUntil returns how many whole days are left.
func daysUntil(e *Engine, until ledger.Time) uint64 {
	return uint64(max(0, int64(until)-int64(e.HeadTime()))) / daySeconds
}

// evaluateSeeders checks that the seeders exist, have space, and are paid until the content expires.
func evaluateSeeders(e *Engine, op *ledger.ContentSubmitOp, days uint64) *nodeerr.Error {
	var perDay uint64 // a price has 32 bits, a size 14
	for _, account := range op.Seeders {
		seeder := e.Seeders.Of(account)
		if seeder == nil {
			return refuse("itr != idx.end(): seeder does not exist", nil)
		}
		if seeder.FreeSpace <= op.Size {
			return refuse("itr->free_space > o.size: the seeder ${s} has no space left", nodeerr.Data{"s": account})
		}
		perDay += uint64(seeder.Price.Amount) * op.Size
	}
	high, low := bits.Mul64(days, perDay)
	return demand("do_evaluate", condition{high == 0 && low <= uint64(op.PublishingFee.Amount),
		"days * total_price_per_day <= o.publishing_fee: ", nodeerr.Data{"publishing_fee": op.PublishingFee}})
}

// evaluateResubmit checks a second submission of a URI, which may change price, synopsis and co-authors, and the expiration if there is no
// custody data.
func evaluateResubmit(was *ledger.Content, op *ledger.ContentSubmitOp) *nodeerr.Error {
	sameCustody := (was.CustodyData == nil) == (op.CustodyData == nil) && (op.CustodyData == nil || *op.CustodyData == *was.CustodyData)
	sameSeeders := len(was.KeyParts) == len(op.Seeders)
	for _, part := range was.KeyParts {
		sameSeeders = sameSeeders && slices.Contains(op.Seeders, part.Seeder)
	}
	return demand("do_evaluate",
		condition{was.Author == op.Author, "content_itr->author == o.author: ", nil},
		condition{was.Size == op.Size, "content_itr->size == o.size: ", nil},
		condition{was.Hash == op.Hash, "content_itr->_hash == o.hash: ", nil},
		condition{was.CustodyData == nil || was.Expiration == op.Expiration, "content_itr->expiration == o.expiration: ", nil},
		condition{was.Quorum == op.Quorum, "content_itr->quorum == o.quorum: ", nil},
		condition{sameSeeders, "content_itr->key_parts.size() == o.seeders.size(): ", nil},
		condition{sameCustody, "*(content_itr->cd) == *(o.cd): ", nil})
}

func applySubmit(e *Engine, op *ledger.ContentSubmitOp) (ledger.OperationResult, *nodeerr.Error) {
	if fault := adjust(e.State, op.Author, ledger.CoreAsset, -op.PublishingFee.Amount); fault != nil {
		return voidResult(), fault
	}
	if was := e.Contents.Of(op.URI); was != nil {
		e.Contents.Change(was.ID, func(c *ledger.Content) {
			c.Price, c.Synopsis, c.CoAuthors, c.Expiration = pricesOf(op), op.Synopsis, op.CoAuthors, op.Expiration
			c.PublishingFeeEscrow.Amount += op.PublishingFee.Amount
		})
		return voidResult(), nil
	}
	id := e.Contents.Add(newContent(e, op))
	for _, part := range e.Contents.Get(id).KeyParts {
		e.Seeders.ChangeOf(part.Seeder, func(s *ledger.Seeder) { s.FreeSpace -= op.Size })
	}
	e.Details.Add(e.HeadTime(), state.TransactionDetail{
		From: op.Author, To: ledger.MinerAccount, Kind: state.DetailContentSubmit, Amount: op.PublishingFee, Fee: op.Fee,
		Description: ReadSynopsis(op.Synopsis).Title,
	})
	return objectResult(id.Object()), nil
}

// newContent returns the content of a first submission. What concerns seeders is in the order of their accounts.
func newContent(e *Engine, op *ledger.ContentSubmitOp) ledger.Content {
	c := ledger.Content{
		Author: op.Author, CoAuthors: op.CoAuthors, Expiration: op.Expiration, Created: e.HeadTime(), Price: pricesOf(op), Size: op.Size,
		Synopsis: op.Synopsis, URI: op.URI, Quorum: op.Quorum, Hash: op.Hash, PublishingFeeEscrow: op.PublishingFee, CustodyData: op.CustodyData,
	}
	for i, account := range op.Seeders {
		if !slices.Contains(op.Seeders[:i], account) {
			c.KeyParts = append(c.KeyParts, ledger.SeederKey{Seeder: account, Part: op.KeyParts[i]})
			c.SeederPrice = append(c.SeederPrice, ledger.SeederStat{Account: account, Amount: uint64(e.Seeders.Of(account).Price.Amount)})
		}
	}
	slices.SortFunc(c.KeyParts, func(a, b ledger.SeederKey) int { return cmp.Compare(a.Seeder, b.Seeder) })
	slices.SortFunc(c.SeederPrice, func(a, b ledger.SeederStat) int { return cmp.Compare(a.Account, b.Account) })
	return c
}

// pricesOf returns the prices by region. One without region is the only one.
func pricesOf(op *ledger.ContentSubmitOp) (out ledger.RegionalPrices) {
	byRegion := map[uint32]ledger.AssetAmount{}
	for _, p := range op.Price {
		byRegion[p.Region] = p.Price
	}
	if price, simple := byRegion[ledger.RegionNone]; simple {
		byRegion = map[uint32]ledger.AssetAmount{ledger.RegionNone: price}
	}
	for region, price := range byRegion {
		out.Prices = append(out.Prices, ledger.PriceInRegion{Region: region, Price: price})
	}
	slices.SortFunc(out.Prices, func(a, b ledger.PriceInRegion) int { return cmp.Compare(a.Region, b.Region) })
	return out
}

func evaluateCancellation(e *Engine, op *ledger.ContentCancellationOp) *nodeerr.Error {
	content, fault := contentOf(e, op.URI)
	if fault != nil {
		return fault
	}
	return demand("do_evaluate",
		condition{op.Author == content.Author, "o.author == content_itr->author: ", nil},
		condition{content.Expiration > e.HeadTime(), "content_itr->expiration > head_block_time(): ", nil},
		condition{!content.IsBlocked, "!content_itr->is_blocked: ", nil})
}

// applyCancellation leaves content one day, in which what was bought is still delivered.
func applyCancellation(e *Engine, op *ledger.ContentCancellationOp) (ledger.OperationResult, *nodeerr.Error) {
	e.Contents.Change(e.Contents.Of(op.URI).ID, func(c *ledger.Content) {
		c.IsBlocked, c.Expiration = true, min(c.Expiration, e.HeadTime()+daySeconds)
	})
	return voidResult(), nil
}

// payAuthors pays an amount to the author and co-authors of content by their shares, and returns what the author gets: his own share, and what
// rounding leaves.
func payAuthors(e *Engine, content *ledger.Content, amount ledger.AssetAmount) (ledger.AssetAmount, *nodeerr.Error) {
	rest := amount
	for _, a := range content.CoAuthors {
		if a.Account == content.Author {
			continue
		}
		high, low := bits.Mul64(uint64(amount.Amount), uint64(a.Split))
		share, _ := bits.Div64(high, low, fullSplit)
		rest.Amount -= int64(share)
		if fault := adjust(e.State, a.Account, amount.AssetID, int64(share)); fault != nil {
			return rest, fault
		}
	}
	return rest, adjust(e.State, content.Author, rest.AssetID, rest.Amount)
}

// fullSplit is the price in the unit of the co-authors' shares.
const fullSplit = 10000

// ExpireContents returns what is left in the escrow of expired content to its author. It is due at the maintenance.
func ExpireContents(e *Engine) {
	for id, c := range e.Contents.All() {
		if c.Expiration > e.HeadTime() || c.PublishingFeeEscrow.Amount == 0 {
			continue
		}
		if adjust(e.State, c.Author, c.PublishingFeeEscrow.AssetID, c.PublishingFeeEscrow.Amount) == nil {
			e.Contents.Change(id, func(row *ledger.Content) { row.PublishingFeeEscrow.Amount = 0 })
			e.addVirtual(&ledger.ReturnEscrowSubmissionOp{Author: c.Author, Escrow: c.PublishingFeeEscrow, Content: id})
		}
	}
}

// Synopsis is an author's description of content, as far as it is looked at.
type Synopsis struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Type        string `json:"content_type_id"`
}

// ReadSynopsis returns what a text says about content. A text that is no synopsis says nothing.
func ReadSynopsis(text string) (s Synopsis) {
	if json.Unmarshal([]byte(text), &s) != nil {
		return Synopsis{}
	}
	return s
}

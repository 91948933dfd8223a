package evaluate

import (
	"fmt"
	"slices"

	"billfold/content/share"
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func purchaseRules() []registration {
	return []registration{
		operationRule[*ledger.RequestToBuyOp]{validate: validateBuy, evaluate: evaluateBuy, apply: applyBuy},
		operationRule[*ledger.DeliverKeysOp]{evaluate: evaluateDelivery, apply: applyDelivery},
		operationRule[*ledger.LeaveRatingAndCommentOp]{
			validate: stateless[*ledger.LeaveRatingAndCommentOp], evaluate: evaluateRating, apply: applyRating,
		},
	}
}

func validateBuy(op *ledger.RequestToBuyOp) *nodeerr.Error {
	return demand("validate", condition{op.Price.Amount >= 0, "price.amount >= 0: ", nil})
}

func evaluateBuy(e *Engine, op *ledger.RequestToBuyOp) *nodeerr.Error {
	content, fault := contentOf(e, op.URI)
	if fault != nil {
		return fault
	}
	price, sold := content.Price.In(op.RegionCodeFrom)
	before := e.Purchases.Between(op.Consumer, op.URI)
	fault = demand("do_evaluate",
		condition{op.Price.Amount <= e.Balances.Of(op.Consumer, op.Price.AssetID),
			"o.price <= get_balance( o.consumer, o.price.asset_id ): ", nil},
		condition{content.Expiration > e.HeadTime(), "content->expiration > head_block_time(): ", nil},
		condition{sold, "price.valid(): content is not available for this region", nil},
		condition{!content.IsBlocked, "!content->is_blocked: content has been canceled", nil},
		condition{before == nil || before.Expired, "insert: the consumer has bought this content already", nil})
	if fault != nil {
		return fault
	}
	_, fault = evaluatePayment(e, op, content.Author, price)
	return fault
}

// evaluatePayment checks that the price offered is enough, and returns what the authors are paid: nothing by subscribers.
func evaluatePayment(e *Engine, op *ledger.RequestToBuyOp, author ledger.AccountID, price ledger.AssetAmount) (ledger.AssetAmount,
	*nodeerr.Error,
) {
	paid, fault := exchangeFor(e, op.Price, price.AssetID)
	if fault != nil || subscribes(e, op.Consumer, author) {
		paid.Amount = 0
		return paid, fault
	}
	offered, fault := InCore(e.State, op.Price)
	if fault != nil {
		return paid, fault
	}
	wanted, fault := InCore(e.State, price)
	if fault != nil {
		return paid, fault
	}
	return paid, demand("do_evaluate", condition{offered.Amount >= wanted.Amount, "is_price_sufficient( o.price, *price ): ",
		nodeerr.Data{"o.price": op.Price, "price": price}})
}

func subscribes(e *Engine, consumer, author ledger.AccountID) bool {
	sub := e.Subscriptions.Between(consumer, author)
	return sub != nil && sub.Expiration > e.HeadTime()
}

// exchangeFor returns what a payment for a price in an asset is worth to the authors: the same for the same asset, and DCT for a monitored one;
// otherwise what the pools of the exchangeable asset make of it.
func exchangeFor(e *Engine, payment ledger.AssetAmount, priced ledger.AssetID) (ledger.AssetAmount, *nodeerr.Error) {
	asset := e.Assets.Get(payment.AssetID)
	if asset == nil {
		return payment, nodeerr.NotFound(payment.AssetID.Object())
	}
	if payment.AssetID == priced || payment.AssetID == ledger.CoreAsset && e.Assets.Get(priced).MonitoredAssetOpts != nil {
		return payment, nil
	}
	if payment.AssetID == ledger.CoreAsset {
		asset = e.Assets.Get(priced)
	} else if priced != ledger.CoreAsset && e.Assets.Get(priced).MonitoredAssetOpts == nil {
		asset = nil
	}
	if asset == nil || asset.MonitoredAssetOpts != nil || !asset.Options.IsExchangeable {
		return payment, refuse("are_assets_exchangeable: price for the content and price of the content are not exchangeable", nil)
	}
	worth, err := asset.Options.CoreExchangeRate.Convert(payment)
	if err != nil {
		return payment, refuse("rate: ${why}", nodeerr.Data{"why": err.Error()})
	}
	have := e.Assets.Data(asset.ID).CorePool
	if payment.AssetID == ledger.CoreAsset {
		have = e.Assets.Data(asset.ID).AssetPool
	}
	return worth, demand("do_evaluate", condition{worth.Amount <= have, "pool: Asset ${uia} does not have enough balance in its pool",
		nodeerr.Data{"uia": asset.Symbol}})
}

// applyBuy holds the price in the purchase until the keys are there. Content without seeders is delivered at once.
func applyBuy(e *Engine, op *ledger.RequestToBuyOp) (ledger.OperationResult, *nodeerr.Error) {
	content := e.Contents.Of(op.URI)
	price, _ := content.Price.In(op.RegionCodeFrom)
	after, fault := evaluatePayment(e, op, content.Author, price)
	if fault != nil {
		return voidResult(), fault
	}
	before := op.Price
	if subscribes(e, op.Consumer, content.Author) {
		before.Amount = 0
	}
	if fault := takePayment(e, op.Consumer, before, after); fault != nil {
		return voidResult(), fault
	}
	id := e.Purchases.Add(ledger.Buying{
		Consumer: op.Consumer, URI: op.URI, Synopsis: content.Synopsis, Price: after, PaidBeforeExchange: before, PaidAfterExchange: after,
		Size: content.Size, ExpirationTime: e.HeadTime() + daySeconds, PubKey: op.PubKey, Created: content.Created,
		RegionCodeFrom: op.RegionCodeFrom,
	})
	for _, part := range content.KeyParts {
		e.Seeders.ChangeActivity(part.Seeder, func(a *state.SeederActivity) { a.MissedDeliveredKeys++ })
	}
	e.Details.Add(e.HeadTime(), state.TransactionDetail{
		From: content.Author, To: op.Consumer, Kind: state.DetailContentBuy, Amount: before, Fee: op.Fee,
		Description: ReadSynopsis(content.Synopsis).Title,
	})
	if len(content.KeyParts) == 0 {
		fault = finish(e, id, content)
	}
	return objectResult(id.Object()), fault
}

// takePayment takes a payment from a consumer, and exchanges it through the pools of its asset or of that of the price.
func takePayment(e *Engine, consumer ledger.AccountID, before, after ledger.AssetAmount) *nodeerr.Error {
	switch {
	case before.AssetID == after.AssetID:
	case before.AssetID == ledger.CoreAsset:
		e.Assets.ChangeData(after.AssetID, func(d *state.AssetData) {
			d.CorePool += before.Amount
			d.AssetPool -= after.Amount
		})
	default:
		e.Assets.ChangeData(before.AssetID, func(d *state.AssetData) {
			d.AssetPool += before.Amount
			d.CorePool -= after.Amount
		})
	}
	return adjust(e.State, consumer, before.AssetID, -before.Amount)
}

// finish delivers a purchase and pays the authors.
func finish(e *Engine, id ledger.BuyingID, content *ledger.Content) *nodeerr.Error {
	purchase := e.Purchases.Get(id)
	e.Contents.Change(content.ID, func(c *ledger.Content) { c.TimesBought++ })
	payout, fault := payAuthors(e, content, purchase.Price)
	if fault != nil {
		return fault
	}
	e.Purchases.Close(id, func(p *ledger.Buying) {
		p.Price.Amount, p.Delivered, p.ExpirationOrDelivery = 0, true, e.HeadTime()
	})
	e.addVirtual(&ledger.FinishBuyingOp{
		Payout: payout, Author: content.Author, CoAuthors: content.CoAuthors, Buying: id, Consumer: purchase.Consumer,
	})
	return nil
}

func evaluateDelivery(e *Engine, op *ledger.DeliverKeysOp) *nodeerr.Error {
	purchase, seeder := e.Purchases.Get(op.Buying), e.Seeders.Of(op.Seeder)
	if purchase == nil {
		return nodeerr.NotFound(op.Buying.Object())
	}
	content, fault := contentOf(e, purchase.URI)
	if fault != nil {
		return fault
	}
	at := slices.IndexFunc(content.KeyParts, func(p ledger.SeederKey) bool { return p.Seeder == op.Seeder })
	if at < 0 || seeder == nil {
		return refuse("key_parts.at( o.seeder ): ${s} is no seeder of this content", nodeerr.Data{"s": op.Seeder})
	}
	return demand("do_evaluate", condition{
		share.VerifyDelivery(content.KeyParts[at].Part, op.Key, seeder.PubKey, purchase.PubKey, op.Proof) == nil,
		"verify_delivery_proof( proof, firstK, secondK, seeder_pubKey, buyer_pubKey ): ", nil,
	})
}

// applyDelivery notes a key part, once for each seeder, also after the delivery. At the quorum the purchase is delivered.
func applyDelivery(e *Engine, op *ledger.DeliverKeysOp) (ledger.OperationResult, *nodeerr.Error) {
	purchase := e.Purchases.Get(op.Buying)
	content := e.Contents.Of(purchase.URI)
	if !slices.Contains(purchase.SeedersAnswered, op.Seeder) {
		e.Purchases.Change(op.Buying, func(p *ledger.Buying) {
			p.SeedersAnswered = append(slices.Clone(p.SeedersAnswered), op.Seeder)
			p.KeyParticles = append(slices.Clone(p.KeyParticles), op.Key)
		})
		e.Seeders.ChangeActivity(op.Seeder, func(a *state.SeederActivity) {
			a.MissedDeliveredKeys--
			a.TotalDeliveredKeys++
		})
		purchase = e.Purchases.Get(op.Buying)
	}
	switch {
	case purchase.Delivered || purchase.Expired:
		return voidResult(), nil
	case uint64(len(purchase.SeedersAnswered)) >= uint64(content.Quorum):
		return voidResult(), finish(e, op.Buying, content)
	case purchase.ExpirationTime < e.HeadTime():
		return voidResult(), expire(e, purchase)
	}
	return voidResult(), nil
}

// expire returns what was held for a purchase to its consumer.
func expire(e *Engine, purchase *ledger.Buying) *nodeerr.Error {
	if fault := adjust(e.State, purchase.Consumer, purchase.Price.AssetID, purchase.Price.Amount); fault != nil {
		return fault
	}
	e.Purchases.Close(purchase.ID, func(p *ledger.Buying) {
		p.Price.Amount, p.Expired, p.ExpirationOrDelivery = 0, true, e.HeadTime()
	})
	e.addVirtual(&ledger.ReturnEscrowBuyingOp{Consumer: purchase.Consumer, Escrow: purchase.Price, Buying: purchase.ID})
	return nil
}

// ExpirePurchases ends the purchases whose keys did not come in time. It is due at the maintenance.
func ExpirePurchases(e *Engine) {
	for _, p := range e.Purchases.Open() {
		if p.ExpirationTime <= e.HeadTime() {
			_ = expire(e, p) // money that was taken from an account fits into it again
		}
	}
}

func evaluateRating(e *Engine, op *ledger.LeaveRatingAndCommentOp) *nodeerr.Error {
	if _, fault := contentOf(e, op.URI); fault != nil {
		return fault
	}
	purchase := e.Purchases.Between(op.Consumer, op.URI)
	if purchase == nil {
		return refuse("bo != bidx.end(): the consumer has not bought ${URI}", nodeerr.Data{"URI": op.URI})
	}
	return demand("do_evaluate",
		condition{purchase.Delivered, "bo->delivered: not delivered", nil},
		condition{!purchase.IsRatedOrCommented, "!bo->rated_or_commented: already rated or commented", nil})
}

func applyRating(e *Engine, op *ledger.LeaveRatingAndCommentOp) (ledger.OperationResult, *nodeerr.Error) {
	content := e.Contents.Of(op.URI)
	e.Purchases.Change(e.Purchases.Between(op.Consumer, op.URI).ID, func(p *ledger.Buying) {
		p.Rating, p.Comment, p.IsRatedOrCommented = op.Rating, op.Comment, true
	})
	e.Contents.Change(content.ID, func(c *ledger.Content) {
		sum := uint64(c.AverageRating)*uint64(c.NumOfRatings) + op.Rating*1000
		c.NumOfRatings++
		c.AverageRating = uint32(sum / uint64(c.NumOfRatings)) // at most 5000
	})
	e.Details.Add(e.HeadTime(), state.TransactionDetail{
		From: op.Consumer, To: content.Author, Kind: state.DetailContentRate, Fee: op.Fee,
		Description: fmt.Sprintf("%d (%s)", op.Rating, ReadSynopsis(content.Synopsis).Title),
	})
	return voidResult(), nil
}

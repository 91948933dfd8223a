package evaluate

import (
	"slices"

	"billfold/content/custody"
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// proofAge is the maximum age, in blocks, of the reference block of a proof of custody.
const proofAge = 6

func seederRules() []registration {
	return []registration{
		announcementOf(func(op *ledger.ReadyToPublishObsoleteOp) ledger.ReadyToPublishOp {
			return ledger.ReadyToPublishOp{Seeder: op.Seeder, Space: op.Space, PubKey: op.PubKey, PricePerMByte: op.PricePerMByte, IPFSID: op.IPFSID}
		}),
		announcementOf(func(op *ledger.ReadyToPublishOp) ledger.ReadyToPublishOp { return *op }),
		operationRule[*ledger.ProofOfCustodyOp]{evaluate: evaluateCustody, apply: applyCustody},
		operationRule[*ledger.ReportStatsOp]{evaluate: evaluateReport, apply: applyReport},
	}
}

// announcementOf is the rule of the two forms in which seeders announce themselves.
func announcementOf[T ledger.Body](read func(T) ledger.ReadyToPublishOp) registration {
	return operationRule[T]{
		evaluate: func(e *Engine, op T) *nodeerr.Error { return nil },
		apply: func(e *Engine, op T) (ledger.OperationResult, *nodeerr.Error) {
			return announce(e, read(op)), nil
		},
	}
}

// announce creates or renews a seeder, for a day.
func announce(e *Engine, op ledger.ReadyToPublishOp) ledger.OperationResult {
	offer := func(s *ledger.Seeder) {
		s.FreeSpace, s.Price.Amount, s.PubKey, s.IPFSID = op.Space, int64(op.PricePerMByte), op.PubKey, op.IPFSID
		s.Expiration = e.HeadTime() + daySeconds
		if op.RegionCode != nil {
			s.RegionCode = *op.RegionCode
		}
	}
	if e.Seeders.Of(op.Seeder) != nil {
		e.Seeders.ChangeOf(op.Seeder, offer)
		return voidResult()
	}
	s := ledger.Seeder{Seeder: op.Seeder}
	offer(&s)
	return objectResult(e.Seeders.Add(s))
}

func evaluateCustody(e *Engine, op *ledger.ProofOfCustodyOp) *nodeerr.Error {
	content, fault := contentOf(e, op.URI)
	if fault != nil {
		return fault
	}
	fault = demand("do_evaluate",
		condition{content.Expiration > e.HeadTime(), "content->expiration > head_block_time(): content expired", nil},
		condition{e.Seeders.Of(op.Seeder) != nil, "sitr != sidx.end(): seeder not found", nil},
		condition{priceOf(content, op.Seeder) >= 0, "itr != content->seeder_price.end(): ${s} is no seeder of this content",
			nodeerr.Data{"s": op.Seeder}},
		condition{(content.CustodyData != nil) == (op.Proof != nil), "content->cd.valid() == o.proof.valid(): ", nil})
	if fault != nil || op.Proof == nil {
		return fault
	}
	block := e.Blocks.Get(op.Proof.ReferenceBlock)
	return demand("do_evaluate",
		condition{block != nil && ledger.Hash160(block.BlockID) == op.Proof.Seed,
			"bid._hash[i] == proof.seed.data[i]: Block ID does not match; wrong chain?", nil},
		condition{uint64(e.Dynamic().HeadBlockNumber) <= uint64(op.Proof.ReferenceBlock)+proofAge,
			"head_block_num() <= proof.reference_block + 6: Block reference is too old", nil},
		condition{custody.VerifyProof(*content.CustodyData, *op.Proof) == nil, "verify_by_miner: Invalid proof of custody", nil})
}

// priceOf returns what a seeder of content gets for a megabyte and day, as agreed at its submission, or -1.
func priceOf(content *ledger.Content, seeder ledger.AccountID) int64 {
	for _, p := range content.SeederPrice {
		if p.Account == seeder {
			return int64(p.Amount)
		}
	}
	return -1
}

// applyCustody notes the time of a proof, and pays for the time since the one before. The first proof is not paid.
func applyCustody(e *Engine, op *ledger.ProofOfCustodyOp) (ledger.OperationResult, *nodeerr.Error) {
	content, now := e.Contents.Of(op.URI), e.HeadTime()
	at, found := slices.BinarySearchFunc(content.LastProof, op.Seeder, func(p ledger.SeederProof, id ledger.AccountID) int {
		return int(int64(p.Seeder) - int64(id))
	})
	proofs := slices.Clone(content.LastProof)
	if !found {
		proofs = slices.Insert(proofs, at, ledger.SeederProof{Seeder: op.Seeder, Time: now})
		e.Contents.Change(content.ID, func(c *ledger.Content) { c.LastProof = proofs })
		e.Seeders.ChangeActivity(op.Seeder, func(a *state.SeederActivity) { a.NumOfContentSeeded++ })
		return voidResult(), nil
	}
	reward := rewardFor(now-proofs[at].Time, priceOf(content, op.Seeder)*int64(content.Size))
	reward = min(reward, content.PublishingFeeEscrow.Amount)
	proofs[at].Time = now
	e.Contents.Change(content.ID, func(c *ledger.Content) {
		c.LastProof = proofs
		c.PublishingFeeEscrow.Amount -= reward
	})
	e.Seeders.ChangeActivity(op.Seeder, func(a *state.SeederActivity) { a.NumOfPors++ })
	payout := ledger.AssetAmount{Amount: reward, AssetID: content.PublishingFeeEscrow.AssetID}
	e.addVirtual(&ledger.PaySeederOp{Payout: payout, Author: content.Author, Seeder: op.Seeder})
	return voidResult(), adjust(e.State, op.Seeder, payout.AssetID, payout.Amount)
}

// rewardFor returns what a proof earns for the seconds since the one before, at most a day of them, at a price for a day. Whoever proves before
// the day is over loses a quarter of what is left of it.
func rewardFor(since ledger.Time, perDay int64) int64 {
	const whole = 10000
	ratio := whole * int64(min(since, daySeconds)) / daySeconds
	loss := (whole - ratio) / 4
	return perDay * (ratio * (whole - loss) / whole) / whole
}

func evaluateReport(e *Engine, op *ledger.ReportStatsOp) *nodeerr.Error {
	for _, item := range op.Stats {
		if e.Seeders.Of(item.Account) == nil {
			return refuse("so != idx.end(): ${s} is no seeder", nodeerr.Data{"s": item.Account})
		}
	}
	return nil
}

func applyReport(e *Engine, op *ledger.ReportStatsOp) (ledger.OperationResult, *nodeerr.Error) {
	for _, item := range op.Stats {
		e.Seeders.ChangeActivity(item.Account, func(a *state.SeederActivity) { a.TotalUpload += item.Amount })
	}
	return voidResult(), nil
}

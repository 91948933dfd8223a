package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// fee is the fee of an operation.
type fee struct {
	payer  ledger.AccountID
	amount ledger.AssetAmount
	core   int64 // its worth in smallest units of DCT
	kept   int64 // the part of core that the operation itself uses
}

// payerOf returns who pays the fee: for a monitored asset 1.2.0, not the issuer.
func payerOf(op ledger.Operation) ledger.AccountID {
	if create, ok := op.Body.(*ledger.AssetCreateOp); ok && create.MonitoredAssetOpts != nil {
		return ledger.MinerAccount
	}
	return op.Body.FeePayer()
}

// prepareFee returns the offered fee with its worth, or a fault if it is not enough.
func prepareFee(s *state.State, op ledger.Operation) (fee, *nodeerr.Error) {
	f := fee{payer: payerOf(op), amount: *op.Fee()}
	asset := s.Assets.Get(f.amount.AssetID)
	if asset == nil {
		return f, nodeerr.NotFound(f.amount.AssetID.Object())
	}
	core, fault := worthInCore(s, asset, f.amount)
	if fault != nil {
		return f, fault
	}
	f.core = core
	need, err := s.Parameters().CurrentFees.Required(op)
	if err != nil {
		return f, nodeerr.Assert("calculate_fee", "fee: ${why}", nodeerr.Data{"why": err.Error()})
	}
	if f.core < need {
		return f, nodeerr.New(nodeerr.CodeInsufficientFee, "evaluate", "core_fee_paid >= required.amount: Insufficient Fee Paid",
			nodeerr.Data{
				"core_fee_paid": f.core, "required": ledger.AssetAmount{Amount: need},
			})
	}
	return f, nil
}

// worthInCore converts a fee to DCT. A fee in another asset is limited by the DCT
// in that asset's core pool.
func worthInCore(s *state.State, asset *ledger.Asset, amount ledger.AssetAmount) (int64, *nodeerr.Error) {
	if asset.ID == ledger.CoreAsset {
		return amount.Amount, nil
	}
	if !asset.Options.IsExchangeable {
		return 0, nodeerr.Assert("prepare_fee", "fee_asset->options.is_exchangeable: It's not allowed to convert ${a} to another asset",
			nodeerr.Data{"a": asset.Symbol})
	}
	core, err := asset.Options.CoreExchangeRate.Convert(amount)
	pool := s.Assets.Data(asset.ID).CorePool
	if err != nil || core.AssetID != ledger.CoreAsset || core.Amount > pool {
		return 0, nodeerr.Assert("prepare_fee",
			"core_fee_paid <= core_pool: Fee pool balance of '${b}' is less than what is required to convert ${c}",
			nodeerr.Data{
				"b": amountText(s, ledger.AssetAmount{Amount: pool}), "c": amountText(s, amount),
			})
	}
	return core.Amount, nil
}

// InCore returns what the amount is worth in DCT, rounded down: at the asset's
// exchange rate, or at the current feed of a monitored asset.
func InCore(s *state.State, amount ledger.AssetAmount) (ledger.AssetAmount, *nodeerr.Error) {
	asset := s.Assets.Get(amount.AssetID)
	if asset == nil {
		return amount, nodeerr.NotFound(amount.AssetID.Object())
	}
	if asset.ID == ledger.CoreAsset {
		return amount, nil
	}
	rate := asset.Options.CoreExchangeRate
	if m := asset.MonitoredAssetOpts; m != nil {
		if rate = m.CurrentFeed.CoreExchangeRate; rate.Valid() != nil {
			return amount, nodeerr.Assert("price_to_dct", "!exchange_rate.is_null(): unable to determine DCT price without price feeds",
				nil)
		}
	}
	core, err := rate.Convert(amount)
	if err != nil {
		return amount, nodeerr.Assert("price_to_dct", "rate: ${symbol} has no exchange rate that gives an amount",
			nodeerr.Data{"symbol": asset.Symbol})
	}
	return core, nil
}

// collectFee moves the worth of a fee before the operation is applied: what is not
// kept goes to 2.3.0. A fee in another asset goes to that asset's pool, and its
// worth in DCT comes out of its core pool.
func collectFee(s *state.State, f fee) {
	if f.amount.AssetID != ledger.CoreAsset {
		s.Assets.ChangeData(f.amount.AssetID, func(d *state.AssetData) {
			d.AssetPool += f.amount.Amount
			d.CorePool -= f.core
		})
	}
	s.Assets.ChangeData(ledger.CoreAsset, func(d *state.AssetData) { d.AssetPool += f.core - f.kept })
}

// RequiredFee returns the least fee of op, paid in the asset.
func RequiredFee(s *state.State, op ledger.Operation, asset *ledger.Asset) (ledger.AssetAmount, error) {
	core, err := s.Parameters().CurrentFees.Required(op)
	amount := ledger.AssetAmount{Amount: core, AssetID: ledger.CoreAsset}
	if err != nil || asset.ID == ledger.CoreAsset {
		return amount, err
	}
	return asset.Options.CoreExchangeRate.FeeIn(amount)
}

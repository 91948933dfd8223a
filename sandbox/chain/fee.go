package chain

import (
	"math/big"

	"billfold/ledger"
)

// fee is what an operation pays: an amount of an asset from the payer, worth
// core units of DCT.
type fee struct {
	payer  ledger.AccountID
	amount ledger.AssetAmount
	core   int64
}

// prepareFee works out what the offered fee is worth and whether it is enough.
func (s *State) prepareFee(op ledger.Operation) (fee, *Fault) {
	f := fee{payer: op.Body.FeePayer(), amount: *op.Fee()}
	asset := s.Asset(f.amount.AssetID)
	if asset == nil {
		return f, notFound(f.amount.AssetID.Object())
	}
	core, fault := s.worthInCore(asset, f.amount)
	if fault != nil {
		return f, fault
	}
	f.core = core
	need, err := s.global.Parameters.CurrentFees.Required(op)
	if err != nil {
		return f, assert("calculate_fee", "fee: ${why}", Data{"why": err.Error()})
	}
	if f.core < need {
		return f, NewFault(CodeInsufficientFee, "evaluate", "core_fee_paid >= required.amount: Insufficient Fee Paid", Data{
			"core_fee_paid": f.core, "required": ledger.AssetAmount{Amount: need},
		})
	}
	return f, nil
}

// worthInCore converts a fee to DCT. Paying in another asset works only as far
// as its core pool holds DCT to exchange.
func (s *State) worthInCore(asset *ledger.Asset, amount ledger.AssetAmount) (int64, *Fault) {
	if asset.ID == ledger.CoreAsset {
		return amount.Amount, nil
	}
	core, ok := convert(amount, asset.Options.CoreExchangeRate)
	pool := s.AssetData(asset.DynamicAssetDataID).CorePool
	if !asset.Options.IsExchangeable || !ok || core > pool {
		return 0, assert("prepare_fee", "core_fee_paid <= core_pool: fee pool balance of ${pool} does not pay the fee offered in ${symbol}", Data{
			"pool": s.pretty(ledger.AssetAmount{Amount: pool}), "symbol": asset.Symbol,
		})
	}
	return core, nil
}

// convert exchanges an amount at a rate, rounded down. It fails when the rate
// is not one of the asset or the outcome does not fit.
func convert(a ledger.AssetAmount, rate ledger.Price) (int64, bool) {
	from, to := rate.Base, rate.Quote
	if from.AssetID != a.AssetID {
		from, to = to, from
	}
	if from.AssetID != a.AssetID || from.Amount <= 0 || to.Amount <= 0 {
		return 0, false
	}
	n := new(big.Int).Mul(big.NewInt(a.Amount), big.NewInt(to.Amount))
	n.Quo(n, big.NewInt(from.Amount))
	return n.Int64(), n.IsInt64()
}

// InCore gives what the amount is worth in DCT at its asset's exchange rate,
// rounded down.
func (s *State) InCore(amount ledger.AssetAmount) (ledger.AssetAmount, *Fault) {
	asset := s.Asset(amount.AssetID)
	if asset == nil {
		return amount, notFound(amount.AssetID.Object())
	}
	if asset.ID == ledger.CoreAsset {
		return amount, nil
	}
	core, ok := convert(amount, asset.Options.CoreExchangeRate)
	if !ok {
		return amount, assert("price_to_dct", "rate: ${symbol} has no exchange rate that gives an amount", Data{"symbol": asset.Symbol})
	}
	return ledger.AssetAmount{Amount: core, AssetID: ledger.CoreAsset}, nil
}

// takeFee moves the fee. What is paid in DCT collects in 2.3.0; what is paid
// in another asset goes to that asset's pool, and DCT out of its core pool.
func (s *State) takeFee(f fee) *Fault {
	if f.amount.AssetID != ledger.CoreAsset {
		s.assetData.change(uint64(f.amount.AssetID), func(d *AssetData) {
			d.AssetPool += f.amount.Amount
			d.CorePool -= f.core
		})
	}
	s.assetData.change(uint64(ledger.CoreAsset), func(d *AssetData) { d.AssetPool += f.core })
	return s.adjust(f.payer, f.amount.AssetID, -f.amount.Amount)
}

// RequiredFee is what op costs at least, paid in the asset.
func (s *State) RequiredFee(op ledger.Operation, asset *ledger.Asset) (ledger.AssetAmount, error) {
	core, err := s.global.Parameters.CurrentFees.Required(op)
	if err != nil {
		return ledger.AssetAmount{}, err
	}
	amount := ledger.AssetAmount{Amount: core, AssetID: asset.ID}
	if asset.ID == ledger.CoreAsset {
		return amount, nil
	}
	rate := asset.Options.CoreExchangeRate
	amount.Amount, _ = convert(ledger.AssetAmount{Amount: core}, rate)
	for {
		if worth, ok := convert(amount, rate); !ok || worth >= core {
			return amount, nil
		}
		amount.Amount++
	}
}

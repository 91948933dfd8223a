package ledger

import (
	"errors"
	"fmt"
)

// Bounds of the ledger (protocol/serialization.md 2, ledger.md 3 and 8).
const (
	maxDescription = 1000 // bytes
	maxMinerURL    = 126  // bytes
	maxComment     = 100  // bytes
	maxRating      = 5
	maxContentSize = 10000 // megabytes
	maxDataName    = 32    // bytes
	fullSplit      = 10000 // hundredths of a percent
)

// check gives the first fault, or nil.
func check(faults ...error) error {
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

func require(ok bool, fault string) error {
	if ok {
		return nil
	}
	return errors.New(fault)
}

func positive(what string, a AssetAmount) error {
	return require(a.Amount > 0, what+" must be more than zero")
}

func describable(text string) error {
	return require(len(text) <= maxDescription, fmt.Sprintf("a description has at most %d bytes", maxDescription))
}

func (op *AssetCreateOp) validate() error {
	err := check(ValidSymbol(op.Symbol), describable(op.Description),
		require(op.Precision <= MaxPrecision, fmt.Sprintf("an asset has at most %d decimals", MaxPrecision)))
	if err != nil {
		return err
	}
	if m := op.MonitoredAssetOpts; m != nil {
		return check(require(op.Options.MaxSupply == 0, "a monitored asset has no maximum supply: it must be 0"),
			require(m.FeedLifetimeSec > 0 && m.MinimumFeeds > 0, "a monitored asset needs a feed lifetime and a number of feeds above zero"))
	}
	return check(validSupply(op.Options.MaxSupply), rateToCore(op.Options.CoreExchangeRate))
}

func validSupply(supply int64) error {
	return require(supply >= 1 && supply <= MaxShareSupply, fmt.Sprintf("the maximum supply must lie between 1 and %d", int64(MaxShareSupply)))
}

func rateToCore(p Price) error {
	return require(p.Base.AssetID == CoreAsset || p.Quote.AssetID == CoreAsset, "one side of the exchange rate must be DCT")
}

func (op *AssetIssueOp) validate() error {
	return check(positive("the amount to issue", op.AssetToIssue),
		require(op.AssetToIssue.Amount <= MaxShareSupply, "the amount to issue is more than any asset can have"),
		require(op.AssetToIssue.AssetID != CoreAsset, "DCT cannot be issued"))
}

func (op *AssetFundPoolsOp) validate() error { return validPools(op.UIAAsset, op.DCTAsset) }

func (op *AssetClaimFeesOp) validate() error { return validPools(op.UIAAsset, op.DCTAsset) }

func validPools(uia, dct AssetAmount) error {
	return check(require(uia.Amount >= 0 && dct.Amount >= 0, "neither amount may be negative"),
		require(uia.Amount > 0 || dct.Amount > 0, "one of the amounts must be more than zero"),
		require(dct.AssetID == CoreAsset, "the second amount must be in DCT"))
}

func (op *AssetReserveOp) validate() error { return positive("the amount to burn", op.AmountToReserve) }

func (op *UpdateUserIssuedAssetOp) validate() error {
	return check(describable(op.NewDescription),
		require(op.NewIssuer == nil || *op.NewIssuer != op.Issuer, "the new issuer must be another account"),
		require(pairOf(op.CoreExchangeRate, op.AssetToUpdate), "the exchange rate must be between the asset and DCT"))
}

// pairOf says that the price is between asset and DCT.
func pairOf(p Price, asset AssetID) bool {
	return p.Base.AssetID == asset && p.Quote.AssetID == CoreAsset || p.Base.AssetID == CoreAsset && p.Quote.AssetID == asset
}

func (op *UpdateMonitoredAssetOp) validate() error { return describable(op.NewDescription) }

func (op *MinerCreateOp) validate() error { return validURL(op.URL) }

func (op *MinerUpdateOp) validate() error {
	if op.NewURL == nil {
		return nil
	}
	return validURL(*op.NewURL)
}

func validURL(url string) error {
	return require(len(url) <= maxMinerURL, fmt.Sprintf("a miner's link has at most %d bytes", maxMinerURL))
}

func (op *ProposalCreateOp) validate() error {
	if len(op.ProposedOps) == 0 {
		return errors.New("a proposal proposes at least one operation")
	}
	for i, p := range op.ProposedOps {
		if err := p.Op.Validate(); err != nil {
			return fmt.Errorf("proposed operation %d: %w", i+1, err)
		}
	}
	return nil
}

func (op *ProposalUpdateOp) validate() error {
	changes := len(op.ActiveApprovalsToAdd) + len(op.ActiveApprovalsToRemove) + len(op.OwnerApprovalsToAdd) +
		len(op.OwnerApprovalsToRemove) + len(op.KeyApprovalsToAdd) + len(op.KeyApprovalsToRemove)
	return check(require(changes > 0, "an approval must add or remove somebody"),
		disjoint(op.ActiveApprovalsToAdd, op.ActiveApprovalsToRemove),
		disjoint(op.OwnerApprovalsToAdd, op.OwnerApprovalsToRemove),
		disjoint(op.KeyApprovalsToAdd, op.KeyApprovalsToRemove))
}

func disjoint[T comparable](add, remove []T) error {
	for _, a := range add {
		for _, r := range remove {
			if a == r {
				return errors.New("an approval cannot be added and removed at the same time")
			}
		}
	}
	return nil
}

func (op *WithdrawPermissionCreateOp) validate() error {
	return check(require(op.WithdrawFromAccount != op.AuthorizedAccount, "a permission is for another account"),
		positive("the limit", op.WithdrawalLimit), require(op.WithdrawalPeriodSec > 0, "the period must be more than zero"),
		require(op.PeriodsUntilExpiration > 0, "the number of periods must be more than zero"))
}

func (op *WithdrawPermissionUpdateOp) validate() error {
	return check(require(op.WithdrawFromAccount != op.AuthorizedAccount, "a permission is for another account"),
		positive("the limit", op.WithdrawalLimit), require(op.WithdrawalPeriodSec > 0, "the period must be more than zero"),
		require(op.PeriodsUntilExpiration > 0, "the number of periods must be more than zero"))
}

func (op *WithdrawPermissionClaimOp) validate() error {
	return check(require(op.WithdrawFromAccount != op.WithdrawToAccount, "a withdrawal is from another account"),
		positive("the amount to withdraw", op.AmountToWithdraw))
}

func (op *VestingBalanceCreateOp) validate() error { return positive("the amount", op.Amount) }

func (op *VestingBalanceWithdrawOp) validate() error { return positive("the amount", op.Amount) }

func (op *CustomOp) validate() error {
	return require(op.Fee.Amount > 0, "custom data needs a fee above zero")
}

func (op *AssertOp) validate() error {
	return require(len(op.RequiredAuths) == 0, "an assert operation takes no further authorities")
}

func (op *ContentSubmitOp) validate() error {
	var sum uint64
	included := false
	for _, a := range op.CoAuthors {
		sum += uint64(a.Split)
		included = included || a.Account == op.Author
	}
	if included {
		if err := require(sum == fullSplit, "the shares of author and co-authors must make 100 %"); err != nil {
			return err
		}
	}
	return check(require(included || sum < fullSplit, "the co-authors' shares must leave something to the author"),
		require(len(op.Price) > 0, "content needs a price"),
		require(op.Size >= 1 && op.Size <= maxContentSize, fmt.Sprintf("content has 1 to %d megabytes", maxContentSize)))
}

func (op *LeaveRatingAndCommentOp) validate() error {
	return check(require(op.Rating >= 1 && op.Rating <= maxRating, "a rating is 1 to 5"),
		require(len(op.Comment) <= maxComment, fmt.Sprintf("a comment has at most %d bytes", maxComment)))
}

func (op *SubscribeOp) validate() error {
	return require(op.Price.Amount >= 0, "the price must not be negative")
}

func (op *NFTCreateDefinitionOp) validate() error {
	if err := check(ValidSymbol(op.Symbol), describable(op.Options.Description)); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, d := range op.Definitions {
		if d.Name == nil {
			if d.Modifiable != 0 {
				return errors.New("a field that can be changed needs a name")
			}
			continue
		}
		if len(*d.Name) > maxDataName || seen[*d.Name] {
			return fmt.Errorf("a field's name has at most %d bytes and stands once", maxDataName)
		}
		seen[*d.Name] = true
	}
	return nil
}

func (op *NFTUpdateDefinitionOp) validate() error { return describable(op.Options.Description) }

func (op *NFTUpdateDataOp) validate() error {
	seen := map[string]bool{}
	for _, d := range op.Data {
		if d.Name == "" || seen[d.Name] {
			return errors.New("each field to change is named, and named once")
		}
		seen[d.Name] = true
	}
	return nil
}

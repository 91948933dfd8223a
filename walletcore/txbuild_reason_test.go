package walletcore_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
)

// reason is the origin of a field of a signed operation. Nothing of another origin may be signed.
type reason string

const (
	caller   reason = "the caller wrote it"
	word     reason = "a word of the caller, by a pin: an account, an asset, an amount with the pinned decimals"
	constant reason = "a constant"
	pinned   reason = "a fact that never changes, pinned at first sight"
	accepted reason = "a fact as it was last accepted"
	ownState reason = "the last accepted state of an own object, or a key derived from it, where the caller did not write it"
	memo     reason = "the caller's text, for keys as last accepted"
	nested   reason = "operations with reasons of their own"
	counted  reason = "what the IPFS daemon counted"
	schedule reason = "the fee by the last accepted schedule"
)

// operationReasons lists every operation that package txbuild makes, with the reason of each field.
func operationReasons() map[reflect.Type]map[string]reason {
	return map[reflect.Type]map[string]reason{
		reflect.TypeFor[ledger.AccountCreateOp]():                  {"Fee": schedule, "Registrar": word, "Name": caller, "Owner": caller, "Active": caller, "Options": caller, "Extensions": constant},
		reflect.TypeFor[ledger.AccountUpdateOp]():                  {"Fee": schedule, "Account": word, "Owner": ownState, "Active": ownState, "NewOptions": ownState, "Extensions": constant},
		reflect.TypeFor[ledger.AssetClaimFeesOp]():                 {"Fee": schedule, "Issuer": accepted, "UIAAsset": word, "DCTAsset": word, "Extensions": constant},
		reflect.TypeFor[ledger.AssetCreateOp]():                    {"Fee": schedule, "Issuer": word, "Symbol": caller, "Precision": caller, "Description": caller, "Options": caller, "MonitoredAssetOpts": caller, "IsExchangeable": constant, "Extensions": constant},
		reflect.TypeFor[ledger.AssetFundPoolsOp]():                 {"Fee": schedule, "FromAccount": word, "UIAAsset": word, "DCTAsset": word, "Extensions": constant},
		reflect.TypeFor[ledger.AssetIssueOp]():                     {"Fee": schedule, "Issuer": accepted, "AssetToIssue": word, "IssueToAccount": word, "Memo": memo, "Extensions": constant},
		reflect.TypeFor[ledger.AssetPublishFeedOp]():               {"Fee": schedule, "Publisher": word, "AssetID": word, "Feed": caller, "Extensions": constant},
		reflect.TypeFor[ledger.AssetReserveOp]():                   {"Fee": schedule, "Payer": word, "AmountToReserve": word, "Extensions": constant},
		reflect.TypeFor[ledger.AutomaticRenewalOfSubscriptionOp](): {"Fee": schedule, "Consumer": word, "Subscription": caller, "AutomaticRenewal": caller},
		reflect.TypeFor[ledger.ContentCancellationOp]():            {"Fee": schedule, "Author": word, "URI": caller},
		reflect.TypeFor[ledger.ContentSubmitOp](): {"Fee": schedule, "Size": caller, "Author": word, "CoAuthors": word, "URI": caller, "Quorum": caller, "Price": word, "Hash": caller, "Seeders": word, "KeyParts": accepted,
			"Expiration": caller, "PublishingFee": word, "Synopsis": caller, "CustodyData": caller},
		reflect.TypeFor[ledger.CustomOp]():                      {"Fee": schedule, "Payer": word, "RequiredAuths": constant, "ID": constant, "Data": memo},
		reflect.TypeFor[ledger.LeaveRatingAndCommentOp]():       {"Fee": schedule, "URI": caller, "Consumer": word, "Comment": caller, "Rating": caller},
		reflect.TypeFor[ledger.MinerCreateOp]():                 {"Fee": schedule, "MinerAccount": word, "URL": caller, "BlockSigningKey": ownState},
		reflect.TypeFor[ledger.MinerUpdateGlobalParametersOp](): {"Fee": schedule, "NewParameters": accepted},
		reflect.TypeFor[ledger.MinerUpdateOp]():                 {"Fee": schedule, "Miner": pinned, "MinerAccount": pinned, "NewURL": caller, "NewSigningKey": caller},
		reflect.TypeFor[ledger.NFTCreateDefinitionOp]():         {"Fee": schedule, "Symbol": caller, "Options": caller, "Definitions": caller, "Transferable": caller, "Extensions": constant},
		reflect.TypeFor[ledger.NFTIssueOp]():                    {"Fee": schedule, "Issuer": accepted, "To": word, "NFTID": pinned, "Data": caller, "Memo": memo, "Extensions": constant},
		reflect.TypeFor[ledger.NFTTransferOp]():                 {"Fee": schedule, "From": accepted, "To": word, "NFTDataID": caller, "Memo": memo, "Extensions": constant},
		reflect.TypeFor[ledger.NFTUpdateDataOp]():               {"Fee": schedule, "Modifier": word, "NFTDataID": caller, "Data": caller, "Extensions": constant},
		reflect.TypeFor[ledger.NFTUpdateDefinitionOp]():         {"Fee": schedule, "CurrentIssuer": accepted, "NFTID": pinned, "Options": accepted, "Extensions": constant},
		reflect.TypeFor[ledger.ProposalCreateOp]():              {"Fee": schedule, "FeePayingAccount": word, "ExpirationTime": caller, "ProposedOps": nested, "ReviewPeriodSeconds": accepted, "Extensions": constant},
		reflect.TypeFor[ledger.ProposalUpdateOp]():              {"Fee": schedule, "FeePayingAccount": word, "Proposal": caller, "ActiveApprovalsToAdd": word, "ActiveApprovalsToRemove": word, "OwnerApprovalsToAdd": word, "OwnerApprovalsToRemove": word, "KeyApprovalsToAdd": caller, "KeyApprovalsToRemove": caller, "Extensions": constant},
		reflect.TypeFor[ledger.ReportStatsOp]():                 {"Fee": schedule, "Consumer": word, "Stats": counted},
		reflect.TypeFor[ledger.RequestToBuyOp]():                {"Fee": schedule, "URI": caller, "Consumer": word, "Price": word, "RegionCodeFrom": caller, "PubKey": ownState},
		reflect.TypeFor[ledger.SubscribeByAuthorOp]():           {"Fee": schedule, "From": word, "To": word},
		reflect.TypeFor[ledger.SubscribeOp]():                   {"Fee": schedule, "From": word, "To": word, "Price": word},
		reflect.TypeFor[ledger.TransferObsoleteOp]():            {"Fee": schedule, "From": word, "To": word, "Amount": word, "Memo": memo, "Extensions": constant},
		reflect.TypeFor[ledger.TransferOp]():                    {"Fee": schedule, "From": word, "To": word, "Amount": word, "Memo": memo, "Extensions": constant},
		reflect.TypeFor[ledger.UpdateMonitoredAssetOp]():        {"Fee": schedule, "Issuer": accepted, "AssetToUpdate": word, "NewDescription": caller, "NewFeedLifetimeSec": caller, "NewMinimumFeeds": caller, "Extensions": constant},
		reflect.TypeFor[ledger.UpdateUserIssuedAssetOp]():       {"Fee": schedule, "Issuer": accepted, "AssetToUpdate": word, "NewDescription": caller, "NewIssuer": word, "MaxSupply": caller, "CoreExchangeRate": caller, "IsExchangeable": caller, "Extensions": constant},
		reflect.TypeFor[ledger.VestingBalanceWithdrawOp]():      {"Fee": schedule, "VestingBalance": pinned, "Owner": pinned, "Amount": word},
	}
}

// Every operation that package txbuild makes is in the table, and each of its fields has a reason; a new field or operation needs one.
func TestEverySignedFieldHasAReason(t *testing.T) {
	t.Parallel()
	made := map[string]bool{}
	paths, err := filepath.Glob(filepath.Join("txbuild", "*.go"))
	must(t, err)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		must(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.CompositeLit); ok {
				if name, ok := literal.Type.(*ast.SelectorExpr); ok && strings.HasSuffix(name.Sel.Name, "Op") {
					made[name.Sel.Name] = true
				}
			}
			return true
		})
	}
	if len(made) < 20 {
		t.Fatal("build makes", len(made), "operations: they are not found any more")
	}
	reasons := operationReasons()
	for of, fields := range reasons {
		delete(made, of.Name())
		var names []string
		for i := range of.NumField() {
			if f := of.Field(i); f.IsExported() {
				if names = append(names, f.Name); fields[f.Name] == "" {
					t.Errorf("%s.%s is signed without a reason", of.Name(), f.Name)
				}
			}
		}
		for name := range fields {
			if !slices.Contains(names, name) {
				t.Errorf("%s has no field %s", of.Name(), name)
			}
		}
	}
	for name := range made {
		t.Errorf("%s is signed, and none of its fields has a reason", name)
	}
}

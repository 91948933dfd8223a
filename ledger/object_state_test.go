package ledger_test

import (
	"testing"

	"billfold/ledger"
)

// What operations do to objects that exist, and how a change that another one could undo is treated (docs/design/017-own-objects.md).
const (
	whole  = "whole"  // it writes back what its caller did not set: built on the last state, right before signing, in order, and followed
	given  = "given"  // its caller gives every part that it replaces: in order, and what it left is known
	parts  = "parts"  // it adds, takes away or moves something; nothing else is written back
	makes  = "makes"  // it makes or ends an object
	miners = "miners" // the miners decide on it in a proposal, whose review shows every difference, at proposing and at approving
	single = "single" // its caller gives all of what it replaces, which is one thing of its own: the last one wins, and no other part is touched
	none   = "none"   // it changes no object that its signer controls, or only the ledger itself applies it
)

// A new operation has to be listed here, with how it is treated.
var treatments = map[ledger.OpCode]string{
	ledger.CodeTransferObsolete: parts, ledger.CodeTransfer: parts, ledger.CodeAccountCreate: makes, ledger.CodeAccountUpdate: whole,
	ledger.CodeAssetCreate: makes, ledger.CodeAssetIssue: parts, ledger.CodeAssetPublishFeed: single, ledger.CodeMinerCreate: makes,
	ledger.CodeMinerUpdate: given, ledger.CodeMinerUpdateGlobalParameters: miners, ledger.CodeProposalCreate: makes,
	ledger.CodeProposalUpdate: parts, ledger.CodeProposalDelete: makes, ledger.CodeWithdrawPermissionCreate: makes,
	ledger.CodeWithdrawPermissionUpdate: single, ledger.CodeWithdrawPermissionClaim: parts, ledger.CodeWithdrawPermissionDelete: makes,
	ledger.CodeVestingBalanceCreate: makes, ledger.CodeVestingBalanceWithdraw: parts, ledger.CodeCustom: none, ledger.CodeAssert: none,
	ledger.CodeContentSubmit: single, ledger.CodeRequestToBuy: makes, ledger.CodeLeaveRatingAndComment: parts,
	ledger.CodeReadyToPublishObsolete: none, ledger.CodeProofOfCustody: none, ledger.CodeDeliverKeys: none, ledger.CodeSubscribe: makes,
	ledger.CodeSubscribeByAuthor: makes, ledger.CodeAutomaticRenewalOfSubscription: parts, ledger.CodeReportStats: none,
	ledger.CodeSetPublishingManager: parts, ledger.CodeSetPublishingRight: parts, ledger.CodeContentCancellation: makes,
	ledger.CodeAssetFundPools: parts, ledger.CodeAssetReserve: parts, ledger.CodeAssetClaimFees: parts,
	ledger.CodeUpdateUserIssuedAsset: given, ledger.CodeUpdateMonitoredAsset: given, ledger.CodeReadyToPublish: none,
	ledger.CodeUpdateUserIssuedAssetAdvanced: given, ledger.CodeNFTCreateDefinition: makes, ledger.CodeNFTUpdateDefinition: given,
	ledger.CodeNFTIssue: makes, ledger.CodeNFTTransfer: parts, ledger.CodeNFTUpdateData: parts,
	ledger.CodeDisallowAutomaticRenewalOfSubscription: none, ledger.CodeReturnEscrowSubmission: none, ledger.CodeReturnEscrowBuying: none,
	ledger.CodePaySeeder: none, ledger.CodeFinishBuying: none, ledger.CodeRenewalOfSubscription: none,
}

// Every operation is listed, and those that replace parts of an object, and only those, say which.
func TestEveryOperationSaysWhatItReplaces(t *testing.T) {
	for _, code := range ledger.OpCodes() {
		how := treatments[code]
		if how == "" {
			t.Errorf("%s: list how another change of the same object is kept from being undone by it", ledger.OpName(code))
			continue
		}
		op, known := ledger.Prototype(ledger.OpName(code))
		if !known {
			t.Fatalf("%s has no prototype", ledger.OpName(code))
		}
		if _, _, replaces := ledger.Replaces(op); replaces != (how == whole || how == given) {
			t.Errorf("%s: it is listed as %s, and Replaces reports %v", ledger.OpName(code), how, replaces)
		}
	}
}

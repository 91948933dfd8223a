package ledger

import (
	"strconv"
	"strings"

	"billfold/ledger/codec"
)

// OpCode is the number of an operation. Codes 46 to 51 are virtual: they appear
// in history only, and a transaction that contains one is refused.
type OpCode uint64

// operations lists all operations by code (docs/protocol/serialization.md 2). A new one
// is declared next to its struct and added here.
var operations = [...]*declaration{
	CodeTransferObsolete:                       &transferObsoleteDeclaration,
	CodeAccountCreate:                          &accountCreateDeclaration,
	CodeAccountUpdate:                          &accountUpdateDeclaration,
	CodeAssetCreate:                            &assetCreateDeclaration,
	CodeAssetIssue:                             &assetIssueDeclaration,
	CodeAssetPublishFeed:                       &assetPublishFeedDeclaration,
	CodeMinerCreate:                            &minerCreateDeclaration,
	CodeMinerUpdate:                            &minerUpdateDeclaration,
	CodeMinerUpdateGlobalParameters:            &minerUpdateGlobalParametersDeclaration,
	CodeProposalCreate:                         &proposalCreateDeclaration,
	CodeProposalUpdate:                         &proposalUpdateDeclaration,
	CodeProposalDelete:                         &proposalDeleteDeclaration,
	CodeWithdrawPermissionCreate:               &withdrawPermissionCreateDeclaration,
	CodeWithdrawPermissionUpdate:               &withdrawPermissionUpdateDeclaration,
	CodeWithdrawPermissionClaim:                &withdrawPermissionClaimDeclaration,
	CodeWithdrawPermissionDelete:               &withdrawPermissionDeleteDeclaration,
	CodeVestingBalanceCreate:                   &vestingBalanceCreateDeclaration,
	CodeVestingBalanceWithdraw:                 &vestingBalanceWithdrawDeclaration,
	CodeCustom:                                 &customDeclaration,
	CodeAssert:                                 &assertDeclaration,
	CodeContentSubmit:                          &contentSubmitDeclaration,
	CodeRequestToBuy:                           &requestToBuyDeclaration,
	CodeLeaveRatingAndComment:                  &leaveRatingAndCommentDeclaration,
	CodeReadyToPublishObsolete:                 &readyToPublishObsoleteDeclaration,
	CodeProofOfCustody:                         &proofOfCustodyDeclaration,
	CodeDeliverKeys:                            &deliverKeysDeclaration,
	CodeSubscribe:                              &subscribeDeclaration,
	CodeSubscribeByAuthor:                      &subscribeByAuthorDeclaration,
	CodeAutomaticRenewalOfSubscription:         &automaticRenewalOfSubscriptionDeclaration,
	CodeReportStats:                            &reportStatsDeclaration,
	CodeSetPublishingManager:                   &setPublishingManagerDeclaration,
	CodeSetPublishingRight:                     &setPublishingRightDeclaration,
	CodeContentCancellation:                    &contentCancellationDeclaration,
	CodeAssetFundPools:                         &assetFundPoolsDeclaration,
	CodeAssetReserve:                           &assetReserveDeclaration,
	CodeAssetClaimFees:                         &assetClaimFeesDeclaration,
	CodeUpdateUserIssuedAsset:                  &updateUserIssuedAssetDeclaration,
	CodeUpdateMonitoredAsset:                   &updateMonitoredAssetDeclaration,
	CodeReadyToPublish:                         &readyToPublishDeclaration,
	CodeTransfer:                               &transferDeclaration,
	CodeUpdateUserIssuedAssetAdvanced:          &updateUserIssuedAssetAdvancedDeclaration,
	CodeNFTCreateDefinition:                    &nftCreateDefinitionDeclaration,
	CodeNFTUpdateDefinition:                    &nftUpdateDefinitionDeclaration,
	CodeNFTIssue:                               &nftIssueDeclaration,
	CodeNFTTransfer:                            &nftTransferDeclaration,
	CodeNFTUpdateData:                          &nftUpdateDataDeclaration,
	CodeDisallowAutomaticRenewalOfSubscription: &disallowAutomaticRenewalOfSubscriptionDeclaration,
	CodeReturnEscrowSubmission:                 &returnEscrowSubmissionDeclaration,
	CodeReturnEscrowBuying:                     &returnEscrowBuyingDeclaration,
	CodePaySeeder:                              &paySeederDeclaration,
	CodeFinishBuying:                           &finishBuyingDeclaration,
	CodeRenewalOfSubscription:                  &renewalOfSubscriptionDeclaration,
}

// declared returns the declaration of a code, or nil for a code of a newer ledger.
func declared(code OpCode) *declaration {
	if code >= OpCode(len(operations)) {
		return nil
	}
	return operations[code]
}

// OpCodes returns the codes of all operations, in order.
func OpCodes() []OpCode {
	codes := make([]OpCode, len(operations))
	for i := range codes {
		codes[i] = OpCode(i)
	}
	return codes
}

// OpName returns the reference's name with its suffix, "transfer_operation", or
// "operation_N" for a code this program does not know.
func OpName(code OpCode) string {
	if d := declared(code); d != nil {
		return d.name + "_operation"
	}
	return "operation_" + strconv.FormatUint(uint64(code), 10)
}

// IsVirtual reports whether operations of the code appear in history only, never in a transaction.
func (c OpCode) IsVirtual() bool {
	d := declared(c)
	return d != nil && d.virtual
}

// Told reports whether the sentence, the movements and the effects of an operation tell all that it holds and a person can judge, so that its
// bare values need not be shown as well.
func (c OpCode) Told() bool {
	d := declared(c)
	return d != nil && d.told
}

// NewBody returns a body of the code with the reference's defaults, or nil for a
// code this program does not know.
func NewBody(code OpCode) Body {
	d := declared(code)
	if d == nil {
		return nil
	}
	body := d.new()
	if err := codec.Unmarshal([]byte("{}"), body); err != nil {
		return nil
	}
	return body
}

// Prototype returns an operation by the reference's name, such as "transfer_operation", with
// the ledger's defaults for all members.
func Prototype(name string) (op Operation, known bool) {
	base, suffixed := strings.CutSuffix(name, "_operation")
	for code, d := range operations {
		if suffixed && d.name == base {
			err := codec.Unmarshal([]byte("["+strconv.Itoa(code)+",{}]"), &op)
			return op, err == nil
		}
	}
	return op, false
}

package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var nftIssue = touching(typed(valid[*ledger.NFTIssueOp], (*State).evaluateNFTIssue, (*State).applyNFTIssue),
	func(op *ledger.NFTIssueOp) []ledger.AccountID { return []ledger.AccountID{op.Issuer, op.To} })

var nftTransfer = touching(typed(validateNFTTransfer, (*State).evaluateNFTTransfer, (*State).applyNFTTransfer),
	func(op *ledger.NFTTransferOp) []ledger.AccountID { return []ledger.AccountID{op.To} })

func (s *State) evaluateNFTIssue(op *ledger.NFTIssueOp) *nodeerr.Fault {
	kind := s.NFT(op.NFTID)
	if kind == nil {
		return nodeerr.NotFound(op.NFTID.Object())
	}
	fault := demand("do_evaluate",
		condition{op.Issuer == kind.Options.Issuer, "op.issuer == nft_obj.options.issuer: ", nil},
		condition{s.Account(op.To) != nil, "d.find_object(op.to): Attempt to issue a non fungible token to a non-existing account", nil},
		condition{kind.CurrentSupply < kind.Options.MaxSupply, "(nft_obj.current_supply + 1) <= nft_obj.options.max_supply: Max supply reached", nil},
		condition{len(op.Data) == len(kind.Definitions), "nft_obj.definitions.size() == op.data.size(): ", nil})
	for at := 0; at < len(op.Data) && fault == nil; at++ {
		fault = s.checkNFTValue(kind, at, op.Data[at])
	}
	return fault
}

func (s *State) applyNFTIssue(op *ledger.NFTIssueOp) (ledger.OperationResult, *nodeerr.Fault) {
	id := s.addNFTData(op.NFTID, op.To, op.Data)
	s.nfts.change(uint64(op.NFTID), func(n *NFT) { n.CurrentSupply++ })
	s.addDetail(TransactionDetail{
		From: op.Issuer, To: op.To, Kind: detailNFT, Fee: op.Fee, NFTData: &id, Description: "issue token", Memo: op.Memo,
	})
	return objectResult(id.Object()), nil
}

func validateNFTTransfer(op *ledger.NFTTransferOp) *nodeerr.Fault {
	return demand("validate", condition{op.From != op.To, "from != to: ", nil})
}

func (s *State) evaluateNFTTransfer(op *ledger.NFTTransferOp) *nodeerr.Fault {
	token := s.NFTData(op.NFTDataID)
	if token == nil {
		return nodeerr.NotFound(op.NFTDataID.Object())
	}
	burn := op.To == ledger.NullAccount
	return demand("do_evaluate",
		condition{op.From == token.Owner, "op.from == nft_data_obj.owner: ", nil},
		condition{s.NFT(token.NFTID).Transferable || burn, "nft_data_obj.nft_id(d).transferable || op.to == GRAPHENE_NULL_ACCOUNT: Attempt to transfer a non transferable token", nil},
		condition{s.Account(op.To) != nil, "d.find_object(op.to): Attempt to transfer a non fungible token data to a non-existing account", nil})
}

// applyNFTTransfer burns a token by giving it to 1.2.1.
func (s *State) applyNFTTransfer(op *ledger.NFTTransferOp) (ledger.OperationResult, *nodeerr.Fault) {
	s.moveNFTData(op.NFTDataID, op.To)
	if op.To == ledger.NullAccount {
		s.nfts.change(uint64(s.NFTData(op.NFTDataID).NFTID), func(n *NFT) { n.CurrentSupply-- })
	}
	id := op.NFTDataID
	s.addDetail(TransactionDetail{
		From: op.From, To: op.To, Kind: detailNFT, Fee: op.Fee, NFTData: &id, Description: "transfer token", Memo: op.Memo,
	})
	return voidResult(), nil
}

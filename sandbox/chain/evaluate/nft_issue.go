package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func evaluateNFTIssue(e *Engine, op *ledger.NFTIssueOp) *nodeerr.Fault {
	kind := e.NFTs.Get(op.NFTID)
	if kind == nil {
		return nodeerr.NotFound(op.NFTID.Object())
	}
	fault := demand("do_evaluate",
		condition{op.Issuer == kind.Options.Issuer, "op.issuer == nft_obj.options.issuer: ", nil},
		condition{e.Accounts.Get(op.To) != nil, "d.find_object(op.to): Attempt to issue a non fungible token to a non-existing account",
			nil},
		condition{kind.CurrentSupply < kind.Options.MaxSupply,
			"(nft_obj.current_supply + 1) <= nft_obj.options.max_supply: Max supply reached", nil},
		condition{len(op.Data) == len(kind.Definitions), "nft_obj.definitions.size() == op.data.size(): ", nil})
	for at := 0; at < len(op.Data) && fault == nil; at++ {
		fault = checkNFTValue(e, kind, at, op.Data[at])
	}
	return fault
}

func applyNFTIssue(e *Engine, op *ledger.NFTIssueOp) (ledger.OperationResult, *nodeerr.Fault) {
	id := e.NFTs.AddToken(op.NFTID, op.To, op.Data)
	e.NFTs.Change(op.NFTID, func(n *state.NFT) { n.CurrentSupply++ })
	e.Details.Add(e.HeadTime(), state.TransactionDetail{
		From: op.Issuer, To: op.To, Kind: state.DetailNFT, Fee: op.Fee, NFTData: &id, Description: "issue token", Memo: op.Memo,
	})
	return objectResult(id.Object()), nil
}

func validateNFTTransfer(op *ledger.NFTTransferOp) *nodeerr.Fault {
	return demand("validate", condition{op.From != op.To, "from != to: ", nil})
}

func evaluateNFTTransfer(e *Engine, op *ledger.NFTTransferOp) *nodeerr.Fault {
	token := e.NFTs.Token(op.NFTDataID)
	if token == nil {
		return nodeerr.NotFound(op.NFTDataID.Object())
	}
	burn := op.To == ledger.NullAccount
	return demand("do_evaluate",
		condition{op.From == token.Owner, "op.from == nft_data_obj.owner: ", nil},
		condition{e.NFTs.Get(token.NFTID).Transferable || burn,
			"nft_data_obj.nft_id(d).transferable || op.to == GRAPHENE_NULL_ACCOUNT: Attempt to transfer a non transferable token", nil},
		condition{e.Accounts.Get(op.To) != nil,
			"d.find_object(op.to): Attempt to transfer a non fungible token data to a non-existing account", nil})
}

// applyNFTTransfer burns a token by giving it to 1.2.1.
func applyNFTTransfer(e *Engine, op *ledger.NFTTransferOp) (ledger.OperationResult, *nodeerr.Fault) {
	e.NFTs.Move(op.NFTDataID, op.To)
	if op.To == ledger.NullAccount {
		e.NFTs.Change(e.NFTs.Token(op.NFTDataID).NFTID, func(n *state.NFT) { n.CurrentSupply-- })
	}
	id := op.NFTDataID
	e.Details.Add(e.HeadTime(), state.TransactionDetail{
		From: op.From, To: op.To, Kind: state.DetailNFT, Fee: op.Fee, NFTData: &id, Description: "transfer token", Memo: op.Memo,
	})
	return voidResult(), nil
}

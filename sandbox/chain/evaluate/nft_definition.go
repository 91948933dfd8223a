package evaluate

import (
	"strings"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// Limits for a kind of token (docs/protocol/serialization.md 2).
const (
	maxNFTDescription = 1000 // bytes
	maxNFTDataName    = 32   // bytes
)

func validateNFTCreate(op *ledger.NFTCreateDefinitionOp) *nodeerr.Fault {
	fault := demand("validate",
		condition{ledger.ValidSymbol(op.Symbol) == nil, "is_valid_symbol(symbol): ", nodeerr.Data{"symbol": op.Symbol}},
		condition{len(op.Options.Description) <= maxNFTDescription, "description.size() <= 1000: ", nil})
	seen := map[string]bool{}
	for _, d := range op.Definitions {
		if fault != nil {
			return fault
		}
		name := ""
		if d.Name != nil {
			name = *d.Name
		}
		fault = demand("validate",
			condition{len(name) <= maxNFTDataName, "name->size() <= 32: ", nil},
			condition{d.Modifiable == 0 || name != "", "name_valid && !name->empty(): Modifiable data type must have name", nil},
			condition{name == "" || !seen[name], "std::count_if(definitions) == 1: Duplicated data name: ${n}", nodeerr.Data{"n": name}})
		seen[name] = true
	}
	return fault
}

// evaluateNFTCreate reserves a symbol with a dot for the issuer of the symbol
// before the last dot.
func evaluateNFTCreate(e *Engine, op *ledger.NFTCreateDefinitionOp) *nodeerr.Fault {
	if e.NFTs.BySymbol(op.Symbol) != nil {
		return refuse("nft_symbol_itr == nft_indx.end(): Symbol name must be unique", nil)
	}
	dot := strings.LastIndexByte(op.Symbol, '.')
	if dot < 0 {
		return nil
	}
	prefix := op.Symbol[:dot]
	parent := e.NFTs.BySymbol(prefix)
	return demand("do_evaluate",
		condition{parent != nil,
			"nft_symbol_itr != nft_indx.end(): Non fungible token ${s} may only be created by issuer of ${p}, but ${p} has not " +
				"been registered",
			nodeerr.Data{"s": op.Symbol, "p": prefix}},
		condition{parent != nil && parent.Options.Issuer == op.Options.Issuer,
			"nft_symbol_itr->options.issuer == op.options.issuer: Non fungible token ${s} may only be created by issuer of ${p}, ${i}",
			nodeerr.Data{"s": op.Symbol, "p": prefix, "i": op.Options.Issuer}})
}

func applyNFTCreate(e *Engine, op *ledger.NFTCreateDefinitionOp) (ledger.OperationResult, *nodeerr.Fault) {
	id := e.NFTs.Add(state.NFT{
		Symbol: op.Symbol, Options: op.Options, Definitions: op.Definitions, Transferable: op.Transferable,
	})
	return objectResult(id.Object()), nil
}

func validateNFTUpdate(op *ledger.NFTUpdateDefinitionOp) *nodeerr.Fault {
	return demand("validate", condition{len(op.Options.Description) <= maxNFTDescription, "description.size() <= 1000: ", nil})
}

// evaluateNFTUpdate does not check that a new issuer exists, because the node does
// not either.
func evaluateNFTUpdate(e *Engine, op *ledger.NFTUpdateDefinitionOp) *nodeerr.Fault {
	kind := e.NFTs.Get(op.NFTID)
	if kind == nil {
		return nodeerr.NotFound(op.NFTID.Object())
	}
	old, next := kind.Options, op.Options
	return demand("do_evaluate",
		condition{op.CurrentIssuer == old.Issuer, "op.current_issuer == nft_obj.options.issuer: ", nil},
		condition{next.MaxSupply >= kind.CurrentSupply, "op.options.max_supply >= nft_obj.current_supply: Max supply must be at least ${c}",
			nodeerr.Data{"c": kind.CurrentSupply}},
		condition{next.FixedMaxSupply || !old.FixedMaxSupply, "!nft_obj.options.fixed_max_supply: Max supply must remain fixed", nil},
		condition{next.MaxSupply == old.MaxSupply || !old.FixedMaxSupply,
			"!nft_obj.options.fixed_max_supply: Can not change max supply (it's fixed)", nil},
		condition{next != old, "op.options != nft_obj.options: Operation has to change something", nil})
}

func applyNFTUpdate(e *Engine, op *ledger.NFTUpdateDefinitionOp) (ledger.OperationResult, *nodeerr.Fault) {
	e.NFTs.Change(op.NFTID, func(n *state.NFT) { n.Options = op.Options })
	return voidResult(), nil
}

package evaluate

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func nftRules() []registration {
	return []registration{
		operationRule[*ledger.NFTCreateDefinitionOp]{validate: validateNFTCreate, evaluate: evaluateNFTCreate, apply: applyNFTCreate},
		operationRule[*ledger.NFTUpdateDefinitionOp]{validate: validateNFTUpdate, evaluate: evaluateNFTUpdate, apply: applyNFTUpdate},
		operationRule[*ledger.NFTIssueOp]{evaluate: evaluateNFTIssue, apply: applyNFTIssue},
		operationRule[*ledger.NFTTransferOp]{validate: validateNFTTransfer, evaluate: evaluateNFTTransfer, apply: applyNFTTransfer},
		operationRule[*ledger.NFTUpdateDataOp]{validate: validateNFTUpdateData, evaluate: evaluateNFTUpdateData, apply: applyNFTUpdateData},
	}
}

// Limits for a kind of token (docs/protocol/serialization.md 2).
const (
	maxNFTDescription = 1000 // bytes
	maxNFTDataName    = 32   // bytes
)

func validateNFTCreate(op *ledger.NFTCreateDefinitionOp) *nodeerr.Error {
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
func evaluateNFTCreate(e *Engine, op *ledger.NFTCreateDefinitionOp) *nodeerr.Error {
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

func applyNFTCreate(e *Engine, op *ledger.NFTCreateDefinitionOp) (ledger.OperationResult, *nodeerr.Error) {
	id := e.NFTs.Add(state.NFT{
		Symbol: op.Symbol, Options: op.Options, Definitions: op.Definitions, Transferable: op.Transferable,
	})
	return objectResult(id.Object()), nil
}

func validateNFTUpdate(op *ledger.NFTUpdateDefinitionOp) *nodeerr.Error {
	return demand("validate", condition{len(op.Options.Description) <= maxNFTDescription, "description.size() <= 1000: ", nil})
}

// evaluateNFTUpdate does not check that a new issuer exists, because the node does
// not either.
func evaluateNFTUpdate(e *Engine, op *ledger.NFTUpdateDefinitionOp) *nodeerr.Error {
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

func applyNFTUpdate(e *Engine, op *ledger.NFTUpdateDefinitionOp) (ledger.OperationResult, *nodeerr.Error) {
	e.NFTs.Change(op.NFTID, func(n *state.NFT) { n.Options = op.Options })
	return voidResult(), nil
}

func evaluateNFTIssue(e *Engine, op *ledger.NFTIssueOp) *nodeerr.Error {
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

func applyNFTIssue(e *Engine, op *ledger.NFTIssueOp) (ledger.OperationResult, *nodeerr.Error) {
	id := e.NFTs.AddToken(op.NFTID, op.To, op.Data)
	e.NFTs.Change(op.NFTID, func(n *state.NFT) { n.CurrentSupply++ })
	e.Details.Add(e.HeadTime(), state.TransactionDetail{
		From: op.Issuer, To: op.To, Kind: state.DetailNFT, Fee: op.Fee, NFTData: &id, Description: "issue token", Memo: op.Memo,
	})
	return objectResult(id.Object()), nil
}

func validateNFTTransfer(op *ledger.NFTTransferOp) *nodeerr.Error {
	return demand("validate", condition{op.From != op.To, "from != to: ", nil})
}

func evaluateNFTTransfer(e *Engine, op *ledger.NFTTransferOp) *nodeerr.Error {
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
func applyNFTTransfer(e *Engine, op *ledger.NFTTransferOp) (ledger.OperationResult, *nodeerr.Error) {
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

// Types of a token's values and who may change them, by the node's numbers.
const (
	nftString, nftInteger, nftBoolean = 0, 1, 2
	nftByIssuer, nftByOwner, nftBoth  = 1, 2, 3
)

func validateNFTUpdateData(op *ledger.NFTUpdateDataOp) *nodeerr.Error {
	fault := demand("validate", condition{len(op.Data) > 0, "!data.empty(): ", nil})
	seen := map[string]bool{}
	for _, v := range op.Data {
		if fault != nil {
			return fault
		}
		fault = demand("validate",
			condition{v.Name != "", "!v.first.empty(): Data name can not be empty", nil},
			condition{!seen[v.Name], "names.insert(v.first).second: Duplicate data name not allowed", nil})
		seen[v.Name] = true
	}
	return fault
}

func evaluateNFTUpdateData(e *Engine, op *ledger.NFTUpdateDataOp) *nodeerr.Error {
	token := e.NFTs.Token(op.NFTDataID)
	if token == nil {
		return nodeerr.NotFound(op.NFTDataID.Object())
	}
	kind := e.NFTs.Get(token.NFTID)
	for _, v := range op.Data {
		at := definitionIndex(kind, v.Name)
		if at < 0 {
			return refuse("it != nft_obj.definitions.end(): Attempt to modify non existing data: ${n}", nodeerr.Data{"n": v.Name})
		}
		fault := mayModify(kind, at, op.Modifier, token.Owner)
		if fault == nil {
			fault = checkNFTValue(e, kind, at, v.Value)
		}
		if fault != nil {
			return fault
		}
	}
	return nil
}

// definitionIndex returns the index of the definition with a name, or -1.
func definitionIndex(n *state.NFT, name string) int {
	return slices.IndexFunc(n.Definitions, func(d ledger.NFTDataDefinition) bool { return d.Name != nil && *d.Name == name })
}

func mayModify(n *state.NFT, at int, modifier, owner ledger.AccountID) *nodeerr.Error {
	d := n.Definitions[at]
	isIssuer, isOwner := modifier == n.Options.Issuer, modifier == owner
	data := nodeerr.Data{"n": *d.Name}
	switch d.Modifiable {
	case nftByIssuer:
		return demand("do_evaluate", condition{isIssuer, "op.modifier == nft_obj.options.issuer: Only issuer can modify data: ${n}", data})
	case nftByOwner:
		return demand("do_evaluate", condition{isOwner, "op.modifier == nft_data_obj.owner: Only owner can modify data: ${n}", data})
	case nftBoth:
		return demand("do_evaluate",
			condition{isIssuer || isOwner,
				"op.modifier == nft_data_obj.owner || op.modifier == nft_obj.options.issuer: Only issuer or owner can modify data: ${n}",
				data})
	}
	return refuse("false: Attempt to modify a non modifiable data: ${n}", data)
}

func applyNFTUpdateData(e *Engine, op *ledger.NFTUpdateDataOp) (ledger.OperationResult, *nodeerr.Error) {
	kind := e.NFTs.Get(e.NFTs.Token(op.NFTDataID).NFTID)
	data := slices.Clone(e.NFTs.Token(op.NFTDataID).Data)
	for _, v := range op.Data {
		data[definitionIndex(kind, v.Name)] = v.Value
	}
	e.NFTs.SetData(op.NFTDataID, data)
	return voidResult(), nil
}

// checkNFTValue checks the type of a value and, if it must be unique, that no token
// of the kind has it. Burnt tokens count, and so does the token that is to be
// changed, as on the node.
func checkNFTValue(e *Engine, kind *state.NFT, at int, v ledger.Variant) *nodeerr.Error {
	d := kind.Definitions[at]
	var ok bool
	var what string
	switch d.Type {
	case nftString:
		_, ok = v.Value.(string)
		what = "data.is_string(): ${d} must be string"
	case nftInteger:
		_, ok = integerBits(v)
		what = "data.is_int64() || data.is_uint64(): ${d} must be integer value"
	case nftBoolean:
		_, ok = v.Value.(bool)
		what = "data.is_bool(): ${d} must be boolean value"
	}
	if !ok {
		return nodeerr.Assert("nft_check_data", what, nodeerr.Data{"d": v})
	}
	if d.Unique && hasValue(e, kind, at, v) {
		return nodeerr.Assert("nft_check_data", "!nft_find_data( d, nft_id, data, idx ): ${d} must be unique", nodeerr.Data{"d": v})
	}
	return nil
}

// hasValue reports whether a token of the kind has the value.
func hasValue(e *Engine, kind *state.NFT, at int, v ledger.Variant) bool {
	for token := range e.NFTs.Issued(kind.ID) {
		if sameNFTValue(token.Data[at], v) {
			return true
		}
	}
	return false
}

// sameNFTValue compares values of the same type, integers by their 64 bits.
func sameNFTValue(a, b ledger.Variant) bool {
	if x, ok := integerBits(a); ok {
		y, ok := integerBits(b)
		return ok && x == y
	}
	return a.Value == b.Value
}

func integerBits(v ledger.Variant) (uint64, bool) {
	switch n := v.Value.(type) {
	case int64:
		return uint64(n), true
	case uint64:
		return n, true
	}
	return 0, false
}

package evaluate

import (
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// Types of a token's values and who may change them, by the node's numbers.
const (
	nftString, nftInteger, nftBoolean = 0, 1, 2
	nftByIssuer, nftByOwner, nftBoth  = 1, 2, 3
)

func validateNFTUpdateData(op *ledger.NFTUpdateDataOp) *nodeerr.Fault {
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

func evaluateNFTUpdateData(e *Engine, op *ledger.NFTUpdateDataOp) *nodeerr.Fault {
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

func mayModify(n *state.NFT, at int, modifier, owner ledger.AccountID) *nodeerr.Fault {
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

func applyNFTUpdateData(e *Engine, op *ledger.NFTUpdateDataOp) (ledger.OperationResult, *nodeerr.Fault) {
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
func checkNFTValue(e *Engine, kind *state.NFT, at int, v ledger.Variant) *nodeerr.Fault {
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

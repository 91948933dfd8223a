package chain

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func text(s string) *string { return &s }

func values(list ...any) (out []ledger.Variant) {
	for _, v := range list {
		out = append(out, ledger.Variant{Value: v})
	}
	return out
}

// Types of a token's values and who may change them, in the node's numbers.
const (
	nftString, nftInteger, nftBoolean = 0, 1, 2
	nftByIssuer, nftByOwner, nftBoth  = 1, 2, 3
)

// cards are a kind with one value of each type; title and serial are unique.
func cards() *ledger.NFTCreateDefinitionOp {
	return &ledger.NFTCreateDefinitionOp{
		Symbol: "CARDS", Transferable: true, Options: ledger.NFTOptions{Issuer: nathanID, MaxSupply: 3, Description: "cards"},
		Definitions: []ledger.NFTDataDefinition{
			{Unique: true, Modifiable: nftBoth, Type: nftString, Name: text("title")},
			{Modifiable: nftByOwner, Type: nftInteger, Name: text("score")},
			{Modifiable: nftByIssuer, Type: nftBoolean, Name: text("foil")},
			{Unique: true, Type: nftInteger, Name: text("serial")},
		},
	}
}

func issueCard(to ledger.AccountID, data ...any) *ledger.NFTIssueOp {
	return &ledger.NFTIssueOp{Issuer: nathanID, To: to, Data: values(data...)}
}

// tokens is a chain where nathan has made CARDS and given init0 the first.
func tokens(t *testing.T) (*bank, []ledger.PrivateKey, []ledger.PrivateKey) {
	t.Helper()
	b := newBank(t)
	nathan, holder := []ledger.PrivateKey{b.nathan}, []ledger.PrivateKey{b.init}
	b.fund(init0ID)
	b.must(b.push(nathan, cards()))
	b.must(b.push(nathan, issueCard(init0ID, "first", uint64(7), true, uint64(1))))
	b.mine()
	return b, nathan, holder
}

func TestTokensAreIssuedMovedChangedAndBurnt(t *testing.T) {
	b, nathan, holder := tokens(t)
	b.must(b.push(nathan, issueCard(init0ID, "second", int64(-7), false, uint64(2))))
	b.must(b.push(holder, &ledger.NFTTransferOp{From: init0ID, To: init1ID, NFTDataID: 0}))
	b.must(b.push(nathan, &ledger.NFTUpdateDataOp{Modifier: nathanID, NFTDataID: 0, Data: []ledger.NamedVariant{
		{Name: "title", Value: ledger.Variant{Value: "renamed"}}, {Name: "foil", Value: ledger.Variant{Value: false}},
	}}))
	b.must(b.push(holder, &ledger.NFTTransferOp{From: init0ID, To: ledger.NullAccount, NFTDataID: 1}))
	b.mine()
	b.c.View(func(s *state.State) {
		if kind := s.NFTs.BySymbol("CARDS"); kind.CurrentSupply != 1 || kind.ID != 0 {
			t.Errorf("the kind is %+v", kind)
		}
		first := s.NFTs.Token(0)
		if first.Owner != init1ID || first.Data[0].Value != "renamed" || first.Data[1].Value != uint64(7) || first.Data[2].Value != false {
			t.Errorf("the token is %+v", first)
		}
		if held := s.NFTs.Held(init0ID, nil); len(held) != 0 {
			t.Errorf("init0 holds %v", held)
		}
		if held := s.NFTs.Held(init1ID, []ledger.NFTID{0}); len(held) != 1 || held[0] != first {
			t.Errorf("init1 holds %v", held)
		}
		if held := s.NFTs.Held(init1ID, []ledger.NFTID{5}); len(held) != 0 {
			t.Errorf("init1 holds %v of another kind", held)
		}
		if all := s.NFTs.Tokens(0); len(all) != 1 || s.NFTs.TokenCount() != 2 || s.NFTs.Count() != 1 {
			t.Errorf("there are %v", all)
		}
		if d := s.Details.OfToken(0); len(d) != 2 || d[0].Description != "issue token" || d[1].Description != "transfer token" ||
			d[1].To != init1ID {
			t.Errorf("the token's history is %v", d)
		}
		if got := len(s.History.Page(init1ID, 0, 100, 0)); got != 1 {
			t.Errorf("init1 has %d records, want the transfer alone", got)
		}
	})
}

func TestTokenRefusals(t *testing.T) {
	b, nathan, holder := tokens(t)
	update := func(modifier ledger.AccountID, name string, value any) *ledger.NFTUpdateDataOp {
		return &ledger.NFTUpdateDataOp{Modifier: modifier, Data: []ledger.NamedVariant{{Name: name, Value: ledger.Variant{Value: value}}}}
	}
	kind := func(edit func(*ledger.NFTCreateDefinitionOp)) *ledger.NFTCreateDefinitionOp {
		op := cards()
		op.Symbol = "OTHER"
		edit(op)
		return op
	}
	options := func(edit func(*ledger.NFTOptions)) *ledger.NFTUpdateDefinitionOp {
		op := &ledger.NFTUpdateDefinitionOp{CurrentIssuer: nathanID, Options: cards().Options}
		edit(&op.Options)
		return op
	}
	b.refuses(t, []refusal{
		{"taken symbol", nathan, cards(), nodeerr.CodeAssert, "nft_symbol_itr == nft_indx.end()"},
		{"bad symbol", nathan, kind(func(o *ledger.NFTCreateDefinitionOp) { o.Symbol = "x" }), nodeerr.CodeValidate, "is_valid_symbol"},
		{"stranger's symbol", holder, kind(func(o *ledger.NFTCreateDefinitionOp) { o.Symbol, o.Options.Issuer = "CARDS.SUB", init0ID }),
			nodeerr.CodeAssert,
			"nft_symbol_itr->options.issuer == op.options.issuer"},
		{"nobody's symbol", nathan, kind(func(o *ledger.NFTCreateDefinitionOp) { o.Symbol = "NOBODY.SUB" }), nodeerr.CodeAssert,
			"nft_symbol_itr != nft_indx.end()"},
		{"changed but nameless", nathan, kind(func(o *ledger.NFTCreateDefinitionOp) { o.Definitions[0].Name = nil }), nodeerr.CodeValidate,
			"name_valid && !name->empty()"},
		{"name twice", nathan, kind(func(o *ledger.NFTCreateDefinitionOp) { o.Definitions[1].Name = text("title") }), nodeerr.CodeValidate,
			"std::count_if"},
		{"long description", nathan, options(func(o *ledger.NFTOptions) { o.Description = string(make([]byte, 1001)) }),
			nodeerr.CodeValidate,
			"description.size() <= 1000"},
		{"below supply", nathan, options(func(o *ledger.NFTOptions) { o.MaxSupply = 0 }), nodeerr.CodeAssert,
			"op.options.max_supply >= nft_obj.current_supply"},
		{"no change", nathan, options(func(*ledger.NFTOptions) {}), nodeerr.CodeAssert, "op.options != nft_obj.options"},
		{"definition unknown", nathan, &ledger.NFTUpdateDefinitionOp{CurrentIssuer: nathanID, NFTID: 9}, nodeerr.CodeObjectNotFound,
			"Object ID: 1.10.9"},
		{"not the issuer", holder, &ledger.NFTIssueOp{Issuer: init0ID, To: init0ID, Data: values("x", uint64(1), true, uint64(9))},
			nodeerr.CodeAssert,
			"op.issuer == nft_obj.options.issuer"},
		{"to nobody", nathan, issueCard(999, "x", uint64(1), true, uint64(9)), nodeerr.CodeAssert, "d.find_object(op.to)"},
		{"too few values", nathan, issueCard(init0ID, "x"), nodeerr.CodeAssert, "nft_obj.definitions.size() == op.data.size()"},
		{"number for text", nathan, issueCard(init0ID, uint64(1), uint64(1), true, uint64(9)), nodeerr.CodeAssert, "data.is_string()"},
		{"text for number", nathan, issueCard(init0ID, "x", "1", true, uint64(9)), nodeerr.CodeAssert,
			"data.is_int64() || data.is_uint64()"},
		{"number for boolean", nathan, issueCard(init0ID, "x", uint64(1), uint64(1), uint64(9)), nodeerr.CodeAssert, "data.is_bool()"},
		{"title twice", nathan, issueCard(init0ID, "first", uint64(1), true, uint64(9)), nodeerr.CodeAssert,
			"!nft_find_data( d, nft_id, data, idx ): first must be unique"},
		{"serial twice", nathan, issueCard(init0ID, "x", uint64(1), true, uint64(1)), nodeerr.CodeAssert,
			"!nft_find_data( d, nft_id, data, idx ): 1 must be unique"},
		{"to oneself", holder, &ledger.NFTTransferOp{From: init0ID, To: init0ID}, nodeerr.CodeValidate, "from != to"},
		{"not the owner", nathan, &ledger.NFTTransferOp{From: nathanID, To: init1ID}, nodeerr.CodeAssert, "op.from == nft_data_obj.owner"},
		{"token unknown", holder, &ledger.NFTTransferOp{From: init0ID, To: init1ID, NFTDataID: 5}, nodeerr.CodeObjectNotFound,
			"Object ID: 1.11.5"},
		{"moved to nobody", holder, &ledger.NFTTransferOp{From: init0ID, To: 999}, nodeerr.CodeAssert, "d.find_object(op.to)"},
		{"nothing changed", holder, &ledger.NFTUpdateDataOp{Modifier: init0ID}, nodeerr.CodeValidate, "!data.empty()"},
		{"value unknown", holder, update(init0ID, "colour", "red"), nodeerr.CodeAssert, "it != nft_obj.definitions.end()"},
		{"owner's value", nathan, update(nathanID, "score", uint64(1)), nodeerr.CodeAssert, "op.modifier == nft_data_obj.owner: "},
		{"issuer's value", holder, update(init0ID, "foil", true), nodeerr.CodeAssert, "op.modifier == nft_obj.options.issuer: "},
		{"nobody's value", holder, update(init0ID, "serial", uint64(5)), nodeerr.CodeAssert,
			"false: Attempt to modify a non modifiable data: serial"},
		{"its own unique value", holder, update(init0ID, "title", "first"), nodeerr.CodeAssert, "!nft_find_data"},
		{"wrong type of a value", holder, update(init0ID, "score", "many"), nodeerr.CodeAssert, "data.is_int64()"},
	})
}

func TestFixedSupplyStays(t *testing.T) {
	b, nathan, _ := tokens(t)
	fix := &ledger.NFTUpdateDefinitionOp{CurrentIssuer: nathanID,
		Options: ledger.NFTOptions{Issuer: nathanID, MaxSupply: 1, FixedMaxSupply: true}}
	b.must(b.push(nathan, fix))
	b.refused(b.push(nathan, issueCard(init0ID, "second", uint64(1), true, uint64(2))), nodeerr.CodeAssert,
		"(nft_obj.current_supply + 1) <= nft_obj.options.max_supply")
	more := *fix
	more.Options.MaxSupply = 5
	b.refused(b.push(nathan, &more), nodeerr.CodeAssert, "!nft_obj.options.fixed_max_supply: Can not change max supply")
	loose := *fix
	loose.Options.FixedMaxSupply = false
	b.refused(b.push(nathan, &loose), nodeerr.CodeAssert, "!nft_obj.options.fixed_max_supply: Max supply must remain fixed")
	handed := *fix
	handed.Options.Issuer = init0ID
	b.must(b.push(nathan, &handed))
	b.refused(b.push(nathan, &handed), nodeerr.CodeAssert, "op.current_issuer == nft_obj.options.issuer")
}

func TestTokenThatStaysCanOnlyBeBurnt(t *testing.T) {
	b, nathan, holder := tokens(t)
	stays := cards()
	stays.Symbol, stays.Transferable = "CARDS.STAY", false
	b.must(b.push(nathan, stays))
	give := issueCard(init0ID, "a", uint64(1), true, uint64(1))
	give.NFTID = 1
	b.must(b.push(nathan, give))
	b.refused(b.push(holder, &ledger.NFTTransferOp{From: init0ID, To: init1ID, NFTDataID: 1}), nodeerr.CodeAssert,
		"nft_data_obj.nft_id(d).transferable")
	b.must(b.push(holder, &ledger.NFTTransferOp{From: init0ID, To: ledger.NullAccount, NFTDataID: 1}))
}

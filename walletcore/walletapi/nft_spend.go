package walletapi

import "billfold/walletcore/txbuild"

// exampleFields stands for the fields of a token's data in examples.
const exampleFields = `'[{"unique":true,"modifiable":"both","type":"string","name":"title"}]'`

func nftSpends() []*Method {
	return []*Method{
		spend("create_non_fungible_token", doc{Help: "Creates a kind of non-fungible token that an account issues.",
			Examples: []string{"alice CARDS cards " + exampleFields + " 100 false true true"}},
			txbuild.CreateNFT),
		spend("update_non_fungible_token", doc{Help: "Changes a kind of non-fungible token; its issuer signs.",
			Examples: []string{`"" CARDS "a game of more cards" 200 false true`}}, txbuild.UpdateNFT),
		spend("issue_non_fungible_token", doc{Help: "Makes a token for an account; the issuer of its kind signs.",
			Secret: true, Examples: []string{`bobby CARDS '["queen of hearts"]' "good luck" true`}}, txbuild.IssueNFT),
		spend("transfer_non_fungible_token_data", doc{Help: "Gives a token to an account; its present owner signs.", Secret: true,
			Examples: []string{`bobby 1.11.0 "it is yours" true`}}, txbuild.TransferNFTData),
		spend("burn_non_fungible_token_data", doc{Help: "Burns a token for ever; its present owner signs.",
			Examples: []string{"1.11.0 true"}}, txbuild.BurnNFTData),
		spend("update_non_fungible_token_data", doc{Help: "Changes fields of a token's data.",
			Examples: []string{`alice 1.11.0 '[["score",9]]' true`}}, txbuild.UpdateNFTData),
	}
}

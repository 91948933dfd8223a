package walletapi

import "billfold/walletcore/txbuild"

// exampleAuthority stands for an authority in examples.
const exampleAuthority = `'{"weight_threshold":2,"account_auths":[["1.2.34",1],["1.2.35",1],["1.2.36",1]],"key_auths":[]}'`

func accountChangeMethods() []*Method {
	return []*Method{
		withKeys(spend("create_account_with_brain_key",
			doc{Help: "Creates an account with keys derived from a brain key; the wallet keeps its active and memo key, not its owner key.",
				Question: Question{Sentence: "create the account {account_name} and keep its keys"},
				Examples: []string{"- newcomer alice true"}}, txbuild.CreateAccount)),
		spend("register_account_with_keys", doc{Help: "Creates an account with given keys and a memo key of its own.",
			Examples: []string{"newcomer " + exampleKey + " " + exampleKey + " " + exampleKey + " alice true"}},
			txbuild.RegisterAccountWithKeys),
		spend("register_multisig_account", doc{Help: "Creates an account for which several may have to sign together.",
			Examples: []string{"newcomer " + exampleAuthority + " " + exampleAuthority + " " + exampleKey + " alice true"}},
			txbuild.RegisterMultisigAccount),
		spend("update_account_keys", doc{Help: "Replaces keys of an account.",
			Examples: []string{`alice "" "" ` + exampleKey + " true"}}, txbuild.UpdateAccountKeys),
		spend("update_account_keys_to_multisig", doc{Help: "Changes an account into one for which several may have to sign together.",
			Examples: []string{"alice " + exampleAuthority + " " + exampleAuthority + " " + exampleKey + " true"}},
			txbuild.UpdateAccountToMultisig),
	}
}

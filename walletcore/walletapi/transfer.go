package walletapi

import (
	"billfold/walletcore/txbuild"
)

func transferMethods() []*Method {
	return []*Method{
		spend("transfer",
			doc{Help: "Pays an amount to an account.", Secret: true, Examples: []string{`alice bobby 12.25 DCT "thank you" true`}},
			txbuild.Transfer),
	}
}

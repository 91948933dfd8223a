package walletapi

import (
	"billfold/walletcore/build"
)

func payoutMethods() []*Method {
	return []*Method{
		spend("pay_many",
			doc{
				Help: "Makes several payments of one account in one transaction: all or none.", Secret: true,
				Examples: []string{`alice [{"to":"bobby","amount":"1.5","asset_symbol":"DCT","memo":""}] true`},
			},
			build.PayMany),
	}
}

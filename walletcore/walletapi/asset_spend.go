package walletapi

import (
	"strings"

	"billfold/walletcore/txbuild"
)

// exampleRate stands for a price in examples.
const exampleRate = `'{"base":{"amount":100000000,"asset_id":"1.3.0"},"quote":{"amount":5000,"asset_id":"1.3.1"}}'`

func assetSpends() []*Method {
	return []*Method{
		spend("create_user_issued_asset", doc{Help: "Creates an asset that an account issues.",
			Examples: []string{"alice GOLDX 4 gold 1000000000 " + exampleRate + " true false true"}}, txbuild.CreateUserIssuedAsset),
		spend("update_user_issued_asset", doc{Help: "Changes an asset, or gives it to another issuer; its present issuer signs.",
			Examples: []string{`GOLDX "" "more gold" 2000000000 ` + exampleRate + " true true"}}, txbuild.UpdateUserIssuedAsset),
		spend("issue_asset", doc{Help: "Makes new units of an asset and gives them to an account; the issuer signs.", Secret: true,
			Examples: []string{`bobby 5 GOLDX "your share" true`}}, txbuild.IssueAsset),
		spend("reserve_asset", doc{Help: "Burns an amount of a user-issued asset.", Examples: []string{"alice 5 ALX.GOLD true"}}, txbuild.ReserveAsset),
		spend("fund_asset_pools", doc{Help: "Pays into the pools of an asset, from which fees in that asset are exchanged.",
			Examples: []string{"alice 0 GOLDX 10 DCT true"}}, txbuild.FundAssetPools),
		spend("claim_fees", doc{Help: "Takes collected fees out of the pools of an asset; the issuer signs.",
			Examples: []string{"0 GOLDX 1 DCT true"}}, txbuild.ClaimFees),
		spend("create_monitored_asset",
			doc{Help: "Creates an asset whose price the miners publish; they alone may sign it, in a proposal.",
				Examples: []string{"alice USDX 4 dollars 86400 1 false"}}, txbuild.CreateMonitoredAsset),
		spend("update_monitored_asset", doc{Help: "Changes an asset whose price is published; its issuer signs.",
			Examples: []string{"USDX dollars 86400 3 false"}}, txbuild.UpdateMonitoredAsset),
		spend("publish_asset_feed", doc{Help: "Publishes, as a miner, what a monitored asset is worth.",
			Examples: []string{`init0 USDX '{"core_exchange_rate":` + strings.Trim(exampleRate, "'") + `}' true`}},
			txbuild.PublishAssetFeed),
	}
}

package walletapi

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// The content engine encrypts content, proves that it is kept, and exchanges it over IPFS. This build does not
// include it. Its operations are declared so that help, tokens and documentation know them; a call of one fails.

type submitContentParams struct {
	Author       string             `json:"author" role:"account" help:"account name or id"`
	CoAuthors    []authorShare      `json:"co_authors" help:"shares in hundredths of a percent"`
	URI          string             `json:"URI" help:"address of the content, as upload_package returns it"`
	Prices       []priceText        `json:"price_amounts" help:"price in each region"`
	Size         uint64             `json:"size" help:"megabytes, 1 to 10000"`
	Hash         ledger.Hash160     `json:"hash" help:"of the package"`
	Seeders      []ledger.AccountID `json:"seeders" help:"account ids of the seeders"`
	Quorum       uint32             `json:"quorum" help:"how many seeders' parts make the key"`
	Expiration   ledger.Time        `json:"expiration" help:"UTC"`
	FeeAsset     string             `json:"publishing_fee_asset" role:"asset" help:"symbol or id"`
	FeeAmount    string             `json:"publishing_fee_amount" role:"amount" help:"decimal text in the asset's precision"`
	Synopsis     string             `json:"synopsis" help:"text; readers expect JSON with title, description and content_type_id"`
	Secret       string             `json:"secret" secret:"true" help:"the key of the content, a decimal number followed by a dot"`
	CustodyProof ledger.CustodyData `json:"cd" help:"as create_package returns it"`
	Broadcast    bool               `json:"broadcast" role:"broadcast" help:"false: only sign"`
}

type submitInBackgroundParams struct {
	Author     string             `json:"author" role:"account" help:"account name or id"`
	CoAuthors  []authorShare      `json:"co_authors" help:"shares in hundredths of a percent"`
	ContentDir string             `json:"content_dir" help:"folder on the wallet's machine"`
	SamplesDir string             `json:"samples_dir" help:"folder of samples that anybody may read; empty = none"`
	Protocol   string             `json:"protocol" help:"ipfs"`
	Prices     []priceText        `json:"price_amounts" help:"price in each region"`
	Seeders    []ledger.AccountID `json:"seeders" help:"account ids of the seeders"`
	Expiration ledger.Time        `json:"expiration" help:"UTC"`
	Synopsis   string             `json:"synopsis" help:"text; readers expect JSON with title, description and content_type_id"`
}

type downloadContentParams struct {
	Consumer  string `json:"consumer" role:"account" help:"account name or id"`
	URI       string `json:"URI" help:"address of the content"`
	Region    string `json:"region_code_from" help:"default, a country's code of two letters, or empty = none"`
	Broadcast bool   `json:"broadcast" role:"broadcast" help:"false: only sign"`
}

type contentKeysParams struct {
	Seeders []ledger.AccountID `json:"seeders" help:"account ids of the seeders"`
}

type createPackageParams struct {
	ContentDir string `json:"content_dir" help:"folder on the wallet's machine"`
	SamplesDir string `json:"samples_dir" help:"folder of samples that anybody may read; empty = none"`
	Key        string `json:"aes_key" secret:"true" help:"a decimal number followed by a dot"`
}

type extractPackageParams struct {
	Hash      string `json:"package_hash" help:"40 hex digits"`
	OutputDir string `json:"output_dir" help:"folder on the wallet's machine"`
	Key       string `json:"aes_key" secret:"true" help:"a decimal number followed by a dot"`
}

type packageURLParams struct {
	URL string `json:"url" help:"address of the content"`
}

type uploadPackageParams struct {
	Hash     string `json:"package_hash" help:"40 hex digits"`
	Protocol string `json:"protocol" help:"ipfs"`
}

type packageParams struct {
	Hash string `json:"package_hash" help:"40 hex digits"`
}

// authorShare is what a co-author gets of the price.
type authorShare struct {
	_       struct{} `fc:"pair"`
	Account string   `json:"account"`
	Split   uint32   `json:"split"`
}

// priceText is what content costs in a region.
type priceText struct {
	Region string          `json:"region"`
	Amount json.RawMessage `json:"amount"`
	Symbol string          `json:"asset_symbol"`
}

// contentKeys is a content key and its parts, one for each seeder.
type contentKeys struct {
	Key    ledger.KeyText      `json:"key"`
	Parts  []ledger.Ciphertext `json:"parts"`
	Quorum uint32              `json:"quorum"`
}

// madePackage is the hash of a package and the data that proves it is kept.
type madePackage struct {
	_       struct{}           `fc:"pair"`
	Hash    ledger.Hash160     `json:"package_hash"`
	Custody ledger.CustodyData `json:"custody_data"`
}

func contentEngineMethods() []*Method {
	const hash = "3069910ad3201a9a49965e890fed26fd3bfaeede"
	return []*Method{
		absent[submitContentParams, *ledger.SignedTransaction]("submit_content", doc{Help: "Offers an uploaded package for sale.",
			Examples: []string{`alice [] ` + exampleURI + ` '[{"region":"","amount":"2","asset_symbol":"DCT"}]' 1 ` + hash +
				` '["1.2.16","1.2.17"]' 2 2027-01-01T00:00:00 DCT 10 "a song" - ` +
				exampleCustody + ` true`}}),
		absent[submitInBackgroundParams, contentKeys]("submit_content_async",
			doc{Help: "Packs a folder, uploads it and offers it for sale, in the background.", Examples: []string{
				`alice [] /srv/song "" ipfs '[{"region":"","amount":"2","asset_symbol":"DCT"}]' '["1.2.16","1.2.17"]' 2027-01-01T00:00:00 "a song"`}}),
		absent[downloadContentParams, null]("download_content", doc{Help: "Buys content at its price and downloads it.",
			Examples: []string{"alice " + exampleURI + ` "" true`}}),
		absent[contentKeysParams, contentKeys]("generate_content_keys",
			doc{Help: "Makes a random content key and splits it for seeders.", Secret: true, Examples: []string{`'["1.2.16","1.2.17"]'`}}),
		absent[createPackageParams, madePackage]("create_package", doc{Help: "Encrypts a folder into a package.",
			Examples: []string{`/srv/song "" -`}}),
		absent[extractPackageParams, null]("extract_package", doc{Help: "Decrypts a package into a folder.",
			Examples: []string{hash + " /srv/out -"}}),
		absent[packageURLParams, null]("download_package", doc{Help: "Downloads a package.", Examples: []string{exampleURI}}),
		absent[uploadPackageParams, string]("upload_package", doc{Help: "Uploads a package.", Result: "its address",
			Examples: []string{hash + " ipfs"}}),
		absent[packageParams, null]("remove_package", doc{Help: "Deletes a package from this machine.", Examples: []string{hash}}),
		read("is_package_manager_task_waiting", doc{Help: "Reports whether a package is being made or exchanged.", Reach: ReachChain,
			Result: "always false: this build makes no packages"},
			func(context.Context, *Core, struct{}) (bool, error) { return false, nil }),
	}
}

// exampleCustody stands for the custody data of a package in examples.
const exampleCustody = `'{"n":64,"u_seed":"a4ad0331998328c2d6469568c2d73240",` +
	`"pubKey":"c8d2403cfa9750be9c0b11cacd4be4523ef9a7e4e37e7abea90b8388c90b233e01"}'`

// absent declares an operation of the reference that this build does not have. A call whose parameters fit
// fails with fault.NotInThisBuild, even while the wallet is locked, and does nothing.
func absent[P, R any](name string, d doc) *Method {
	d.Help += " Not in this build."
	m := read(name, d, func(context.Context, *Core, P) (R, error) {
		var none R
		return none, &fault.Error{Code: fault.NotInThisBuild, Op: name,
			Message: name + " is not in this build, which cannot make or exchange packages of content",
			Hint:    "nothing was done; finding, buying and rating content work"}
	})
	m.Absent = true
	return m
}

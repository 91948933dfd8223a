package walletcore_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/paylink"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// No text for others has a key or phrase in it, whoever wrote it and by whatever way: not even one that is written otherwise or was damaged.
func TestNoTextForOthersHoldsASecret(t *testing.T) {
	s := testwallet.Open(t, "alice", "bobby")
	wif := ledger.DeriveKey("a key", 0).WIF()
	rate := ledger.Price{Base: ledger.AssetAmount{Amount: 1}, Quote: ledger.AssetAmount{Amount: 1, AssetID: 1}}
	keys := []string{wif, wif[:20] + " " + wif[20:], wif + "x", "my key: " + wide(wif)}
	for _, secret := range append(keys, wif[1:], wif[:9]+wif[10:], "abandon ability able about above absent absorb abstract absurd abuse access accident") {
		byPrograms := map[string]bool{"transfer": true, "plain": true, "message": true, "asset": true}
		for way, refuse := range map[string]func() error{
			"transfer": func() error {
				return spend(s, txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: secret}, txbuild.Transfer))
			},
			"plain": func() error {
				return spend(s, txbuild.NewRequest("transfer",
					txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: secret, Plain: true}, txbuild.Transfer))
			},
			"message": func() error {
				return spend(s, txbuild.NewRequest("send_message", txbuild.MessageParams{From: "alice", To: []string{"bobby"}, Text: secret}, txbuild.SendMessage))
			},
			"asset": func() error {
				return spend(s, txbuild.NewRequest("create_user_issued_asset", txbuild.CreateUserIssuedAssetParams{Issuer: "alice", Symbol: "NEWCOIN", Precision: 4,
					MaxSupply: 1000, Description: secret, Rate: rate}, txbuild.CreateUserIssuedAsset))
			},
			"publication": func() error {
				return content.CheckAbout(ledger.Synopsis{Title: "a song", Description: secret})
			},
			"link": func() error {
				_, err := paylink.Parse("dcore:bobby?memo=" + url.QueryEscape(secret))
				return err
			},
			"payout": func() error {
				if all := payout.Read([]byte("account,amount,asset,memo\nbobby,1,DCT," + secret + "\n")).Faults; len(all) > 0 {
					return &fault.Error{Code: fault.BadValue, Message: all[0].String()}
				}
				return nil
			},
		} {
			err := refuse()
			if byPrograms[way] && !slices.Contains(keys, secret) {
				if err != nil {
					t.Errorf("%s of %q, which a program may mean: %v", way, secret, err)
				}
				continue
			}
			if err == nil || !strings.Contains(err.Error(), "contains ") || strings.Contains(err.Error(), secret[:6]) {
				t.Errorf("%s of %q: %v", way, secret, err)
			}
		}
	}
}

// A private key of which a title has one half, and a description the other, is found where the two are read.
func TestNoPublicationHoldsAKeyInTwoHalves(t *testing.T) {
	s := testwallet.Open(t, "alice")
	wif := ledger.DeriveKey("a key", 0).WIF()
	err := spend(s, txbuild.NewRequest("submit_content", txbuild.SubmitContentParams{Author: "alice", URI: "ipfs:QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG",
		Synopsis: ledger.Synopsis{Title: wif[:25], Description: wif[25:]}.Text()}, txbuild.SubmitContent))
	if err == nil || !strings.Contains(err.Error(), "the title with the description contains a private key") {
		t.Error(err)
	}
}

func spend(s *testwallet.Wallet, r txbuild.Request) error {
	_, err := s.Payments.Spend(s.Ctx, r, payment.Sending{})
	return err
}

func wide(text string) string {
	return strings.Map(func(r rune) rune { return r - '!' + '！' }, text)
}

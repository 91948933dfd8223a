package ledger

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// wide returns a text in the wide letters of East Asian keyboards.
func wide(text string) string {
	return strings.Map(func(r rune) rune { return r - '!' + '！' }, text)
}

// keyForms returns a private key as it is found, and those of them that were damaged.
func keyForms(wif string) (whole, damaged []string) {
	whole = []string{
		wif, "x" + wif, "125" + wif, wif + "x", wif + wif[:9], "my key: " + wif + ", keep it", "é" + wif + "é", "5" + wif + "5",
		wif[:20] + " " + wif[20:], wif[:20] + "\n" + wif[20:], wif[:20] + "\r\n\t " + wif[20:], wif[:7] + "\u200b" + wif[7:], wif[:7] + "-" + wif[7:],
		strings.Join(strings.Split(wif, ""), " "), wide(wif), "key " + wide(wif[:20]) + "\u3000" + wide(wif[20:]),
		escaped(wif), `{"title":"` + escaped(wif[:30]) + wif[30:] + `"}`,
	}
	for i := range len(wif) {
		damaged = append(damaged, wif[:i]+wif[i+1:], "(key:"+wif[:i]+"0"+wif[i+1:]+")", wif[:i]+"é"+wif[i+1:])
		if i > 0 {
			damaged = append(damaged, wif[:i]+"x"+wif[i:], wide(wif[:i]+wif[i+1:]))
		}
		if i > 0 && i < len(wif)-1 {
			damaged = append(damaged, wif[:i]+"+"+wif[i+1:])
		}
		for lost := 2; lost <= 3 && i+lost <= len(wif); lost++ {
			if i == 0 && wif[0] != '5' && lost > 2 { // too many may have stood there
				continue
			}
			damaged = append(damaged, wif[:i]+wif[i+lost:])
		}
		if i > 0 {
			damaged = append(damaged, without(wif, i, len(wif)/2), without(wif, i, 1, len(wif)-1))
		}
	}
	return whole, damaged
}

// without returns a text without the characters at some places.
func without(text string, places ...int) string {
	var left []byte
	for i := range len(text) {
		if !slices.Contains(places, i) {
			left = append(left, text[i])
		}
	}
	return string(left)
}

func TestSecretsAreFoundWhateverIsAroundOrInThem(t *testing.T) {
	const compressed = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn"
	for _, wif := range []string{DeriveKey("a key", 0).WIF(), compressed} {
		whole, damaged := keyForms(wif)
		for want, texts := range map[string][]string{privateKeyHeld: whole, damagedKeyHeld: damaged} {
			for _, text := range texts {
				if got := SecretIn(text); got != want {
					t.Errorf("in %q is %q, want %q", text, got, want)
				}
			}
		}
	}
	suggested, err := SuggestBrainKey()
	if err != nil {
		t.Fatal(err)
	}
	twelve := strings.Join(englishList()[100:112], " ")
	const reference = "LORDING TALAR ZOONAL PIBROCH MUFFLER SORGHO SKIRTY CARPER SCROBE EVENS ESERE CHAUTE ACKER AVINE BERHYME CANIONS"
	for _, text := range []string{
		suggested, strings.ToLower(suggested), twelve, "my phrase: " + twelve + ".", strings.ReplaceAll(twelve, " ", ", "), strings.ReplaceAll(twelve, " ", "\n"),
		strings.ReplaceAll(twelve, " ", "\u00a0"), wide(strings.ReplaceAll(twelve, " ", "-")), strings.ToTitle(twelve), numbered(twelve), reference,
		within(twelve, "\u00ad"), within(twelve, "\u200b"), within(reference, "\u200d"), strings.ReplaceAll(twelve, " ", "\u200b"),
	} {
		if got := SecretIn(text); got != PhraseHeld {
			t.Errorf("in %.99q is %q", text, got)
		}
	}
}

// escaped returns a text with all characters as JSON may escape them.
func escaped(text string) (out string) {
	for _, r := range text {
		out += fmt.Sprintf(`\u%04x`, r)
	}
	return out
}

// within returns words with a character in the middle of each.
func within(words, character string) string {
	var out []string
	for _, word := range strings.Fields(words) {
		out = append(out, word[:2]+character+word[2:])
	}
	return strings.Join(out, " ")
}

// numbered returns words as they are written down.
func numbered(words string) (text string) {
	for i, word := range strings.Fields(words) {
		text += fmt.Sprintf("%d. %s\n", i+1, word)
	}
	return text
}

// What memos say every day is no secret, however long and odd it is.
func TestOrdinaryTextIsNoSecret(t *testing.T) {
	wif := DeriveKey("a key", 0).WIF()
	public := DeriveKey("a key", 0).Public().String()
	for _, text := range []string{
		"", "rent for May", strings.ToLower(wif), strings.ToUpper(wif), strings.Repeat(wif[:10], 30), strings.Repeat("5", 5000), strings.Repeat("K ", 5000),
		public, strings.TrimPrefix(public, "DCT"), "EOS" + strings.TrimPrefix(public, "DCT"), "PUB_K1_5KgCyhTtG4yT9zVnSyCLRRTCMmwCX9J9W2mVHMhoUVBrStrjUH",
		// transactions: this ledger's, Bitcoin's, Ethereum's, Solana's
		"3c9a4a1d7bd6e4f50b2f5d7c0a8b9e6f1c2d3e4f", "5b6e4f50b2f5d7c0a8b9e6f1c2d3e4f3c9a4a1d7bd6e4f50b2f5d7c0a8b9e6f1",
		"0x5b6e4f50b2f5d7c0a8b9e6f1c2d3e4f3c9a4a1d7bd6e4f50b2f5d7c0a8b9e6f1",
		"5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
		// addresses: Bitcoin, Litecoin, Substrate, Monero, Cardano, Stellar, Tezos, IPFS, an extended public key, IBAN
		"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1", "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY",
		"44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A",
		"Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi", "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ", "KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn",
		"QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG", "12D3KooWQYV9dGMFoRzNStwpXztXaBUjtPqi6aU76ZgUriHhKust",
		"xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8", "DE89 3704 0044 0532 0130 00",
		// addresses of Substrate that begin as a key does, of ledgers of their own kinds, and a key that is encrypted
		"5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw", "5HpG9w8EBLe5XCrbczpwq5TSXvedjrBGCwqxK1iQ7qUsSWFc",
		"6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg",
		"INV-2026-0001234/5K-77", "order 5KX-2026-000123456789012345678901234567890123456789", "c0ffee00-1234-4abc-8def-0123456789ab",
		"please send the rest of the money to the other account before friday and tell me when it is done thank you very much",
		"this is for the tickets that you bought for all of us last week in the city near the old bridge where we had dinner with your sister",
		"Rechnung Nr. 4711 vom 3. Mai, bitte nicht vergessen, den Rest am Ende des Monats an den anderen Verein zu zahlen, danke und viele Gruesse",
		"Оплата за квартиру за май месяц, спасибо, остальное будет на следующей неделе в пятницу вечером или в субботу утром", "毎月の家賃です。よろしくお願いします。毎月の家賃です。",
		"2 chairs, 1 table, 4 lamps, 3 carpets, 1 mirror, 6 glasses, 12 plates, 2 pots, 1 kettle, 5 towels, 8 candles, 1 vase, 2 pillows",
		"buy water bread butter cheese rice", strings.Repeat("ha ", 20),
	} {
		if got := SecretIn(text); got != "" {
			t.Errorf("in %.99q is %q", text, got)
		}
	}
}

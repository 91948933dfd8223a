package ledger

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// toldBodies has a full body of each operation that is told in words only.
func toldBodies() []Body {
	authority := Authority{WeightThreshold: 2, AccountAuths: []AccountWeight{{Account: 7, Weight: 1}}, KeyAuths: []KeyWeight{{Key: PublicKey{2, 1}, Weight: 1}}}
	return []Body{
		&AccountCreateOp{Registrar: 5, Name: "carolina", Owner: authority, Active: authority, Options: AccountOptions{MemoKey: PublicKey{2, 3},
			VotingAccount: 8, NumMiner: 1, Votes: []VoteID{4}, AllowSubscription: true, PricePerSubscribe: AssetAmount{Amount: 2}, SubscriptionPeriod: 30}},
		&ContentSubmitOp{Size: 3, Author: 5, CoAuthors: []CoAuthor{{Account: 7, Split: 1000}}, URI: "ipfs:Qm", Quorum: 2,
			Price: []RegionalPrice{{Region: RegionDefault, Price: AssetAmount{Amount: 2}}, {Region: 14, Price: AssetAmount{Amount: 3}}},
			Hash:  Hash160{1}, Seeders: []AccountID{8, 9}, KeyParts: make([]Ciphertext, 2), Expiration: 1000, PublishingFee: AssetAmount{Amount: 9},
			Synopsis: Synopsis{Title: "a song", Description: "la la"}.Text(), CustodyData: &CustodyData{N: 64, PubKey: [33]byte{1}}},
		&ReadyToPublishOp{Seeder: 5, Space: 10, PubKey: BigInteger{S: "7."}, PricePerMByte: 3, IPFSID: "Qm", RegionCode: new("AT")},
		&ReadyToPublishObsoleteOp{Seeder: 5, Space: 10, PubKey: BigInteger{S: "7."}, PricePerMByte: 3, IPFSID: "Qm"},
	}
}

// untold are the members of which nothing is told, and why.
var untold = map[string]string{
	"fee.amount":     "a review shows it by itself",
	"fee.asset_id":   "a review shows it by itself",
	"cd.u_seed":      "nobody can judge it",
	"cd.pubKey":      "nobody can judge it",
	"key_parts":      "there are as many as seeders, or the ledger refuses it",
	"key_parts.C1.s": "nobody can judge it",
	"key_parts.D1.s": "nobody can judge it",
}

// Whatever is changed in an operation whose bare values are not shown, its words are others.
func TestWhatIsToldInWordsIsToldWhole(t *testing.T) {
	of := map[OpCode]bool{}
	for _, body := range toldBodies() {
		of[NewOperation(body).Code] = true
		was := tellingOf(body)
		mutate(reflect.ValueOf(body).Elem(), "", func(path string) {
			if now := tellingOf(body); now == was && untold[path] == "" {
				t.Errorf("%T: what %s holds is not told:\n%s", body, path, now)
			}
		})
	}
	for _, code := range OpCodes() {
		if code.Told() != of[code] {
			t.Errorf("%s is told in words: %v; it is tried: %v", OpName(code), code.Told(), of[code])
		}
	}
}

// exact names everything by its numbers.
type exact struct{ plain }

func (exact) AmountText(a AssetAmount) string {
	return strconv.FormatInt(a.Amount, 10) + " of " + a.AssetID.String()
}

func tellingOf(body Body) string {
	op := NewOperation(body)
	return fmt.Sprintln(Sentence(op, exact{}), Effects(op, exact{}, exact{}), op.Moves())
}

// mutate changes each value below v for the time of one call of look.
func mutate(v reflect.Value, path string, look func(path string)) {
	try := func(change func()) {
		was := reflect.New(v.Type()).Elem()
		was.Set(v)
		change()
		look(path)
		v.Set(was)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			mutate(v.Elem(), path, look)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				mutate(v.Field(i), strings.TrimPrefix(path+"."+tag, "."), look)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			mutate(v.Index(i), path, look)
		}
		if v.Len() > 0 {
			try(func() { v.Set(v.Slice(0, v.Len()-1)) })
		}
	case reflect.Array:
		try(func() { v.Index(v.Len() - 1).SetUint(0x77) })
	case reflect.Bool:
		try(func() { v.SetBool(!v.Bool()) })
	case reflect.String:
		try(func() { v.SetString(v.String() + "x") })
	default:
		try(func() {
			if v.CanInt() {
				v.SetInt(v.Int() + 1)
			} else {
				v.SetUint(v.Uint() + 1)
			}
		})
	}
}

package ledger

import (
	"fmt"
	"strings"
	"testing"

	"billfold/ledger/codec"
)

// plainNames names everything in the simplest way.
type plainNames struct{}

func (plainNames) AccountName(id AccountID) string {
	return map[AccountID]string{16: "alice", 17: "bobby"}[id]
}
func (plainNames) AssetName(id AssetID) string { return map[AssetID]string{CoreAsset: "DCT"}[id] }
func (plainNames) KindName(id NFTID) string    { return "CARDS (" + id.String() + ")" }
func (plainNames) AmountText(a AssetAmount) string {
	return FormatDecimals(a.Amount, 8) + " DCT"
}

func TestSentences(t *testing.T) {
	dct := func(n int64) AssetAmount { return AssetAmount{Amount: n} }
	plain, err := NewMessage(16, PrivateKey{}, "hello", map[AccountID]PublicKey{17: {}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	data, err := plain.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	paid := NewOperation(&TransferObsoleteOp{From: 16, To: 17, Amount: dct(5)})
	owner := SingleKeyAuthority(PublicKey{2})
	for _, c := range []struct {
		body Body
		want string
	}{
		{&TransferObsoleteOp{From: 16, To: 17, Amount: dct(1225000000)}, "alice paid 12.25000000 DCT to bobby"},
		{&TransferOp{From: 16, To: AccountID(17).Object(), Amount: dct(1)}, "alice paid 0.00000001 DCT to bobby"},
		{&TransferOp{From: 16, To: ContentID(3).Object(), Amount: dct(1)}, "alice paid 0.00000001 DCT to 2.13.3"},
		{&AccountCreateOp{Registrar: 16, Name: "carol"}, "alice registered the account carol"},
		{&AccountUpdateOp{Account: 16, Owner: &owner, NewOptions: &AccountOptions{}}, "alice changed its owner authority, options"},
		{&NFTIssueOp{Issuer: 16, To: 17, NFTID: 3}, "alice issued a token CARDS (1.10.3) to bobby"},
		{&NFTUpdateDefinitionOp{CurrentIssuer: 16, NFTID: 3}, "alice changed the token CARDS (1.10.3)"},
		{&NFTCreateDefinitionOp{Symbol: "KITTY", Options: NFTOptions{Issuer: 17}}, "bobby created the token KITTY"},
		{&SetPublishingRightOp{From: 16, To: []AccountID{16, 17}, IsPublisher: true}, "alice named publishers: alice, bobby"},
		{&SetPublishingRightOp{From: 16, To: []AccountID{17}}, "alice dismissed publishers: bobby"},
		{&ProposalCreateOp{FeePayingAccount: 17, ProposedOps: []ProposedOperation{{paid}}},
			"bobby proposed: alice pays 0.00000005 DCT to bobby"},
		{&ProposalUpdateOp{FeePayingAccount: 16, Proposal: 42, ActiveApprovalsToAdd: []AccountID{16}}, "alice approved the proposal 1.6.42"},
		{&CustomOp{Payer: 16, ID: MessageID, Data: data}, "alice sent a message to bobby"},
		{&CustomOp{Payer: 16, ID: 9}, "alice wrote custom data of kind 9"},
		{&AssetIssueOp{Issuer: 16, IssueToAccount: 17, AssetToIssue: dct(100000000)}, "alice issued 1.00000000 DCT to bobby"},
		{&LeaveRatingAndCommentOp{Consumer: 16, URI: "ipfs:x", Rating: 4, Comment: "good"}, "alice rated ipfs:x with 4 and commented"},
	} {
		if got := Sentence(NewOperation(c.body), plainNames{}); got != c.want {
			t.Errorf("%T: %q, want %q", c.body, got, c.want)
		}
	}
}

// Every sentence is whole, and every member that a template names exists.
func TestEveryOperationHasASentence(t *testing.T) {
	for _, d := range operations {
		body := NewBody(d.code)
		text := Sentence(Operation{Code: d.code, Body: body}, plainNames{})
		if len(text) < 10 || strings.ContainsAny(text, "{}") || strings.Contains(text, "struct") {
			t.Errorf("%s: %q", d.name, text)
		}
		of, _ := d.sentence.(template)
		for _, part := range strings.Split(string(of), "{")[1:] {
			path, _, _ := strings.Cut(part, "}")
			path, _, _ = strings.Cut(path, ":")
			if !hasMember(body, path) {
				t.Errorf("%s has no member %s", d.name, path)
			}
		}
	}
	if got := Sentence(Operation{Code: 99}, plainNames{}); got != "operation 99 of a newer ledger" {
		t.Errorf("unknown operation: %q", got)
	}
}

func hasMember(body Body, path string) bool {
	text, err := codec.Marshal(body)
	name := path[strings.LastIndex(path, ".")+1:]
	return err == nil && strings.Contains(string(text), fmt.Sprintf("%q:", name))
}

// What a person signs has not happened yet: every operation that can be signed has words for it.
func TestEveryOperationIsSaidInThePresent(t *testing.T) {
	for _, d := range operations {
		op := Operation{Code: d.code, Body: NewBody(d.code)}
		done, now := Sentence(op, plainNames{}), Intent(op, plainNames{})
		if d.virtual || strings.Contains(done, "no longer allows") {
			continue
		}
		if done == now || len(now) < 10 {
			t.Errorf("%s: %q stays in the past: %q", d.name, done, now)
		}
	}
	paid := NewOperation(&TransferObsoleteOp{From: 16, To: 17, Amount: AssetAmount{Amount: 5}})
	for _, c := range []struct {
		body Body
		want string
	}{
		{&TransferObsoleteOp{From: 16, To: 17, Amount: AssetAmount{Amount: 1225000000}}, "alice pays 12.25000000 DCT to bobby"},
		{&SetPublishingRightOp{From: 16, To: []AccountID{17}}, "alice dismisses publishers: bobby"},
		{&ProposalCreateOp{FeePayingAccount: 17, ProposedOps: []ProposedOperation{{paid}}},
			"bobby proposes: alice pays 0.00000005 DCT to bobby"},
		{&LeaveRatingAndCommentOp{Consumer: 16, URI: "a rated commented", Rating: 4, Comment: "good"},
			`alice rates "a rated commented" with 4 and comments`},
		{&LeaveRatingAndCommentOp{Consumer: 16, URI: "ipfs:x", Rating: 1, Comment: "bad"}, "alice rates ipfs:x with 1 and comments"},
		{&LeaveRatingAndCommentOp{Consumer: 16, URI: "ipfs:x", Rating: 1}, "alice rates ipfs:x with 1"},
		{&NFTTransferOp{From: 16, To: 17, NFTDataID: 3}, "alice gives the token 1.11.3 to bobby"},
		{&NFTTransferOp{From: 16, To: NullAccount, NFTDataID: 3}, "alice burns the token 1.11.3"},
		{&LeaveRatingAndCommentOp{Consumer: 16, URI: "ipfs:x", Comment: "good"}, "alice comments on ipfs:x"},
	} {
		if got := Intent(NewOperation(c.body), plainNames{}); got != c.want {
			t.Errorf("%T: %q, want %q", c.body, got, c.want)
		}
	}
	if got := Intent(Operation{Code: 99}, plainNames{}); got != "operation 99 of a newer ledger" {
		t.Error(got)
	}
}

// markedNames say of a name that it is not checked, and one account is called as a verb is.
type markedNames struct{ plainNames }

func (markedNames) AccountName(id AccountID) string {
	return map[AccountID]string{16: "paid", 17: "bobby"}[id] + " (" + id.String() + ", unchecked)"
}

func TestAnIntentKeepsNamesAsTheyAre(t *testing.T) {
	for want, body := range map[string]Body{
		"paid (1.2.16, unchecked) pays 0.00000001 DCT to bobby (1.2.17, unchecked)": &TransferObsoleteOp{From: 16, To: 17, Amount: AssetAmount{Amount: 1}},
		"bobby (1.2.17, unchecked) no longer allows paid (1.2.16, unchecked) to withdraw": &WithdrawPermissionDeleteOp{
			WithdrawFromAccount: 17, AuthorizedAccount: 16},
	} {
		if got := Intent(NewOperation(body), markedNames{}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

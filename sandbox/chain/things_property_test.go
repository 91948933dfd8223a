package chain

import (
	"maps"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/state"

	"pgregory.net/rapid"
)

// Whatever is tried with tokens, messages, subscriptions, vesting, permissions
// and rights, across maintenances too: the core asset is conserved, a refusal
// changes nothing, tokens and their counts agree, and reverting to a snapshot
// brings everything back.
func TestThingsKeepTheirBooks(t *testing.T) {
	g := readGenesis(t)
	rapid.Check(t, func(r *rapid.T) {
		b := newTrialBank(t, g)
		b.by(b.nathan, pay(nathanID, init0ID, 100_0000_0000), gold("GOLDX", false), cards(), offer(1_0000_0000, 1))
		snapshot, before := b.c.Snapshot(), b.snapshot()
		for range rapid.IntRange(1, 6).Draw(r, "steps") {
			b.tryThing(r)
			switch rapid.IntRange(0, 3).Draw(r, "time") {
			case 0:
				b.mine()
			case 1:
				b.maintenance()
			}
			checkBooks(r, b, 0)
			checkTokens(r, b)
		}
		b.noError(r, b.c.Revert(snapshot))
		if b.snapshot() != before {
			r.Fatal("reverting did not bring everything back")
		}
	})
}

// tryThing pushes an operation with some that may let it fail afterwards.
func (b *bank) tryThing(r *rapid.T) {
	before := b.snapshot()
	bodies := []ledger.Body{b.drawThing(r)}
	if rapid.Bool().Draw(r, "two") {
		bodies = append(bodies, b.drawThing(r))
	}
	bodies = append(bodies, pay(nathanID, init0ID, 1), pay(init0ID, nathanID, 1))
	had := b.holdings()
	fault := b.push([]ledger.PrivateKey{b.nathan, b.init}, bodies...)
	if fault != nil && b.snapshot() != before {
		r.Fatalf("%v changed the state", fault)
	}
	if fault == nil {
		b.checkMoves(r, had, bodies)
	}
}

// holding is an asset of an account's.
type holding struct {
	of    ledger.ObjectID
	asset ledger.AssetID
}

// holdings are the balances of the two who act.
func (b *bank) holdings() map[holding]int64 {
	out := map[holding]int64{}
	b.c.View(func(s *state.State) {
		for _, of := range []ledger.AccountID{nathanID, init0ID} {
			for _, asset := range []ledger.AssetID{0, 1} {
				out[holding{of.Object(), asset}] = s.Balances.Of(of, asset)
			}
		}
	})
	return out
}

// checkMoves compares what balances lost and got with what the operations say that they move, and their fees: what leaves an
// account is reviewed, judged and booked by that.
func (b *bank) checkMoves(r *rapid.T, had map[holding]int64, bodies []ledger.Body) {
	want := maps.Clone(had)
	for _, body := range bodies {
		op := ledger.NewOperation(body)
		if op.Code == ledger.CodeProposalUpdate {
			return // what is proposed may be done at once
		}
		want[holding{body.FeePayer().Object(), op.Fee().AssetID}] -= op.Fee().Amount
		for _, m := range op.Moves() {
			want[holding{m.From, m.Amount.AssetID}] -= m.Amount.Amount
			want[holding{m.To, m.Amount.AssetID}] += m.Amount.Amount
		}
	}
	for of, is := range b.holdings() {
		if is != want[of] {
			r.Fatalf("%v of asset %s of %s are left after %v, and by what they move it would be %d", is, of.asset, of.of, bodies, want[of])
		}
	}
}

// drawThing draws an operation of nathan's or init0's.
func (b *bank) drawThing(r *rapid.T) ledger.Body {
	who := rapid.SampledFrom([]ledger.AccountID{nathanID, init0ID}).Draw(r, "who")
	other := nathanID + init0ID - who
	money := amount(rapid.OneOf(rapid.Int64Range(0, 1000), rapid.Int64Range(0, 5_0000_0000), rapid.Int64()).Draw(r, "money"), 0)
	n := rapid.Uint64Range(0, 3).Draw(r, "number")
	seconds := rapid.Uint32Range(0, 200_000).Draw(r, "seconds")
	begin := b.now() + ledger.Time(rapid.Uint32Range(0, 100).Draw(r, "begin"))
	to := rapid.SampledFrom([]ledger.AccountID{other, init1ID, ledger.NullAccount, 999}).Draw(r, "to")
	title := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(r, "title")
	bodies := []ledger.Body{
		issueCard(to, title, n, true, n),
		&ledger.NFTTransferOp{From: who, To: to, NFTDataID: ledger.NFTDataID(n)},
		&ledger.NFTUpdateDataOp{Modifier: who, NFTDataID: ledger.NFTDataID(n),
			Data: []ledger.NamedVariant{{Name: "title", Value: ledger.Variant{Value: title}}}},
		&ledger.NFTUpdateDefinitionOp{CurrentIssuer: nathanID, Options: ledger.NFTOptions{Issuer: nathanID, MaxSupply: uint32(n)}},
		&ledger.SubscribeOp{From: init0ID, To: nathanID, Price: money},
		&ledger.SubscribeByAuthorOp{From: who, To: nathanID},
		&ledger.AutomaticRenewalOfSubscriptionOp{Consumer: who, Subscription: ledger.SubscriptionID(n), AutomaticRenewal: n%2 == 0},
		offer(money.Amount, uint32(n)),
		&ledger.VestingBalanceCreateOp{Creator: who, Owner: other, Amount: money, Policy: ledger.VestingPolicy{
			Linear: &ledger.LinearVesting{BeginTimestamp: begin, VestingCliffSeconds: seconds / 2, VestingDurationSeconds: seconds},
		}},
		&ledger.VestingBalanceCreateOp{Creator: who, Owner: other, Amount: money, Policy: ledger.VestingPolicy{
			CoinDays: &ledger.CoinDaysVesting{StartClaim: begin, VestingSeconds: seconds},
		}},
		&ledger.VestingBalanceWithdrawOp{VestingBalance: ledger.VestingBalanceID(n), Owner: who, Amount: money},
		&ledger.WithdrawPermissionCreateOp{
			WithdrawFromAccount: who, AuthorizedAccount: other, WithdrawalLimit: money,
			WithdrawalPeriodSec: seconds, PeriodsUntilExpiration: 2, PeriodStartTime: begin,
		},
		&ledger.WithdrawPermissionClaimOp{WithdrawPermission: ledger.WithdrawPermissionID(n), WithdrawFromAccount: other,
			WithdrawToAccount: who,
			AmountToWithdraw:  money},
		&ledger.WithdrawPermissionDeleteOp{WithdrawFromAccount: who, AuthorizedAccount: other,
			WithdrawalPermission: ledger.WithdrawPermissionID(n)},
		message(b.t.(*testing.T), who, other, to),
		&ledger.SetPublishingRightOp{From: who, To: []ledger.AccountID{to}, IsPublisher: n%2 == 0},
		&ledger.ContentCancellationOp{Author: who, URI: title},
	}
	return rapid.SampledFrom(bodies).Draw(r, "operation")
}

// checkTokens counts tokens by kind, by owner and one by one.
func checkTokens(r *rapid.T, b *bank) {
	b.c.View(func(s *state.State) {
		alive, held := 0, 0
		for _, token := range s.NFTs.Tokens(0) {
			if token.Owner != ledger.NullAccount {
				alive++
			}
		}
		for owner := range s.Accounts.All() {
			for _, token := range s.NFTs.Held(owner, nil) {
				if token.Owner != owner {
					r.Fatalf("%s is listed under %s", token.ID, owner)
				}
				held++
			}
		}
		kind := s.NFTs.Get(0)
		burntAtOnce := 0 // a token issued to 1.2.1 counts in the supply, as on the node
		for _, d := range s.Details.All() {
			if d.Description == "issue token" && d.To == ledger.NullAccount {
				burntAtOnce++
			}
		}
		if alive+burntAtOnce != int(kind.CurrentSupply) || len(s.NFTs.Tokens(0)) != alive || held != int(s.NFTs.TokenCount()) {
			r.Fatalf("%d tokens are alive, %d held, the supply is %d", alive, held, kind.CurrentSupply)
		}
	})
}

package linear

import (
	"context"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/page/keys"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/vault"
)

// signers changes who may sign for an account.
type signers struct{ clerk }

func (s signers) words() []word {
	return []word{
		{say: "change N", row: "keys/keys.change", help: "other keys for account N", do: s.change},
		{
			say:  "multisig N",
			row:  "keys/keys.multisig",
			help: "who may sign for account N, with weights",
			also: []string{"keys.plan/keys.review", "keys.plan/keys.whatif"},
			do:   s.multisig,
		},
	}
}

// begin finds the account, and opens the wallet.
func (s signers) begin(ctx context.Context, rest string) (vault.OwnAccount, error) {
	own, err := pick(s.env().Accounts, rest, "account")
	if err != nil {
		return own, err
	}
	return own, s.needUnlock(ctx)
}

func (s signers) change(ctx context.Context, rest string) error {
	own, err := s.begin(ctx, rest)
	if err != nil {
		return err
	}
	s.Say("A public key, or new: this wallet makes one. Empty leaves it as it is.")
	wish := keys.Wish{Account: own.ID}
	for _, role := range []struct {
		label string
		take  func(text string)
	}{
		{"Owner key", func(text string) { wish.Owner = &keys.Signers{Needs: 1, All: []keys.Signer{{Who: text, Weight: 1}}} }},
		{"Active key", func(text string) { wish.Active = &keys.Signers{Needs: 1, All: []keys.Signer{{Who: text, Weight: 1}}} }},
		{"Memo key", func(text string) { wish.Memo = text }},
	} {
		text, err := s.Text(ctx, role.label, "a public key, new, or empty", "")
		if err != nil {
			return err
		}
		if text == "" {
			continue
		}
		if _, err := ledger.ParsePublicKey(text); err != nil && text != keys.NewKeyWord {
			return misuse("That is no public key; it begins with DCT.", "change "+rest+", again.")
		}
		role.take(text)
	}
	if wish.Owner == nil && wish.Active == nil && wish.Memo == "" {
		return refuse("Nothing would change.", "change "+rest+", again, or back.")
	}
	return s.plan(ctx, wish)
}

func (s signers) multisig(ctx context.Context, rest string) error {
	own, err := s.begin(ctx, rest)
	if err != nil {
		return err
	}
	role, err := s.Choose(ctx, "Role, 1 active, 2 owner, 3 both", 3, 1)
	if err != nil {
		return err
	}
	text, err := s.Text(ctx, "Weight that is needed", "a whole number from 1", "")
	if err != nil {
		return err
	}
	needs, wrong := keys.ParseNeeds(text)
	if wrong != "" {
		return misuse(sentence(wrong), "multisig "+rest+", again.")
	}
	all, err := s.ask(ctx)
	if err != nil {
		return err
	}
	wish, group := keys.Wish{Account: own.ID}, &keys.Signers{Needs: needs, All: all}
	if role != 2 {
		wish.Active = group
	}
	if role != 1 {
		wish.Owner = group
	}
	return s.plan(ctx, wish)
}

// ask asks for signers until an empty line.
func (s signers) ask(ctx context.Context) (all []keys.Signer, err error) {
	for {
		text, err := s.Text(ctx, fmt.Sprintf("Signer %d, empty ends", len(all)+1), "a key or an account, and its weight: carol 1", "")
		if err != nil || text == "" {
			return all, err
		}
		one, wrong := keys.ParseSigner(text)
		if wrong == "" {
			all = append(all, one)
			continue
		}
		if err := s.refused(misuse(sentence(wrong), "type the signer again, or back.")); err != nil {
			return nil, err
		}
	}
}

// plan says what a wish comes to, and has it signed for.
func (s signers) plan(ctx context.Context, wish keys.Wish) error {
	change, err := within(ctx, s.Desk, "Reading who could sign", func(ctx context.Context) (*keys.Change, error) {
		return keys.Plan(ctx, s.opt.Core.Keys, wish)
	})
	if err != nil {
		return err
	}
	defer change.Wipe()
	s.Say("Then:")
	sayParties(s.Desk, change.Then.Parties(change.Account()))
	for _, text := range change.Warnings() {
		s.Tell("Warning", sentence(text))
	}
	result, warnings := change.Then.Verdict(change.Account())
	for _, l := range warnings {
		s.Line(l)
	}
	s.Say(result)
	if why := change.Impossible(); why != "" {
		return refuse(sentence(why), "keys, then multisig again.")
	}
	env := s.env()
	built, err := within(ctx, s.Desk, "Building", func(ctx context.Context) (screen.Built, error) {
		return change.Build(ctx, keys.Proposer(env, change.Account()), keys.ProposalEnd(env))
	})
	if err != nil {
		return err
	}
	return s.spend(ctx, built, "sign", "change who may sign", life)
}

// sayParties says who may act, each with a number.
func sayParties(d *Desk, all []keys.Party) {
	for i, p := range all {
		if p.Role != "" {
			d.Say(strings.ToUpper(p.Role[:1]) + p.Role[1:] + fmt.Sprintf(", needs %d:", p.Threshold))
		}
		what := canvas.Join(canvas.Text("account "), format.Account(p.Account))
		if p.Account.ID == 0 {
			what = canvas.Text("key")
		}
		nested := ""
		if p.Level > 0 {
			nested = fmt.Sprintf(", inside level %d", p.Level)
		}
		d.Item(i+1, canvas.Join(what, canvas.Text(fmt.Sprintf(", weight %d, %s%s", p.Weight, p.State, nested))))
		if p.Account.ID == 0 {
			d.Under(format.Key(p.Key))
		}
	}
}

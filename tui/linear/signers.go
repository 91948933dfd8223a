package linear

import (
	"cmp"
	"context"
	"errors"
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
type signers struct{ reviewer }

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

// pickAccount returns the account whose number was typed and unlocks the wallet.
func (s signers) pickAccount(ctx context.Context, rest string) (vault.OwnAccount, error) {
	own, err := pick(s.env().Accounts, rest, "account")
	if err != nil {
		return own, err
	}
	return own, s.needUnlock(ctx)
}

func (s signers) change(ctx context.Context, rest string) error {
	own, err := s.pickAccount(ctx, rest)
	if err != nil {
		return err
	}
	s.Say("A public key, or new: this wallet makes one; same leaves it as it is.")
	made := &keys.NewKeys{}
	defer s.dropNewKeys(made)
	var typed [3]string
	var steps []step
	for i, label := range []string{"Owner key", "Active key", "Memo key"} {
		steps = append(steps, func(ctx context.Context) error { return s.askKey(ctx, label, &typed[i]) })
	}
	return s.runSteps(ctx, append(steps, s.backOnFailure(func(ctx context.Context) error {
		if typed == [3]string{} {
			return s.reportAndGoBack(refuse("Nothing would change.", "type a key, or stop."))
		}
		group := func(text string) *keys.Signers {
			if text == "" {
				return nil
			}
			return &keys.Signers{Needs: 1, All: []keys.Signer{{Who: text, Weight: 1}}}
		}
		return s.plan(ctx, keys.SignerChange{Account: own.ID, Owner: group(typed[0]), Active: group(typed[1]), Memo: typed[2]}, made)
	}))...)
}

// sameKey is typed to leave a key unchanged.
const sameKey = "same"

// askKey asks for the new key of a role; an empty result leaves the present one.
func (s signers) askKey(ctx context.Context, label string, to *string) error {
	return s.untilAccepted(ctx, func(ctx context.Context) error {
		text, err := s.Text(ctx, label, "a public key, new, or same", cmp.Or(*to, sameKey))
		if err != nil {
			return err
		}
		if strings.EqualFold(text, sameKey) {
			text = ""
		}
		if _, err := ledger.ParsePublicKey(text); err != nil && text != "" && text != keys.NewKeyWord {
			return misuse("That is not a public key; it begins with DCT.", "type a public key, new, or same.")
		}
		*to = text
		return nil
	})
}

func (s signers) multisig(ctx context.Context, rest string) error {
	own, err := s.pickAccount(ctx, rest)
	if err != nil {
		return err
	}
	role, group, made := 1, &keys.Signers{}, &keys.NewKeys{}
	defer s.dropNewKeys(made)
	return s.runSteps(ctx,
		func(ctx context.Context) (err error) {
			role, err = s.Choose(ctx, "Role, 1 active, 2 owner, 3 both", 3, role)
			return err
		},
		func(ctx context.Context) error { return s.askNeeds(ctx, group) },
		func(ctx context.Context) error { return s.askSigners(ctx, group) },
		s.backOnFailure(func(ctx context.Context) error {
			request := keys.SignerChange{Account: own.ID}
			if role != 2 {
				request.Active = group
			}
			if role != 1 {
				request.Owner = group
			}
			return s.plan(ctx, request, made)
		}))
}

// askNeeds asks for the threshold: the weight that the signatures must reach together.
func (s signers) askNeeds(ctx context.Context, to *keys.Signers) error {
	return s.untilAccepted(ctx, func(ctx context.Context) error {
		usual := ""
		if to.Needs > 0 {
			usual = fmt.Sprint(to.Needs)
		}
		text, err := s.Text(ctx, "Weight that is needed", "a whole number from 1", usual)
		if err != nil {
			return err
		}
		needs, wrong := keys.ParseNeeds(text)
		if wrong != "" {
			return misuse(sentence(wrong), "type the number, or back.")
		}
		to.Needs = needs
		return nil
	})
}

// askSigners asks for signers until an empty line. back asks for the previous one again.
func (s signers) askSigners(ctx context.Context, to *keys.Signers) error {
	usual := ""
	outer := s.stepsBack
	defer func() { s.stepsBack = outer }()
	for {
		s.stepsBack = outer + len(to.All)
		end := ", empty ends"
		if usual != "" {
			end = ", end ends"
		}
		text, err := s.Text(ctx, fmt.Sprintf("Signer %d", len(to.All)+1)+end, "a key or an account, and its weight: carol 1; or end", usual)
		last := len(to.All) - 1
		switch {
		case errors.Is(err, errBack) && last >= 0:
			usual = fmt.Sprintf("%s %d", to.All[last].Who, to.All[last].Weight)
			to.All = to.All[:last]
			continue
		case err != nil:
			return err
		case text == "", strings.EqualFold(text, "end"):
			return nil
		}
		one, wrong := keys.ParseSigner(text)
		if wrong == "" {
			to.All, usual = append(to.All, one), ""
			continue
		}
		if err := s.report(misuse(sentence(wrong), "type the signer again, or back.")); err != nil {
			return err
		}
	}
}

// plan prints the effect of a change and has it reviewed, signed and sent.
func (s signers) plan(ctx context.Context, request keys.SignerChange, made *keys.NewKeys) error {
	change, err := within(ctx, s.Conversation, "Reading who could sign", func(ctx context.Context) (*keys.Change, error) {
		return keys.Plan(ctx, s.opt.Core.Keys, request, made)
	})
	if err != nil {
		return err
	}
	s.Say("After the change:")
	sayParties(s.Conversation, change.Then.Parties(change.Account()))
	for _, text := range change.Warnings(s.env()) {
		s.Tell("Warning", sentence(text))
	}
	result, warnings := change.Then.Verdict(change.Account())
	for _, l := range warnings {
		s.Line(l)
	}
	s.Say(result)
	if why := change.Impossible(); why != "" {
		return s.reportAndGoBack(refuse(sentence(why), "answer otherwise, or stop."))
	}
	env := s.env()
	built, err := within(ctx, s.Conversation, "Building", func(ctx context.Context) (screen.Built, error) {
		return change.Build(ctx, env.Payers(change.Account()), env.ProposalEnd())
	})
	if err != nil {
		return err
	}
	s.chosen = true
	return s.spend(ctx, built)
}

// dropNewKeys wipes the keys that were made for a change, and tells which of them stay in the wallet for nothing.
func (s signers) dropNewKeys(made *keys.NewKeys) {
	if left := made.Left(ledger.PublicKey.String); left != "" {
		s.Say(left + ".")
	}
	made.Wipe()
}

// sayParties prints who may act for an account, numbered.
func sayParties(d *Conversation, all []keys.Party) {
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

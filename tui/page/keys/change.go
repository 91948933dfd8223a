package keys

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// Change is what a wish comes to: who may sign now, and who then.
type Change struct {
	Now, Then *XRay

	core   Core
	id     ledger.AccountID
	params build.ChangeSignersParams
	fresh  []ledger.PrivateKey // made for it, and not kept yet
}

// Plan reads what a wish comes to. Errors: fault.BadValue, fault.NoSuchAccount, the daemon's.
func Plan(ctx context.Context, core Core, wish Wish) (*Change, error) {
	account, err := core.Ledger.Get(ctx, wish.Account.String())
	if err != nil {
		return nil, err
	}
	c := &Change{core: core, id: account.ID, params: build.ChangeSignersParams{Account: account.ID.String()}}
	then, r := *account, resolver{core: core}
	for _, role := range []struct {
		wish *Signers
		out  **build.Signers
		auth *ledger.Authority
	}{{wish.Owner, &c.params.Owner, &then.Owner}, {wish.Active, &c.params.Active, &then.Active}} {
		if role.wish == nil {
			continue
		}
		if *role.out, *role.auth, err = r.signers(ctx, role.wish); err != nil {
			return nil, err
		}
	}
	if wish.Memo != "" {
		key, is, err := r.key(wish.Memo)
		if err != nil || !is {
			return nil, cmpError(err, refused("the memo key is no public key", "a public key begins with DCT; new makes one here"))
		}
		c.params.Memo, then.Options.MemoKey = &key, key
	}
	c.fresh = r.fresh
	return c, c.read(ctx, account, &then)
}

func cmpError(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// read reads all that both sides name.
func (c *Change) read(ctx context.Context, now, then *ledger.Account) error {
	ids := []ledger.AccountID{c.id}
	for _, n := range slices.Concat(then.Active.AccountAuths, then.Owner.AccountAuths) {
		ids = append(ids, n.Account)
	}
	depth := int(ledger.DefaultChainParameters().MaxAuthorityDepth)
	found, err := c.core.Ledger.AuthorityTree(ctx, ledger.Needs{Active: ids}, depth)
	if err != nil {
		return err
	}
	found[c.id] = now
	after := maps.Clone(found)
	after[c.id] = then
	here := heldOf(c.core.Vault, append(slices.Collect(maps.Values(found)), then))
	for _, key := range c.fresh {
		here[key.Public()] = true
	}
	c.Now = &XRay{known{core: c.core, tree: tree{accounts: found, depth: depth, here: here}}}
	c.Then = &XRay{known{core: c.core, tree: tree{accounts: after, depth: depth, here: here}}}
	return nil
}

// Impossible is why nobody could sign for the account any more; empty when somebody can.
func (c *Change) Impossible() string {
	then := c.Then.tree.lookup(c.id)
	for _, role := range []struct {
		name string
		auth ledger.Authority
	}{{"owner", then.Owner}, {"active", then.Active}} {
		if has := c.Then.tree.most(role.auth, 0); has < uint64(role.auth.WeightThreshold) {
			return fmt.Sprintf("nobody could sign as %s: all together have weight %d of %d", role.name, has, role.auth.WeightThreshold)
		}
	}
	return ""
}

// Loses are the roles that the keys here suffice for now, and would not then.
func (c *Change) Loses() (roles []string) {
	now, then := c.Now.tree.can(c.id), c.Then.tree.can(c.id)
	for i, role := range []string{"owner", "active"} {
		if now[i] && !then[i] {
			roles = append(roles, role)
		}
	}
	return roles
}

// Warnings say what the change means beside who may sign.
func (c *Change) Warnings(env screen.Env) (out []string) {
	if loses := c.Loses(); len(loses) > 0 {
		out = append(out, "you would lose control: the keys here would not suffice for "+strings.Join(loses, " and "))
	}
	if still := c.Then.tree.byOwner(c.id); c.params.Active != nil && still != "" {
		out = append(out, still)
	}
	if c.strands(env) {
		out = append(out, "no other account here can pay for proposals: sign by files")
	}
	if c.params.Memo != nil && *c.params.Memo != c.Now.tree.lookup(c.id).Options.MemoKey {
		out = append(out, "the memo key changes: old memos need the old key, it stays in the wallet")
	}
	if n := len(c.fresh); n == 1 {
		out = append(out, "the new key is in this wallet alone: back it up")
	} else if n > 1 {
		out = append(out, fmt.Sprintf("the %d new keys are in this wallet alone: back them up", n))
	}
	return out
}

// strands reports whether no account of the wallet could act alone any more.
func (c *Change) strands(env screen.Env) bool {
	if c.Then.tree.can(c.id)[1] {
		return false
	}
	return !slices.ContainsFunc(env.Accounts, func(a vault.OwnAccount) bool { return a.ID != c.id && a.CanSign() })
}

// Build keeps the keys that were made, and then builds the change: where the keys here do not suffice, as a proposal that the
// present signers approve and one of payers can pay for, else as a file that they sign.
func (c *Change) Build(ctx context.Context, payers []string, expires ledger.Time) (screen.Built, error) {
	if why := c.Impossible(); why != "" {
		return nil, refused(why, "nothing was built")
	}
	for _, key := range c.fresh {
		if _, err := c.core.Keeper.ImportAccountKey(ctx, vault.KeyImport{WIF: key.WIF(), Anyway: true}); err != nil {
			return nil, err
		}
	}
	built, err := c.core.Changer.Change(ctx, c.params)
	u, is := built.(screen.Unsigned)
	if err != nil || !is {
		return built, err
	}
	return screen.ByOthers(u, payers, func(payer string) (screen.Built, error) {
		return c.core.Changer.ProposeChange(ctx, build.ProposedSigners{Change: c.params, Proposer: payer, Expires: expires})
	})
}

// Flip makes a key or an account count the other way round, on both sides.
func (c *Change) Flip(p Party) {
	c.Now.Flip(p)
	c.Then.Flip(p)
}

// Wipe forgets the keys that were made.
func (c *Change) Wipe() {
	for _, key := range c.fresh {
		key.Wipe()
	}
}

// Account is the account whose signers change.
func (c *Change) Account() ledger.AccountID { return c.id }

// payerFor is the account of an id if its keys are here, else the first whose are.
func payerFor(env screen.Env, id ledger.AccountID) ledgerview.AccountRef {
	if env.Owns(id) {
		a, _ := env.Listed(id)
		return a.AccountRef
	}
	for _, a := range env.Accounts {
		if a.CanSign() {
			return a.AccountRef
		}
	}
	return ledgerview.AccountRef{}
}

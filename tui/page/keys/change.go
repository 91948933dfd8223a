package keys

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// Change is the outcome of a wish: who may sign now, and who may then.
type Change struct {
	Now, Then *XRay

	core    Core
	id      ledger.AccountID
	params  txbuild.ChangeSignersParams
	made    *NewKeys
	newKeys []ledger.PrivateKey // those of made that it names
}

// Plan reads what a wish would change; the keys that it wants new are those of made. Errors: fault.BadValue, fault.NoSuchAccount, those of the daemon.
func Plan(ctx context.Context, core Core, wish SignerChange, made *NewKeys) (*Change, error) {
	account, err := core.Ledger.Get(ctx, wish.Account.String())
	if err != nil {
		return nil, err
	}
	c := &Change{core: core, id: account.ID, params: txbuild.ChangeSignersParams{Account: account.ID.String()}, made: made}
	then, r := *account, resolver{core: core, made: made}
	for _, role := range []struct {
		name string
		wish *Signers
		out  **txbuild.Signers
		auth *ledger.Authority
	}{{"owner", wish.Owner, &c.params.Owner, &then.Owner}, {"active", wish.Active, &c.params.Active, &then.Active}} {
		if role.wish == nil {
			continue
		}
		if *role.out, *role.auth, err = r.signers(ctx, role.name, role.wish); err != nil {
			return nil, err
		}
	}
	if wish.Memo != "" {
		key, is, err := r.key("memo", wish.Memo)
		if err != nil || !is {
			return nil, orError(err, refusal("the memo key is not a public key", "a public key begins with DCT; new makes one here"))
		}
		c.params.Memo, then.Options.MemoKey = &key, key
	}
	c.newKeys = r.newKeys
	return c, c.buildTrees(ctx, account, &then)
}

func orError(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// buildTrees reads all accounts that the authorities name, as they are now and as they would be.
func (c *Change) buildTrees(ctx context.Context, now, then *ledger.Account) error {
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
	for _, key := range c.newKeys {
		here[key.Public()] = true
	}
	c.Now = &XRay{authorities{core: c.core, tree: tree{accounts: found, depth: depth, keysHere: here}}}
	c.Then = &XRay{authorities{core: c.core, tree: tree{accounts: after, depth: depth, keysHere: here}}}
	return nil
}

// Impossible returns why nobody could sign for the account any more; empty if somebody could.
func (c *Change) Impossible() string {
	then := c.Then.tree.lookup(c.id)
	for _, role := range []struct {
		name string
		auth ledger.Authority
	}{{"owner", then.Owner}, {"active", then.Active}} {
		if has := c.Then.tree.maxWeight(role.auth, 0); has < uint64(role.auth.WeightThreshold) {
			return fmt.Sprintf("nobody could sign as %s: all together have weight %d of %d", role.name, has, role.auth.WeightThreshold)
		}
	}
	return ""
}

// Loses returns the roles for which the keys here suffice now but would not then.
func (c *Change) Loses() (roles []string) {
	now, then := c.Now.tree.suffices(c.id), c.Then.tree.suffices(c.id)
	for i, role := range []string{"owner", "active"} {
		if now[i] && !then[i] {
			roles = append(roles, role)
		}
	}
	return roles
}

// Warnings returns what a person should know before signing the change, the worst first.
func (c *Change) Warnings(env screen.Env) (out []string) {
	if loses := c.Loses(); len(loses) > 0 {
		out = append(out, "you would lose control: the keys here would not suffice for "+strings.Join(loses, " and "))
	}
	if still := c.Then.tree.ownerNote(c.id); c.params.Active != nil && still != "" {
		out = append(out, still)
	}
	if c.leavesNoPayer(env) {
		out = append(out, "no other account here can pay for proposals: sign by files")
	}
	if c.params.Memo != nil && *c.params.Memo != c.Now.tree.lookup(c.id).Options.MemoKey {
		out = append(out, "the memo key changes: old memos need the old key, it stays in the wallet")
	}
	if n := len(c.newKeys); n == 1 {
		out = append(out, "the new key is in this wallet alone: back it up")
	} else if n > 1 {
		out = append(out, fmt.Sprintf("the %d new keys are in this wallet alone: back them up", n))
	}
	return out
}

// leavesNoPayer reports whether no account of the wallet could act alone any more, and so pay for proposals.
func (c *Change) leavesNoPayer(env screen.Env) bool {
	if c.Then.tree.suffices(c.id)[1] {
		return false
	}
	return !slices.ContainsFunc(env.Accounts, func(a vault.OwnAccount) bool { return a.ID != c.id && a.CanSign() })
}

// Build imports the new keys into the wallet and then builds the change. If the keys here do not suffice, it becomes a proposal that
// the present signers approve and one of payers pays for, or, if none can pay, a file that they sign.
func (c *Change) Build(ctx context.Context, payers []string, expires ledger.Time) (screen.Built, error) {
	if why := c.Impossible(); why != "" {
		return nil, refusal(why, "nothing was built")
	}
	for _, key := range c.newKeys {
		if _, err := c.core.Keeper.ImportAccountKey(ctx, vault.KeyImport{WIF: key.WIF(), Anyway: true}); err != nil {
			return nil, err
		}
		c.made.noteStored(key.Public())
	}
	built, err := c.core.Changer.Change(ctx, c.params)
	if err != nil {
		return nil, err
	}
	u, is := built.(screen.Unsigned)
	if is {
		built, err = screen.ProposalOrFile(c.made.trackFile(u), payers, func(payer string) (screen.Built, error) {
			return c.core.Changer.ProposeChange(ctx, txbuild.ProposedSigners{Change: c.params, Proposer: payer, Expires: expires})
		})
	}
	if err != nil {
		return nil, err
	}
	return c.made.track(built), nil
}

// Flip switches whether a key or an account counts, on both sides.
func (c *Change) Flip(p Party) {
	c.Now.Flip(p)
	c.Then.Flip(p)
}

// Account returns the account whose signers change.
func (c *Change) Account() ledger.AccountID { return c.id }

// payerFor returns the account of an id if the wallet can sign for it, else the first for which it can.
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

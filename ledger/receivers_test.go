package ledger

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Accounts that an operation names and that neither act, pay nor get anything.
var onlyNamed = map[string]string{
	"subscribe_by_author.to":                            "who is subscribed to gets nothing",
	"withdraw_permission_claim.withdraw_from_account":   "who is withdrawn from allowed it before",
	"withdraw_permission_delete.authorized_account":     "who loses a right",
	"account_create.options.voting_account":             "votes for the new account, not for the wallet's",
	"account_update.new_options.voting_account":         "an effect names who votes instead, and it is taken back at any time",
	"account_create.owner":                              "an effect names who may act",
	"account_create.active":                             "an effect names who may act",
	"account_update.owner":                              "who may act is reviewed by itself, with the account's name typed",
	"account_update.active":                             "who may act is reviewed by itself, with the account's name typed",
	"asset_create.monitored_asset_opts.feeds.publisher": "published a price",
	"assert.required_auths":                             "the list has to be empty",
	"assert.predicates.account_name.account_id":         "its name is compared",
	"report_stats.stats":                                "what was delivered is reported, and nothing is paid by it",
}

// Each account in each operation acts, pays, or gets value or rights and goes through the checks of recipients.
func TestEveryAccountOfAnOperationHasARole(t *testing.T) {
	used := map[string]bool{}
	for code, d := range operations {
		if d.virtual {
			continue // the ledger makes these itself
		}
		next, named := AccountID(100), map[AccountID]string{}
		body := NewBody(OpCode(code))
		nameAccounts(reflect.ValueOf(body).Elem(), d.name, &next, named)
		op := NewOperation(body)
		roles := append(op.Receivers(), body.FeePayer())
		needs := NeedsOf([]Operation{op})
		roles = append(append(roles, needs.Active...), needs.Owner...)
		for id, path := range named {
			reason := onlyNamed[path]
			used[path] = true
			if has := slices.Contains(roles, id); has == (reason != "") {
				t.Errorf("%s is an account with a role: %v; without one because %q", path, has, reason)
			}
		}
	}
	for path := range onlyNamed {
		if !used[path] {
			t.Errorf("there is no %s", path)
		}
	}
}

// nameAccounts sets every account below v to an id of its own, and every flag to true.
func nameAccounts(v reflect.Value, path string, next *AccountID, named map[AccountID]string) {
	put := func() AccountID {
		*next++
		named[*next] = path
		return *next
	}
	switch v.Interface().(type) {
	case AccountID:
		v.Set(reflect.ValueOf(put()))
		return
	case ObjectID:
		v.Set(reflect.ValueOf(put().Object()))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.Struct || v.Type().Elem() == reflect.TypeFor[AccountID]() {
			v.Set(reflect.New(v.Type().Elem()))
			nameAccounts(v.Elem(), path, next, named)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]ProposedOperation]() {
			return // each is an operation of its own
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		nameAccounts(v.Index(0), path, next, named)
	case reflect.Struct:
		for i := range v.NumField() {
			tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if !v.Type().Field(i).IsExported() {
				continue
			}
			at := path + "." + tag
			if reflect.TypeFor[Authority]() == v.Type() || v.Type() == reflect.TypeFor[AccountWeight]() ||
				v.Type() == reflect.TypeFor[CoAuthor]() || v.Type() == reflect.TypeFor[SeederStat]() {
				at = path
			}
			nameAccounts(v.Field(i), at, next, named)
		}
	}
}

// Operations by which money leaves an account for nobody whom a movement names.
var unnamedPayees = map[string]string{
	"asset_reserve":          "it is destroyed, which an effect warns of",
	"content_submit":         "the seeders get it, who are receivers",
	"vesting_balance_create": "the owner gets it, who is a receiver",
	"asset_fund_pools":       "an effect names the issuer",
	"request_to_buy":         "an effect names who sells",
}

// selling is a ledger on which one account issues and sells everything.
type selling struct {
	plain
	by AccountID
}

func (s selling) Content(string, uint32) *Terms { return &Terms{By: []AccountID{s.by}} }
func (s selling) Asset(AssetID) *Asset          { return &Asset{Issuer: s.by} }

// Money that leaves an account goes to somebody whom the operation names, whom an effect names where the ledger is known and says
// that it is not known where it is not, or to nobody.
func TestMoneyThatLeavesAnAccountHasARecipient(t *testing.T) {
	used := map[string]bool{}
	for code, d := range operations {
		if d.virtual {
			continue
		}
		body := NewBody(OpCode(code))
		next, named := AccountID(100), map[AccountID]string{}
		nameAccounts(reflect.ValueOf(body).Elem(), d.name, &next, named)
		drawAmounts(reflect.ValueOf(body).Elem(), d.name, map[AssetAmount]string{})
		op, nobody := NewOperation(body), false
		for _, m := range op.Moves() {
			nobody = nobody || m.From != 0 && m.To == 0
		}
		reason := unnamedPayees[d.name]
		if used[d.name] = true; nobody != (reason != "") {
			t.Errorf("%s pays nobody who is named: %v; the reason is %q", d.name, nobody, reason)
		}
		switch {
		case strings.Contains(reason, "receiver"):
			if len(op.Receivers()) == 0 {
				t.Errorf("%s has no receivers", d.name)
			}
		case strings.Contains(reason, "effect names"):
			const by = AccountID(77)
			known, unknown := selling{by: by}, plain{}
			named := func(e Effect) bool {
				return slices.Contains(append(e.Whom, e.Paid...), by) && strings.Contains(e.Now, by.String())
			}
			if !slices.ContainsFunc(Effects(op, known, known), named) {
				t.Errorf("%s does not say who gets its money", d.name)
			}
			if !slices.ContainsFunc(Effects(op, unknown, unknown), func(e Effect) bool { return e.Unnamed && e.Careful != "" }) {
				t.Errorf("%s does not say that nobody knows who gets its money", d.name)
			}
		}
	}
	for name := range unnamedPayees {
		if !used[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

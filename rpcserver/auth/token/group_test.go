package token

import (
	"strings"
	"testing"

	"billfold/walletcore/walletapi"
)

// A group permits only operations that read; more follows a colon.
func TestGroupPermitsOnlyReads(t *testing.T) {
	may := func(scope Scope, names string) {
		t.Helper()
		var got []string
		methods := walletapi.Methods()
		for i := range methods {
			if scope.withGroups(methods).permits(methods[i]) {
				got = append(got, methods[i].Name)
			}
		}
		if strings.Join(got, " ") != names {
			t.Errorf("%+v may call %s, want %s", scope, got, names)
		}
	}
	const reads = "get_account list_accounts list_account_balances get_account_history get_relative_account_history"
	const more = " get_account_count search_accounts get_proposed_transactions search_account_history search_account_balance_history" +
		" get_account_balance_for_transaction"
	const spends = " register_account_with_keys register_multisig_account update_account_keys" +
		" update_account_keys_to_multisig"
	may(Scope{Groups: []string{"accounts"}}, reads+more)
	may(Scope{Methods: []string{"Accounts"}}, reads+more)
	may(Scope{Groups: []string{"ACCOUNTS:spend"}}, reads+" register_account"+more+spends)
	may(Scope{Groups: []string{"accounts:signs"}}, reads+more)
	may(Scope{Groups: []string{"accounts:spends+keys"}}, reads+" register_account"+more+" create_account_with_brain_key"+spends)
	may(Scope{Groups: []string{"accounts:all"}}, reads+" register_account"+more+" create_account_with_brain_key"+spends)
	may(Scope{Groups: []string{"payouts"}}, "check_payout")
	may(Scope{Groups: []string{"payouts:signs"}}, "check_payout get_payout_receipt")
	may(Scope{Groups: []string{"accounts:keys+lock"}}, reads+more)
	may(Scope{Groups: []string{"transfers"}}, "")
	may(Scope{Groups: []string{"deposits"}}, "deposits.next deposits.wait deposits.since")
	may(Scope{Groups: []string{"deposits:writes"}}, "deposits.next deposits.wait deposits.since deposits.ack")
	may(Scope{Methods: []string{"lock"}, Groups: []string{"transfers:spends"}}, "lock transfer")
	may(Scope{Groups: []string{"wallet and keys:lock"}}, "is_new is_locked unlock lock list_my_accounts get_public_key suggest_brain_key get_brain_key_info "+
		"get_wallet_filename derive_private_key generate_el_gamal_keys generate_brain_key_el_gamal_key")
	may(Scope{Groups: []string{"accounts:spends:all", "transfers:nonsense"}}, "")
	methods := walletapi.Methods()
	for _, m := range methods {
		if !(Scope{Groups: []string{"all:all"}}).permits(m) || (Scope{Groups: []string{"all"}}).permits(m) != m.DoesOnly(walletapi.Reads) {
			t.Errorf("all is not all of it: %s", m.Name)
		}
		if checkGroup(m.Name, methods) == nil {
			t.Errorf("%s is an operation and a group", m.Name)
		}
	}
	if (Scope{Groups: []string{"all"}}).permits(&walletapi.Method{Name: "new", Group: "Accounts"}) {
		t.Error("a group holds an operation that declares nothing")
	}
}

func TestTenTimes(t *testing.T) {
	for text, want := range map[string]string{"5": "50", "0.5": "5", ".5": "5", "5.": "50", "12.345": "123.45", "0": "0", "0.01": "0.1",
		"0.001": "0.01", "10": "100"} {
		if got := tenTimes(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

package review

import (
	"fmt"
	"testing"
)

func TestMembersAreWhatAnOperationHolds(t *testing.T) {
	got := fmt.Sprint(members(`{"ref_block_num":7,"operations":[[1,{"fee":{"amount":100,"asset_id":"1.3.0"},"registrar":"1.2.16","name":"newcomer",
		"owner":{"weight_threshold":1,"account_auths":[],"key_auths":[["DCT5a",1],["DCT5b",2]]},"rights":{"is_manager":true,"is_other":false},
		"options":{"memo_key":"DCT5c","num_miner":0,"note":null,"extensions":[]}}]]}`))
	want := "[{registrar 1.2.16} {name newcomer} {owner.weight_threshold 1} {owner.key_auths DCT5a, 1, DCT5b, 2} {rights.is_manager yes} {options.memo_key DCT5c}]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got = fmt.Sprint(members(`{"operations":[[0,{"fee":{"amount":5},"to":"1.2.17"}],
		[12,{"withdrawal_period_sec":604800,"periods_until_expiration":1000,"period_start_time":"2023-11-14T22:13:20"}]]}`))
	if want := "[{1. to 1.2.17} {2. withdrawal_period_sec 7 days} {2. periods_until_expiration 1,000 periods of 7 days, " +
		"from 2023-11-14 22:13:20 UTC until 2043-01-13 22:13:20 UTC} {2. period_start_time 2023-11-14 22:13:20 UTC}]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got = fmt.Sprint(members(`{"operations":[[2,{"active":{"weight_threshold":0,"key_auths":[["DCT5a",0]]}}]]}`))
	if want := "[{active.weight_threshold 0} {active.key_auths DCT5a, 0}]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, text := range []string{"", "{}", `{"operations":[]}`, `{"operations":[[0]]}`, "7"} {
		if m := members(text); len(m) != 0 {
			t.Errorf("%q has %v", text, m)
		}
	}
}

package chain

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func TestPublishingRights(t *testing.T) {
	b := newBank(t)
	decent, err := ledger.ParseWIF("5JwBTDLFnb7jMwibLX75zbXVYn9cv6KoVjM76YNoM2GunA5LbrX")
	if err != nil {
		t.Fatal(err)
	}
	b.by(b.nathan, pay(nathanID, ledger.PublishingMaster, 10))
	b.by(decent,
		&ledger.SetPublishingManagerOp{From: ledger.PublishingMaster, To: []ledger.AccountID{nathanID, init0ID}, CanCreatePublishers: true})
	b.by(b.nathan, &ledger.SetPublishingRightOp{From: nathanID, To: []ledger.AccountID{init1ID, init0ID}, IsPublisher: true})
	b.by(b.nathan, &ledger.SetPublishingRightOp{From: nathanID, To: []ledger.AccountID{init1ID}})
	b.mine()
	b.c.View(func(s *state.State) {
		if got := s.Accounts.PublishingManagers("", 10); fmt.Sprint(got) != "[1.2.16]" {
			t.Errorf("the managers are %v; of several only the first is named", got)
		}
		if got := s.Accounts.PublishingManagers("nathao", 10); len(got) != 0 {
			t.Errorf("behind nathan come %v", got)
		}
		if r := s.Accounts.Get(nathanID).RightsToPublish; fmt.Sprint(r.Forwarded) != "[1.2.4]" {
			t.Errorf("nathan has %+v", r)
		}
		if r := s.Accounts.Get(init0ID).RightsToPublish; fmt.Sprint(r.Received) != "[1.2.16]" || r.IsPublishingManager {
			t.Errorf("init0 has %+v", r)
		}
		if r := s.Accounts.Get(init1ID).RightsToPublish; len(r.Received) != 0 {
			t.Errorf("init1 has %+v", r)
		}
	})
	b.by(decent, &ledger.SetPublishingManagerOp{From: ledger.PublishingMaster, To: []ledger.AccountID{nathanID}})
	b.mine()
	b.c.View(func(s *state.State) {
		if r := s.Accounts.Get(nathanID).RightsToPublish; r.IsPublishingManager || len(r.Forwarded) != 0 {
			t.Errorf("nathan has %+v", r)
		}
	})
	nathan := []ledger.PrivateKey{b.nathan}
	b.refuses(t, []refusal{
		{"no manager", nathan, &ledger.SetPublishingRightOp{From: nathanID, To: []ledger.AccountID{init0ID}}, nodeerr.CodeAssert,
			"from_acc.rights_to_publish.is_publishing_manager"},
		{"right for nobody", nathan, &ledger.SetPublishingRightOp{From: nathanID, To: []ledger.AccountID{999}}, nodeerr.CodeAssert,
			"db().find_object(id)"},
		{"not signed by decent", nathan, &ledger.SetPublishingManagerOp{From: nathanID, To: []ledger.AccountID{nathanID}},
			nodeerr.CodeMissingActive,
			""},
		{"not from decent", []ledger.PrivateKey{b.nathan, decent},
			&ledger.SetPublishingManagerOp{From: nathanID, To: []ledger.AccountID{nathanID}},
			nodeerr.CodeAssert,
			"o.from == account_id_type(15)"},
		{"manager nobody", []ledger.PrivateKey{decent},
			&ledger.SetPublishingManagerOp{From: ledger.PublishingMaster, To: []ledger.AccountID{999}},
			nodeerr.CodeAssert,
			"db().find_object(id)"},
	})
}

package ledger

import (
	"strings"
	"testing"
)

// waiting is a holding with one proposal.
type waiting struct {
	holding
	is *Proposal
}

func (w waiting) Proposal(ProposalID) *Proposal { return w.is }

// byKeys are approvals by one key each.
func byKeys(keys ...PublicKey) (out []Body) {
	for _, key := range keys {
		out = append(out, &ProposalUpdateOp{Proposal: 5, KeyApprovalsToAdd: []PublicKey{key}})
	}
	return out
}

// Whoever is asked to approve is told whether that is the last approval: the ledger does at once what has enough.
func TestWhoIsStillToApproveIsJudgedAsTheLedgerDoes(t *testing.T) {
	own, his := DeriveKey("own", 0).Public(), DeriveKey("his", 0).Public()
	known := holding{keys: map[AccountID]PublicKey{16: own, 17: his}}
	review := Time(0)
	both := Proposal{ID: 5, RequiredActiveApprovals: []AccountID{16, 17}, AvailableActiveApprovals: []AccountID{17}}
	byOwner := Proposal{ID: 5, RequiredOwnerApprovals: []AccountID{16}}
	stranger := Proposal{ID: 5, RequiredActiveApprovals: []AccountID{20}}
	reviewed, done := both, "nobody: it is executed at once"
	reviewed.ReviewPeriodTime = &review
	for name, c := range map[string]struct {
		is   Proposal
		ops  []Body
		want string
	}{
		"by a key":            {both, byKeys(own), done},
		"as owner":            {both, []Body{&ProposalUpdateOp{Proposal: 5, OwnerApprovalsToAdd: []AccountID{16}}}, done},
		"an owner by its key": {byOwner, byKeys(own), done},
		"an owner as active":  {byOwner, []Body{&ProposalUpdateOp{Proposal: 5, ActiveApprovalsToAdd: []AccountID{16}}}, "1.2.16"},
		"of the other":        {both, []Body{&ProposalUpdateOp{Proposal: 5, ActiveApprovalsToAdd: []AccountID{17}}}, "1.2.16"},
		"two by two operations": {Proposal{ID: 5, RequiredActiveApprovals: []AccountID{16, 17}},
			byKeys(his, own), done},
		"one is taken back": {both, []Body{&ProposalUpdateOp{Proposal: 5, ActiveApprovalsToRemove: []AccountID{17}}}, "1.2.16, 1.2.17"},
		"what is not needed is taken back": {
			Proposal{ID: 5, RequiredActiveApprovals: []AccountID{16}, AvailableActiveApprovals: []AccountID{16},
				AvailableKeyApprovals: []PublicKey{his}},
			[]Body{&ProposalUpdateOp{Proposal: 5, KeyApprovalsToRemove: []PublicKey{his}}}, done},
		"by a key that is not needed": {both, []Body{&ProposalUpdateOp{Proposal: 5, ActiveApprovalsToAdd: []AccountID{16},
			KeyApprovalsToAdd: []PublicKey{own}}},
			"nobody, but it is not executed while a key approves that is not needed: " + own.String()},
		"with a review": {reviewed, byKeys(own), "nobody: it is executed on "},
		"one who is not known": {stranger, byKeys(own),
			"1.2.20 (who acts for 1.2.20 is not known here: if that is enough, it is executed at once)"},
		"by a key that goes after it": {both, append(byKeys(own), &AccountUpdateOp{Account: 16, Active: ptr(SingleKeyAuthority(his)),
			Owner: ptr(SingleKeyAuthority(his))}, &ProposalUpdateOp{Proposal: 5, ActiveApprovalsToRemove: []AccountID{17}}), done},
		"with a key that comes with it": {both, []Body{&AccountUpdateOp{Account: 16, Active: ptr(SingleKeyAuthority(his))},
			&ProposalUpdateOp{Proposal: 5, KeyApprovalsToAdd: []PublicKey{his}}}, done},
	} {
		on := waiting{known, &c.is}
		var ops []Operation
		for _, body := range c.ops {
			ops = append(ops, NewOperation(body))
		}
		effects := Effects(ops[len(ops)-1], Together(on, ops), on)
		last := effects[len(effects)-1]
		said := last.Now
		if last.Note != "" {
			said += " (" + last.Note + ")"
		}
		if last.What != "still to approve it" || !strings.HasPrefix(said, c.want) || strings.HasPrefix(c.want, "1.2") && said != c.want {
			t.Errorf("%s: %s: %q, want %q", name, last.What, said, c.want)
		}
	}
}

package walletcore_test

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/message"
	"billfold/walletcore/testwallet"
)

// Messages are grouped by the other side, the newest conversation first. A message that was read is not new, and a hidden
// conversation comes back only with the next message.
func TestMessagesAreArrangedInConversations(t *testing.T) {
	ref := func(id ledger.AccountID) ledgerview.AccountRef { return ledgerview.AccountRef{ID: id} }
	item := func(n uint64, from ledger.AccountID, to ...ledger.AccountID) message.Item {
		i := message.Item{ID: ledger.NewObjectID(2, 18, n), From: ref(from)}
		for _, id := range to {
			i.To = append(i.To, ref(id))
		}
		return i
	}
	const own, carol, bob, eve = 5, 6, 7, 8
	items := []message.Item{item(0, carol, own), item(1, own, carol, bob), item(2, bob, own), item(3, eve, own, bob), item(4, own, own)}
	got := message.Arrange(own, items, map[ledger.AccountID]message.Mark{
		bob: {Account: own, Other: bob, UnreadFrom: 3}, carol: {Account: own, Other: carol, ShownFrom: 1},
		eve: {Account: own, Other: eve, ShownFrom: 4},
	})
	want := []struct {
		with          ledger.AccountID
		items, unread int
	}{{own, 1, 0}, {bob, 2, 0}, {carol, 1, 0}}
	if len(got) != len(want) {
		t.Fatalf("%d conversations: %+v", len(got), got)
	}
	for i, w := range want {
		if c := got[i]; c.With.ID != w.with || len(c.Items) != w.items || c.Unread() != w.unread || c.Mark.Account != own {
			t.Errorf("conversation %d is with %s: %d items, %d unread", i, c.With.ID, len(c.Items), c.Unread())
		}
	}
	if c := message.Arrange(own, items[:1], nil)[0]; c.Unread() != 1 {
		t.Errorf("a message that nobody read counts %d", c.Unread())
	}
}

// A message is attributed by the key it was encrypted with, whatever sender the node names.
func TestSenderWithAnotherKeyIsDoubtful(t *testing.T) {
	w, relay, _ := testwallet.OpenBehindRelay(t)
	alice, bobby, carol := w.Account("alice"), w.Account("bobby").ID, w.Account("carol").ID
	m, err := ledger.NewMessage(bobby, testwallet.Key("bobby"), "come at ten",
		map[ledger.AccountID]ledger.PublicKey{alice.ID: alice.Options.MemoKey}, 0)
	testwallet.Must(t, err)
	data, err := m.Bytes()
	testwallet.Must(t, err)
	pushOperation(w, &ledger.CustomOp{Payer: bobby, ID: ledger.MessageID, Data: data})
	read := func() message.Item {
		t.Helper()
		all, err := w.Messages.Conversations(w.Ctx, alice.ID, 10)
		testwallet.Must(t, err)
		if len(all) != 1 || len(all[0].Items) != 1 || all[0].Items[0].Text != "come at ten" {
			t.Fatalf("the messages are %+v", all)
		}
		return all[0].Items[0]
	}
	if is := read(); is.Doubtful || is.From.Name != "bobby" {
		t.Errorf("by bobby: %+v", is)
	}
	relay.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			return strings.ReplaceAll(answer, `"sender":"`+bobby.String()+`"`, `"sender":"`+carol.String()+`"`)
		}
	})
	if is := read(); !is.Doubtful || is.From.Name != "carol" {
		t.Errorf("by carol, with bobby's key: %+v", is)
	}
}

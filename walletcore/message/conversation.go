package message

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
	"billfold/walletcore/vault"
)

// Item is a message that an account of the wallet sent or received.
type Item struct {
	ID    ledger.ObjectID
	At    ledger.Time
	From  ledgerview.AccountRef
	To    []ledgerview.AccountRef // each once
	Text  string
	State vault.MemoState // why there is no text, and whether everybody can read it

	// Doubtful means that the text was encrypted with a key that, as far as is known, is not the sender's: only the
	// node says who the sender is.
	Doubtful bool

	key ledger.PublicKey // the key that encrypted the text
}

// Number returns the last number of the message's id.
func (i Item) Number() uint64 { return i.ID.Instance() }

// Mark records how far a person has read and hidden a conversation. The numbers are those of messages.
type Mark struct {
	Account, Other ledger.AccountID
	UnreadFrom     uint64 // messages below it were read
	ShownFrom      uint64 // messages below it were hidden
}

// Conversation is the messages between an account and another one.
type Conversation struct {
	With  ledgerview.AccountRef
	Items []Item // the oldest first
	Mark  Mark
}

// Unread returns how many of the items were received and not read.
func (c Conversation) Unread() (n int) {
	for _, item := range c.Items {
		if c.IsNew(item) {
			n++
		}
	}
	return n
}

// IsNew reports whether an item was received and not read.
func (c Conversation) IsNew(item Item) bool {
	return item.From.ID != c.Mark.Account && item.Number() >= c.Mark.UnreadFrom
}

// Last returns the newest item.
func (c Conversation) Last() (Item, bool) {
	if len(c.Items) == 0 {
		return Item{}, false
	}
	return c.Items[len(c.Items)-1], true
}

// Conversations reads what an account sent and received, at most most messages each way; the conversation with the
// newest message comes first. A hidden conversation shows what arrived since. Errors: those of Between, fault.File.
func (r *Reader) Conversations(ctx context.Context, account ledger.AccountID, most uint32) ([]Conversation, error) {
	items, err := r.items(ctx, account, min(most, maxFound))
	if err != nil {
		return nil, err
	}
	marks, err := r.marksOf(ctx, account)
	if err != nil {
		return nil, err
	}
	return Arrange(account, items, marks), nil
}

// items reads the messages of an account, each once.
func (r *Reader) items(ctx context.Context, account ledger.AccountID, most uint32) ([]Item, error) {
	found := map[ledger.ObjectID]ledger.MessageObject{}
	for _, sides := range [][2]*ledger.AccountID{{&account, nil}, {nil, &account}} {
		raws, err := r.daemon.Messages(ctx, sides[0], sides[1], most)
		if err != nil {
			return nil, fault.Daemon("reading messages", err)
		}
		for _, raw := range raws {
			var m ledger.MessageObject
			if err := codec.Unmarshal(raw, &m); err != nil {
				return nil, fault.Daemon("reading a message", err)
			}
			found[m.ID] = m
		}
	}
	names, err := r.namesIn(ctx, maps.Values(found))
	if err != nil {
		return nil, err
	}
	ref := func(id ledger.AccountID) ledgerview.AccountRef {
		return ledgerview.AccountRef{ID: id, Name: names.AccountName(id)}
	}
	out := make([]Item, 0, len(found))
	for _, id := range slices.Sorted(maps.Keys(found)) {
		out = append(out, r.item(found[id], account, ref))
	}
	return out, r.markDoubtful(ctx, out)
}

// markDoubtful marks the messages that were encrypted with a key other than that of the sender whom the node names. A
// text that a key opens was written by the owner of that key; whose key it is follows from the sender's account, as it
// is now or was when it was last accepted.
func (r *Reader) markDoubtful(ctx context.Context, items []Item) error {
	var senders []ledger.AccountID
	for _, item := range items {
		if item.State == vault.MemoOpen {
			senders = append(senders, item.From.ID)
		}
	}
	slices.Sort(senders)
	keys, err := r.view.MemoKeys(ctx, slices.Compact(senders))
	if err != nil {
		return err
	}
	for i := range items {
		item := &items[i]
		_, own := r.vault.AccountOf(item.From.ID.String())
		item.Doubtful = item.State == vault.MemoOpen && !slices.Contains(keys[item.From.ID], item.key) && !(own && r.vault.Holds(item.key))
	}
	return nil
}

// item returns a message as an account sees it: with the text for that account, or if it is the sender, with that for
// any receiver.
func (r *Reader) item(m ledger.MessageObject, account ledger.AccountID, ref func(ledger.AccountID) ledgerview.AccountRef) Item {
	out := Item{ID: m.ID, At: m.Created, From: ref(m.Sender), State: vault.MemoForeign}
	for i, to := range m.Receivers {
		if !slices.ContainsFunc(out.To, func(a ledgerview.AccountRef) bool { return a.ID == to.Receiver }) {
			out.To = append(out.To, ref(to.Receiver))
		}
		if out.isReadable() || m.Sender != account && to.Receiver != account {
			continue
		}
		memo := m.Memo(i)
		out.Text, out.State = r.vault.OpenMemo(&memo)
		out.key = memo.From
	}
	return out
}

func (i Item) isReadable() bool { return i.State == vault.MemoOpen || i.State == vault.MemoPlain }

// Arrange sorts messages into conversations.
func Arrange(account ledger.AccountID, items []Item, marks map[ledger.AccountID]Mark) []Conversation {
	with := map[ledger.AccountID]*Conversation{}
	add := func(other ledgerview.AccountRef, item Item) {
		c := with[other.ID]
		if c == nil {
			c = &Conversation{With: other, Mark: marks[other.ID]}
			c.Mark.Account, c.Mark.Other = account, other.ID
			with[other.ID] = c
		}
		if item.Number() >= c.Mark.ShownFrom {
			c.Items = append(c.Items, item)
		}
	}
	for _, item := range items {
		if item.From.ID != account {
			add(item.From, item)
			continue
		}
		for _, to := range item.To {
			add(to, item)
		}
	}
	out := make([]Conversation, 0, len(with))
	for _, c := range with {
		if len(c.Items) > 0 {
			out = append(out, *c)
		}
	}
	slices.SortFunc(out, func(a, b Conversation) int {
		x, _ := a.Last()
		y, _ := b.Last()
		return cmp.Or(cmp.Compare(y.ID, x.ID), strings.Compare(a.With.Name, b.With.Name))
	})
	return out
}

// marksOf reads the marks of an account, by the other account.
func (r *Reader) marksOf(ctx context.Context, account ledger.AccountID) (map[ledger.AccountID]Mark, error) {
	if r.marks == nil {
		return nil, nil
	}
	list, err := r.marks.List(ctx, r.view.Pins.Chain(), account)
	if err != nil {
		return nil, fileFault(err)
	}
	out := make(map[ledger.AccountID]Mark, len(list))
	for _, m := range list {
		out[m.Other] = Mark{m.Account, m.Other, m.UnreadFrom, m.ShownFrom}
	}
	return out, nil
}

// Mark remembers up to where a conversation was read, and from where it is shown. Error: fault.File.
func (r *Reader) Mark(ctx context.Context, mark Mark) error {
	if r.marks == nil {
		return nil
	}
	kept := store.MessageMark{Chain: r.view.Pins.Chain(), Account: mark.Account, Other: mark.Other,
		UnreadFrom: mark.UnreadFrom, ShownFrom: mark.ShownFrom}
	if err := r.marks.Put(ctx, kept); err != nil {
		return fileFault(err)
	}
	return nil
}

func fileFault(err error) *fault.Error {
	return &fault.Error{Code: fault.File, Op: "messages", Message: "what was read cannot be remembered: " + err.Error(),
		Hint: fault.Advice(err, fault.MakeRoom) + "; the messages themselves are on the ledger", Err: err}
}

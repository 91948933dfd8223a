package api

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

var messagingSet = Set{name: "messaging", methods: map[string]Method{
	"info":                With0(func(*Session) (any, error) { return "messaging_api", nil }),
	"get_message_objects": read3(messageObjects),
	"get_messages":        read1(messagesByID),
}}

// messagesByID looks up each message; a missing one is null.
func messagesByID(st *state.State, ids []ledger.ObjectID) (any, error) {
	list := make([]*state.MessageObject, len(ids))
	for i, id := range ids {
		if id.Space() != 2 || id.Type() != 18 {
			return nil, badArgument(0, id.String()+" is not a message; the id of one begins with 2.18")
		}
		list[i] = st.Messages.Get(id)
	}
	return list, nil
}

// messageObjects returns messages, newest first. At least one side must be given.
func messageObjects(st *state.State, sender, receiver *ledger.AccountID, limit uint32) (any, error) {
	if sender == nil && receiver == nil {
		return nil, nodeerr.New(nodeerr.CodeNoAccountGiven, "get_message_objects", "sender.valid() || receiver.valid(): ", nil)
	}
	for _, side := range []struct {
		id     *ledger.AccountID
		format string
	}{{receiver, "Receiver account: ${id}"}, {sender, "Sender account: ${id}"}} {
		if side.id != nil && st.Accounts.Get(*side.id) == nil {
			return nil, nodeerr.New(nodeerr.CodeNoAccount, "get_message_objects", side.format, nodeerr.Data{"id": *side.id})
		}
	}
	return st.Messages.Between(sender, receiver, limit), nil
}

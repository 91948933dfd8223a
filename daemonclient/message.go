package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// MessageQueries are the queries about messages; see Queries.
type MessageQueries struct{ ask asker }

// Messages lists at most most messages from sender to receiver, newest first; nil is any account, but not for both.
func (q MessageQueries) Messages(ctx context.Context, sender, receiver *ledger.AccountID, most uint32) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Messaging, "get_message_objects", sender, receiver, most)
}

// The objects of messages are 2.18.N.
const messageSpace, messageType = 2, 18

// checkMessages expects messages isBetween the named accounts, newest first, not more than asked for.
func checkMessages(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(2))
	if err != nil {
		return err
	}
	var last ledger.ObjectID
	for i, raw := range list {
		m, err := fields(raw, "id", "sender")
		if err != nil {
			return err
		}
		var row ledger.MessageObject
		if err := codec.Unmarshal(raw, &row); err != nil {
			return err
		}
		if id := row.ID; m[0] == nil || id.Space() != messageSpace || id.Type() != messageType || i > 0 && id >= last {
			return fmt.Errorf("%s is not a message, or out of order", quoted(m[0]))
		}
		if err := checkAccountRow(m[1]); err != nil {
			return err
		}
		if !isBetween(row, q) {
			return fmt.Errorf("got %s for %s to %s", row.ID, quoted(q.param(0)), quoted(q.param(1)))
		}
		last = row.ID
	}
	return nil
}

// isBetween reports whether a message is from and to the accounts that were named.
func isBetween(m ledger.MessageObject, q question) bool {
	if !isNull(q.param(0)) && m.Sender.Object() != q.object(0) {
		return false
	}
	return isNull(q.param(1)) || slices.ContainsFunc(m.Receivers, func(r ledger.MessageObjectReader) bool {
		return r.Receiver.Object() == q.object(1)
	})
}

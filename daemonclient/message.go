package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// MessageQueries are the questions about messages; see Queries.
type MessageQueries struct{ ask asker }

// Messages lists messages between two accounts, newest first; nil is any account, but not on both sides.
func (q MessageQueries) Messages(ctx context.Context, sender, receiver *ledger.AccountID, most uint32) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Messaging, "get_message_objects", sender, receiver, most)
}

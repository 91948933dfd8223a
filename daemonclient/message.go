package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// MessageQueries are the queries about messages; see Queries.
type MessageQueries struct{ ask asker }

// Messages lists at most most messages from sender to receiver, newest first; nil is any account, but not for both.
func (q MessageQueries) Messages(ctx context.Context, sender, receiver *ledger.AccountID, most uint32) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Messaging, "get_message_objects", sender, receiver, most)
}

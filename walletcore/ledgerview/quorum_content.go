package ledgerview

import (
	"context"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// ContentAuthor returns who the author of content is; nil when there is no such
// content. Errors: fault.DaemonsDisagree, and the daemons'.
func (q *Quorum) ContentAuthor(ctx context.Context, id ledger.ObjectID) (*ledger.AccountID, error) {
	by, err := daemonclient.AskQuorum(
		ctx,
		q.daemon,
		"content "+id.String(),
		func(ctx context.Context, q daemonclient.Queries) (*ledger.AccountID, error) {
			return authorOf(ctx, q, id)
		},
		func(by *ledger.AccountID) string {
			if by == nil {
				return "none"
			}
			return by.String()
		},
	)
	if err != nil {
		return nil, fault.Daemon("reading content "+id.String(), err)
	}
	return by, nil
}

func authorOf(ctx context.Context, q daemonclient.Queries, id ledger.ObjectID) (*ledger.AccountID, error) {
	found, err := q.GetObjects(ctx, []ledger.ObjectID{id})
	if err != nil || len(found) != 1 || IsNull(found[0]) {
		return nil, err
	}
	var content struct {
		Author ledger.AccountID `json:"author"`
	}
	err = codec.Unmarshal(found[0], &content)
	return &content.Author, err
}

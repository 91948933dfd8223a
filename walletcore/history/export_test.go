package history

import (
	"context"
	"encoding/json"
)

// Describe adds memo and description to raw records.
func (r *Reader) Describe(ctx context.Context, rows []json.RawMessage) ([]Detail, error) {
	return r.describe(ctx, rows)
}

// Shown returns how many worded rows are kept.
func (r *Reader) Shown() int { return r.shown.by.Len() }

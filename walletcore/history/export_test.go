package history

import (
	"context"
	"encoding/json"
)

// Describe exports describe.
func (r *Reader) Describe(ctx context.Context, rows []json.RawMessage) ([]Detail, error) {
	return r.describe(ctx, rows)
}

// CachedDetails returns how many details are cached.
func (r *Reader) CachedDetails() int { return r.details.by.Len() }

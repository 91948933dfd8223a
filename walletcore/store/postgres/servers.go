package postgres

import (
	"context"
	"time"
)

// Server is one of those that share a store.
type Server struct {
	ID, Name, Version string
	Alive             bool
	Started           time.Time
	Left              time.Duration // of its lease; negative once it has ended
	Open              int64         // the payments that it follows
}

// Servers lists those that ever used the store, the ones that live first.
func (f *file) Servers(ctx context.Context) (list []Server, err error) {
	rows, err := f.db.QueryContext(ctx, `SELECT id, name, version, started_at, expires_at - `+now+`,
			(SELECT COUNT(*) FROM payments WHERE owner = s.id AND `+openPayments+`)
		FROM servers s ORDER BY expires_at >= `+now+` DESC, name, id`)
	if err != nil {
		return nil, f.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s Server
		var started, left int64
		if err := rows.Scan(&s.ID, &s.Name, &s.Version, &started, &left, &s.Open); err != nil {
			return nil, err
		}
		s.Started, s.Left, s.Alive = time.UnixMilli(started), time.Duration(left)*time.Millisecond, left >= 0
		list = append(list, s)
	}
	return list, f.Explain(rows.Err())
}
